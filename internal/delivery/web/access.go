package web

import (
	"net/http"
	"net/url"
	"strings"
	"time"

	"ken/internal/delivery/httpfront"
)

// cookieName is the name of the cookie that carries the token. Its path is the random one, because cookies ignore ports: other servers
// on the loopback interface would be sent it otherwise.
const cookieName = "ken"

// maxForm is the length of the form by which a client shows the token, in bytes.
const maxForm = 8 << 10

// ServeHTTP answers a request: what its head makes doubtful is refused, then who has not shown the token is asked for it.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	place := httpfront.RequestPlace(r)
	setHeaders(w.Header())
	if reason := s.guard.CheckOrigin(r); reason != "" {
		refuse(w, r, http.StatusForbidden, reason)
		return
	}
	path, ok := strings.CutPrefix(r.URL.Path, s.prefix)
	if !ok || strings.Contains(strings.TrimPrefix(path, assetFolder), "/") {
		refuse(w, r, http.StatusNotFound, nothingHere)
		return
	}
	if reason, status := checkMethod(r, path); reason != "" {
		refuse(w, r, status, reason)
		return
	}
	place.Begin(httpfront.Working)
	defer place.Begin(httpfront.Waiting)
	switch {
	case strings.HasPrefix(path, assetFolder): // of the program, the same for all
		s.pages.assets.serve(w, strings.TrimPrefix(path, assetFolder))
		return
	case r.Method == http.MethodPost:
		s.logIn(w, r)
		return
	}
	if !s.hasCookie(r) {
		s.pages.write(w, http.StatusUnauthorized, "login", &frame{Assets: s.pages.assets, Title: "Open ken", Data: r.URL.RequestURI()})
		return
	}
	place.Prove()
	s.used.Store(time.Now().UnixNano())
	defer func() { s.used.Store(time.Now().UnixNano()) }()
	if path == "events" {
		s.open.Add(1)
		defer s.open.Add(-1)
		place.Begin(httpfront.Listening)
		s.live.serve(w, r, s.limits.Write)
		return
	}
	s.pages.serve(w, r, path, s.asker)
}

// checkMethod refuses all but reading; a form shows the token and changes nothing of the project.
func checkMethod(r *http.Request, path string) (reason string, status int) {
	switch {
	case r.Method == http.MethodPost && path == "login":
		if len(r.Header.Values("Origin")) == 0 && r.Header.Get("Sec-Fetch-Site") == "" {
			return "a form is sent by a page of this server", http.StatusForbidden
		}
	case r.Method != http.MethodGet && r.Method != http.MethodHead:
		return "pages are read: only GET is answered", http.StatusMethodNotAllowed
	case r.ContentLength != 0:
		return "a request of a page has no body", http.StatusBadRequest
	}
	return "", 0
}

// refuse answers with a reason and closes the connection, without reading what is left of the request.
func refuse(w http.ResponseWriter, r *http.Request, status int, reason string) {
	httpfront.RequestPlace(r).Begin(httpfront.Refused)
	http.NewResponseController(w).SetReadDeadline(time.Unix(1, 0))
	w.Header().Set("Connection", "close")
	http.Error(w, "ken: "+reason, status)
}

func (s *Server) hasCookie(r *http.Request) bool {
	c, err := r.Cookie(cookieName)
	return err == nil && s.guard.IsToken(c.Value)
}

// logIn exchanges the token for the cookie and leads to the page that was asked for.
func (s *Server) logIn(w http.ResponseWriter, r *http.Request) {
	http.NewResponseController(w).SetReadDeadline(time.Now().Add(s.limits.Head))
	r.Body = http.MaxBytesReader(w, r.Body, maxForm)
	if err := r.ParseForm(); err != nil || !s.guard.IsToken(strings.TrimSpace(r.PostForm.Get("token"))) {
		refuse(w, r, http.StatusForbidden, "this is not the token; \"ken web\" printed the address that has it")
		return
	}
	http.SetCookie(w, &http.Cookie{
		Name: cookieName, Value: strings.TrimSpace(r.PostForm.Get("token")), Path: s.prefix, HttpOnly: true, SameSite: http.SameSiteStrictMode,
	})
	http.Redirect(w, r, s.ownAddress(r.PostForm.Get("next")), http.StatusSeeOther)
}

// ownAddress returns an address of this server's pages: the one given, or the first page if it leads elsewhere.
func (s *Server) ownAddress(given string) string {
	u, err := url.Parse(given)
	if err != nil || u.Host != "" || u.Scheme != "" || !strings.HasPrefix(u.Path, s.prefix) {
		return s.prefix
	}
	return (&url.URL{Path: u.Path, RawQuery: u.RawQuery}).String()
}

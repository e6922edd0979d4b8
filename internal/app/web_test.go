package app

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"html"
	"io"
	"maps"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"ken/internal/operation"
)

// pageServer is a running ken web and a client that has its cookie.
type pageServer struct {
	t       *testing.T
	program *Program
	out     *bytes.Buffer
	base    string
	token   string
	client  *http.Client
}

// servePagesOf indexes a project of files and serves its pages.
func servePagesOf(t *testing.T, files map[string]string) *pageServer {
	t.Helper()
	p, _, errs := program(t, files)
	if code := p.run(t.Context(), "init"); code != Found {
		t.Fatal(errs)
	}
	return serveProgram(t, p)
}

// serveProgram serves the pages of an indexed project.
func serveProgram(t *testing.T, p *Program) *pageServer {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	read, write := io.Pipe()
	done := make(chan int, 1)
	server := *p
	server.Args, server.Stdout, server.Stderr = []string{"web"}, io.Discard, write
	go func() {
		done <- server.Run(ctx)
		write.Close()
	}()
	lines := bufio.NewReader(read)
	first, err := lines.ReadString('\n')
	if err != nil {
		t.Fatalf("%q %v, exit %d", first, err, <-done)
	}
	go io.Copy(io.Discard, lines)
	t.Cleanup(func() { cancel(); <-done })
	return newPageServer(t, p, strings.TrimSpace(strings.TrimPrefix(first, "ken: open ")))
}

// newPageServer logs in at an address that ken web printed.
func newPageServer(t *testing.T, p *Program, full string) *pageServer {
	t.Helper()
	base, token, ok := strings.Cut(full, "#t=")
	if !ok {
		t.Fatalf("no address: %q", full)
	}
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	s := &pageServer{t: t, program: p, out: p.Stdout.(*bytes.Buffer), base: base, token: token, client: &http.Client{Jar: jar, Timeout: time.Minute}}
	r := s.logIn(token)
	if r.StatusCode != http.StatusOK {
		t.Fatalf("log in: %s", r.Status)
	}
	return s
}

func (s *pageServer) origin() string {
	u, err := url.Parse(s.base)
	if err != nil {
		s.t.Fatal(err)
	}
	return "http://" + u.Host
}

// logIn shows a token as the form does.
func (s *pageServer) logIn(token string) *http.Response {
	s.t.Helper()
	r, err := http.NewRequest("POST", s.base+"login", strings.NewReader(url.Values{"token": {token}, "next": {"//evil.example/"}}.Encode()))
	if err != nil {
		s.t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	r.Header.Set("Origin", s.origin())
	got, err := s.client.Do(r)
	if err != nil {
		s.t.Fatal(err)
	}
	got.Body.Close()
	return got
}

// get returns a page.
func (s *pageServer) get(path string) (string, int) {
	s.t.Helper()
	got, err := s.client.Get(s.base + path)
	if err != nil {
		s.t.Fatal(err)
	}
	defer got.Body.Close()
	body, err := io.ReadAll(got.Body)
	if err != nil {
		s.t.Fatal(err)
	}
	return string(body), got.StatusCode
}

// pagesOf returns every view, about a file and a symbol.
func pagesOf(file, symbol string) map[string]string {
	q := func(view string, pairs ...string) string {
		v := url.Values{}
		for i := 0; i < len(pairs); i += 2 {
			v.Set(pairs[i], pairs[i+1])
		}
		return view + "?" + v.Encode()
	}
	folder := filepath.ToSlash(filepath.Dir(file))
	return map[string]string{
		"overview": "", "overview by files": q("", "area", "files"), "search": q("search", "q", symbol), "search for words": q("search", "q", symbol+" of a file"),
		"impact": q("impact", "t", file), "impact of a symbol": q("impact", "t", symbol), "deps": "deps", "deps of a folder": q("deps", "path", folder),
		"why": q("why", "from", ".", "to", file), "hotspots": "hotspots", "time": "time", "plan": "plan", "status": "status",
		"tree": "tree", "tree of a folder": q("tree", "path", folder), "file": q("file", "path", file), "symbol": q("symbol", "name", symbol),
		"empty search": "search", "empty impact": "impact", "empty why": "why", "no file": q("file", "path", file+"x"), "no symbol": q("symbol", "name", symbol+"x"),
	}
}

// planned is a small project with a plan.
func planned() map[string]string {
	return map[string]string{
		"src/store.ts":         "// The store keeps users.\nexport function getUser(id: string) { return id }\nexport const password = \"hunter2-Xk39dPq8\"\n",
		"src/api.ts":           "import { getUser } from \"./store\"\nexport function users() { return getUser(\"1\") }\n",
		"web/page.ts":          "import { users } from \"../src/api\"\nexport function show() { return users() }\n",
		"README.md":            "# Users\n\nThe *store* keeps them; see [the store](src/store.ts), [elsewhere](https://example.com/) and ![a picture](x.png).\n",
		".planning/ROADMAP.md": "# Roadmap\n\n- [ ] **Phase 1: Base**\n\n### Phase 1: Base\n**Goal**: A base\n",
		".planning/phases/01-base/01-01-PLAN.md": "---\nphase: 01-base\nplan: 01\nwave: 1\ndepends_on: []\nfiles_modified: [src/store.ts]\n---\n" +
			"<tasks><task type=\"auto\"><name>Store</name><files>src/store.ts</files>\n<action>Change the signature of `getUser()`: it takes a tenant.</action></task></tasks>\n",
		".planning/phases/01-base/01-02-PLAN.md": "---\nphase: 01-base\nplan: 02\nwave: 1\ndepends_on: []\nfiles_modified: [src/api.ts]\n---\n" +
			"<tasks><task type=\"auto\"><name>Api</name><files>src/api.ts</files><action>Add a route.</action></task></tasks>\n",
	}
}

// commandOf matches the commands that a page shows.
var commandOf = `<p><code>([^<]*)</code> <button class="copy"`

// TestPages: each view is whole without a script, has bounded size, and shows the answers of the commands that it names.
func TestPages(t *testing.T) {
	s := servePagesOf(t, planned())
	asked := 0
	all := pagesOf("src/store.ts", "getUser")
	for name, path := range pagesOf("src/api.ts", "users") {
		all[name+" (api)"] = path
	}
	for name, path := range all {
		body, status := s.get(path)
		if want := map[bool]int{true: 404, false: 200}[strings.HasPrefix(name, "no ")]; status != want {
			t.Errorf("%s: status %d", name, status)
		}
		if strings.Contains(body, `class="note bad"`) && !strings.HasPrefix(name, "no ") || strings.Contains(body, "cannot be read") {
			t.Errorf("%s: a problem: %s", name, body)
		}
		if n := strings.Count(body, "<"); n > 6000 || len(body) > 500_000 {
			t.Errorf("%s has %d marks", name, n)
		}
		if strings.Contains(body, "hunter2") {
			t.Errorf("%s shows a credential", name)
		}
		for i, m := range regexp.MustCompile(commandOf).FindAllStringSubmatch(body, -1) {
			words := operation.ShellWords(html.UnescapeString(m[1]))
			s.out.Reset()
			s.program.run(t.Context(), append(words[1:], "--json")...)
			shown, _ := s.get(path + map[bool]string{true: "&", false: "?"}[strings.Contains(path, "?")] + fmt.Sprintf("format=json&answer=%d", i+1))
			if a, b := without(t, shown, "looked_at"), without(t, s.out.String(), "looked_at"); a != b {
				t.Errorf("%s: the page has\n%s\n%s --json has\n%s", name, a, m[1], b)
			}
			asked++
		}
	}
	if asked < 30 {
		t.Errorf("only %d commands were compared", asked)
	}
}

// without returns JSON without a field that tells a time.
func without(t *testing.T, text, field string) string {
	t.Helper()
	var v map[string]any
	if text == "" || json.Unmarshal([]byte(text), &v) != nil {
		return strings.TrimPrefix(strings.TrimSpace(text), "ken: there is no answer")
	}
	delete(v, field)
	out, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}

// TestPageNumbers compares what pages show with the answers of commands.
func TestPageNumbers(t *testing.T) {
	s := servePagesOf(t, planned())
	answer := func(into any, args ...string) {
		t.Helper()
		s.out.Reset()
		if code := s.program.run(t.Context(), append(args, "--json")...); code != Found {
			t.Fatalf("%q: exit %d", args, code)
		}
		if err := json.Unmarshal(s.out.Bytes(), into); err != nil {
			t.Fatal(err)
		}
	}
	figures := func(path string) map[string]string {
		body, _ := s.get(path)
		out := map[string]string{}
		for _, m := range regexp.MustCompile(`<dt>([^<]*)</dt><dd>([^<]*)</dd>`).FindAllStringSubmatch(body, -1) {
			out[m[1]] = m[2]
		}
		return out
	}
	check := func(page string, got map[string]string, want map[string]int) {
		t.Helper()
		for name, n := range want {
			if got[name] != operation.Group(n) {
				t.Errorf("%s shows %s %q, the command %d", page, name, got[name], n)
			}
		}
	}
	var overview struct {
		Counts struct{ Files, Lines, Symbols, References, Edges int }
	}
	answer(&overview, "overview")
	c := overview.Counts
	check("overview", figures(""), map[string]int{"files": c.Files, "lines": c.Lines, "symbols": c.Symbols, "references": c.References, "dependencies between files": c.Edges})
	var impact struct {
		Confirm struct {
			Must   int `json:"must_total"`
			Should int `json:"should_total"`
		} `json:"confirmation_required"`
		Summary struct {
			Direct  int `json:"direct_files"`
			Reached int `json:"reached_files"`
			Tests   int `json:"tests"`
		} `json:"summary"`
	}
	answer(&impact, "impact", "src/store.ts", "--depth", "3")
	check("impact", figures("impact?t=src/store.ts"), map[string]int{
		"must be verified": impact.Confirm.Must, "should be verified": impact.Confirm.Should,
		"files use it directly": impact.Summary.Direct, "files reached in all": impact.Summary.Reached, "tests": impact.Summary.Tests,
	})
	if s := impact.Summary; s.Direct != 1 || s.Reached != 2 {
		t.Errorf("impact --depth 3: %d direct files, %d reached, want 1 and 2", s.Direct, s.Reached)
	}
	var status struct {
		Revision, Pending int
		Counts            struct{ Files, Parsed int }
	}
	answer(&status, "status")
	check("status", figures("status"), map[string]int{"files": status.Counts.Files, "parsed": status.Counts.Parsed, "changed since": status.Pending})
	var show struct {
		Files []struct {
			Lines      int
			Tokens     int `json:"o200k_base"`
			Dependents []any
			Tests      []any
		}
	}
	answer(&show, "show", "src/store.ts")
	f := show.Files[0]
	check("file", figures("file?path=src/store.ts"), map[string]int{"lines": f.Lines, "tokens": f.Tokens, "files depend on it": len(f.Dependents), "tests reach it": len(f.Tests)})
	var matrix struct{ Parts, Cells, Cycles []any }
	answer(&matrix, "matrix")
	body, _ := s.get("deps")
	want := fmt.Sprintf("%s, %s, %s", operation.Plural(len(matrix.Parts), "part"), operation.Plural(len(matrix.Cells), "dependency"), operation.Plural(len(matrix.Cycles), "cycle"))
	if !strings.Contains(body, want) {
		t.Errorf("the matrix does not show %q", want)
	}
	if n := strings.Count(body, `class="cell `); n != len(matrix.Cells) {
		t.Errorf("the matrix draws %d of %d cells", n, len(matrix.Cells))
	}
	var hot struct {
		Files []struct {
			Path       string
			Dependents int
		}
	}
	answer(&hot, "hotspots", "--limit", "40") // the project has no history
	body, _ = s.get("hotspots")
	for _, f := range hot.Files {
		if row := regexp.MustCompile(fmt.Sprintf(`<tr><td class="num">%d</td><td class="num">0</td><td><a [^>]*>%s</a>`, f.Dependents, regexp.QuoteMeta(f.Path))); !row.MatchString(body) {
			t.Errorf("hotspots does not show %s with %d", f.Path, f.Dependents)
		}
	}
}

// hostileNames are names and texts that would be markup, addresses or controls.
func hostileNames() []string {
	names := []string{
		`<script>alert(1)</script>`, `"><img src=x onerror=alert(1)>`, `' onmouseover='alert(1)`, `</title><script>x</script>`, `javascript:alert(1)`,
		`{{.Title}}`, "${alert(1)}", "a\u202eb\u2066c", "tab\tin", "new\nline", "\u200bzero", "\x7fdel", `back\slash`, "`tick`", `data:text/html,x`, `//evil.example`,
		`&lt;b&gt;`, `%3Cscript%3E`, `<!--`, `]]>`, `<svg onload=alert(1)>`, `\u003cscript\u003e`, "a;b{}", "x' style='color:red", `-->`, `<a href=javascript:x>`,
	}
	for _, wrap := range []string{"f_%s", "%s_x", "a %s b", "=%s", "%s.", "#%s", "?%s"} {
		for _, n := range names[:26] {
			names = append(names, fmt.Sprintf(wrap, n))
		}
	}
	return names
}

// TestHostilePages: names and texts of a repository are never markup, addresses or controls in a page.
func TestHostilePages(t *testing.T) {
	files := planned()
	names := hostileNames()
	if len(names) < 200 {
		t.Fatalf("only %d names", len(names))
	}
	var all strings.Builder
	for i, n := range names {
		all.WriteString("- " + n + " [l](" + n + ") <b onclick=x>" + n + "</b> ![p](" + n + ")\n")
		file := strings.ReplaceAll(strings.ReplaceAll(n, "/", "_"), "\x00", "")
		if len(file) > 100 {
			continue
		}
		files[fmt.Sprintf("dir %s/%d%s.ts", file, i, file)] = fmt.Sprintf("// %s\nimport { getUser } from \"../src/store\"\nexport const text%d = %q + getUser(\"1\")\n", strings.ReplaceAll(n, "\n", " "), i, n)
	}
	files["docs/hostile.md"] = "# <script>alert(1)</script>\n\n" + all.String()
	files["long.js"] = "var x = \"" + strings.Repeat("<b>", 1<<18) + "\"\n"
	s := servePagesOf(t, files)
	seen := map[string]bool{}
	for name, path := range pagesOf("src/store.ts", "getUser") {
		seen[path] = true
		checkMarkup(t, name, first(s.get(path)))
	}
	checkMarkup(t, "document", first(s.get("file?path=docs/hostile.md")))
	checkMarkup(t, "long", first(s.get("file?path=long.js")))
	for _, n := range names {
		q := url.QueryEscape(n)
		for _, path := range []string{"search?q=" + q, "file?path=" + q, "symbol?name=" + q, "impact?t=" + q, "why?from=" + q + "&to=" + q, "deps?path=" + q, "tree?path=" + q, "plan?phase=" + q} {
			checkMarkup(t, path, first(s.get(path)))
		}
	}
	for _, file := range slices.Sorted(maps.Keys(files))[:40] {
		checkMarkup(t, file, first(s.get("file?path="+url.QueryEscape(file))))
	}
}

func first(a string, _ int) string { return a }

// Elements and attributes that pages have.
const (
	pageElements = " html head meta title link script body a img header nav form label input kbd button main h1 h2 h3 h4 h5 h6 p dl div dt dd section span svg rect text tspan g circle line table " +
		"thead tbody tr th td ol ul li details summary code abbr strong em footer blockquote hr pre br del s time "
	pageAttributes = " lang charset name content rel href src defer class data-revision data-theme id tabindex aria-label aria-current aria-live aria-hidden role action for type placeholder autocomplete " +
		"spellcheck value hidden data-copy title open data-n data-filter alt width height viewBox x y dx dy scope text-anchor cx cy r x1 x2 y1 y2 min max method required start datetime align colspan rowspan "
)

// checkMarkup fails if a page has an element, an attribute or an address that no template has, or a control character.
func checkMarkup(t *testing.T, name, body string) {
	t.Helper()
	for _, r := range body {
		if r != '\n' && r != '\t' && (r < ' ' || r == 0x7f || r >= 0x200b && r <= 0x200f || r >= 0x202a && r <= 0x202e || r >= 0x2066 && r <= 0x2069) {
			t.Errorf("%q has the control %U", name, r)
			break
		}
	}
	d := xml.NewDecoder(strings.NewReader(strings.TrimPrefix(body, "<!doctype html>")))
	d.Strict, d.AutoClose, d.Entity = false, xml.HTMLAutoClose, xml.HTMLEntity
	scripts := 0
	for {
		token, err := d.Token()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Errorf("%q: %v", name, err)
			return
		}
		e, ok := token.(xml.StartElement)
		if !ok {
			continue
		}
		if !strings.Contains(pageElements, " "+e.Name.Local+" ") {
			t.Errorf("%q has <%s>", name, e.Name.Local)
		}
		if e.Name.Local == "script" {
			scripts++
		}
		for _, a := range e.Attr {
			if !strings.Contains(pageAttributes, " "+a.Name.Local+" ") {
				t.Errorf("%q has <%s %s=%q>", name, e.Name.Local, a.Name.Local, a.Value)
			}
			if link := a.Name.Local; (link == "href" || link == "src" || link == "action") && !regexp.MustCompile(`^(\./|#|a/)`).MatchString(a.Value) {
				t.Errorf("%q leads to %q", name, a.Value)
			}
		}
	}
	if scripts != 1 {
		t.Errorf("%q has %d scripts", name, scripts)
	}
}

// TestPagesRefuse: no page is shown to one who has not the token, nor to pages of others, and nothing but reading is done.
func TestPagesRefuse(t *testing.T) {
	s := servePagesOf(t, map[string]string{"a.go": "package a\n"})
	root := s.origin() + "/"
	plain := &http.Client{Timeout: time.Minute, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	cookie := &http.Cookie{Name: "ken", Value: s.token}
	for _, c := range []struct {
		name, method, url string
		status            int
		change            func(*http.Request)
	}{
		{"a page", "GET", s.base, 200, func(r *http.Request) { r.AddCookie(cookie) }},
		{"no cookie", "GET", s.base, 401, nil},
		{"another cookie", "GET", s.base, 401, func(r *http.Request) { r.AddCookie(&http.Cookie{Name: "ken", Value: s.token[1:]}) }},
		{"an empty cookie", "GET", s.base, 401, func(r *http.Request) { r.AddCookie(&http.Cookie{Name: "ken", Value: ""}) }},
		{"the token as bearer", "GET", s.base, 401, func(r *http.Request) { r.Header.Set("Authorization", "Bearer "+s.token) }},
		{"the token in the query", "GET", s.base + "?t=" + s.token, 401, nil},
		{"events without cookie", "GET", s.base + "events", 401, nil},
		{"no path", "GET", root, 404, func(r *http.Request) { r.AddCookie(cookie) }},
		{"another path", "GET", root + "AAAAAAAAAAAAAAAAAAAAAAAAAA/", 404, func(r *http.Request) { r.AddCookie(cookie) }},
		{"above", "GET", s.base + "../", 404, func(r *http.Request) { r.AddCookie(cookie) }},
		{"another host (rebinding)", "GET", s.base, 403, func(r *http.Request) { r.AddCookie(cookie); r.Host = "evil.example" }},
		{"another host with the port", "GET", s.base, 403, func(r *http.Request) { r.AddCookie(cookie); r.Host = "evil.example:" + r.URL.Port() }},
		{"a page of another origin", "GET", s.base, 403, func(r *http.Request) { r.AddCookie(cookie); r.Header.Set("Origin", "http://evil.example") }},
		{"a link of another site", "GET", s.base, 403, func(r *http.Request) { r.AddCookie(cookie); r.Header.Set("Sec-Fetch-Site", "cross-site") }},
		{"another port of this machine", "GET", s.base, 403, func(r *http.Request) { r.AddCookie(cookie); r.Header.Set("Sec-Fetch-Site", "same-site") }},
		{"a sandboxed page", "GET", s.base, 403, func(r *http.Request) { r.AddCookie(cookie); r.Header.Set("Origin", "null") }},
		{"a post", "POST", s.base, 405, func(r *http.Request) { r.AddCookie(cookie); r.Header.Set("Origin", s.origin()) }},
		{"a post elsewhere", "POST", s.base + "status", 405, func(r *http.Request) { r.AddCookie(cookie) }},
		{"a put", "PUT", s.base + "login", 405, func(r *http.Request) { r.AddCookie(cookie) }},
		{"a delete", "DELETE", s.base, 405, func(r *http.Request) { r.AddCookie(cookie) }},
		{"a form of no page", "POST", s.base + "login", 403, nil},
		{"a form of another page", "POST", s.base + "login", 403, func(r *http.Request) { r.Header.Set("Origin", "http://evil.example") }},
		{"a form without the token", "POST", s.base + "login", 403, func(r *http.Request) { r.Header.Set("Origin", s.origin()) }},
	} {
		r, err := http.NewRequest(c.method, c.url, nil)
		if err != nil {
			t.Fatal(err)
		}
		if c.change != nil {
			c.change(r)
		}
		got, err := plain.Do(r)
		if err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		body, _ := io.ReadAll(got.Body)
		got.Body.Close()
		if got.StatusCode != c.status || c.status != 200 && (strings.Contains(string(body), "a.go") || len(got.Cookies()) > 0) {
			t.Errorf("%s: %s, cookies %v\n%s", c.name, got.Status, got.Cookies(), body)
		}
		if h := got.Header; !strings.Contains(h.Get("Content-Security-Policy"), "default-src 'none'") || h.Get("X-Content-Type-Options") != "nosniff" || h.Get("Cross-Origin-Resource-Policy") != "same-origin" {
			t.Errorf("%s: headers %v", c.name, h)
		}
	}
	r, err := http.NewRequest("POST", s.base+"login", strings.NewReader(url.Values{"token": {s.token}, "next": {"https://evil.example/"}}.Encode()))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	r.Header.Set("Origin", s.origin())
	got, err := plain.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	got.Body.Close()
	given := got.Header.Get("Set-Cookie")
	if got.StatusCode != 303 || !strings.HasPrefix(s.base, s.origin()+got.Header.Get("Location")) || !strings.Contains(given, "HttpOnly") || !strings.Contains(given, "SameSite=Strict") ||
		!strings.Contains(given, "Path="+strings.TrimPrefix(s.base, s.origin())) {
		t.Errorf("the form: %s %v", got.Status, got.Header)
	}
}

// TestPagesFollow: an open page hears of a change, and the server ends without a client.
func TestPagesFollow(t *testing.T) {
	s := servePagesOf(t, map[string]string{"a.go": "package a\n"})
	r, err := http.NewRequestWithContext(t.Context(), "GET", s.base+"events", nil)
	if err != nil {
		t.Fatal(err)
	}
	got, err := (&http.Client{Jar: s.client.Jar}).Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer got.Body.Close()
	heard := make(chan string, 100)
	go func() {
		for lines := bufio.NewScanner(got.Body); lines.Scan(); {
			if rev, ok := strings.CutPrefix(lines.Text(), "data: "); ok {
				heard <- rev
			}
		}
	}()
	if err := os.WriteFile(filepath.Join(s.program.Dir, "b.go"), []byte("package a\n\nfunc B() {}\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	for end := time.After(30 * time.Second); ; {
		select {
		case rev := <-heard:
			if rev == "2" {
				return
			}
		case <-end:
			t.Fatal("no event")
		}
	}
}

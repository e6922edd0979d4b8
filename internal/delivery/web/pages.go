package web

import (
	"bytes"
	"context"
	"embed"
	"fmt"
	"html/template"
	"net/http"
	"net/url"
	"path"
	"strconv"
	"strings"

	"ken/internal/operation"
)

//go:embed templates/*.html
var templateFiles embed.FS

// view is a page that shows what operations answer.
type view struct {
	path     string // below the prefix
	name     string // in the navigation, "" if it is not there
	template string
	fill     func(s *Server, ctx context.Context, r *request) *page
}

// views is the list of all views, those with a name in the order of the navigation.
func views() []view {
	return []view{
		{"", "Overview", "overview", (*Server).viewOverview},
		{"search", "Search", "search", (*Server).viewSearch},
		{"impact", "Impact", "impact", (*Server).viewImpact},
		{"deps", "Dependencies", "deps", (*Server).viewDeps},
		{"why", "Why", "why", (*Server).viewWhy},
		{"hotspots", "Hotspots", "hotspots", (*Server).viewHotspots},
		{"time", "Time", "time", (*Server).viewTime},
		{"plan", "Plan", "plan", (*Server).viewPlan},
		{"status", "Status", "status", (*Server).viewStatus},
		{"tree", "", "tree", (*Server).viewTree},
		{"file", "", "file", (*Server).viewFile},
		{"symbol", "", "symbol", (*Server).viewSymbol},
	}
}

// request holds the arguments of a view.
type request struct{ values url.Values }

func (r *request) get(key string) string { return strings.TrimSpace(r.values.Get(key)) }

// number returns a number between bounds; first stands for one that is missing or none.
func (r *request) number(key string, first, most int) int {
	n, err := strconv.Atoi(r.get(key))
	if err != nil || n < 1 {
		return first
	}
	return min(n, most)
}

// page is a filled view.
type page struct {
	Title    string
	Data     any
	Answers  []*answer
	Revision int64
	status   int // 0 stands for 200
}

// frame is what every page has around its view.
type frame struct {
	Assets  *assets
	Views   []view
	Path    string // of the view
	Title   string
	Project text
	Theme   string // "dark" or "light" if the user chose one
	Page    *page
	Data    any
}

// Name and At are for the navigation.
func (v view) Name() string { return v.name }

// At is the address of a view, from a page.
func (v view) At() string { return "./" + v.path }

// Here reports whether a page shows the view.
func (v view) Here(path string) bool { return v.path == path }

// pages are the templates.
type pages struct{ all *template.Template }

func newPages() (*pages, error) {
	all, err := template.New("").Funcs(template.FuncMap{
		"link": link, "group": func(n any) string { return operation.Group(toInt(n)) }, "plural": func(n any, word string) string { return operation.Plural(toInt(n), word) },
		"percent": percent, "base": base, "dir": dir, "tier": tier, "sum": func(a, b int) int { return a + b }, "date": dateOnly,
		"pair": pairs, "firstFolders": shownFolders, "moreFolders": func(all []folderUsers) int { return len(all) - len(shownFolders(all)) },
		"first": func(n int, rows []verifyRow) []verifyRow { return rows[:min(n, len(rows))] }, "even": func(n int) bool { return n%2 == 0 },
		"short": shortNumber, "short12": func(t text) text { return t[:min(12, len(t))] },
	}).ParseFS(templateFiles, "templates/*.html")
	if err != nil {
		return nil, fmt.Errorf("read the templates of pages: %w", err)
	}
	return &pages{all}, nil
}

// write writes a page. One that cannot be made whole is replaced by the reason.
func (p *pages) write(w http.ResponseWriter, status int, name string, f *frame) {
	var out bytes.Buffer
	if err := p.all.ExecuteTemplate(&out, name, f); err != nil {
		http.Error(w, "ken: the page cannot be made: "+operation.Escape(err.Error()), http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.WriteHeader(status)
	w.Write(out.Bytes()) // a client that is gone needs nothing
}

// serveView answers with a view, or with format=json with the answer that it shows: that of its first operation, or of another by
// its number in answer=N.
func (s *Server) serveView(w http.ResponseWriter, r *http.Request, path string) {
	for _, v := range views() {
		if v.path != path {
			continue
		}
		in := &request{r.URL.Query()}
		p := v.fill(s, r.Context(), in)
		if in.get("format") == "json" {
			writeJSON(w, p, in.number("answer", 1, len(p.Answers)))
			return
		}
		f := &frame{Assets: s.assets, Views: named(views()), Path: path, Title: p.Title, Project: base(s.Dir), Theme: theme(r), Page: p, Data: p.Data}
		s.pages.write(w, max(p.status, http.StatusOK), v.template, f)
		return
	}
	f := &frame{Assets: s.assets, Views: named(views()), Title: "Not found", Project: base(s.Dir), Theme: theme(r), Page: &page{}, Path: "?"}
	s.pages.write(w, http.StatusNotFound, "nothing", f)
}

func writeJSON(w http.ResponseWriter, p *page, n int) {
	if n > len(p.Answers) || len(p.Answers[n-1].JSON) == 0 {
		http.Error(w, "ken: there is no answer", http.StatusNotFound)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	w.Write(p.Answers[n-1].JSON) // a client that is gone needs nothing
}

func named(all []view) (out []view) {
	for _, v := range all {
		if v.name != "" {
			out = append(out, v)
		}
	}
	return out
}

// theme returns the user's choice, "" for that of the system.
func theme(r *http.Request) string {
	if c, err := r.Cookie("theme"); err == nil && (c.Value == "dark" || c.Value == "light") {
		return c.Value
	}
	return ""
}

// text is a text out of the repository. A page shows it with control characters and the like spelled out; string(t) is the text itself,
// for links.
type text string

// String returns the text as it is shown.
func (t text) String() string { return operation.Escape(string(t)) }

// line is a line of source, in which tabs stay.
type line string

// String returns the line as it is shown.
func (l line) String() string { return operation.EscapeLine(string(l)) }

// link returns the address of a view with arguments: link "file" "path" P.
func link(view string, pairs ...any) string {
	v := url.Values{}
	for i := 0; i+1 < len(pairs); i += 2 {
		value := ""
		switch x := pairs[i+1].(type) {
		case text:
			value = string(x)
		default:
			value = fmt.Sprint(x)
		}
		if value != "" {
			v.Set(fmt.Sprint(pairs[i]), value)
		}
	}
	if len(v) == 0 {
		return "./" + view
	}
	return "./" + view + "?" + v.Encode()
}

// pairs makes a map of names and values, for a template that has several.
func pairs(list ...any) map[string]any {
	out := map[string]any{}
	for i := 0; i+1 < len(list); i += 2 {
		out[fmt.Sprint(list[i])] = list[i+1]
	}
	return out
}

// shortNumber writes a number in at most three characters.
func shortNumber(n int) string {
	if n > 999 {
		return strconv.Itoa(n/1000) + "k"
	}
	return strconv.Itoa(n)
}

func base(p any) text { return text(path.Base(asString(p))) }

func dir(p any) text { return text(path.Dir(asString(p))) }

func asString(v any) string {
	if t, ok := v.(text); ok {
		return string(t)
	}
	return fmt.Sprint(v)
}

func toInt(n any) int {
	switch v := n.(type) {
	case int64:
		return int(v)
	case int:
		return v
	}
	return 0
}

func percent(part, whole any) string {
	if toInt(whole) == 0 {
		return "0 %"
	}
	return fmt.Sprintf("%.0f %%", 100*float64(toInt(part))/float64(toInt(whole)))
}

// dateOnly returns the day of a time.
func dateOnly(t text) text {
	day, _, _ := strings.Cut(string(t), "T")
	return text(day)
}

// tierName has a letter for a confidence, because colour alone is no sign.
type tierName struct{ Class, Letter, Name, Help string }

// tier describes how sure something is.
func tier(confidence any) tierName {
	name := asString(confidence)
	switch name {
	case "exact":
		return tierName{"exact", "E", name, "exact: a type checker or the scope of the name proves it"}
	case "import-resolved":
		return tierName{"import", "I", name, "import-resolved: imports lead to this declaration"}
	case "unique-name":
		return tierName{"unique", "U", name, "unique-name: only one declaration has this name"}
	case "ambiguous":
		return tierName{"ambiguous", "A", name, "ambiguous: several declarations could be meant"}
	}
	return tierName{"other", "·", operation.Escape(name), operation.Escape(name)}
}

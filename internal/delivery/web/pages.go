package web

import (
	"bytes"
	"context"
	"embed"
	"fmt"
	"html/template"
	"io/fs"
	"net/http"

	"ken/internal/operation"
)

//go:embed templates/*.html
var templateFiles embed.FS

// view is a page that shows what operations answer.
type view struct {
	path     string // below the prefix
	name     string // in the navigation, "" if it is not there
	template string
	fill     func(ctx context.Context, s *asker, r *request) *page
}

// views is the list of all views, those with a name in the order of the navigation.
func views() []view {
	return []view{
		{"", "Overview", "overview", viewOverview},
		{"search", "Search", "search", viewSearch},
		{"impact", "Impact", "impact", viewImpact},
		{"deps", "Dependencies", "deps", viewDeps},
		{"why", "Why", "why", viewWhy},
		{"hotspots", "Hotspots", "hotspots", viewHotspots},
		{"time", "Time", "time", viewTime},
		{"plan", "Plan", "plan", viewPlan},
		{"status", "Status", "status", viewStatus},
		{"tree", "", "tree", viewTree},
		{"file", "", "file", viewFile},
		{"symbol", "", "symbol", viewSymbol},
	}
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

// pages are the templates, and the files that pages load.
type pages struct {
	all    *template.Template
	assets *assets
}

// newPages reads templates and assets. It fails if one of them is invalid.
func newPages(templates fs.FS) (*pages, error) {
	all, err := template.New("").Funcs(template.FuncMap{
		"link": link, "group": func(n any) string { return operation.Group(toInt(n)) },
		"plural":  func(n any, word string) string { return operation.Plural(toInt(n), word) },
		"percent": percent, "base": base, "dir": dir, "tier": tier, "sum": func(a, b int) int { return a + b }, "date": dateOnly,
		"pair": pairs, "firstFolders": shownFolders, "moreFolders": func(all []folderUsers) int { return len(all) - len(shownFolders(all)) },
		"first": func(n int, rows []verifyRow) []verifyRow { return rows[:min(n, len(rows))] }, "same": func(a, b any) bool { return asString(a) == asString(b) },
		"even":  func(n int) bool { return n%2 == 0 },
		"short": shortNumber, "short12": func(t text) text { return t[:min(12, len(t))] },
	}).ParseFS(templates, "templates/*.html")
	if err != nil {
		return nil, fmt.Errorf("read the templates of pages: %w", err)
	}
	files, err := newAssets()
	return &pages{all, files}, err
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

// serve answers with a view, or with format=json with the answer that it shows: that of its first operation, or of another by
// its number in answer=N.
func (p *pages) serve(w http.ResponseWriter, r *http.Request, path string, s *asker) {
	for _, v := range views() {
		if v.path != path {
			continue
		}
		in := &request{r.URL.Query()}
		filled := v.fill(r.Context(), s, in)
		if in.get("format") == "json" {
			writeJSON(w, filled, in.number("answer", 1, len(filled.Answers)))
			return
		}
		f := &frame{
			Assets: p.assets, Views: named(views()), Path: path, Title: filled.Title, Project: base(s.dir), Theme: theme(r), Page: filled, Data: filled.Data,
		}
		p.write(w, max(filled.status, http.StatusOK), v.template, f)
		return
	}
	f := &frame{Assets: p.assets, Views: named(views()), Title: "Not found", Project: base(s.dir), Theme: theme(r), Page: &page{}, Path: "?"}
	p.write(w, http.StatusNotFound, "nothing", f)
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

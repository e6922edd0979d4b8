package app

import (
	"context"
	"encoding/xml"
	"flag"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"ken/internal/delivery/op"
	"ken/internal/delivery/project"
	"ken/internal/delivery/web"
	"ken/internal/operation"
)

var updatePages = flag.Bool("update", false, "rewrite the structure of pages in testdata/pages")

// shelf makes the project of testdata/pages.txtar, with commits of fixed dates and a few things that are remembered.
func shelf(t *testing.T) *Program {
	t.Helper()
	archive, err := txtar.ParseFile("testdata/pages.txtar")
	if err != nil {
		t.Fatal(err)
	}
	p, out, errs := program(t, nil)
	git := gitIn(t, p.Dir)
	git("", "init", "-q")
	for n := 1; n <= 3; n++ {
		prefix := fmt.Sprintf("%d/", n)
		for _, f := range archive.Files {
			name, later := strings.CutPrefix(f.Name, prefix)
			if !later && (n > 1 || regexp.MustCompile(`^\d/`).MatchString(name)) {
				continue
			}
			write(t, filepath.Join(p.Dir, name), string(f.Data))
		}
		if n == 1 {
			write(t, filepath.Join(p.Dir, "logo.bin"), strings.Repeat("\x00", 100))
		}
		day := fmt.Sprintf("2024-03-%02dT12:00:00Z", n)
		t.Setenv("GIT_AUTHOR_DATE", day)
		t.Setenv("GIT_COMMITTER_DATE", day)
		git("", "add", "-A")
		git("", "-c", "user.name=a", "-c", "user.email=a@b.example", "commit", "-qm", fmt.Sprintf("shelf: change %d", n))
		if n == 1 {
			write(t, filepath.Join(p.Dir, ".git/shallow"), git("", "rev-parse", "HEAD"))
		}
	}
	for _, args := range [][]string{
		{"init"}, {"hook", "claude", "session-start"}, {"hook", "claude", "post-tool-use"}, {"session", "decide", "one process", "--topic", "store", "--why", "it is enough", "--pin", "src/store.ts"},
		{"session", "note", "the cache is never emptied", "--pin", "src/cache.ts"}, {"session", "todo", "lend several books"},
		{"session", "todo", "write the guide"}, {"session", "done", "4"}, {"outcome", "record", "failure", "the number was wrong"},
	} {
		p.Stdin = strings.NewReader(fmt.Sprintf(`{"session_id": "s1", "cwd": %q, "source": "startup", "tool_name": "Edit", "tool_input": {"file_path": %q}}`,
			p.Dir, filepath.Join(p.Dir, "src/lend.ts")))
		if code := p.run(t.Context(), args...); code != Found {
			t.Fatalf("ken %q: exit %d\n%s%s", args, code, out, errs)
		}
	}
	cache, err := os.ReadFile(filepath.Join(p.Dir, "src/cache.ts"))
	if err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(p.Dir, "src/cache.ts"), strings.Replace(string(cache), "keep(book: Book)", "keep(book: Book): void", 1))
	return p
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// gitIn returns a function that runs git in a folder.
func gitIn(t *testing.T, dir string) func(stdin string, args ...string) string {
	return func(stdin string, args ...string) string {
		t.Helper()
		cmd := exec.Command("git", args...)
		cmd.Dir, cmd.Stdin = dir, strings.NewReader(stdin)
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("git %q: %v\n%s", args, err, out)
		}
		return string(out)
	}
}

// wideShelf makes a project without plan, tests or memory, whose lists are longer than pages show.
func wideShelf(t *testing.T) *Program {
	t.Helper()
	files := map[string]string{
		"core/base.py": "\"\"\"Has the base of all.\"\"\"\n\n\ndef base():\n    return 1\n", "core/long.py": "import os\n" + strings.Repeat("x = 1  # "+strings.Repeat("long ", 90)+"\n", 450),
		"core/one/one.py": strings.Repeat("y = 1\n", 400), "core/two/two.py": strings.Repeat("z = 1\n", 400),
	}
	for i := range 130 {
		text := fmt.Sprintf("from core.base import base\n\n\ndef use%d():\n    return base() + base()\n", i)
		for near := range 5 {
			text = fmt.Sprintf("import part%03d.other\n", (i+near+1)%130) + text
		}
		files[fmt.Sprintf("part%03d/use.py", i)], files[fmt.Sprintf("part%03d/other.py", i)] = text, "other = 1\n"
	}
	for i := range 14 {
		files[fmt.Sprintf("part000/more%02d.py", i)] = "from core.base import base\n\n" + strings.Repeat("base()\n", 13)
	}
	for i := range 8 {
		files[fmt.Sprintf("circle/c%d.py", i)] = fmt.Sprintf("from circle.c%d import c%[1]d\n\n\ndef c%d():\n    return c%[1]d()\n", (i+1)%8, i)
	}
	for i := range 210 {
		files[fmt.Sprintf("pictures/%03d.bin", i)] = "\x00\x01"
		files["secrets.py"] += fmt.Sprintf("password%d = \"hunter2-Xk39dPq8%03d\"\n", i, i)
	}
	p, out, errs := program(t, files)
	git := gitIn(t, p.Dir)
	git("", "init", "-q", "-b", "main")
	var commits strings.Builder
	for i := range 130 {
		fmt.Fprintf(&commits, "commit refs/heads/main\ncommitter a <a@b.example> %d +0000\ndata 6\nchange\n", 1709290000+i)
	}
	for i := range 12 {
		fmt.Fprintf(&commits, "M 644 inline part%03d/use.py\ndata 0\n", i)
	}
	git(commits.String(), "fast-import", "--quiet")
	if code := p.run(t.Context(), "init"); code != Found {
		t.Fatalf("%s%s", out, errs)
	}
	return p
}

// widePages are the pages of the wide project whose structure is compared.
func widePages() map[string]string {
	return map[string]string{
		"overview-wide": "", "search-wide": "search?q=base", "deps-wide": "deps?parts=60", "file-wide": "file?path=core/base.py", "file-long": "file?path=core/long.py&line=250",
		"symbol-wide": "symbol?name=base", "impact-wide": "impact?t=core/base.py", "impact-more": "impact?t=core/base.py&more=1", "hotspots-wide": "hotspots?limit=40", "time-wide": "time",
		"plan-wide": "plan", "status-wide": "status", "tree-wide": "tree", "why-wide": "why?from=part000&to=core/base.py", "tree-leaf": "tree?path=pictures", "tree-nothing": "tree?path=nowhere",
		"time-all": "time?limit=120",
	}
}

// bareShelf makes a project of one file.
func bareShelf(t *testing.T) *Program {
	t.Helper()
	p, out, errs := program(t, map[string]string{"only.py": "def only():\n    return 1\n"})
	if code := p.run(t.Context(), "init"); code != Found {
		t.Fatalf("%s%s", out, errs)
	}
	return p
}

// barePages are the pages of the project of one file whose structure is compared.
func barePages() map[string]string {
	return map[string]string{"overview-bare": "", "time-bare": "time", "status-bare": "status", "hotspots-bare": "hotspots", "deps-bare": "deps", "tree-bare": "tree?path=only.py"}
}

// structurePages are the pages whose structure is compared, by the names of their files.
func structurePages() map[string]string {
	q := func(view string, pairs ...string) string {
		v := url.Values{}
		for i := 0; i < len(pairs); i += 2 {
			v.Set(pairs[i], pairs[i+1])
		}
		return view + "?" + v.Encode()
	}
	return map[string]string{
		"overview": "", "search": q("search", "q", "load"), "search-words": q("search", "q", "books of a store"), "search-nothing": q("search", "q", "zzyzx"),
		"search-empty": "search", "impact": q("impact", "t", "src/store.ts"), "impact-diff": q("impact", "diff", "HEAD~1"), "impact-empty": "impact",
		"deps": "deps", "deps-folder": q("deps", "path", "tools"), "why": q("why", "from", "src/main.ts", "to", "src/cache.ts"), "why-empty": "why",
		"why-symbols": q("why", "from", "src/lend.ts:lend", "to", "src/cache.ts:Cache"),
		"hotspots":    "hotspots", "time": "time", "time-commits": q("time", "kind", "commit", "limit", "1"), "plan": "plan", "plan-done": q("plan", "phase", "1"), "status": "status",
		"tree": "tree", "tree-folder": q("tree", "path", "src"), "file": q("file", "path", "src/store.ts", "line", "6"),
		"file-alone": q("file", "path", "README.md"), "file-missing": q("file", "path", "src/shop.ts"), "symbol": q("symbol", "name", "openStore"), "symbol-names": q("symbol", "name", "load"),
		"file-main": q("file", "path", "src/main.ts"), "impact-symbol": q("impact", "t", "openStore"),
		"impact-nothing": q("impact", "t", "docs/guide.md"), "impact-wrong": q("impact", "diff", "no-revision"), "why-test": q("why", "from", "test/store.test.ts", "to", "src/store.ts"),
		"login": "search", "symbol-missing": q("symbol", "name", "zzyzx"), "nothing": "nowhere",
	}
}

// geometry are the attributes that pictures compare.
var geometry = regexp.MustCompile(`^(x|y|x1|x2|y1|y2|cx|cy|r|dx|dy|width|height|viewBox|data-revision)$`)

// mostAlike is the number of children of one name that structure writes.
const mostAlike = 8

// structure writes a page as a tree of its elements with their attributes and texts, of a long list its beginning and its length. Times and
// names of assets are replaced, because they differ between runs.
func structure(t *testing.T, page string) string {
	t.Helper()
	var out strings.Builder
	alike := []map[string]int{{}} // children by their names, of each element around
	left := 0                     // depth of the element that is left out, 0 for none
	d := xml.NewDecoder(strings.NewReader(strings.TrimPrefix(page, "<!doctype html>")))
	d.Strict, d.AutoClose, d.Entity = false, xml.HTMLAutoClose, xml.HTMLEntity
	for {
		token, err := d.Token()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		indent := strings.Repeat("  ", len(alike)-1)
		switch e := token.(type) {
		case xml.StartElement:
			around := alike[len(alike)-1]
			around[e.Name.Local]++
			alike = append(alike, map[string]int{})
			if left == 0 && around[e.Name.Local] > mostAlike {
				left = len(alike)
			}
			if left > 0 {
				continue
			}
			fmt.Fprintf(&out, "%s%s", indent, e.Name.Local)
			for _, a := range e.Attr {
				if !geometry.MatchString(a.Name.Local) {
					fmt.Fprintf(&out, " %s=%q", a.Name.Local, a.Value)
				}
			}
			out.WriteByte('\n')
		case xml.EndElement:
			for _, name := range slices.Sorted(maps.Keys(alike[len(alike)-1])) {
				if n := alike[len(alike)-1][name]; n > mostAlike && left == 0 {
					fmt.Fprintf(&out, "%s%d %s in all\n", indent, n, name)
				}
			}
			if left == len(alike) {
				left = 0
			}
			alike = alike[:len(alike)-1]
		case xml.CharData:
			if text := strings.Join(strings.Fields(string(e)), " "); text != "" && left == 0 {
				fmt.Fprintf(&out, "%s%q\n", indent, text)
			}
		}
	}
	text := out.String()
	today := time.Now().UTC().Format(time.DateOnly)
	for _, r := range []struct{ old, new string }{
		{today, "TODAY"}, {`TODAYT[0-9:.]+Z`, "NOW"}, {`"[0-2]\d:[0-5]\d"`, `"CLOCK"`}, {`/[0-9A-Z]{26}/`, "/PREFIX/"}, {`"a/(\w+)\.[0-9a-f]{12}`, `"a/$1`}, {`"[0-9a-f]{12}"`, `"COMMIT"`},
	} {
		text = regexp.MustCompile(r.old).ReplaceAllString(text, r.new)
	}
	return text
}

// TestPageStructure compares the elements, roles, links and texts of pages with testdata/pages.
func TestPageStructure(t *testing.T) {
	for _, of := range []struct {
		server *pageServer
		pages  map[string]string
	}{{serveProgram(t, shelf(t)), structurePages()}, {serveProgram(t, wideShelf(t)), widePages()}, {serveProgram(t, bareShelf(t)), barePages()}} {
		for name, path := range of.pages {
			checkStructure(t, of.server, name, path)
		}
	}
}

// page returns a page: that which asks for the token as a client without it sees it, and that for an empty search with a chosen theme.
func (s *pageServer) page(name, path string) string {
	s.t.Helper()
	r, err := http.NewRequest("GET", s.base+path, nil)
	if err != nil {
		s.t.Fatal(err)
	}
	client := s.client
	switch name {
	case "login":
		client = &http.Client{Timeout: time.Minute}
	case "search-empty":
		r.AddCookie(&http.Cookie{Name: "theme", Value: "dark"})
	}
	got, err := client.Do(r)
	if err != nil {
		s.t.Fatal(err)
	}
	defer got.Body.Close()
	body, err := io.ReadAll(got.Body)
	if err != nil {
		s.t.Fatal(err)
	}
	return string(body)
}

func checkStructure(t *testing.T, s *pageServer, name, path string) {
	t.Helper()
	got := structure(t, s.page(name, path))
	golden := filepath.Join("testdata", "pages", name+".txt")
	if *updatePages {
		if err := os.WriteFile(golden, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(strings.Split(string(want), "\n"), strings.Split(got, "\n")); diff != "" {
		t.Errorf("the page differs from %s (-update rewrites it):\n%s", golden, diff)
	}
}

// serveTemplates serves the pages of an indexed project with other templates, until end is called.
func serveTemplates(t *testing.T, p *Program, templates fstest.MapFS) (s *pageServer, end func()) {
	t.Helper()
	o := &opener{getenv: p.Getenv, stderr: p.Stderr}
	plans := p.plan(func(dir string) (*project.Project, error) { return o.open(dir, operation.Existing) })
	listening := make(chan string, 1)
	server := web.Server{
		Tools: slices.Concat(op.All(), plans.Tools()), Dir: p.Dir, Getenv: p.Getenv, Open: o.open, Templates: templates,
		Listening: func(url string) { listening <- url },
	}
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- server.Serve(ctx, "127.0.0.1:0") }()
	end = func() {
		cancel()
		<-done
		o.close()
	}
	select {
	case url := <-listening:
		return newPageServer(t, p, url), end
	case err := <-done:
		t.Fatal(err)
		return nil, end
	}
}

// mutant is a damage to a template.
type mutant struct {
	file, define string
	at, end      int
	text         string // in place of what is there
}

// Parts of templates that mutants damage.
var (
	definition = regexp.MustCompile(`\{\{define "([^"]+)"\}\}`)
	action     = regexp.MustCompile(`\{\{[^}]*\}\}`)
	control    = regexp.MustCompile(`^\{\{(if|else|end|range|with|define|template|\$\w+ *(, *\$\w+ *)?:=)`)
	wording    = regexp.MustCompile(`[>}]([^<>{}"=]*[A-Za-z→][^<>{}"=]*)[<{]`)
	attribute  = regexp.MustCompile(` (href|aria-\w+|for|id|title|role|scope|name|type|class|placeholder|tabindex|data-filter)="(\{\{[^}]*\}\}|[^"{])*"`)
	cells      = regexp.MustCompile(`(<td[^>]*>.*?</td>)(<td[^>]*>.*?</td>)`)
	drawn      = regexp.MustCompile(` (x|y|x1|x2|y1|y2|cx|cy|r|dx|dy|width|height|viewBox|data-revision)="[^"]*$`)
)

// mutants are all damages of a file: each output replaced by a number, each text, label, link and other attribute lost, cells of tables in
// another order.
func mutants(file, text string) (out []mutant) {
	for _, d := range definition.FindAllStringSubmatchIndex(text, -1) {
		name, begin := text[d[2]:d[3]], d[1]
		end := len(text)
		if next := definition.FindStringIndex(text[begin:]); next != nil {
			end = begin + next[0]
		}
		add := func(at, to int, text string) { out = append(out, mutant{file, name, begin + at, begin + to, text}) }
		body := text[begin:end]
		for _, m := range action.FindAllStringIndex(body, -1) {
			if !control.MatchString(body[m[0]:m[1]]) && !drawn.MatchString(body[:m[0]]) {
				add(m[0], m[1], "41")
			}
		}
		for _, m := range wording.FindAllStringSubmatchIndex(body, -1) {
			add(m[2], m[3], "")
		}
		for _, m := range attribute.FindAllStringIndex(body, -1) {
			add(m[0], m[1], "")
		}
		for _, m := range cells.FindAllStringSubmatchIndex(body, -1) {
			if one, two := body[m[2]:m[3]], body[m[4]:m[5]]; strings.Count(one+two, "{{end}}") == strings.Count(one+two, "{{range")+strings.Count(one+two, "{{with")+strings.Count(one+two, "{{if") {
				add(m[0], m[1], two+one)
			}
		}
	}
	return out
}

// damage returns the templates with a mutant of each definition; mutants of one file must be sorted by place.
func damage(templates map[string]string, list []mutant) fstest.MapFS {
	out := fstest.MapFS{}
	for file, text := range templates {
		for _, m := range slices.Backward(list) {
			if m.file == file {
				text = text[:m.at] + m.text + text[m.end:]
			}
		}
		out["templates/"+file] = &fstest.MapFile{Data: []byte(text)}
	}
	return out
}

// mutantTest damages templates and looks for pages that show it.
type mutantTest struct {
	*testing.T
	templates map[string]string
	projects  []mutantProject
	tried     int
}

type mutantProject struct {
	program *Program
	pages   map[string]string
	golden  map[string]string // by page
}

// changed returns the pages that show damages; with once it looks for one alone.
func (t *mutantTest) changed(list []mutant, once bool) (out []string) {
	for _, p := range t.projects {
		s, end := serveTemplates(t.T, p.program, damage(t.templates, list))
		for _, name := range slices.Sorted(maps.Keys(p.pages)) {
			if once && len(out) > 0 {
				break
			}
			if structure(t.T, s.page(name, p.pages[name])) != p.golden[name] {
				out = append(out, name)
			}
		}
		end()
	}
	return out
}

func (t *mutantTest) report(m mutant, found bool) {
	t.tried++
	if !found {
		text := t.templates[m.file]
		t.Errorf("not noticed: %s %s: %q -> %q behind %q", m.file, m.define, text[m.at:m.end], m.text, text[max(0, m.at-40):m.at])
	}
}

// isPageOf reports whether a page, by the name of its file, is of the view that a definition makes.
func isPageOf(define string) func(page string) bool {
	return func(page string) bool { return page == define || strings.HasPrefix(page, define+"-") }
}

// TestPageMutants: TestPageStructure notices every damage of a template. With -short it tries a part of them.
func TestPageMutants(t *testing.T) {
	test := &mutantTest{T: t, templates: map[string]string{}, projects: []mutantProject{
		{program: shelf(t), pages: structurePages()}, {program: wideShelf(t), pages: widePages()}, {program: bareShelf(t), pages: barePages()},
	}}
	var views []string
	for i := range test.projects {
		p := &test.projects[i]
		p.golden = map[string]string{}
		for name := range p.pages {
			b, err := os.ReadFile(filepath.Join("testdata", "pages", name+".txt"))
			if err != nil {
				t.Fatal(err)
			}
			p.golden[name] = string(b)
			views = append(views, name)
		}
	}
	files, err := filepath.Glob("../delivery/web/templates/*.html")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	all := map[string][]mutant{}
	for _, f := range files {
		b, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		test.templates[filepath.Base(f)] = string(b)
		for _, m := range mutants(filepath.Base(f), string(b)) {
			all[m.define] = append(all[m.define], m)
		}
	}
	step := 1
	if testing.Short() {
		step = 30
	}
	most := 0
	for name, list := range all {
		if slices.ContainsFunc(views, isPageOf(name)) {
			most = max(most, len(list))
			continue
		}
		for i := 0; i < len(list); i += step {
			test.report(list[i], len(test.changed(list[i:i+1], true)) > 0)
		}
		delete(all, name)
	}
	// Views are damaged side by side, because a page is of one view.
	for i := 0; i < most; i += step {
		var round []mutant
		for _, list := range all {
			if i < len(list) {
				round = append(round, list[i])
			}
		}
		slices.SortFunc(round, func(a, b mutant) int { return a.at - b.at })
		changed := test.changed(round, false)
		for _, m := range round {
			test.report(m, slices.ContainsFunc(changed, isPageOf(m.define)))
		}
	}
	t.Logf("%d damages", test.tried)
}

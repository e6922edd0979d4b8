// Package ken holds the tests that are about the whole source tree.
package ken

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"testing"
)

// rings says who may import whom inside the module, first match counts. An
// entry that ends in "/" is a folder of packages, one without is one package.
var rings = []struct {
	pkg string
	may []string
	why string
}{
	{"internal/code", nil, "vocabulary imports nothing of ours"},
	{"internal/config", nil, "settings import nothing of ours"},
	{"internal/embed", nil, "a client of a protocol knows nothing of ours"},
	{"internal/git", []string{"internal/code"}, "the wrapper of git knows the vocabulary only"},
	{"internal/lang", []string{"internal/code"}, "the table of languages is data"},
	{"internal/token", []string{"internal/token/"}, "counting tokens needs nothing of ours"},
	{"internal/token/", []string{"internal/token", "internal/token/"}, "counting tokens needs nothing of ours"},
	{"internal/engine", []string{"internal/code", "internal/git", "internal/lang", "internal/token", "internal/engine/"}, "the engine knows neither stores nor surfaces"},
	{"internal/engine/", []string{"internal/code", "internal/git", "internal/lang", "internal/token", "internal/engine/"}, "a part knows its siblings, not the front door"},
	{"internal/knowledge/", []string{"internal/code", "internal/engine"}, "knowledge stands on the engine's front door"},
	{"internal/guard", []string{"internal/code", "internal/engine", "internal/knowledge/", "internal/guard/"}, "the guard judges, it does not deliver"},
	{"internal/guard/", []string{"internal/code", "internal/engine", "internal/knowledge/", "internal/guard/"}, "the guard judges, it does not deliver"},
	{"internal/workflow/", []string{"internal/workflow/"}, "planning works without an index"},
	{"internal/delivery/pack", []string{"internal/code", "internal/engine", "internal/knowledge/", "internal/guard", "internal/guard/"}, "packs are chosen and rendered, not asked for"},
	{"internal/delivery/tool", []string{"internal/code", "internal/engine", "internal/knowledge/", "internal/guard", "internal/guard/", "internal/workflow/", "internal/delivery/pack"}, "tools know neither stores nor surfaces"},
	{"internal/delivery/hook", []string{"internal/code", "internal/delivery/tool", "internal/workflow/agent"}, "a surface decodes, calls a tool and encodes"},
	{"internal/delivery/", []string{"internal/code", "internal/delivery/tool"}, "a surface decodes, calls a tool and encodes"},
	{"internal/store/", []string{"internal/code", "internal/engine", "internal/knowledge/"}, "a store implements what others declare"},
	{"internal/app", []string{"internal/code", "internal/config", "internal/embed", "internal/engine", "internal/knowledge/", "internal/guard", "internal/workflow/", "internal/delivery/", "internal/store/"}, "the parts of the engine stay behind its front door"},
	{"cmd/ken", []string{"internal/app"}, "main starts the program, no more"},
}

// guarded lists imports from outside the module that only some packages may have.
var guarded = []struct {
	imp string // an entry that ends in "/" is a prefix
	by  []string
	why string
}{
	{"C", []string{"internal/engine/extract"}, "C is called in one place"},
	{"github.com/tree-sitter/", []string{"internal/engine/extract"}, "extraction alone touches grammars"},
	{"go/parser", []string{"internal/engine/extract", "internal/engine/gotypes"}, "extraction and the exact tier parse source, nobody else"},
	{"go/types", []string{"internal/engine/gotypes"}, "types are checked in one place"},
	{"golang.org/x/tools/", nil, "a module of tests"},
	{"os/exec", []string{"internal/git"}, "git runs only through the wrapper that disarms a repository's configuration"},
	{"github.com/fsnotify/", []string{"internal/engine/watch"}, "notifications come in at one place"},
	{"zombiezen.com/", []string{"internal/store/sqlite"}, "SQL stays in the store"},
	{"modernc.org/", []string{"internal/store/sqlite"}, "SQL stays in the store"},
	{"github.com/spf13/", []string{"internal/delivery/cli"}, "the command line is one surface of several"},
	{"github.com/goccy/go-yaml/", []string{"internal/config", "internal/engine/resolve"}, "settings are read in one place, workspaces in another"},
	{"github.com/google/go-cmp/", nil, "a module of tests"},
	{"github.com/rogpeppe/", nil, "a module of tests"},
	{"net/http", []string{"internal/embed"}, "ken does not use the network, but for the one endpoint that the user's own settings may name; off by default"},
	{"plugin", nil, "nothing in a repository makes ken run code"},
}

func TestLayers(t *testing.T) {
	checked := 0
	for _, f := range sources(t) {
		for _, imp := range f.imports {
			checked++
			if rest, ours := strings.CutPrefix(imp, "ken/"); ours {
				checkRing(t, f, rest)
			} else {
				checkGuarded(t, f, imp)
			}
		}
	}
	if checked < 100 {
		t.Fatalf("only %d imports found: the test looks in the wrong place", checked)
	}
}

func checkRing(t *testing.T, f source, imp string) {
	for _, r := range rings {
		if !covers(r.pkg, f.pkg) {
			continue
		}
		for _, m := range r.may {
			if covers(m, imp) {
				return
			}
		}
		t.Errorf("%s imports ken/%s: %s", f.path, imp, r.why)
		return
	}
	if strings.HasPrefix(f.pkg, "internal/") {
		t.Errorf("%s: no ring is declared for package %s", f.path, f.pkg)
	}
}

func checkGuarded(t *testing.T, f source, imp string) {
	if !strings.HasPrefix(f.pkg, "internal/") && f.pkg != "cmd/ken" {
		return // tools of the developers
	}
	for _, g := range guarded {
		if imp != g.imp && !(strings.HasSuffix(g.imp, "/") && (strings.HasPrefix(imp, g.imp) || imp+"/" == g.imp)) {
			continue
		}
		allowed := false
		for _, p := range g.by {
			allowed = allowed || f.pkg == p
		}
		if !allowed {
			t.Errorf("%s imports %s: %s", f.path, imp, g.why)
		}
	}
}

// covers reports whether an entry of the tables names a package.
func covers(entry, pkg string) bool {
	return pkg == entry || strings.HasSuffix(entry, "/") && strings.HasPrefix(pkg, entry)
}

// source is what the tests look at of one Go file that is not a test.
type source struct {
	path, pkg string
	imports   []string
	inits     int
	lines     int
}

func sources(t *testing.T) []source {
	t.Helper()
	var out []source
	err := filepath.WalkDir(".", func(p string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name := d.Name()
		if d.IsDir() {
			if name == "testdata" || p != "." && strings.HasPrefix(name, ".") {
				return filepath.SkipDir
			}
			return nil
		}
		if strings.HasSuffix(name, ".go") && !strings.HasSuffix(name, "_test.go") {
			out = append(out, parse(t, filepath.ToSlash(p)))
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func parse(t *testing.T, p string) source {
	t.Helper()
	text, err := os.ReadFile(p)
	if err != nil {
		t.Fatal(err)
	}
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, p, text, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	s := source{path: p, pkg: path.Dir(p), lines: strings.Count(string(text), "\n")}
	for _, imp := range file.Imports {
		s.imports = append(s.imports, strings.Trim(imp.Path.Value, `"`))
	}
	for _, d := range file.Decls {
		if f, ok := d.(*ast.FuncDecl); ok && f.Recv == nil && f.Name.Name == "init" {
			s.inits++
		}
	}
	return s
}

// TestShape holds the few rules of shape that a machine can check.
func TestShape(t *testing.T) {
	for _, f := range sources(t) {
		if f.inits > 0 {
			t.Errorf("%s has an init function: lists are explicit", f.path)
		}
		if f.path == "cmd/ken/main.go" && f.lines > 40 {
			t.Errorf("%s has %d lines; what it does belongs to internal/app", f.path, f.lines)
		}
		if f.lines > 800 && !strings.HasSuffix(f.path, "table.go") && !strings.Contains(f.path, "_gen") {
			t.Errorf("%s has %d lines; split it", f.path, f.lines)
		}
	}
}

package gotypes

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"go/build"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"ken/internal/code"
	"ken/internal/engine/resolve"
)

var update = flag.Bool("update", false, "rewrite the expected output in testdata")

// world is the repository of a test: files by path. Those of the archive below
// goroot/ and modcache/ are on disk instead, where an Env leads.
type world struct {
	files map[string][]byte
	res   *resolve.Resolver
}

func (w *world) Has(p string) bool { return w.files[p] != nil }

func (w *world) HasDir(dir string) bool {
	for p := range w.files {
		if dir == "" || strings.HasPrefix(p, dir+"/") {
			return true
		}
	}
	return false
}

func (w *world) PackageDirs(code.Lang, string) []string { return nil }

func (w *world) GoFiles(dir string) (out []string) {
	for p := range w.files {
		if code.Dir(p) == dir && strings.HasSuffix(p, ".go") {
			out = append(out, path.Base(p))
		}
	}
	slices.Sort(out)
	return out
}

func (w *world) Read(p string) ([]byte, error) {
	b, ok := w.files[p]
	if !ok {
		return nil, os.ErrNotExist
	}
	if strings.HasPrefix(string(b), "unreadable") {
		return nil, errors.New("it is too large")
	}
	return b, nil
}

func (w *world) Resolve(from, spec string) resolve.Result {
	return w.res.Resolve(from, "go", &code.Import{Spec: spec})
}

func (w *world) Config(p string) ([]byte, bool) { b, ok := w.files[p]; return b, ok }

func (w *world) Configs(base string) (out []string) {
	for p := range w.files {
		if path.Base(p) == base {
			out = append(out, p)
		}
	}
	slices.Sort(out)
	return out
}

// worldOf takes an archive apart.
func worldOf(t testing.TB, a *txtar.Archive) (*world, Env) {
	t.Helper()
	disk := t.TempDir()
	w := &world{files: map[string][]byte{}}
	env := Env{GOROOT: filepath.Join(disk, "goroot"), ModCache: filepath.Join(disk, "modcache"), GOOS: "linux", GOARCH: "amd64"}
	for _, f := range a.Files {
		first, _, _ := strings.Cut(f.Name, "/")
		switch first {
		case "want":
		case "goroot", "modcache":
			full := filepath.Join(disk, filepath.FromSlash(f.Name))
			if err := os.MkdirAll(filepath.Dir(full), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(full, f.Data, 0o644); err != nil {
				t.Fatal(err)
			}
		default:
			w.files[f.Name] = f.Data
		}
	}
	w.res = resolve.New(w)
	return w, env
}

// dirs returns the directories with Go files.
func (w *world) dirs() []string {
	seen := map[string]bool{}
	for p := range w.files {
		if strings.HasSuffix(p, ".go") {
			seen[code.Dir(p)] = true
		}
	}
	var out []string
	for d := range seen {
		out = append(out, d)
	}
	slices.Sort(out)
	return out
}

// TestCheck checks all packages of the trees of testdata, in their order; what came
// of each is the file want of the archive.
func TestCheck(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			a, err := txtar.ParseFile(file)
			if err != nil {
				t.Fatal(err)
			}
			w, env := worldOf(t, a)
			var b strings.Builder
			c := New(env, w)
			for _, dir := range w.dirs() {
				p, err := c.Check(t.Context(), dir)
				if err != nil {
					t.Fatal(err)
				}
				render(&b, w, c, p)
			}
			i := slices.IndexFunc(a.Files, func(f txtar.File) bool { return f.Name == "want" })
			if i < 0 {
				a.Files, i = append(a.Files, txtar.File{Name: "want"}), len(a.Files)
			}
			if *update {
				a.Files[i].Data = []byte(b.String())
				if err := os.WriteFile(file, txtar.Format(a), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			if d := cmp.Diff(string(a.Files[i].Data), b.String()); d != "" {
				t.Error(d)
			}
		})
	}
}

func render(b *strings.Builder, w *world, c *Checker, p *Package) {
	mod, work := c.Module(p.Dir)
	fmt.Fprintf(b, "package %q of %s %s\n", p.Dir, mod, work)
	for i, part := range p.Parts() {
		name := [...]string{"lib", "in", "ext"}[i]
		if part.Problem == "" && len(part.Files) == 0 {
			continue
		}
		fmt.Fprintf(b, " %s, depends on %q", name, part.Deps)
		if part.Errors > 0 {
			fmt.Fprintf(b, ", %d errors in bodies", part.Errors)
		}
		if part.Problem != "" {
			fmt.Fprintf(b, ": %s", part.Problem)
		}
		b.WriteByte('\n')
		for _, f := range part.Files {
			for _, u := range f.Uses {
				fmt.Fprintf(b, "  %s means %s\n", w.at(f.Path, u.Start), w.at(u.Target.Path, u.Target.Offset))
			}
		}
		for _, y := range part.Types {
			fmt.Fprintf(b, "  type %s interface %v:", w.at(y.Target.Path, y.Target.Offset), y.Interface)
			for _, m := range y.Methods {
				fmt.Fprintf(b, " %s at %s", m.Name, w.at(m.Target.Path, m.Target.Offset))
			}
			b.WriteByte('\n')
		}
	}
}

// at shows a name by its place: "a/a.go:3 New".
func (w *world) at(p string, offset uint32) string {
	if p == "" {
		return "something outside"
	}
	text := w.files[p]
	name := text[offset:]
	for i, c := range name {
		if c != '_' && (c|0x20 < 'a' || c|0x20 > 'z') && (c < '0' || c > '9') {
			name = name[:i]
			break
		}
	}
	return fmt.Sprintf("%s:%d %s", p, 1+strings.Count(string(text[:offset]), "\n"), name)
}

// TestPrints: methods of equal name and signature have equal prints, however their
// parameters are called; others have not.
func TestPrints(t *testing.T) {
	w, env := worldOf(t, txtar.Parse([]byte(`
-- go.mod --
module m

go 1.22
-- a.go --
package m

type I interface{ Get(key string) int; put() }
type Same struct{}
func (Same) Get(k string) (n int) { return 0 }
func (Same) put() {}
type Other struct{}
func (*Other) Get(key []byte) int { return 0 }
type Generic[T any] struct{}
func (Generic[T]) Get(key string) int { return 0 }
type Alias = Same
type Set interface{ ~int; Get(key string) int }
`)))
	p, err := New(env, w).Check(t.Context(), "")
	if err != nil || p.Lib.Problem != "" {
		t.Fatal(err, p.Lib.Problem)
	}
	got := map[string]map[string]uint64{}
	for _, y := range p.Lib.Types {
		name := strings.Fields(w.at(y.Target.Path, y.Target.Offset))[1]
		got[name] = map[string]uint64{}
		for _, m := range y.Methods {
			got[name][m.Name] = m.Print
		}
	}
	if len(got) != 3 || got["I"]["Get"] != got["Same"]["Get"] || got["I"]["put"] != got["Same"]["put"] || got["I"]["Get"] == got["Other"]["Get"] {
		t.Errorf("%v", got)
	}
}

// TestCheckStops: a check ends with its context, and says so.
func TestCheckStops(t *testing.T) {
	w, env := worldOf(t, txtar.Parse([]byte("-- go.mod --\nmodule m\n-- a.go --\npackage m\n\nfunc F() {}\n")))
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := New(env, w).Check(ctx, ""); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
}

// TestForget: views are dropped when they stem from too much source, and what is
// checked then is the same.
func TestForget(t *testing.T) {
	a, err := txtar.ParseFile("testdata/tests.txtar")
	if err != nil {
		t.Fatal(err)
	}
	w, env := worldOf(t, a)
	c := New(env, w)
	var first, again strings.Builder
	for _, b := range []*strings.Builder{&first, &again} {
		for _, dir := range w.dirs() {
			p, err := c.Check(t.Context(), dir)
			if err != nil {
				t.Fatal(err)
			}
			render(b, w, c, p)
		}
		c.size = maxSource + 1
	}
	if d := cmp.Diff(first.String(), again.String()); d != "" {
		t.Error(d)
	}
}

// TestFindEnv: the Go installation is found by the environment, by what `go env -w`
// wrote and by PATH, but never inside the repository.
func TestFindEnv(t *testing.T) {
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	goroot := func(name string) string {
		root := filepath.Join(dir, name)
		for file, text := range map[string]string{"src/unsafe/unsafe.go": "package unsafe\n", "bin/go": "", "VERSION": "go9.9\ntime\n"} {
			full := filepath.Join(root, file)
			if err := os.MkdirAll(filepath.Dir(full), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(full, []byte(text), 0o755); err != nil {
				t.Fatal(err)
			}
		}
		return root
	}
	one, two, inside := goroot("one"), goroot("two"), goroot("repo/go")
	home, settings := filepath.Join(dir, "home"), filepath.Join(dir, "env")
	if err := os.WriteFile(settings, []byte("# comment\nGOPATH="+filepath.Join(dir, "set")+"\nGOROOT="+two+"\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	root := filepath.Join(dir, "repo")
	for _, c := range []struct {
		name             string
		env              map[string]string
		goroot, modcache string
	}{
		{"GOROOT", map[string]string{"GOROOT": one, "GOMODCACHE": "/mods", "GOENV": "off"}, one, "/mods"},
		{"PATH", map[string]string{"PATH": "relative:" + one + "/bin", "HOME": home, "GOENV": "off"}, one, home + "/go/pkg/mod"},
		{"go env -w", map[string]string{"GOENV": settings}, two, dir + "/set/pkg/mod"},
		{"GOPATH", map[string]string{"GOROOT": one, "GOPATH": "/a:/b", "GOENV": settings}, one, "/a/pkg/mod"},
		{"inside the repository", map[string]string{"GOROOT": inside, "PATH": inside + "/bin:" + two + "/bin", "GOMODCACHE": root + "/mods", "GOENV": "off"}, two, ""},
		{"relative", map[string]string{"GOROOT": one, "GOMODCACHE": "mods", "GOENV": "off"}, one, ""},
	} {
		e := FindEnv(func(key string) string { return c.env[key] }, root)
		if e.GOROOT != c.goroot || e.ModCache != c.modcache || e.GOOS != build.Default.GOOS {
			t.Errorf("%s: %+v, want %s and %s", c.name, e, c.goroot, c.modcache)
		}
	}
	e := Env{GOROOT: one, GOOS: "linux", GOARCH: "arm64", ModCache: "/mods"}
	if got := e.Version(); got != "go9.9 linux/arm64 /mods" {
		t.Errorf("version %q", got)
	}
	e.GOROOT = filepath.Join(dir, "none")
	if got := e.Version(); !strings.HasPrefix(got, e.GOROOT) {
		t.Errorf("version of a tree without VERSION %q", got)
	}
}

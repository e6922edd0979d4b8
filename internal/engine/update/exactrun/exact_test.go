package exactrun_test

import (
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"ken/internal/ask/refs"
	"ken/internal/engine"
	kenupdate "ken/internal/engine/update"
	"ken/internal/engine/view"

	store "ken/internal/store/sqlite"
)

// exactProject is a module on disk with an index of its own.
type exactProject struct {
	t    testing.TB
	root string
	e    *engine.Engine
}

var update = flag.Bool("update", false, "rewrite the expected answers")

func newExact(t testing.TB, root string) *exactProject {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("the module has a file for windows")
	}
	p := &exactProject{t: t, root: root}
	p.e = engine.New(engine.Options{Root: root, Store: store.New(filepath.Join(t.TempDir(), "index.db")), Getenv: os.Getenv})
	t.Cleanup(func() { p.e.Close() })
	p.update()
	return p
}

func unpack(t testing.TB, file string) (root string, ar *txtar.Archive) {
	t.Helper()
	ar, err := txtar.ParseFile(file)
	if err != nil {
		t.Fatal(err)
	}
	root = t.TempDir()
	for _, f := range ar.Files {
		if f.Name != "want" {
			writeFile(t, root, f.Name, string(f.Data))
		}
	}
	return root, ar
}

func writeFile(t testing.TB, root, name, text string) {
	t.Helper()
	p := filepath.Join(root, name)
	if err := os.MkdirAll(filepath.Dir(p), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(p, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func (p *exactProject) update() {
	p.t.Helper()
	if _, err := p.e.Update(context.Background(), kenupdate.Request{Create: true}); err != nil {
		p.t.Fatal(err)
	}
}

func (p *exactProject) exact() *engine.ExactReport {
	p.t.Helper()
	rep, err := p.e.Exact(context.Background(), nil)
	if err != nil {
		p.t.Fatal(err)
	}
	return rep
}

// bindings returns all references that someone vouches for, as lines.
func (p *exactProject) bindings() []string {
	p.t.Helper()
	var out []string
	err := p.e.Answer(context.Background(), engine.AsIndexed, func(ctx context.Context, s *view.Snapshot) ([]string, error) {
		out = nil
		var syms []view.Symbol
		for f, err := range s.Files(ctx) {
			if err != nil {
				return nil, err
			}
			list, err := s.Symbols(ctx, f.Path)
			if err != nil {
				return nil, err
			}
			syms = append(syms, list...)
		}
		for i := range syms { // one by one, because a reference to one of several is listed for that one alone
			found, err := refs.References(ctx, s, syms[i:i+1])
			if err != nil {
				return nil, err
			}
			for _, r := range found.List {
				if r.By == "" {
					continue
				}
				out = append(out, fmt.Sprintf("%s:%d %s %s → %s:%s  %s by %s", r.Path, r.Line, r.Kind, r.Target.Name, r.Target.Path, r.Target.Qualified, r.Confidence, r.By))
			}
		}
		return nil, nil
	})
	if err != nil {
		p.t.Fatal(err)
	}
	slices.Sort(out)
	return out
}

// freshBindings returns those of an index made afresh.
func (p *exactProject) freshBindings() []string {
	p.t.Helper()
	f := newExact(p.t, p.root)
	f.exact()
	return f.bindings()
}

func TestExact(t *testing.T) {
	files, err := filepath.Glob("testdata/exact/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatal("no cases", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			root, ar := unpack(t, file)
			p := newExact(t, root)
			if b := p.bindings(); len(b) > 0 {
				t.Errorf("vouched for before anything was checked: %q", b)
			}
			rep := p.exact()
			var b strings.Builder
			for _, pr := range rep.Problems {
				fmt.Fprintf(&b, "problem %s tests=%v: %s\n", pr.Dir, pr.Test, pr.Reason)
			}
			fmt.Fprintf(&b, "%d of %d packages\n", rep.Covered, rep.Packages)
			for _, l := range p.bindings() {
				b.WriteString(l + "\n")
			}
			i := slices.IndexFunc(ar.Files, func(f txtar.File) bool { return f.Name == "want" })
			if *update {
				if i < 0 {
					ar.Files, i = append(ar.Files, txtar.File{Name: "want"}), len(ar.Files)
				}
				ar.Files[i].Data = []byte(b.String())
				if err := os.WriteFile(file, txtar.Format(ar), 0o644); err != nil {
					t.Fatal(err)
				}
				return
			}
			if i < 0 {
				t.Fatal("no expectation; run with -update")
			}
			if d := cmp.Diff(string(ar.Files[i].Data), b.String()); d != "" {
				t.Error(d)
			}
			if again := p.exact(); again.Checked != 0 {
				t.Errorf("a second run checked %d packages that had not changed", again.Checked)
			}
		})
	}
}

// edit replaces text in a file.
func (p *exactProject) edit(name, from, to string) {
	p.t.Helper()
	b, err := os.ReadFile(filepath.Join(p.root, name))
	if err != nil {
		p.t.Fatal(err)
	}
	if !strings.Contains(string(b), from) {
		p.t.Fatalf("%s holds no %q", name, from)
	}
	writeFile(p.t, p.root, name, strings.Replace(string(b), from, to, 1))
}

// excursion is an edit that is taken back, and the files whose bindings still hold
// in between.
type excursion struct{ name, file, from, to, left string }

// tries makes an edit, looks at what still holds, and takes it back: then all does.
func (p *exactProject) tries(t *testing.T, c excursion, all []string) {
	p.t = t
	p.edit(c.file, c.from, c.to)
	p.update()
	if got := p.vouched(); got != c.left {
		t.Errorf("still vouched for: %s\nwant: %s", got, c.left)
	}
	p.edit(c.file, c.to, c.from)
	p.update()
	if d := cmp.Diff(all, p.bindings()); d != "" {
		t.Error("after taking it back:", d)
	}
}

// vouched returns the files with a reference that someone vouches for.
func (p *exactProject) vouched() string {
	seen := map[string]bool{}
	var out []string
	for _, l := range p.bindings() {
		f, _, _ := strings.Cut(l, ":")
		if !seen[f] {
			seen[f] = true
			out = append(out, f)
		}
	}
	return strings.Join(out, " ")
}

// TestExactStale edits one thing at a time: exactly what depends on it falls back,
// and taking the edit back restores it without a check.
func TestExactStale(t *testing.T) {
	root, _ := unpack(t, "testdata/exact/bare.txtar")
	p := newExact(t, root)
	p.exact()
	all := p.bindings()
	for _, c := range []excursion{
		{"a body", "store/store.go", `"no %s"`, `"none %s"`, "other/other.go store/export_test.go store/store_test.go use/use.go"},
		{"a body that grows", "store/store.go", "return nil }\n\n// File", "if m != nil { return nil }; return nil }\n\n// File", "other/other.go store/export_test.go store/store_test.go use/use.go"},
		{"a comment", "store/store.go", "// Mem implements Store.", "// Mem implements it.\n//", "other/other.go store/export_test.go store/store_test.go use/use.go"},
		{"a field", "store/store.go", "data map", "more int; data map", "other/other.go"},
		{"a signature", "use/use.go", "Made() *st.Mem", "Made() st.Store", "other/other.go store/export_test.go store/store.go"},
		{"a test", "store/export_test.go", "var Hidden = hidden", "var Hidden func(*Mem) int = hidden", "other/other.go store/store.go use/use.go"},
		{"a file of another platform", "other/other_windows.go", "func onlyThere", "func OnlyThere", "store/export_test.go store/store.go store/store_test.go use/use.go"},
		{"the module", "go.mod", "go 1.22", "go 1.21", ""},
	} {
		t.Run(c.name, func(t *testing.T) { p.tries(t, c, all) })
	}
}

// TestExactNew: files and modules that come and go.
func TestExactNew(t *testing.T) {
	root, _ := unpack(t, "testdata/exact/bare.txtar")
	p := newExact(t, root)
	p.exact()
	all := p.bindings()
	writeFile(t, root, "store/more.go", "package store\n\nfunc More() { New() }\n")
	p.update()
	if got := p.vouched(); got != "other/other.go" {
		t.Errorf("after a new file: %s", got)
	}
	if rep := p.exact(); rep.Checked != 2 || rep.Kept != 1 {
		t.Errorf("%d checked and %d kept, want store and use checked", rep.Checked, rep.Kept)
	}
	os.Remove(filepath.Join(root, "store/more.go"))
	p.update()
	p.exact()
	if d := cmp.Diff(all, p.bindings()); d != "" {
		t.Error("after it went:", d)
	}
	os.RemoveAll(filepath.Join(root, "other"))
	p.update()
	p.exact()
	if d := cmp.Diff(p.freshBindings(), p.bindings()); d != "" {
		t.Error("after a package went:", d)
	}
}

// TestExactEqualsFresh: after any edits what is vouched for is what a fresh index
// vouches for; and before the check, none of it is wrong.
func TestExactEqualsFresh(t *testing.T) {
	edits := []struct{ file, a, b string }{
		{"store/store.go", `"no %s"`, `"none %s"`},
		{"store/store.go", "Get(key string) (string, error)\n\tCloser", "Get(key string) (string, error)\n\tPut()\n\tCloser"},
		{"store/store.go", "func (m *Mem) Get(key string)", "func (m *Mem) get(key string)"},
		{"store/store.go", "type base struct{ n int }", "type base struct{ n int; Extra int }"},
		{"store/store.go", "func New() *Mem {", "func Early() {}\n\nfunc New() *Mem {"},
		{"store/store.go", "func (b *base) Count() int", "func (b *Mem) Count() int"},
		{"store/export_test.go", "hidden(m *Mem)", "hidden(m *Mem, _ ...int)"},
		{"use/use.go", "Made() *st.Mem", "Made() st.Store"},
		{"use/use.go", "\tRun(m)\n", "\tRun(m)\n\tRun(m)\n"},
		{"use/use.go", "package use\n", "package use\n\nfunc broken2( {\n"},
		{"other/other.go", "func (T) Close() error", "func (*T) Close() error"},
		{"other/other.go", "package other", "package another"},
		{"go.mod", "module example.com/m\n", "module example.com/n\n"},
	}
	const rounds = 25
	for seed := range envInt("KEN_SEQUENCES", 2) {
		rnd := rand.New(rand.NewPCG(uint64(seed), 7))
		root, _ := unpack(t, "testdata/exact/bare.txtar")
		p := newExact(t, root)
		p.exact()
		on := make([]bool, len(edits))
		for round := range rounds {
			for range 1 + rnd.IntN(3) {
				i := rnd.IntN(len(edits))
				ed := edits[i]
				text, err := os.ReadFile(filepath.Join(root, ed.file))
				from, to := ed.a, ed.b
				if on[i] {
					from, to = to, from
				}
				if err != nil || !strings.Contains(string(text), from) {
					continue
				}
				p.edit(ed.file, from, to)
				on[i] = !on[i]
				if rnd.IntN(2) == 0 {
					p.update()
				}
			}
			p.update()
			want := p.freshBindings()
			for _, l := range p.bindings() {
				// Through which interfaces a method is called is known of the packages
				// that are not stale; what a reference means is known or not.
				if !slices.Contains(want, l) && !strings.HasSuffix(l, "by interface") {
					t.Fatalf("seed %d round %d, edits %v: vouched for while stale: %s", seed, round, on, l)
				}
			}
			if rnd.IntN(3) > 0 {
				p.exact()
				if d := cmp.Diff(want, p.bindings()); d != "" {
					t.Fatalf("seed %d round %d, edits %v (-fresh +kept):\n%s", seed, round, on, d)
				}
			}
		}
	}
}

// TestExactResumes: a run that is stopped loses at most the package it is at.
func TestExactResumes(t *testing.T) {
	root, _ := unpack(t, "testdata/exact/bare.txtar")
	p := newExact(t, root)
	for i := range 3 {
		ctx, stop := context.WithCancel(context.Background())
		_, err := p.e.Exact(ctx, func(done, total int) {
			if want := 3 - i; total != want {
				t.Errorf("run %d has %d packages to check, want %d", i, total, want)
			}
			if done == 1 {
				stop()
			}
		})
		stop()
		if i < 2 && err == nil {
			t.Fatalf("run %d was not stopped", i)
		}
	}
	if d := cmp.Diff(p.freshBindings(), p.bindings()); d != "" {
		t.Error(d)
	}
}

func envInt(name string, otherwise int) int {
	if n, err := strconv.Atoi(os.Getenv(name)); err == nil {
		return n
	}
	return otherwise
}

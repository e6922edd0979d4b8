package engine_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ken/internal/ask/refs"
	"ken/internal/engine"
	kenupdate "ken/internal/engine/update"
	"ken/internal/engine/view"

	"ken/internal/store/sqlite"
)

// TestRecall asks one engine again and again while files change, the index is
// built anew, and is deleted and made by another process: it must answer as one
// that never answered before.
func TestRecall(t *testing.T) {
	root := t.TempDir()
	db := filepath.Join(root, ".ken", "index.db")
	open := func() *engine.Engine { return engine.New(engine.Options{Root: root, Store: sqlite.New(db)}) }
	old := open()
	defer old.Close()
	writeFile(t, root, "go.mod", "module m\n")
	writeFile(t, root, "a/a.go", "package a\n\ntype Dog struct{}\n\nfunc (Dog) Run() {}\n\ntype Cat struct{}\n\nfunc (Cat) Run() {}\n")
	writeFile(t, root, "b/b.go", "package b\n\nimport \"m/a\"\n\nfunc Pet() a.Dog { return a.Dog{} }\n")
	writeFile(t, root, "c/c.go", "package c\n\nimport \"m/b\"\n\nfunc Play() { b.Pet().Run() }\n")
	bring(t, old, kenupdate.Request{Create: true})
	seen := map[string]bool{}
	check := func(what string) {
		t.Helper()
		for range 2 {
			fresh := open()
			got, want := runs(t, old), runs(t, fresh)
			fresh.Close()
			if d := cmp.Diff(want, got); d != "" {
				t.Errorf("%s: the answer of a fresh engine, and of one that answered before:\n%s", what, d)
			}
			seen[got] = true
		}
	}
	check("first")
	writeFile(t, root, "b/b.go", "package b\n\nimport \"m/a\"\n\nfunc Pet() a.Cat { return a.Cat{} }\n")
	bring(t, old, kenupdate.Request{})
	check("the type of a result changed in another file")
	writeFile(t, root, "d/d.go", "package d\n\nimport \"m/b\"\n\nfunc Walk() { b.Pet().Run() }\n")
	other := open()
	bring(t, other, kenupdate.Request{})
	other.Close()
	check("another process added a user")
	writeFile(t, root, "c/c.go", "package c\n")
	bring(t, old, kenupdate.Request{Full: true})
	check("built anew")
	for _, suffix := range []string{"", "-wal", "-shm"} {
		os.Remove(db + suffix)
	}
	writeFile(t, root, "c/c.go", "package c\n\nimport \"m/b\"\n\nfunc Stay() {\n\tb.Pet().Run()\n}\n")
	other = open()
	bring(t, other, kenupdate.Request{Create: true})
	other.Close()
	check("deleted and made by another process")
	if len(seen) != 5 {
		t.Errorf("%d different answers, want 5: the test tells nothing", len(seen))
	}
}

func bring(t *testing.T, e *engine.Engine, req kenupdate.Request) {
	t.Helper()
	if _, err := e.Update(context.Background(), req); err != nil {
		t.Fatal(err)
	}
}

// runs returns the references to the methods Run, and what depends on them.
func runs(t *testing.T, e *engine.Engine) (out string) {
	t.Helper()
	err := e.Answer(context.Background(), engine.AsIndexed, func(ctx context.Context, s *view.Snapshot) ([]string, error) {
		syms, err := s.Definitions(ctx, "Run")
		if err != nil {
			return nil, err
		}
		for i := range syms {
			refs_, err := refs.References(ctx, s, syms[i:i+1])
			if err != nil {
				return nil, err
			}
			for _, r := range refs_.List {
				out += fmt.Sprintln(syms[i].Qualified, r.Path, r.Line, r.Confidence, r.In)
			}
			deps, err := refs.Dependents(ctx, s, view.Target{Symbols: syms[i : i+1]}, 3)
			if err != nil {
				return nil, err
			}
			out += fmt.Sprintln(deps.List, refs_.ResolvedShare, deps.ResolvedShare)
		}
		return nil, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
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

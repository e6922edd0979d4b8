package engine_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ken/internal/ask/refs"
	"ken/internal/engine"
	kenupdate "ken/internal/engine/update"
	"ken/internal/engine/view"

	store "ken/internal/store/sqlite"
)

// TestPages counts what an update of one file and the answers to def and show
// read, in trees of very different size: it must not grow with the tree.
// KEN_FILES is the number of files of the larger one (50000 for the table of
// measurements).
func TestPages(t *testing.T) {
	if testing.Short() {
		t.Skip("what is read is the same under the race detector, and this makes large trees")
	}
	if _, err := os.ReadFile("/proc/self/io"); err != nil {
		t.Skip("no /proc/self/io")
	}
	small, large := 1000, envInt("KEN_FILES", 6000)
	a, b := pagesRead(t, small), pagesRead(t, large)
	for _, op := range []string{"update", "find", "show"} {
		t.Logf("%s: %d bytes at %d files, %d at %d", op, a[op], small, b[op], large)
		if float64(b[op]) > 1.2*float64(a[op])+treeGrowth {
			t.Errorf("%s reads %d bytes at %d files, %d at %d", op, a[op], small, b[op], large)
		}
	}
}

// treeGrowth allows for a B-tree that is one page deeper: what grows is its
// logarithm.
const treeGrowth = 16 * 4096

func pagesRead(t *testing.T, files int) map[string]int {
	w := &worktree{t: t, root: t.TempDir(), rnd: rand.New(rand.NewPCG(1, 1))}
	w.write("go.mod", "module m\n")
	for i := range files {
		d := i / 20
		w.write(fmt.Sprintf("p%d/f%d.go", d, i), fmt.Sprintf("package p%d\n\nimport \"m/p%d\"\n\n// F%d does.\nfunc F%d() { p%d.F%d(); G%d() }\n\nfunc G%d() {}\n", d, (d+1)%(files/20), i, i, (d+1)%(files/20), (i+20)%files, i, i))
	}
	db := filepath.Join(t.TempDir(), "index.db")
	ctx := context.Background()
	e := engine.New(engine.Options{Root: w.root, Store: store.New(db)})
	if _, err := e.Update(ctx, kenupdate.Request{Create: true}); err != nil {
		t.Fatal(err)
	}
	e.Close()
	out := map[string]int{}
	measure := func(op string, f func(e *engine.Engine) error) {
		e := engine.New(engine.Options{Root: w.root, Store: store.New(db)})
		before := bytesRead(t)
		if err := f(e); err != nil {
			t.Fatal(err)
		}
		out[op] = bytesRead(t) - before
		e.Close()
	}
	w.write("p7/f141.go", "package p7\n\nimport \"m/p8\"\n\nfunc F141() { p8.F161(); H() }\n\nfunc G141() { F142() }\n\nfunc H() {}\n")
	measure("update", func(e *engine.Engine) error {
		_, err := e.Update(ctx, kenupdate.Request{Paths: []string{"p7/f141.go"}})
		return err
	})
	measure("find", func(e *engine.Engine) error {
		return e.Answer(ctx, engine.AsIndexed, func(ctx context.Context, s *view.Snapshot) ([]string, error) {
			_, err := s.Definitions(ctx, "F160")
			return nil, err
		})
	})
	measure("show", func(e *engine.Engine) error {
		return e.Answer(ctx, engine.AsIndexed, func(ctx context.Context, s *view.Snapshot) ([]string, error) {
			const p = "p8/f165.go"
			if _, err := s.File(ctx, p); err != nil {
				return nil, err
			}
			if _, err := s.Symbols(ctx, p); err != nil {
				return nil, err
			}
			if _, err := s.Imports(ctx, p); err != nil {
				return nil, err
			}
			_, err := refs.Dependents(ctx, s, view.Target{File: p}, 1)
			return nil, err
		})
	})
	return out
}

// bytesRead is what this process has read so far.
func bytesRead(t *testing.T) int {
	b, err := os.ReadFile("/proc/self/io")
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	fmt.Sscanf(string(b[strings.Index(string(b), "rchar:"):]), "rchar: %d", &n)
	return n
}

package engine_test

import (
	"context"
	"fmt"
	"path/filepath"
	"testing"

	"ken/internal/engine"
	kenstore "ken/internal/engine/store"
	kenupdate "ken/internal/engine/update"

	store "ken/internal/store/sqlite"
)

// lookups is a store that counts the look-ups by which an update finds out whom a
// change concerns.
type lookups struct {
	kenstore.Store
	n int
}

type lookupsTx struct {
	kenstore.Tx
	s *lookups
}

func (s *lookups) Write(ctx context.Context, f func(kenstore.Tx) error) error {
	return s.Store.Write(ctx, func(tx kenstore.Tx) error { return f(lookupsTx{tx, s}) })
}

func (t lookupsTx) ProbedBy(key uint64) ([]int64, error) {
	t.s.n++
	return t.Tx.ProbedBy(key)
}

func (t lookupsTx) Facts(file int64) ([]byte, error) {
	t.s.n++
	return t.Tx.Facts(file)
}

// TestCircle changes all files of a package that passes names on in a circle:
// the work grows with their number, not with its square.
func TestCircle(t *testing.T) {
	count := func(n int) int {
		w := &worktree{t: t, root: t.TempDir()}
		write := func(version int) {
			for i := range n {
				w.write(fmt.Sprintf("p/m%d.py", i), fmt.Sprintf("from .m%d import f%d_%d as g\n\ndef f%d_%d():\n    return g()\n", (i+1)%n, (i+1)%n, version, i, version))
			}
		}
		write(1)
		s := &lookups{Store: store.New(filepath.Join(w.root, ".ken", "index.db"))}
		e := engine.New(engine.Options{Root: w.root, Store: s})
		defer e.Close()
		for version := range 2 {
			write(version + 1)
			if _, err := e.Update(context.Background(), kenupdate.Request{Create: true}); err != nil {
				t.Fatal(err)
			}
		}
		return s.n
	}
	small, large := count(20), count(80)
	if large > 6*small {
		t.Errorf("%d look-ups for 20 files, %d for 80", small, large)
	}
	t.Logf("%d look-ups for 20 files, %d for 80", small, large)
}

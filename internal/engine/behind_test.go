package engine_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	"ken/internal/engine"
	"ken/internal/engine/store"
	kenupdate "ken/internal/engine/update"
	"ken/internal/engine/view"
	"ken/internal/store/sqlite"
)

// unwritable is a store that cannot be written any more, as that of another user.
type unwritable struct{ store.Store }

func (unwritable) Write(context.Context, func(store.Tx) error) error { return store.ErrReadOnly }

// TestBehind: an answer from an index that cannot follow the tree says so,
// because what it lacks may be there.
func TestBehind(t *testing.T) {
	root := t.TempDir()
	file := filepath.Join(root, "a.go")
	if err := os.WriteFile(file, []byte("package a\n\nfunc Old() {}\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	own := sqlite.New(filepath.Join(root, ".ken", "index.db"))
	e := engine.New(engine.Options{Root: root, Store: own})
	defer e.Close()
	ctx := context.Background()
	if _, err := e.Update(ctx, kenupdate.Request{Create: true}); err != nil {
		t.Fatal(err)
	}
	other := engine.New(engine.Options{Root: root, Store: unwritable{own}})
	ask := func() {
		t.Helper()
		err := other.Answer(ctx, engine.Checked, func(context.Context, *view.Snapshot) ([]string, error) { return nil, nil })
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(file, []byte("package a\n\nfunc New9() {}\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if ask(); !other.Behind() {
		t.Fatal("not behind a tree that changed")
	}
	if rev, ok := other.BehindSince(); !ok || rev != 1 {
		t.Errorf("behind since revision %d, %v", rev, ok)
	}
	time.Sleep(600 * time.Millisecond)                            // a file that was just written is looked at again, for which this index would be written
	if _, err := e.Update(ctx, kenupdate.Request{}); err != nil { // by somebody who may
		t.Fatal(err)
	}
	if ask(); other.Behind() {
		t.Error("still behind a tree that the index is of")
	}
}

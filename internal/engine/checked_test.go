package engine_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"ken/internal/engine"
	"ken/internal/store/sqlite"
)

// TestChecked asks while the tree has changed since the index was made: the
// answer must be of the tree as it is, however f's first run saw it.
func TestChecked(t *testing.T) {
	root := t.TempDir()
	file := filepath.Join(root, "a.go")
	write := func(text string) {
		t.Helper()
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write("package a\n\nfunc Old() {}\n")
	e := engine.New(engine.Options{Root: root, Store: sqlite.New(filepath.Join(root, ".ken", "index.db"))})
	defer e.Close()
	ctx := context.Background()
	if _, err := e.Update(ctx, engine.Request{Create: true}); err != nil {
		t.Fatal(err)
	}
	ask := func(name string) (found bool) {
		t.Helper()
		err := e.Answer(ctx, engine.Checked, func(ctx context.Context, s *engine.Snapshot) ([]string, error) {
			syms, _ := s.Find(ctx, name)
			found = len(syms) > 0
			return nil, nil
		})
		if err != nil {
			t.Fatal(err)
		}
		return found
	}
	if !ask("Old") || ask("New") {
		t.Fatal("wrong before the edit")
	}
	write("package a\n\nfunc New() {}\n")
	if ask("Old") || !ask("New") {
		t.Fatal("wrong after the edit")
	}
	if err := os.RemoveAll(filepath.Join(root, ".ken")); err != nil {
		t.Fatal(err)
	}
	fresh := engine.New(engine.Options{Root: root, Store: sqlite.New(filepath.Join(root, ".ken", "index.db"))})
	err := fresh.Answer(ctx, engine.Checked, func(context.Context, *engine.Snapshot) ([]string, error) { return nil, nil })
	if err == nil {
		t.Fatal("answered without an index")
	}
}

package engine_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ken/internal/engine"
	kenupdate "ken/internal/engine/update"
	"ken/internal/engine/view"

	"ken/internal/store/sqlite"
)

func safetyEngine(t *testing.T, root string, limit int64) *engine.Engine {
	t.Helper()
	e := engine.New(engine.Options{Root: root, Store: sqlite.New(filepath.Join(root, ".ken", "index.db")), MaxFileSize: limit})
	t.Cleanup(func() { e.Close() })
	return e
}

func put(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// TestLinkedIndex: a repository may bring a .ken that leads elsewhere. Nothing
// outside the root may be made, opened or written.
func TestLinkedIndex(t *testing.T) {
	for _, name := range []string{".ken", ".ken/index.db", ".ken/index.db.lock", ".ken/index.db.new", ".ken/index.db-wal"} {
		t.Run(strings.ReplaceAll(name, "/", "_"), func(t *testing.T) {
			root, outside := t.TempDir(), t.TempDir()
			put(t, filepath.Join(root, "a.go"), "package a\n")
			target := filepath.Join(outside, "target")
			if name == ".ken" {
				if err := os.Mkdir(target, 0o755); err != nil {
					t.Fatal(err)
				}
			} else if err := os.Mkdir(filepath.Join(root, ".ken"), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.Symlink(target, filepath.Join(root, name)); err != nil {
				t.Skip("no symbolic links here")
			}
			if _, err := safetyEngine(t, root, 0).Update(context.Background(), kenupdate.Request{Create: true}); err == nil {
				t.Error("indexed through a link")
			}
			left, err := os.ReadDir(outside)
			if err != nil {
				t.Fatal(err)
			}
			for _, e := range left {
				inner, _ := os.ReadDir(filepath.Join(outside, e.Name()))
				if name != ".ken" || len(inner) > 0 {
					t.Errorf("made %s outside the root", e.Name())
				}
			}
		})
	}
}

// TestSizeLimit: another limit concerns files whose stat did not change.
func TestSizeLimit(t *testing.T) {
	root := t.TempDir()
	put(t, filepath.Join(root, "a.go"), "package a\n\nfunc Small() {}\n"+strings.Repeat("// filler\n", 100))
	find := func(e *engine.Engine) bool {
		t.Helper()
		found := false
		err := e.Answer(context.Background(), engine.WholeTree, func(ctx context.Context, s *view.Snapshot) ([]string, error) {
			syms, _ := s.Definitions(ctx, "Small")
			found = len(syms) > 0
			return nil, nil
		})
		if err != nil {
			t.Fatal(err)
		}
		return found
	}
	e := safetyEngine(t, root, 0)
	if _, err := e.Update(context.Background(), kenupdate.Request{Create: true}); err != nil {
		t.Fatal(err)
	}
	if !find(e) || find(safetyEngine(t, root, 500)) || !find(safetyEngine(t, root, 0)) {
		t.Error("the index does not follow the size limit")
	}
}

// TestLooseQualifier: a method may be named by its package.
func TestLooseQualifier(t *testing.T) {
	root := t.TempDir()
	put(t, filepath.Join(root, "store", "store.go"), "package store\n\ntype Store struct{}\n\nfunc (s *Store) Get() {}\n\nfunc Open() {}\n")
	put(t, filepath.Join(root, "other", "other.go"), "package other\n\nfunc Get() {}\n")
	e := safetyEngine(t, root, 0)
	if _, err := e.Update(context.Background(), kenupdate.Request{Create: true}); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{"store.Get": "Store.Get", "other.Get": "Get", "Store.Get": "Store.Get", "store.Open": "Open"} {
		err := e.Answer(context.Background(), engine.AsIndexed, func(ctx context.Context, s *view.Snapshot) ([]string, error) {
			syms, err := s.Definitions(ctx, name)
			if err != nil || len(syms) != 1 || syms[0].Qualified != want {
				t.Errorf("%s: %v %v", name, syms, err)
			}
			return nil, nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}

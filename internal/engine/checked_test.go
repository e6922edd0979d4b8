package engine_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	"ken/internal/engine"
	kenupdate "ken/internal/engine/update"
	"ken/internal/engine/view"

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
	if _, err := e.Update(ctx, kenupdate.Request{Create: true}); err != nil {
		t.Fatal(err)
	}
	ask := func(name string) (found bool) {
		t.Helper()
		err := e.Answer(ctx, engine.Checked, func(ctx context.Context, s *view.Snapshot) ([]string, error) {
			syms, _ := s.Definitions(ctx, name)
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
	err := fresh.Answer(ctx, engine.Checked, func(context.Context, *view.Snapshot) ([]string, error) { return nil, nil })
	if err == nil {
		t.Fatal("answered without an index")
	}
}

// TestCheckedNotes: a look at the tree that finds it as it was, and old enough to
// be trusted, writes nothing; a HEAD that moved is noted even if no file changed.
func TestCheckedNotes(t *testing.T) {
	p := newPast(t, 1)
	p.write("a.go", "package a\n")
	p.commit()
	e := engine.New(engine.Options{Root: p.root, Store: sqlite.New(filepath.Join(p.root, ".ken", "index.db")), HistoryCommits: -1})
	defer e.Close()
	ctx := context.Background()
	if _, err := e.Update(ctx, kenupdate.Request{Create: true}); err != nil {
		t.Fatal(err)
	}
	info := func(fresh engine.Freshness) (i view.Info) {
		t.Helper()
		err := e.Answer(ctx, fresh, func(ctx context.Context, s *view.Snapshot) (_ []string, err error) {
			i, err = s.Info(ctx)
			return nil, err
		})
		if err != nil {
			t.Fatal(err)
		}
		return i
	}
	time.Sleep(600 * time.Millisecond) // what was younger is looked at again
	info(engine.Checked)
	was := info(engine.AsIndexed)
	info(engine.Checked)
	info(engine.WholeTree)
	if now := info(engine.AsIndexed); !now.Looked.Equal(was.Looked) || now.DiskUse != was.DiskUse {
		t.Errorf("looks without a change wrote: %v, %v", was, now)
	}
	p.git("commit", "-q", "--allow-empty", "-m", "empty")
	info(engine.Checked)
	if now := info(engine.AsIndexed); now.Commit != now.Head || now.Commit == was.Commit {
		t.Errorf("HEAD is %s, the index says %s", now.Head, now.Commit)
	}
}

package engine_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"ken/internal/engine"
	"ken/internal/engine/store"
	"ken/internal/engine/view"
	"ken/internal/store/sqlite"
)

// TestAnswerSoon: what little changed is taken into the index first; of a tree in which much did the index answers as it is, and the
// answer says so.
func TestAnswerSoon(t *testing.T) {
	root := t.TempDir()
	write := func(from, to int, name string) {
		t.Helper()
		for i := from; i < to; i++ {
			text := fmt.Sprintf("package a\n\nfunc %s%d() {}\n", name, i)
			if err := os.WriteFile(filepath.Join(root, fmt.Sprintf("f%d.go", i)), []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
	write(0, 100, "Old")
	e := engine.New(engine.Options{Root: root, Store: sqlite.New(filepath.Join(root, ".ken", "index.db"))})
	defer e.Close()
	ask := func(within time.Duration, name string) (found bool, soon engine.Soon, err error) {
		soon, err = e.AnswerSoon(context.Background(), within, func(ctx context.Context, s *view.Snapshot) ([]string, error) {
			list, _ := s.Definitions(ctx, name)
			found = len(list) > 0
			return nil, nil
		})
		return found, soon, err
	}
	if _, _, err := ask(time.Minute, "Old1"); !errors.Is(err, store.ErrNoIndex) {
		t.Errorf("without an index: %v", err)
	}
	if _, err := e.Update(context.Background(), engine.Request{Create: true}); err != nil {
		t.Fatal(err)
	}
	if found, soon, err := ask(time.Minute, "Old1"); !found || !soon.Checked || len(soon.Changes) != 0 || err != nil {
		t.Errorf("nothing changed: %v, %+v, %v", found, soon, err)
	}
	write(0, 3, "New")
	if found, soon, err := ask(time.Minute, "New1"); !found || !soon.Checked || len(soon.Changes) != 3 || err != nil {
		t.Errorf("little changed: %v, %+v, %v", found, soon, err)
	}
	write(0, 1, "Late")
	if found, soon, err := ask(time.Nanosecond, "Late0"); found || soon.Checked || err != nil {
		t.Errorf("no time: %v, %+v, %v", found, soon, err)
	}
	write(0, 100, "Newer")
	if found, soon, err := ask(time.Minute, "Newer1"); found || soon.Checked || err != nil {
		t.Errorf("much changed: %v, %+v, %v", found, soon, err)
	}
}

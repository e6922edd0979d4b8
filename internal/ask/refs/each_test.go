package refs_test

import (
	"context"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"ken/internal/ask/refs"
	"ken/internal/engine/enginetest"
	"ken/internal/engine/view"
)

// TestEach compares the references of each of all symbols of a name, found at once, with those found of each alone.
func TestEach(t *testing.T) {
	files, err := filepath.Glob("testdata/graph/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatal("no trees", err)
	}
	compared := 0
	for _, file := range files {
		archive, err := txtar.ParseFile(file)
		if err != nil {
			t.Fatal(err)
		}
		archive.Files = archive.Files[:len(archive.Files)-1] // the last holds answers
		enginetest.NewTxtar(t, txtar.Format(archive)).Ask(func(ctx context.Context, s *view.Snapshot) error {
			var names []string
			for name, err := range s.Index.Names() {
				if err != nil {
					return err
				}
				names = append(names, name)
			}
			for _, name := range names {
				targets, err := s.Definitions(ctx, name)
				if err != nil || len(targets) < 2 {
					continue // text is no declaration
				}
				got, err := refs.Each(ctx, s, targets)
				if err != nil {
					return err
				}
				for i := range targets {
					want, err := refs.References(ctx, s, targets[i:i+1])
					if err != nil {
						return err
					}
					if diff := cmp.Diff(want, got[i]); diff != "" {
						t.Errorf("%s: %s at %s: %s", file, name, targets[i].Path, diff)
					}
					compared++
				}
			}
			return nil
		})
	}
	if compared < 100 {
		t.Errorf("%d symbols were compared: the test has become small", compared)
	}
}

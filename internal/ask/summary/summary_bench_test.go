package summary_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"ken/internal/ask/summary"
	"ken/internal/engine"
	"ken/internal/engine/view"
	"ken/internal/store/sqlite"
)

// BenchmarkStart measures what a session's start waits for on the tree that KEN_CORPUS
// names, beside the whole summary and what `ken status` reads.
func BenchmarkStart(b *testing.B) {
	root := os.Getenv("KEN_CORPUS")
	if root == "" {
		b.Skip("KEN_CORPUS names no tree")
	}
	e := engine.New(engine.Options{Root: root, Store: sqlite.New(filepath.Join(b.TempDir(), "index.db"))})
	defer e.Close()
	if _, err := e.Update(context.Background(), engine.Request{Create: true}); err != nil {
		b.Fatal(err)
	}
	for name, ask := range map[string]func(context.Context, *view.Snapshot) error{
		"start": func(ctx context.Context, s *view.Snapshot) error {
			_, err := summary.Start(ctx, s, summary.NoPages())
			return err
		},
		"whole": func(ctx context.Context, s *view.Snapshot) error {
			_, err := summary.Of(ctx, s, summary.NoPages())
			return err
		},
		"totals": func(_ context.Context, s *view.Snapshot) error { _, err := s.Index.Totals(); return err },
		"ranked": func(_ context.Context, s *view.Snapshot) error {
			for _, err := range s.Index.Ranked() {
				if err != nil {
					return err
				}
			}
			return nil
		},
		"pending": func(ctx context.Context, s *view.Snapshot) error { _, err := s.Pending(ctx); return err },
	} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				err := e.Answer(context.Background(), engine.AsIndexed, func(ctx context.Context, s *view.Snapshot) ([]string, error) {
					return nil, ask(ctx, s)
				})
				if err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

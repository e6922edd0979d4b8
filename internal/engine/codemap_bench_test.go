package engine_test

import (
	"context"
	"testing"

	"ken/internal/ask/codemap"
	"ken/internal/engine/view"
)

// BenchmarkMap ranks the declarations a map of 2,000 tokens is chosen from,
// without a focus and around one file.
func BenchmarkMap(b *testing.B) {
	e := indexed(b)
	syms := sampleSymbols(b, e, 20)
	b.Run("plain", func(b *testing.B) {
		times(b, e, 1, func(ctx context.Context, s *view.Snapshot, _ int) error {
			_, err := codemap.Map(ctx, s, codemap.MapOptions{})
			return err
		})
	})
	b.Run("focus", func(b *testing.B) {
		times(b, e, len(syms), func(ctx context.Context, s *view.Snapshot, i int) error {
			_, err := codemap.Map(ctx, s, codemap.MapOptions{Focus: map[string]float64{syms[i].Path: 1}})
			return err
		})
	})
}

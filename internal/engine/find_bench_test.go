package engine_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	kenfind "ken/internal/ask/find"
	"ken/internal/engine"
	"ken/internal/engine/view"
)

// BenchmarkSearch asks with names and words of the project's own documentation:
// 6, 30 and 1,000 words.
func BenchmarkSearch(b *testing.B) {
	e := indexed(b)
	var pool []string
	for _, y := range sampleSymbols(b, e, 3000) {
		pool = append(pool, strings.Fields(y.Doc)...)
		pool = append(pool, y.Name)
	}
	for _, n := range []int{6, 30, 1000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			r := rand.New(rand.NewPCG(3, 4))
			var times []time.Duration
			for b.Loop() {
				at := r.IntN(max(1, len(pool)-n))
				q := strings.Join(pool[at:min(len(pool), at+n)], " ")
				start := time.Now()
				err := e.Answer(context.Background(), engine.AsIndexed, func(ctx context.Context, s *view.Snapshot) ([]string, error) {
					_, err := kenfind.Find(ctx, s, q, kenfind.SearchOptions{Limit: 10})
					return nil, err
				})
				if err != nil {
					b.Fatal(err)
				}
				times = append(times, time.Since(start))
			}
			slices.Sort(times)
			b.ReportMetric(float64(times[len(times)/2].Microseconds())/1000, "p50-ms")
			b.ReportMetric(float64(times[len(times)*95/100].Microseconds())/1000, "p95-ms")
		})
	}
}

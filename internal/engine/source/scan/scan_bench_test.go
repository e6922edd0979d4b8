package scan

import (
	"context"
	"os"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"

	"ken/internal/code"
)

// BenchmarkReadAll reads every file, with one buffer for each core.
func BenchmarkReadAll(b *testing.B) {
	dir := os.Getenv("KEN_BENCH_TREE")
	if dir == "" {
		b.Skip("KEN_BENCH_TREE names no tree")
	}
	s := mustNew(b, Options{Root: dir})
	l, err := s.List(b.Context(), nil)
	if err != nil {
		b.Fatal(err)
	}
	var bytes int64
	for _, e := range l.Files {
		if e.Problem == code.ProblemNone {
			bytes += e.Stat.Size
		}
	}
	b.SetBytes(bytes)
	b.ReportAllocs()
	for b.Loop() {
		var next atomic.Int64
		var wg sync.WaitGroup
		for range runtime.GOMAXPROCS(0) {
			wg.Go(func() {
				var buf Buffer
				for {
					i := int(next.Add(1)) - 1
					if i >= len(l.Files) {
						return
					}
					if l.Files[i].Problem != code.ProblemNone {
						continue
					}
					if _, err := s.ReadInto(context.Background(), l.Files[i].Path, &buf); err != nil {
						b.Error(err)
					}
				}
			})
		}
		wg.Wait()
	}
}

package engine_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"ken/internal/engine"
	"ken/internal/engine/view"

	store "ken/internal/store/sqlite"
)

// BenchmarkHistory asks the history of an indexed project, opened anew for every
// question as a process does, and once more where it is open already.
//
//	KEN_PAST=/repo go test ./internal/engine -run '^$' -bench BenchmarkHistory
func BenchmarkHistory(b *testing.B) {
	root := os.Getenv("KEN_PAST")
	if root == "" {
		b.Skip("KEN_PAST names an indexed project")
	}
	e := engine.New(engine.Options{Root: root, Store: store.New(filepath.Join(root, ".ken", "index.db"))})
	defer e.Close()
	var paths []string
	words := map[int][]view.HistoryTerm{30: nil, 1000: nil}
	with(b, e, func(ctx context.Context, s *view.Snapshot) error {
		info, err := s.HistoryInfo()
		if err != nil {
			return err
		}
		b.Logf("%+v", info)
		for n := range words {
			seen := map[view.HistoryTerm]bool{}
			for i := 0; i < info.Commits && len(words[n]) < n; i++ {
				c, err := s.PastCommit(i * 7919 % info.Commits)
				if err != nil {
					return err
				}
				for _, t := range view.MessageTerms(c.Subject, 1) {
					if !seen[t] && len(words[n]) < n {
						seen[t] = true
						words[n] = append(words[n], t)
					}
				}
				if len(paths) < 20 && len(c.Files) > 0 {
					paths = append(paths, c.Files[0])
				}
			}
		}
		return nil
	})
	asks := []struct {
		name string
		ask  func(ctx context.Context, s *view.Snapshot, i int) error
	}{
		{"learned30", func(ctx context.Context, s *view.Snapshot, _ int) error {
			_, err := s.LearnedFiles(ctx, words[30], 100)
			return err
		}},
		{"learned1000", func(ctx context.Context, s *view.Snapshot, _ int) error {
			_, err := s.LearnedFiles(ctx, words[1000], 100)
			return err
		}},
		{"similar30", func(ctx context.Context, s *view.Snapshot, _ int) error {
			_, err := s.SimilarCommits(ctx, words[30], 5)
			return err
		}},
		{"cochanged", func(ctx context.Context, s *view.Snapshot, i int) error {
			_, err := s.CoChanged(ctx, paths[i%len(paths)], 20)
			return err
		}},
		{"cochanged20", func(ctx context.Context, s *view.Snapshot, _ int) error {
			_, err := s.CoChangedAll(ctx, paths, 20)
			return err
		}},
		{"activity300", func(_ context.Context, s *view.Snapshot, _ int) error {
			for id := range int64(300) {
				if _, _, err := s.Activity(id + 1); err != nil {
					return err
				}
			}
			return nil
		}},
	}
	for _, a := range asks {
		b.Run(fmt.Sprint(a.name, "/new"), func(b *testing.B) {
			defer cpuPerOp(b)()
			for i := range b.N {
				with(b, e, func(ctx context.Context, s *view.Snapshot) error { return a.ask(ctx, s, i) })
			}
		})
		b.Run(fmt.Sprint(a.name, "/open"), func(b *testing.B) {
			with(b, e, func(ctx context.Context, s *view.Snapshot) error {
				if err := a.ask(ctx, s, 0); err != nil {
					return err
				}
				b.ResetTimer()
				defer cpuPerOp(b)()
				for i := range b.N {
					if err := a.ask(ctx, s, i); err != nil {
						return err
					}
				}
				return nil
			})
		})
	}
}

// with hands a snapshot of the index as it is to f.
func with(b *testing.B, e *engine.Engine, f func(context.Context, *view.Snapshot) error) {
	b.Helper()
	err := e.Answer(context.Background(), engine.AsIndexed, func(ctx context.Context, s *view.Snapshot) ([]string, error) { return nil, f(ctx, s) })
	if err != nil {
		b.Fatal(err)
	}
}

// cpuPerOp reports the processor time of the process: what other processes do
// does not count.
func cpuPerOp(b *testing.B) func() {
	now := func() float64 {
		var u syscall.Rusage
		if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
			b.Fatal(err)
		}
		return float64(u.Utime.Nano()+u.Stime.Nano()) / 1e3
	}
	start := now()
	return func() { b.ReportMetric((now()-start)/float64(b.N), "cpu-µs/op") }
}

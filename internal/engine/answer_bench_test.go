package engine_test

import (
	"context"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"ken/internal/ask/grep"
	"ken/internal/ask/refs"
	"ken/internal/engine"
	"ken/internal/engine/view"
	"ken/internal/lang"

	"ken/internal/store/sqlite"
)

// The benchmarks of this file ask an indexed project in process, without the
// look at the tree: KEN_INDEXED is its root (run `ken index` there first). They
// report the median and the 95th percentile over many different questions.

func indexed(b *testing.B) *engine.Engine {
	b.Helper()
	root := os.Getenv("KEN_INDEXED")
	if root == "" {
		b.Skip("KEN_INDEXED names no indexed project")
	}
	e := engine.New(engine.Options{Root: root, Store: sqlite.New(filepath.Join(root, ".ken", "index.db"))})
	b.Cleanup(func() { e.Close() })
	return e
}

// sampleSymbols picks exported functions, methods and types of source files, the
// same ones every time.
func sampleSymbols(b *testing.B, e *engine.Engine, n int) []view.Symbol {
	b.Helper()
	var all []view.Symbol
	err := e.Answer(context.Background(), engine.AsIndexed, func(ctx context.Context, s *view.Snapshot) ([]string, error) {
		for f, err := range s.Files(ctx) {
			if err != nil {
				return nil, err
			}
			if lang.NodeType(f) == "test" {
				continue
			}
			syms, err := s.Symbols(ctx, f.Path)
			if err != nil {
				return nil, err
			}
			for _, y := range syms {
				if y.Exported && (y.Kind.IsFunction() || y.Kind.IsType()) {
					all = append(all, y)
				}
			}
		}
		return nil, nil
	})
	if err != nil {
		b.Fatal(err)
	}
	r := rand.New(rand.NewPCG(1, 2))
	r.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	return all[:min(n, len(all))]
}

// times runs a question for every i and reports the distribution.
func times(b *testing.B, e *engine.Engine, n int, ask func(ctx context.Context, s *view.Snapshot, i int) error) {
	b.Helper()
	var took []time.Duration
	for b.Loop() {
		for i := range n {
			start := time.Now()
			err := e.Answer(context.Background(), engine.AsIndexed, func(ctx context.Context, s *view.Snapshot) ([]string, error) {
				return nil, ask(ctx, s, i)
			})
			if err != nil {
				b.Fatal(err)
			}
			took = append(took, time.Since(start))
		}
	}
	slices.Sort(took)
	b.ReportMetric(float64(took[len(took)/2].Microseconds())/1000, "p50-ms")
	b.ReportMetric(float64(took[len(took)*95/100].Microseconds())/1000, "p95-ms")
}

func BenchmarkReferences(b *testing.B) {
	e := indexed(b)
	syms := sampleSymbols(b, e, 300)
	times(b, e, len(syms), func(ctx context.Context, s *view.Snapshot, i int) error {
		_, err := refs.References(ctx, s, syms[i:i+1])
		return err
	})
}

func BenchmarkDependents3(b *testing.B) {
	e := indexed(b)
	syms := sampleSymbols(b, e, 300)
	times(b, e, len(syms), func(ctx context.Context, s *view.Snapshot, i int) error {
		_, err := refs.Dependents(ctx, s, view.Target{Symbols: syms[i : i+1]}, 3)
		return err
	})
}

func BenchmarkFileDependents3(b *testing.B) {
	e := indexed(b)
	syms := sampleSymbols(b, e, 300)
	times(b, e, len(syms), func(ctx context.Context, s *view.Snapshot, i int) error {
		_, err := refs.Dependents(ctx, s, view.Target{File: syms[i].Path}, 3)
		return err
	})
}

// BenchmarkPatternLiteral asks for names and signatures that hold three letters
// or more.
func BenchmarkPatternLiteral(b *testing.B) {
	e := indexed(b)
	syms := sampleSymbols(b, e, 100)
	times(b, e, len(syms)*3, func(ctx context.Context, s *view.Snapshot, i int) error {
		name := syms[i/3].Name
		q := view.PatternQuery{Function: name, Limit: 100}
		switch i % 3 {
		case 1:
			q = view.PatternQuery{Signature: name[:min(len(name), 5)], Limit: 100}
		case 2:
			q = view.PatternQuery{Signature: name + `\(.*\)`, Export: ".", Limit: 100}
		}
		_, err := grep.Pattern(ctx, s, q)
		return err
	})
}

// BenchmarkPatternLoose asks for patterns without three literal letters.
func BenchmarkPatternLoose(b *testing.B) {
	e := indexed(b)
	queries := []view.PatternQuery{
		{Signature: `[A-Z]\w+\(\w+ \w+, `}, {Function: `^[a-z]{3}[A-Z]`}, {Type: `.*`}, {Signature: `\b\d+\b`}, {Export: `^..$`}, {Function: `(?i)^is.y$`},
	}
	times(b, e, len(queries), func(ctx context.Context, s *view.Snapshot, i int) error {
		q := queries[i]
		q.Limit = 100
		_, err := grep.Pattern(ctx, s, q)
		return err
	})
}

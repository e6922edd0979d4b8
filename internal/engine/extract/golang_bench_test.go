package extract

import (
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
)

// corpus reads the files with extension ext below KEN_CORPUS, at most 500 KB each. It
// skips the test if that is not set or has none.
func corpus(t testing.TB, ext string) (paths []string, sources [][]byte) {
	t.Helper()
	dir := os.Getenv("KEN_CORPUS")
	if dir == "" {
		t.Skip("KEN_CORPUS names no directory")
	}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() || filepath.Ext(path) != ext {
			return err
		}
		src, err := os.ReadFile(path)
		if err != nil || len(src) > 500_000 {
			return err
		}
		paths, sources = append(paths, path), append(sources, src)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(paths) == 0 {
		t.Skipf("no *%s below %s", ext, dir)
	}
	return paths, sources
}

// BenchmarkGo reads the corpus, and parses it alone for comparison.
func BenchmarkGo(b *testing.B) {
	_, sources := corpus(b, ".go")
	size := int64(0)
	for _, s := range sources {
		size += int64(len(s))
	}
	b.Run("parse", func(b *testing.B) {
		b.SetBytes(size)
		for b.Loop() {
			for _, s := range sources {
				parser.ParseFile(token.NewFileSet(), "", s, goMode)
			}
		}
	})
	b.Run("extract", func(b *testing.B) {
		b.SetBytes(size)
		b.ReportAllocs()
		symbols, refs := 0, 0
		for b.Loop() {
			symbols, refs = 0, 0
			e := New()
			for _, s := range sources {
				f := e.Extract("f.go", "go", s)
				symbols, refs = symbols+len(f.Symbols), refs+len(f.Refs)
			}
			e.Close()
		}
		b.ReportMetric(float64(symbols), "symbols")
		b.ReportMetric(float64(refs), "refs")
	})
}

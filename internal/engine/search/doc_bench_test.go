package search

import (
	"io/fs"
	"os"
	"path/filepath"
	"testing"
)

// BenchmarkDoc counts the words of the files below KEN_CORPUS.
func BenchmarkDoc(b *testing.B) {
	root := os.Getenv("KEN_CORPUS")
	if root == "" {
		b.Skip("set KEN_CORPUS")
	}
	var texts [][]byte
	n := int64(0)
	filepath.WalkDir(root, func(p string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() && n < 100<<20 && filepath.Ext(p) != ".db" {
			if t, err := os.ReadFile(p); err == nil && len(t) < MaxText {
				texts = append(texts, t)
				n += int64(len(t))
			}
		}
		return nil
	})
	b.SetBytes(n)
	for b.Loop() {
		x, terms := NewIndexer(), 0
		for _, t := range texts {
			terms += len(x.Doc("", nil, t).Terms)
		}
		b.ReportMetric(float64(terms), "terms")
	}
}

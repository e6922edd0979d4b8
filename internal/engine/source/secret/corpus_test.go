package secret

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"sort"
	"testing"
)

// corpusFiles reads the files of the directory that KEN_CORPUS names, binary and huge ones left out.
func corpusFiles(tb testing.TB) map[string][]byte {
	tb.Helper()
	root := os.Getenv("KEN_CORPUS")
	if root == "" {
		tb.Skip("KEN_CORPUS names no directory")
	}
	files := map[string][]byte{}
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && d.Name() == ".git" {
			return fs.SkipDir
		}
		if !d.Type().IsRegular() {
			return nil
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		if len(text) < 1<<20 && bytes.IndexByte(text[:min(len(text), 8000)], 0) < 0 {
			rel, _ := filepath.Rel(root, path)
			files[rel] = text
		}
		return nil
	})
	if err != nil {
		tb.Fatal(err)
	}
	return files
}

// TestCorpus checks Find's promises over a real tree, and under -v lists what it found, for reading by hand.
func TestCorpus(t *testing.T) {
	files := corpusFiles(t)
	paths := make([]string, 0, len(files))
	for path := range files {
		paths = append(paths, path)
	}
	sort.Strings(paths)
	e := New()
	for _, path := range paths {
		text := files[path]
		found := e.Find(nil, text)
		for _, f := range found {
			lo, hi := lineAround(text, int(f.Start), int(f.End))
			t.Logf("%s %s:%d:%d %q", f.Rule, path, f.Line, f.Column, text[lo:hi])
		}
		checkPromises(t, e, text, found)
	}
}

// lineAround widens a span to the line it is on, a hundred bytes each way at most.
func lineAround(text []byte, lo, hi int) (int, int) {
	from, to := max(0, lo-100), min(len(text), lo+160)
	if i := bytes.LastIndexByte(text[from:lo], '\n'); i >= 0 {
		from += i + 1
	}
	if i := bytes.IndexByte(text[lo:to], '\n'); i >= 0 {
		to = lo + i
	}
	return from, max(to, from)
}

func BenchmarkFind(b *testing.B) {
	files := corpusFiles(b)
	total := 0
	texts := make([][]byte, 0, len(files))
	for _, text := range files {
		texts = append(texts, text)
		total += len(text)
	}
	e := New()
	var found []Finding
	for _, text := range texts[:min(len(texts), 100)] {
		found = e.Find(found[:0], text)
	}
	b.SetBytes(int64(total))
	b.ReportAllocs()
	for b.Loop() {
		for _, text := range texts {
			found = e.Find(found[:0], text)
		}
	}
}

func BenchmarkFirstFind(b *testing.B) {
	text := []byte("package main\n")
	b.ReportAllocs()
	for b.Loop() {
		New().Find(nil, text)
	}
}

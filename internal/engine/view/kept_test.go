package view_test

import (
	"context"
	"fmt"
	"testing"

	"ken/internal/engine/enginetest"
	"ken/internal/engine/view"
)

// TestKept: rows that are kept between answers are those that the index has, whatever callers do with what they get, and go
// with the state of the index they are of.
func TestKept(t *testing.T) {
	p := enginetest.New(t, map[string]string{
		"a/a.go": "package a\n\nfunc F() {}\n\ntype T struct{}\n", "a/b.go": "package a\n\nfunc G() { F() }\n", "c.md": "# Words of F\n",
	})
	read := func() (out string) {
		p.Ask(func(_ context.Context, s *view.Snapshot) error {
			for range 2 {
				out = ""
				for f, err := range s.Index.Files() {
					byPath, ok, err2 := s.Index.FileByPath(f.Path)
					byID, ok2, err3 := s.Index.FileByID(f.ID)
					rows, err4 := s.Index.Symbols(f.ID)
					out += fmt.Sprintln(f, err, byPath, ok, err2, byID, ok2, err3, rows, err4)
					for i := range rows {
						rows[i].Name, rows[i].Path = "changed", "changed"
					}
				}
				for row, err := range s.Index.Paths() {
					out += fmt.Sprintln(row, err)
				}
				for _, name := range []string{"F", "G", "none"} {
					rows, err := s.Index.SymbolsNamed(name)
					out += fmt.Sprintln(rows, err)
					for i := range rows {
						rows[i].Name = "changed"
					}
				}
				files, err := s.Index.PackageFiles("go", "a")
				out += fmt.Sprintln(files, err)
				for i := range files {
					files[i].Path = "changed"
				}
				_, ok, err := s.Index.FileByPath("none.go")
				_, ok2, err2 := s.Index.FileByID(1 << 40)
				out += fmt.Sprintln(ok, err, ok2, err2)
				for n := range int64(4) {
					data, err := s.Index.SearchBucket(n)
					out += fmt.Sprintln(data, err)
				}
			}
			return nil
		})
		return out
	}
	first := read()
	for range 3 {
		if again := read(); again != first {
			t.Fatalf("kept rows differ:\n%s\nfrom those read:\n%s", again, first)
		}
	}
	p.Write("a/b.go", "package a\n\nfunc H() {}\n")
	p.Update()
	if after := read(); after == first || read() != after {
		t.Error("what was kept is of an earlier state")
	}
}

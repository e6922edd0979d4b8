package project

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"ken/internal/code"
	"ken/internal/knowledge/entity"
)

// TestPackedPages: rows come back as they were, those of another version and lines of another form do not.
func TestPackedPages(t *testing.T) {
	rows := []pageRow{
		{Name: "a.md", Size: 5, Time: 7, Young: true, Path: "a\tb\\n.go", Type: "util", Status: "active", API: "0f", Current: "aGFzaA", Author: "agent", Updated: "2026-01-02", Purpose: "one\n\ttwo\\", Terms: []uint32{1, 1 << 31}},
		{Name: "b.md", Orders: true},
	}
	text := packRows(rows)
	if d := cmp.Diff(rows, unpackRows(text), cmp.Transformer("terms", func(t []uint32) string { return strings.Repeat("x", len(t)) })); d != "" {
		t.Errorf("rows come back changed (-before +after):\n%s", d)
	}
	if got := unpackRows("0" + text); got != nil {
		t.Errorf("rows of another version are read: %+v", got)
	}
	if got := unpackRows(text + "more\n\tx\n"); len(got) != len(rows) {
		t.Errorf("%d rows of a text with lines of another form, want %d", len(got), len(rows))
	}
}

// TestCurrentPage: a row that was current at the content that a file has now is so without a look at declarations, for which there is
// no snapshot here.
func TestCurrentPage(t *testing.T) {
	f := code.File{Path: "a.go", Hash: [32]byte{1, 2, 3}}
	r := pageRow{Path: "a.go", API: "0f", Current: fileHash(&f)}
	if current, err := r.isCurrent(t.Context(), nil, &f); err != nil || !current {
		t.Errorf("current: %v, %v; want true", current, err)
	}
	f.Hash[0] = 9
	if r.Current == fileHash(&f) {
		t.Error("the hash of other content is the same")
	}
}

// TestCurrentPagesOfLink: a folder of pages behind a link is not read.
func TestCurrentPagesOfLink(t *testing.T) {
	root, other := t.TempDir(), t.TempDir()
	if err := os.WriteFile(filepath.Join(other, "a.md"), []byte("---\npath: a.go\n---\n\n## Purpose\n\nx\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(root, filepath.FromSlash(entity.Dir))
	if err := os.MkdirAll(filepath.Dir(dir), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(other, dir); err != nil {
		t.Skip(err)
	}
	if rows, _ := currentRows(entity.Folder{Root: root}, nil, maxPages, func(s string) string { return s }); len(rows) > 0 {
		t.Errorf("%d pages behind a link are read", len(rows))
	}
}

// TestCurrentRows: a page is read again when its file has changed, also in place, and one that is gone is dropped.
func TestCurrentRows(t *testing.T) {
	folder := entity.Folder{Root: t.TempDir()}
	dir := filepath.Join(folder.Root, filepath.FromSlash(entity.Dir))
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	old := time.Now().Add(-time.Hour)
	write := func(name, purpose string, at time.Time) {
		t.Helper()
		page := "---\npath: " + name + ".go\ntype: util\n---\n\n## Purpose\n\n" + purpose + "\n"
		path := filepath.Join(dir, name+".md")
		if err := os.WriteFile(path, []byte(page), 0o644); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(path, at, at); err != nil {
			t.Fatal(err)
		}
	}
	hide := func(s string) string { return s }
	write("a", "Keeps orders apart.", old)
	write("b", "Counts the hours.", old)
	write("young", "Counts the days.", time.Now())
	first, changed := currentRows(folder, nil, maxPages, hide)
	if len(first) != 3 || !changed || !first[2].Young {
		t.Fatalf("%d rows, changed %v: %+v", len(first), changed, first)
	}
	steps := []struct {
		name    string
		change  func()
		changed bool
		want    string
	}{
		{"as it was", func() { write("young", "Counts the days.", old) }, true, "Keeps orders apart. Counts the hours. Counts the days."},
		{"again", func() {}, false, "Keeps orders apart. Counts the hours. Counts the days."},
		{"in place", func() { write("b", "Counts the weeks", old.Add(time.Second)) }, true, "Keeps orders apart. Counts the weeks Counts the days."},
		{"gone", func() { os.Remove(filepath.Join(dir, "a.md")) }, true, "Counts the weeks Counts the days."},
	}
	kept := first
	for _, s := range steps {
		s.change()
		rows, changed := currentRows(folder, kept, maxPages, hide)
		var texts []string
		for _, r := range rows {
			texts = append(texts, r.Purpose)
		}
		if got := strings.Join(texts, " "); got != s.want || changed != s.changed {
			t.Errorf("%s: changed %v, %q; want %v, %q", s.name, changed, got, s.changed, s.want)
		}
		kept = rows
	}
	if rows, _ := currentRows(folder, nil, 1, hide); len(rows) != 1 {
		t.Errorf("%d pages are read, want 1", len(rows))
	}
}

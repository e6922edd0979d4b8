package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sort"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"

	"ken/bench/world"
)

// place is the position of a name: a line from 1 and a column from 0, in units of
// UTF-16, because language servers, TypeScript and javac count in them.
type place struct {
	Path   string `json:"path"`
	Line   int    `json:"line"`
	Column int    `json:"column"`
}

// sourceTree is a working tree and the texts of it that were needed so far.
type sourceTree struct {
	dir     string
	files   []string // all that git tracks
	sources []string // those of the language
	texts   map[string]*text
}

func openTree(ctx context.Context, dir string, l measuredLanguage) (*sourceTree, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	if dir, err = filepath.EvalSymlinks(dir); err != nil {
		return nil, err
	}
	out, err := world.Git(ctx, dir, "ls-files", "-z")
	if err != nil {
		return nil, err
	}
	t := &sourceTree{dir: dir, texts: map[string]*text{}}
	for f := range strings.SplitSeq(strings.TrimSuffix(out, "\x00"), "\x00") {
		if info, err := os.Lstat(filepath.Join(dir, f)); err != nil || !info.Mode().IsRegular() {
			continue
		}
		t.files = append(t.files, f)
		if slices.Contains(l.extensions, filepath.Ext(f)) && !strings.HasSuffix(f, ".min.js") {
			t.sources = append(t.sources, f)
		}
	}
	return t, nil
}

// text is a file's bytes and where its lines begin.
type text struct {
	bytes []byte
	lines []int
}

// fileText reads a file of the tree. One that cannot be read is empty, because an
// oracle may name a file that is gone.
func (t *sourceTree) fileText(path string) *text {
	if x := t.texts[path]; x != nil {
		return x
	}
	b, err := os.ReadFile(filepath.Join(t.dir, path))
	if err != nil {
		b = nil
	}
	x := &text{bytes: b, lines: []int{0}}
	for i, c := range b {
		if c == '\n' {
			x.lines = append(x.lines, i+1)
		}
	}
	t.texts[path] = x
	return x
}

// placeAt is that of a byte.
func (t *sourceTree) placeAt(path string, offset int) place {
	x := t.fileText(path)
	offset = min(max(offset, 0), len(x.bytes))
	line := sort.SearchInts(x.lines, offset+1)
	start := x.lines[line-1]
	if start == 0 && offset >= 3 && bytes.HasPrefix(x.bytes, []byte("\ufeff")) {
		start = 3
	}
	return place{path, line, len(utf16.Encode([]rune(string(x.bytes[start:offset]))))}
}

// byteOffset is the byte of a place.
func (t *sourceTree) byteOffset(p place) int {
	x := t.fileText(p.Path)
	if p.Line < 1 || p.Line > len(x.lines) {
		return len(x.bytes)
	}
	i := x.lines[p.Line-1]
	if i == 0 && bytes.HasPrefix(x.bytes, []byte("\ufeff")) {
		i = 3
	}
	for column := 0; column < p.Column && i < len(x.bytes); {
		r, size := utf8.DecodeRune(x.bytes[i:])
		column += max(utf16.RuneLen(r), 1)
		i += size
	}
	return i
}

// lineText is the source line of a place, without space around it.
func (t *sourceTree) lineText(p place) string {
	x := t.fileText(p.Path)
	if p.Line < 1 || p.Line > len(x.lines) {
		return ""
	}
	end := len(x.bytes)
	if p.Line < len(x.lines) {
		end = x.lines[p.Line]
	}
	return strings.TrimSpace(string(x.bytes[x.lines[p.Line-1]:end]))
}

// wordAt is the identifier at a place, "" if there is none.
func (t *sourceTree) wordAt(p place) string {
	b := t.fileText(p.Path).bytes
	i := t.byteOffset(p)
	end := i
	for end < len(b) {
		r, size := utf8.DecodeRune(b[end:])
		if !isWordRune(r) {
			break
		}
		end += size
	}
	return string(b[i:end])
}

// namePlaces are the places of a name between two bytes, as whole words; at most
// the first eight, because a declaration has its name near its beginning.
func (t *sourceTree) namePlaces(path, name string, start, end int) []place {
	b := t.fileText(path).bytes
	end = min(end, len(b))
	var list []place
	for start < end && len(list) < 8 {
		i := bytes.Index(b[start:end], []byte(name))
		if i < 0 {
			break
		}
		i += start
		before, _ := utf8.DecodeLastRune(b[:i])
		after, _ := utf8.DecodeRune(b[i+len(name):])
		if !isWordRune(before) && !isWordRune(after) {
			list = append(list, t.placeAt(path, i))
		}
		start = i + len(name)
	}
	return list
}

func isWordRune(r rune) bool {
	return r == '_' || r == '$' || unicode.IsLetter(r) || unicode.IsDigit(r)
}

// String is PATH:LINE:COLUMN, with the column from 1 as editors count.
func (p place) String() string { return fmt.Sprintf("%s:%d:%d", p.Path, p.Line, p.Column+1) }

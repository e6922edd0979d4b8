// Package document reads a Markdown text of a planning folder: front matter, headings, lists,
// tables, fields and tagged blocks, each with the bytes that it is made of. Nothing is ever
// written from a tree. A change replaces the bytes of one part (package edit), so whatever is
// not named stays: line endings, byte order mark, odd encodings, unknown sections.
//
// What is read follows CommonMark where it matters for planning: a heading begins its line, and
// what is in a code fence or a comment is neither heading nor field nor list. Reading never
// fails. What looks wrong is a problem with its line.
//
// Package yamltree reads the front matter. Packages roadmap, state and artefact beside this one know what the
// parts mean.
package document

import (
	"sort"
	"strings"
	"unicode/utf8"

	"ken/internal/workflow/plan/edit"
	"ken/internal/workflow/plan/yamltree"
)

// Kind says what a line belongs to.
type Kind uint8

// The kinds of lines. Only lines of Text hold headings, fields, lists, tables and tags.
const (
	Text    Kind = iota
	Front        // front matter, with the lines --- around it
	Fence        // a line that opens or closes a code fence
	Code         // inside a code fence
	Comment      // in an HTML comment that begins its line
)

const mark = "\ufeff"

// Document is a text and where its parts are. It does not change.
type Document struct {
	text     string
	starts   []int // of each line; the last is the length of the text
	kinds    []Kind
	headings []Heading
	fronts   []*yamltree.Tree
	body     int // the first line after the front matter
	problems []edit.Problem
	conflict int // the first line of a merge conflict, from 1
}

// Range is a stretch of lines: from From up to To, without the one at To. Lines count from 0.
type Range struct{ From, To int }

// Parse reads a text. Its cost is linear in the length.
func Parse(text string) *Document {
	d := &Document{text: text}
	d.split()
	d.readFronts()
	d.classify()
	d.readHeadings()
	d.checkText()
	return d
}

// Text is the text that was read.
func (d *Document) Text() string { return d.text }

// Problems are what is wrong with the text, front matter included.
func (d *Document) Problems() []edit.Problem {
	list := append([]edit.Problem{}, d.problems...)
	for _, f := range d.fronts {
		list = append(list, f.Problems...)
	}
	sort.SliceStable(list, func(i, j int) bool { return list[i].Line < list[j].Line })
	return list
}

// Conflict is the line, from 1, at which an unresolved merge conflict begins; 0 if there is none.
// Such a text is read and not written: which side a field belongs to cannot be known.
func (d *Document) Conflict() int { return d.conflict }

// Front is the front matter, nil if there is none. Where several blocks follow each other it is
// the first: the others are what programs left that put a new block before the old one.
func (d *Document) Front() *yamltree.Tree {
	if len(d.fronts) == 0 {
		return nil
	}
	return d.fronts[0]
}

// Fronts are all blocks of front matter at the beginning.
func (d *Document) Fronts() []*yamltree.Tree { return d.fronts }

// Lines is the number of lines. A text that ends with a line ending has no empty line after it.
func (d *Document) Lines() int { return len(d.kinds) }

// Kind says what a line belongs to.
func (d *Document) Kind(line int) Kind { return d.kinds[line] }

// Span is where a line is, without its ending.
func (d *Document) Span(line int) edit.Span {
	s := edit.Span{Start: d.starts[line], End: d.starts[line+1]}
	if s.Len() > 0 && d.text[s.End-1] == '\n' {
		s.End--
		if s.Len() > 0 && d.text[s.End-1] == '\r' {
			s.End--
		}
	}
	if line == 0 && strings.HasPrefix(d.text, mark) {
		s.Start = len(mark)
	}
	return s
}

// Line is the text of a line, without its ending and, in the first, without a byte order mark.
func (d *Document) Line(line int) string { return d.Span(line).In(d.text) }

// Start is where a line begins; for the number of lines it is the end of the text.
func (d *Document) Start(line int) int { return d.starts[line] }

// LineAt is the line that holds a byte.
func (d *Document) LineAt(offset int) int {
	return min(sort.Search(len(d.starts), func(i int) bool { return d.starts[i] > offset })-1, max(len(d.kinds)-1, 0))
}

// Newline is the line ending of the text, that of its first line.
func (d *Document) Newline() string {
	if i := strings.IndexByte(d.text, '\n'); i > 0 && d.text[i-1] == '\r' {
		return "\r\n"
	}
	return "\n"
}

// Body are all lines after the front matter.
func (d *Document) Body() Range { return Range{d.body, d.Lines()} }

// Bytes is the span of lines, endings included.
func (d *Document) Bytes(r Range) edit.Span {
	return edit.Span{Start: d.starts[r.From], End: d.starts[r.To]}
}

// Apply makes edits and reads the new text.
func (d *Document) Apply(edits []edit.Edit) (*Document, error) {
	if len(edits) == 0 {
		return d, nil
	}
	text, err := edit.Apply(d.text, edits)
	if err != nil {
		return nil, err
	}
	return Parse(text), nil
}

func (d *Document) split() {
	n := strings.Count(d.text, "\n") + 1
	d.starts = make([]int, 1, n+1)
	for at := 0; ; {
		i := strings.IndexByte(d.text[at:], '\n')
		if i < 0 {
			break
		}
		at += i + 1
		d.starts = append(d.starts, at)
	}
	if d.starts[len(d.starts)-1] != len(d.text) {
		d.starts = append(d.starts, len(d.text))
	}
	d.kinds = make([]Kind, len(d.starts)-1)
}

func (d *Document) checkText() {
	if utf8.ValidString(d.text) && strings.IndexByte(d.text, 0) < 0 {
		return
	}
	for i := range d.kinds {
		line := d.text[d.starts[i]:d.starts[i+1]]
		if !utf8.ValidString(line) {
			d.problem(i, "bytes that are no UTF-8")
			return
		}
		if strings.IndexByte(line, 0) >= 0 {
			d.problem(i, "a NUL byte")
			return
		}
	}
}

func (d *Document) problem(line int, why string) {
	d.problems = append(d.problems, edit.Problem{Line: line + 1, Why: why})
}

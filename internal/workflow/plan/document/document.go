// Package document reads a Markdown text of a planning folder: front matter, headings, lists, tables, fields and tagged blocks, each with
// the bytes that it occupies. A text is never written from the parsed parts. A change replaces the bytes of one part (package edit), so
// everything else stays: line endings, byte order mark, odd encodings, unknown sections.
//
// It follows CommonMark where that matters for planning: a heading begins its line, and text in a code fence or a comment is neither
// heading nor field nor list. Reading never fails. Each defect becomes a problem with its line.
//
// Package yamltree reads the front matter. Packages roadmap, state and artefact beside this one interpret the parts.
package document

import (
	"sort"
	"strings"
	"unicode/utf8"

	"ken/internal/workflow/plan/edit"
	"ken/internal/workflow/plan/yamltree"
)

// Kind is the kind of a line: ordinary text, front matter, code or comment.
type Kind uint8

// The kinds of lines. Headings, fields, lists, tables and tags are only in lines of the kind Text.
const (
	Text    Kind = iota
	Front        // front matter, with the lines --- around it
	Fence        // a line that opens or closes a code fence
	Code         // inside a code fence
	Comment      // in an HTML comment that begins its line
)

const mark = "\ufeff"

// The problems of what is no text.
const (
	notUTF8 = "bytes that are not UTF-8"
	hasNUL  = "a NUL byte"
)

// Document is a text with the positions of its parts. It does not change.
type Document struct {
	text     string
	starts   []int // the offset of each line; the last is the length of the text
	kinds    []Kind
	headings []Heading
	fronts   []*yamltree.Tree
	body     int // the first line after the front matter
	problems []edit.Problem
	conflict int // the first line of a merge conflict, from 1
	unclosed int // the line of a front matter without an end, from 1
}

// Range is a range of lines, without the one at To. Lines count from 0.
type Range struct{ From, To int }

// Parse reads a text, in time proportional to its length.
func Parse(text string) *Document {
	d := &Document{text: text}
	d.splitLines()
	d.readFronts()
	d.classifyLines()
	d.readHeadings()
	d.checkText()
	return d
}

// Text returns the text that was read.
func (d *Document) Text() string { return d.text }

// Problems returns the defects of the text and of its front matter.
func (d *Document) Problems() []edit.Problem {
	list := append([]edit.Problem{}, d.problems...)
	for _, f := range d.fronts {
		list = append(list, f.Problems...)
	}
	sort.SliceStable(list, func(i, j int) bool { return list[i].Line < list[j].Line })
	return list
}

// ConflictLine returns the line, from 1, at which an unresolved merge conflict begins, or 0 if there is none. A text with a conflict is
// read but not written, because it is unknown to which side a field belongs.
func (d *Document) ConflictLine() int { return d.conflict }

// FrontMatter returns the front matter, or nil if there is none. Of several blocks of front matter it returns the first, because some
// programs put a new block before the old one.
func (d *Document) FrontMatter() *yamltree.Tree {
	if len(d.fronts) == 0 {
		return nil
	}
	return d.fronts[0]
}

// AllFrontMatter returns all blocks of front matter at the beginning of the text.
func (d *Document) AllFrontMatter() []*yamltree.Tree { return d.fronts }

// LineCount returns the number of lines. A text that ends with a line ending has no empty line after it.
func (d *Document) LineCount() int { return len(d.kinds) }

// Kind returns the kind of a line.
func (d *Document) Kind(line int) Kind { return d.kinds[line] }

// Span returns the span of a line, without its ending.
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

// Line returns the text of a line without its line ending. The first line is returned without a byte order mark.
func (d *Document) Line(line int) string { return d.Span(line).Text(d.text) }

// LineStart returns the offset at which a line begins. Start(d.Lines()) is the end of the text.
func (d *Document) LineStart(line int) int { return d.starts[line] }

// LineAt returns the line that contains the byte at an offset.
func (d *Document) LineAt(offset int) int {
	return min(sort.Search(len(d.starts), func(i int) bool { return d.starts[i] > offset })-1, max(len(d.kinds)-1, 0))
}

// Newline returns the line ending of the first line.
func (d *Document) Newline() string {
	if i := strings.IndexByte(d.text, '\n'); i > 0 && d.text[i-1] == '\r' {
		return "\r\n"
	}
	return "\n"
}

// Body returns all lines after the front matter.
func (d *Document) Body() Range { return Range{d.body, d.LineCount()} }

// BytesOf returns the span of a range of lines, with their line endings.
func (d *Document) BytesOf(r Range) edit.Span {
	return edit.Span{Start: d.starts[r.From], End: d.starts[r.To]}
}

// Apply makes edits and reads the new text. It fails as edit.Apply does.
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

func (d *Document) splitLines() {
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
			d.addProblem(i, notUTF8)
			return
		}
		if strings.IndexByte(line, 0) >= 0 {
			d.addProblem(i, hasNUL)
			return
		}
	}
}

func (d *Document) addProblem(line int, why string) {
	d.problems = append(d.problems, edit.Problem{Line: line + 1, Why: why})
}

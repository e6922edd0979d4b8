package document

import (
	"strings"

	"ken/internal/workflow/plan/edit"
)

// Heading is a heading of the first to sixth level, written with as many # before its text.
type Heading struct {
	Level int
	Line  int
	Text  edit.Span // without the characters #
	// End is the line after the section: the next heading of this level or a higher one.
	End int
}

// Section returns the lines below the heading, including those of subordinate headings.
func (h Heading) Section() Range { return Range{h.Line + 1, h.End} }

// OwnLines returns the lines below the heading up to the next heading of any level.
func (d *Document) OwnLines(h Heading) Range {
	i := d.headingAfter(h.Line)
	if i < len(d.headings) {
		return Range{h.Line + 1, min(h.End, d.headings[i].Line)}
	}
	return h.Section()
}

// headingAfter returns the index of the first heading after a line.
func (d *Document) headingAfter(line int) int {
	low, high := 0, len(d.headings)
	for low < high {
		mid := (low + high) / 2
		if d.headings[mid].Line > line {
			high = mid
		} else {
			low = mid + 1
		}
	}
	return low
}

// Headings returns all headings, in order.
func (d *Document) Headings() []Heading { return d.headings }

// HeadingsIn returns the headings in a range of lines.
func (d *Document) HeadingsIn(r Range) []Heading {
	return d.headings[d.headingAfter(r.From-1):d.headingAfter(r.To-1)]
}

// FindHeading returns the first heading in a range whose text is one of the names, ignoring case.
func (d *Document) FindHeading(r Range, names ...string) (Heading, bool) {
	for _, h := range d.HeadingsIn(r) {
		for _, name := range names {
			if strings.EqualFold(h.Text.Text(d.text), name) {
				return h, true
			}
		}
	}
	return Heading{}, false
}

func (d *Document) readHeadings() {
	var open []int // indexes of headings whose section has not ended
	for i := d.body; i < d.LineCount(); i++ {
		if d.kinds[i] != Text {
			continue
		}
		h, ok := d.headingAt(i)
		if !ok {
			continue
		}
		for len(open) > 0 && d.headings[open[len(open)-1]].Level >= h.Level {
			d.headings[open[len(open)-1]].End = i
			open = open[:len(open)-1]
		}
		open = append(open, len(d.headings))
		d.headings = append(d.headings, h)
	}
	for _, i := range open {
		d.headings[i].End = d.LineCount()
	}
}

func (d *Document) headingAt(line int) (Heading, bool) {
	s := d.Span(line)
	text := s.Text(d.text)
	rest := strings.TrimLeft(text, " ")
	if len(text)-len(rest) > 3 || rest == "" || rest[0] != '#' {
		return Heading{}, false
	}
	after := strings.TrimLeft(rest, "#")
	level := len(rest) - len(after)
	if level > 6 || after != "" && after[0] != ' ' && after[0] != '\t' {
		return Heading{}, false
	}
	s.Start = s.End - len(after)
	s = s.Trim(d.text)
	// A heading may end with # after a blank, which is not part of its text.
	inner := strings.TrimRight(s.Text(d.text), "#")
	if len(inner) < s.Len() && (inner == "" || strings.HasSuffix(inner, " ")) {
		s.End = s.Start + len(strings.TrimRight(inner, " \t"))
	}
	return Heading{Level: level, Line: line, Text: s}, true
}

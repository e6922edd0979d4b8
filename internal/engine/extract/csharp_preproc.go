package extract

import (
	"bytes"

	"ken/internal/engine/extract/lexical"
)

// The grammar knows #if only around whole declarations and statements. If there is
// one elsewhere, in a list of base types or between a header and its brace, the file
// is read again with the first side of that condition alone.

// csGroup is an #if … #endif. lines are the ranges of its directives.
type csGroup struct{ lines []byteRange }

// csharpFirstSides returns src with only the first branch of those conditionals
// (#if … #endif) that a syntax error touches, without their directives. It
// returns nil if there are none.
func csharpFirstSides(f *file, src []byte) []byte {
	if !bytes.Contains(src, []byte("#if")) && !bytes.Contains(src, []byte("# if")) {
		return nil
	}
	errors := f.errorSpans()
	var clean []byte
	next := 0
	for _, g := range csGroups(src) { // both are in order, and errors do not overlap
		last := g.lines[len(g.lines)-1]
		for next < len(errors) && errors[next].end < g.lines[0].start {
			next++
		}
		if next == len(errors) {
			break
		}
		if errors[next].start > last.end {
			continue
		}
		if clean == nil {
			clean = bytes.Clone(src)
		}
		lexical.BlankBytes(clean[g.lines[0].start:g.lines[0].end])
		if len(g.lines) > 1 {
			lexical.BlankBytes(clean[g.lines[1].start:last.end])
		}
	}
	return clean
}

// errorSpans returns the spans of the outermost syntax errors, in order. They include
// the white space before an error, because the grammar puts a missing token after that.
func (t *tree) errorSpans() (spans []byteRange) {
	covered := node(0)
	for i := range t.nodes {
		r := &t.nodes[i]
		if r.flags&(flagError|flagMissing) == 0 || node(i) < covered {
			continue
		}
		covered = node(r.next)
		start := r.start
		for start > 0 && t.text[start-1] <= ' ' {
			start--
		}
		spans = append(spans, byteRange{start, r.end})
	}
	return spans
}

// csGroups lists the conditionals (#if … #endif) of a source in the order of their first lines.
func csGroups(src []byte) []csGroup {
	var groups []csGroup
	var open []int
	start := uint32(0)
	for line := range bytes.Lines(src) {
		l := byteRange{start, start + uint32(len(bytes.TrimRight(line, "\r\n")))}
		start += uint32(len(line))
		word, ok := bytes.CutPrefix(bytes.TrimLeft(line, " \t\ufeff"), []byte("#"))
		if !ok {
			continue
		}
		word = bytes.TrimLeft(word, " \t")
		switch {
		case bytes.HasPrefix(word, []byte("if")):
			open = append(open, len(groups))
			groups = append(groups, csGroup{[]byteRange{l}})
		case len(open) == 0:
		case bytes.HasPrefix(word, []byte("el")):
			g := &groups[open[len(open)-1]]
			g.lines = append(g.lines, l)
		case bytes.HasPrefix(word, []byte("endif")):
			g := &groups[open[len(open)-1]]
			g.lines = append(g.lines, l)
			open = open[:len(open)-1]
		}
	}
	return groups
}

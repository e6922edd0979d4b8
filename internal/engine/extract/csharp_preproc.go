package extract

import "bytes"

// The grammar knows #if only around whole declarations and statements. Where it
// stands elsewhere, in a list of base types or between a header and its brace,
// the file is read again with the first side of that condition alone.

// csGroup is one #if … #endif: the places of its directives' lines.
type csGroup struct{ lines []csLine }

// csLine is bytes [start, end) of a directive's line.
type csLine struct{ start, end uint32 }

// csharpFirstSides is src with the directives and the other sides of those
// conditions made blank that an error touches, nil if there are none.
func csharpFirstSides(t *tree, src []byte) []byte {
	if !bytes.Contains(src, []byte("#if")) && !bytes.Contains(src, []byte("# if")) {
		return nil
	}
	errors := t.errorSpans()
	var clean []byte
	next := 0
	for _, g := range csGroups(src) { // by their first line; errors do not overlap
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
		blank(clean[g.lines[0].start:g.lines[0].end])
		if len(g.lines) > 1 {
			blank(clean[g.lines[1].start:last.end])
		}
	}
	return clean
}

// errorSpans are where the outermost errors stand, in order; what is missing has
// the space before it as well.
func (t *tree) errorSpans() (spans []csLine) {
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
		spans = append(spans, csLine{start, r.end})
	}
	return spans
}

// csGroups lists the conditions of a source in the order of their first lines.
func csGroups(src []byte) []csGroup {
	var groups []csGroup
	var open []int
	at := uint32(0)
	for line := range bytes.Lines(src) {
		l := csLine{at, at + uint32(len(bytes.TrimRight(line, "\r\n")))}
		at += uint32(len(line))
		word, ok := bytes.CutPrefix(bytes.TrimLeft(line, " \t\ufeff"), []byte("#"))
		if !ok {
			continue
		}
		word = bytes.TrimLeft(word, " \t")
		switch {
		case bytes.HasPrefix(word, []byte("if")):
			open = append(open, len(groups))
			groups = append(groups, csGroup{[]csLine{l}})
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

// blank makes everything but line breaks a space.
func blank(b []byte) {
	for i := range b {
		if b[i] != '\n' && b[i] != '\r' {
			b[i] = ' '
		}
	}
}

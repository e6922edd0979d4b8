package extract

import (
	"bytes"
	"slices"
)

// openConditionals is src without the directives of those conditionals that an
// error cuts, nil if there are none. An error between #if and #endif can make the
// grammar give up on all that lies between the two, and around most headers stands
// a guard. Without its directives a conditional's branches, which maskC has left only
// where each is a list of whole declarations, are read one after the other.
func openConditionals(t *tree, src []byte) []byte {
	errors := t.errorSpans()
	tokens, _ := lexC(src)
	m := masker{src: src, tokens: tokens}
	var clean []byte
	for _, marks := range m.groups() {
		if !slices.ContainsFunc(marks, func(i int) bool { return within(errors, tokens[i].start) }) {
			continue
		}
		if clean == nil {
			clean = bytes.Clone(src)
		}
		for _, i := range marks {
			blank(clean[tokens[i].start:tokens[i].end])
		}
	}
	return clean
}

// groups lists the conditionals of a source, each as the tokens of its directives.
func (m *masker) groups() (groups [][]int) {
	var open []int
	for i := range m.tokens {
		if m.tokens[i].kind != tokDirective {
			continue
		}
		switch m.directive(i) {
		case "if", "ifdef", "ifndef":
			open = append(open, len(groups))
			groups = append(groups, []int{i})
		case "elif", "else", "elifdef", "elifndef", "endif":
			if len(open) == 0 {
				continue
			}
			g := open[len(open)-1]
			groups[g] = append(groups[g], i)
			if m.directive(i) == "endif" {
				open = open[:len(open)-1]
			}
		}
	}
	return groups
}

// within reports whether one of the spans, which are in order, holds the place.
func within(spans []csLine, at uint32) bool {
	i, _ := slices.BinarySearchFunc(spans, at, func(s csLine, at uint32) int {
		if s.end <= at {
			return -1
		}
		return 1
	})
	return i < len(spans) && spans[i].start <= at
}

// definitions blanks comments within the bodies of macros: the grammar takes one for
// the end of the definition.
func (m *masker) definitions() {
	for i, t := range m.tokens {
		if t.kind != tokDirective || !bytes.Contains(m.src[t.start:t.end], []byte("/*")) || m.directive(i) != "define" {
			continue
		}
		for at := int(t.start); at < int(t.end); {
			if !bytes.HasPrefix(m.src[at:t.end], []byte("/*")) {
				at = skipCBody(m.src[:t.end], at)
				continue
			}
			n := bytes.Index(m.src[at+2:t.end], []byte("*/"))
			if n < 0 {
				break
			}
			end := at + 2 + n + 2
			if len(bytes.TrimLeft(m.src[end:t.end], " \t\r\n")) > 0 {
				m.blank = append(m.blank, byteRange{uint32(at), uint32(end)})
			}
			at = end
		}
	}
}

// skipCBody is the place behind the byte at i, or behind the string or character that
// begins there.
func skipCBody(src []byte, i int) int {
	c := src[i]
	i++
	if c != '"' && c != '\'' {
		return i
	}
	for ; i < len(src) && src[i] != '\n'; i++ {
		switch src[i] {
		case '\\':
			i++
		case c:
			return i + 1
		}
	}
	return min(i, len(src))
}

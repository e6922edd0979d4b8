package extract

import (
	"bytes"
	"slices"

	"ken/internal/engine/extract/lexical"
)

// openConditionals returns src without the directives of conditionals (#if … #endif)
// that contain a syntax error, or nil if there are none. Such an error can make the
// grammar give up on everything between #if and #endif. Because most headers are
// wrapped in one conditional, that may be the whole file. Without the directives the
// branches are read one after the other. This is safe because maskC leaves only
// branches that are whole declarations.
func openConditionals(f *file, src []byte) []byte {
	errors := f.errorSpans()
	tokens, _ := lexC(src)
	m := masker{src: src, tokens: tokens}
	var clean []byte
	for _, marks := range m.conditionalGroups() {
		if !slices.ContainsFunc(marks, func(i int) bool { return inSpans(errors, tokens[i].start) }) {
			continue
		}
		if clean == nil {
			clean = bytes.Clone(src)
		}
		for _, i := range marks {
			lexical.BlankBytes(clean[tokens[i].start:tokens[i].end])
		}
	}
	return clean
}

// conditionalGroups lists the conditionals of a source, each as the tokens of its directives.
func (m *masker) conditionalGroups() (groups [][]int) {
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

// inSpans reports whether one of the spans, which are sorted, contains offset off.
func inSpans(spans []byteRange, off uint32) bool {
	i, _ := slices.BinarySearchFunc(spans, off, func(s byteRange, off uint32) int {
		if s.end <= off {
			return -1
		}
		return 1
	})
	return i < len(spans) && spans[i].start <= off
}

// blankMacroComments blanks comments inside the text of macros, because the
// grammar ends the macro at such a comment.
func (m *masker) blankMacroComments() {
	for i, t := range m.tokens {
		if t.kind != tokDirective || !bytes.Contains(m.src[t.start:t.end], []byte("/*")) || m.directive(i) != "define" {
			continue
		}
		for i := int(t.start); i < int(t.end); {
			if !bytes.HasPrefix(m.src[i:t.end], []byte("/*")) {
				i = literalOrByteEnd(m.src[:t.end], i)
				continue
			}
			n := bytes.Index(m.src[i+2:t.end], []byte("*/"))
			if n < 0 {
				break
			}
			end := i + 2 + n + 2
			if len(bytes.TrimLeft(m.src[end:t.end], " \t\r\n")) > 0 {
				m.blank = append(m.blank, byteRange{uint32(i), uint32(end)})
			}
			i = end
		}
	}
}

// literalOrByteEnd returns the index after the byte at i, or after the string or
// character literal that begins there.
func literalOrByteEnd(src []byte, i int) int {
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

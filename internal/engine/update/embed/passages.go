package embed

import (
	"bytes"
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"

	"ken/internal/code"
	"ken/internal/engine/store"
)

// Bounds of passages.
const (
	minPassage      = 10   // lines: shorter declarations share a passage
	maxPassage      = 60   // lines
	maxPassageBytes = 4000 // of its text, without the head: what models read is limited
	maxLead         = 30   // lines of comment above a declaration that go with it
)

// passageText is a passage with its text.
type passageText struct {
	store.Passage
	text string
}

// cutPassages cuts a masked text at its declarations. Each passage begins with the path, and the name of its first
// declaration. It takes time linear in the text.
func cutPassages(path string, text []byte, decls []store.SymbolRow) []passageText {
	lines := lineStarts(text)
	marks := passageMarks(text, lines, decls)
	var out []passageText
	add := func(from, to int, name string) { // lines from 0, to excluded
		n := to - from
		parts := max(1, (n+maxPassage-1)/maxPassage)
		for i := range parts {
			a, b := from+n*i/parts, from+n*(i+1)/parts
			if p, ok := newPassageText(path, name, text[lines[a]:lines[b]]); ok {
				p.Line, p.EndLine = a+1, b
				out = append(out, p)
			}
		}
	}
	from, name := 0, ""
	for _, m := range marks {
		if m.line-from < minPassage {
			if name == "" {
				name = m.name
			}
			continue
		}
		add(from, m.line, name)
		from, name = m.line, m.name
	}
	if total := len(lines) - 1; total > from {
		add(from, total, name)
	}
	return out
}

// lineStarts returns the offsets of all lines, and the end.
func lineStarts(text []byte) []int {
	out := []int{0}
	for i, c := range text {
		if c == '\n' && i+1 < len(text) {
			out = append(out, i+1)
		}
	}
	if len(text) > 0 {
		out = append(out, len(text))
	}
	return out
}

// passageStart is a line, counted from 0, at which a passage may begin.
type passageStart struct {
	line int
	name string
}

// passageMarks returns the lines where declarations begin, with the lines right above them: comments, decorators.
func passageMarks(text []byte, lines []int, decls []store.SymbolRow) []passageStart {
	var out []passageStart
	blank := make([]bool, len(lines)) // computed once for each line: many declarations may follow a long one
	for i := range len(lines) - 1 {
		blank[i] = len(bytes.TrimSpace(text[lines[i]:lines[i+1]])) == 0
	}
	end := 0 // line after the last declaration that ended or began
	rows := slices.Clone(decls)
	slices.SortStableFunc(rows, func(a, b store.SymbolRow) int { return cmp.Compare(a.Span.Line, b.Span.Line) })
	for i := range rows {
		d := &rows[i]
		at := int(d.Span.Line) - 1
		if !isPassageKind(d.Kind) || at < 0 || at >= len(lines)-1 {
			continue
		}
		least := max(end, at-maxLead)
		for at > least && !blank[at-1] {
			at--
		}
		if len(out) == 0 || at > out[len(out)-1].line {
			out = append(out, passageStart{at, d.Qualified})
		}
		if d.Kind.IsFunction() {
			end = max(end, int(d.Span.EndLine))
		}
		end = max(end, int(d.Span.Line))
	}
	return out
}

// isPassageKind reports whether declarations of a kind may begin a passage.
func isPassageKind(k code.Kind) bool {
	switch k {
	case code.KindField, code.KindEnumMember, code.KindConstant, code.KindVariable, code.KindKey, code.KindSelector, code.KindElement:
		return false
	}
	return true
}

// newPassageText makes a passage of its lines; it returns false if they have no content.
func newPassageText(path, name string, body []byte) (passageText, bool) {
	if len(body) > maxPassageBytes {
		body = body[:maxPassageBytes]
		for len(body) > maxPassageBytes-utf8.UTFMax && !utf8.RuneStart(body[len(body)-1]) {
			body = body[:len(body)-1]
		}
		body = body[:len(body)-1] // the rune that may have been cut
	}
	if !bytes.ContainsFunc(body, func(r rune) bool { return r != utf8.RuneError && r > ' ' && !strings.ContainsRune("{}()[];,*", r) }) {
		return passageText{}, false
	}
	head := path
	if name != "" {
		head += " " + name
	}
	text := strings.ToValidUTF8(head+"\n"+string(bytes.TrimRight(body, " \t\r\n")), "\ufffd")
	return passageText{text: text, Passage: store.Passage{Hash: store.HashPassage(text)}}, true
}

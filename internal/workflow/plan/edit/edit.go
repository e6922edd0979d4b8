// Package edit changes a text by replacing stretches of it, so that what is not named stays
// byte for byte. Packages document and yamltree say where things are as spans, and what is to
// change as edits of those.
package edit

import (
	"fmt"
	"slices"
	"strings"
)

// Span is a stretch of a text: the bytes from Start up to End, without the one at End.
type Span struct{ Start, End int }

// In is the text of a span.
func (s Span) In(text string) string { return text[s.Start:s.End] }

// Len is the number of bytes.
func (s Span) Len() int { return s.End - s.Start }

// Trim is a span without the blanks and tabs at its ends; an empty one is at its start.
func (s Span) Trim(text string) Span {
	for s.End > s.Start && blank(text[s.End-1]) {
		s.End--
	}
	for s.Start < s.End && blank(text[s.Start]) {
		s.Start++
	}
	return s
}

func blank(b byte) bool { return b == ' ' || b == '\t' || b == '\r' }

// Edit replaces a span by another text.
type Edit struct {
	Span
	New string
}

// To is the edit that makes a span another text: none if it is that already, because a file
// that nobody changes is not to be written.
func To(text string, s Span, wanted string) []Edit {
	if s.In(text) == wanted {
		return nil
	}
	return []Edit{{s, wanted}}
}

// Apply makes all edits at once. They may come in any order; two that overlap are an error,
// because what was meant cannot be known. Insertions at one place stay in their order.
func Apply(text string, edits []Edit) (string, error) {
	if len(edits) == 0 {
		return text, nil
	}
	edits = slices.Clone(edits)
	slices.SortStableFunc(edits, func(a, b Edit) int {
		if a.Start != b.Start {
			return a.Start - b.Start
		}
		return a.End - b.End
	})
	size, at := len(text), 0
	for _, e := range edits {
		if e.Start < at || e.End < e.Start || e.End > len(text) {
			return "", fmt.Errorf("edit of bytes %d to %d of %d overlaps another or is outside", e.Start, e.End, len(text))
		}
		at = e.End
		size += len(e.New) - e.Len()
	}
	var b strings.Builder
	b.Grow(size)
	at = 0
	for _, e := range edits {
		b.WriteString(text[at:e.Start])
		b.WriteString(e.New)
		at = e.End
	}
	b.WriteString(text[at:])
	return b.String(), nil
}

// Problem says what is wrong with a text, and in which line. Reading goes on after it: what a
// person has half written is normal input.
type Problem struct {
	Line int // from 1
	Why  string
}

func (p Problem) Error() string { return fmt.Sprintf("line %d: %s", p.Line, p.Why) }

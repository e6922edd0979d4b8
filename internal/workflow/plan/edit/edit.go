// Package edit changes a text by replacing spans of it, so that everything else stays byte for byte. Packages document and yamltree give
// positions as spans and changes as edits.
package edit

import (
	"fmt"
	"slices"
	"strings"
)

// Span is a range of bytes of a text, without the one at End.
type Span struct{ Start, End int }

// Text returns the part of text that is in the span.
func (s Span) Text(text string) string { return text[s.Start:s.End] }

// Len returns the number of bytes in the span.
func (s Span) Len() int { return s.End - s.Start }

// Trim returns the span without the blanks and tabs at its ends. If nothing is left, it returns an empty span at the start of s.
func (s Span) Trim(text string) Span {
	for s.End > s.Start && isBlank(text[s.End-1]) {
		s.End--
	}
	for s.Start < s.End && isBlank(text[s.Start]) {
		s.Start++
	}
	return s
}

func isBlank(b byte) bool { return b == ' ' || b == '\t' || b == '\r' }

// Edit replaces a span by another text.
type Edit struct {
	Span
	New string
}

// Replacement returns the edit that replaces the text of a span by wanted. It returns none if the span has that text already,
// because a file without changes is not written.
func Replacement(text string, s Span, wanted string) []Edit {
	if s.Text(text) == wanted {
		return nil
	}
	return []Edit{{s, wanted}}
}

// Apply makes all edits at once. They may be in any order, but insertions at one offset stay in theirs. It returns an error if two
// edits overlap, because their meaning is ambiguous, or if one is outside the text.
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

// Problem is a defect in a text, with its line. Reading goes on after it: half-written text is normal input.
type Problem struct {
	Line int // from 1
	Why  string
}

func (p Problem) Error() string { return fmt.Sprintf("line %d: %s", p.Line, p.Why) }

package document

import (
	"strings"
	"unicode/utf8"

	"ken/internal/workflow/plan/edit"
)

// Defect returns the first reason why a text cannot be relied on, or nil if there is none: it is no text, a merge conflict leaves unknown
// to which side its parts belong, or its front matter cannot be read. A text with a defect is not written. Document.Problems has smaller
// problems, too.
func Defect(text string) *edit.Problem {
	isText := utf8.ValidString(text) && strings.IndexByte(text, 0) < 0
	inConflict := strings.Contains(text, "<<<<<<< ") || strings.Contains(text, ">>>>>>> ")
	if isText && !inConflict {
		text = beginning(text)
	}
	if text == "" {
		return nil
	}
	d := Parse(text)
	for _, p := range d.Problems() {
		switch {
		case p.Line == d.conflict, p.Line == d.unclosed, p.Why == notUTF8, p.Why == hasNUL, d.isBroken(p):
			return &p
		}
	}
	return nil
}

// beginning returns the front matter of a text with its lines ---, or the whole text if it is not closed. It returns "" if there is none.
func beginning(text string) string {
	rest, ok := strings.CutPrefix(strings.TrimPrefix(text, mark), "---")
	if !ok {
		return ""
	}
	end := strings.Index(rest, "\n---")
	if end < 0 {
		return text
	}
	after := len(text) - len(rest) + end + len("\n---")
	if line := strings.IndexByte(text[after:], '\n'); line >= 0 {
		return text[:after+line+1]
	}
	return text
}

// isBroken reports whether a problem is that a part of the first front matter cannot be read.
func (d *Document) isBroken(p edit.Problem) bool {
	if len(d.fronts) == 0 {
		return false
	}
	for _, broken := range d.fronts[0].Broken {
		if broken == p {
			return true
		}
	}
	return false
}

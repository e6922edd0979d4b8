package find

import (
	"ken/internal/ask/rank"
	"ken/internal/code"
	"ken/internal/engine/search"
)

// Found is the answer to a search, best first.
type Found struct {
	Query   *search.Query
	Files   []FoundFile
	Symbols []FoundSymbol
	Trace   []FoundTrace // of all candidates, if asked for
	Notes   []string     // what could not be asked
}

// FoundFile is one file with what speaks for it.
type FoundFile struct {
	code.File
	Score   float64
	Why     []string // strongest reason first
	Line    int      // of the passage that fits best, and its end; 0 if none
	EndLine int
	Symbols []FoundSymbol // of the file, best first
}

// FoundSymbol is a declaration with what it scores; scores compare within one answer.
type FoundSymbol struct {
	Path      string
	Name      string // qualified
	Kind      code.Kind
	Line      int
	EndLine   int
	Score     float64
	Signature string
}

// FoundTrace is a candidate as the ranker saw it.
type FoundTrace struct {
	Path     string
	Features rank.Vector
}

// maxWhyLine is how many bytes the reasons of a file take in text, but for the first.
const maxWhyLine = 110

// ShortWhy joins the reasons that say something: the first, and of the others
// those that fit. What is true of nearly every file is left to JSON.
func ShortWhy(why []string) string {
	out := why[0]
	for _, w := range why[1:] {
		switch rank.Reason(w) {
		case rank.ReasonNeighbour, rank.ReasonWithTop, rank.ReasonBase:
			continue
		}
		if len(out)+len(w) <= maxWhyLine {
			out += " · " + w
		}
	}
	return out
}

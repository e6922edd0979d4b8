package find

import (
	"ken/internal/ask/rank"
	"ken/internal/code"
	"ken/internal/engine/search"
	"ken/internal/engine/store"
)

// Found is the answer to a search, best first.
type Found struct {
	Query   *search.Query
	Files   []FoundFile
	Symbols []FoundSymbol
	Trace   []FoundTrace // of all candidates, if SearchOptions.Trace is set
	Rated   []RatedTrace // of the declarations of the first files, if SearchOptions.Trace is set
	ByTrees bool         // trees corrected the scores, which are further apart then
	Chance  float64      // probability that the first file is right, as rank.Set.Chance has it; only with trees
	Notes   []string     // sources that could not be used

	Index  *search.Index  // of words, nil for filters alone
	Scores *search.Scores // of the query by the index
}

// doubtful is the chance below which an answer is called so: of the tasks that it was fitted to, three in four of such first files
// were wrong.
const doubtful = 0.4

// IsDoubtful reports whether the first file is more likely wrong than right.
func (f *Found) IsDoubtful() bool { return len(f.Files) > 0 && f.ByTrees && f.Chance < doubtful }

// FoundFile is one file with the reasons for it.
type FoundFile struct {
	code.File
	Score   float64
	Why     []string // strongest reason first
	Line    int      // first and last line of the passage that fits best; 0 if there is none
	EndLine int
	Symbols []FoundSymbol // of the file, best first
}

// FoundSymbol is a declaration with its score; scores compare within one answer.
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

// RatedTrace is a declaration as the ranker saw it.
type RatedTrace struct {
	Path     string
	Row      store.SymbolRow
	Features rank.SymbolVector
}

// maxWhyLine bounds the reasons of a file in text, in bytes, without the first.
const maxWhyLine = 110

// ShortWhy joins the first reason and those of the others that are informative and fit. Reasons that are true of nearly every file are
// only in JSON.
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

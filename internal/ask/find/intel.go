package find

import (
	"cmp"
	"context"
	"slices"

	"ken/internal/code"
	"ken/internal/engine/view"
)

// Intel is the answer to a query for agents: the files that fit and those that
// depend on them (docs/formats.md).
type Intel struct {
	Query   string
	Matches []Card
	Related []RelatedFile
}

// RelatedFile is a file that depends on a match.
type RelatedFile struct {
	Path     string
	Match    string // the best match it depends on
	Others   int    // number of further matches it depends on
	Names    []string
	Relation code.Relation
	Test     bool
}

// Limits of the lists of an Intel.
const (
	intelRelated  = 10
	relatedOf     = 6  // matches whose dependents are looked at
	relatedLooked = 80 // dependents whose rows are read
)

// MakeIntel makes the answer for agents from an answer of Find. It returns an error if the index cannot be read or ctx ends.
func MakeIntel(ctx context.Context, s *view.Snapshot, text string, found *Found) (out *Intel, err error) {
	out = &Intel{Query: text}
	if out.Matches, err = Cards(ctx, s, found.Files); err != nil {
		return nil, err
	}
	out.Related, err = relatedFiles(s, out.Matches)
	return out, err
}

// relatedFiles returns files that depend on matches: those of several matches first, then the most important.
func relatedFiles(s *view.Snapshot, matches []Card) ([]RelatedFile, error) {
	type tie struct {
		best int // place of the match
		n    int
		rel  code.Relation
	}
	ties := map[int64]*tie{}
	var ids []int64
	own := map[int64]bool{}
	for i := range matches {
		own[matches[i].ID] = true
	}
	for i := range matches[:min(len(matches), relatedOf)] {
		edges, err := s.Index.EdgesTo(matches[i].ID)
		if err != nil {
			return nil, err
		}
		for _, e := range edges {
			if own[e.Source] || !e.Relation.Depends() {
				continue
			}
			t := ties[e.Source]
			if t == nil {
				t = &tie{best: i, rel: e.Relation}
				ties[e.Source] = t
				ids = append(ids, e.Source)
			}
			if t.n == 0 || t.best != i {
				t.n++
			}
		}
	}
	slices.SortStableFunc(ids, func(a, b int64) int {
		return cmp.Or(cmp.Compare(ties[b].n, ties[a].n), cmp.Compare(ties[a].best, ties[b].best))
	})
	files, err := Files(s, ids[:min(len(ids), relatedLooked)])
	if err != nil {
		return nil, err
	}
	weight := func(f *code.File) float64 {
		w := f.Rank * float64(ties[f.ID].n) / float64(1+ties[f.ID].best)
		if f.Class.Has(code.ClassTest) {
			w /= 100
		}
		return w
	}
	slices.SortStableFunc(files, func(a, b code.File) int {
		return cmp.Or(cmp.Compare(weight(&b), weight(&a)), cmp.Compare(a.Path, b.Path))
	})
	var out []RelatedFile
	for i := range files[:min(len(files), intelRelated)] {
		f := &files[i]
		t := ties[f.ID]
		names, err := UsedNames(s, f.ID, &matches[t.best], 3)
		if err != nil {
			return nil, err
		}
		out = append(out, RelatedFile{Path: f.Path, Match: matches[t.best].Path, Others: t.n - 1, Names: names,
			Relation: t.rel, Test: f.Class.Has(code.ClassTest)})
	}
	return out, nil
}

package update

import (
	"ken/internal/code"
	"ken/internal/engine/search"
)

// searched is what a file is found by: the words of its path, of the names it
// declares and of its text; nil if it is no text.
func (w *worker) searched(f *code.File, facts *code.Facts, text []byte) *search.Doc {
	switch f.Problem {
	case code.ProblemNone, code.ProblemParseLimit, code.ProblemTooLarge:
	case code.ProblemMinified:
		text = nil
	default:
		return nil
	}
	return w.words.Doc(f.Path, func(yield func(string) bool) {
		for i := range facts.Symbols {
			s := &facts.Symbols[i]
			if s.Kind.IsText() && s.Kind != code.KindHeading {
				continue
			}
			if !yield(s.Name) {
				return
			}
		}
	}, text)
}

// mergeSearch makes a new base of the search index when that pays. Only a look
// at the whole tree does: the update of a single file must not cost more than
// the file.
func (u *updater) mergeSearch(whole bool) error {
	if !whole {
		return nil
	}
	if n, err := u.tx.SearchFreshCount(); err != nil || n < search.MinStale {
		return err
	}
	x, err := search.NewIndex(u.tx)
	if err != nil || !x.Stale() {
		return err
	}
	b, err := x.Merge()
	if err != nil {
		return err
	}
	return u.tx.PutSearch(b.Finish())
}

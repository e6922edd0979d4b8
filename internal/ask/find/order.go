package find

import (
	"cmp"
	"context"

	"ken/internal/ask/rank"
	"ken/internal/code"
)

// orderSource puts the file in which a traceback most likely failed first, and files of sorts that come last behind the others. It
// is the last stage, so that the other stages see the scores to which their weights were fitted.
type orderSource struct {
	q *query
	c *candidates
}

// Name returns the name of the source in rank.Table.
func (*orderSource) Name() string { return rank.FromOrder }

// Signals fills the features of this source for all candidates.
func (s *orderSource) Signals(_ context.Context, _ *rank.Query, set *rank.Set) error {
	sorts := asides()
	for i := range s.c.list {
		set.At(i)[rank.Aside] = number(isAside(sorts, s.q.parsed, &s.c.list[i].file))
	}
	if at := s.crashCandidate(set); at >= 0 {
		set.At(at)[rank.Crash] = 1
	}
	return nil
}

// crashCandidate returns the best candidate so far that has a frame of a traceback and is no library, -1 if there is none; of equal
// ones that with the inner frame. The innermost frame alone would not do: it is often the code that constructs the error.
func (s *orderSource) crashCandidate(set *rank.Set) int {
	best := -1
	for i := range s.c.list {
		of := &s.c.list[i]
		if of.mention.crash == 0 || of.file.Class.Has(code.ClassVendored|code.ClassTest|code.ClassDocument|code.ClassData) {
			continue
		}
		if best < 0 || cmp.Or(cmp.Compare(set.Score(i), set.Score(best)), cmp.Compare(s.c.list[best].mention.crash, of.mention.crash)) > 0 {
			best = i
		}
	}
	return best
}

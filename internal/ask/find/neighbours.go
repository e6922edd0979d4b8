package find

import (
	"context"
	"math"
	"path"

	"ken/internal/ask/rank"
	"ken/internal/code"
	"ken/internal/engine/store"
)

// Numbers of first candidates with which others are compared, and the number of
// dependents above which an import of one of them is no evidence.
const (
	topOfImports     = 10
	topOfDirectories = 4
	topOfHistory     = 6
	maxDependents    = 100
)

// directorySource rates candidates by the other candidates of their directory.
type directorySource struct{ c *candidates }

// Name returns the name of the source in rank.Table.
func (*directorySource) Name() string { return rank.FromDirectory }

// Signals fills the source's features. Tests and documents neither give nor take,
// because a directory of tests fits every query about the tested code.
func (s *directorySource) Signals(_ context.Context, _ *rank.Query, set *rank.Set) error {
	dirs, total := map[string]float32{}, float32(0)
	for i := range s.c.list {
		if of := &s.c.list[i]; isSubject(of) {
			body := float32(set.At(i)[rank.Body])
			dirs[path.Dir(of.file.Path)] += body
			total += body
		}
	}
	if total == 0 {
		return nil
	}
	for i := range s.c.list {
		if of, v := &s.c.list[i], set.At(i); isSubject(of) {
			v[rank.Siblings] = float64((dirs[path.Dir(of.file.Path)] - float32(v[rank.Body])) / total)
		}
	}
	return nil
}

func isSubject(c *candidate) bool {
	return !c.file.Class.Has(code.ClassTest | code.ClassDocument)
}

// importsSource rates the candidates that are neighbours of the first ones in the import graph.
type importsSource struct {
	q *query
	c *candidates
}

// Name returns the name of the source in rank.Table.
func (*importsSource) Name() string { return rank.FromImports }

// Signals fills the features of this source for all candidates.
func (s *importsSource) Signals(_ context.Context, _ *rank.Query, set *rank.Set) error {
	near := make([]float32, set.Len())
	for place, i := range set.Top(topOfImports) {
		w := 1 / float32(place+2)
		file := &s.c.list[i].file
		out, err := s.q.view.Index.EdgesFrom(file.ID)
		if err != nil {
			return err
		}
		s.spread(near, out, func(e store.EdgeRow) int64 { return e.Target }, w)
		if file.Dependents > maxDependents {
			continue
		}
		in, err := s.q.view.Index.EdgesTo(file.ID)
		if err != nil {
			return err
		}
		s.spread(near, in, func(e store.EdgeRow) int64 { return e.Source }, w)
	}
	fill(set, rank.ImportNeighbour, near)
	set.Relative(rank.ImportNeighbour)
	return nil
}

// spread divides a weight among the candidates at the other ends of edges and adds the shares to near.
func (s *importsSource) spread(near []float32, edges []store.EdgeRow, end func(store.EdgeRow) int64, w float32) {
	for _, e := range edges {
		if i, ok := s.c.at[end(e)]; ok {
			near[i] += w / (4 + float32(len(edges)))
		}
	}
}

// fill sets feature f of each candidate to its value.
func fill(set *rank.Set, f rank.Feature, values []float32) {
	for i, v := range values {
		set.At(i)[f] = float64(v)
	}
}

// topDirectorySource rates the candidates in the directories of the first ones.
type topDirectorySource struct{ c *candidates }

// Name returns the name of the source in rank.Table.
func (*topDirectorySource) Name() string { return rank.FromTop }

// Signals fills the features of this source for all candidates.
func (s *topDirectorySource) Signals(_ context.Context, _ *rank.Query, set *rank.Set) error {
	for place, j := range set.Top(topOfDirectories) {
		top := &s.c.list[j].file
		for i := range s.c.list {
			file := &s.c.list[i].file
			if i != j && path.Dir(file.Path) == path.Dir(top.Path) && file.Class.Kind() == top.Class.Kind() {
				v := &set.At(i)[rank.SameDirectoryAsTop]
				*v = max(*v, 1/(1+0.5*float64(place)))
			}
		}
	}
	return nil
}

// topHistorySource rates the candidates by those that are likely right: by common changes in the past, and by their extensions. The
// likelihood is a softmax over the scores, because the weights were fitted for that.
type topHistorySource struct{ q *query }

// Name returns the name of the source in rank.Table.
func (*topHistorySource) Name() string { return rank.FromTop }

// Signals fills the features of this source for all candidates.
func (s *topHistorySource) Signals(_ context.Context, _ *rank.Query, set *rank.Set) error {
	top := set.Top(topOfHistory)
	if len(top) == 0 {
		return nil
	}
	paths := set.Paths()
	lift, err := s.q.view.Lift(paths, top)
	if err != nil {
		return err
	}
	chance := likelihood(set, top)
	same, together := make([]float32, len(paths)), make([]float32, len(paths))
	for k, j := range top {
		for i := range paths {
			if path.Ext(paths[i]) == path.Ext(paths[j]) {
				same[i] += chance[k]
			}
		}
	}
	for k := range lift {
		for i, l := range lift[k] {
			together[i] += chance[k] * float32(l)
		}
	}
	fill(set, rank.ExtensionOfTop, same)
	fill(set, rank.ChangedWithTop, together)
	set.Relative(rank.ChangedWithTop)
	return nil
}

// likelihood returns the softmax over the scores of some candidates, best first.
func likelihood(set *rank.Set, top []int) []float32 {
	out := make([]float32, len(top))
	sum := float32(0)
	for k, i := range top {
		out[k] = float32(math.Exp(float64(set.Score(i) - set.Score(top[0]))))
		sum += out[k]
	}
	for k := range out {
		out[k] /= sum
	}
	return out
}

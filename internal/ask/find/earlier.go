package find

import (
	"context"
	"math"
	"path"

	"ken/internal/ask/rank"
)

// halfAlike is the sum of similarities to earlier work at which the feature of a file is ½. Further similar work adds less than the
// first.
const halfAlike = 0.2

// besideHistory scales that feature where there is a history, which has mostly learned the same: a third gained most with each
// repository left out.
const besideHistory = 1.0 / 3

// earlierSource rates candidates by similar earlier work. Its weights were fitted with the order of the other stages as it is, so it
// comes after them; the scores it reads are those of an answer without a memory.
type earlierSource struct{ c *candidates }

// Name returns the name of the source in rank.Table.
func (*earlierSource) Name() string { return rank.FromEarlier }

// Signals fills the features of this source for all candidates.
func (s *earlierSource) Signals(_ context.Context, _ *rank.Query, set *rank.Set) error {
	if len(s.c.earlier) == 0 {
		return nil
	}
	places := map[string]int{}
	for i, p := range set.Paths() {
		places[p] = i
	}
	past := false
	for i := range set.Len() {
		past = past || set.At(i)[rank.Commits] > 0
	}
	sums, most := make([]float64, set.Len()), make([]float64, set.Len())
	dirs := map[string]float64{}
	for i := range s.c.earlier {
		e := &s.c.earlier[i]
		each := e.like / math.Sqrt(float64(max(1, len(e.Files)))) // work on many files is weaker evidence for each
		for _, p := range e.right {
			dirs[path.Dir(p)] = max(dirs[path.Dir(p)], e.like)
			if k, ok := places[p]; ok {
				sums[k] += each
				if each > most[k] {
					most[k], s.c.list[k].said.earlier = each, e.Text
				}
			}
		}
	}
	for i, p := range set.Paths() {
		v := set.At(i)
		v[rank.Earlier] = rank.Single(sums[i] / (sums[i] + halfAlike))
		if past {
			v[rank.Earlier] = rank.Single(besideHistory * v[rank.Earlier])
		} else {
			v[rank.EarlierDirectory] = rank.Single(dirs[path.Dir(p)])
		}
	}
	return nil
}

// saidSource rates candidates by notes that agents or people wrote about them.
type saidSource struct{ c *candidates }

// Name returns the name of the source in rank.Table.
func (*saidSource) Name() string { return rank.FromSaid }

// Signals fills the features of this source for all candidates.
func (s *saidSource) Signals(ctx context.Context, _ *rank.Query, set *rank.Set) error {
	if err := s.ask(ctx, set); err != nil {
		return err
	}
	for i := range s.c.list {
		known, v := &s.c.list[i].said, set.At(i)
		v[rank.Said], v[rank.Agreed] = rank.Single(known.like), number(known.agreed != "")
	}
	return nil
}

// ask reads the notes about the best candidates.
func (s *saidSource) ask(ctx context.Context, set *rank.Set) error {
	if s.c.known.About == nil {
		return nil
	}
	var paths []string
	places := map[string]int{}
	for _, i := range set.Top(topOfSaid) {
		paths = append(paths, set.Paths()[i])
		places[set.Paths()[i]] = i
	}
	list, err := s.c.known.About(ctx, paths)
	for i := range list {
		if k, ok := places[list[i].Path]; ok {
			s.c.list[k].said.add(&list[i])
		}
	}
	return err
}

package find

import (
	"context"

	"ken/internal/ask/rank"
	"ken/internal/engine/view"
)

// EachSource runs a search and calls f for every feature that a source changes.
func EachSource(ctx context.Context, s *view.Snapshot, text string, known Known, f func(source string, changed rank.Feature)) error {
	q, err := newQuery(s, text)
	if err != nil {
		return err
	}
	c := newCandidates(q, known)
	if err := c.gather(ctx); err != nil {
		return err
	}
	set := rank.NewSet(rank.NewModel(rank.Find))
	for i := range c.list {
		set.Add(c.list[i].file.Path)
	}
	list := stages(q, c, nil)
	for i := range list {
		for k, source := range list[i].Sources {
			list[i].Sources[k] = watched{source, f}
		}
	}
	return set.Run(ctx, &rank.Query{Text: text}, list)
}

type watched struct {
	rank.Source
	f func(string, rank.Feature)
}

func (w watched) Signals(ctx context.Context, q *rank.Query, set *rank.Set) error {
	var before []rank.Vector
	for i := range set.Len() {
		before = append(before, *set.At(i))
	}
	err := w.Source.Signals(ctx, q, set)
	for i := range set.Len() {
		for f, v := range set.At(i) {
			if v != before[i][f] {
				w.f(w.Name(), rank.Feature(f))
			}
		}
	}
	return err
}

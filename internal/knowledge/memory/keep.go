package memory

import (
	"cmp"
	"slices"
	"time"
)

// SurplusItems returns the indexes of the items to drop so that at most most remain: those of the least worth, and of equal ones
// the oldest.
func SurplusItems(items []Item, most int, now time.Time) []int {
	if len(items) <= most {
		return nil
	}
	worth := make([]float64, len(items))
	order := make([]int, len(items))
	for i := range items {
		worth[i], order[i] = items[i].Worth(now), i
	}
	slices.SortFunc(order, func(a, b int) int {
		return cmp.Or(cmp.Compare(worth[a], worth[b]), items[a].At.Compare(items[b].At), cmp.Compare(a, b))
	})
	out := order[:len(items)-most]
	slices.Sort(out)
	return out
}

// RelateItems returns the edges between the items: to similar ones, and from each item about a file to the next item about it.
func (x *Index) RelateItems() []Edge {
	var edges []Edge
	v := indexVocabulary{x}
	for i := range x.items {
		near, _ := Neighbours(int32(i), &x.texts[i], v) // a vocabulary in memory does not fail
		for _, e := range near {
			e.From, e.To = min(e.From, e.To), max(e.From, e.To) // it comes from both ends, mostly
			edges = append(edges, e)
		}
	}
	slices.SortFunc(edges, func(a, b Edge) int { return cmp.Or(cmp.Compare(a.From, b.From), cmp.Compare(a.To, b.To)) })
	return append(slices.Compact(edges), x.temporalEdges()...)
}

func (x *Index) temporalEdges() (out []Edge) {
	order := make([]int32, len(x.items))
	for i := range order {
		order[i] = int32(i)
	}
	slices.SortStableFunc(order, func(a, b int32) int { return x.items[a].At.Compare(x.items[b].At) })
	last := map[string]int32{}
	for _, i := range order {
		for _, p := range x.items[i].Pins {
			if before, ok := last[p.Path()]; ok && before != i {
				out = append(out, Edge{From: before, To: i, Relation: Temporal, Weight: TemporalWeight})
			}
			last[p.Path()] = i
		}
	}
	return out
}

// RankItems computes how central each item is and which topic it belongs to, and returns the edges between items.
func (x *Index) RankItems() []Edge {
	edges := x.RelateItems()
	ranks, labels := Rank(len(x.items), edges), Communities(len(x.items), edges)
	for i, it := range x.items {
		it.Rank, it.Community = ranks[i], x.items[labels[i]].ID
	}
	return edges
}

// Items returns the distinct items.
func (x *Index) Items() []Item {
	out := make([]Item, len(x.items))
	for i, it := range x.items {
		out[i] = *it
	}
	return out
}

// indexVocabulary implements Vocabulary for an Index.
type indexVocabulary struct{ x *Index }

func (v indexVocabulary) With(term uint64) (int, error) { return len(v.x.with[term]), nil }

func (v indexVocabulary) Holders(term uint64) ([]int32, error) {
	list := v.x.with[term]
	return list[max(0, len(list)-MaxHolders):], nil
}

func (v indexVocabulary) Grams(item int32) ([]uint32, error) { return v.x.texts[item].Grams, nil }

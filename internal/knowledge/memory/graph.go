package memory

import (
	"cmp"
	"slices"
)

// Relation is the reason why two items are related.
type Relation uint8

// The relations.
const (
	// Temporal leads from an item about a file to the next item about it, so that newer items rank higher.
	Temporal Relation = iota + 1
	// Similar relates items whose trigrams are alike.
	Similar
)

func (r Relation) String() string {
	if r == Similar {
		return "similar"
	}
	return "temporal"
}

// Edge is a relation between two items, given by their indexes.
type Edge struct {
	From, To int32
	Relation Relation
	Weight   float32
}

// Limits of the graph, so that its size grows with the number of items and not with its square.
const (
	// LeastSimilar is the Jaccard index of trigrams from which two items are similar.
	LeastSimilar = 0.3
	// TemporalWeight is the weight of a temporal edge.
	TemporalWeight = 0.5
	// MaxSimilar bounds the similar items to which a new item is related.
	MaxSimilar = 8
	// MaxSeeds is the number of an item's words, the rarest, by which similar ones are found; MaxHolders the number of latest
	// items with such a word, MaxCompared the number of items that are compared.
	MaxSeeds    = 5
	MaxHolders  = 48
	MaxCompared = 16
)

// Vocabulary finds items by their words, to relate similar ones.
type Vocabulary interface {
	// With returns the number of items that have a term.
	With(term uint64) (int, error)
	// Holders returns the latest items with a term, at most MaxHolders.
	Holders(term uint64) ([]int32, error)
	// Grams returns the sorted trigrams of an item.
	Grams(item int32) ([]uint32, error)
}

// Neighbours returns edges to the items that are similar to an item, the most similar first. t is the split text of the item. It fails if
// the vocabulary does.
func Neighbours(item int32, t *Text, v Vocabulary) (out []Edge, err error) {
	type seed struct {
		term uint64
		with int
	}
	seeds := make([]seed, 0, len(t.Terms))
	for _, term := range t.Terms {
		n, err := v.With(term)
		if err != nil {
			return nil, err
		}
		seeds = append(seeds, seed{term, n})
	}
	slices.SortFunc(seeds, func(a, b seed) int { return cmp.Or(cmp.Compare(a.with, b.with), cmp.Compare(a.term, b.term)) })
	var met []int32
	for _, s := range seeds[:min(len(seeds), MaxSeeds)] {
		holders, err := v.Holders(s.term)
		if err != nil {
			return nil, err
		}
		met = append(met, holders...)
	}
	for _, other := range mostFrequent(met, item) {
		grams, err := v.Grams(other)
		if err != nil {
			return nil, err
		}
		if like := Jaccard(t.Grams, grams); like > LeastSimilar {
			out = append(out, Edge{From: item, To: other, Relation: Similar, Weight: float32(like)})
		}
	}
	slices.SortFunc(out, func(a, b Edge) int { return cmp.Or(cmp.Compare(b.Weight, a.Weight), cmp.Compare(a.To, b.To)) })
	return out[:min(len(out), MaxSimilar)], nil
}

// mostFrequent returns the items that are most likely similar to an item: those that occur most often in met, and of equal ones the latest.
func mostFrequent(met []int32, item int32) []int32 {
	slices.Sort(met)
	var by [MaxSeeds + 1][]int32
	for i := 0; i < len(met); {
		k := i + 1
		for k < len(met) && met[k] == met[i] {
			k++
		}
		if met[i] != item {
			by[k-i] = append(by[k-i], met[i])
		}
		i = k
	}
	out := make([]int32, 0, MaxCompared)
	for times := MaxSeeds; times > 0; times-- {
		for _, other := range slices.Backward(by[times]) {
			if len(out) == MaxCompared {
				return out
			}
			out = append(out, other)
		}
	}
	return out
}

// Rank returns the PageRank of n items: damping 0.85, at most 30 rounds, or until it moves by less than 1e-6. Similar edges
// lead both ways. Items without outgoing edges give to all. A rank is share/(share+mean share), so that 0.5 is the mean
// however many items there are; the share itself, about 1/n, would vanish beside other numbers.
func Rank(n int, edges []Edge) []float64 {
	if n == 0 {
		return nil
	}
	const damping, rounds, least = 0.85, 30, 1e-6
	ways := newAdjacency(n, edges)
	out := make([]float64, n)
	for from := range n {
		for i := ways.first[from]; i < ways.first[from+1]; i++ {
			out[from] += float64(ways.weight[i])
		}
	}
	now, next := make([]float64, n), make([]float64, n)
	for i := range now {
		now[i] = 1 / float64(n)
	}
	for range rounds {
		lost := 0.0
		for i := range next {
			next[i] = 0
		}
		for from := range n {
			if out[from] == 0 {
				lost += now[from]
				continue
			}
			give := now[from] / out[from]
			for i := ways.first[from]; i < ways.first[from+1]; i++ {
				next[ways.to[i]] += give * float64(ways.weight[i])
			}
		}
		moved := 0.0
		for i := range next {
			next[i] = (1-damping)/float64(n) + damping*(next[i]+lost/float64(n))
			moved += max(next[i]-now[i], now[i]-next[i])
		}
		now, next = next, now
		if moved < least {
			break
		}
	}
	for i := range now {
		now[i] = now[i] * float64(n) / (1 + now[i]*float64(n))
	}
	return now
}

// adjacency holds the edges of all items, ordered by the item from which they lead.
type adjacency struct {
	first  []int32
	to     []int32
	weight []float32
}

func newAdjacency(n int, edges []Edge) adjacency {
	w := adjacency{first: make([]int32, n+1)}
	each := func(f func(from, to int32, weight float32)) {
		for _, e := range edges {
			if e.From == e.To || max(e.From, e.To) >= int32(n) {
				continue
			}
			f(e.From, e.To, e.Weight)
			if e.Relation == Similar {
				f(e.To, e.From, e.Weight)
			}
		}
	}
	each(func(from, _ int32, _ float32) { w.first[from+1]++ })
	for i := range n {
		w.first[i+1] += w.first[i]
	}
	w.to, w.weight = make([]int32, w.first[n]), make([]float32, w.first[n])
	at := slices.Clone(w.first)
	each(func(from, to int32, weight float32) {
		w.to[at[from]], w.weight[at[from]] = to, weight
		at[from]++
	})
	return w
}

// Communities returns, for each of n items, the index of an item that stands for its topic. An item alone stands for
// itself. Each item takes the heaviest label among its neighbours, the smallest of equal ones, for a few rounds in order.
func Communities(n int, edges []Edge) []int32 {
	both := make([]Edge, len(edges))
	for i, e := range edges {
		e.Relation = Similar
		both[i] = e
	}
	w := newAdjacency(n, both)
	label := make([]int32, n)
	for i := range label {
		label[i] = int32(i)
	}
	const rounds = 10
	sum := make([]float32, n)
	for range rounds {
		changed := false
		for i := range n {
			if w.first[i] == w.first[i+1] {
				continue
			}
			near := w.to[w.first[i]:w.first[i+1]]
			for k, other := range near {
				sum[label[other]] += w.weight[int(w.first[i])+k]
			}
			best := label[i]
			for _, other := range near {
				if l := label[other]; sum[l] > sum[best] || sum[l] == sum[best] && l < best {
					best = l
				}
			}
			for _, other := range near {
				sum[label[other]] = 0
			}
			if best != label[i] {
				label[i], changed = best, true
			}
		}
		if !changed {
			break
		}
	}
	return label
}

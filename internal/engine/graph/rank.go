package graph

import "math"

// Digraph is a directed graph over the numbers 0…n-1. Its rows are compressed: the targets of i are
// To[Off[i]:Off[i+1]], ascending and distinct. If nodes are numbered in the order of their paths, all results
// depend on the repository alone, not on the order in which files were stored.
type Digraph struct {
	Off []int32
	To  []int32
}

// Len returns the number of nodes.
func (g *Digraph) Len() int { return len(g.Off) - 1 }

// Out returns the targets of a node.
func (g *Digraph) Out(i int) []int32 { return g.To[g.Off[i]:g.Off[i+1]] }

// NewDigraph makes a graph of n nodes from edges sorted by source, then
// target; repeated edges count once, loops not at all.
func NewDigraph(n int, edges [][2]int32) *Digraph {
	g := &Digraph{Off: make([]int32, n+1), To: make([]int32, 0, len(edges))}
	k := 0
	for i := range n {
		last := int32(-1)
		for ; k < len(edges) && edges[k][0] == int32(i); k++ {
			if t := edges[k][1]; t != last && t != int32(i) {
				g.To = append(g.To, t)
				last = t
			}
		}
		g.Off[i+1] = int32(len(g.To))
	}
	return g
}

// Reverse returns the graph with every edge reversed.
func (g *Digraph) Reverse() *Digraph {
	n := g.Len()
	r := &Digraph{Off: make([]int32, n+1), To: make([]int32, len(g.To))}
	for _, t := range g.To {
		r.Off[t+1]++
	}
	for i := range n {
		r.Off[i+1] += r.Off[i]
	}
	next := append([]int32(nil), r.Off[:n]...)
	for i := range n {
		for _, t := range g.Out(i) {
			r.To[next[t]] = int32(i)
			next[t]++
		}
	}
	return r
}

// The damping and limits of PageRank (Page, Brin, Motwani, Winograd 1999).
// The limits bound the work and not the time, so that results repeat.
const (
	damping   = 0.85
	maxRounds = 60
	tolerance = 1e-9
)

// PageRank returns the rank of every node; the ranks sum to 1. An edge passes rank from a file to a file that it
// depends on.
func (g *Digraph) PageRank() []float64 {
	n := g.Len()
	rank, next := make([]float64, n), make([]float64, n)
	for i := range rank {
		rank[i] = 1 / float64(n)
	}
	for range maxRounds {
		loose := 0.0
		for i := range next {
			next[i] = 0
		}
		for i := range n {
			out := g.Out(i)
			if len(out) == 0 {
				loose += rank[i]
				continue
			}
			share := rank[i] / float64(len(out))
			for _, t := range out {
				next[t] += share
			}
		}
		base := (1 - damping + damping*loose) / float64(n)
		diff := 0.0
		for i := range next {
			next[i] = base + damping*next[i]
			diff += math.Abs(next[i] - rank[i])
		}
		rank, next = next, rank
		if diff < tolerance {
			break
		}
	}
	return rank
}

// backwardWeight is the weight of a step against the direction of an edge; a step along it has weight 1. A reader of
// a file needs its dependencies more than its dependents.
const backwardWeight = 0.5

// walkRounds bounds the rounds of Walk, because a node further away gets almost no rank (0.85 to the power of 30 is 0.8 %).
const walkRounds = 30

// Walk returns the personalised PageRank of every node (Page et al. 1999; Haveliwala 2002): the probability that a
// random walker is there. The walker goes along edges and, less often, against them, and now and then starts again at
// the nodes of home, whose weights sum to 1.
func Walk(g *Digraph, home []float64) []float64 {
	n, back := g.Len(), g.Reverse()
	rank, next := append([]float64(nil), home...), make([]float64, n)
	for range walkRounds {
		loose := 0.0
		clear(next)
		for i := range n {
			out, in := g.Out(i), back.Out(i)
			if len(out)+len(in) == 0 {
				loose += rank[i]
				continue
			}
			share := rank[i] / (float64(len(out)) + backwardWeight*float64(len(in)))
			for _, t := range out {
				next[t] += share
			}
			for _, t := range in {
				next[t] += backwardWeight * share
			}
		}
		diff := 0.0
		for i := range next {
			next[i] = (1-damping+damping*loose)*home[i] + damping*next[i]
			diff += math.Abs(next[i] - rank[i])
		}
		rank, next = next, rank
		if diff < tolerance {
			break
		}
	}
	return rank
}

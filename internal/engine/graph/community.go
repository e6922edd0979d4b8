package graph

import (
	"cmp"
	"slices"
)

// gainTolerance is the difference below which two gains of modularity count as equal.
const gainTolerance = 1e-12

// maxLevels bounds the rounds in which groups are merged; real repositories need three or four.
const maxLevels = 6

// Communities groups the nodes so that most edges run within groups. It uses
// the Louvain method (Blondel, Guillaume, Lambiotte, Lefebvre 2008) on the
// undirected graph. It takes nodes in order and breaks ties towards the
// smaller label, so that the result repeats. The result is the group of each
// node; groups are numbered by their smallest member.
func (g *Digraph) Communities() []int32 {
	level := newUndirected(g)
	member := make([]int32, g.Len())
	for i := range member {
		member[i] = int32(i)
	}
	for range maxLevels {
		label, moved := level.moveNodes()
		if !moved {
			break
		}
		count := renumber(label)
		for i := range member {
			member[i] = label[member[i]]
		}
		level = level.merge(label, count)
	}
	renumber(member)
	return member
}

// weightedGraph is an undirected graph with weights: adj[i] lists the neighbours of
// node i, ascending, so that each edge occurs twice. self is the weight of a
// node's loops, counted twice.
type weightedGraph struct {
	adj  [][]half
	self []float64
}

type half struct {
	to int32
	w  float64
}

func newUndirected(g *Digraph) *weightedGraph {
	w := &weightedGraph{adj: make([][]half, g.Len()), self: make([]float64, g.Len())}
	for i := range g.Len() {
		for _, t := range g.Out(i) {
			w.adj[i] = append(w.adj[i], half{t, 1})
			w.adj[t] = append(w.adj[t], half{int32(i), 1})
		}
	}
	for i := range w.adj {
		w.adj[i] = compact(w.adj[i])
	}
	return w
}

func compact(h []half) []half {
	slices.SortFunc(h, func(a, b half) int { return cmp.Compare(a.to, b.to) })
	out := h[:0]
	for _, x := range h {
		if n := len(out); n > 0 && out[n-1].to == x.to {
			out[n-1].w += x.w
			continue
		}
		out = append(out, x)
	}
	return out
}

// moveNodes moves nodes to the neighbouring group that raises the modularity
// most, until no move raises it or 20 rounds have passed.
func (w *weightedGraph) moveNodes() (label []int32, moved bool) {
	n := len(w.adj)
	label = make([]int32, n)
	degree, total := make([]float64, n), make([]float64, n)
	sum := 0.0
	for i := range n {
		label[i] = int32(i)
		degree[i] = w.self[i]
		for _, h := range w.adj[i] {
			degree[i] += h.w
		}
		total[i] = degree[i]
		sum += degree[i]
	}
	if sum == 0 {
		return label, false
	}
	links := make([]float64, n) // weight from the current node to each group
	for range 20 {
		changed := false
		for i := range n {
			if w.move(int32(i), label, degree, total, links, sum) {
				changed, moved = true, true
			}
		}
		if !changed {
			break
		}
	}
	return label, moved
}

func (w *weightedGraph) move(i int32, label []int32, degree, total, links []float64, sum float64) bool {
	from := label[i]
	for _, h := range w.adj[i] {
		links[label[h.to]] += h.w
	}
	total[from] -= degree[i]
	best, gain := from, links[from]-total[from]*degree[i]/sum
	for _, h := range w.adj[i] {
		to := label[h.to]
		g := links[to] - total[to]*degree[i]/sum
		better, tied := g > gain+gainTolerance, g > gain-gainTolerance && to < best
		if better || tied && to != from && best != from {
			best, gain = to, g
		}
	}
	for _, h := range w.adj[i] {
		links[label[h.to]] = 0
	}
	total[best] += degree[i]
	label[i] = best
	return best != from
}

// renumber replaces labels by 0, 1, 2, …, in the order of their first appearance, and returns their number.
func renumber(label []int32) int {
	next := map[int32]int32{}
	for i, l := range label {
		n, ok := next[l]
		if !ok {
			n = int32(len(next))
			next[l] = n
		}
		label[i] = n
	}
	return len(next)
}

func (w *weightedGraph) merge(label []int32, count int) *weightedGraph {
	m := &weightedGraph{adj: make([][]half, count), self: make([]float64, count)}
	for i := range w.adj {
		a := label[i]
		m.self[a] += w.self[i]
		for _, h := range w.adj[i] {
			if b := label[h.to]; b == a {
				m.self[a] += h.w
			} else {
				m.adj[a] = append(m.adj[a], half{b, h.w})
			}
		}
	}
	for i := range m.adj {
		m.adj[i] = compact(m.adj[i])
	}
	return m
}

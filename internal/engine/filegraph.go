package engine

import (
	"iter"
	"slices"

	"ken/internal/code"
	"ken/internal/engine/graph"
)

// fileGraph is the graph of file edges in memory. Nodes are numbered by path.
type fileGraph struct {
	*graph.Digraph
	ids   []int64
	index map[int64]int32
	files []code.File // only if asked for
}

// edgeKinds says which relations a graph is made of; nil means all.
type edgeKinds func(EdgeRow) bool

// loadGraph reads all files and edges. 60,000 edges take about 5 ms.
func loadGraph(r Reader, ok edgeKinds) (*fileGraph, error) {
	g := &fileGraph{index: map[int64]int32{}}
	for f, err := range r.Files() {
		if err != nil {
			return nil, err
		}
		g.index[f.ID] = int32(len(g.ids))
		g.ids = append(g.ids, f.ID)
		g.files = append(g.files, f)
	}
	var edges [][2]int32
	for e, err := range r.Edges() {
		if err != nil {
			return nil, err
		}
		if ok == nil || ok(e) {
			edges = append(edges, [2]int32{g.index[e.Source], g.index[e.Target]})
		}
	}
	slices.SortFunc(edges, func(x, y [2]int32) int {
		if x[0] != y[0] {
			return int(x[0] - y[0])
		}
		return int(x[1] - y[1])
	})
	g.Digraph = graph.NewDigraph(len(g.ids), edges)
	return g, nil
}

// depends keeps the edges that ranks count.
func depends(e EdgeRow) bool { return e.Relation.Depends() }

// ranks are the PageRanks by file id.
func (g *fileGraph) ranks() iter.Seq2[int64, float64] {
	return func(yield func(int64, float64) bool) {
		for i, rank := range g.PageRank() {
			if !yield(g.ids[i], rank) {
				return
			}
		}
	}
}

// Package matrix counts the dependencies between the parts of a repository, which are folders, and finds the cycles among them. Its
// neighbour ask/why tells what one of these dependencies is made of, ask/overview has the cycles of single files.
package matrix

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"ken/internal/code"
	"ken/internal/engine/graph"
	"ken/internal/engine/lookup"
	"ken/internal/engine/store"
	"ken/internal/engine/view"
)

// Part is a folder with all below it that is no part of its own.
type Part struct {
	Folder string // "" for the root; Rest for folders that are too many to be parts
	Files  int
}

// Rest is the name of the part of all folders that are too small to be one.
const Rest = "(other folders)"

// Cell is the dependency of one part on another.
type Cell struct {
	From, To int // places of the parts
	Files    int // files of From that depend on files of To
	Uses     int // pairs of files
}

// Matrix is the answer. Parts are in an order in which a part stands before those that it depends on, so that a cell whose To stands
// before its From is one of a cycle.
type Matrix struct {
	Parts  []Part
	Cells  []Cell  // by From, then To
	Cycles [][]int // parts that depend on each other, the most first; places ascend
	// ResolvedShare is the share (0–1) of the names that the files of the index import that could be resolved.
	ResolvedShare float64
}

// uncounted are the classes of files that count nowhere.
const uncounted = code.ClassTest | code.ClassDocument | code.ClassData

// Of counts the dependencies between at most the given number of parts of a folder, "" being the whole tree. Tests, documents and data
// count nowhere. It fails if the index cannot be read.
func Of(_ context.Context, s *view.Snapshot, folder string, most int) (Matrix, error) {
	g, err := lookup.LoadGraph(s.Index, func(e store.EdgeRow) bool { return e.Relation != code.RelTests && e.Relation.Depends() })
	if err != nil {
		return Matrix{}, err
	}
	files := make([]string, len(g.Files)) // "" for one that does not count
	for i := range g.Files {
		if f := &g.Files[i]; !f.Class.Has(uncounted) && (folder == "" || strings.HasPrefix(f.Path, folder+"/")) {
			files[i] = f.Path
		}
	}
	imports, unresolved, err := s.Index.ImportSums()
	if err != nil {
		return Matrix{}, err
	}
	m := Matrix{ResolvedShare: 1}
	if imports > 0 {
		m.ResolvedShare = float64(imports-unresolved) / float64(imports)
	}
	var of []int
	m.Parts, of = divide(files, folder, most)
	m.count(g, of)
	m.order()
	return m, nil
}

// count counts the cells. of has the part of each file, -1 for none.
func (m *Matrix) count(g *lookup.FileGraph, of []int) {
	cells := map[[2]int]*Cell{}
	for i, part := range of {
		if part < 0 {
			continue
		}
		m.Parts[part].Files++
		met := map[int]bool{}
		for _, t := range g.Out(i) {
			to := of[t]
			if to < 0 || to == part {
				continue
			}
			key := [2]int{part, to}
			if cells[key] == nil {
				cells[key] = &Cell{From: part, To: to}
			}
			cells[key].Uses++
			if !met[to] {
				met[to] = true
				cells[key].Files++
			}
		}
	}
	for _, c := range cells {
		m.Cells = append(m.Cells, *c)
	}
}

// order puts the parts into their order: one that no part depends on outside of its cycle is next. Inside of a cycle that is next which is
// depended on least, so that few cells lead back.
func (m *Matrix) order() {
	var edges [][2]int32
	for _, c := range m.Cells {
		edges = append(edges, [2]int32{int32(c.From), int32(c.To)})
	}
	slices.SortFunc(edges, func(a, b [2]int32) int { return cmp.Or(cmp.Compare(a[0], b[0]), cmp.Compare(a[1], b[1])) })
	group := map[int]int{}
	cycles := graph.NewDigraph(len(m.Parts), edges).Cycles()
	for k, list := range cycles {
		for _, p := range list {
			group[int(p)] = k + 1
		}
	}
	place := make([]int, len(m.Parts)) // from 1, 0 for none yet
	for n := range m.Parts {
		blocked := make([]bool, len(m.Parts))
		weight := make([]int, len(m.Parts))
		for _, c := range m.Cells {
			if place[c.From] > 0 || place[c.To] > 0 {
				continue
			}
			if group[c.From] == 0 || group[c.From] != group[c.To] {
				blocked[c.To] = true
				continue
			}
			weight[c.To] += c.Uses
			weight[c.From] -= c.Uses
		}
		// A cycle is not entered while one of its parts is blocked.
		for p, is := range blocked {
			for q := range blocked {
				blocked[q] = blocked[q] || is && group[p] > 0 && group[p] == group[q]
			}
		}
		best := -1
		for p := range m.Parts {
			if place[p] == 0 && !blocked[p] && (best < 0 || weight[p] < weight[best]) {
				best = p
			}
		}
		place[best] = n + 1
	}
	m.arrange(place, cycles)
}

// arrange moves the parts to their places.
func (m *Matrix) arrange(place []int, cycles [][]int32) {
	parts := make([]Part, len(m.Parts))
	for old, n := range place {
		parts[n-1] = m.Parts[old]
	}
	m.Parts = parts
	for i := range m.Cells {
		c := &m.Cells[i]
		c.From, c.To = place[c.From]-1, place[c.To]-1
	}
	slices.SortFunc(m.Cells, func(a, b Cell) int { return cmp.Or(cmp.Compare(a.From, b.From), cmp.Compare(a.To, b.To)) })
	for _, list := range cycles {
		var c []int
		for _, p := range list {
			c = append(c, place[p]-1)
		}
		slices.Sort(c)
		m.Cycles = append(m.Cycles, c)
	}
}

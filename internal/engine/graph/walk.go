package graph

import (
	"cmp"
	"slices"
)

// Reach is a node that a walk reaches, with its depth.
type Reach struct {
	Node  int32
	Depth int
}

// Walk returns the nodes that can be reached from starts, nearest first, each once at its smallest depth, without
// starts themselves. A limit of 0 means any depth. Nodes of one depth are in ascending order.
func (g *Digraph) Walk(starts []int32, limit int) []Reach {
	seen := make([]bool, g.Len())
	for _, s := range starts {
		seen[s] = true
	}
	var out []Reach
	level := starts
	for depth := 1; len(level) > 0 && (limit == 0 || depth <= limit); depth++ {
		var next []int32
		for _, i := range level {
			for _, t := range g.Out(int(i)) {
				if !seen[t] {
					seen[t] = true
					next = append(next, t)
				}
			}
		}
		slices.Sort(next)
		for _, i := range next {
			out = append(out, Reach{i, depth})
		}
		level = next
	}
	return out
}

// Cycles returns the strongly connected groups of more than one node, the
// largest first, then by their first member. Members are ascending. It uses
// Tarjan's algorithm (1972) without recursion.
func (g *Digraph) Cycles() [][]int32 {
	n := g.Len()
	t := tarjan{g: g, index: make([]int32, n), low: make([]int32, n), on: make([]bool, n)}
	for i := range n {
		if t.index[i] == 0 {
			t.visit(int32(i))
		}
	}
	slices.SortFunc(t.groups, func(a, b []int32) int {
		return cmp.Or(cmp.Compare(len(b), len(a)), cmp.Compare(a[0], b[0]))
	})
	return t.groups
}

type tarjan struct {
	g          *Digraph
	index, low []int32 // 1-based order of discovery
	on         []bool
	stack      []int32
	count      int32
	groups     [][]int32
}

type tarjanFrame struct {
	node int32
	edge int32
}

func (t *tarjan) visit(root int32) {
	frames := []tarjanFrame{t.enter(root)}
	for len(frames) > 0 {
		f := &frames[len(frames)-1]
		if f.edge < t.g.Off[f.node+1] {
			next := t.g.To[f.edge]
			f.edge++
			switch {
			case t.index[next] == 0:
				frames = append(frames, t.enter(next))
			case t.on[next]:
				t.low[f.node] = min(t.low[f.node], t.index[next])
			}
			continue
		}
		node := f.node
		frames = frames[:len(frames)-1]
		if len(frames) > 0 {
			p := frames[len(frames)-1].node
			t.low[p] = min(t.low[p], t.low[node])
		}
		if t.low[node] == t.index[node] {
			t.leave(node)
		}
	}
}

func (t *tarjan) enter(i int32) tarjanFrame {
	t.count++
	t.index[i], t.low[i] = t.count, t.count
	t.on[i] = true
	t.stack = append(t.stack, i)
	return tarjanFrame{i, t.g.Off[i]}
}

func (t *tarjan) leave(root int32) {
	at := len(t.stack) - 1
	for t.stack[at] != root {
		at--
	}
	group := slices.Clone(t.stack[at:])
	t.stack = t.stack[:at]
	for _, i := range group {
		t.on[i] = false
	}
	if len(group) > 1 {
		slices.Sort(group)
		t.groups = append(t.groups, group)
	}
}

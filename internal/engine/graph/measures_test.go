package graph

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
)

// digraph reads "0>1 1>2" as a graph of n nodes.
func digraph(t testing.TB, n int, text string) *Digraph {
	t.Helper()
	var edges [][2]int32
	for f := range strings.FieldsSeq(text) {
		var a, b int32
		if _, err := fmt.Sscanf(f, "%d>%d", &a, &b); err != nil {
			t.Fatal(f, err)
		}
		edges = append(edges, [2]int32{a, b})
	}
	slices.SortFunc(edges, func(a, b [2]int32) int { return slices.Compare(a[:], b[:]) })
	return NewDigraph(n, edges)
}

// graphs are small graphs with what every measure says of them.
var graphs = []struct {
	n                     int
	edges                 string
	reverse               string // the rows of the reversed graph
	from0, from02, within string // Walk from 0, from 0 and 2, and from 0 no further than 2
	cycles                string
	communities           string
	order                 string // nodes by PageRank, equal ones in parentheses
}{
	{0, "", "[]", "", "", "", "[]", "[]", ""},
	{3, "", "[[] [] []]", "", "", "", "[]", "[0 1 2]", "(0 1 2)"},
	{3, "0>0 0>1 0>1 1>1", "[[] [0] []]", "1@1", "1@1", "1@1", "[]", "[0 0 1]", "1 (0 2)"},
	{4, "0>1 1>2 2>3", "[[] [0] [1] [2]]", "1@1 2@2 3@3", "1@1 3@1", "1@1 2@2", "[]", "[0 0 1 1]", "3 2 1 0"},
	{4, "0>1 1>2 2>0 2>3", "[[2] [0] [1] [2]]", "1@1 2@2 3@3", "1@1 3@1", "1@1 2@2", "[[0 1 2]]", "[0 0 1 1]", "2 1 (0 3)"},
	{5, "0>2 0>1 2>4 1>3 3>4", "[[] [0] [0] [1] [2 3]]", "1@1 2@1 3@2 4@2", "1@1 4@1 3@2", "1@1 2@1 3@2 4@2", "[]", "[0 0 1 0 1]", ""},
	{6, "0>1 1>0 2>3 3>4 4>2 1>2 5>5", "[[1] [0] [1 4] [2] [3] []]", "1@1 2@2 3@3 4@4", "1@1 3@1 4@2", "1@1 2@2", "[[2 3 4] [0 1]]", "[0 0 1 1 1 2]", ""},
	{8, "0>1 0>2 0>3 1>2 1>3 2>3 4>5 4>6 4>7 5>6 5>7 6>7 3>4", "[[] [0] [0 1] [0 1 2] [3] [4] [4 5] [4 5 6]]", "1@1 2@1 3@1 4@2 5@3 6@3 7@3", "1@1 3@1 4@2 5@3 6@3 7@3", "1@1 2@1 3@1 4@2", "[]", "[0 0 0 0 1 1 1 1]", ""},
	{6, "0>1 2>1 3>1 4>1 5>1 5>4 4>5", "[[] [0 2 3 4 5] [] [] [5] [4]]", "1@1", "1@1", "1@1", "[[4 5]]", "[0 0 0 0 1 1]", ""},
	{7, "0>1 1>0 1>2 2>1 3>4 4>5 5>3 5>4", "[[1] [0 2] [1] [5] [3 5] [4] []]", "1@1 2@2", "1@1", "1@1 2@2", "[[0 1 2] [3 4 5]]", "[0 0 0 1 1 1 2]", ""},
}

func TestMeasures(t *testing.T) {
	for _, c := range graphs {
		g := digraph(t, c.n, c.edges)
		check := func(what, got, want string) {
			if got != want {
				t.Errorf("%s of %d nodes, %s: %s, want %s", what, c.n, c.edges, got, want)
			}
		}
		if g.Len() != c.n {
			t.Errorf("%d nodes, want %d", g.Len(), c.n)
		}
		back := g.Reverse()
		rows := [][]int32{}
		for i := range c.n {
			rows = append(rows, back.Out(i))
		}
		check("reverse", fmt.Sprint(rows), c.reverse)
		check("twice reversed", fmt.Sprint(back.Reverse()), fmt.Sprint(g))
		if c.n > 2 {
			check("walk", showReach(g.Walk([]int32{0}, 0)), c.from0)
			check("walk from two", showReach(g.Walk([]int32{0, 2}, 0)), c.from02)
			check("short walk", showReach(g.Walk([]int32{0}, 2)), c.within)
		}
		check("cycles", fmt.Sprint(slices.Clip(append([][]int32{}, g.Cycles()...))), c.cycles)
		check("communities", fmt.Sprint(g.Communities()), c.communities)
		if c.order != "" {
			check("ranks", showOrder(g.PageRank()), c.order)
		}
	}
}

func showReach(list []Reach) string {
	var out []string
	for _, r := range list {
		out = append(out, fmt.Sprintf("%d@%d", r.Node, r.Depth))
	}
	return strings.Join(out, " ")
}

// showOrder lists nodes by rank, highest first, equal ones in parentheses.
func showOrder(rank []float64) string {
	byRank := map[int64][]string{}
	var keys []int64
	for i, r := range rank {
		k := int64(math.Round(r * 1e7))
		if byRank[k] == nil {
			keys = append(keys, k)
		}
		byRank[k] = append(byRank[k], fmt.Sprint(i))
	}
	slices.Sort(keys)
	slices.Reverse(keys)
	var out []string
	for _, k := range keys {
		s := strings.Join(byRank[k], " ")
		if len(byRank[k]) > 1 {
			s = "(" + s + ")"
		}
		out = append(out, s)
	}
	return strings.Join(out, " ")
}

// TestPageRank: ranks sum to one and satisfy the equation they are defined by.
func TestPageRank(t *testing.T) {
	for _, c := range graphs {
		g := digraph(t, c.n, c.edges)
		rank := g.PageRank()
		if c.n == 0 {
			continue
		}
		want := make([]float64, c.n)
		loose, sum := 0.0, 0.0
		for i, r := range rank {
			sum += r
			if len(g.Out(i)) == 0 {
				loose += r
			}
			for _, to := range g.Out(i) {
				want[to] += 0.85 * r / float64(len(g.Out(i)))
			}
		}
		if math.Abs(sum-1) > 1e-9 {
			t.Errorf("%s: ranks sum to %v", c.edges, sum)
		}
		for i := range want {
			want[i] += (0.15 + 0.85*loose) / float64(c.n)
			if math.Abs(want[i]-rank[i]) > 1e-4 {
				t.Errorf("%s: rank of %d is %v, want %v", c.edges, i, rank[i], want[i])
			}
		}
	}
}

// TestWalkEquation: the personalised rank satisfies the equation it is defined
// by, with half the weight against edges.
func TestWalkEquation(t *testing.T) {
	for _, c := range graphs {
		if c.n < 3 {
			continue
		}
		g := digraph(t, c.n, c.edges)
		back := g.Reverse()
		home := make([]float64, c.n)
		home[0], home[c.n-1] = 0.75, 0.25
		rank := Walk(g, home)
		want := make([]float64, c.n)
		loose := 0.0
		for i, r := range rank {
			weight := float64(len(g.Out(i))) + float64(len(back.Out(i)))/2
			if weight == 0 {
				loose += r
				continue
			}
			for _, to := range g.Out(i) {
				want[to] += 0.85 * r / weight
			}
			for _, to := range back.Out(i) {
				want[to] += 0.85 * r / weight / 2
			}
		}
		for i := range want {
			want[i] += (0.15 + 0.85*loose) * home[i]
			if math.Abs(want[i]-rank[i]) > 2e-2 {
				t.Errorf("%s: rank of %d is %v, want %v", c.edges, i, rank[i], want[i])
			}
		}
		if home[0] != 0.75 {
			t.Error("Walk changed where it starts")
		}
	}
}

// TestCommunitiesRing: in a ring of cliques, the standard example of Louvain,
// every clique is a community.
func TestCommunitiesRing(t *testing.T) {
	const cliques, size = 12, 5
	var b strings.Builder
	for c := range cliques {
		for i := range size {
			for k := range i {
				fmt.Fprintf(&b, "%d>%d ", c*size+i, c*size+k)
			}
		}
		fmt.Fprintf(&b, "%d>%d ", c*size, (c+1)%cliques*size)
	}
	for i, got := range digraph(t, cliques*size, b.String()).Communities() {
		if got != int32(i/size) {
			t.Errorf("node %d is in community %d", i, got)
		}
	}
}

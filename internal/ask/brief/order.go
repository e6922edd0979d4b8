package brief

import (
	"cmp"
	"path"
	"slices"

	"ken/internal/code"
	"ken/internal/lang"
)

// BriefStep is a file in the order of work.
type BriefStep struct {
	Path  string
	Kind  string   // its node type
	Needs []string // files of earlier steps it depends on
}

// briefSteps is the number of files that are ordered.
const briefSteps = 6

// order sorts the first files to be changed: files come after those they depend on, then settings and types come first, then the
// better fit. Files that depend on each other in a circle do not wait for each other.
func (b *briefer) order() error {
	n := min(len(b.out.Modify), briefSteps)
	needs := b.needs(n)
	done := make([]bool, n)
	for range n {
		best := -1
		open := func(i int) (k int) {
			for j := range needs[i] {
				if !done[j] {
					k++
				}
			}
			return k
		}
		for i := range n {
			if done[i] {
				continue
			}
			if best < 0 || cmp.Or(cmp.Compare(open(i), open(best)), cmp.Compare(b.early(i), b.early(best))) < 0 {
				best = i
			}
		}
		c := &b.out.Modify[best]
		step := BriefStep{Path: c.Path, Kind: lang.NodeType(c.File)}
		for j := range needs[best] {
			if done[j] {
				step.Needs = append(step.Needs, b.out.Modify[j].Path)
			}
		}
		slices.Sort(step.Needs)
		done[best] = true
		b.out.Steps = append(b.out.Steps, step)
	}
	return nil
}

// needs returns, for each of the first n files to be changed, the others among them on which it depends, without circles.
func (b *briefer) needs(n int) []map[int]bool {
	reach := make([][briefSteps]bool, n)
	direct := make([]map[int]bool, n)
	for i := range n {
		direct[i] = map[int]bool{}
		for _, e := range b.out.Modify[i].Edges {
			if j, ok := b.place[e.Target]; ok && j != i && j < n && e.Relation.Depends() {
				direct[i][j], reach[i][j] = true, true
			}
		}
	}
	for k := range n {
		for i := range n {
			for j := range n {
				reach[i][j] = reach[i][j] || reach[i][k] && reach[k][j]
			}
		}
	}
	for i := range n {
		for j := range direct[i] {
			if reach[j][i] {
				delete(direct[i], j)
			}
		}
	}
	return direct
}

// early grades the i-th file by its kind. If two files wait for equally many others, the one with the smaller grade comes first.
func (b *briefer) early(i int) int {
	f := &b.out.Modify[i].File
	switch {
	case f.Class.Has(code.ClassTest):
		return 4
	case f.Class.Has(code.ClassDocument):
		return 3
	case f.Flags&code.FlagConfig != 0:
		return 0
	}
	// The file's own name and directory count: one farther up holds more than types.
	own := *f
	own.Path = path.Join(path.Base(code.Dir(f.Path)), path.Base(f.Path))
	switch lang.NodeType(own) {
	case "config":
		return 0
	case "model":
		return 1
	}
	return 2
}

package engine

import (
	"cmp"
	"slices"

	"ken/internal/code"
)

// BriefStep is a file in the order to work in.
type BriefStep struct {
	Path  string
	Kind  string   // its node type, as Type
	Needs []string // files of earlier steps it depends on
}

// order puts the files to be changed into an order: what others depend on comes
// first, of what is left settings and types, then the better fit. Where files
// depend on each other in a circle the one with fewest open needs goes first.
func (b *briefer) order() error {
	n := len(b.out.Modify)
	needs := make([]map[int]bool, n)
	for i := range b.out.Modify {
		needs[i] = map[int]bool{}
		for _, e := range b.out.Modify[i].out {
			if j, ok := b.place[e.Target]; ok && j != i && e.Relation.Depends() {
				needs[i][j] = true
			}
		}
	}
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
		step := BriefStep{Path: c.Path, Kind: Type(c.File)}
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

// early grades kinds of files: smaller is worked on before others that depend on
// as little.
func (b *briefer) early(i int) int {
	f := &b.out.Modify[i].File
	switch k := kindOf(f); {
	case k.test:
		return 4
	case k.doc:
		return 3
	case f.Flags&code.FlagConfig != 0:
		return 0
	}
	switch Type(*f) {
	case "config":
		return 0
	case "model":
		return 1
	}
	return 2
}

// Package codemap ranks files and declarations for outlines of the repository: "ken map", and the contents of a pack. Its neighbour
// ask/overview describes the repository in numbers.
package codemap

import (
	"cmp"
	"context"
	"math"
	"slices"

	"ken/internal/code"
	"ken/internal/engine/graph"
	"ken/internal/engine/view"
)

// MapOptions sets the focus and the size of a map.
type MapOptions struct {
	// Focus holds files with weights up to 1. Declarations near them rank higher, and files with a weight of 1 come first. Without a
	// focus the rank of a file in the index decides.
	Focus map[string]float64
	// Symbols holds declarations that rank higher, by path and qualified name.
	Symbols map[[2]string]bool
	// Files is the number of files whose declarations are read; 0 means 100.
	Files int
}

// MapEntry is one declaration of a map.
type MapEntry struct {
	File   int // index in CodeMap.Files
	Symbol int // index in the file's Symbols
	Score  float64
	aside  int
}

// MapFile is a file with all its declarations in source order. The file itself has only the columns that Reader.Ranked fills.
type MapFile struct {
	code.File
	Score   float64
	Symbols []view.Symbol
	aside   int
}

// CodeMap is an outline of a repository: its most important files and declarations.
type CodeMap struct {
	Files   []MapFile  // most important first
	Entries []MapEntry // most important first
	Total   int        // files of the repository that have declarations
}

// Map ranks the declarations of the repository. A file ranks by its PageRank. With a focus it ranks by the PageRank of a random walk
// along dependencies, in both directions, that keeps returning to the focus. A declaration ranks by its file, its kind, its
// visibility and the number of files that use its name, and lower the more declarations of its file come before it. Tests, examples,
// generated and vendored files come last unless they are in focus. It returns an error if the index cannot be read or ctx ends.
func Map(ctx context.Context, s *view.Snapshot, opt MapOptions) (*CodeMap, error) {
	files, err := mapFiles(s, opt)
	if err != nil {
		return nil, err
	}
	m := &CodeMap{Total: len(files)}
	for _, f := range files[:min(len(files), cmp.Or(opt.Files, 100))] {
		if f.Symbols, err = s.Signatures(ctx, f.File); err != nil {
			return nil, err
		}
		m.Files = append(m.Files, *f)
	}
	for i := range m.Files {
		if err := mapEntries(ctx, s, m, i, opt); err != nil {
			return nil, err
		}
	}
	slices.SortStableFunc(m.Entries, func(a, b MapEntry) int {
		return cmp.Or(cmp.Compare(a.aside, b.aside), cmp.Compare(b.Score, a.Score))
	})
	return m, nil
}

// Aside returns 0 for a file of the core of a repository, 1 for tests and examples, and 2 for generated and vendored files.
func Aside(f *code.File) int {
	if f.Flags&(code.FlagGenerated|code.FlagVendored|code.FlagMinified) != 0 {
		return 2
	}
	if f.Class.Has(code.ClassTest | code.ClassExample) {
		return 1
	}
	return 0
}

// mapFiles returns the files that have declarations, most important first.
func mapFiles(s *view.Snapshot, opt MapOptions) ([]*MapFile, error) {
	var out []*MapFile
	for f, err := range s.Index.Ranked() {
		if err != nil {
			return nil, err
		}
		if f.Symbols > 0 {
			out = append(out, &MapFile{File: f, Score: f.Rank})
		}
	}
	if len(opt.Focus) > 0 {
		slices.SortFunc(out, func(a, b *MapFile) int { return cmp.Compare(a.Path, b.Path) })
		if err := rateNearFocus(s, out, opt.Focus); err != nil {
			return nil, err
		}
	}
	for _, f := range out {
		switch weight := opt.Focus[f.Path]; {
		case weight >= 1:
			f.aside = -1
		case weight == 0:
			f.aside = Aside(&f.File)
		}
	}
	slices.SortFunc(out, func(a, b *MapFile) int {
		if c := cmp.Or(cmp.Compare(a.aside, b.aside), cmp.Compare(b.Score, a.Score)); c != 0 {
			return c
		}
		return cmp.Compare(a.Path, b.Path)
	})
	return out, nil
}

// focusShare is the share of steps in which the random walk returns to the focus instead of to any file.
const focusShare = 0.8

// rateNearFocus rates files, which are ordered by path, by how often a random walk that returns to the focus visits them, and by how
// much more often than a walk without focus does. A file on which everything depends is near to everything, and not specific to the
// focus.
func rateNearFocus(s *view.Snapshot, files []*MapFile, focus map[string]float64) error {
	n, at, sum := len(files), make(map[int64]int32, len(files)), 0.0
	home := make([]float64, n)
	for i, f := range files {
		at[f.ID] = int32(i)
		home[i] = focus[f.Path]
		sum += home[i]
	}
	for i := range home {
		if sum > 0 {
			home[i] = focusShare*home[i]/sum + (1-focusShare)/float64(n)
		} else {
			home[i] = 1 / float64(n)
		}
	}
	var edges [][2]int32
	for e, err := range s.Index.Edges() {
		if err != nil {
			return err
		}
		from, ok := at[e.Source]
		to, ok2 := at[e.Target]
		if ok && ok2 && e.Relation.Depends() {
			edges = append(edges, [2]int32{from, to})
		}
	}
	slices.SortFunc(edges, func(x, y [2]int32) int { return cmp.Or(int(x[0]-y[0]), int(x[1]-y[1])) })
	for i, rank := range graph.Walk(graph.NewDigraph(n, edges), home) {
		f := files[i]
		f.Score = rank * math.Sqrt(rank/max(f.Rank, 0.1/float64(n)))
	}
	return nil
}

// mapEntries adds the declarations of file at of the map, with their ratings. It leaves out fields of data types and declarations inside
// functions.
func mapEntries(ctx context.Context, s *view.Snapshot, m *CodeMap, at int, opt MapOptions) error {
	f := &m.Files[at]
	var list []view.Symbol
	var place []int
	var exported []view.Symbol // those of list that other files can see: only their uses are counted
	seen := map[string]bool{}  // overloads are listed once
	for i := range f.Symbols {
		sym := &f.Symbols[i]
		isMember := sym.Kind == code.KindField || sym.Kind == code.KindEnumMember
		isListed := sym.Signature != "" && !isMember && !sym.Kind.IsText()
		if seen[sym.Qualified] || !isListed || f.inFunction(i) {
			continue
		}
		seen[f.Symbols[i].Qualified] = true
		list, place = append(list, f.Symbols[i]), append(place, i)
		if f.Symbols[i].Exported {
			exported = append(exported, f.Symbols[i])
		}
	}
	uses, err := s.Uses(ctx, exported)
	if err != nil {
		return err
	}
	var own []MapEntry
	for k := range list {
		n := 0
		if list[k].Exported {
			n, uses = uses[0], uses[1:]
		}
		w := Weight(list[k].Kind, list[k].Exported, n)
		if opt.Symbols[[2]string{f.Path, list[k].Qualified}] {
			w *= mapFound
		}
		own = append(own, MapEntry{File: at, Symbol: place[k], Score: w})
	}
	slices.SortStableFunc(own, func(a, b MapEntry) int { return cmp.Compare(b.Score, a.Score) })
	for k := range own {
		own[k].Score *= math.Sqrt(f.Score) / (1 + float64(k)/mapDamp)
		if own[k].aside = f.aside; f.aside < 0 && k >= mapFocused {
			own[k].aside = 0
		}
	}
	m.Entries = append(m.Entries, own...)
	return nil
}

const (
	// mapFound is the factor by which a declaration that a query found counts more.
	mapFound = 8
	// mapDamp is the number of declarations of a file after which the next counts half.
	mapDamp = 2
	// mapFocused is the number of declarations of a file in focus that come first, because a large file must leave room for its
	// surroundings.
	mapFocused = 12
)

// inFunction reports whether the i-th declaration of the file is inside a function.
func (f *MapFile) inFunction(i int) bool {
	for up := f.Symbols[i].Parent; up >= 0 && int(up) < i; up = f.Symbols[up].Parent {
		if f.Symbols[up].Kind.IsFunction() {
			return true
		}
	}
	return false
}

// Weight returns how much a declaration tells about its file: by its kind, its visibility, and the number of files that use its
// name. Uses count only if it is exported, because other files mean something else by the name of a private declaration.
func Weight(k code.Kind, exported bool, uses int) float64 {
	w := 1.0
	switch {
	case k.IsText():
		w = 0.5
	case k == code.KindField, k == code.KindEnumMember, k == code.KindVariable, k == code.KindConstant:
		w = 0.3
	}
	if !exported {
		return w
	}
	return 2 * w * (1 + math.Log2(1+float64(uses)))
}

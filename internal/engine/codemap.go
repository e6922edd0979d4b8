package engine

import (
	"cmp"
	"context"
	"math"
	"slices"

	"ken/internal/code"
	"ken/internal/engine/graph"
)

// MapOptions say what a map is drawn around.
type MapOptions struct {
	// Focus are files near which things matter more, by weight. Without any the
	// rank of the index counts.
	Focus map[string]float64
	// Symbols are declarations that matter more, by path and qualified name.
	Symbols map[[2]string]bool
	// Files is how many files are looked into; 0 means 100.
	Files int
}

// MapEntry is one declaration of a map.
type MapEntry struct {
	File   int // index in CodeMap.Files
	Symbol int // index in the file's Symbols
	Score  float64
}

// MapFile is a file with all its declarations in source order.
type MapFile struct {
	code.File
	Score   float64
	Symbols []Symbol
	aside   int
}

// CodeMap is a repository by its declarations.
type CodeMap struct {
	Files   []MapFile  // most important first
	Entries []MapEntry // most important first
	Total   int        // files of the repository that have declarations
}

// Map ranks the declarations of the repository. A file counts by its PageRank,
// with a focus by the PageRank of a walker that keeps returning to it, along
// dependencies and against them; a declaration by its file, by what it is, by
// whether others can see it and how many files use its name, and the less the
// more of its file come before it. Tests, examples, generated and vendored files
// come last unless they are in focus.
func (s *Snapshot) Map(ctx context.Context, opt MapOptions) (*CodeMap, error) {
	files, err := s.mapFiles(opt)
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
		if err := s.mapEntries(ctx, m, i, opt); err != nil {
			return nil, err
		}
	}
	slices.SortStableFunc(m.Entries, func(a, b MapEntry) int {
		return cmp.Or(cmp.Compare(m.Files[a.File].aside, m.Files[b.File].aside), cmp.Compare(b.Score, a.Score))
	})
	return m, nil
}

// Aside tells how far a file is from the point of a repository: 0 is at it, 1
// are tests and examples, 2 is what others or programs wrote.
func Aside(f *code.File) int {
	if f.Flags&(code.FlagGenerated|code.FlagVendored|code.FlagMinified) != 0 {
		return 2
	}
	if k := kindOf(f); k.test || k.example {
		return 1
	}
	return 0
}

// mapFiles are the files that have declarations, most important first.
func (s *Snapshot) mapFiles(opt MapOptions) ([]*MapFile, error) {
	var files []code.File
	var score func(i int) float64
	if len(opt.Focus) == 0 {
		for f, err := range s.r.Files() {
			if err != nil {
				return nil, err
			}
			files = append(files, f)
		}
		score = func(i int) float64 { return files[i].Rank }
	} else {
		g, err := loadGraph(s.r, depends)
		if err != nil {
			return nil, err
		}
		files = g.files
		ranks := g.focused(opt.Focus)
		score = func(i int) float64 { return ranks[i] }
	}
	var out []*MapFile
	for i := range files {
		if files[i].Symbols == 0 {
			continue
		}
		f := &MapFile{File: files[i], Score: score(i)}
		if opt.Focus[f.Path] == 0 {
			f.aside = Aside(&f.File)
		}
		out = append(out, f)
	}
	slices.SortFunc(out, func(a, b *MapFile) int {
		return cmp.Or(cmp.Compare(a.aside, b.aside), cmp.Compare(b.Score, a.Score), cmp.Compare(a.Path, b.Path))
	})
	return out, nil
}

// focusShare is how often the walker returns to the focus and not just anywhere.
const focusShare = 0.8

// focused is the rank of every file for a walker who returns to the focus.
func (g *fileGraph) focused(focus map[string]float64) []float64 {
	n := len(g.files)
	home, sum := make([]float64, n), 0.0
	for i := range g.files {
		home[i] = focus[g.files[i].Path]
		sum += home[i]
	}
	for i := range home {
		if sum > 0 {
			home[i] = focusShare*home[i]/sum + (1-focusShare)/float64(n)
		} else {
			home[i] = 1 / float64(n)
		}
	}
	return graph.Walk(g.Digraph, home)
}

// mapEntries rates the declarations of a file. Members of data and what stands
// inside functions is not part of a map.
func (s *Snapshot) mapEntries(ctx context.Context, m *CodeMap, at int, opt MapOptions) error {
	f := &m.Files[at]
	var list []Symbol
	var place []int
	seen := map[string]bool{} // overloads are told once
	for i := range f.Symbols {
		if k := f.Symbols[i].Kind; seen[f.Symbols[i].Qualified] || f.Symbols[i].Signature == "" || k == code.KindField || k == code.KindEnumMember || k.IsText() || f.inFunction(i) {
			continue
		}
		seen[f.Symbols[i].Qualified] = true
		list, place = append(list, f.Symbols[i]), append(place, i)
	}
	uses, err := s.Uses(ctx, list)
	if err != nil {
		return err
	}
	var own []MapEntry
	for k := range list {
		w := Weight(list[k].Kind, list[k].Exported, uses[k])
		if opt.Symbols[[2]string{f.Path, list[k].Qualified}] {
			w *= mapFound
		}
		own = append(own, MapEntry{File: at, Symbol: place[k], Score: w})
	}
	slices.SortStableFunc(own, func(a, b MapEntry) int { return cmp.Compare(b.Score, a.Score) })
	for k := range own {
		own[k].Score *= math.Sqrt(f.Score) / (1 + float64(k)/mapDamp)
	}
	m.Entries = append(m.Entries, own...)
	return nil
}

const (
	// mapFound is how much more a declaration counts that a query found.
	mapFound = 8
	// mapDamp is after how many declarations of a file the next counts half.
	mapDamp = 2
)

// inFunction reports whether a declaration stands inside a function.
func (f *MapFile) inFunction(i int) bool {
	for up := f.Symbols[i].Parent; up >= 0 && int(up) < i; up = f.Symbols[up].Parent {
		if f.Symbols[up].Kind.IsFunction() {
			return true
		}
	}
	return false
}

// Weight says how much a declaration tells about its file: by what it is,
// whether others can see it, and how many files use its name. Those that use
// the name of what others cannot see mean something else.
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

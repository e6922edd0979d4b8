package engine

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strings"

	"ken/internal/code"
)

// maxCycles bounds the cycles listed; maxEntries the entry points.
const (
	maxCycles  = 5
	maxEntries = 20
)

// Overview is the picture of the whole repository. limit is the length of its
// lists, 0 means 10.
func (s *Snapshot) Overview(ctx context.Context, limit int) (Overview, error) {
	if limit <= 0 {
		limit = 10
	}
	var o Overview
	var err error
	if o.Info, err = s.Info(ctx); err != nil {
		return o, err
	}
	g, err := loadGraph(s.r, func(e EdgeRow) bool { return e.Relation != code.RelTests && e.Relation.Depends() })
	if err != nil {
		return o, err
	}
	o.Languages, o.Directories, o.Entries = tally(g.files)
	o.Entries = o.Entries[:min(len(o.Entries), maxEntries)]
	if o.Files, err = s.hotFiles(limit); err != nil {
		return o, err
	}
	if o.Symbols, err = s.hotSymbols(ctx, limit); err != nil {
		return o, err
	}
	if o.Externals, err = s.r.Externals(limit * 4); err != nil {
		return o, err
	}
	o.Externals = slices.DeleteFunc(o.Externals, func(e External) bool { return e.Std })
	o.Externals = o.Externals[:min(len(o.Externals), limit)]
	o.Communities = g.communities(limit)
	o.Cycles, err = s.cycles(g)
	return o, err
}

// tally counts files by language and by directory, and lists entry points.
func tally(files []code.File) (langs, dirs []Count, entries []string) {
	byLang, byDir := map[string]*Count{}, map[string]*Count{}
	for i := range files {
		f := &files[i]
		add(byLang, cmp.Or(string(f.Lang), "other"), f)
		for _, d := range topDirs(f.Path) {
			add(byDir, d, f)
		}
		if f.Flags&code.FlagEntry != 0 {
			entries = append(entries, f.Path)
		}
	}
	langs = counts(byLang, func(c *Count) int64 { return int64(c.Files) })
	dirs = counts(byDir, func(c *Count) int64 { return c.Tokens })
	return langs, dirs, entries
}

func add(m map[string]*Count, name string, f *code.File) {
	c := m[name]
	if c == nil {
		c = &Count{Name: name}
		m[name] = c
	}
	c.Files++
	c.Lines += int64(f.Lines)
	c.Tokens += int64(f.O200K)
}

func counts(m map[string]*Count, weight func(*Count) int64) []Count {
	out := make([]Count, 0, len(m))
	for _, c := range m {
		out = append(out, *c)
	}
	slices.SortFunc(out, func(a, b Count) int {
		return cmp.Or(cmp.Compare(weight(&b), weight(&a)), cmp.Compare(a.Name, b.Name))
	})
	return out
}

// topDirs are the first two directories on the way to a file.
func topDirs(p string) []string {
	first, rest, ok := strings.Cut(p, "/")
	if !ok {
		return []string{"."}
	}
	second, _, ok := strings.Cut(rest, "/")
	if !ok {
		return []string{first}
	}
	return []string{first, first + "/" + second}
}

// communities are the largest groups of connected files.
func (g *fileGraph) communities(limit int) []Community {
	members := map[int32][]int{}
	for i, c := range g.Communities() {
		members[c] = append(members[c], i)
	}
	groups := slices.Collect(maps.Values(members))
	groups = slices.DeleteFunc(groups, func(m []int) bool { return len(m) < 3 })
	slices.SortFunc(groups, func(a, b []int) int { return cmp.Or(cmp.Compare(len(b), len(a)), cmp.Compare(a[0], b[0])) })
	var out []Community
	for _, m := range groups[:min(len(groups), limit)] {
		out = append(out, g.describe(m))
	}
	return out
}

// describe names a group after the deepest directory that holds most of it.
func (g *fileGraph) describe(m []int) Community {
	dirs := map[string]int{}
	for _, i := range m {
		for d := code.Dir(g.files[i].Path); d != ""; d = code.Dir(d) {
			dirs[d]++
		}
	}
	name := "."
	for _, d := range slices.Sorted(maps.Keys(dirs)) {
		if dirs[d]*2 > len(m) && (name == "." || len(d) > len(name)) {
			name = d
		}
	}
	slices.SortFunc(m, func(a, b int) int {
		return cmp.Or(cmp.Compare(g.files[b].Rank, g.files[a].Rank), cmp.Compare(g.files[a].Path, g.files[b].Path))
	})
	c := Community{Name: name, Files: len(m)}
	for _, i := range m[:min(len(m), 5)] {
		c.Top = append(c.Top, g.files[i].Path)
	}
	return c
}

// cycles are the groups of files that import each other in circles.
func (s *Snapshot) cycles(all *fileGraph) ([][]string, error) {
	g, err := loadGraph(s.r, func(e EdgeRow) bool { return e.Relation == code.RelImports })
	if err != nil {
		return nil, err
	}
	var out [][]string
	for _, c := range g.Cycles() {
		if len(out) == maxCycles {
			break
		}
		paths := make([]string, len(c))
		for i, n := range c {
			paths[i] = all.files[n].Path
		}
		out = append(out, paths)
	}
	return out, nil
}

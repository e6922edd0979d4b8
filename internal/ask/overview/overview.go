// Package overview describes the whole repository: languages, directories,
// communities, hotspots and import cycles. Its neighbour ask/summary describes it in
// fewer words, for the beginning of a session.
package overview

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strings"

	"ken/internal/code"
	"ken/internal/engine/lookup"
	"ken/internal/engine/store"
	"ken/internal/engine/view"
)

// maxCycles is the number of import cycles listed, maxEntries the number of entry points of programs.
const (
	maxCycles  = 5
	maxEntries = 20
)

// Overview describes the whole repository. limit is the length of its lists. It returns an error if the index cannot be
// read.
func Overview(ctx context.Context, s *view.Snapshot, limit int) (view.Overview, error) {
	var o view.Overview
	var err error
	if o.Info, err = s.Info(ctx); err != nil {
		return o, err
	}
	g, err := lookup.LoadGraph(s.Index, func(e store.EdgeRow) bool { return e.Relation != code.RelTests && e.Relation.Depends() })
	if err != nil {
		return o, err
	}
	o.Languages, o.Directories, o.Entries = tally(g.Files)
	o.Entries = o.Entries[:min(len(o.Entries), maxEntries)]
	if o.Files, err = HotFiles(s, limit); err != nil {
		return o, err
	}
	if o.Symbols, err = hotSymbols(ctx, s, limit); err != nil {
		return o, err
	}
	if o.Externals, err = s.Index.Externals(limit * 4); err != nil {
		return o, err
	}
	o.Externals = slices.DeleteFunc(o.Externals, func(e store.External) bool { return e.Std })
	o.Externals = o.Externals[:min(len(o.Externals), limit)]
	o.Communities = communities(g, limit)
	o.Cycles, err = cycles(s, g)
	return o, err
}

// tally counts files by language and by directory, and lists the files in which programs start.
func tally(files []code.File) (langs, dirs []view.Count, entries []string) {
	byLang, byDir := map[string]*view.Count{}, map[string]*view.Count{}
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
	langs = counts(byLang, func(c *view.Count) int64 { return int64(c.Files) })
	dirs = counts(byDir, func(c *view.Count) int64 { return c.Tokens })
	return langs, dirs, entries
}

func add(m map[string]*view.Count, name string, f *code.File) {
	c := m[name]
	if c == nil {
		c = &view.Count{Name: name}
		m[name] = c
	}
	c.Files++
	c.Lines += int64(f.Lines)
	c.Tokens += int64(f.O200K)
}

func counts(m map[string]*view.Count, weight func(*view.Count) int64) []view.Count {
	out := make([]view.Count, 0, len(m))
	for _, c := range m {
		out = append(out, *c)
	}
	slices.SortFunc(out, func(a, b view.Count) int {
		return cmp.Or(cmp.Compare(weight(&b), weight(&a)), cmp.Compare(a.Name, b.Name))
	})
	return out
}

// topDirs returns the first and the second directory on the path of a file.
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

// communities returns the largest groups of files that are connected by dependencies.
func communities(g *lookup.FileGraph, limit int) []view.Community {
	members := map[int32][]int{}
	for i, c := range g.Communities() {
		members[c] = append(members[c], i)
	}
	groups := slices.Collect(maps.Values(members))
	groups = slices.DeleteFunc(groups, func(m []int) bool { return len(m) < 3 })
	slices.SortFunc(groups, func(a, b []int) int { return cmp.Or(cmp.Compare(len(b), len(a)), cmp.Compare(a[0], b[0])) })
	var out []view.Community
	for _, m := range groups[:min(len(groups), limit)] {
		out = append(out, describe(g, m))
	}
	return out
}

// describe returns the group of files m, named after the deepest directory that holds most of it.
func describe(g *lookup.FileGraph, m []int) view.Community {
	dirs := map[string]int{}
	for _, i := range m {
		for d := code.Dir(g.Files[i].Path); d != ""; d = code.Dir(d) {
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
		return cmp.Or(cmp.Compare(g.Files[b].Rank, g.Files[a].Rank), cmp.Compare(g.Files[a].Path, g.Files[b].Path))
	})
	c := view.Community{Name: name, Files: len(m)}
	for _, i := range m[:min(len(m), 5)] {
		c.Top = append(c.Top, g.Files[i].Path)
	}
	return c
}

// cycles returns the groups of files that import each other in a circle.
func cycles(s *view.Snapshot, all *lookup.FileGraph) ([][]string, error) {
	g, err := lookup.LoadGraph(s.Index, func(e store.EdgeRow) bool { return e.Relation == code.RelImports })
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
			paths[i] = all.Files[n].Path
		}
		out = append(out, paths)
	}
	return out, nil
}

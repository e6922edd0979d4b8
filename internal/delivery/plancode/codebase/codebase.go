// Package codebase writes the documents of a planning folder that describe the code: its technologies and integrations, its layers and
// places, its conventions and tests, and concerns. Every sentence comes from the index, or from a text that the index has; judgements,
// which an index cannot make, go to a place in each document that is kept when the document is made again.
//
// Neighbours: package manifest reads the dependencies that a project declares; delivery/plancode declares the operations.
package codebase

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"ken/internal/ask/overview"
	"ken/internal/ask/summary"
	"ken/internal/ask/surface/manifest"
	"ken/internal/code"
	"ken/internal/engine/store"
	"ken/internal/engine/view"
	"ken/internal/knowledge/convention"
	"ken/internal/lang"
)

// Code holds the facts for the documents.
type Code struct {
	all       []code.File // without files of ken and of the planning folder
	byID      map[int64]*code.File
	manifests []*manifest.Manifest
	unread    int         // manifests that are there besides
	named     []knownFile // files that are known by their name
	sum       *summary.Summary
	habits    *convention.Found
	outside   []store.External
	hot       []view.HotSymbol
	cycles    [][]string
	uses      map[[2]int]int // files of one layer that depend on another
	tested    map[int64]bool // files that a test depends on
	doubtful  []summary.Quarantined
	variables []variable
	notes     []note
	readmes   map[string]string // folders' own descriptions
	purposes  map[string]string // of entry points
	changes   []change
}

// knownFile is a file whose name shows its purpose.
type knownFile struct {
	path string
	*namePattern
	text string // the beginning of one that holds a version
}

// isPlanningOrKenFile reports whether a path belongs to the planning folder or to ken's own folder, which are not part of the code.
func isPlanningOrKenFile(file string) bool {
	return strings.HasPrefix(file, ".planning/") || strings.HasPrefix(file, ".ken/")
}

// asideClasses are the classes of files that do not show the project's own technologies.
const asideClasses = code.ClassFixture | code.ClassVendored | code.ClassGenerated | code.ClassExample

// isSource reports whether a file is code of the project and no test.
func isSource(class code.FileClass, l code.Lang) bool {
	const other = asideClasses | code.ClassTest | code.ClassDocument | code.ClassData | code.ClassTranslation
	return l != "" && !class.Has(other) && lang.Of(l).Sort == lang.Programming
}

// isTest reports whether a file is test code.
func isTest(class code.FileClass, l code.Lang) bool {
	return l != "" && class.Has(code.ClassTest) && !class.Has(code.ClassFixture|code.ClassVendored) && lang.Of(l).Sort == lang.Programming
}

// Read gathers the facts for the documents. It fails if the index or a file cannot be read.
func Read(ctx context.Context, s *view.Snapshot) (*Code, error) {
	c := &Code{byID: map[int64]*code.File{}, uses: map[[2]int]int{}, tested: map[int64]bool{}}
	c.readmes, c.purposes = map[string]string{}, map[string]string{}
	for f, err := range s.Index.Files() {
		if err != nil {
			return nil, err
		}
		if !isPlanningOrKenFile(f.Path) {
			c.all = append(c.all, f)
		}
	}
	for i := range c.all {
		c.byID[c.all[i].ID] = &c.all[i]
	}
	for _, step := range [...]func(context.Context, *view.Snapshot) error{c.findKnownFiles, c.askQuestions, c.countEdges, c.readTexts,
		c.readFolderPurposes, c.findMostChanged} {
		if err := step(ctx, s); err != nil {
			return nil, err
		}
	}
	return c, nil
}

// maxManifests is the number of manifests that are read. Some projects have one in each of a thousand folders.
const maxManifests = 500

// findKnownFiles finds manifests and other files whose names show their purpose.
func (c *Code) findKnownFiles(ctx context.Context, s *view.Snapshot) error {
	for i := range c.all {
		f := &c.all[i]
		if f.Class.Has(asideClasses &^ code.ClassGenerated) {
			continue // lockfiles are generated and hold people's choices
		}
		if n := matchingPattern(f.Path); n != nil {
			entry := knownFile{path: f.Path, namePattern: n}
			if n.sort == version {
				text, err := s.Text(ctx, f.Path)
				if err != nil {
					continue // gone since it was indexed
				}
				entry.text = strings.Join(strings.Fields(string(text[:min(len(text), 200)])), " ")
			}
			c.named = append(c.named, entry)
		}
		if !manifest.IsManifest(f.Path) || f.Class.Has(code.ClassTest) {
			continue
		}
		if len(c.manifests) >= maxManifests {
			c.unread++
			continue
		}
		text, err := s.Text(ctx, f.Path)
		if err != nil {
			continue
		}
		c.manifests = append(c.manifests, manifest.Read(f.Path, string(text)))
	}
	slices.SortStableFunc(c.manifests, func(a, b *manifest.Manifest) int {
		return cmp.Or(cmp.Compare(strings.Count(a.Path, "/"), strings.Count(b.Path, "/")), strings.Compare(a.Path, b.Path))
	})
	return nil
}

// Sizes of lists.
const (
	maxOutside = 30
	// maxExternals is the largest number of packages that are looked up by name.
	maxExternals = 5000
	maxHot       = 12
	maxRows      = 15
)

// askQuestions runs the queries whose answers the documents need.
func (c *Code) askQuestions(ctx context.Context, s *view.Snapshot) (err error) {
	if c.sum, err = summary.Of(ctx, s, summary.NoPages()); err != nil {
		return err
	}
	c.sum.Hotspots = slices.DeleteFunc(c.sum.Hotspots, func(h view.HotFile) bool { return isPlanningOrKenFile(h.Path) })
	c.recountLayers()
	c.doubtful = slices.DeleteFunc(c.sum.Doubtful, func(q summary.Quarantined) bool { return isPlanningOrKenFile(q.Path) })
	if c.habits, err = convention.Find(ctx, s); err != nil {
		return err
	}
	if c.outside, err = s.Index.Externals(maxExternals); err != nil {
		return err
	}
	c.outside = slices.DeleteFunc(c.outside, func(e store.External) bool { return e.Std })
	o, err := overview.Overview(ctx, s, maxHot)
	if err != nil {
		return err
	}
	c.hot = slices.DeleteFunc(o.Symbols, func(h view.HotSymbol) bool { return isPlanningOrKenFile(h.Path) })
	c.cycles = slices.DeleteFunc(o.Cycles, func(list []string) bool { return isPlanningOrKenFile(list[0]) })
	return nil
}

// recountLayers counts the files of each layer again without those of ken and of the planning folder. A layer without files is dropped.
func (c *Code) recountLayers() {
	for i := range c.sum.Layers {
		c.sum.Layers[i].Files, c.sum.Layers[i].Top = 0, ""
	}
	dependents := map[int]uint32{}
	for i := range c.all {
		f := &c.all[i]
		at := c.layerIndex(f.Path)
		if at < 0 || !isSource(f.Class, f.Lang) {
			continue
		}
		l := &c.sum.Layers[at]
		l.Files++
		if f.Dependents > dependents[at] {
			l.Top, dependents[at] = f.Path, f.Dependents
		}
	}
	c.sum.Layers = slices.DeleteFunc(c.sum.Layers, func(l summary.Layer) bool { return l.Files == 0 })
	for i := range c.sum.Layers {
		l := &c.sum.Layers[i]
		l.Rest = slices.ContainsFunc(c.sum.Layers, func(in summary.Layer) bool {
			return in.Dir != l.Dir && (l.Dir == "" || strings.HasPrefix(in.Dir, l.Dir+"/"))
		})
	}
}

// layerIndex returns the layer of a file, the one with the deepest folder; -1 if it is in none.
func (c *Code) layerIndex(file string) int {
	best, length := -1, -1
	for i, l := range c.sum.Layers {
		inside := l.Dir == "" || strings.HasPrefix(file, l.Dir+"/")
		if inside && len(l.Dir) > length {
			best, length = i, len(l.Dir)
		}
	}
	return best
}

// countEdges counts the dependencies between layers, and finds the files that tests depend on.
func (c *Code) countEdges(ctx context.Context, s *view.Snapshot) error {
	layer := map[int64]int{}
	for i := range c.all {
		f := &c.all[i]
		if at := c.layerIndex(f.Path); at >= 0 && isSource(f.Class, f.Lang) {
			layer[f.ID] = at
		}
	}
	counted := map[[2]int]int64{} // the file that was counted last: edges come by source
	for e, err := range s.Index.Edges() {
		if err != nil {
			return err
		}
		from, to := c.byID[e.Source], c.byID[e.Target]
		if from == nil || to == nil || !e.Relation.Depends() {
			continue
		}
		if isTest(from.Class, from.Lang) {
			c.tested[e.Target] = true
			continue
		}
		a, isA := layer[e.Source]
		b, isB := layer[e.Target]
		key := [2]int{a, b}
		if isA && isB && a != b && counted[key] != e.Source {
			counted[key] = e.Source
			c.uses[key]++
		}
	}
	return ctx.Err()
}

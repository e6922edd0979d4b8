// Package codegraph fills the files of .planning/intel and the graph of graphify from an index: the exports and imports of each file,
// the packages of others in use, and the edges between files. Neighbours: workflow/plan/intel asks, delivery/plancode opens the index.
package codegraph

import (
	"cmp"
	"context"
	"path"
	"slices"
	"strings"

	"ken/internal/ask/find"
	"ken/internal/code"
	"ken/internal/engine/view"
	"ken/internal/workflow/plan/folder"
	"ken/internal/workflow/plan/intel"
)

// Answer returns the wanted facts. It returns an error if the index cannot be read.
func Answer(ctx context.Context, s *view.Snapshot, w intel.Wanted) (x *intel.Indexed, err error) {
	x = &intel.Indexed{}
	if w.Roles || w.Packages {
		if err := addRoles(ctx, s, x); err != nil {
			return nil, err
		}
	}
	if w.Exports != "" {
		if x.Exports, err = exports(s, w.Exports); err != nil {
			return nil, err
		}
	}
	switch {
	case w.Whole:
		err = drawWhole(ctx, s, &x.Graph)
	case w.Around != "":
		err = drawAround(ctx, s, w.Around, &x.Graph)
	}
	return x, err
}

// isPlanFile reports whether a file belongs to the planning folder, which is no part of the code.
func isPlanFile(name string) bool { return strings.HasPrefix(name, folder.Name+"/") }

// addRoles adds the purposes of the project's files and the external packages they use. Documents have no role, and vendored files are
// no files of the project.
func addRoles(ctx context.Context, s *view.Snapshot, x *intel.Indexed) error {
	used := map[string][]string{}
	for f, err := range s.Files(ctx) {
		if err != nil {
			return err
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if isPlanFile(f.Path) || f.Class.Has(code.ClassVendored|code.ClassDocument) {
			continue
		}
		r, packages, err := fileRole(s, &f)
		if err != nil {
			return err
		}
		x.Roles = append(x.Roles, r)
		for _, name := range packages {
			used[name] = append(used[name], f.Path)
		}
	}
	for name, files := range used {
		x.Packages = append(x.Packages, intel.Package{Name: name, UsedBy: files})
	}
	slices.SortFunc(x.Packages, func(a, b intel.Package) int { return cmp.Compare(a.Name, b.Name) })
	return nil
}

// fileRole returns the purpose of a file and the external packages that it uses.
func fileRole(s *view.Snapshot, f *code.File) (r intel.FileRole, packages []string, err error) {
	r = intel.FileRole{Path: f.Path, Exports: []string{}, Imports: []string{}, Type: fileType(f)}
	packed, err := s.OpenFacts(f.ID)
	if err != nil || packed == nil {
		return r, nil, err
	}
	offered, err := packed.Exports()
	if err != nil {
		return r, nil, err
	}
	for i := range offered {
		r.Exports = appendOnce(r.Exports, offered[i].Name)
	}
	imports, err := packed.Imports()
	if err != nil {
		return r, nil, err
	}
	for i := range imports {
		r.Imports = appendOnce(r.Imports, imports[i].Spec)
	}
	links, err := s.Links(f.ID)
	for i := range links {
		if links[i].External != "" && !links[i].Std {
			packages = appendOnce(packages, links[i].External)
		}
	}
	return r, packages, err
}

func appendOnce(list []string, s string) []string {
	if s == "" || slices.Contains(list, s) {
		return list
	}
	return append(list, s)
}

// fileType returns the type of a file, in the terms of the intel files.
func fileType(f *code.File) string {
	switch {
	case f.Class.Has(code.ClassTest | code.ClassFixture):
		return "test"
	case f.Flags&code.FlagEntry != 0:
		return "entry-point"
	case f.Flags&code.FlagConfig != 0:
		return "config"
	case f.Class.Has(code.ClassTemplate):
		return "template"
	case f.Class.Has(code.ClassData | code.ClassTranslation | code.ClassOther):
		return "data"
	}
	return "module"
}

// exports returns the names that a file exports, nil if the index does not hold it.
func exports(s *view.Snapshot, name string) ([]string, error) {
	f, ok, err := s.Index.FileByPath(name)
	if err != nil || !ok || f.Problem != "" {
		return nil, err
	}
	packed, err := s.OpenFacts(f.ID)
	if err != nil || packed == nil {
		return nil, err
	}
	list, err := packed.Exports()
	out := []string{}
	for i := range list {
		out = appendOnce(out, list[i].Name)
	}
	return out, err
}

func fileNode(f *code.File) intel.GraphNode {
	return intel.GraphNode{ID: f.Path, Label: path.Base(f.Path), Type: "file", File: f.Path}
}

// confidences are the names that graphify has for the confidence of an edge.
var confidences = [...]string{code.Ambiguous: "AMBIGUOUS", code.UniqueName: "INFERRED", code.ImportResolved: "EXTRACTED", code.Exact: "EXTRACTED"}

// graphDrawing adds nodes and edges to a graph, each once.
type graphDrawing struct {
	s     *view.Snapshot
	g     *intel.Graph
	nodes map[string]bool
	edges map[intel.GraphEdge]bool
}

func (d *graphDrawing) addNode(n intel.GraphNode) bool {
	if d.nodes[n.ID] {
		return false
	}
	d.nodes[n.ID] = true
	d.g.Nodes = append(d.g.Nodes, n)
	return true
}

func (d *graphDrawing) addEdge(e intel.GraphEdge) {
	if !d.edges[e] {
		d.edges[e] = true
		d.g.Edges = append(d.g.Edges, e)
	}
}

// fileEdges adds the edges of a file and returns the files at their other ends.
func (d *graphDrawing) fileEdges(id int64, both bool) (others []int64, err error) {
	list, err := d.s.Index.EdgesFrom(id)
	if err == nil && both {
		to, e := d.s.Index.EdgesTo(id)
		list, err = append(slices.Clone(list), to...), e
	}
	if err != nil {
		return nil, err
	}
	for _, e := range list {
		from, err := d.s.FileByID(e.Source)
		if err != nil {
			return nil, err
		}
		to, err := d.s.FileByID(e.Target)
		if err != nil {
			return nil, err
		}
		if from.Path == "" || to.Path == "" || isPlanFile(from.Path) || isPlanFile(to.Path) {
			continue
		}
		sure := confidences[min(int(e.Confidence), len(confidences)-1)]
		d.addEdge(intel.GraphEdge{Source: from.Path, Target: to.Path, Relation: e.Relation.String(), Confidence: sure})
		other := e.Source
		if other == id {
			other = e.Target
		}
		others = append(others, other)
	}
	return others, nil
}

func drawWhole(ctx context.Context, s *view.Snapshot, g *intel.Graph) error {
	d := &graphDrawing{s, g, map[string]bool{}, map[intel.GraphEdge]bool{}}
	for f, err := range s.Files(ctx) {
		if err != nil {
			return err
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if isPlanFile(f.Path) {
			continue
		}
		d.addNode(fileNode(&f))
		if _, err := d.fileEdges(f.ID, false); err != nil {
			return err
		}
	}
	return nil
}

const (
	// hops is the distance from the matches of a word up to which the graph is drawn.
	hops = 2
	// maxFound is the number of files and of declarations that match a word: with more, the graph would be the whole project.
	maxFound = 40
	// maxNodes is the number of nodes at which drawing ends; a budget of tokens cuts it far below that.
	maxNodes = 4000
)

// drawAround adds the files and declarations that have a word in their names, and those up to two steps away. If none has it, the
// results of `ken find` are used, so that a text of several words has an answer.
func drawAround(ctx context.Context, s *view.Snapshot, term string, g *intel.Graph) error {
	d := &graphDrawing{s, g, map[string]bool{}, map[intel.GraphEdge]bool{}}
	edge, err := d.drawNamed(ctx, strings.ToLower(term))
	if err == nil && len(edge) == 0 {
		edge, err = d.drawSearch(ctx, term)
	}
	if err != nil {
		return err
	}
	for range hops {
		var next []int64
		for _, id := range edge {
			if len(g.Nodes) > maxNodes || ctx.Err() != nil {
				return ctx.Err()
			}
			others, err := d.fileEdges(id, true)
			if err != nil {
				return err
			}
			for _, other := range others {
				f, err := s.FileByID(other)
				if err != nil {
					return err
				}
				if d.addNode(fileNode(&f)) {
					next = append(next, other)
				}
			}
		}
		edge = next
	}
	return nil
}

// drawFile adds a file that matches the word; fresh reports whether it is new in the graph.
func (d *graphDrawing) drawFile(f *code.File) (fresh bool) {
	if fresh = d.addNode(fileNode(f)); fresh {
		d.g.Found = append(d.g.Found, f.Path)
	}
	return fresh
}

// drawDeclaration adds a declaration that matches the word, with its file.
func (d *graphDrawing) drawDeclaration(f *code.File, name, kind string, line int) (fresh bool) {
	fresh = d.addNode(fileNode(f))
	id := f.Path + "#" + name
	if d.addNode(intel.GraphNode{ID: id, Label: name, Type: kind, File: f.Path, Line: line}) {
		d.g.Found = append(d.g.Found, id)
	}
	d.addEdge(intel.GraphEdge{Source: f.Path, Target: id, Relation: "contains", Confidence: confidences[code.Exact]})
	return fresh
}

// drawNamed adds the files and declarations with the word in their names, the most important files first.
func (d *graphDrawing) drawNamed(ctx context.Context, term string) (edge []int64, err error) {
	var files []code.File
	for f, err := range d.s.Files(ctx) {
		if err != nil {
			return nil, err
		}
		if strings.Contains(strings.ToLower(f.Path), term) && !isPlanFile(f.Path) {
			files = append(files, f)
		}
	}
	slices.SortStableFunc(files, func(a, b code.File) int { return cmp.Compare(b.Rank, a.Rank) })
	d.g.Omitted = max(0, len(files)-maxFound)
	for i := range files[:min(len(files), maxFound)] {
		d.drawFile(&files[i])
		edge = append(edge, files[i].ID)
	}
	drawn := 0
	for name, err := range d.s.Index.Names() {
		if err != nil {
			return nil, err
		}
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if !strings.Contains(strings.ToLower(name), term) {
			continue
		}
		rows, err := d.s.SymbolsNamed(name)
		if err != nil {
			return nil, err
		}
		for i := range rows {
			f, err := d.s.FileByID(rows[i].FileID)
			if err != nil {
				return nil, err
			}
			if rows[i].Kind.IsText() || isPlanFile(f.Path) {
				continue
			}
			if drawn++; drawn > maxFound {
				d.g.Omitted++
				continue
			}
			if d.drawDeclaration(&f, rows[i].Qualified, rows[i].Kind.String(), int(rows[i].Span.Line)) {
				edge = append(edge, f.ID)
			}
		}
	}
	return edge, nil
}

// drawSearch adds the results of a search for a text.
func (d *graphDrawing) drawSearch(ctx context.Context, text string) (edge []int64, err error) {
	found, err := find.Find(ctx, d.s, text, find.SearchOptions{})
	if err != nil {
		return nil, err
	}
	for i := range found.Files {
		if f := &found.Files[i]; !isPlanFile(f.Path) && d.drawFile(&f.File) {
			edge = append(edge, found.Files[i].ID)
		}
	}
	return edge, nil
}

// Package targets finds the facts of the index about the targets of a guarded task: files and declarations with their dependents.
// Package tasks fills the guard's requests with it. A hook asks for less than an operation does, because it runs before every write.
package targets

import (
	"context"
	"errors"
	"math"
	"path"
	"slices"
	"strings"

	"ken/internal/ask/refs"
	"ken/internal/code"
	"ken/internal/engine/view"
	"ken/internal/guard"
	"ken/internal/lang"
	"ken/internal/operation"
)

// maxCallers is the number of files using a target up to which the lines of use are looked up. An analysis demands a statement on fewer
// files.
const maxCallers = 60

// Paths resolves paths and names of a project; project.Project implements it.
type Paths interface {
	// Locate returns the path of a file relative to the root, and whether something is there.
	Locate(arg string) (rel string, found bool, err error)
	IsDir(rel string) bool
	// Target returns the file or the symbols that a name means. It fails with a code.NotFoundError if there are none.
	Target(ctx context.Context, s *view.Snapshot, arg string) (view.Target, error)
}

// Finder finds targets in one view of the index.
type Finder struct {
	Paths    Paths
	Snapshot *view.Snapshot
	// Quick is set by hooks: names are absolute paths of files, and only the facts that decide on a write are looked up. A file with
	// more than Most dependents gets a number of them only, and its other facts from Had.
	Quick bool
	Most  int
	Had   []guard.Target
	// Unused reports whether it is proven that nothing uses a file or symbols; found are their references.
	Unused func(ctx context.Context, s *view.Snapshot, t view.Target, found *view.References) (bool, error)
}

// Find returns the facts about the names of a request. It fails with a code.UsageError for a path outside the project, and if the index
// cannot be read.
func (f *Finder) Find(ctx context.Context, names []string) (out []guard.Target, err error) {
	for _, n := range names {
		g, err := f.target(ctx, n)
		if err != nil {
			return nil, err
		}
		if !slices.ContainsFunc(out, func(o guard.Target) bool { return o.Key() == g.Key() }) {
			out = append(out, g)
		}
	}
	return out, nil
}

// target returns the facts about a file or declaration that is to be changed.
func (f *Finder) target(ctx context.Context, name string) (guard.Target, error) {
	if f.Quick {
		// For a file that is not indexed no similar names and no reason are looked up, because that means reading the rows of all.
		rel, found, err := f.Paths.Locate(name)
		if err != nil {
			return guard.Target{}, err
		}
		file, ok, err := f.Snapshot.Index.FileByPath(rel)
		switch {
		case err != nil:
			return guard.Target{}, err
		case ok:
			return f.fileTarget(ctx, name, &file)
		case !found:
			return f.newFile(ctx, name)
		case f.Paths.IsDir(rel):
			return f.namedTarget(ctx, name)
		}
		return guard.Target{Name: name, Path: rel, Unindexed: true}, nil
	}
	return f.namedTarget(ctx, name)
}

// namedTarget returns the target of a name, or of a path as a user wrote it.
func (f *Finder) namedTarget(ctx context.Context, name string) (guard.Target, error) {
	t, err := f.Paths.Target(ctx, f.Snapshot, name)
	var un *operation.NotIndexedError
	var missing *code.NotFoundError
	switch {
	case errors.As(err, &un):
		rel, _, err := f.Paths.Locate(name)
		return guard.Target{Name: name, Path: rel, Unindexed: true}, err
	case errors.As(err, &missing) && isPath(name):
		return f.newFile(ctx, name)
	case err != nil:
		return guard.Target{}, err
	case t.File != "":
		file, err := f.Snapshot.File(ctx, t.File)
		if err != nil {
			return guard.Target{}, err
		}
		return f.fileTarget(ctx, name, &file)
	}
	if places := Places(t.Symbols); len(places) > 1 {
		return guard.Target{Name: name, Symbol: name, Candidates: places}, nil
	}
	return f.symbolTarget(ctx, name, t.Symbols)
}

// isPath reports whether a name is that of a file and not of a declaration.
func isPath(name string) bool {
	if strings.Contains(name, ":") {
		return false
	}
	return strings.Contains(name, "/") || path.Ext(name) != ""
}

// Places returns the declarations of symbols; overloads are one.
func Places(list []view.Symbol) (out []guard.Place) {
	for i := range list {
		p := guard.Place{Path: list[i].Path, Symbol: list[i].Qualified, Line: int(list[i].Span.Line)}
		if !slices.ContainsFunc(out, func(o guard.Place) bool { return o.Path == p.Path && o.Symbol == p.Symbol }) {
			out = append(out, p)
		}
	}
	return out
}

// newFile returns a file that does not exist yet. It is judged by the other files of its folder.
func (f *Finder) newFile(ctx context.Context, name string) (guard.Target, error) {
	rel, _, err := f.Paths.Locate(name)
	if err != nil {
		return guard.Target{}, err
	}
	n, err := f.Snapshot.Index.CountBelow(code.Dir(rel), false, 1)
	return guard.Target{Name: name, Path: rel, New: true, Isolated: n == 0}, err
}

// Siblings returns the indexed files in the folder of a file. It returns an error if the index cannot be read.
func (f *Finder) Siblings(rel string) (out []string, err error) {
	list, err := f.Snapshot.Index.NodesIn(code.Dir(rel))
	for i := range list {
		if list[i].Path != rel {
			out = append(out, list[i].Path)
		}
	}
	return out, err
}

// fileTarget returns a whole file with the files that depend on it.
func (f *Finder) fileTarget(ctx context.Context, name string, file *code.File) (guard.Target, error) {
	g := guard.Target{Name: name, Path: file.Path}
	around := refs.NewFile(f.Snapshot, file.ID, file.Path)
	most := math.MaxInt
	if f.Quick { // where an analysis is demanded whatever was read, the files need not be looked at
		n, err := around.CountDependents()
		if err != nil || n > f.Most {
			return f.countedTarget(g, n), err
		}
		most = f.Most + 1 - n
	}
	others, err := around.Others(ctx, most)
	if err != nil {
		return g, err
	}
	if f.Quick && len(others) == most {
		return f.countedTarget(g, f.Most+1), nil
	}
	in, err := refs.Dependents(ctx, f.Snapshot, view.Target{File: file.Path}, 1)
	if err != nil {
		return g, err
	}
	users := slices.DeleteFunc(in.List, func(d view.Dependent) bool { return !d.Relation.Depends() || d.Confidence == code.Ambiguous })
	for _, id := range others {
		n, _ := f.Snapshot.Lookup.NodeByID(id)
		users = append(users, view.Dependent{Path: n.Path, Test: n.Test})
	}
	slices.SortFunc(users, func(a, b view.Dependent) int { return strings.Compare(a.Path, b.Path) })
	for i := range users {
		d := &users[i]
		if g.Dependents++; d.Test {
			g.Tests = append(g.Tests, d.Path)
			continue
		}
		c, err := f.fileCaller(ctx, d.Path, around, len(g.Callers))
		if err != nil {
			return g, err
		}
		g.Callers = append(g.Callers, c)
	}
	if g.Dependents > 0 {
		used := slices.ContainsFunc(g.Callers, func(c guard.Caller) bool { return !lang.IsMarkup(c.Path) })
		if lang.IsMarkup(g.Path) && !used { // what breaks in a page is seen when it is looked at
			g.Callers = nil
		}
		return g, nil
	}
	depends, err := around.DependsOnAny()
	if err != nil || depends || lang.LanguageTier(file.Lang) != lang.Full {
		g.Isolated = !depends
		return g, err
	}
	g.Isolated, err = f.Unused(ctx, f.Snapshot, view.Target{File: file.Path}, nil)
	return g, err
}

// countedTarget returns a target with at least n dependents; the task knows its other facts already.
func (f *Finder) countedTarget(g guard.Target, n int) guard.Target {
	for i := range f.Had {
		if o := &f.Had[i]; o.Key() == g.Key() {
			g.Callers, g.Tests = o.Callers, o.Tests
		}
	}
	g.Dependents, g.More = n, true
	return g
}

// fileCaller returns a file that uses declarations of another, with a line of each kind of use, or, if it only imports it, the lines of
// the imports. Of the n-th of very many it returns no lines.
func (f *Finder) fileCaller(ctx context.Context, from string, to *refs.File, n int) (guard.Caller, error) {
	c := guard.Caller{Path: from}
	if n >= maxCallers {
		return c, nil
	}
	id, err := f.Snapshot.Index.FileID(from)
	if err != nil {
		return c, err
	}
	list, err := to.Uses(ctx, id)
	if err != nil {
		return c, err
	}
	if len(list) == 0 {
		imports, err := f.Snapshot.Imports(ctx, from)
		if err != nil {
			return c, err
		}
		for i := range imports {
			if slices.Contains(imports[i].Targets, to.Path()) {
				c.Lines = append(c.Lines, int(imports[i].Line))
			}
		}
		slices.Sort(c.Lines)
		c.Lines = slices.Compact(c.Lines)
		return c, nil
	}
	uses := make([]use, len(list))
	for i := range list {
		uses[i] = use{list[i].Line, list[i].Start, list[i].End, list[i].Kind}
	}
	return c, f.addUses(ctx, &c, uses)
}

// addUses adds to a file that uses a target the lines that have to be read and, but for hooks, the declarations around all uses: the
// outermost function, or the innermost declaration where none is around.
func (f *Finder) addUses(ctx context.Context, c *guard.Caller, uses []use) (err error) {
	if c.Lines, c.Alike, err = f.oneOfEach(ctx, c.Path, uses); err != nil || f.Quick {
		return err
	}
	list, err := f.Snapshot.Symbols(ctx, c.Path)
	if err != nil {
		return err
	}
	for _, u := range uses {
		in := guard.Outside
		for i := range list { // parents come before their children
			y := &list[i]
			if y.Span.Line > u.line || u.line > y.Span.EndLine {
				continue
			}
			if in = y.Qualified; y.Kind.IsFunction() {
				break
			}
		}
		if !slices.Contains(c.In, in) {
			c.In = append(c.In, in)
		}
	}
	return nil
}

// symbolTarget returns a declaration with the files that use it.
func (f *Finder) symbolTarget(ctx context.Context, name string, symbols []view.Symbol) (guard.Target, error) {
	first := &symbols[0]
	g := guard.Target{Name: name, Path: first.Path, Symbol: first.Qualified}
	all, err := refs.References(ctx, f.Snapshot, symbols)
	if err != nil {
		return g, err
	}
	refs.BySurety(all.List)
	uses := map[string][]use{}
	seen := map[string]bool{}
	for i := range all.List {
		r := &all.List[i]
		if r.Path == first.Path || r.Confidence == code.Ambiguous && r.Through == "" {
			continue
		}
		if !seen[r.Path] {
			seen[r.Path] = true
			g.Dependents++
		}
		if n, _ := f.Snapshot.Lookup.Node(r.Path); n.Test {
			if !slices.Contains(g.Tests, r.Path) {
				g.Tests = append(g.Tests, r.Path)
			}
			continue
		}
		if uses[r.Path] == nil {
			g.Callers = append(g.Callers, guard.Caller{Path: r.Path})
		}
		uses[r.Path] = append(uses[r.Path], use{r.Line, r.Start, r.End, r.Kind})
	}
	for i := range g.Callers[:min(len(g.Callers), maxCallers)] {
		c := &g.Callers[i]
		if err := f.addUses(ctx, c, uses[c.Path]); err != nil {
			return g, err
		}
	}
	if len(all.List) > 0 {
		return g, nil
	}
	from, err := refs.From(ctx, f.Snapshot, first)
	if err != nil || len(from) > 0 {
		return g, err
	}
	g.Isolated, err = f.Unused(ctx, f.Snapshot, view.Target{Symbols: symbols}, &all)
	return g, err
}

package impact

import (
	"cmp"
	"context"
	"slices"

	"ken/internal/ask/diff"
	"ken/internal/code"
	"ken/internal/engine/graph"
	"ken/internal/engine/graph/bind"
	"ken/internal/engine/graph/infer"
	"ken/internal/engine/store"
	"ken/internal/engine/view"
	"ken/internal/lang"
)

// Removed is a declaration that a diff removed, with its remaining users. A renamed declaration counts as removed.
type Removed struct {
	Path   string
	Symbol code.Symbol
	// Users are the references that meant it and lead nowhere now, surest first, then
	// by place. Ambiguous ones may have meant another declaration of that name.
	Users []ImpactRef
	moved bool // its file has another path now
}

// IsUsed reports whether a reference certainly meant the removed declaration.
func (r *Removed) IsUsed() bool {
	return len(r.Users) > 0 && r.Users[0].Confidence > code.Ambiguous
}

// describe returns in words how the declaration was removed.
func (r *Removed) describe() string {
	if r.moved {
		return "has another path now"
	}
	return "is removed"
}

// Limits of the work for removed declarations.
const (
	maxRemovedFiles = 4000 // files whose references are bound
	maxRemovedUsers = 200  // users listed of one declaration
)

// findRemoved finds the remaining users of removed declarations. It resolves each reference to such a name among the current definitions
// and the removed ones. A search by the name alone would miss a use whenever another declaration has the name.
func (x *impactSearch) findRemoved(ctx context.Context) error {
	was := newPastLookup(x.s)
	byName := map[string][]int{}
	var names []string
	for i := range x.q.Diff {
		f := &x.q.Diff[i]
		if err := was.add(f); err != nil {
			return err
		}
		moved, err := x.movedDeclarations(f)
		if err != nil {
			return err
		}
		for k, sym := range slices.Concat(f.Removed, moved) {
			if len(x.out.Removed) == maxImpactSymbols {
				x.cut("users of the first 200 removed declarations only")
				break
			}
			if byName[sym.Name] == nil {
				names = append(names, sym.Name)
			}
			byName[sym.Name] = append(byName[sym.Name], len(x.out.Removed))
			x.out.Removed = append(x.out.Removed, Removed{Path: cmp.Or(f.Old, f.Path), Symbol: sym, moved: k >= len(f.Removed)})
		}
	}
	types := infer.New(view.NewLinker(was), x.s.Details)
	files := 0
	for _, name := range names {
		ids, err := x.s.Index.Referrers(name)
		if err != nil {
			return err
		}
		if files += len(ids); files > maxRemovedFiles {
			x.cut("users of removed declarations in the first 4,000 files only")
			return nil
		}
		if err := x.findUsers(ctx, was, types, name, byName[name], ids); err != nil {
			return err
		}
	}
	x.out.Removed = slices.DeleteFunc(x.out.Removed, func(r Removed) bool { return r.moved && len(r.Users) == 0 })
	return x.s.Lookup.Err
}

// movedDeclarations returns the top-level declarations of a file that the diff moved to another path. Imports of the old path no
// longer reach them.
func (x *impactSearch) movedDeclarations(f *diff.ChangedFile) (out []code.Symbol, err error) {
	if f.Status != diff.DiffRenamed {
		return nil, nil
	}
	n, ok := x.s.Lookup.Node(f.Path)
	if !ok || !isCode(n.Lang) {
		return nil, nil
	}
	rows, err := x.s.Index.Symbols(n.ID)
	for i := range rows {
		if rows[i].Parent < 0 && !rows[i].Kind.IsText() {
			out = append(out, rows[i].Symbol)
		}
	}
	return out, err
}

// findUsers collects the references to one name that meant removed declarations. gone has the indexes of these declarations.
func (x *impactSearch) findUsers(ctx context.Context, was *pastLookup, types *infer.Types, name string, gone []int, files []int64) error {
	now, err := x.s.NameDefinitions(name)
	if err != nil {
		return err
	}
	defs, removed, err := was.defs(name, x.out.Removed, gone)
	if err != nil {
		return err
	}
	binder := bind.New(types, defs)
	for _, id := range files {
		if err := ctx.Err(); err != nil {
			return err
		}
		t, err := x.s.Site(id)
		if err != nil {
			return err
		}
		if t.Packed == nil {
			continue
		}
		list, err := t.Packed.Refs(name)
		if err != nil {
			return err
		}
		site := was.siteBefore(types.Linker(), t)
		for i := range list {
			meant := binder.Bind(site, &list[i])
			at := slices.IndexFunc(meant.Defs, func(d int) bool { return removed[d] != nil })
			if at < 0 {
				continue
			}
			b, _ := view.BindExactly(now.Binder, t, &list[i])
			if b.Decided && len(b.Defs) > 0 || !meant.Decided && slices.Contains(b.Defs, meant.Defs[at]) {
				continue // it still leads somewhere: to the new place of the declaration
			}
			if err := x.user(removed[meant.Defs[at]], t, &list[i], meant.Confidence); err != nil {
				return err
			}
		}
	}
	for _, g := range gone {
		slices.SortStableFunc(x.out.Removed[g].Users, func(a, b ImpactRef) int {
			return cmp.Or(cmp.Compare(b.Confidence, a.Confidence), cmp.Compare(a.Path, b.Path), cmp.Compare(a.Line, b.Line))
		})
	}
	return nil
}

func (x *impactSearch) user(r *Removed, t *view.Site, ref *code.Ref, conf code.Confidence) error {
	if len(r.Users) == maxRemovedUsers {
		x.cut("200 users of each removed declaration only")
		return nil
	}
	in, err := x.s.EnclosingSymbol(t, ref.Scope)
	r.Users = append(r.Users, ImpactRef{
		Path: t.Node.Path, Line: ref.Line, In: in.Name, Target: r.Symbol.Qualified,
		How: ref.Kind.String(), Depth: 1, Confidence: conf, Test: t.Node.Test,
	})
	return err
}

// pastLookup looks up files and declarations as they were before a diff: those that
// the diff removed still exist. Removed files have ids below 0. A moved file is
// found by both paths.
type pastLookup struct {
	graph.Lookup
	s        *view.Snapshot
	files    map[string]graph.Node // by their removed paths
	byID     map[int64]graph.Node  // the files with numbers below 0
	dirs     map[string]bool
	declared map[string][]declaredBy // by name
}

type declaredBy struct {
	file      int64
	container string
}

func newPastLookup(s *view.Snapshot) *pastLookup {
	return &pastLookup{Lookup: s.Lookup, s: s, files: map[string]graph.Node{}, byID: map[int64]graph.Node{}, dirs: map[string]bool{"": true},
		declared: map[string][]declaredBy{}}
}

// add records the declarations and the path that the diff of one file removed.
func (b *pastLookup) add(f *diff.ChangedFile) error {
	p := cmp.Or(f.Old, f.Path)
	n, there := b.Lookup.Node(p)
	if !there {
		var err error
		if n, err = b.addRemovedPath(f, p); err != nil {
			return err
		}
	}
	for i := range f.Removed {
		s := &f.Removed[i]
		b.declared[s.Name] = append(b.declared[s.Name], declaredBy{n.ID, s.Container()})
	}
	return nil
}

// addRemovedPath records a removed path.
func (b *pastLookup) addRemovedPath(f *diff.ChangedFile, p string) (n graph.Node, err error) {
	n, moved := b.Lookup.Node(f.Path)
	if !moved {
		n = graph.Node{ID: -1 - int64(len(b.files)), Path: p, Lang: lang.Detect(p, nil)}
		n.Package, err = b.neighbourPackage(p, n.Lang)
		b.byID[n.ID] = n
	}
	b.files[p] = n
	for d := code.Dir(p); !b.dirs[d]; d = code.Dir(d) {
		b.dirs[d] = true
	}
	return n, err
}

// neighbourPackage returns the package of the files in the directory of a removed file.
func (b *pastLookup) neighbourPackage(p string, l code.Lang) (string, error) {
	files, err := b.s.Index.FilesIn(code.Dir(p))
	for i := range files {
		if files[i].Lang == l && files[i].Package != "" {
			return files[i].Package, err
		}
	}
	return "", err
}

// defs returns the current definitions of a name, then the removed ones whose
// indexes in all are in gone. removed maps indexes in defs to the latter.
func (b *pastLookup) defs(name string, all []Removed, gone []int) (defs []graph.Def, removed map[int]*Removed, err error) {
	rows, err := b.s.SymbolsNamed(name)
	if err != nil {
		return nil, nil, err
	}
	removed = map[int]*Removed{}
	for i := range rows {
		n, ok := b.Lookup.NodeByID(rows[i].FileID)
		if !ok {
			continue
		}
		for _, g := range gone {
			if r := &all[g]; r.moved && b.files[r.Path].ID == n.ID && rows[i].Qualified == r.Symbol.Qualified {
				removed[len(defs)] = r
			}
		}
		defs = append(defs, view.NewDef(n, &rows[i]))
	}
	for i, g := range gone {
		r := &all[g]
		n, _ := b.Node(r.Path)
		var above []infer.Decl // inherited members that a removed one overrode: its uses mean them now
		if container := r.Symbol.Container(); n.ID >= 0 && container != "" {
			above, _ = b.s.InferredTypes().Overridden(n, -1, container, r.Symbol.Name)
		}
		if !r.moved && len(above) == 0 {
			removed[len(defs)] = r
			defs = append(defs, view.NewDef(n, &store.SymbolRow{Symbol: r.Symbol, FileID: n.ID, Path: n.Path, Ord: -1 - int32(i)}))
		}
	}
	return defs, removed, nil
}

// siteBefore returns a file whose imports lead to the targets that they had before the diff.
func (b *pastLookup) siteBefore(k *graph.Linker, t *view.Site) *graph.Site {
	if len(b.files) == 0 {
		return &t.Site
	}
	was := t.Site
	was.Imports, was.Links = k.Imports(t.Node.ID)
	return &was
}

// Node returns the file with a path.
func (b *pastLookup) Node(p string) (graph.Node, bool) {
	if n, ok := b.Lookup.Node(p); ok {
		return n, true
	}
	n, ok := b.files[p]
	return n, ok
}

// NodeByID returns the file with an id, which is below 0 for a removed file.
func (b *pastLookup) NodeByID(id int64) (graph.Node, bool) {
	if id < 0 {
		n, ok := b.byID[id]
		return n, ok
	}
	return b.Lookup.NodeByID(id)
}

// Has reports whether a file exists, or existed before the diff.
func (b *pastLookup) Has(p string) bool {
	_, ok := b.files[p]
	return ok || b.Lookup.Has(p)
}

// HasDir reports whether a directory exists, or existed before the diff.
func (b *pastLookup) HasDir(dir string) bool { return b.dirs[dir] || b.Lookup.HasDir(dir) }

// Outward returns the exports of a file. A removed file has none.
func (b *pastLookup) Outward(file int64) graph.Outward {
	if file < 0 {
		return graph.Outward{}
	}
	return b.Lookup.Outward(file)
}

// Declares reports whether a file declares a name, or declared it before the diff.
func (b *pastLookup) Declares(file int64, container, name string) bool {
	return slices.Contains(b.declared[name], declaredBy{file, container}) || file > 0 && b.Lookup.Declares(file, container, name)
}

// ScopeDeclarers returns the files of a scope that declare a name, or declared it before the diff.
func (b *pastLookup) ScopeDeclarers(n graph.Node, container, name string) []int64 {
	now := b.Lookup.ScopeDeclarers(n, container, name)
	return b.declarers(now, container, name, func(d *graph.Node) bool { return graph.SameScope(&n, d) })
}

// DirDeclarers returns the files of a directory that declare a name, or declared it before the diff.
func (b *pastLookup) DirDeclarers(l code.Lang, dir, name string) []int64 {
	return b.declarers(b.Lookup.DirDeclarers(l, dir, name), "", name, func(d *graph.Node) bool {
		return code.Dir(d.Path) == dir && graph.Family(d.Lang) == graph.Family(l) && d.Importable()
	})
}

// declarers adds to now, the files that declare a name, those that declared it before the diff and that fits accepts.
func (b *pastLookup) declarers(now []int64, container, name string, fits func(*graph.Node) bool) []int64 {
	for _, d := range b.declared[name] {
		n, _ := b.NodeByID(d.file)
		if d.container == container && !slices.Contains(now, d.file) && fits(&n) {
			now = append(slices.Clone(now), d.file)
		}
	}
	return now
}

// Package refs answers who uses what: references, dependents and dependencies,
// the types and methods tied to a symbol through interfaces (hierarchy.go), and
// what the index cannot see of uses when it finds none (unused.go).
package refs

import (
	"cmp"
	"context"
	"maps"
	"slices"

	"ken/internal/code"
	"ken/internal/engine/graph"
	"ken/internal/engine/graph/bind"
	"ken/internal/engine/store"
	"ken/internal/engine/view"
)

// References finds the uses of symbols: the files with references of one of
// their names are looked up, and each such reference is bound by what its file
// says (bind.Binder). References that mean something else are counted by the
// reason for that.
func References(ctx context.Context, s *view.Snapshot, targets []view.Symbol) (view.References, error) {
	return newRefCollector(s, targets).collect(ctx)
}

// ReferencesAndDropped is References with the list of those that mean something
// else.
func ReferencesAndDropped(ctx context.Context, s *view.Snapshot, targets []view.Symbol) (view.References, error) {
	c := newRefCollector(s, targets)
	c.keepDropped = true
	return c.collect(ctx)
}

func (c *refCollector) collect(ctx context.Context) (view.References, error) {
	for _, name := range slices.Sorted(maps.Keys(c.byName)) {
		if err := c.name(ctx, name); err != nil {
			return view.References{}, err
		}
	}
	slices.SortFunc(c.out.List, byPlace)
	slices.SortFunc(c.out.Dropped, byPlace)
	c.out.ResolvedShare = share(c.decided, c.out.Named)
	c.out.ExactShare = 0
	if c.out.Named > 0 {
		c.out.ExactShare = share(c.exact, c.out.Named)
	}
	return c.out, c.s.Lookup.Err
}

func byPlace(a, b view.Reference) int {
	return cmp.Or(cmp.Compare(a.Path, b.Path), cmp.Compare(a.Start, b.Start), cmp.Compare(b.Confidence, a.Confidence))
}

func share(part, whole int) float64 {
	if whole == 0 {
		return 1
	}
	return float64(part) / float64(whole)
}

type refCollector struct {
	s       *view.Snapshot
	byName  map[string][]*view.Symbol // targets
	out     view.References
	decided int
	exact   int
	read    map[asName]bool   // files can be met by more than one way
	through throughs          // of the name being collected
	rows    []store.SymbolRow // the definitions of that name, as binding numbers them

	keepDropped bool
}

// asName is a file read for the references to a name that have another there.
type asName struct {
	file        int64
	name, local string
}

func newRefCollector(s *view.Snapshot, targets []view.Symbol) *refCollector {
	c := &refCollector{s: s, byName: map[string][]*view.Symbol{}, read: map[asName]bool{}}
	c.out.DroppedBy = map[bind.Reason]int{}
	for i := range targets {
		c.byName[targets[i].Name] = append(c.byName[targets[i].Name], &targets[i])
	}
	return c
}

// name collects the references of one name.
func (c *refCollector) name(ctx context.Context, name string) error {
	defs, wanted, err := c.defs(name)
	if err != nil {
		return err
	}
	files, err := c.s.Index.Referrers(name)
	if err != nil {
		return err
	}
	binder := bind.New(c.s.Binding(), defs)
	c.through = throughs{}
	if len(wanted) < len(defs) { // else nothing is bound to what is not wanted
		if c.through, err = c.throughsOf(ctx, name, binder); err != nil {
			return err
		}
	}
	for _, id := range files {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := c.file(id, name, "", binder, wanted); err != nil {
			return err
		}
	}
	if err := c.passedOn(ctx, name, binder, wanted); err != nil {
		return err
	}
	return c.defaultImports(name, binder, wanted, files)
}

// passedOn adds the references that have another name because a file passes the
// declaration on under it (export { a as b } from …).
func (c *refCollector) passedOn(ctx context.Context, name string, binder *bind.Binder, wanted map[int]*view.Symbol) error {
	names := map[string]bool{name: true}
	var queue []int64
	for _, t := range c.byName[name] {
		if file := code.UnpackSymbolID(t.ID).File; t.Symbol.Container() == "" && !slices.Contains(queue, file) {
			queue = append(queue, file)
		}
	}
	for i := 0; i < len(queue); i++ {
		graph.Passed(c.s.Lookup.Outward(queue[i]), names)
		n, ok := c.s.Lookup.NodeByID(queue[i])
		if !ok {
			continue
		}
		relays, err := c.s.Index.ProbedBy(graph.ProbeKey(graph.RelayKey(n.Path)))
		if err != nil {
			return err
		}
		for _, id := range relays {
			if !slices.Contains(queue, id) {
				queue = append(queue, id)
			}
		}
	}
	delete(names, name)
	for _, alias := range slices.Sorted(maps.Keys(names)) {
		files, err := c.s.Index.Referrers(alias)
		if err != nil {
			return err
		}
		for _, id := range files {
			if err := ctx.Err(); err != nil {
				return err
			}
			if err := c.file(id, name, alias, binder, wanted); err != nil {
				return err
			}
		}
	}
	return c.s.Lookup.Err
}

// defs are all definitions of a name, and which of them are wanted.
func (c *refCollector) defs(name string) ([]graph.Def, map[int]*view.Symbol, error) {
	rows, err := c.s.SymbolsNamed(name)
	if err != nil {
		return nil, nil, err
	}
	wanted := map[int]*view.Symbol{}
	defs := make([]graph.Def, 0, len(rows))
	c.rows = c.rows[:0]
	for _, row := range rows {
		n, ok := c.s.Lookup.NodeByID(row.FileID)
		if !ok {
			continue
		}
		for _, t := range c.byName[name] {
			if t.ID == row.ID().Pack() {
				wanted[len(defs)] = t
			}
		}
		defs = append(defs, view.DefOf(n, &row))
		c.rows = append(c.rows, row)
	}
	return defs, wanted, nil
}

// file binds the references of a name in one file. local, if set, is the name
// they have there; then only what an import decides counts, since a guess by
// another name would mean nothing.
func (c *refCollector) file(id int64, name, local string, binder *bind.Binder, wanted map[int]*view.Symbol) error {
	if k := (asName{id, name, cmp.Or(local, name)}); c.read[k] {
		return nil
	} else {
		c.read[k] = true
	}
	t, err := c.s.Site(id)
	if err != nil || t.Packed == nil {
		return err
	}
	refs, err := t.Packed.Refs(cmp.Or(local, name))
	if err != nil {
		return err
	}
	for i := range refs {
		b, by := view.BindExactly(binder, t, &refs[i])
		if local != "" && (!b.Decided || len(b.Defs) == 0 || refs[i].Via != code.ViaImport) {
			continue
		}
		c.out.Named++
		if b.Decided {
			c.decided++
		}
		listed := len(c.out.List)
		for _, d := range b.Defs {
			if w := wanted[d]; w != nil {
				if _, err := c.add(t, &refs[i], w, b.Confidence, by); err != nil {
					return err
				}
				break
			}
		}
		if by != "" {
			c.exact++
		}
		if len(c.out.List) == listed {
			if err := c.addPerhaps(t, &refs[i], &b, wanted); err != nil {
				return err
			}
		}
		if len(c.out.List) > listed {
			continue
		}
		if err := c.addThrough(t, &refs[i], &b, by); err != nil {
			return err
		}
		if len(c.out.List) == listed {
			if err := c.drop(t, &refs[i], &b, binder, wanted); err != nil {
				return err
			}
		}
	}
	return nil
}

// addPerhaps lists a reference that may mean a wanted definition.
func (c *refCollector) addPerhaps(t *view.Site, r *code.Ref, b *bind.Binding, wanted map[int]*view.Symbol) error {
	for _, d := range b.Perhaps {
		if w := wanted[d]; w != nil {
			_, err := c.add(t, r, w, code.Ambiguous, "")
			return err
		}
	}
	return nil
}

// add lists a reference; what is returned is valid until the next.
func (c *refCollector) add(t *view.Site, r *code.Ref, to *view.Symbol, conf code.Confidence, by string) (*view.Reference, error) {
	in, err := c.s.Around(t, r.Scope)
	c.out.List = append(c.out.List, view.Reference{Path: t.Node.Path, Line: r.Line, Start: r.Start, End: r.End, Kind: r.Kind, Confidence: conf,
		By: by, In: in.Name, InKind: in.Kind, Target: to, Scope: code.SymbolID{File: t.Node.ID, Ord: r.Scope}})
	return &c.out.List[len(c.out.List)-1], err
}

// defaultImports adds the references to a default export, which have whatever
// name each importer chose.
func (c *refCollector) defaultImports(name string, binder *bind.Binder, wanted map[int]*view.Symbol, done []int64) error {
	for _, t := range c.byName[name] {
		file := code.UnpackSymbolID(t.ID).File
		home, err := c.s.Site(file)
		if err != nil || home.Packed == nil {
			return err
		}
		exps, err := home.Packed.Exports()
		if err != nil {
			return err
		}
		if !slices.ContainsFunc(exps, func(e code.Export) bool { return e.Name == "default" && e.Local == name }) {
			continue
		}
		edges, err := c.s.Index.EdgesTo(file)
		if err != nil {
			return err
		}
		for _, e := range edges {
			if e.Relation != code.RelImports {
				continue
			}
			if err := c.defaultImporter(e.Source, name, binder, wanted); err != nil {
				return err
			}
		}
	}
	return nil
}

func (c *refCollector) defaultImporter(id int64, name string, binder *bind.Binder, wanted map[int]*view.Symbol) error {
	t, err := c.s.Site(id)
	if err != nil {
		return err
	}
	for i := range t.Imports {
		for _, n := range t.Imports[i].Names {
			if n.Name == "default" && n.Alias != name {
				if err := c.file(id, name, n.Alias, binder, wanted); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// FileReferences are the references made in a file that lead to definitions of
// this repository, by place; one that may mean several definitions is listed
// once for each.
func FileReferences(ctx context.Context, s *view.Snapshot, p string) ([]view.Reference, error) {
	f, err := s.File(ctx, p)
	if err != nil {
		return nil, err
	}
	home, err := s.Site(f.ID)
	if err != nil || home.Packed == nil {
		return nil, err
	}
	out, _, _, err := outgoing(ctx, s, home, func(*code.Ref) bool { return true })
	return out, err
}

// callees are the references made inside a symbol that lead to definitions of
// this repository, with how many there are in all and how many were decided.
func callees(ctx context.Context, s *view.Snapshot, sym *view.Symbol) (out []view.Reference, decided, named int, err error) {
	id := code.UnpackSymbolID(sym.ID)
	file, ord := id.File, id.Ord
	home, err := s.Site(file)
	if err != nil || home.Packed == nil {
		return nil, 0, 0, err
	}
	rows, err := s.Index.Symbols(file)
	if err != nil {
		return nil, 0, 0, err
	}
	return outgoing(ctx, s, home, func(r *code.Ref) bool { return within(rows, r.Scope, ord) })
}

// From are the references made inside a symbol that lead to definitions of this
// repository, by place; one that may mean several definitions is listed once for each.
func From(ctx context.Context, s *view.Snapshot, sym *view.Symbol) ([]view.Reference, error) {
	list, _, _, err := callees(ctx, s, sym)
	return list, err
}

// outgoing binds those references of a file that pass.
func outgoing(ctx context.Context, s *view.Snapshot, home *view.Site, pass func(*code.Ref) bool) (
	out []view.Reference, decided, named int, err error) {
	refs, err := home.Packed.AllRefs()
	if err != nil {
		return nil, 0, 0, err
	}
	for i := range refs {
		r := &refs[i]
		if !pass(r) {
			continue
		}
		if err := ctx.Err(); err != nil {
			return nil, 0, 0, err
		}
		n, err := s.Named(r.Name)
		if err != nil {
			return nil, 0, 0, err
		}
		b, by := view.BindExactly(n.Binder, home, r)
		if named++; b.Decided {
			decided++
		}
		in, err := s.Around(home, r.Scope)
		if err != nil {
			return nil, 0, 0, err
		}
		for _, d := range b.Defs {
			out = append(out, view.Reference{Path: home.Node.Path, Line: r.Line, Start: r.Start, End: r.End, Kind: r.Kind, Confidence: b.Confidence,
				By: by, In: in.Name, InKind: in.Kind, Target: &n.Syms[d], Scope: code.SymbolID{File: home.Node.ID, Ord: r.Scope}})
		}
		if by != "" && len(b.Defs) == 1 {
			if out, err = s.Reached(ctx, out); err != nil {
				return nil, 0, 0, err
			}
		}
	}
	slices.SortStableFunc(out, func(a, b view.Reference) int { return cmp.Compare(a.Start, b.Start) })
	return out, decided, named, s.Lookup.Err
}

// within reports whether a scope is a symbol or lies inside it.
func within(rows []store.SymbolRow, scope, ord int32) bool {
	for scope >= 0 && int(scope) < len(rows) {
		if scope == ord {
			return true
		}
		scope = rows[scope].Parent
	}
	return false
}

package engine

import (
	"cmp"
	"context"
	"maps"
	"slices"

	"ken/internal/code"
	"ken/internal/engine/facts"
	"ken/internal/engine/graph"
)

// References finds the uses of symbols: the files whose references bear one of
// their names are looked up, and each such reference is bound by what its file
// tells (graph.Binder). References certainly bound to something else are left out.
func (s *Snapshot) References(ctx context.Context, targets []Symbol) (References, error) {
	c := newRefCollector(s, targets)
	for _, name := range slices.Sorted(maps.Keys(c.byName)) {
		if err := c.name(ctx, name); err != nil {
			return References{}, err
		}
	}
	slices.SortFunc(c.out.List, func(a, b Reference) int {
		return cmp.Or(cmp.Compare(a.Path, b.Path), cmp.Compare(a.Start, b.Start), cmp.Compare(b.Confidence, a.Confidence))
	})
	c.out.ResolvedShare = share(c.decided, c.out.Named)
	return c.out, s.world.err
}

func share(part, whole int) float64 {
	if whole == 0 {
		return 1
	}
	return float64(part) / float64(whole)
}

type refCollector struct {
	s       *Snapshot
	byName  map[string][]*Symbol // targets
	linker  *graph.Linker
	out     References
	decided int
}

func newRefCollector(s *Snapshot, targets []Symbol) *refCollector {
	c := &refCollector{s: s, byName: map[string][]*Symbol{}, linker: graph.NewLinker(s.world)}
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
	files, err := c.s.r.Referrers(name)
	if err != nil {
		return err
	}
	binder := graph.NewBinder(c.linker, defs)
	for _, id := range files {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := c.file(id, name, "", binder, wanted); err != nil {
			return err
		}
	}
	return c.defaultImports(name, binder, wanted, files)
}

// defs are all definitions of a name, and which of them are wanted.
func (c *refCollector) defs(name string) ([]graph.Def, map[int]*Symbol, error) {
	rows, err := c.s.r.SymbolsNamed(name)
	if err != nil {
		return nil, nil, err
	}
	wanted := map[int]*Symbol{}
	defs := make([]graph.Def, 0, len(rows))
	for _, row := range rows {
		n, ok := c.s.world.NodeByID(row.FileID)
		if !ok {
			continue
		}
		for _, t := range c.byName[name] {
			if t.ID == row.FileID<<20|int64(row.Ord) {
				wanted[len(defs)] = t
			}
		}
		defs = append(defs, graph.Def{File: n, Name: row.Name, Container: containerOf(&row.Symbol), Kind: row.Kind, Ord: row.Ord})
	}
	return defs, wanted, nil
}

// file binds the references of a name in one file. local, if set, is the name
// they bear there (a default import has its own).
func (c *refCollector) file(id int64, name, local string, binder *graph.Binder, wanted map[int]*Symbol) error {
	packed, err := c.s.packed(id)
	if err != nil || packed == nil {
		return err
	}
	refs, err := packed.Refs(cmp.Or(local, name))
	if err != nil || len(refs) == 0 {
		return err
	}
	site, err := c.site(id, packed)
	if err != nil {
		return err
	}
	for i := range refs {
		c.out.Named++
		b := binder.Bind(site, &refs[i])
		if b.Decided {
			c.decided++
		}
		for _, d := range b.Defs {
			if t := wanted[d]; t != nil {
				if err := c.add(site, &refs[i], t, b.Confidence); err != nil {
					return err
				}
				break
			}
		}
	}
	return nil
}

func (c *refCollector) site(id int64, packed *facts.Packed) (*graph.Site, error) {
	n, _ := c.s.world.NodeByID(id)
	imps, err := packed.Imports()
	if err != nil {
		return nil, err
	}
	links, err := c.s.links(id)
	if err != nil {
		return nil, err
	}
	return &graph.Site{Node: n, Imports: imps, Links: links}, c.s.world.err
}

func (c *refCollector) add(site *graph.Site, r *code.Ref, t *Symbol, conf code.Confidence) error {
	ref := Reference{Path: site.Node.Path, Line: r.Line, Start: r.Start, End: r.End, Kind: r.Kind, Confidence: conf, Target: t}
	if r.Scope >= 0 {
		row, ok, err := c.s.r.Symbol(SymbolID{File: site.Node.ID, Ord: r.Scope})
		if err != nil {
			return err
		}
		if ok {
			ref.In, ref.InKind = row.Qualified, row.Kind
		}
	}
	c.out.List = append(c.out.List, ref)
	return nil
}

// defaultImports adds the references to a default export, which bear whatever
// name each importer chose.
func (c *refCollector) defaultImports(name string, binder *graph.Binder, wanted map[int]*Symbol, done []int64) error {
	for _, t := range c.byName[name] {
		file := t.ID >> 20
		packed, err := c.s.packed(file)
		if err != nil || packed == nil {
			return err
		}
		exps, err := packed.Exports()
		if err != nil {
			return err
		}
		if !slices.ContainsFunc(exps, func(e code.Export) bool { return e.Name == "default" && e.Local == name }) {
			continue
		}
		edges, err := c.s.r.EdgesTo(file)
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

func (c *refCollector) defaultImporter(id int64, name string, binder *graph.Binder, wanted map[int]*Symbol) error {
	packed, err := c.s.packed(id)
	if err != nil || packed == nil {
		return err
	}
	imps, err := packed.Imports()
	if err != nil {
		return err
	}
	for i := range imps {
		for _, n := range imps[i].Names {
			if n.Name == "default" && n.Alias != name {
				if err := c.file(id, name, n.Alias, binder, wanted); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// Callees are the references made inside a symbol that lead to definitions of
// this repository, each with the best of them.
func (s *Snapshot) callees(ctx context.Context, sym *Symbol) ([]Reference, int, int, error) {
	file, ord := sym.ID>>20, int32(sym.ID&(1<<20-1))
	packed, err := s.packed(file)
	if err != nil || packed == nil {
		return nil, 0, 0, err
	}
	refs, err := packed.Refs("")
	if err != nil {
		return nil, 0, 0, err
	}
	rows, err := s.r.Symbols(file)
	if err != nil {
		return nil, 0, 0, err
	}
	c := newRefCollector(s, nil)
	site, err := c.site(file, packed)
	if err != nil {
		return nil, 0, 0, err
	}
	var out []Reference
	decided, named := 0, 0
	binders := map[string]*graph.Binder{}
	defs := map[string][]Symbol{}
	for i := range refs {
		r := &refs[i]
		if !within(rows, r.Scope, ord) {
			continue
		}
		if err := ctx.Err(); err != nil {
			return nil, 0, 0, err
		}
		if binders[r.Name] == nil {
			ds, syms, err := s.defsOf(c, r.Name)
			if err != nil {
				return nil, 0, 0, err
			}
			binders[r.Name], defs[r.Name] = graph.NewBinder(c.linker, ds), syms
		}
		b := binders[r.Name].Bind(site, r)
		named++
		if b.Decided {
			decided++
		}
		for _, d := range b.Defs {
			t := defs[r.Name][d]
			out = append(out, Reference{Path: sym.Path, Line: r.Line, Start: r.Start, End: r.End, Kind: r.Kind, Confidence: b.Confidence, In: sym.Qualified, InKind: sym.Kind, Target: &t})
		}
	}
	return out, decided, named, s.world.err
}

// defsOf are the definitions of a name, as binder and caller want them.
func (s *Snapshot) defsOf(c *refCollector, name string) ([]graph.Def, []Symbol, error) {
	rows, err := s.r.SymbolsNamed(name)
	if err != nil {
		return nil, nil, err
	}
	var ds []graph.Def
	var syms []Symbol
	for _, row := range rows {
		n, ok := s.world.NodeByID(row.FileID)
		if !ok {
			continue
		}
		ds = append(ds, graph.Def{File: n, Name: row.Name, Container: containerOf(&row.Symbol), Kind: row.Kind, Ord: row.Ord})
		syms = append(syms, Symbol{Symbol: row.Symbol, ID: row.FileID<<20 | int64(row.Ord), Path: row.Path})
	}
	return ds, syms, nil
}

// within reports whether a scope is a symbol or lies inside it.
func within(rows []SymbolRow, scope, ord int32) bool {
	for scope >= 0 && int(scope) < len(rows) {
		if scope == ord {
			return true
		}
		scope = rows[scope].Parent
	}
	return false
}

package engine

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strings"

	"ken/internal/code"
	"ken/internal/engine/facts"
	"ken/internal/engine/graph"
	"ken/internal/engine/graph/bind"
	"ken/internal/engine/graph/infer"
)

// References finds the uses of symbols: the files whose references bear one of
// their names are looked up, and each such reference is bound by what its file
// tells (bind.Binder). References certainly bound to something else are left out.
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
	c.out.ExactShare = 0
	if c.out.Named > 0 {
		c.out.ExactShare = share(c.exact, c.out.Named)
	}
	return c.out, s.world.err
}

func share(part, whole int) float64 {
	if whole == 0 {
		return 1
	}
	return float64(part) / float64(whole)
}

// site is a file whose references are bound: what it tells of itself, kept for
// the snapshot because a walk asks the same files for many names.
type site struct {
	graph.Site
	packed *facts.Packed       // nil if the file has no facts
	scopes map[int32]enclosing // symbols around references, as they are needed
	bound  []boundFile         // exact bindings that hold
}

type enclosing struct {
	name string
	kind code.Kind
}

func (s *Snapshot) site(id int64) (*site, error) {
	if t, ok := s.sites[id]; ok {
		return t, nil
	}
	row, err := s.r.Site(id)
	if err != nil {
		return nil, err
	}
	t := &site{Site: graph.Site{Node: indexedNode(&row.Node)}, scopes: map[int32]enclosing{}}
	s.sites[id] = t
	s.world.byID[id] = t.Node
	s.bytes += len(row.Facts) + len(row.Links)
	if len(row.Facts) == 0 {
		return t, nil
	}
	if t.packed, err = facts.Open(row.Facts); err != nil {
		return nil, err
	}
	if t.Imports, err = t.packed.Imports(); err != nil {
		return nil, err
	}
	links, err := graph.DecodeLinks(row.Links)
	if err != nil {
		return nil, err
	}
	t.Links = links.Imports
	t.bound, err = s.boundOf(id)
	return t, err
}

// around is the symbol a reference of a site stands in.
func (s *Snapshot) around(t *site, scope int32) (enclosing, error) {
	if scope < 0 {
		return enclosing{}, nil
	}
	e, ok := t.scopes[scope]
	if !ok {
		var err error
		if e.name, e.kind, err = s.r.QualifiedName(SymbolID{File: t.Node.ID, Ord: scope}); err != nil {
			return e, err
		}
		t.scopes[scope] = e
	}
	return e, nil
}

type refCollector struct {
	s       *Snapshot
	byName  map[string][]*Symbol // targets
	out     References
	decided int
	exact   int
	read    map[asName]bool // files can be met by more than one way
	through dispatch        // of the name being collected
}

// asName is a file read for the references to a name that bear another there.
type asName struct {
	file        int64
	name, local string
}

func newRefCollector(s *Snapshot, targets []Symbol) *refCollector {
	c := &refCollector{s: s, byName: map[string][]*Symbol{}, read: map[asName]bool{}}
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
	binder := bind.New(c.s.binding(), defs)
	if c.through, err = c.s.dispatchTo(ctx, name, c.byName[name]); err != nil {
		return err
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

// passedOn adds the references that bear another name because a file passes the
// declaration on under it (export { a as b } from …).
func (c *refCollector) passedOn(ctx context.Context, name string, binder *bind.Binder, wanted map[int]*Symbol) error {
	names := map[string]bool{name: true}
	var queue []int64
	for _, t := range c.byName[name] {
		if file := code.UnpackSymbolID(t.ID).File; containerOf(&t.Symbol) == "" && !slices.Contains(queue, file) {
			queue = append(queue, file)
		}
	}
	for i := 0; i < len(queue); i++ {
		graph.Passed(c.s.world.Outward(queue[i]), names)
		n, ok := c.s.world.NodeByID(queue[i])
		if !ok {
			continue
		}
		relays, err := c.s.r.ProbedBy(graph.ProbeKey(graph.RelayKey(n.Path)))
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
		files, err := c.s.r.Referrers(alias)
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
	return c.s.world.err
}

// defs are all definitions of a name, and which of them are wanted.
func (c *refCollector) defs(name string) ([]graph.Def, map[int]*Symbol, error) {
	rows, err := c.s.symbolsNamed(name)
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
			if t.ID == row.ID().Pack() {
				wanted[len(defs)] = t
			}
		}
		defs = append(defs, defOf(n, &row))
	}
	return defs, wanted, nil
}

// defOf is a symbol as binding wants it.
func defOf(n graph.Node, row *SymbolRow) graph.Def {
	return graph.Def{File: n, Name: row.Name, Container: containerOf(&row.Symbol), Kind: row.Kind, Ord: row.Ord,
		Forward: (n.Lang == "c" || n.Lang == "cpp") && strings.HasSuffix(row.Signature, ";"), Local: !row.Exported, Extension: extends(row)}
}

// file binds the references of a name in one file. local, if set, is the name
// they bear there; then only what an import decides counts, since a guess by
// another name would mean nothing.
func (c *refCollector) file(id int64, name, local string, binder *bind.Binder, wanted map[int]*Symbol) error {
	if k := (asName{id, name, cmp.Or(local, name)}); c.read[k] {
		return nil
	} else {
		c.read[k] = true
	}
	t, err := c.s.site(id)
	if err != nil || t.packed == nil {
		return err
	}
	refs, err := t.packed.Refs(cmp.Or(local, name))
	if err != nil {
		return err
	}
	for i := range refs {
		b, by := bindExactly(binder, t, &refs[i])
		if local != "" && (!b.Decided || len(b.Defs) == 0 || refs[i].Via != code.ViaImport) {
			continue
		}
		c.out.Named++
		if b.Decided {
			c.decided++
		}
		for _, d := range b.Defs {
			if w := wanted[d]; w != nil {
				if err := c.add(t, &refs[i], w, b.Confidence, by); err != nil {
					return err
				}
				break
			}
		}
		if by != "" {
			c.exact++
			if err := c.addThrough(t, &refs[i]); err != nil {
				return err
			}
		}
	}
	return nil
}

// addThrough adds a call of an interface's method to the wanted ones it may reach.
func (c *refCollector) addThrough(t *site, r *code.Ref) error {
	target, _ := t.known(r)
	for _, to := range c.through.via[target] {
		if err := c.add(t, r, to, c.through.confidence(target), ByInterface); err != nil {
			return err
		}
	}
	return nil
}

func (c *refCollector) add(t *site, r *code.Ref, to *Symbol, conf code.Confidence, by string) error {
	in, err := c.s.around(t, r.Scope)
	c.out.List = append(c.out.List, Reference{Path: t.Node.Path, Line: r.Line, Start: r.Start, End: r.End, Kind: r.Kind, Confidence: conf,
		By: by, In: in.name, InKind: in.kind, Target: to, scope: SymbolID{File: t.Node.ID, Ord: r.Scope}})
	return err
}

// defaultImports adds the references to a default export, which bear whatever
// name each importer chose.
func (c *refCollector) defaultImports(name string, binder *bind.Binder, wanted map[int]*Symbol, done []int64) error {
	for _, t := range c.byName[name] {
		file := code.UnpackSymbolID(t.ID).File
		home, err := c.s.site(file)
		if err != nil || home.packed == nil {
			return err
		}
		exps, err := home.packed.Exports()
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

func (c *refCollector) defaultImporter(id int64, name string, binder *bind.Binder, wanted map[int]*Symbol) error {
	t, err := c.s.site(id)
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
func (s *Snapshot) FileReferences(ctx context.Context, p string) ([]Reference, error) {
	f, err := s.File(ctx, p)
	if err != nil {
		return nil, err
	}
	home, err := s.site(f.ID)
	if err != nil || home.packed == nil {
		return nil, err
	}
	out, _, _, err := s.outgoing(ctx, home, func(*code.Ref) bool { return true })
	return out, err
}

// callees are the references made inside a symbol that lead to definitions of
// this repository, with how many there are in all and how many were decided.
func (s *Snapshot) callees(ctx context.Context, sym *Symbol) (out []Reference, decided, named int, err error) {
	id := code.UnpackSymbolID(sym.ID)
	file, ord := id.File, id.Ord
	home, err := s.site(file)
	if err != nil || home.packed == nil {
		return nil, 0, 0, err
	}
	rows, err := s.r.Symbols(file)
	if err != nil {
		return nil, 0, 0, err
	}
	return s.outgoing(ctx, home, func(r *code.Ref) bool { return within(rows, r.Scope, ord) })
}

// outgoing binds those references of a file that pass.
func (s *Snapshot) outgoing(ctx context.Context, home *site, pass func(*code.Ref) bool) (out []Reference, decided, named int, err error) {
	refs, err := home.packed.AllRefs()
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
		n, err := s.named(r.Name)
		if err != nil {
			return nil, 0, 0, err
		}
		b, by := bindExactly(n.binder, home, r)
		if named++; b.Decided {
			decided++
		}
		in, err := s.around(home, r.Scope)
		if err != nil {
			return nil, 0, 0, err
		}
		for _, d := range b.Defs {
			out = append(out, Reference{Path: home.Node.Path, Line: r.Line, Start: r.Start, End: r.End, Kind: r.Kind, Confidence: b.Confidence,
				By: by, In: in.name, InKind: in.kind, Target: &n.syms[d], scope: SymbolID{File: home.Node.ID, Ord: r.Scope}})
		}
		if by != "" && len(b.Defs) == 1 {
			if out, err = s.reached(ctx, out); err != nil {
				return nil, 0, 0, err
			}
		}
	}
	slices.SortStableFunc(out, func(a, b Reference) int { return cmp.Compare(a.Start, b.Start) })
	return out, decided, named, s.world.err
}

// named is a name with its definitions.
type named struct {
	binder *bind.Binder
	syms   []Symbol // as the binder numbers them
}

// named finds the definitions of a name. The last few thousand names asked for
// are kept: the references of a file repeat theirs.
func (s *Snapshot) named(name string) (*named, error) {
	if n := s.names[name]; n != nil {
		return n, nil
	}
	rows, err := s.symbolsNamed(name)
	if err != nil {
		return nil, err
	}
	n := &named{}
	var defs []graph.Def
	for _, row := range rows {
		node, ok := s.world.NodeByID(row.FileID)
		if !ok {
			continue
		}
		defs = append(defs, defOf(node, &row))
		n.syms = append(n.syms, Symbol{Symbol: row.Symbol, ID: row.ID().Pack(), Path: row.Path})
	}
	n.binder = bind.New(s.binding(), defs)
	if len(s.names) >= keptNames {
		clear(s.names)
	}
	s.names[name] = n
	return n, nil
}

// keptNames bounds the definitions kept for a snapshot's answers.
const keptNames = 4096

// binding is what all answers of a snapshot share: what it followed once is known.
func (s *Snapshot) binding() *infer.Types {
	if s.types == nil {
		s.types = infer.New(graph.NewLinker(s.world), s.details)
	}
	return s.types
}

// extends reports whether a symbol is a C# method that extends its first
// parameter's type.
func extends(s *SymbolRow) bool {
	return s.Kind == code.KindMethod && strings.HasSuffix(s.Path, ".cs") && strings.Contains(s.Signature, "(this ")
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

package view

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"ken/internal/code"
	"ken/internal/engine/builtin"
	"ken/internal/engine/graph"
	"ken/internal/engine/store"
	"ken/internal/lang"
)

// maxAbove is the number of base types of a type that are listed.
const maxAbove = 60

// Lineage holds the base types of a type, over all steps.
type Lineage struct {
	Types   []store.SymbolRow
	Outside []OutsideBase
	direct  map[int64][]store.SymbolRow // the bases that each type names
	own     []store.SymbolRow           // the declarations of the type itself
}

// OutsideBase is a base that is outside the repository, or unknown.
type OutsideBase struct {
	Name     string
	Module   string // from which it is imported, "" if that is not known
	Standard bool   // it is of the standard library, by an import, or declared by the language
}

// Lineage follows the bases that a type of a file names, in any language: each is bound as any reference is. It returns an error if the
// index cannot be read or ctx ends.
func (s *Snapshot) Lineage(ctx context.Context, path, typ string) (Lineage, error) {
	out := Lineage{direct: map[int64][]store.SymbolRow{}}
	n, _ := s.Lookup.Node(path)
	queue, err := s.TypeDeclarations(n, typ)
	out.own = queue
	for i := 0; i < len(queue) && i < maxAbove && err == nil; i++ {
		id := queue[i].ID().Pack()
		if _, ok := out.direct[id]; ok {
			continue
		}
		var up []store.SymbolRow
		up, err = out.bases(ctx, s, &queue[i])
		out.direct[id] = up
		out.Types = append(out.Types, up...)
		queue = append(queue, up...)
	}
	return out, err
}

// TypeDeclarations returns the declarations of a type that a file sees under a qualified
// name: those of the file and, where a type may be declared in parts, the others. It
// returns an error if the index cannot be read.
func (s *Snapshot) TypeDeclarations(n graph.Node, qualified string) ([]store.SymbolRow, error) {
	rows, err := s.Index.SymbolsNamed(code.LastSegment(qualified))
	if err != nil {
		return nil, err
	}
	var own, others []store.SymbolRow
	for _, row := range rows {
		other, ok := s.Lookup.NodeByID(row.FileID)
		if !ok || row.Qualified != qualified || !declaresMembers(row.Kind) {
			continue
		}
		switch {
		case row.FileID == n.ID:
			own = append(own, row)
		case n.Traits().Autoload && other.Lang == n.Lang, graph.SameScope(&n, &other), samePackage(&n, &other):
			others = append(others, row)
		}
	}
	return append(own, others...), nil
}

func samePackage(a, b *graph.Node) bool {
	return a.Lang == b.Lang && a.Package == b.Package && a.Traits().Scope == lang.NamespaceScope
}

func declaresMembers(k code.Kind) bool {
	return k.IsType() || k == code.KindTrait || k == code.KindModule
}

// NamesBase reports whether a reference, by its kind, the symbol around it and its first byte, names a base of a type of its file. In
// some languages its scope is that around the type.
func NamesBase(typ *store.SymbolRow, kind code.RefKind, scope int32, start uint32) bool {
	if kind != code.RefInherit && kind != code.RefImplement {
		return false
	}
	return scope == typ.Ord || scope == typ.Parent && typ.NameStart < start && start < typ.Span.End
}

// bases returns the types that one names as its bases, and records those that are not
// found.
func (l *Lineage) bases(ctx context.Context, s *Snapshot, typ *store.SymbolRow) ([]store.SymbolRow, error) {
	home, err := s.Site(typ.FileID)
	if err != nil || home.Packed == nil {
		return nil, err
	}
	refs, err := home.Packed.AllRefs()
	if err != nil {
		return nil, err
	}
	var out []store.SymbolRow
	for i := range refs {
		r := &refs[i]
		if !NamesBase(typ, r.Kind, r.Scope, r.Start) {
			continue
		}
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		named, err := s.NameDefinitions(s.DeclaredName(home, r))
		if err != nil {
			return nil, err
		}
		b, _ := BindExactly(named.Binder, home, r)
		found := false
		for _, d := range b.Defs {
			if sym := &named.Syms[d]; declaresMembers(sym.Kind) {
				id := code.UnpackSymbolID(sym.ID)
				out = append(out, store.SymbolRow{Symbol: sym.Symbol, FileID: id.File, Ord: id.Ord, Path: sym.Path})
				found = true
			}
		}
		base := OutsideBase{Name: r.Name, Standard: isStandard(home, r)}
		if r.Import >= 0 && int(r.Import) < len(home.Imports) {
			base.Module = home.Imports[r.Import].Spec
		}
		if !found && !slices.Contains(l.Outside, base) {
			l.Outside = append(l.Outside, base)
		}
	}
	return out, nil
}

// isStandard reports whether the name of a base is one of the standard library: the file imports it from there, or the
// language declares it.
func isStandard(t *Site, r *code.Ref) bool {
	name, _, _ := strings.Cut(cmp.Or(r.Recv, r.Name), ".")
	for i := range t.Imports[:min(len(t.Imports), len(t.Links))] {
		imp := &t.Imports[i]
		isWhole := len(imp.Names) == 0 && cmp.Or(imp.Alias, code.LastSegment(imp.Spec)) == name
		if isWhole || slices.ContainsFunc(imp.Names, func(n code.ImportName) bool { return cmp.Or(n.Alias, n.Name) == name }) {
			return t.Links[i].Std
		}
	}
	return builtin.IsPredeclared(t.Node.Lang, name)
}

// Members returns the rows, all of one name, that the types of a lineage declare, in the order of rows.
func (l *Lineage) Members(s *Snapshot, rows []store.SymbolRow) (out []store.SymbolRow) {
	for i := range rows {
		if slices.ContainsFunc(l.Types, func(typ store.SymbolRow) bool { return s.isMember(&rows[i], &typ) }) {
			out = append(out, rows[i])
		}
	}
	return out
}

// nearestMembers returns the rows, all of one name, that the nearest type of a lineage declares: depth first, but a type after all that
// inherit from it. That is about the order in which languages look a member up.
func (l *Lineage) nearestMembers(s *Snapshot, rows []store.SymbolRow) (out []store.SymbolRow) {
	for _, typ := range l.inOrder() {
		for i := range rows {
			if s.isMember(&rows[i], &typ) {
				out = append(out, rows[i])
			}
		}
		if len(out) > 0 {
			break
		}
	}
	return out
}

// inOrder returns the base types of a lineage, each after all those that inherit from it.
func (l *Lineage) inOrder() []store.SymbolRow {
	var after []store.SymbolRow // last first
	seen := map[int64]bool{}
	var visit func(typ *store.SymbolRow)
	visit = func(typ *store.SymbolRow) {
		id := typ.ID().Pack()
		if seen[id] {
			return
		}
		seen[id] = true
		up := l.direct[id]
		for i := len(up) - 1; i >= 0; i-- {
			visit(&up[i])
		}
		after = append(after, *typ)
	}
	for i := len(l.own) - 1; i >= 0; i-- {
		visit(&l.own[i])
	}
	slices.Reverse(after)
	return slices.DeleteFunc(after, func(t store.SymbolRow) bool {
		return slices.ContainsFunc(l.own, func(o store.SymbolRow) bool { return o.ID() == t.ID() })
	})
}

// isMember reports whether a row is a member of a type. Members of a type may be declared in several files.
func (s *Snapshot) isMember(row, typ *store.SymbolRow) bool {
	if row.Symbol.Container() == "" || typ.Qualified != row.Symbol.Container() {
		return false
	}
	n, ok := s.Lookup.NodeByID(row.FileID)
	other, known := s.Lookup.NodeByID(typ.FileID)
	if !ok || !known || n.Lang != other.Lang {
		return false
	}
	return n.ID == other.ID || n.Traits().Autoload || graph.SameScope(&n, &other) || samePackage(&n, &other)
}

// maxHeirs is the number of types of one name whose bases are searched for a member.
const maxHeirs = 20

// inherited returns those of the rows, all of one name, that a type described by a qualifier inherits: the members of the nearest base that
// declares one. Where is the path of a file or directory with the type, or empty.
func (s *Snapshot) inherited(ctx context.Context, where, qualifier string, rows []store.SymbolRow) (found []store.SymbolRow, err error) {
	outer, own := splitName(qualifier)
	if own == qualifier {
		outer = ""
	}
	types, err := s.Index.SymbolsNamed(own)
	if err != nil || len(rows) == 0 {
		return nil, err
	}
	if outer != "" {
		if types, err = s.described(types, outer); err != nil {
			return nil, err
		}
	}
	types = slices.DeleteFunc(slices.Clone(types), func(t store.SymbolRow) bool {
		return !declaresMembers(t.Kind) || where != "" && !pathFits(t.Path, where)
	})
	for i := range min(len(types), maxHeirs) {
		line, err := s.Lineage(ctx, types[i].Path, types[i].Qualified)
		if err != nil {
			return nil, err
		}
		for _, row := range line.nearestMembers(s, rows) {
			if !slices.ContainsFunc(found, func(r store.SymbolRow) bool { return r.ID() == row.ID() }) {
				found = append(found, row)
			}
		}
	}
	return found, s.Lookup.Err
}

package refs

import (
	"cmp"
	"context"
	"slices"

	"ken/internal/code"
	"ken/internal/engine/store"
	"ken/internal/engine/view"
)

// FileReferences returns the references in a file that lead to definitions of this repository, by place; one that may mean several
// definitions is listed once for each. It returns an error if the file is not indexed, if the index cannot be read, or if ctx ends.
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

// referencesInside returns the references inside a symbol that lead to definitions of this repository, with how many there are in all
// and how many were decided.
func referencesInside(ctx context.Context, s *view.Snapshot, sym *view.Symbol) (out []view.Reference, decided, named int, err error) {
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

// From returns the references inside a symbol that lead to definitions of this repository, by place; one that may mean several
// definitions is listed once for each. It returns an error if the index cannot be read or ctx ends.
func From(ctx context.Context, s *view.Snapshot, sym *view.Symbol) ([]view.Reference, error) {
	list, _, _, err := referencesInside(ctx, s, sym)
	return list, err
}

// Undecided returns the references inside a symbol whose names the repository declares and of which nothing decides what they mean, such
// as those in code that could not be parsed, and the number of all references in it. It returns an error if the index cannot be read or ctx
// ends.
func Undecided(ctx context.Context, s *view.Snapshot, sym *view.Symbol) (open []code.Ref, named int, err error) {
	id := code.UnpackSymbolID(sym.ID)
	home, err := s.Site(id.File)
	if err != nil || home.Packed == nil {
		return nil, 0, err
	}
	rows, err := s.Index.Symbols(id.File)
	if err != nil {
		return nil, 0, err
	}
	all, err := home.Packed.AllRefs()
	if err != nil {
		return nil, 0, err
	}
	bound := false // the reference before
	for i := range all {
		r := &all[i]
		again := r.Kind == code.RefUnparsed && bound && all[i-1].Start == r.Start
		if again || !within(rows, r.Scope, id.Ord) {
			continue
		}
		if err := ctx.Err(); err != nil {
			return nil, 0, err
		}
		n, err := s.NameDefinitions(r.Name)
		if err != nil {
			return nil, 0, err
		}
		b, _ := view.BindExactly(n.Binder, home, r)
		bound = len(b.Defs) > 0
		unbound := !b.Decided && len(b.Defs) == 0 || r.Kind == code.RefUnparsed
		if named++; len(n.Syms) > 0 && (unbound || len(b.Perhaps) > 0) {
			open = append(open, *r)
		}
	}
	return open, named, s.Lookup.Err
}

// UnparsedLines returns the lines inside a symbol with names in code that could not be parsed, ascending. It returns an error if the index
// cannot be read or ctx ends.
func UnparsedLines(ctx context.Context, s *view.Snapshot, sym *view.Symbol) ([]uint32, error) {
	if f, err := s.File(ctx, sym.Path); err != nil || f.ErrorBytes == 0 {
		return nil, err
	}
	id := code.UnpackSymbolID(sym.ID)
	home, err := s.Site(id.File)
	if err != nil || home.Packed == nil {
		return nil, err
	}
	rows, err := s.Index.Symbols(id.File)
	if err != nil {
		return nil, err
	}
	all, err := home.Packed.AllRefs()
	if err != nil {
		return nil, err
	}
	var lines []uint32
	for i := range all {
		if r := &all[i]; r.Kind == code.RefUnparsed && within(rows, r.Scope, id.Ord) {
			lines = append(lines, r.Line)
		}
	}
	slices.Sort(lines)
	return slices.Compact(lines), nil
}

// Lost counts what syntax errors took: the files with names in code that could not be parsed, and the declarations around those names.
type Lost struct{ Files, Declarations int }

// CountLost returns what syntax errors took of the files of an index. It reads the references of each file with errors, and returns an
// error if the index cannot be read or ctx ends.
func CountLost(ctx context.Context, s *view.Snapshot) (Lost, error) {
	var lost Lost
	for f, err := range s.Index.Files() {
		if err := cmp.Or(err, ctx.Err()); err != nil {
			return lost, err
		}
		if f.ErrorBytes == 0 {
			continue
		}
		home, err := s.Site(f.ID)
		if err != nil {
			return lost, err
		}
		if home.Packed == nil {
			continue
		}
		all, err := home.Packed.AllRefs()
		if err != nil {
			return lost, err
		}
		all = slices.DeleteFunc(all, func(r code.Ref) bool { return r.Kind != code.RefUnparsed })
		if len(all) > 0 {
			lost.Files++
		}
		around := map[int32]bool{}
		for i := range all {
			if all[i].Scope >= 0 {
				around[all[i].Scope] = true
			}
		}
		lost.Declarations += len(around)
	}
	return lost, nil
}

// outgoing resolves the references in a file that pass accepts.
func outgoing(ctx context.Context, s *view.Snapshot, home *view.Site, pass func(*code.Ref) bool) (
	out []view.Reference, decided, named int, err error) {
	refs, err := home.Packed.AllRefs()
	if err != nil {
		return nil, 0, 0, err
	}
	refs = slices.DeleteFunc(refs, func(r code.Ref) bool { return !pass(&r) })
	if out, decided, named, err = bindAll(ctx, s, home, refs); err != nil {
		return nil, 0, 0, err
	}
	uses, err := accessorUses(ctx, s, home, refs)
	out = append(out, uses...)
	slices.SortStableFunc(out, func(a, b view.Reference) int { return cmp.Compare(a.Start, b.Start) })
	return out, decided, named, err
}

// accessorUses lists the references in a file that mean declarations of other names, as their accessors.
func accessorUses(ctx context.Context, s *view.Snapshot, home *view.Site, refs []code.Ref) (out []view.Reference, err error) {
	if declaredAs(home.Node.Lang, "getX") == nil {
		return nil, nil
	}
	asked, at := map[string]bool{}, map[uint32]bool{}
	for i := range refs {
		at[refs[i].Start] = refs[i].Kind != code.RefUnparsed
	}
	for i := range refs {
		name := refs[i].Name
		if asked[name] {
			continue
		}
		asked[name] = true
		for _, original := range declaredAs(home.Node.Lang, name) {
			list, err := accessorsIn(ctx, s, home, original, accessor{name, home.Node.Lang})
			if err != nil {
				return nil, err
			}
			for j := range list {
				if at[list[j].Start] {
					out = append(out, list[j])
				}
			}
		}
	}
	return out, nil
}

// within reports whether a scope is the symbol ord or lies inside it.
func within(rows []store.SymbolRow, scope, ord int32) bool {
	for scope >= 0 && int(scope) < len(rows) {
		if scope == ord {
			return true
		}
		scope = rows[scope].Parent
	}
	return false
}

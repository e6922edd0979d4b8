package view

import (
	"cmp"
	"slices"

	"ken/internal/code"
	"ken/internal/engine/graph"
	"ken/internal/engine/graph/infer"
	"ken/internal/engine/lookup"
)

var _ infer.Lookup = (*inferLookup)(nil)

func (d *inferLookup) site(file int64) *Site {
	t, err := d.s.Site(file)
	d.s.Lookup.Fail(err)
	if err != nil || t.Packed == nil {
		return nil
	}
	return t
}

// Site implements infer.Lookup.
func (d *inferLookup) Site(file int64) *graph.Site {
	if t := d.site(file); t != nil {
		return &t.Site
	}
	return nil
}

// Declarations implements infer.Lookup. Its answers are kept, because the files that use a
// type ask for the same few declarations.
func (d *inferLookup) Declarations(file int64, container, name string) []infer.Decl {
	key := declarationKey{file, container, name}
	list, ok := d.declared[key]
	if !ok {
		list = slices.Clip(d.findDeclared(file, container, name))
		if len(d.declared) >= lookup.MaxRemembered {
			clear(d.declared)
		}
		d.declared[key] = list
	}
	return list
}

func (d *inferLookup) findDeclared(file int64, container, name string) []infer.Decl {
	ids := d.s.Lookup.SymbolIDs(name)
	at, _ := slices.BinarySearchFunc(ids, file, func(id code.SymbolID, f int64) int { return cmp.Compare(id.File, f) })
	var out []infer.Decl
	for ; at < len(ids) && ids[at].File == file; at++ {
		id := ids[at]
		row, ok, err := d.s.Index.Symbol(id)
		d.s.Lookup.Fail(err)
		if !ok || row.Symbol.Container() != container {
			continue
		}
		if n, ok := d.s.Lookup.NodeByID(file); ok {
			def := graph.Def{File: n, Name: row.Name, Container: container, Kind: row.Kind, Ord: row.Ord, Signature: row.Signature}
			out = append(out, infer.Decl{Def: def})
		}
	}
	return out
}

// Inherits implements infer.Lookup.
func (d *inferLookup) Inherits(file int64, ord int32) []code.Ref {
	list, ok := d.inherits[file]
	if !ok {
		if t := d.site(file); t != nil {
			refs, err := t.Packed.AllRefs()
			d.s.Lookup.Fail(err)
			for i := range refs {
				if k := refs[i].Kind; k == code.RefInherit || k == code.RefImplement {
					list = append(list, refs[i])
				}
			}
		}
		slices.SortFunc(list, func(a, b code.Ref) int { return cmp.Compare(a.Start, b.Start) })
		d.inherits[file] = list
	}
	var out []code.Ref
	for i := range list {
		if list[i].Scope == ord {
			out = append(out, list[i])
		}
	}
	return out
}

// Hint implements infer.Lookup.
func (d *inferLookup) Hint(file int64, ord int32, name string) string {
	hints, ok := d.hints[file]
	if !ok {
		if t := d.site(file); t != nil {
			list, err := t.Packed.Types()
			d.s.Lookup.Fail(err)
			for _, h := range list {
				if hints == nil {
					hints = make(map[hintKey]string, len(list))
				}
				hints[hintKey{h.Symbol, h.Name}] = h.Type
			}
		}
		d.hints[file] = hints
	}
	return hints[hintKey{ord, name}]
}

// QualifiedName implements infer.Lookup.
func (d *inferLookup) QualifiedName(file int64, ord int32) string {
	t := d.site(file)
	if t == nil {
		return ""
	}
	e, err := d.s.EnclosingSymbol(t, ord)
	d.s.Lookup.Fail(err)
	return e.Name
}

// Tagged implements infer.Lookup.
func (d *inferLookup) Tagged(l code.Lang, name string) (out []infer.Decl) {
	rows, err := d.s.SymbolsNamed(name)
	d.s.Lookup.Fail(err)
	for i := range rows {
		n, ok := d.s.Lookup.NodeByID(rows[i].FileID)
		if def := NewDef(n, &rows[i]); ok && graph.IsTag(&def, l) {
			out = append(out, infer.Decl{Def: def})
		}
	}
	return out
}

// Importers implements infer.Lookup.
func (d *inferLookup) Importers(file int64) (out []int64) {
	rows, err := d.s.Index.EdgesTo(file)
	d.s.Lookup.Fail(err)
	for i := range rows {
		if rows[i].Relation == code.RelImports {
			out = append(out, rows[i].Source)
		}
	}
	return out
}

// Namespaces implements infer.Lookup. Its answers are kept, because the symbols of a file share them.
func (d *inferLookup) Namespaces(file int64, ord int32) string {
	if ord < 0 {
		return ""
	}
	id := code.SymbolID{File: file, Ord: ord}
	around, ok := d.around[id]
	if !ok {
		row, ok, err := d.s.Index.Symbol(id)
		d.s.Lookup.Fail(err)
		if ok {
			around = graph.WithNamespace(d.Namespaces(file, row.Parent), row.Kind, row.Name, row.Signature)
		}
		if len(d.around) >= lookup.MaxRemembered {
			clear(d.around)
		}
		d.around[id] = around
	}
	return around
}

package update

import (
	"bytes"
	"strconv"

	"ken/internal/code"
	"ken/internal/engine/facts"
	"ken/internal/engine/graph"
	"ken/internal/engine/lookup"
	"ken/internal/engine/store"
	"ken/internal/lang"
)

// pastState is the state of a file in the index before an update.
type pastState struct {
	names   []string // facts.Names
	decls   map[string]string
	offers  map[string]string // graph.Offers
	exports []byte
	imports []byte
	syms    []code.Symbol
	packed  []byte // facts
}

// readReplaced reads the facts of a file that is about to be replaced, and puts them into the cache, which may be nil.
func readReplaced(r store.Reader, cache store.Readings, f *code.File, kind pathKind) (pastState, error) {
	p, err := readPast(r, f)
	if err == nil {
		err = cacheReplaced(r, cache, f, kind, &p)
	}
	return p, err
}

// readPast reads the facts that the index has of a file, which is about to be replaced.
func readPast(r store.Reader, f *code.File) (pastState, error) {
	p := pastState{decls: map[string]string{}}
	if f.ID == 0 {
		return p, nil
	}
	held, packed, err := indexedFacts(r, f.ID)
	if err != nil {
		return p, err
	}
	p.syms, p.packed = held.Symbols, packed
	p.names = facts.Names(held)
	p.decls = declaredNames(f, held.Symbols)
	p.offers = graph.Offers(lookup.NewNode(f), held)
	p.exports, p.imports = exportsPrint(held), importsPrint(held)
	return p, nil
}

// readSuperseded reads those facts of a file about to be replaced that a change reports, and puts them into the cache,
// which may be nil. It is for updates after which no other file is relinked. It does not unpack references, which takes
// most of the time of readPast.
func readSuperseded(r store.Reader, cache store.Readings, f *code.File, kind pathKind) (pastState, error) {
	if f.ID == 0 {
		return pastState{}, nil
	}
	held, packed, err := indexedSymbols(r, f.ID)
	if err == nil && packed != nil {
		var p *facts.Packed
		if p, err = facts.Open(packed); err == nil {
			held.Imports, err = p.Imports()
		}
		if err == nil {
			held.Exports, err = p.Exports()
		}
	}
	if err != nil {
		return pastState{}, err
	}
	p := pastState{syms: held.Symbols, packed: packed, exports: exportsPrint(held), imports: importsPrint(held)}
	return p, cacheReplaced(r, cache, f, kind, &p)
}

// indexedFacts returns the facts of a file in the index, and their packed form, nil if there is none.
func indexedFacts(r store.Reader, id int64) (*code.Facts, []byte, error) {
	held, blob, err := indexedSymbols(r, id)
	if err != nil || blob == nil {
		return held, nil, err
	}
	packed, err := facts.Open(blob)
	if err == nil {
		err = packed.All(held)
	}
	return held, blob, err
}

// indexedSymbols does the same as indexedFacts, with only the symbols unpacked.
func indexedSymbols(r store.Reader, id int64) (*code.Facts, []byte, error) {
	rows, err := r.Symbols(id)
	if err != nil {
		return nil, nil, err
	}
	held := &code.Facts{Symbols: make([]code.Symbol, len(rows))}
	for i := range rows {
		held.Symbols[i] = rows[i].Symbol
	}
	blob, err := r.Facts(id)
	if len(blob) == 0 {
		blob = nil
	}
	return held, blob, err
}

// declaredNames lists the declarations of a file that the linking of other files may look up: qualified names in package
// scopes, top-level names elsewhere, with the simple name.
func declaredNames(f *code.File, syms []code.Symbol) map[string]string {
	out := map[string]string{}
	shared := lang.Of(f.Lang).Scope.IsShared()
	for i := range syms {
		s := &syms[i]
		switch {
		case lookup.IsTable(s, f.Lang):
			out[s.Kind.String()+" "+s.Qualified] = s.Name
		case shared || s.Container() == "":
			out[s.Qualified] = s.Name
		}
	}
	return out
}

// exportsPrint and importsPrint return forms to compare for "exports changed" and "imports changed" in an update.
func exportsPrint(f *code.Facts) []byte {
	var b []byte
	for i := range f.Exports {
		x := &f.Exports[i]
		b = append(append(append(b, x.Name...), 0), x.Local...)
		b = strconv.AppendInt(append(b, 0), int64(x.From), 10)
	}
	for i := range f.Symbols {
		if s := &f.Symbols[i]; s.Exported {
			b = append(append(append(append(b, 1), s.Qualified...), 0), s.Signature...)
		}
	}
	return b
}

func importsPrint(f *code.Facts) []byte {
	var b []byte
	for i := range f.Imports {
		m := &f.Imports[i]
		b = append(append(append(append(b, m.Spec...), 0, byte(m.Kind)), m.Alias...), 1)
		for _, n := range m.Names {
			b = append(append(append(append(b, n.Name...), 0), n.Alias...), 2)
		}
	}
	return b
}

// newChange returns the change of a file that was read; known reports whether the index had the file before.
func newChange(old *code.File, r *fileReading, was *pastState, known bool) code.Change {
	c := code.Change{Path: r.file.Path, Type: code.Modified, TokenDelta: int(r.file.O200K) - int(old.O200K),
		SymbolDelta: len(r.facts.Symbols) - len(was.syms)}
	if !known {
		c.Type = code.Added
	}
	c.ExportsChanged = !bytes.Equal(exportsPrint(r.facts), was.exports)
	c.ImportsChanged = !bytes.Equal(importsPrint(r.facts), was.imports)
	return c
}

// newDeletion returns the change of a deleted file.
func newDeletion(f *code.File, was *pastState) code.Change {
	return code.Change{Path: f.Path, Type: code.Deleted, TokenDelta: -int(f.O200K), SymbolDelta: -len(was.syms),
		ExportsChanged: len(was.exports) > 0, ImportsChanged: len(was.imports) > 0}
}

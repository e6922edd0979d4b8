package sqlite

import (
	"crypto/sha1"
	"encoding/binary"
	"strings"

	"ken/internal/code"
)

// replaceSymbols stores the symbols of a file and returns by how much the number of declarations of each name changes. It
// leaves equal rows alone, so that an edit writes as few pages as possible.
func (t *tx) replaceSymbols(id int64, syms []code.Symbol) (map[string]int, error) {
	old, err := t.Symbols(id)
	if err != nil {
		return nil, err
	}
	defs := map[string]int{}
	for i := range old {
		if !old[i].Kind.IsText() {
			defs[old[i].Name]--
		}
	}
	for i := range syms {
		if !syms[i].Kind.IsText() {
			defs[syms[i].Name]++
		}
	}
	p, _, err := queryFirst(&t.reader, "SELECT path FROM files WHERE id=?", scanText, id)
	if err != nil {
		return nil, err
	}
	w, before := symbolWriter{id: id, path: p}, symbolWriter{}
	for i := range syms {
		nth := w.earlierNamesakes(&syms[i])
		if i < len(old) && before.earlierNamesakes(&old[i].Symbol) == nth && sameRow(&old[i].Symbol, &syms[i]) {
			continue
		}
		if err := t.exec(replaceSymbol, w.columnValues(&syms[i], i, nth)...); err != nil {
			return nil, err
		}
	}
	if len(old) > len(syms) {
		from, end := symbolKeys(id)
		err = t.exec("DELETE FROM symbols WHERE id>=? AND id<?", from+int64(len(syms)), end)
	}
	return defs, err
}

// sameRow reports whether two symbols have equal rows, apart from the entity id.
func sameRow(a, b *code.Symbol) bool {
	names := a.Name == b.Name && a.Qualified == b.Qualified && a.Signature == b.Signature
	place := a.Span == b.Span && a.NameStart == b.NameStart && a.Parent == b.Parent
	return names && place && a.Kind == b.Kind && a.Exported == b.Exported
}

const symbolFields = `INTO symbols(id,name,container,kind,parent,exported,start,length,name_start,line,lines,signature,uuid)
 VALUES(?,?,?,?,?,?,?,?,?,?,?,?,?)`

const replaceSymbol = "INSERT OR REPLACE " + symbolFields

// symbolWriter turns the symbols of one file into rows.
type symbolWriter struct {
	id   int64
	path string
	seen map[string]int
}

// earlierNamesakes returns the number of earlier symbols in the file with the same qualified name.
func (w *symbolWriter) earlierNamesakes(s *code.Symbol) int {
	if w.seen == nil {
		w.seen = map[string]int{}
	}
	n := w.seen[s.Qualified]
	w.seen[s.Qualified] = n + 1
	return n
}

// columnValues returns the values of the columns symbolFields for a symbol; ord is its index in the file, and nth its number among
// symbols of its qualified name.
func (w *symbolWriter) columnValues(s *code.Symbol, ord, nth int) []any {
	uuid := entityID(w.path, s.Qualified, nth)
	id := code.SymbolID{File: w.id, Ord: int32(ord)}
	return []any{id.Pack(), s.Name, emptyToNull(qualifiedContainer(s)), int64(s.Kind), int64(s.Parent), toInt(s.Exported), int64(s.Span.Start),
		int64(s.Span.End - s.Span.Start), int64(s.NameStart), int64(s.Span.Line), int64(s.Span.EndLine - s.Span.Line), s.Signature, uuid[:]}
}

// qualifiedContainer returns the qualified name of the declaration around a symbol.
func qualifiedContainer(s *code.Symbol) string {
	if len(s.Qualified) > len(s.Name)+1 && strings.HasSuffix(s.Qualified, "."+s.Name) {
		return s.Qualified[:len(s.Qualified)-len(s.Name)-1]
	}
	return ""
}

// entitySpace is the namespace of code entities: the URL namespace of RFC 4122,
// Appendix C.
var entitySpace = [16]byte{0x6b, 0xa7, 0xb8, 0x11, 0x9d, 0xad, 0x11, 0xd1, 0x80, 0xb4, 0x00, 0xc0, 0x4f, 0xd4, 0x30, 0xc8}

// entityID returns the version 5 UUID (RFC 4122 §4.3) of the nth symbol of its qualified name in a file. It stays the same
// as long as the symbol keeps its path, qualified name and order among symbols of that name.
func entityID(path, qualified string, nth int) [16]byte {
	h := sha1.New()
	h.Write(entitySpace[:])
	h.Write([]byte(path))
	h.Write([]byte{0})
	h.Write([]byte(qualified))
	h.Write(binary.AppendUvarint([]byte{0}, uint64(nth)))
	var id [16]byte
	copy(id[:], h.Sum(nil))
	id[6] = id[6]&0x0f | 0x50
	id[8] = id[8]&0x3f | 0x80
	return id
}

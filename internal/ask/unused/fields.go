package unused

import (
	"bytes"
	"regexp"
	"sync"

	"ken/internal/code"
	"ken/internal/engine/graph"
	"ken/internal/engine/store"
	"ken/internal/engine/view"
	"ken/internal/lang"
)

// fields adds the variables in which objects keep what an accessor of a target gives, where the accessor finds them by its name
// (attr_reader :size and @size). In the body of the type they are written; elsewhere they are in doubt, if the type may be of their file's.
func (h *unseenSearch) fields(targets []view.Symbol) error {
	for i := range targets {
		t := &targets[i]
		n, _ := h.s.Lookup.Node(t.Path)
		pattern := lang.Of(n.Lang).FieldAccessors
		if pattern == "" || !regexp.MustCompile(pattern).MatchString(t.Signature) {
			continue
		}
		if err := h.fieldsOf(t, n); err != nil {
			return err
		}
	}
	return nil
}

func (h *unseenSearch) fieldsOf(t *view.Symbol, n graph.Node) error {
	rows, err := h.s.Index.Symbols(code.UnpackSymbolID(t.ID).File)
	if err != nil {
		return err
	}
	if err := h.openNames(); err != nil {
		return err
	}
	ids, known, err := h.names.Holding(t.Name, func(l code.Lang) bool { return graph.Family(l) == graph.Family(n.Lang) })
	if err != nil {
		return err
	}
	if !known {
		h.doubt(UnseenText, "variables of so short a name are not searched", t.Path, t.Span.Line)
	}
	for _, id := range ids[:min(len(ids), maxUnlinked)] {
		f, ok := h.s.Lookup.NodeByID(id)
		if !ok {
			continue
		}
		text, err := h.s.Text(h.ctx, f.Path)
		if err != nil {
			return err
		}
		for at := range nameOffsets(text, t.Name) {
			if at == 0 || text[at-1] != '@' || at > 1 && text[at-2] == '@' {
				continue
			}
			line := uint32(1 + bytes.Count(text[:at], []byte("\n")))
			switch {
			case f.Path == t.Path && h.mentions != nil && isInBody(rows, t, uint32(at)):
				h.mentions.Written = append(h.mentions.Written, Written{Path: f.Path, Kind: UnseenText, Line: line, Start: uint32(at)})
			case f.Path == t.Path || mayInherit().Match(text) || bytes.Contains(text, []byte(code.LastSegment(t.Symbol.Container()))):
				h.doubt(UnseenText, lineText(text, at), f.Path, line)
			}
		}
	}
	return nil
}

// isInBody reports whether a byte of the file of a member is in the body of its type, and in no type within it or other member of its name.
func isInBody(rows []store.SymbolRow, t *view.Symbol, at uint32) bool {
	around, inner := -1, t.Parent
	for i := range rows {
		row := &rows[i]
		if row.Ord == t.Parent {
			around = i
		}
		if isTwin := row.Name == t.Name && row.Parent == t.Parent && row.NameStart != t.NameStart; isTwin {
			return false
		}
		isAround := row.Span.Contains(code.Span{Start: at, End: at}) && row.Ord > inner
		if isAround && (row.Kind.IsType() || row.Kind == code.KindModule) {
			inner = row.Ord
		}
	}
	return around >= 0 && inner == t.Parent && rows[around].Span.Contains(code.Span{Start: at, End: at})
}

// mayInherit matches what makes a type of a file one of others: a base, a module that it takes in, or code that is run in another class.
var mayInherit = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`\bclass\s+[\w:]+\s*<[^<]|\b(include|extend|prepend)\b|\bClass\.new\(|\w+_(eval|exec)\b|\binstance_variable_`)
})

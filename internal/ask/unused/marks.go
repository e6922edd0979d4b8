package unused

import (
	"slices"
	"unicode"

	"ken/internal/code"
	"ken/internal/engine/view"
	"ken/internal/lang"
)

// decorators adds the decorators and annotations of a symbol. Those for which isInert is true are hints.
func (h *unseenSearch) decorators(t *view.Symbol, isInert func(mark string) bool) error {
	id := code.UnpackSymbolID(t.ID)
	marks, err := h.marks(id.File, id.Ord)
	for i := range marks {
		h.add(UnseenUse{UnseenDecorated, marks[i].Name, t.Path, marks[i].Line, !isInert(marks[i].Name)})
	}
	return err
}

// ownMarks returns the test for marks of a declaration that register nothing. What a type of Rust derives is begun with a capital letter.
func ownMarks(t *view.Symbol) func(string) bool {
	derives := lang.Of(lang.Detect(t.Path, nil)).HasImplBlocks()
	return func(mark string) bool {
		return slices.Contains(inertMarks, mark) || derives && unicode.IsUpper(rune(mark[0]))
	}
}

// marks returns the decorators, annotations and attributes of the symbol with an ordinal in a file: those inside its
// declaration above its members, and those between it and what comes before.
func (h *unseenSearch) marks(file int64, ord int32) ([]code.Ref, error) {
	home, err := h.s.Site(file)
	if err != nil || home.Packed == nil {
		return nil, err
	}
	list, err := home.Packed.AllRefs()
	if err != nil {
		return nil, err
	}
	rows, err := h.s.Index.Symbols(file)
	if err != nil || int(ord) >= len(rows) {
		return nil, err
	}
	var out []code.Ref
	for _, r := range list {
		if r.Kind != code.RefDecorate || r.Scope != ord && r.Scope != rows[ord].Parent {
			continue
		}
		next := int32(-1) // the first symbol that begins after the decorator
		for k := range rows {
			if rows[k].Span.Start > r.Start && (next < 0 || rows[k].Span.Start < rows[next].Span.Start) {
				next = int32(k)
			}
		}
		if r.Scope == ord || next == ord {
			out = append(out, r)
		}
	}
	return out, nil
}

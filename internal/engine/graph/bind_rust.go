package graph

import (
	"strings"

	"ken/internal/code"
)

// crateMacros are the macros below a crate's root: #[macro_export] offers them
// there, whatever module they stand in.
func (b *Binder) crateMacros(root int64) []int {
	n, ok := b.k.w.NodeByID(root)
	if !ok {
		return nil
	}
	dir := code.Dir(n.Path)
	return b.pick(b.all(), func(d *Def) bool {
		return d.Kind == code.KindMacro && d.File.Lang == "rust" && (dir == "" || strings.HasPrefix(d.File.Path, dir+"/"))
	})
}

// wildcardHops is how many wildcard imports in a row are followed to an enum.
const wildcardHops = 3

// variants are the members of an enum that Rust's `use path::Enum::*` brings in,
// here or in a module whose names are all imported (`use super::*`).
func (b *Binder) variants(s *Site, imp *code.Import, link *Link, hops int) Binding {
	if s.Node.Lang != "rust" || hops == 0 {
		return Binding{}
	}
	enum := imp.Spec[strings.LastIndexByte(imp.Spec, ':')+1:]
	fits := b.pick(b.byType[enum], func(d *Def) bool { return d.Kind == code.KindEnumMember && d.File.Lang == "rust" })
	if len(fits) > 0 {
		return b.ofEnum(s, link, enum, fits)
	}
	if link.File == 0 {
		return Binding{}
	}
	out := b.k.w.Outward(link.File)
	links := b.k.linksOf(link.File, out.Imports)
	for i := range out.Imports {
		if !wildcard(&out.Imports[i]) {
			continue
		}
		if got := b.variants(s, &out.Imports[i], &links[i], hops-1); len(got.Defs) > 0 {
			return got
		}
	}
	return Binding{}
}

// ofEnum picks the variants of the enum that link leads to.
func (b *Binder) ofEnum(s *Site, link *Link, enum string, fits []int) Binding {
	if link.File != 0 {
		if home, _, ok := b.k.FollowName(link.File, enum); ok {
			fits = b.pick(fits, func(d *Def) bool { return d.File.ID == home })
			return Binding{Defs: fits, Confidence: code.ImportResolved, Decided: len(fits) > 0}
		}
	}
	own := b.pick(fits, func(d *Def) bool { return d.File.ID == s.Node.ID })
	switch {
	case len(own) > 0:
		return Binding{Defs: own, Confidence: code.Exact, Decided: true}
	case len(fits) == 1:
		return Binding{Defs: fits, Confidence: code.UniqueName}
	}
	return Binding{Defs: fits, Confidence: code.Ambiguous}
}

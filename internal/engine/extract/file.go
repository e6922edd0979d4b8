package extract

import (
	"cmp"
	"slices"
	"sort"

	"ken/internal/code"
	"ken/internal/engine/extract/plain"
)

// file is one file while it is being read: its tree, the facts found so far and the
// position of the walk. A language's reader fills it.
type file struct {
	tree
	path  string
	lang  code.Lang
	facts *code.Facts
	// owner is the innermost symbol around the walk's position, -1 at the top: the
	// Parent of new symbols, the Scope of new references.
	owner int32
	names scopes
	// masked are names the reader's mask blanked, maskedLines directives, maskedHeads
	// everything it blanked in the heads of declarations, sorted.
	masked, maskedLines, maskedHeads []byteRange
	fullText                         string // the whole file where only part of it is parsed, of equal length
	containers                       code.Containers
}

// byteRange is bytes [start, end) of the file.
type byteRange struct{ start, end uint32 }

// declare adds a symbol under the current owner and returns its index. Parent is
// set here; Qualified too if it is empty.
func (f *file) declare(s code.Symbol) int32 {
	s.Parent = f.owner
	if s.Qualified == "" {
		s.Qualified = s.Name
		if f.owner >= 0 {
			s.Qualified = f.under(f.facts.Symbols[f.owner].Qualified, s.Name)
		}
	}
	f.facts.Symbols = append(f.facts.Symbols, s)
	return int32(len(f.facts.Symbols) - 1)
}

// under returns the qualified name of a symbol in a container, without the container if that
// repeats too much.
func (f *file) under(container, name string) string {
	return f.containers.Under(container, name, len(f.tree.text))
}

// mayRepeat reports whether the names around something may be kept with it.
func (f *file) mayRepeat(names string) bool { return f.containers.Take(len(names), len(f.tree.text)) }

// page returns the whole file, for readers that scan a file of which only a part is parsed.
func (f *file) page() *plain.File {
	return &plain.File{Path: f.path, Text: f.fullText, Facts: f.facts, Owner: -1}
}

// enter makes sym the owner and returns the one before, for leave.
func (f *file) enter(sym int32) (before int32) {
	before, f.owner = f.owner, sym
	return before
}

func (f *file) leave(before int32) { f.owner = before }

// ref adds a reference whose name is node n. Position, line and scope are set
// here; the name too if it is empty. Import must be set for ViaImport and is
// ignored otherwise.
func (f *file) ref(n node, r code.Ref) {
	if r.Name == "" {
		r.Name = f.str(n)
	}
	if r.Name == "" {
		return
	}
	if r.Via != code.ViaImport {
		r.Import = -1
	}
	r.Start, r.End, r.Line, r.Scope = f.start(n), f.end(n), f.line(n), f.owner
	f.facts.Refs = append(f.facts.Refs, r)
}

// refTo adds a reference to a plain name by its binding: none for a local, one via
// the import for an imported name, a bare one for an unknown name.
func (f *file) refTo(n node, b *binding, k code.RefKind) {
	name := f.str(n)
	switch {
	case b == nil, b.is(bindTop):
		f.ref(n, code.Ref{Name: name, Kind: k, Via: code.ViaBare})
	case b.what == bindNested:
		f.ref(n, code.Ref{Name: name, Kind: k, Via: code.ViaLocal})
	case b.what == bindImport, b.what == bindMember && b.module:
		f.ref(n, code.Ref{Name: b.target, Kind: k, Via: code.ViaImport, Import: b.imp})
	case b.what == bindMember:
		f.ref(n, code.Ref{Name: b.target, Kind: k, Via: code.ViaTyped, Recv: b.of})
	}
}

// finish puts the facts in their final order.
func (f *file) finish() {
	refs := f.facts.Refs
	less := func(i, j int) bool { return refs[i].Start < refs[j].Start }
	if !sort.SliceIsSorted(refs, less) {
		sort.SliceStable(refs, less)
	}
}

// sortSymbols puts the symbols in source order after more than one walk found them, and
// corrects the indexes that refer to them.
func (f *file) sortSymbols() {
	syms := f.facts.Symbols
	order := make([]int32, len(syms))
	for i := range order {
		order[i] = int32(i)
	}
	slices.SortStableFunc(order, func(a, b int32) int {
		return cmp.Or(cmp.Compare(syms[a].Span.Start, syms[b].Span.Start), cmp.Compare(syms[b].Span.End, syms[a].Span.End))
	})
	newIndex := make([]int32, len(syms))
	sorted := make([]code.Symbol, len(syms))
	for now, was := range order {
		newIndex[was], sorted[now] = int32(now), syms[was]
	}
	for i := range sorted {
		if p := sorted[i].Parent; p >= 0 {
			sorted[i].Parent = newIndex[p]
		}
	}
	for i := range f.facts.Refs {
		if r := &f.facts.Refs[i]; r.Scope >= 0 {
			r.Scope = newIndex[r.Scope]
		}
	}
	f.facts.Symbols = sorted
}

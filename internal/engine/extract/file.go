package extract

import (
	"cmp"
	"slices"
	"sort"

	"ken/internal/code"
	"ken/internal/engine/extract/plain"
)

// file is one file while it is read: its syntax tree, the facts found so far and
// the position in the tree. The reader of a language fills it.
type file struct {
	tree
	path  string
	lang  code.Lang
	facts *code.Facts
	// owner is the innermost symbol that contains the current position, -1 at the
	// top level. It becomes the Parent of new symbols and the Scope of new
	// references.
	owner int32
	names scopes
	// masked are names the reader's mask blanked, maskedLines directives, maskedHeads
	// everything it blanked in the heads of declarations, sorted.
	masked, maskedLines, maskedHeads []byteRange
	fullText                         string // the whole file where only part of it is parsed, of equal length
	containers                       code.Containers
	repaired                         *treeParser // owns the tree of a repaired source, nil if the extractor's parser does
}

// byteRange is the bytes from start to before end of a file.
type byteRange struct{ start, end uint32 }

// declare adds a symbol inside the current owner and returns its index. It sets
// Parent, and Qualified if that is empty.
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

// under returns the qualified name of a symbol in a container. The container is left out if
// its name was repeated too often in this file.
func (f *file) under(container, name string) string {
	return f.containers.Under(container, name, len(f.tree.text))
}

// mayRepeat reports whether the file may store these enclosing names once more. It bounds the memory that deep nesting takes.
func (f *file) mayRepeat(names string) bool { return f.containers.Take(len(names), len(f.tree.text)) }

// page returns the whole file, for readers that scan a file by themselves and parse only a part of it.
func (f *file) page() *plain.File {
	return &plain.File{Path: f.path, Text: f.fullText, Facts: f.facts, Owner: -1}
}

// enter makes sym the owner of the declarations that follow, and returns the previous owner, for leave.
func (f *file) enter(sym int32) (before int32) {
	before, f.owner = f.owner, sym
	return before
}

func (f *file) leave(before int32) { f.owner = before }

// ref adds a reference whose name is node n. It sets position, line and
// scope, and the name if that is empty. Import must be set for ViaImport and
// is ignored otherwise.
func (f *file) ref(n node, r code.Ref) {
	if r.Name == "" {
		r.Name = f.str(n)
	}
	if r.Name == "" || r.Name == "@" { // a repair calls the expression of a decorator, whose mark has the place of the name
		return
	}
	if !r.Via.NamesImport() {
		r.Import = -1
	}
	r.Start, r.End, r.Line, r.Scope = f.start(n), f.end(n), f.line(n), f.owner
	f.facts.Refs = append(f.facts.Refs, r)
}

// takeRef removes the references from index from on and returns the one of a kind among them, a zero one if there is none.
func (f *file) takeRef(from int, k code.RefKind) code.Ref {
	list := f.facts.Refs[from:]
	f.facts.Refs = f.facts.Refs[:from]
	return findRef(list, k)
}

// findRef returns the first reference of a kind, a zero one if there is none.
func findRef(list []code.Ref, k code.RefKind) code.Ref {
	if i := slices.IndexFunc(list, func(r code.Ref) bool { return r.Kind == k }); i >= 0 {
		return list[i]
	}
	return code.Ref{}
}

// callConstructor adds a call of the type that another reference names, if it names one. The word n stands for the type: this or super.
// args are those of the call, as in Ref.Args; "" keeps those of the type.
func (f *file) callConstructor(n node, typ code.Ref, args string) {
	if typ.Name == "" {
		return
	}
	typ.Kind, typ.Args = code.RefCall, cmp.Or(args, typ.Args)
	f.ref(n, typ)
}

// refTo adds a reference to a plain name according to its binding b: none for a
// local variable, one by lexical scope for a nested symbol, a reference through the
// import for an imported name, one by its receiver for a member of an imported value,
// and one by the bare name if the file declares it at the top level or not at all.
func (f *file) refTo(n node, b *binding, k code.RefKind) {
	name := f.str(n)
	switch {
	case b == nil, b.is(bindTop):
		f.ref(n, code.Ref{Name: name, Kind: k, Via: code.ViaBare})
	case b.what == bindNested:
		f.ref(n, code.Ref{Name: cmp.Or(b.target, name), Kind: k, Via: code.ViaLocal})
	case b.what == bindImport, b.what == bindMember && b.module:
		f.ref(n, code.Ref{Name: b.target, Kind: k, Via: code.ViaImport, Import: b.imp})
	case b.what == bindMember:
		f.ref(n, code.Ref{Name: b.target, Kind: k, Via: code.ViaTyped, Recv: b.of})
	}
}

// finish sorts the references by position.
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

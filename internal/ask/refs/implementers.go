package refs

import (
	"bytes"
	"cmp"
	"context"
	"regexp"
	"slices"
	"sort"
	"strings"
	"sync"

	"ken/internal/code"
	"ken/internal/engine/graph/infer"
	"ken/internal/engine/store"
	"ken/internal/engine/view"
	"ken/internal/lang"
)

// Implementer is a type that implements or inherits from a target, or a method
// that overrides or implements one.
type Implementer struct {
	view.Symbol
	Of         string // qualified name of the target, or of the implementer of it, that it implements itself
	Depth      int    // 1: of the target itself
	Confidence code.Confidence
}

// Implementers returns the declarations that implement, inherit from or override targets, to a depth (0: any), by depth, path and
// place. A method that overrides one through several types has depth 1, because it may be called for each of them. In Go, where a type
// does not name its interfaces, the names and numbers of parameters of all methods decide. cut is set if a bound on the work was met.
// It returns an error if the index cannot be read or ctx ends.
func Implementers(ctx context.Context, s *view.Snapshot, targets []view.Symbol, depth int) (list []Implementer, cut bool, err error) {
	b := newHierarchySearch(ctx, s, whole, targets)
	level := targets
	for d := 1; len(level) > 0 && (depth == 0 || d <= depth); d++ {
		from := len(b.out)
		for i := range level {
			if err := ctx.Err(); err != nil {
				return nil, false, err
			}
			if err := b.below(&level[i]); err != nil {
				return nil, false, err
			}
		}
		level = nil
		for _, r := range b.out[from:] {
			list = append(list, Implementer{r.Symbol, r.Of, d, r.Confidence})
			if r.Kind.IsType() && r.Confidence > code.Ambiguous { // methods of all types were found at once
				level = append(level, r.Symbol)
			}
		}
	}
	slices.SortStableFunc(list, func(x, y Implementer) int {
		return cmp.Or(cmp.Compare(x.Depth, y.Depth), cmp.Compare(x.Path, y.Path), cmp.Compare(x.Span.Start, y.Span.Start))
	})
	return list, b.cut, s.Lookup.Err
}

// below finds the relatives one step below a target.
func (b *hierarchySearch) below(t *view.Symbol) error {
	n, _ := b.s.Lookup.Node(t.Path)
	switch {
	case t.Kind.IsType():
		refs, err := References(b.ctx, b.s, []view.Symbol{*t})
		if err != nil {
			return err
		}
		return b.subtypes(t, n, refs.List)
	case t.Kind.IsFunction() && t.Symbol.Container() != "":
		return b.methodsBelow(t, n)
	}
	return nil
}

// Overriding returns the members that a member overrides or implements and those that override or implement it, one step away. outside
// is set if it overrides none and its type has a base in another repository, whose member it may override; in languages with a mark
// for overriding, only if the member has it; in Go if its type implements an interface of the standard library that has the method. It
// returns an error if the index or the file cannot be read or ctx ends.
func Overriding(ctx context.Context, s *view.Snapshot, t *view.Symbol) (list []view.Symbol, outside bool, err error) {
	b := newHierarchySearch(ctx, s, whole, []view.Symbol{*t})
	n, _ := s.Lookup.Node(t.Path)
	if err := b.methodsAbove(t, n); err != nil {
		return nil, false, err
	}
	overrides := slices.ContainsFunc(b.out, func(r Relative) bool { return r.Confidence > code.Ambiguous })
	if err := b.methodsBelow(t, n); err != nil {
		return nil, false, err
	}
	for _, r := range b.out {
		if r.Confidence > code.Ambiguous {
			list = append(list, r.Symbol)
		}
	}
	if lang.Of(n.Lang).ImplicitInterfaces {
		possible, err := b.possibleTies(t)
		if err != nil {
			return nil, false, err
		}
		name, err := b.standard(t)
		if name == "" && err == nil {
			name, err = b.standardImplementer(t)
		}
		return append(list, possible...), name != "", cmp.Or(err, s.Lookup.Err)
	}
	if overrides {
		return list, false, s.Lookup.Err
	}
	above, err := OverriddenOutside(ctx, s, t)
	if err != nil || len(above) == 0 {
		return list, false, err
	}
	mark := lang.Of(n.Lang).Overriding
	if mark != lang.OverrideAnnotation && mark != lang.ImplBlock {
		return list, true, s.Lookup.Err
	}
	text, err := s.Text(ctx, t.Path)
	if mark == lang.ImplBlock {
		isMember := t.Kind != code.KindField && t.Kind != code.KindEnumMember // a trait has none
		return list, isMember && traitBlock(text, int(t.Span.Start)) != "", cmp.Or(err, s.Lookup.Err)
	}
	to := min(int(t.NameStart), len(text))
	from := min(int(t.Span.Start), to, bytes.LastIndexAny(text[:to], ";{}")+1)
	return list, bytes.Contains(text[from:to], []byte("@Override")), cmp.Or(err, s.Lookup.Err)
}

// Above returns the members that a member overrides or implements. It returns an error if the index cannot be read or ctx ends.
func Above(ctx context.Context, s *view.Snapshot, t *view.Symbol) ([]view.Symbol, error) {
	n, _ := s.Lookup.Node(t.Path)
	b := newHierarchySearch(ctx, s, whole, []view.Symbol{*t})
	if err := b.methodsAbove(t, n); err != nil {
		return nil, err
	}
	var list []view.Symbol
	for i := range b.out {
		list = append(list, b.out[i].Symbol)
	}
	if len(list) > 0 || infer.Reads(n.Lang) {
		return list, s.Lookup.Err
	}
	line, err := s.Lineage(ctx, t.Path, t.Symbol.Container())
	if err != nil {
		return nil, err
	}
	rows, err := s.SymbolsNamed(t.Name)
	for _, row := range membersAbove(s, &line, rows) {
		if row.ID().Pack() != t.ID {
			list = append(list, view.RowSymbol(&row))
		}
	}
	return list, cmp.Or(err, s.Lookup.Err)
}

// Below returns the members that surely override or implement a member, one step away. It returns an error if the index cannot be read or
// ctx ends.
func Below(ctx context.Context, s *view.Snapshot, t *view.Symbol) ([]view.Symbol, error) {
	n, _ := s.Lookup.Node(t.Path)
	b := newHierarchySearch(ctx, s, whole, []view.Symbol{*t})
	if err := b.methodsBelow(t, n); err != nil {
		return nil, err
	}
	var list []view.Symbol
	for i := range b.out {
		if b.out[i].Confidence > code.Ambiguous {
			list = append(list, b.out[i].Symbol)
		}
	}
	return list, s.Lookup.Err
}

// blockHead matches the head of a block that holds members in Rust, with its indentation.
var blockHead = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?m)^([ \t]*)(?:pub(?:\([^)\n]*\))?[ \t]+)?(?:unsafe[ \t]+)?(impl|trait|enum|struct|union)\b[^{;]*`)
})

// traitBlock returns the head of the block that implements a trait for a type and holds the member at a byte of a text, "" if there is
// none. A block around a member is indented less, where the text is indented at all; else it is the last one that implements something.
func traitBlock(text []byte, start int) string {
	return newBlockText(text[:min(start, len(text))]).traitBlock(start)
}

// blockText is a text with the matches of blockHead.
type blockText struct {
	text  []byte
	heads [][]int
}

func newBlockText(text []byte) *blockText {
	return &blockText{text, blockHead().FindAllSubmatchIndex(text, -1)}
}

func (f *blockText) traitBlock(start int) string {
	text := f.text[:min(start, len(f.text))]
	line := bytes.LastIndexByte(text, '\n') + 1
	indent := len(text[line:]) - len(bytes.TrimLeft(text[line:], " \t"))
	last := ""
	n := sort.Search(len(f.heads), func(i int) bool { return f.heads[i][1] > len(text) })
	for i := n - 1; i >= 0; i-- {
		m := f.heads[i]
		isImpl := string(text[m[4]:m[5]]) == "impl"
		head := ""
		if h := string(text[m[0]:m[1]]); isImpl && strings.Contains(h, " for ") {
			head = h
		}
		if isAround := m[0] >= line || m[3]-m[2] < indent; isAround {
			return head
		}
		if last == "" && isImpl {
			last = cmp.Or(head, "impl")
		}
	}
	if last == "impl" {
		return ""
	}
	return last
}

// traitName matches the name of the trait at the end of what is in front of "for" in the head of a block, without its arguments.
var traitName = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(\w+)\s*$`) })

// implementedTrait returns the simple name of the trait in the head of a block.
func implementedTrait(head string) string {
	before := head[:max(strings.LastIndex(head, " for "), 0)]
	if in := strings.Index(head, " where"); in >= 0 && in < len(before) {
		before = head[:max(strings.Index(head, " for "), 0)]
	}
	for depth, i := 0, len(before)-1; i >= 0; i-- { // its arguments
		switch before[i] {
		case '>':
			if i > 0 && before[i-1] != '-' {
				depth++
			}
		case '<':
			depth--
			if depth == 0 {
				before = before[:i]
			}
		case ' ', '\t', '\n':
			continue
		}
		if depth == 0 {
			break
		}
	}
	if m := traitName().FindStringSubmatch(before); m != nil {
		return m[1]
	}
	return ""
}

// AssociatedTypes returns the types that must keep the name of an associated type of Rust: of a trait, those by which blocks implement it;
// of such a block, the type of its trait. outside is set if the trait is not known to be of the repository. It returns an error if the
// index or a file cannot be read or ctx ends.
func AssociatedTypes(ctx context.Context, s *view.Snapshot, t *view.Symbol) (list []view.Symbol, outside bool, err error) {
	b := newHierarchySearch(ctx, s, whole, []view.Symbol{*t})
	n, _ := s.Lookup.Node(t.Path)
	owner, ok, err := b.owner(t)
	if err != nil {
		return nil, false, err
	}
	if ok && owner.Kind == code.KindTrait {
		if err := b.methodsBelow(t, n); err != nil {
			return nil, false, err
		}
		for i := range b.out {
			in, err := b.implemented(&b.out[i].Symbol)
			if err != nil {
				return nil, false, err
			}
			isShared, err := b.hasOtherTrait(&b.out[i].Symbol, in.trait)
			if err != nil {
				return nil, false, err
			}
			isOwn := in.trait == owner.Name
			isUnknown := in.trait == "" || in.isRenamed
			outside = outside || isUnknown || isOwn && isShared
			if isOwn {
				list = append(list, b.out[i].Symbol)
			}
		}
		return list, outside || b.cut, s.Lookup.Err
	}
	in, err := b.implemented(t)
	if err != nil || in.trait == "" || in.isRenamed {
		return nil, true, err
	}
	isShared, err := b.hasOtherTrait(t, in.trait)
	if err != nil || isShared {
		return nil, true, err
	}
	err = b.methodsAbove(t, n)
	for i := range b.out {
		if o := &b.out[i].Symbol; code.LastSegment(o.Symbol.Container()) == in.trait {
			list = append(list, *o)
		}
	}
	return list, len(list) != 1, cmp.Or(err, s.Lookup.Err)
}

// Unnamed returns the members that must keep the name of one because a block of Rust implements their trait for a type without a name, as
// `impl Reply for ()`: of a trait's member those in such blocks, of one in such a block that of the trait. outside is set if the trait of
// such a block is not of the repository. It returns an error if the index or a file cannot be read or ctx ends.
func Unnamed(ctx context.Context, s *view.Snapshot, t *view.Symbol) (list []view.Symbol, outside bool, err error) {
	b := newHierarchySearch(ctx, s, whole, []view.Symbol{*t})
	rows, err := s.SymbolsNamed(t.Name)
	if err != nil {
		return nil, false, err
	}
	owner, ok, err := b.owner(t)
	if err != nil || ok && owner.Kind != code.KindTrait {
		return nil, false, err // the type around it has a name
	}
	in := implementation{trait: code.LastSegment(t.Symbol.Container())}
	isUnnamed := in.trait == ""
	if isUnnamed {
		if in, err = b.implemented(t); err != nil || in.trait == "" {
			return nil, false, err
		}
	}
	for i := range rows {
		o := view.RowSymbol(&rows[i])
		if n, _ := s.Lookup.Node(o.Path); o.ID == t.ID || !lang.Of(n.Lang).HasImplBlocks() {
			continue
		}
		of := code.LastSegment(o.Symbol.Container())
		if !isUnnamed {
			other, err := b.implemented(&o)
			if err != nil {
				return nil, false, err
			}
			of = other.trait // also of a type from outside
		}
		if of == in.trait {
			list = append(list, o)
		}
	}
	if isUnnamed || len(list) == 0 {
		return list, isUnnamed && len(list) == 0, s.Lookup.Err
	}
	traits, err := s.SymbolsNamed(in.trait)
	traits = slices.DeleteFunc(slices.Clone(traits), func(r store.SymbolRow) bool { return r.Kind != code.KindTrait })
	return list, len(traits) > 1, cmp.Or(err, s.Lookup.Err) // which of them a block means is not known
}

// hasOtherTrait reports whether the type around an associated type implements another trait with one of that name, so that it is not known
// which of them a use means.
func (b *hierarchySearch) hasOtherTrait(t *view.Symbol, trait string) (bool, error) {
	rows, err := b.s.SymbolsNamed(t.Name)
	for i := range rows {
		o := view.RowSymbol(&rows[i])
		if err != nil || o.ID == t.ID || o.Qualified != t.Qualified {
			continue
		}
		var in implementation
		if in, err = b.implemented(&o); in.trait != trait {
			return true, err
		}
	}
	return false, err
}

// implementation is the trait that the block around a member implements.
type implementation struct {
	trait     string
	isRenamed bool // an import may give it that name
}

// implemented returns what the block around a member implements. The heads of blocks of a file are found once, because a name may be one of
// thousands of members of it.
func (b *hierarchySearch) implemented(t *view.Symbol) (implementation, error) {
	f, ok := b.blocks[t.Path]
	if !ok {
		text, err := b.s.Text(b.ctx, t.Path)
		if err != nil {
			return implementation{}, err
		}
		f = newBlockText(text)
		b.blocks[t.Path] = f
	}
	in := implementation{trait: implementedTrait(f.traitBlock(int(t.Span.Start)))}
	in.isRenamed = bytes.Contains(f.text, []byte(" as "+in.trait))
	return in, nil
}

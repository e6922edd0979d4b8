package refs

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"unicode"

	"ken/internal/code"
	"ken/internal/engine/builtin"
	"ken/internal/engine/graph"
	"ken/internal/engine/store"
	"ken/internal/engine/view"
	"ken/internal/lang"
)

// maxAbove is the number of base types of a type that are listed.
const maxAbove = 60

// lineage holds the base types of a type, over all steps.
type lineage struct {
	types   []store.SymbolRow
	outside []outsideBase
}

// outsideBase is a base that is outside the repository, or unknown.
type outsideBase struct {
	name     string
	module   string // from which it is imported, "" if that is not known
	standard bool   // it is of the standard library, by an import, or declared by the language
}

// newLineage follows the bases that a type of a file names, in any language: each is bound as any reference is.
func newLineage(ctx context.Context, s *view.Snapshot, path, typ string) (lineage, error) {
	var out lineage
	n, _ := s.Lookup.Node(path)
	queue, err := TypeDeclarations(s, n, typ)
	seen := map[int64]bool{}
	for i := 0; i < len(queue) && i < maxAbove && err == nil; i++ {
		if seen[queue[i].ID().Pack()] {
			continue
		}
		seen[queue[i].ID().Pack()] = true
		var up []store.SymbolRow
		up, err = out.bases(ctx, s, &queue[i])
		out.types = append(out.types, up...)
		queue = append(queue, up...)
	}
	return out, err
}

// TypeDeclarations returns the declarations of a type that a file sees under a qualified
// name: those of the file and, where a type may be declared in parts, the others. It
// returns an error if the index cannot be read.
func TypeDeclarations(s *view.Snapshot, n graph.Node, qualified string) ([]store.SymbolRow, error) {
	rows, err := s.Index.SymbolsNamed(code.LastSegment(qualified))
	if err != nil {
		return nil, err
	}
	var own, others []store.SymbolRow
	for _, row := range rows {
		other, ok := s.Lookup.NodeByID(row.FileID)
		if !ok || row.Qualified != qualified || !declaresMembers(row.Kind) {
			continue
		}
		switch {
		case row.FileID == n.ID:
			own = append(own, row)
		case n.Traits().Autoload && other.Lang == n.Lang, graph.SameScope(&n, &other), samePackage(&n, &other):
			others = append(others, row)
		}
	}
	return append(own, others...), nil
}

func samePackage(a, b *graph.Node) bool {
	return a.Lang == b.Lang && a.Package == b.Package && a.Traits().Scope == lang.NamespaceScope
}

func declaresMembers(k code.Kind) bool {
	return k.IsType() || k == code.KindTrait || k == code.KindModule
}

// NamesBase reports whether a reference, by its kind, the symbol around it and its first byte, names a base of a type of its file. In
// some languages its scope is that around the type.
func NamesBase(typ *store.SymbolRow, kind code.RefKind, scope int32, start uint32) bool {
	if kind != code.RefInherit && kind != code.RefImplement {
		return false
	}
	return scope == typ.Ord || scope == typ.Parent && typ.NameStart < start && start < typ.Span.End
}

// bases returns the types that one names as its bases, and records those that are not
// found.
func (l *lineage) bases(ctx context.Context, s *view.Snapshot, typ *store.SymbolRow) ([]store.SymbolRow, error) {
	home, err := s.Site(typ.FileID)
	if err != nil || home.Packed == nil {
		return nil, err
	}
	refs, err := home.Packed.AllRefs()
	if err != nil {
		return nil, err
	}
	var out []store.SymbolRow
	for i := range refs {
		r := &refs[i]
		if !NamesBase(typ, r.Kind, r.Scope, r.Start) {
			continue
		}
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		named, err := s.NameDefinitions(s.DeclaredName(home, r))
		if err != nil {
			return nil, err
		}
		b, _ := view.BindExactly(named.Binder, home, r)
		found := false
		for _, d := range b.Defs {
			if sym := &named.Syms[d]; declaresMembers(sym.Kind) {
				id := code.UnpackSymbolID(sym.ID)
				out = append(out, store.SymbolRow{Symbol: sym.Symbol, FileID: id.File, Ord: id.Ord, Path: sym.Path})
				found = true
			}
		}
		base := outsideBase{name: r.Name, standard: isStandard(home, r)}
		if r.Import >= 0 && int(r.Import) < len(home.Imports) {
			base.module = home.Imports[r.Import].Spec
		}
		if !found && !slices.Contains(l.outside, base) {
			l.outside = append(l.outside, base)
		}
	}
	return out, nil
}

// members returns the definitions of one name that the types of a lineage declare.
func (l *lineage) members(s *view.Snapshot, rows []store.SymbolRow) (out []code.SymbolID) {
	for i := range rows {
		in := rows[i].Symbol.Container()
		n, ok := s.Lookup.NodeByID(rows[i].FileID)
		if !ok || in == "" || !inherits(rows[i].Signature, n) {
			continue
		}
		if slices.ContainsFunc(l.types, func(typ store.SymbolRow) bool {
			other, ok := s.Lookup.NodeByID(typ.FileID)
			together := rows[i].FileID == typ.FileID || n.Traits().Autoload || samePackage(&n, &other)
			return ok && typ.Qualified == in && n.Lang == other.Lang && together
		}) {
			out = append(out, rows[i].ID())
		}
	}
	return out
}

// inherits reports whether a member may override another one or be overridden, judging by the words in front of its name.
func inherits(signature string, n graph.Node) bool {
	words := " " + signature
	static := lang.Of(n.Lang).StaticsHide && strings.Contains(words, " static ") && !strings.Contains(words, " abstract ")
	return !static && !strings.Contains(words, " private ")
}

// OverriddenOutside returns the bases outside the repository, of the type around a member, whose member of the same name it may
// override; in Go an interface of the standard library. It returns an error if the index or the member's file cannot be read or ctx ends.
func OverriddenOutside(ctx context.Context, s *view.Snapshot, t *view.Symbol) ([]string, error) {
	n, _ := s.Lookup.Node(t.Path)
	isConstant := t.Kind == code.KindConstant && n.Traits().OpenMembers // found where it is written, not by the type of a receiver
	if isConstant || !inherits(t.Signature, n) {
		return nil, nil
	}
	if lang.Of(n.Lang).ImplicitInterfaces {
		if !t.Kind.IsFunction() {
			return nil, nil
		}
		name, err := newHierarchySearch(ctx, s, besideOthers, []view.Symbol{*t}).standard(t)
		if name == "" {
			return nil, err
		}
		return []string{name}, err
	}
	line, err := newLineage(ctx, s, t.Path, t.Symbol.Container())
	var list []string
	for _, base := range line.outside {
		if mayOverride(t, n, base) {
			list = append(list, base.name)
		}
	}
	if err != nil || len(list) == 0 || !lang.Of(n.Lang).HasImplBlocks() {
		return list, err
	}
	text, err := s.Text(ctx, t.Path)
	if t.Kind == code.KindEnumMember || traitBlock(text, int(t.Span.Start)) == "" {
		return nil, err
	}
	return list, err
}

// isStandard reports whether the name of a base is one of the standard library: the file imports it from there, or the
// language declares it.
func isStandard(t *view.Site, r *code.Ref) bool {
	name, _, _ := strings.Cut(cmp.Or(r.Recv, r.Name), ".")
	for i := range t.Imports[:min(len(t.Imports), len(t.Links))] {
		imp := &t.Imports[i]
		isWhole := len(imp.Names) == 0 && cmp.Or(imp.Alias, code.LastSegment(imp.Spec)) == name
		if isWhole || slices.ContainsFunc(imp.Names, func(n code.ImportName) bool { return cmp.Or(n.Alias, n.Name) == name }) {
			return t.Links[i].Std
		}
	}
	return builtin.IsPredeclared(t.Node.Lang, name)
}

// Bases returns the types of the repository that a type inherits from, over all steps, and the names of those outside of it that may
// look for their subtypes, which those of a standard library do not. It returns an error if the index cannot be read or ctx ends.
func Bases(ctx context.Context, s *view.Snapshot, t *view.Symbol) (bases []store.SymbolRow, outside []string, err error) {
	line, err := newLineage(ctx, s, t.Path, t.Qualified)
	for _, base := range line.outside {
		isFault := strings.HasSuffix(base.name, "Error") || strings.HasSuffix(base.name, "Exception")
		isKnown := builtin.IsPassive(graph.Family(lang.Detect(t.Path, nil)), base.name, base.module)
		isPlain := base.standard || isKnown || isFault || strings.Contains(passive+unsought, " "+base.name+" ")
		if !isPlain || strings.HasSuffix(base.name, "TestCase") {
			outside = append(outside, base.name)
		}
	}
	return line.types, outside, err
}

// passive are base types outside any repository that call only members with reserved
// names. Other members of their subtypes override nothing.
const passive = " object Object Any AnyObject AnyRef NSObject Exception BaseException ValueError TypeError RuntimeError KeyError LookupError OSError " +
	"Error RuntimeException IllegalArgumentException IllegalStateException StandardError ArgumentError " +
	"ABC Protocol Generic NamedTuple TypedDict Enum IntEnum StrEnum Flag IntFlag str int float bytes tuple list dict set frozenset bool " +
	"Array Map Set Promise Serializable Cloneable Record Copy Send Sync Clone "

// unsought are more types of standard libraries that nothing looks for the subtypes of, in languages whose imports do not show
// that they are from there: C#, PHP, Ruby.
const unsought = "IDisposable IAsyncDisposable IEquatable IComparable IComparer IEqualityComparer IEnumerable IEnumerator IAsyncEnumerable " +
	"IAsyncEnumerator ICollection IList IDictionary ISet IReadOnlyList IReadOnlyCollection IReadOnlyDictionary IReadOnlySet ICloneable " +
	"IFormattable ISpanFormattable IFormatProvider IParsable ISpanParsable EventArgs Attribute Stream TextReader TextWriter " +
	"Countable Iterator IteratorAggregate ArrayAccess JsonSerializable Stringable Traversable ArrayIterator ArrayObject Closure " +
	"Comparable Enumerable Struct Data Module BasicObject Hash String Integer Numeric SimpleDelegator Delegator Forwardable Singleton "

// mayOverride reports whether a member may override one of a base outside the
// repository.
func mayOverride(t *view.Symbol, n graph.Node, base outsideBase) bool {
	can, isStandard := builtin.Overridable(graph.Family(n.Lang), base.name, base.module, t.Name)
	if isStandard {
		return can || strings.HasPrefix(t.Name, "__")
	}
	if strings.Contains(passive, " "+base.name+" ") {
		return isDunder(t.Name)
	}
	if strings.Contains(t.Signature, "private ") {
		return false
	}
	isMarked := strings.Contains(t.Signature, "override ")
	switch lang.Of(n.Lang).Overriding {
	case lang.OverrideModifier:
		return isMarked
	case lang.OverrideOrInterface:
		return isMarked || isInterfaceName(base.name) && isPublic(t)
	}
	return true
}

// isInterfaceName reports whether a type is an interface by its name, as all are in .NET.
func isInterfaceName(name string) bool {
	return len(name) > 1 && name[0] == 'I' && unicode.IsUpper(rune(name[1]))
}

// isPublic reports whether a member can implement one of an interface: it is public, or named with the interface.
func isPublic(t *view.Symbol) bool {
	at := strings.Index(t.Signature, t.Name)
	return strings.Contains(t.Signature, "public ") || at > 0 && t.Signature[at-1] == '.'
}

// isDunder reports whether a name has the form __name__.
func isDunder(name string) bool {
	return len(name) > len("____") && strings.HasPrefix(name, "__") && strings.HasSuffix(name, "__")
}

package refs

import (
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

// membersAbove returns the rows, all of one name, that the bases of a type declare and that it may override.
func membersAbove(s *view.Snapshot, line *view.Lineage, rows []store.SymbolRow) []store.SymbolRow {
	return slices.DeleteFunc(line.Members(s, rows), func(row store.SymbolRow) bool {
		n, _ := s.Lookup.NodeByID(row.FileID)
		return !inherits(row.Signature, n)
	})
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
	line, err := s.Lineage(ctx, t.Path, t.Symbol.Container())
	var list []string
	for _, base := range line.Outside {
		if mayOverride(t, n, base) {
			list = append(list, base.Name)
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

// Bases returns the types of the repository that a type inherits from, over all steps, and the names of those outside of it that may
// look for their subtypes, which those of a standard library do not. It returns an error if the index cannot be read or ctx ends.
func Bases(ctx context.Context, s *view.Snapshot, t *view.Symbol) (bases []store.SymbolRow, outside []string, err error) {
	line, err := s.Lineage(ctx, t.Path, t.Qualified)
	for _, base := range line.Outside {
		isFault := strings.HasSuffix(base.Name, "Error") || strings.HasSuffix(base.Name, "Exception")
		isKnown := builtin.IsPassive(graph.Family(lang.Detect(t.Path, nil)), base.Name, base.Module)
		isPlain := base.Standard || isKnown || isFault || strings.Contains(passive+unsought, " "+base.Name+" ")
		if !isPlain || strings.HasSuffix(base.Name, "TestCase") {
			outside = append(outside, base.Name)
		}
	}
	return line.Types, outside, err
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
func mayOverride(t *view.Symbol, n graph.Node, base view.OutsideBase) bool {
	can, isStandard := builtin.Overridable(graph.Family(n.Lang), base.Name, base.Module, t.Name)
	if isStandard {
		return can || strings.HasPrefix(t.Name, "__")
	}
	if strings.Contains(passive, " "+base.Name+" ") {
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
		return isMarked || isInterfaceName(base.Name) && isPublic(t)
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

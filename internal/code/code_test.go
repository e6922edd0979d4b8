package code_test

import (
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"ken/internal/code"
)

// TestKinds checks that every kind has a name of its own that reads back. The names
// are printed and the numbers stored, so that both must stay.
func TestKinds(t *testing.T) {
	names := "function method constructor class struct interface trait type enum enum_member field constant variable module macro union " +
		"message service table view index trigger resource target heading key selector element"
	for i, name := range strings.Fields(names) {
		k := code.Kind(i + 1)
		if got := k.String(); got != name {
			t.Errorf("kind %d is %q, want %q", i+1, got, name)
		}
		if got, ok := code.ParseKind(name); !ok || got != k {
			t.Errorf("%q is read as %d, %v; want %d", name, got, ok, k)
		}
	}
	if code.KindUnknown.String() != "unknown" || code.Kind(200).String() != "unknown" {
		t.Error("an unknown kind has another name than unknown")
	}
	for _, s := range []string{"unknown", "", "Function"} {
		if k, ok := code.ParseKind(s); ok {
			t.Errorf("%q is read as %v", s, k)
		}
	}
}

// TestKindGroups lists the kinds of each group; a kind may be in one group only.
func TestKindGroups(t *testing.T) {
	types, texts, functions := "", "", ""
	for k := code.KindUnknown; k <= code.KindElement; k++ {
		n := 0
		add := func(is bool, list *string) {
			if is {
				*list += " " + k.String()
				n++
			}
		}
		add(k.IsType(), &types)
		add(k.IsText(), &texts)
		add(k.IsFunction(), &functions)
		if n > 1 {
			t.Errorf("%v is in %d groups", k, n)
		}
	}
	for _, c := range [][2]string{
		{types, " class struct interface trait type enum union message service table view"},
		{texts, " resource target heading key selector element"},
		{functions, " function method constructor macro"},
	} {
		if c[0] != c[1] {
			t.Errorf("group is%s, want%s", c[0], c[1])
		}
	}
}

// TestNames checks the printed names of the other enumerations, and that numbers
// without a name have one all the same: an index may hold them.
func TestNames(t *testing.T) {
	check := func(what, want string, name func(i int) string, beyond string) {
		t.Helper()
		list := strings.Fields(want)
		for i, w := range list {
			if got := name(i); got != w {
				t.Errorf("%s %d is %q, want %q", what, i, got, w)
			}
		}
		if got := name(200); got != beyond {
			t.Errorf("%s 200 is %q, want %q", what, got, beyond)
		}
	}
	check("reference", "call type inherit implement decorate use", func(i int) string { return code.RefKind(i).String() }, "use")
	check("relation", "imports extends implements tests uses mentions generated_from", func(i int) string { return code.Relation(i).String() }, "imports")
	check("confidence", "ambiguous unique-name import-resolved exact", func(i int) string { return code.Confidence(i).String() }, "ambiguous")
	for i, want := range []string{"added", "modified", "deleted"} {
		if got := code.ChangeType(i).String(); got != want {
			t.Errorf("change %d is %q, want %q", i, got, want)
		}
	}
}

func TestDepends(t *testing.T) {
	for r := code.RelImports; r <= code.RelGenerated; r++ {
		if want := r != code.RelMentions; r.Depends() != want {
			t.Errorf("%v: %v", r, !want)
		}
	}
}

func TestSpan(t *testing.T) {
	outer := code.Span{Start: 10, End: 20}
	for _, c := range []struct {
		start, end uint32
		want       bool
	}{{10, 20, true}, {12, 13, true}, {9, 20, false}, {10, 21, false}, {20, 25, false}, {15, 15, true}} {
		if got := outer.Contains(code.Span{Start: c.start, End: c.end}); got != c.want {
			t.Errorf("%+v: %v", c, got)
		}
	}
}

func TestContainer(t *testing.T) {
	for _, c := range [][3]string{
		{"Start", "Server.Start", "Server"}, {"inner", "a.b.inner", "a.b"}, {"top", "top", ""}, {"b.c", "a.b.c", "a"}, {"x", "other", ""}, {"", "", ""},
	} {
		s := code.Symbol{Name: c[0], Qualified: c[1]}
		if got := s.Container(); got != c[2] {
			t.Errorf("container of %q is %q, want %q", c[1], got, c[2])
		}
	}
}

func TestPaths(t *testing.T) {
	for path, want := range map[string]string{"a/b/c": "a/b", "a/b": "a", "a": "", "": "", "/a": "", "a/": "a"} {
		if got := code.Dir(path); got != want {
			t.Errorf("Dir(%q) = %q, want %q", path, got, want)
		}
	}
	for name, want := range map[string]string{"Outer.Inner": "Inner", "Inner": "Inner", "": "", "a.b.": ""} {
		if got := code.LastSegment(name); got != want {
			t.Errorf("LastSegment(%q) = %q, want %q", name, got, want)
		}
	}
	for recv, want := range map[string]bool{"=NewStore().conn": true, "=": true, "Store": false, "": false} {
		if code.IsExpr(recv) != want {
			t.Errorf("IsExpr(%q) = %v", recv, !want)
		}
	}
}

func TestFileClass(t *testing.T) {
	c := code.ClassTest | code.ClassTemplate
	if !c.Has(code.ClassTest) || !c.Has(code.ClassDocument|code.ClassTemplate) || c.Has(code.ClassVendored) || c.Has(0) {
		t.Errorf("what %b has", c)
	}
	if got := (code.ClassTest | code.ClassFixture | code.ClassGenerated).Kind(); got != code.ClassTest {
		t.Errorf("kind %b", got)
	}
	if got := (code.ClassTemplate | code.ClassVendored).Kind(); got != 0 {
		t.Errorf("kind of the project's own code is %b", got)
	}
}

// TestErrors: what wraps ErrDamaged is found as such, and errors about the user's
// words keep them.
func TestErrors(t *testing.T) {
	if err := fmt.Errorf("search postings: %w", code.ErrDamaged); !errors.Is(err, code.ErrDamaged) || err.Error() != "search postings: the index is damaged" {
		t.Error(err)
	}
	var usage *code.UsageError
	if err := code.Usagef("%q is not inside the project", "../x"); !errors.As(err, &usage) || err.Error() != `"../x" is not inside the project` {
		t.Error(err)
	}
	missing := &code.NotFoundError{What: "symbol", Name: "Opne", Near: []string{"Open"}}
	if missing.Error() != `no symbol "Opne"` {
		t.Error(missing)
	}
}

func TestIsBelow(t *testing.T) {
	for _, p := range []string{"a", "a/b.go", ".github/x", "a/.hidden", "a/..b", "...", "a/b...", "a\\b", "\xff", "a:b"} {
		if !code.IsBelow(p) {
			t.Errorf("%q is below the root", p)
		}
	}
	for _, p := range []string{"", "/", "/etc/passwd", ".", "..", "../a", "a/..", "a/../b", "a/./b", "./a", "a//b", "a/", "a\x00b"} {
		if code.IsBelow(p) {
			t.Errorf("%q is not below the root", p)
		}
	}
}

// TestBoundNesting: what nests too deeply belongs to the last level, and names that
// are too long, or repeated too often, are left out.
func TestBoundNesting(t *testing.T) {
	chain := func(n int, name string) (list []code.Symbol) {
		qualified := name
		for i := range n {
			list = append(list, code.Symbol{Name: name, Qualified: qualified, Parent: int32(i - 1)})
			qualified += "." + name
		}
		return list
	}
	plain := chain(code.MaxNesting+1, "a")
	code.BoundNesting(plain, 100)
	if !reflect.DeepEqual(plain, chain(code.MaxNesting+1, "a")) {
		t.Error("what is within the bounds has changed")
	}
	deep := chain(1000, "a")
	code.BoundNesting(deep, 1<<20)
	last := deep[code.MaxNesting]
	for i, s := range deep[code.MaxNesting:] {
		if s.Parent != last.Parent || s.Qualified != last.Qualified {
			t.Fatalf("level %d is in %d and called %s", i+code.MaxNesting, s.Parent, s.Qualified)
		}
	}
	long := strings.Repeat("x", code.MaxContainer+1)
	members := []code.Symbol{{Name: long, Qualified: long, Parent: -1}, {Name: "a", Qualified: long + ".a", Parent: 0}}
	code.BoundNesting(members, 1<<20)
	if members[1].Qualified != "a" || members[1].Parent != 0 {
		t.Errorf("a member of a long name is %.20s in %d", members[1].Qualified, members[1].Parent)
	}
	many, sum := []code.Symbol{{Name: long[:900], Qualified: long[:900], Parent: -1}}, 0
	for range 1000 {
		many = append(many, code.Symbol{Name: "a", Qualified: long[:900] + ".a", Parent: 0})
	}
	code.BoundNesting(many, 10_000)
	for _, s := range many[1:] {
		sum += len(s.Qualified)
	}
	if sum > 30_000 || many[1].Qualified != long[:900]+".a" {
		t.Errorf("the members' names take %d bytes", sum)
	}
}

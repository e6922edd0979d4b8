package infer

import (
	"strconv"
	"strings"
	"testing"

	"ken/internal/code"
	"ken/internal/engine/graph"
)

// show writes an expression in the notation of code.RecvExpr.
func show(e *expr) string {
	if e == nil {
		return "nil"
	}
	index := ""
	if e.index > 0 {
		index = strconv.Itoa(e.index)
	}
	args := func() string {
		var out []string
		for _, a := range e.args {
			out = append(out, show(a))
		}
		return strings.Join(out, ",")
	}
	switch e.op {
	case opName:
		return e.name
	case opMember:
		return show(e.of) + "." + e.name
	case opCall:
		return show(e.of) + "(" + index + ")"
	case opElem:
		return show(e.of) + "[" + index + "]"
	case opKey:
		return show(e.of) + "[k]"
	case opAbove:
		return show(e.of) + "<"
	case opList:
		return "[" + args() + "]"
	case opMap:
		return "{" + strings.Replace(args(), ",", ":", 1) + "}"
	case opTuple:
		return "(" + args() + ")"
	case opFunc:
		return "func(" + args() + ")"
	case opArgs:
		return show(e.of) + "{" + args() + "}"
	}
	return "?"
}

func showAll(list []*expr) string {
	out := make([]string, len(list))
	for i, e := range list {
		out[i] = show(e)
	}
	return strings.Join(out, " ")
}

var goSignatures = []struct {
	kind             code.Kind
	name, text, want string
}{
	{code.KindFunction, "f", "func f()", ""},
	{code.KindFunction, "f", "func f() T", "T"},
	{code.KindFunction, "f", "func f(a, b int) (*pkg.T, error)", "pkg.T error"},
	{code.KindFunction, "f", "func f() (a, b T, c map[string][]*U)", "T T {string:[U]}"},
	{code.KindFunction, "f", "func f() (int, map[K]V, chan int, func() T)", "int {K:V} [int] func(T)"},
	{code.KindFunction, "f", "func f[K comparable, V any](m map[K]V) (K, V, Set[K])", "? ? Set{?}"},
	{code.KindMethod, "m", "func (s *Set[T]) m(f func(a int) bool) []pkg.T", "[pkg.T]"},
	{code.KindMethod, "m", "m(ctx context.Context) <-chan struct{}", "[?]"},
	{code.KindFunction, "f", "func f() iter.Seq2[int, *T]", "{int:T}"},
	{code.KindFunction, "f", "func f() (_ iter.Seq[T], err error)", "[T] error"},
	{code.KindFunction, "f", "func f() (T", "T"},
	{code.KindFunction, "f", "func f", ""},
	{code.KindField, "x", "x T", "T"},
	{code.KindField, "x", "x func(int) (T, error)", "func(T,error)"},
	{code.KindField, "x", "x map[[2]int]T", "{[int]:T}"},
	{code.KindField, "T", "*pkg.T", "pkg.T"},
	{code.KindField, "T", "T[int]", "T{?}"},
	{code.KindVariable, "x", "var x = slices.Clone(all)", "all"},
	{code.KindField, "x", "x interface{ M() }", "?"},
	{code.KindVariable, "x", "var x T", "T"},
	{code.KindVariable, "x", "var x []T = nil", "[T]"},
	{code.KindVariable, "x", "var x = &T", "T"},
	{code.KindVariable, "x", "var x = pkg.New(1, f(2)).With()", "pkg.New().With()"},
	{code.KindVariable, "x", "var x = new(T)", "T"},
	{code.KindVariable, "x", "var x = make(map[string]T)", "{string:T}"},
	{code.KindVariable, "x", "var x = func(a int) T", "func(T)"},
	{code.KindVariable, "x", "var x = 1 + f()", "nil"},
	{code.KindConstant, "x", "const x = \"a\"", "nil"},
	{code.KindType, "X", "type X []T", "[T]"},
	{code.KindType, "X", "type X = pkg.T", "pkg.T"},
	{code.KindType, "X", "type X [8]T", "[T]"},
	{code.KindType, "X", "type X[T any] []T", "[?]"},
	{code.KindType, "X", "type X func(T) (U, error)", "func(U,error)"},
}

func TestGoSignatures(t *testing.T) {
	for _, c := range goSignatures {
		d := &Decl{graph.Def{Name: c.name, Kind: c.kind, Signature: c.text}}
		got := ""
		switch {
		case c.kind.IsFunction():
			got = showAll(goResults(d))
		case c.kind == code.KindType:
			got = show(goUnderlying(d))
		default:
			got = show(goVariable(d))
		}
		if got != c.want {
			t.Errorf("%s: %s, want %s", c.text, got, c.want)
		}
	}
}

var expressions = []struct{ text, want string }{
	{"=a", "a"}, {"a.b.c", "a.b.c"}, {"=f()(1)[][2][k].x<", "f()(1)[][2][k].x<"}, {"[a()]", "[a()]"}, {"{?:[a]}.b", "{?:[a]}.b"},
	{"(a,b.c)[1]", "(a,b.c)[1]"}, {"a..b", "a..b"}, {"", "nil"}, {"a(", "nil"}, {"a)", "nil"}, {"[a", "nil"}, {"{a}", "nil"},
	{strings.Repeat("[", 100), "nil"}, {strings.Repeat("a.", 300), "nil"},
}

func TestExpressions(t *testing.T) {
	for _, c := range expressions {
		if got := show(parseExpr(c.text)); got != c.want {
			t.Errorf("%s: %s, want %s", c.text, got, c.want)
		}
	}
}

// FuzzSyntax: whatever a signature holds, reading it ends; what parses as an
// expression reads the same when written and parsed again.
func FuzzSyntax(f *testing.F) {
	for _, c := range goSignatures {
		f.Add(c.text)
	}
	for _, c := range expressions {
		f.Add(c.text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		for _, lang := range []code.Lang{"go", "python", "java"} {
			for _, kind := range []code.Kind{code.KindFunction, code.KindMethod, code.KindField, code.KindVariable, code.KindType} {
				d := &Decl{graph.Def{Name: "x", Kind: kind, Signature: text, File: graph.Node{Lang: lang}}}
				d.results()
				d.variable()
				d.underlying()
			}
		}
		e := parseExpr(text)
		if e == nil || strings.Contains(show(e), "nil") {
			return
		}
		if again := parseExpr(show(e)); show(again) != show(e) {
			t.Errorf("%q reads %s, then %s", text, show(e), show(again))
		}
	})
}

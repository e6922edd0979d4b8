package extract

import (
	"strings"
	"testing"
	"time"

	"ken/internal/code"
)

// TestSymbolsOnlyHostile reads source made to cost more than its length.
func TestSymbolsOnlyHostile(t *testing.T) {
	e := testExtractor(t)
	for name, make := range map[string]func(n int) string{
		"a.lua nested":      func(n int) string { return strings.Repeat("function a.b() ", n/15) },
		"a.lua tables":      func(n int) string { return "x = " + strings.Repeat("{ a = function() end, b = ", n/26) },
		"a.lua dots":        func(n int) string { return "function a" + strings.Repeat(".b", n/2) + "() end" },
		"a.lua assignments": func(n int) string { return strings.Repeat("a,", n/3) + "b = " + strings.Repeat("1,", n/6) + "2" },
		"a.lua comments":    func(n int) string { return strings.Repeat("--\n", n/6) + strings.Repeat("a=1\n", n/8) },
		"a.sh nested":       func(n int) string { return strings.Repeat("f() { ", n/6) },
		"a.sh subshells":    func(n int) string { return strings.Repeat("$(", n/2) },
		"a.sh heredocs":     func(n int) string { return strings.Repeat("cat <<A <<B\n", n/12) },
		"a.sh declarations": func(n int) string { return "export " + strings.Repeat("A=1 ", n/4) },
		"a.zig nested":      func(n int) string { return strings.Repeat("const A = struct { ", n/19) },
		"a.zig returns":     func(n int) string { return "fn f() type {" + strings.Repeat("return struct { fn g() type { ", n/30) },
		"a.zig types":       func(n int) string { return "const a: " + strings.Repeat("*", n) + "u8 = 1;" },
		"a.ex nested":       func(n int) string { return strings.Repeat("defmodule A do\n", n/15) },
		"a.ex guards":       func(n int) string { return "def f(a)" + strings.Repeat(" when a", n/7) + ", do: 1" },
		"a.ex clauses":      func(n int) string { return "defmodule A do\n" + strings.Repeat("def f(a), do: a\n", n/16) + "end" },
		"a.ex docs":         func(n int) string { return "defmodule A do\n" + strings.Repeat("@doc \"x\"\n", n/9) + "end" },
		"a.ex struct":       func(n int) string { return "defmodule A do\ndefstruct [" + strings.Repeat(":a, ", n/4) + ":b]\nend" },
		"a.hs clauses":      func(n int) string { return strings.Repeat("f x = x\n", n/8) },
		"a.hs nested":       func(n int) string { return "f = " + strings.Repeat("(", n) },
		"a.hs where":        func(n int) string { return strings.Repeat("f = x where\n ", n/13) },
		"a.hs layout": func(n int) string {
			var b strings.Builder
			for i := 0; b.Len() < n; i++ {
				b.WriteString(strings.Repeat(" ", i) + "let x = do\n")
			}
			return b.String()
		},
		"a.hs data":                func(n int) string { return "data A = B { " + strings.Repeat("a, ", n/3) + "b :: Int }" },
		"a.hs exports":             func(n int) string { return "module A (" + strings.Repeat("a, ", n/3) + ") where\n" },
		"a.ml nested":              func(n int) string { return strings.Repeat("module A = struct ", n/18) },
		"a.ml functors":            func(n int) string { return "module A = " + strings.Repeat("F(struct include ", n/17) },
		"a.ml comments":            func(n int) string { return strings.Repeat("(*", n/2) },
		"a.ml and":                 func(n int) string { return "let a = 1\n" + strings.Repeat("and a = 1\n", n/10) },
		"a.ml objects":             func(n int) string { return strings.Repeat("class a = object method b = ", n/28) },
		"a.mli values":             func(n int) string { return strings.Repeat("val a : b\n(** c *)\n", n/20) },
		"a.dart nested":            func(n int) string { return strings.Repeat("class A { void f() { ", n/21) },
		"a.dart nested lists":      func(n int) string { return strings.Repeat("[", n) },
		"a.dart nested types":      func(n int) string { return "import 'a.dart';\n" + strings.Repeat("class A {", n/9) },
		"a.dart nested conditions": func(n int) string { return "a = " + strings.Repeat("a ? b : ", n/8) },
		"a.dart fields":            func(n int) string { return "class A { int " + strings.Repeat("a, ", n/3) + "b; }" },
		"a.dart arguments":         func(n int) string { return strings.Repeat("f<a,", n/4) },
		"a.dart strings":           func(n int) string { return strings.Repeat("'${", n/3) },
		"a.dart metadata":          func(n int) string { return strings.Repeat("@a\n", n/3) + "int b;" },
	} {
		path, _, _ := strings.Cut(name, " ")
		src := []byte(make(150_000))
		var facts *code.Facts
		took := effort(func() { facts = e.Extract(path, languageOf(path), src) })
		checkFacts(t, src, facts)
		if strings.HasPrefix(name, "a.dart nested") && facts.Problem != code.ProblemParseLimit {
			t.Errorf("%s: problem %q: the nesting was not counted", name, facts.Problem)
		}
		if took > 15*time.Second { // what the clock limit allows, on a busy machine
			t.Errorf("%s: %v for %d bytes", name, took, len(src))
		}
		t.Logf("%s: %v, %d symbols %s", name, took.Round(time.Millisecond), len(facts.Symbols), facts.Problem)
	}
	if facts := e.Extract("a.fish", "shell", []byte("function a; end")); len(facts.Symbols) > 0 || facts.Problem != code.ProblemNone {
		t.Errorf("fish is read as shell: %+v", facts)
	}
}

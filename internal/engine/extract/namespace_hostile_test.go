package extract

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"ken/internal/code"
)

// TestHostileNamespaced reads C# and PHP made to be slow, at two sizes: four times the
// source may take eight times as long and no more (what is quadratic takes sixteen).
// Times under 600 ms are not compared, because noise decides them.
func TestHostileNamespaced(t *testing.T) {
	many := func(n int, format string) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, format, i)
		}
		return b.String()
	}
	again := strings.Repeat
	cases := []struct {
		lang code.Lang
		src  func(n int) string
	}{
		{"csharp", func(n int) string { return "class A { A a; void F() { a" + again(".a", n*4) + ".b(); } }" }},
		{"csharp", func(n int) string { return "class A { void F() { System" + again(".A", n*4) + ".b(); } }" }},
		{"csharp", func(n int) string { return "class A { void F() { a" + again("?.a", n*2) + "?.b(); } }" }},
		{"csharp", func(n int) string { return "class A { X" + again(".A", n*4) + " f; }" }},
		{"csharp", func(n int) string { return "class A { int a" + again(",a", n*8) + "; }" }},
		{"csharp", func(n int) string { return "class A { object a = " + again("new A { a = ", n) }},
		{"csharp", func(n int) string { return many(n, "using A.B%d;") + again("class A { void F() { g(); } }", n) }},
		{"csharp", func(n int) string { return again("[A] ", n*2) + "class A { void F() {} }" }},
		{"csharp", func(n int) string { return again("[A(\n#if X\n", n) + "class A { void F() {} }" }},
		{"csharp", func(n int) string { return "class A { F a = " + again("a => ", n*2) + "1; }" }},
		{"csharp", func(n int) string { return again("class A { void F( ", n) }},
		{"csharp", func(n int) string { return "class A { void F() { " + again("public void G() {} ", n) }},
		{"csharp", func(n int) string { return again("#if A\nclass A {\n#else\n", n) }},
		{"csharp", func(n int) string { return again("#if A\n)\n#endif\n", n) }},
		{"csharp", func(n int) string { return again("namespace A {", n) + "class B {}" }},
		{"csharp", func(n int) string { return "class A { string s = " + again("$\"{", n) }},
		{"csharp", func(n int) string { return again("/// <x>\n", n*4) + "class A {}" }},
		{"csharp", func(n int) string { return "class A" + again("<A", n*2) + " {}" }},
		{"csharp", func(n int) string { return again(`#"`, n*4) }},
		{"csharp", func(n int) string { return again(`$" `, n*4) }},
		{"php", func(n int) string { return "<?php $a" + again("->a", n*4) + "->b();" }},
		{"php", func(n int) string { return "<?php $a" + again("->a()", n*2) + ";" }},
		{"php", func(n int) string { return "<?php A" + again("::a()", n*2) + ";" }},
		{"php", func(n int) string { return "<?php use A" + again(`\A`, n*8) + ";" }},
		{"php", func(n int) string { return "<?php use A\\{" + many(n*2, "B%d,") + "};" }},
		{"php", func(n int) string { return "<?php class A { public $a" + again(", $a", n*4) + "; }" }},
		{"php", func(n int) string { return "<?php $a = " + again("new class { public $a = ", n) }},
		{"php", func(n int) string { return "<?php " + again("function f() { ", n) }},
		{"php", func(n int) string { return "<?php " + again("class A { function f(", n) }},
		{"php", func(n int) string {
			return "<?php class A { function f() { " + again("public function g() {} ", n)
		}},
		{"php", func(n int) string { return "<?php /**\n" + again(" * @param A $a\n", n*4) + "*/ function f() {}" }},
		{"php", func(n int) string { return "<?php " + again("/** @var A $a */ ", n*2) + "$a = 1;" }},
		{"php", func(n int) string { return "<?php " + again("#[A] ", n*2) + "class A {}" }},
		{"php", func(n int) string { return "<?php require " + again("dirname(", n) + "__DIR__" + again(")", n) + ";" }},
		{"php", func(n int) string { return "<?php require 'a'" + again(" . 'a'", n*2) + ";" }},
		{"php", func(n int) string { return again("<?php if ($a) { ?> x ", n) }},
		{"php", func(n int) string { return "<?php " + again("if (a) { ", n) + "function f() {}" }},
		{"php", func(n int) string { return "<?php $a = \"" + again("{$a} ", n*2) + "\";" }},
		{"php", func(n int) string { return "<?php " + again("$a = fn($b) => ", n*2) + "1;" }},
		{"php", func(n int) string { return "<?php $a = " + again("<<<A\n", n) }},
	}
	e := testExtractor(t)
	for _, c := range cases {
		took := func(n int) time.Duration {
			src := []byte(c.src(n))
			var facts *code.Facts
			d := effort(func() { facts = e.Extract("a", c.lang, src) })
			checkFacts(t, src, facts)
			return d
		}
		small, large := took(2000), took(8000)
		if large > 600*time.Millisecond && large > 8*small {
			t.Errorf("%s %.60s… took %v, four times as much %v", c.lang, c.src(2000), small, large)
		}
	}
}

package extract

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"ken/internal/code"
)

// TestHostileTrees reads sources made to be slow: long chains, deep nesting and long
// lists. Each takes well under a second; an algorithm that is quadratic in one of them
// takes a minute.
func TestHostileTrees(t *testing.T) {
	many := func(n int, format string) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, format, i)
		}
		return b.String()
	}
	cases := []struct {
		lang code.Lang
		src  string
	}{
		{"rust", "fn f(a: A) { a" + strings.Repeat(".a", 60000) + "; }"},
		{"rust", "fn f() { a" + strings.Repeat("::a", 60000) + "(); }"},
		{"rust", "fn f() { A" + strings.Repeat("::A", 60000) + "(); }"},
		{"rust", "use " + strings.Repeat("a::{", 20000)},
		{"rust", "use a::{" + many(20000, "b%d::c,") + "};"},
		{"rust", "fn f() {" + strings.Repeat("|x|", 50000) + "}"},
		{"rust", "m!(" + strings.Repeat("self.a.b(", 30000) + ");"},
		{"rust", strings.Repeat("mod a {", 5000) + "use super::super::x; mod y;" + strings.Repeat("}", 5000)},
		{"rust", strings.Repeat("/// x\n#[a]\n", 20000) + "fn f() {}"},
		{"java", "class A { A a; void f() { a" + strings.Repeat(".a", 60000) + ".b(); } }"},
		{"java", "class A { void f() { q" + strings.Repeat(".a", 60000) + ".b(); } }"},
		{"java", "class A { int a" + strings.Repeat(",a", 100000) + "; }"},
		{"java", "class A { Object a = " + strings.Repeat("new A() { Object a = ", 3000)},
		{"java", many(10000, "import static a.B.c%d;") + "class A extends B { void f() {" + strings.Repeat("g();", 30000) + "} }"},
		{"java", strings.Repeat("@A ", 50000) + "class A { void f() {} }"},
		{"java", "class A { F a = " + strings.Repeat("a -> ", 30000) + "1; }"},
		{"java", "class A { A() { " + strings.Repeat("void f() {} ", 20000)},
		{"java", "class A {} " + many(20000, "void f%d() { int a; } ")},
		{"kotlin", "fun f(a: A) { a" + strings.Repeat(".a", 60000) + "() }"},
		{"kotlin", "fun f() { a" + strings.Repeat("?.a { it }", 20000) + " }"},
		{"kotlin", "class A { val a = " + strings.Repeat("object : A { val a = ", 3000)},
		{"kotlin", many(10000, "import a.B.c%d\n") + "class A : B() { fun f() {" + strings.Repeat("g();", 30000) + "} }"},
		{"kotlin", strings.Repeat("@A ", 50000) + "class A { fun f() {} }"},
		{"kotlin", "fun f() = " + strings.Repeat("{ a -> ", 20000)},
		{"kotlin", strings.Repeat("class A(val a: B = ", 5000)},
		{"kotlin", strings.Repeat("if (a) \"${", 20000)},
		{"kotlin", strings.Repeat("/* ", 50000)},
		{"kotlin", strings.Repeat("open(); @A @B set(x) = f<T>(a)\n", 10000)},
		{"kotlin", strings.Repeat("$$$$", 50000) + "\"a\""},
		{"kotlin", strings.Repeat("fun f() { ) }\n", 10000)},
		{"kotlin", strings.Repeat("fun f(a: Int = { ", 5000)},
		{"kotlin", "fun f() { a" + strings.Repeat(" < A > (b)", 10000) + "}"},
		{"scala", "class A(a: A) { def f() = a" + strings.Repeat(".a", 60000) + "() }"},
		{"scala", "object A { val a = " + strings.Repeat("new A { val a = ", 3000)},
		{"scala", many(10000, "import a.B.c%d\n") + "class A extends B { def f() = {" + strings.Repeat("g();", 30000) + "} }"},
		{"scala", "object A { val a = " + strings.Repeat("a |+| ", 20000) + "a }"},
		{"scala", "object A { def f = " + strings.Repeat("{ x => ", 5000)},
		{"scala", strings.Repeat("class A(val a: B = ", 5000)},
		{"scala", strings.Repeat("/* ", 50000)},
		{"scala", strings.Repeat("@A ", 20000) + "class A"},
		{"scala", strings.Repeat("package a\n", 10000) + "import b.c"},
		{"scala", strings.Repeat("package a { import b.c\n", 2000)},
		{"scala", strings.Repeat("import a.b.c, c.a\n", 5000)},
		{"swift", strings.Repeat("#if A\n{\n#else\n", 5000) + strings.Repeat("#endif\n", 5000)},
		{"swift", strings.Repeat("throws( nonisolated(", 5000)},
		{"swift", strings.Repeat("func f() { await sending (()) \n", 4000)},
	}
	e := testExtractor(t)
	for _, c := range cases {
		var facts *code.Facts
		if d := effort(func() { facts = e.Extract("a", c.lang, []byte(c.src)) }); d > 20*time.Second {
			t.Errorf("%s %.40s… took %v", c.lang, c.src, d)
		}
		checkFacts(t, []byte(c.src), facts)
	}
}

package extract

import (
	"fmt"
	"strings"
	"testing"
)

// pyHostile are programs in which every call could be of very many functions.
var pyHostile = map[string]func(n int) string{
	"calls":  func(n int) string { return "def f(): pass\nf" + strings.Repeat("()", n) + "\n" },
	"params": func(n int) string { return "def a(f): f()\n" + strings.Repeat("def g(x): x()\na(g)\ng(a)\n", n) },
	"same":   func(n int) string { return "def a(f): f()\n" + strings.Repeat("a(a)\nf = a\nf()\n", n) },
	"lists":  func(n int) string { return "x = [" + strings.Repeat("f,", n) + "]\n" + strings.Repeat("x[j]()\n", n) },
	"attrs": func(n int) string {
		return "class A:\n def m(self):\n" + strings.Repeat("  self.x = y\n  self.x()\n", n)
	},
	"sets": func(n int) string { return "class A: pass\na = A()\n" + strings.Repeat("a.x = y\na.x()\n", n) },
	"decor": func(n int) string {
		return "def d(f):\n return f\n" + strings.Repeat("@d\ndef g(): pass\ng()()\nd(g)()\n", n)
	},
	"tuples": func(n int) string { return strings.Repeat("a, b = (1, (2, (3, x.y().z)), [a, b])\n", n) },
	"chain": func(n int) string {
		s := "a0 = 1\n"
		for i := 1; i < n; i++ {
			s += fmt.Sprintf("a%d = a%d\na%d()\n", i, i-1, i)
		}
		return s
	},
}

// TestPythonFlowIsLinear checks that twice the program takes about twice the memory and
// makes at most about twice the references.
func TestPythonFlowIsLinear(t *testing.T) {
	e := testExtractor(t)
	for name, program := range pyHostile {
		measure := func(n int) (allocs float64, refs int) {
			src := []byte(program(n))
			allocs = testing.AllocsPerRun(1, func() { refs = len(e.Extract("a.py", "python", src).Refs) })
			return allocs, refs
		}
		a1, r1 := measure(400)
		a2, r2 := measure(800)
		if a2 > 2.6*a1+1000 || r2 > 3*r1+100 {
			t.Errorf("%s: %.0f allocations and %d references, then %.0f and %d", name, a1, r1, a2, r2)
		}
	}
}

package targets

import (
	"bytes"
	"testing"

	"ken/internal/code"
)

// TestForms compares the forms of two calls of f, each in a line of its own.
func TestForms(t *testing.T) {
	for _, c := range []struct {
		one, other string
		alike      bool
	}{
		{"f(1)", "f(x)", true},
		{"a.f(1, 2)", "b.c.f(x, g(y, z))", true},
		{"f(\"a, b\")", "f(x)", true},
		{"f('a, b')", "f(x)", true},
		{"f(&'a x)", "f(&'b y)", true},
		{"f(\n  1,\n  2,\n)", "f(x, y)", true},
		{"f<T>(x)", "f(x)", true},
		{"f(1)", "f(1, 2)", false},
		{"f()", "f(1)", false},
		{"f(1)", "x = f(1)", false},
		{"f(1)", "return f(1)", false},
		{"f(1)", "f(1).g()", false},
		{"f(1)", "f(*a)", false},
		{"f(a...)", "f(a)", false},
		{"f(...a)", "f(a)", false},
		{"f(1, err=True)", "f(1, 2)", false},
		{"f(1, err=True)", "f(2, err=False)", true},
		{"f(a == b)", "f(x)", true},
		{"f(1)", "g(f)", false},
	} {
		form := func(text string) string {
			at := uint32(bytes.IndexByte([]byte(text), 'f'))
			return (&use{line: 1, start: at, end: at + 1, kind: code.RefCall}).form([]byte(text))
		}
		if got := form(c.one) == form(c.other); got != c.alike {
			t.Errorf("%q and %q: alike %v, want %v (%q, %q)", c.one, c.other, got, c.alike, form(c.one), form(c.other))
		}
	}
}

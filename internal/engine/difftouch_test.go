package engine

import (
	"slices"
	"strings"
	"testing"

	"ken/internal/code"
)

func TestTouched(t *testing.T) {
	const text = `package p

// T is a type.
type T struct {
	a int
	b int
}

type U struct {

	// c counts.
	c int

	d int
}

// f does it.
func f() {
	g(
		1,
	)
}
func g(int) {}
`
	sym := func(name string, line, end uint32, parent int32) code.Symbol {
		return code.Symbol{Qualified: name, Span: code.Span{Line: line, EndLine: end, Start: line * 10, End: end*10 + 9}, Parent: parent}
	}
	syms := []code.Symbol{sym("T", 4, 7, -1), sym("T.a", 5, 5, 0), sym("T.b", 6, 6, 0), sym("U", 9, 15, -1), sym("U.c", 12, 12, 3), sym("U.d", 14, 14, 3),
		sym("f", 18, 22, -1), sym("g", 23, 23, -1)}
	for _, c := range []struct {
		name  string
		lines []LineRange
		want  string
	}{
		{"nothing", nil, ""},
		{"the package clause", []LineRange{{1, 1}}, ""},
		{"a doc comment", []LineRange{{3, 3}}, "T"},
		{"a field", []LineRange{{5, 5}}, "T.a"},
		{"both fields", []LineRange{{5, 6}}, "T.a T.b"},
		{"the head and a field", []LineRange{{4, 5}}, "T T.a"},
		{"fields with an empty line between", []LineRange{{12, 14}}, "U.c U.d"},
		{"a field's comment", []LineRange{{11, 11}}, "U.c"},
		{"an empty line", []LineRange{{13, 13}}, ""},
		{"two functions", []LineRange{{21, 23}}, "f g"},
		{"deleted inside a function", []LineRange{{20, 19}}, "f"},
		{"deleted between functions", []LineRange{{23, 22}}, ""},
		{"deleted between fields", []LineRange{{6, 5}}, "T"},
		{"everything", []LineRange{{1, 24}}, "T T.a T.b U U.c U.d f g"},
	} {
		var got []string
		for _, i := range touched(syms, c.lines, textLines([]byte(text))) {
			got = append(got, syms[i].Qualified)
		}
		slices.Sort(got)
		if g := strings.Join(got, " "); g != c.want {
			t.Errorf("%s: %q, want %q", c.name, g, c.want)
		}
	}
}

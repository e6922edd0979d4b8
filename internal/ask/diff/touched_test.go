package diff

import (
	"slices"
	"strings"
	"testing"

	"ken/internal/code"
	"ken/internal/engine/source"
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
		lines []source.LineRange
		want  string
	}{
		{"nothing", nil, ""},
		{"the package clause", []source.LineRange{{Start: 1, End: 1}}, ""},
		{"a doc comment", []source.LineRange{{Start: 3, End: 3}}, "T"},
		{"a field", []source.LineRange{{Start: 5, End: 5}}, "T.a"},
		{"both fields", []source.LineRange{{Start: 5, End: 6}}, "T.a T.b"},
		{"the head and a field", []source.LineRange{{Start: 4, End: 5}}, "T T.a"},
		{"fields with an empty line between", []source.LineRange{{Start: 12, End: 14}}, "U.c U.d"},
		{"a field's comment", []source.LineRange{{Start: 11, End: 11}}, "U.c"},
		{"an empty line", []source.LineRange{{Start: 13, End: 13}}, ""},
		{"two functions", []source.LineRange{{Start: 21, End: 23}}, "f g"},
		{"deleted inside a function", []source.LineRange{{Start: 20, End: 19}}, "f"},
		{"deleted between functions", []source.LineRange{{Start: 23, End: 22}}, ""},
		{"deleted between fields", []source.LineRange{{Start: 6, End: 5}}, "T"},
		{"everything", []source.LineRange{{Start: 1, End: 24}}, "T T.a T.b U U.c U.d f g"},
	} {
		var got []string
		for _, i := range touchedSymbols(syms, c.lines, textLines([]byte(text))) {
			got = append(got, syms[i].Qualified)
		}
		slices.Sort(got)
		if g := strings.Join(got, " "); g != c.want {
			t.Errorf("%s: %q, want %q", c.name, g, c.want)
		}
	}
}

package embed

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"ken/internal/code"
	"ken/internal/engine/store"
)

// decl returns a function on some lines.
func decl(name string, from, to uint32) store.SymbolRow {
	return store.SymbolRow{Symbol: code.Symbol{Name: name, Qualified: name, Kind: code.KindFunction, Span: code.Span{Line: from, EndLine: to}}}
}

// lined returns a text of n lines of which some are blank.
func lined(n int, blank ...int) []byte {
	var b bytes.Buffer
	for i := 1; i <= n; i++ {
		if len(blank) > 0 && blank[0] == i {
			blank = blank[1:]
		} else {
			fmt.Fprintf(&b, "line %d", i)
		}
		b.WriteByte('\n')
	}
	return b.Bytes()
}

func TestCutPassages(t *testing.T) {
	for name, c := range map[string]struct {
		text  []byte
		decls []store.SymbolRow
		want  string
	}{
		"nothing":            {nil, nil, ""},
		"blank":              {[]byte("\n\n{\n}\n"), nil, ""},
		"no end of line":     {[]byte("a\nb"), nil, "1-2 p"},
		"short":              {lined(12), []store.SymbolRow{decl("A", 1, 5), decl("B", 6, 12)}, "1-12 p A"},
		"two":                {lined(30, 15), []store.SymbolRow{decl("A", 1, 14), decl("B", 16, 30)}, "1-15 p A|16-30 p B"},
		"comments go along":  {lined(40, 15), []store.SymbolRow{decl("A", 1, 14), decl("B", 20, 30)}, "1-15 p A|16-40 p B"},
		"no code goes along": {lined(40), []store.SymbolRow{decl("A", 1, 17), decl("B", 20, 30)}, "1-17 p A|18-40 p B"},
		"head of the file":   {lined(40, 11), []store.SymbolRow{decl("A", 12, 40)}, "1-11 p|12-40 p A"},
		"long":               {lined(150), []store.SymbolRow{decl("A", 1, 150)}, "1-50 p A|51-100 p A|101-150 p A"},
		"nested":             {lined(60, 20, 40), []store.SymbolRow{decl("C.m", 21, 39), decl("C", 1, 60), decl("C.n", 41, 59)}, "1-20 p C|21-40 p C.m|41-60 p C.n"},
		"beyond the end":     {lined(3), []store.SymbolRow{decl("A", 9, 12), decl("B", 0, 0)}, "1-3 p"},
	} {
		t.Run(name, func(t *testing.T) {
			var got []string
			for _, p := range cutPassages("p", c.text, c.decls) {
				head, _, _ := strings.Cut(p.text, "\n")
				got = append(got, fmt.Sprintf("%d-%d %s", p.Line, p.EndLine, head))
			}
			if diff := cmp.Diff(c.want, strings.Join(got, "|")); diff != "" {
				t.Error(diff)
			}
		})
	}
	long := cutPassages("p", []byte(strings.Repeat("é", 10_000)), nil)
	if len(long) != 1 || len(long[0].text) > maxPassageBytes+2 || !utf8.ValidString(long[0].text) || strings.Contains(long[0].text, "\ufffd") {
		t.Errorf("a long line: %d passages", len(long))
	}
}

// TestCutPassagesLinear puts many declarations below one long line.
func TestCutPassagesLinear(t *testing.T) {
	text := append(bytes.Repeat([]byte(" "), 400_000), "\nx\n"...)
	decls := make([]store.SymbolRow, 100_000)
	for i := range decls {
		decls[i] = decl("A", 2, 2)
	}
	start := time.Now()
	cutPassages("p", text, decls)
	if d := time.Since(start); d > 10*time.Second { // 0.05 s; the square of it would be minutes
		t.Errorf("took %v", d)
	}
}

// FuzzPassages checks that passages go on, hold every line that says something,
// and are text of a bounded length.
func FuzzPassages(f *testing.F) {
	f.Add([]byte("package a\n\nfunc A() {\n}\n"), uint32(3), uint32(4))
	f.Add([]byte("\xff\x00\n\n"), uint32(1), uint32(1<<31))
	f.Add(lined(200), uint32(70), uint32(90))
	f.Fuzz(func(t *testing.T, text []byte, a, b uint32) {
		last := 0
		covered := map[int]bool{}
		for _, p := range cutPassages("path", text, []store.SymbolRow{decl("A", a, b), decl("B", b, a), decl("C", a+20, a+30)}) {
			if p.Line <= last || p.EndLine < p.Line || p.EndLine-p.Line >= maxPassage {
				t.Fatalf("lines %d to %d after %d", p.Line, p.EndLine, last)
			}
			last = p.EndLine
			for l := p.Line; l <= p.EndLine; l++ {
				covered[l] = true
			}
			if !utf8.ValidString(p.text) || len(p.text) > 3*maxPassageBytes+20 || p.Hash != store.HashPassage(p.text) {
				t.Fatalf("text of %d bytes", len(p.text))
			}
		}
		for i, line := range bytes.SplitAfter(text, []byte("\n")) {
			if bytes.ContainsAny(line, "abcdefghij") && !covered[i+1] && len(text) < maxPassageBytes {
				t.Fatalf("line %d is in no passage", i+1)
			}
		}
	})
}

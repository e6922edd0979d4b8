package count

import (
	"go/ast"
	"go/token"
	"strings"
	"unicode/utf8"
)

// MaxColumns is the width a line of code or comment may have.
const MaxColumns = 140

// tabColumns is how wide a tab counts, as most editors show Go.
const tabColumns = 1

// WideLines returns the lines over MaxColumns, but for those of tables (inside
// the braces of a composite literal of several lines, functions in it apart)
// and those that would fit if their string literals were empty.
func (f *File) WideLines() []Finding {
	var out []Finding
	var excused map[int]bool
	for i, l := range strings.Split(f.Text, "\n") {
		if lineWidth(l) <= MaxColumns {
			continue
		}
		if excused == nil {
			excused = f.tableLines()
			f.addShortLines(excused)
		}
		if !excused[i+1] {
			out = append(out, Finding{File: f, Line: i + 1, What: "columns", N: lineWidth(l)})
		}
	}
	return out
}

// AllWideLines returns the number of lines over a width, whatever they hold.
func (f *File) AllWideLines(columns int) int {
	n := 0
	for l := range strings.SplitSeq(f.Text, "\n") {
		if lineWidth(l) > columns {
			n++
		}
	}
	return n
}

func lineWidth(l string) int {
	return utf8.RuneCountInString(l) + (tabColumns-1)*strings.Count(l, "\t")
}

// tableLines returns the lines inside composite literals of several lines.
func (f *File) tableLines() map[int]bool {
	lines := map[int]bool{}
	ast.Inspect(f.AST, func(x ast.Node) bool {
		switch x := x.(type) {
		case *ast.CompositeLit:
			for l, last := f.Line(x.Lbrace)+1, f.Line(x.Rbrace); l < last; l++ {
				lines[l] = true
			}
		case *ast.FuncLit:
			for l, last := f.Line(x.Body.Lbrace)+1, f.Line(x.Body.Rbrace); l < last; l++ {
				delete(lines, l)
			}
		}
		return true
	})
	return lines
}

// addShortLines adds the lines that fit without the text of their string literals.
func (f *File) addShortLines(lines map[int]bool) {
	saved := map[int]int{}
	ast.Inspect(f.AST, func(x ast.Node) bool {
		lit, ok := x.(*ast.BasicLit)
		if !ok || lit.Kind != token.STRING {
			return true
		}
		first, last := f.Line(lit.Pos()), f.Line(lit.End())
		if first == last {
			saved[first] += utf8.RuneCountInString(lit.Value) - 2
			return true
		}
		for l := first; l <= last; l++ { // a raw string over several lines
			lines[l] = true
		}
		return true
	})
	all := strings.Split(f.Text, "\n")
	for l, n := range saved {
		if lineWidth(all[l-1])-n <= MaxColumns {
			lines[l] = true
		}
	}
}

package main

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"ken/bench/style/count"
)

// program is the package that the longest chain of imports begins at.
const program = "cmd/ken"

// importChainRow counts the packages of the module on the longest import path from
// the program, both ends included.
func (c *typedModule) importChainRow() tableRow {
	longest := map[*types.Package][]string{}
	var chain func(p *types.Package) []string
	chain = func(p *types.Package) []string {
		if done, ok := longest[p]; ok {
			return done
		}
		var below []string
		for _, imp := range p.Imports() {
			if !strings.HasPrefix(imp.Path(), count.Module+"/") {
				continue
			}
			if next := chain(imp); len(next) > len(below) {
				below = next
			}
		}
		longest[p] = append([]string{packageFolder(p.Path())}, below...)
		return longest[p]
	}
	r := tableRow{what: "packages on the longest import path from `" + program + "`", bound: fmt.Sprintf("≤ %d", maxChain)}
	if p := c.packages[program]; p != nil {
		r.places = chain(p.types)
	}
	r.value, r.missed = fmt.Sprint(len(r.places)), len(r.places) > maxChain
	return r
}

// singleUseRow counts the unexported functions and methods with exactly one use
// in the source, which a reader has to jump to instead of reading on. A method
// that an interface calls has uses that no name shows; it is not counted unless
// its name is used once.
func (c *typedModule) singleUseRow(tree *count.Tree) tableRow {
	uses := map[types.Object]int{}
	for _, p := range c.packages {
		for _, obj := range p.info.Uses {
			if f, ok := obj.(*types.Func); ok {
				uses[f.Origin()]++
			}
		}
	}
	all := 0
	var once []count.Finding
	for _, folder := range c.order {
		p := c.packages[folder]
		for _, f := range p.files {
			for _, d := range f.AST.Decls {
				fn, ok := d.(*ast.FuncDecl)
				if !ok {
					continue
				}
				all++
				if !fn.Name.IsExported() && uses[p.info.Defs[fn.Name]] == 1 {
					once = append(once, count.Finding{File: f, Line: f.Line(fn.Pos()), What: fn.Name.Name, N: lineCount(tree.Fset, fn)})
				}
			}
		}
	}
	percent := 100 * float64(len(once)) / float64(max(1, all))
	r := tableRow{what: "unexported functions with exactly one use, of all functions", bound: fmt.Sprintf("≤ %d %%", maxSingle), missed: percent > maxSingle,
		value: fmt.Sprintf("%.1f %% (%d of %d)", percent, len(once), all)}
	slices.SortStableFunc(once, func(a, b count.Finding) int { return a.N - b.N })
	for _, f := range once {
		r.places = append(r.places, fmt.Sprintf("%7d lines %s:%d %s", f.N, f.File.Path, f.Line, f.What))
	}
	return r
}

func lineCount(fset *token.FileSet, n ast.Node) int {
	return fset.Position(n.End()).Line - fset.Position(n.Pos()).Line + 1
}

package extract

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"sort"
	"testing"

	"ken/internal/code"
)

// TestGoDeclarations compares declarations with an independent walk over go/ast: every
// name declared outside of function bodies, by kind, span and position of the name.
func TestGoDeclarations(t *testing.T) {
	paths, sources := corpus(t, ".go")
	e := testExtractor(t)
	total, files := 0, 0
	for i, src := range sources {
		fset := token.NewFileSet()
		f, err := parser.ParseFile(fset, "", src, 0)
		if err != nil {
			t.Logf("%s: %v", paths[i], err)
			continue
		}
		files++
		var want []string
		base := fset.File(f.FileStart).Base()
		goDeclared(f, func(kind code.Kind, n ast.Node, id *ast.Ident) {
			if id.Name != "_" {
				want = append(want, fmt.Sprint(kind, id.Name, int(n.Pos())-base, int(n.End())-base, int(id.Pos())-base))
			}
		})
		var got []string
		facts := e.Extract(paths[i], "go", src)
		checkFacts(t, src, facts)
		for _, s := range facts.Symbols {
			got = append(got, fmt.Sprint(s.Kind, s.Name, s.Span.Start, s.Span.End, s.NameStart))
		}
		sort.Strings(want)
		sort.Strings(got)
		if fmt.Sprint(want) != fmt.Sprint(got) {
			t.Errorf("%s:\nwant %v\ngot  %v", paths[i], want, got)
		}
		total += len(got)
	}
	t.Logf("%d declarations of %d files", total, files)
}

func goDeclared(f *ast.File, add func(code.Kind, ast.Node, *ast.Ident)) {
	var lone *ast.GenDecl
	spec := func(s ast.Node, names int) ast.Node {
		if lone != nil && names == 1 {
			return lone
		}
		return s
	}
	tok := token.VAR
	ast.Inspect(f, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.BlockStmt:
			return false
		case *ast.FuncDecl:
			kind := code.KindFunction
			if n.Recv != nil {
				kind = code.KindMethod
			}
			add(kind, n, n.Name)
		case *ast.GenDecl:
			if tok, lone = n.Tok, n; n.Lparen.IsValid() {
				lone = nil
			}
		case *ast.TypeSpec:
			kind := code.KindType
			switch n.Type.(type) {
			case *ast.StructType:
				kind = code.KindStruct
			case *ast.InterfaceType:
				kind = code.KindInterface
			}
			add(kind, spec(n, 1), n.Name)
		case *ast.ValueSpec:
			for _, id := range n.Names {
				kind := code.KindVariable
				if tok == token.CONST {
					kind = code.KindConstant
				}
				add(kind, spec(n, len(n.Names)), id)
			}
		case *ast.StructType:
			for _, fld := range n.Fields.List {
				for _, id := range fld.Names {
					add(code.KindField, fld, id)
				}
				if len(fld.Names) == 0 {
					add(code.KindField, fld, lastIdent(fld.Type))
				}
			}
		case *ast.InterfaceType:
			for _, m := range n.Methods.List {
				for _, id := range m.Names {
					add(code.KindMethod, m, id)
				}
			}
		}
		return true
	})
}

func lastIdent(e ast.Expr) (last *ast.Ident) {
	switch e := e.(type) {
	case *ast.Ident:
		return e
	case *ast.StarExpr:
		return lastIdent(e.X)
	case *ast.SelectorExpr:
		return e.Sel
	case *ast.IndexExpr:
		return lastIdent(e.X)
	case *ast.IndexListExpr:
		return lastIdent(e.X)
	case *ast.ParenExpr:
		return lastIdent(e.X)
	}
	return nil
}

package extract

import (
	"go/ast"
	"go/parser"
	"go/token"
	"testing"

	"ken/internal/code"
)

// goAnswer returns an independent walk over go/ast: every name declared outside of function
// bodies, by kind, span and position of the name.
func goAnswer(_ *testing.T, files []oracleFile, _ []byte) map[string]*oracleAnswer {
	answers := answersFor(files)
	for _, src := range files {
		fset, a := token.NewFileSet(), answers[src.path]
		f, err := parser.ParseFile(fset, "", src.src, 0)
		if err != nil {
			a.refused = err.Error()
			continue
		}
		base := fset.File(f.FileStart).Base()
		goDeclared(f, func(kind code.Kind, n ast.Node, id *ast.Ident) {
			if id.Name != "_" {
				a.decls = append(a.decls, decl{Path: src.path, Kind: kind.String(), Name: id.Name,
					Start: uint32(int(n.Pos()) - base), End: uint32(int(n.End()) - base), NameStart: uint32(int(id.Pos()) - base)})
			}
		})
	}
	return answers
}

func goNormal(f *oracleFile, facts *code.Facts) (decls []decl) {
	for _, s := range facts.Symbols {
		decls = append(decls, decl{Path: f.path, Kind: s.Kind.String(), Name: s.Name, Start: s.Span.Start, End: s.Span.End, NameStart: s.NameStart})
	}
	return decls
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

package extract

import (
	"go/ast"
	"strings"

	"ken/internal/code"
)

// goUnresolved is the type of a value whose declaration is in another file. It holds
// the path to that value, an expression in the form of Ref.Recv without its mark. It
// is an ast.Expr so that it can be used like the types of this file.
type goUnresolved struct {
	ast.BadExpr
	path string
}

const (
	goMark = code.RecvExpr
	// maxRecvExpr is the length in bytes of the longest path that a reference
	// carries. Longer paths are rare, and each reference would repeat them.
	maxRecvExpr = 120
)

func (x *golang) pathExpr(path string) ast.Expr {
	if len(path) > maxRecvExpr {
		return nil
	}
	return &goUnresolved{path: path}
}

// isUnresolved reports whether the elements and members of type t are declared in other files only.
func (x *golang) isUnresolved(t ast.Expr) bool {
	switch t := bareType(t).(type) {
	case *goUnresolved:
		return true
	case *ast.Ident:
		return x.names.lookup(t.Name) == nil
	case *ast.SelectorExpr:
		return true
	}
	return false
}

// unresolvedStep returns the type of the value to which a step (".name", "()", "[]")
// leads from a value of type t, which other files declare.
func (x *golang) unresolvedStep(t ast.Expr, step string) ast.Expr {
	arguments := ""
	if p, ok := t.(*ast.StarExpr); ok {
		t = p.X
	}
	if len(typeArguments(t)) > 0 {
		arguments = "{?}" // its result may be one of them
	}
	switch t := bareType(t).(type) {
	case *goUnresolved:
		return x.pathExpr(t.path + step)
	case *ast.Ident, *ast.SelectorExpr:
		if name, _ := x.typeName(t); name != "" && !strings.HasPrefix(name, goMark) {
			return x.pathExpr(name + arguments + step)
		}
	}
	return nil
}

package extract

import (
	"go/ast"
	"strings"

	"ken/internal/code"
)

// goUnresolved is the type of something that another file declares: the path to it is
// an expression as Ref.Recv documents it, without its mark. It is an ast.Expr so that
// the walk can use it like the types of this file.
type goUnresolved struct {
	ast.BadExpr
	path string
}

const (
	goMark = code.RecvExpr
	// maxRecvExpr is the longest path that a reference carries, in bytes. Longer ones
	// are rare, and each reference would repeat them.
	maxRecvExpr = 120
)

func (x *golang) pathExpr(path string) ast.Expr {
	if len(path) > maxRecvExpr {
		return nil
	}
	return &goUnresolved{path: path}
}

// isUnresolved reports whether only other files show the elements and members of t.
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

// unresolvedStep returns the type of the value that a step (".name", "()", "[]") leads to
// from a value of type t.
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

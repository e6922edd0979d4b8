package extract

import (
	"go/ast"
	"strings"

	"ken/internal/code"
)

// goPath stands for the type of what other files declare: an expression as
// Ref.Recv documents it, without its mark. It is a type to the walk.
type goPath struct {
	ast.BadExpr
	text string
}

const (
	goMark = code.RecvExpr
	// maxPath is the longest expression that is passed on, in bytes: longer ones
	// are rare, and each reference repeats them.
	maxPath = 120
)

func (x *golang) path(text string) ast.Expr {
	if len(text) > maxPath {
		return nil
	}
	return &goPath{text: text}
}

// isFar reports whether it takes other files to tell what t is made of.
func (x *golang) isFar(t ast.Expr) bool {
	switch t := bare(t).(type) {
	case *goPath:
		return true
	case *ast.Ident:
		return x.names.find(t.Name) == nil
	case *ast.SelectorExpr:
		return true
	}
	return false
}

// step is the type of something reached from a value of type t.
func (x *golang) step(t ast.Expr, step string) ast.Expr {
	switch t := bare(t).(type) {
	case *goPath:
		return x.path(t.text + step)
	case *ast.Ident, *ast.SelectorExpr:
		if name, _ := x.typeName(t); name != "" && !strings.HasPrefix(name, goMark) {
			return x.path(name + step)
		}
	}
	return nil
}

package count

import (
	"go/ast"
	"go/token"
)

// ManyOperators is the number of && and || from which on a condition needs a
// name, a table or a switch instead.
const ManyOperators = 4

// Operators returns the number of && and || of a file.
func (f *File) Operators() int {
	n := 0
	ast.Inspect(f.AST, func(x ast.Node) bool {
		if isLogical(x) {
			n++
		}
		return true
	})
	return n
}

// DenseLines returns the number of lines on which four or more && and ||
// are written, whichever conditions they belong to. It is the measure the
// models were read with; Conditions is the one that a line break cannot change.
func (f *File) DenseLines() int {
	at := map[int]int{}
	ast.Inspect(f.AST, func(x ast.Node) bool {
		if isLogical(x) {
			at[f.Line(x.(*ast.BinaryExpr).OpPos)]++
		}
		return true
	})
	n := 0
	for _, c := range at {
		if c >= ManyOperators {
			n++
		}
	}
	return n
}

// Conditions returns the conditions of a file that hold four or more && and ||.
// A condition is one expression of the syntax tree: the operands that && and ||
// connect, with the parentheses, negations and comparisons inside it. The
// arguments of a call and the body of a function literal are conditions of
// their own.
func (f *File) Conditions() []Finding {
	var out []Finding
	ast.Inspect(f.AST, func(x ast.Node) bool {
		e, ok := x.(ast.Expr)
		if !ok || !isConditionRoot(e) {
			return true
		}
		var rest []ast.Expr
		if n := countOperators(e, &rest); n >= ManyOperators {
			out = append(out, Finding{File: f, Line: f.Line(e.Pos()), What: "condition", N: n})
		}
		for _, r := range rest {
			out = append(out, f.innerConditions(r)...)
		}
		return false
	})
	return out
}

// innerConditions returns the conditions in an operand, which are not part of the one
// it belongs to.
func (f *File) innerConditions(e ast.Expr) []Finding {
	sub := *f
	sub.AST = &ast.File{Name: f.AST.Name, Decls: []ast.Decl{&ast.GenDecl{Tok: token.VAR, Specs: []ast.Spec{
		&ast.ValueSpec{Names: []*ast.Ident{ast.NewIdent("_")}, Values: []ast.Expr{e}},
	}}}}
	finds := sub.Conditions()
	for i := range finds {
		finds[i].File = f
	}
	return finds
}

// countOperators counts the && and || of a condition and appends the operands they
// connect to rest.
func countOperators(e ast.Expr, rest *[]ast.Expr) int {
	switch e := e.(type) {
	case *ast.ParenExpr:
		return countOperators(e.X, rest)
	case *ast.UnaryExpr:
		return countOperators(e.X, rest)
	case *ast.BinaryExpr:
		n := countOperators(e.X, rest) + countOperators(e.Y, rest)
		if isLogical(e) {
			n++
		}
		return n
	}
	*rest = append(*rest, e)
	return 0
}

// isConditionRoot reports whether an expression is the root of a condition.
func isConditionRoot(e ast.Expr) bool {
	switch e.(type) {
	case *ast.ParenExpr, *ast.UnaryExpr, *ast.BinaryExpr:
		return true
	}
	return false
}

func isLogical(x ast.Node) bool {
	b, ok := x.(*ast.BinaryExpr)
	return ok && (b.Op == token.LAND || b.Op == token.LOR)
}

// NestedIfs returns the if statements whose body is another if and nothing
// else, neither having an else: a long condition that was split for the number
// instead of being given names.
func (f *File) NestedIfs() []Finding {
	var out []Finding
	ast.Inspect(f.AST, func(x ast.Node) bool {
		s, ok := x.(*ast.IfStmt)
		if !ok || s.Else != nil || len(s.Body.List) != 1 {
			return true
		}
		if inner, ok := s.Body.List[0].(*ast.IfStmt); ok && inner.Else == nil {
			out = append(out, Finding{File: f, Line: f.Line(s.Pos()), What: "if in an if", N: 1})
		}
		return true
	})
	return out
}

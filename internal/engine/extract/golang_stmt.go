package extract

import (
	"go/ast"
	"go/token"

	"ken/internal/code"
)

func (x *golang) block(b *ast.BlockStmt) {
	if b == nil {
		return
	}
	block := x.names.openBlock()
	x.stmts(b.List)
	x.names.closeBlock(block)
}

func (x *golang) stmts(list []ast.Stmt) {
	for _, s := range list {
		x.stmt(s)
	}
}

func (x *golang) stmt(s ast.Stmt) {
	switch s := s.(type) {
	case *ast.ExprStmt:
		x.expr(s.X, code.RefUse)
	case *ast.AssignStmt:
		x.assign(s)
	case *ast.IfStmt:
		x.ifStmt(s)
	case *ast.ReturnStmt:
		x.exprs(s.Results)
	case *ast.BlockStmt:
		x.block(s)
	case *ast.ForStmt:
		x.forStmt(s)
	case *ast.RangeStmt:
		x.rangeStmt(s)
	case *ast.SwitchStmt:
		block := x.names.openBlock()
		x.stmt(s.Init)
		x.expr(s.Tag, code.RefUse)
		x.clauses(s.Body)
		x.names.closeBlock(block)
	case *ast.TypeSwitchStmt:
		x.typeSwitch(s)
	case *ast.SelectStmt:
		x.clauses(s.Body)
	case *ast.DeclStmt:
		x.localDecl(s.Decl)
	case *ast.GoStmt:
		x.expr(s.Call, code.RefUse)
	case *ast.DeferStmt:
		x.expr(s.Call, code.RefUse)
	case *ast.IncDecStmt:
		x.expr(s.X, code.RefUse)
	case *ast.SendStmt:
		x.expr(s.Chan, code.RefUse)
		x.expr(s.Value, code.RefUse)
	case *ast.LabeledStmt:
		x.stmt(s.Stmt)
	}
}

func (x *golang) exprs(list []ast.Expr) {
	for _, e := range list {
		x.expr(e, code.RefUse)
	}
}

func (x *golang) assign(s *ast.AssignStmt) {
	if s.Tok != token.DEFINE {
		x.exprs(s.Lhs)
		x.exprs(s.Rhs)
		return
	}
	if len(s.Rhs) == 1 {
		t := x.expr(s.Rhs[0], code.RefUse)
		for i, e := range s.Lhs {
			if i > 0 {
				t = x.resultType(s.Rhs[0], i)
			}
			x.defineLocal(e, t)
		}
		return
	}
	var types [4]ast.Expr
	for i, e := range s.Rhs {
		if t := x.expr(e, code.RefUse); i < len(types) {
			types[i] = t
		}
	}
	for i, e := range s.Lhs {
		x.defineLocal(e, types[min(i, len(types)-1)])
	}
}

func (x *golang) ifStmt(s *ast.IfStmt) {
	x.facts.Branches++
	block := x.names.openBlock()
	x.stmt(s.Init)
	x.expr(s.Cond, code.RefUse)
	x.block(s.Body)
	x.stmt(s.Else)
	x.names.closeBlock(block)
}

func (x *golang) forStmt(s *ast.ForStmt) {
	x.facts.Branches++
	block := x.names.openBlock()
	x.stmt(s.Init)
	x.expr(s.Cond, code.RefUse)
	x.stmt(s.Post)
	x.block(s.Body)
	x.names.closeBlock(block)
}

func (x *golang) rangeStmt(s *ast.RangeStmt) {
	x.facts.Branches++
	block := x.names.openBlock()
	if s.Tok != token.DEFINE {
		x.expr(s.Key, code.RefUse)
		x.expr(s.Value, code.RefUse)
	}
	t := x.expr(s.X, code.RefUse)
	if s.Tok == token.DEFINE {
		x.defineLocal(s.Key, x.keyType(t))
		x.defineLocal(s.Value, x.elementType(t))
	}
	x.block(s.Body)
	x.names.closeBlock(block)
}

// clauses reads the cases of a switch or select. A default does not count as a
// branch, because it decides nothing.
func (x *golang) clauses(b *ast.BlockStmt) {
	for _, c := range b.List {
		block := x.names.openBlock()
		switch c := c.(type) {
		case *ast.CaseClause:
			if c.List != nil {
				x.facts.Branches++
			}
			x.exprs(c.List)
			x.stmts(c.Body)
		case *ast.CommClause:
			if c.Comm != nil {
				x.facts.Branches++
				x.stmt(c.Comm)
			}
			x.stmts(c.Body)
		}
		x.names.closeBlock(block)
	}
}

func (x *golang) typeSwitch(s *ast.TypeSwitchStmt) {
	block := x.names.openBlock()
	x.stmt(s.Init)
	var bound, typ ast.Expr
	switch a := s.Assign.(type) {
	case *ast.AssignStmt:
		if len(a.Lhs) == 1 && len(a.Rhs) == 1 {
			bound = a.Lhs[0]
			typ = x.switchedType(a.Rhs[0])
		}
	default:
		x.stmt(a)
	}
	for _, c := range s.Body.List {
		if c, ok := c.(*ast.CaseClause); ok {
			x.typeCase(c, bound, typ)
		}
	}
	x.names.closeBlock(block)
}

// switchedType reads v.(type) and returns the type of v. v keeps this type in a case
// with no type or with several.
func (x *golang) switchedType(e ast.Expr) ast.Expr {
	if a, ok := e.(*ast.TypeAssertExpr); ok {
		return x.expr(a.X, code.RefUse)
	}
	return x.expr(e, code.RefUse)
}

// typeCase reads a case of a type switch over a value of type typ. In it the name
// bound has the type of the case.
func (x *golang) typeCase(c *ast.CaseClause, bound, typ ast.Expr) {
	block := x.names.openBlock()
	if c.List != nil {
		x.facts.Branches++
	}
	for _, t := range c.List {
		x.typeExpr(t, code.RefType)
	}
	if bound != nil {
		if len(c.List) == 1 && !isNil(c.List[0]) {
			typ = c.List[0]
		}
		x.defineLocal(bound, typ)
	}
	x.stmts(c.Body)
	x.names.closeBlock(block)
}

func isNil(e ast.Expr) bool {
	id, ok := e.(*ast.Ident)
	return ok && id.Name == "nil"
}

// localDecl reads a declaration inside a function, whose names are local.
func (x *golang) localDecl(d ast.Decl) {
	g, ok := d.(*ast.GenDecl)
	if !ok {
		return
	}
	for _, s := range g.Specs {
		switch s := s.(type) {
		case *ast.TypeSpec:
			x.bindSpec(s, goLocal)
			block := x.names.openBlock()
			x.bindTypeParams(s.TypeParams)
			x.fieldTypes(s.TypeParams)
			x.typeExpr(s.Type, code.RefType)
			x.names.closeBlock(block)
		case *ast.ValueSpec:
			x.typeExpr(s.Type, code.RefType)
			x.localVars(s)
		}
	}
}

// localVars reads the values of a local declaration and binds its names.
func (x *golang) localVars(s *ast.ValueSpec) {
	types := make([]ast.Expr, len(s.Names))
	for i, v := range s.Values {
		if t := x.expr(v, code.RefUse); i < len(types) {
			types[i] = t
		}
	}
	for i, n := range s.Names {
		t := s.Type
		switch {
		case t != nil:
		case len(s.Values) == 1 && i > 0:
			t = x.resultType(s.Values[0], i)
		default:
			t = types[i]
		}
		x.names.bind(goName{name: n.Name, kind: goLocal, typ: t})
	}
}

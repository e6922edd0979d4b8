package extract

import (
	"go/ast"
	"go/token"

	"ken/internal/code"
)

// typ walks an expression in a type position.
func (x *golang) typ(t ast.Expr, kind code.RefKind) {
	switch t := t.(type) {
	case nil:
	case *ast.Ident:
		x.name(t, kind)
	case *ast.SelectorExpr:
		x.selector(t, kind)
	case *ast.StarExpr:
		x.typ(t.X, kind)
	case *ast.ParenExpr:
		x.typ(t.X, kind)
	case *ast.IndexExpr:
		x.typ(t.X, kind)
		x.typ(t.Index, code.RefType)
	case *ast.IndexListExpr:
		x.typ(t.X, kind)
		for _, a := range t.Indices {
			x.typ(a, code.RefType)
		}
	case *ast.ArrayType:
		if _, ok := t.Len.(*ast.Ellipsis); !ok && t.Len != nil {
			x.expr(t.Len, code.RefUse)
		}
		x.typ(t.Elt, code.RefType)
	case *ast.MapType:
		x.typ(t.Key, code.RefType)
		x.typ(t.Value, code.RefType)
	case *ast.ChanType:
		x.typ(t.Value, code.RefType)
	case *ast.Ellipsis:
		x.typ(t.Elt, code.RefType)
	case *ast.FuncType:
		x.fieldTypes(t.TypeParams)
		x.fieldTypes(t.Params)
		x.fieldTypes(t.Results)
	case *ast.StructType:
		x.fields(t.Fields)
	case *ast.InterfaceType:
		x.interfaceMembers(t.Methods)
	case *ast.BinaryExpr: // A | B
		x.typ(t.X, code.RefType)
		x.typ(t.Y, code.RefType)
	case *ast.UnaryExpr: // ~A
		x.typ(t.X, code.RefType)
	default:
		x.expr(t, code.RefUse)
	}
}

// name references a plain name and returns its type if the file tells, else what
// to look for in other files.
func (x *golang) name(id *ast.Ident, kind code.RefKind) ast.Expr {
	n := x.names.find(id.Name)
	switch {
	case n == nil:
		x.emit(id, kind, code.ViaBare, -1, "")
		return x.path(id.Name)
	case n.what == goTop:
		typ, spec := n.typ, n.spec
		if spec != nil && kind == code.RefCall {
			kind = code.RefType // a conversion
		}
		x.emit(id, kind, code.ViaBare, -1, "")
		if spec != nil && typ == nil {
			return id
		}
		if typ == nil {
			return x.path(id.Name)
		}
		return typ
	case n.what == goLocal && n.spec != nil:
		return id
	}
	return n.typ
}

// selector references e.Sel, and what stands before the dot.
func (x *golang) selector(e *ast.SelectorExpr, kind code.RefKind) ast.Expr {
	self := ""
	if q, ok := e.X.(*ast.Ident); ok {
		n := x.names.find(q.Name)
		switch {
		case n == nil:
			before := len(x.refs)
			x.emit(q, code.RefUse, code.ViaBare, -1, "")
			x.emit(e.Sel, kind, code.ViaTyped, -1, goMark+q.Name)
			if len(x.refs) == before+2 {
				x.pending = append(x.pending, goPending{before})
			}
			return x.path(q.Name + "." + e.Sel.Name)
		case n.what == goImport:
			x.used[n.imp] = true
			x.emit(e.Sel, kind, code.ViaImport, n.imp, "")
			return x.path(q.Name + "." + e.Sel.Name)
		case n.self:
			self = x.self
		}
	}
	t := x.expr(e.X, code.RefUse)
	recv, known := x.typeName(t)
	switch {
	case self != "":
		x.emit(e.Sel, kind, code.ViaSelf, -1, self)
	case recv != "":
		x.emit(e.Sel, kind, code.ViaTyped, -1, recv)
	case !known:
		x.emit(e.Sel, kind, code.ViaMember, -1, "")
	}
	if m := x.member(t, e.Sel.Name); m != nil {
		return m
	}
	return x.step(t, "."+e.Sel.Name)
}

// expr walks an expression and returns its type as far as the file tells (nil
// mostly; pointers are not told from values). Kind is what the innermost name
// stands for: the name called, or any other use.
func (x *golang) expr(e ast.Expr, kind code.RefKind) ast.Expr {
	switch e := e.(type) {
	case nil, *ast.BasicLit, *ast.BadExpr:
	case *ast.Ident:
		return x.name(e, kind)
	case *ast.SelectorExpr:
		return x.selector(e, kind)
	case *ast.CallExpr:
		return x.call(e)
	case *ast.CompositeLit:
		x.typ(e.Type, code.RefType)
		x.elements(e, e.Type)
		return e.Type
	case *ast.FuncLit:
		x.funcLit(e)
		return e.Type
	case *ast.ParenExpr:
		return x.expr(e.X, kind)
	case *ast.UnaryExpr:
		t := x.expr(e.X, code.RefUse)
		if e.Op == token.ARROW {
			return x.elem(t)
		}
		if e.Op == token.AND {
			return t
		}
	case *ast.StarExpr:
		return x.expr(e.X, kind)
	case *ast.BinaryExpr:
		if e.Op == token.LAND || e.Op == token.LOR {
			x.file.Branches++
		}
		x.expr(e.X, code.RefUse)
		x.expr(e.Y, code.RefUse)
	case *ast.TypeAssertExpr:
		x.expr(e.X, code.RefUse)
		x.typ(e.Type, code.RefType)
		return e.Type
	case *ast.IndexExpr:
		t := x.expr(e.X, kind)
		x.expr(e.Index, code.RefUse)
		return x.indexed(t)
	case *ast.IndexListExpr:
		t := x.expr(e.X, kind)
		for _, a := range e.Indices {
			x.typ(a, code.RefType)
		}
		return x.indexed(t)
	case *ast.SliceExpr:
		t := x.expr(e.X, code.RefUse)
		x.expr(e.Low, code.RefUse)
		x.expr(e.High, code.RefUse)
		x.expr(e.Max, code.RefUse)
		return t
	case *ast.KeyValueExpr:
		x.expr(e.Key, code.RefUse)
		x.expr(e.Value, code.RefUse)
	default:
		x.typ(e, code.RefType)
		return e
	}
	return nil
}

// indexed is the type of a value or function of type t with an index.
func (x *golang) indexed(t ast.Expr) ast.Expr {
	if f, ok := t.(*ast.FuncType); ok {
		return f
	}
	if n, ok := t.(*ast.Ident); ok { // a generic type's name
		if b := x.names.find(n.Name); b != nil && b.spec != nil && b.spec.TypeParams != nil {
			return t
		}
	}
	return x.elem(t)
}

func (x *golang) call(e *ast.CallExpr) ast.Expr {
	if id, ok := e.Fun.(*ast.Ident); ok {
		if n := x.names.find(id.Name); n != nil && n.what == goBuiltin {
			if oftenOwn(id.Name) {
				x.emit(id, code.RefCall, code.ViaBare, -1, "")
			}
			return x.builtinCall(id.Name, e.Args)
		}
	}
	var t ast.Expr
	if p, ok := e.Fun.(*ast.ParenExpr); ok && isPointer(p.X) {
		x.typ(p.X, code.RefType) // (*T)(v)
		t = p.X
	} else {
		t = x.expr(e.Fun, code.RefCall)
	}
	for _, a := range e.Args {
		x.expr(a, code.RefUse)
	}
	f, ok := x.under(t).(*ast.FuncType)
	x.lastCall, x.called, x.results = e, nil, nil
	switch {
	case ok:
		if x.results = f.Results; f.Results == nil {
			return nil
		}
		return x.resultType(e, 0)
	case x.isFar(t):
		x.called = t
		return x.resultType(e, 0)
	}
	return t // a conversion
}

func isPointer(e ast.Expr) bool {
	_, ok := e.(*ast.StarExpr)
	return ok
}

// oftenOwn lists the predeclared functions that packages also declare themselves:
// another file may.
func oftenOwn(name string) bool {
	switch name {
	case "min", "max", "clear", "print", "println":
		return true
	}
	return false
}

func (x *golang) builtinCall(name string, args []ast.Expr) (t ast.Expr) {
	for i, a := range args {
		switch {
		case i > 0:
			x.expr(a, code.RefUse)
		case name == "new" || name == "make":
			x.typ(a, code.RefType)
			t = a
		case name == "append":
			t = x.expr(a, code.RefUse)
		default:
			x.expr(a, code.RefUse)
		}
	}
	return t
}

// elements walks a composite literal's elements, which may leave out their own
// type. t is the literal's type.
func (x *golang) elements(e *ast.CompositeLit, t ast.Expr) {
	var key, value ast.Expr
	fields := false
	switch u := x.under(t).(type) {
	case *ast.MapType:
		key, value = u.Key, u.Value
	case *ast.ArrayType:
		value = u.Elt
	case *ast.StructType:
		fields = true
	default:
		fields = looksLikeStruct(e)
	}
	recv, _ := x.typeName(t)
	for _, el := range e.Elts {
		kv, ok := el.(*ast.KeyValueExpr)
		if !ok {
			x.element(el, value)
			continue
		}
		if id, ok := kv.Key.(*ast.Ident); !fields || !ok {
			x.element(kv.Key, key)
		} else if recv != "" {
			x.emit(id, code.RefUse, code.ViaTyped, -1, recv)
		}
		x.element(kv.Value, value)
	}
}

// looksLikeStruct guesses whether a literal of a type declared elsewhere has
// field names as keys: all are plain names, and no value leaves out its type.
func looksLikeStruct(e *ast.CompositeLit) bool {
	for _, el := range e.Elts {
		kv, ok := el.(*ast.KeyValueExpr)
		if !ok {
			return false
		}
		if _, ok := kv.Key.(*ast.Ident); !ok {
			return false
		}
		if c, ok := kv.Value.(*ast.CompositeLit); ok && c.Type == nil {
			return false
		}
	}
	return true
}

// element walks a literal's element of type t.
func (x *golang) element(e, t ast.Expr) {
	if c, ok := e.(*ast.CompositeLit); ok && c.Type == nil {
		x.elements(c, t)
		return
	}
	x.expr(e, code.RefUse)
}

func (x *golang) funcLit(e *ast.FuncLit) {
	block, body := x.names.open(), x.body
	x.signatureTypes(e.Type)
	x.body = true
	x.block(e.Body)
	x.body = body
	x.names.close(block)
}

package extract

import (
	"go/ast"
	"go/token"

	"ken/internal/code"
	"ken/internal/lang"
)

// typeExpr reads an expression in the place of a type and records its references.
func (x *golang) typeExpr(t ast.Expr, kind code.RefKind) {
	switch t := t.(type) {
	case nil:
	case *ast.Ident:
		x.nameRef(t, kind)
	case *ast.SelectorExpr:
		x.selector(t, kind)
	case *ast.StarExpr:
		x.typeExpr(t.X, kind)
	case *ast.ParenExpr:
		x.typeExpr(t.X, kind)
	case *ast.IndexExpr:
		x.typeExpr(t.X, kind)
		x.typeExpr(t.Index, code.RefType)
	case *ast.IndexListExpr:
		x.typeExpr(t.X, kind)
		for _, a := range t.Indices {
			x.typeExpr(a, code.RefType)
		}
	case *ast.ArrayType:
		if _, ok := t.Len.(*ast.Ellipsis); !ok && t.Len != nil {
			x.expr(t.Len, code.RefUse)
		}
		x.typeExpr(t.Elt, code.RefType)
	case *ast.MapType:
		x.typeExpr(t.Key, code.RefType)
		x.typeExpr(t.Value, code.RefType)
	case *ast.ChanType:
		x.typeExpr(t.Value, code.RefType)
	case *ast.Ellipsis:
		x.typeExpr(t.Elt, code.RefType)
	case *ast.FuncType:
		x.fieldTypes(t.TypeParams)
		x.fieldTypes(t.Params)
		x.fieldTypes(t.Results)
	case *ast.StructType:
		x.fields(t.Fields)
	case *ast.InterfaceType:
		x.interfaceMembers(t.Methods)
	case *ast.BinaryExpr: // A | B
		x.typeExpr(t.X, code.RefType)
		x.typeExpr(t.Y, code.RefType)
	case *ast.UnaryExpr: // ~A
		x.typeExpr(t.X, code.RefType)
	default:
		x.expr(t, code.RefUse)
	}
}

// nameRef adds a reference to a plain name. It returns the type of the name, or, if
// the file does not show it, a path by which other files may show it.
func (x *golang) nameRef(id *ast.Ident, kind code.RefKind) ast.Expr {
	n := x.names.lookup(id.Name)
	switch {
	case n == nil:
		x.addRef(id, kind, code.ViaBare, -1, "")
		return x.pathExpr(id.Name)
	case n.kind == goTop:
		typ, spec := n.typ, n.spec
		if spec != nil && kind == code.RefCall {
			kind = code.RefType // a conversion
		}
		x.addRef(id, kind, code.ViaBare, -1, "")
		if spec != nil && typ == nil {
			return id
		}
		if typ == nil {
			return x.pathExpr(id.Name)
		}
		return typ
	case n.kind == goLocal && n.spec != nil:
		return id
	}
	return n.typ
}

// selector adds references to e.Sel and the names before the dot, and returns the type
// of e.
func (x *golang) selector(e *ast.SelectorExpr, kind code.RefKind) ast.Expr {
	self := ""
	if q, ok := e.X.(*ast.Ident); ok {
		n := x.names.lookup(q.Name)
		switch {
		case n == nil:
			before := len(x.refs)
			x.addRef(q, code.RefUse, code.ViaBare, -1, "")
			x.addRef(e.Sel, kind, code.ViaTyped, -1, goMark+q.Name)
			if len(x.refs) == before+2 {
				x.pending = append(x.pending, goPending{before})
			}
			return x.pathExpr(q.Name + "." + e.Sel.Name)
		case n.kind == goImport:
			x.used[n.imp] = true
			x.addRef(e.Sel, kind, code.ViaImport, n.imp, "")
			return x.pathExpr(q.Name + "." + e.Sel.Name)
		case n.isReceiver:
			self = x.receiver
		}
	}
	t := x.promotedFrom(x.expr(e.X, code.RefUse), e.Sel.Name)
	recv, known := x.typeName(t)
	switch {
	case self != "":
		x.addRef(e.Sel, kind, code.ViaSelf, -1, self)
	case recv != "":
		x.addRef(e.Sel, kind, code.ViaTyped, -1, recv)
	case !known:
		x.addRef(e.Sel, kind, code.ViaMember, -1, "")
	}
	if m := x.memberType(t, e.Sel.Name); m != nil {
		return m
	}
	return x.unresolvedStep(t, "."+e.Sel.Name)
}

// expr reads an expression, records its references and returns its type, or nil if the
// file does not show it. A pointer has the type of its value. kind is the use of the
// innermost name: a call or another one.
func (x *golang) expr(e ast.Expr, kind code.RefKind) ast.Expr {
	switch e := e.(type) {
	case nil, *ast.BasicLit, *ast.BadExpr:
	case *ast.Ident:
		return x.nameRef(e, kind)
	case *ast.SelectorExpr:
		return x.selector(e, kind)
	case *ast.CallExpr:
		return x.call(e)
	case *ast.CompositeLit:
		x.typeExpr(e.Type, code.RefType)
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
			return x.elementType(t)
		}
		if e.Op == token.AND {
			return t
		}
	case *ast.StarExpr:
		return x.expr(e.X, kind)
	case *ast.BinaryExpr:
		if e.Op == token.LAND || e.Op == token.LOR {
			x.facts.Branches++
		}
		x.expr(e.X, code.RefUse)
		x.expr(e.Y, code.RefUse)
	case *ast.TypeAssertExpr:
		x.expr(e.X, code.RefUse)
		x.typeExpr(e.Type, code.RefType)
		return e.Type
	case *ast.IndexExpr:
		t := x.expr(e.X, kind)
		x.expr(e.Index, code.RefUse)
		return x.indexedType(t)
	case *ast.IndexListExpr:
		t := x.expr(e.X, kind)
		for _, a := range e.Indices {
			x.typeExpr(a, code.RefType)
		}
		return x.indexedType(t)
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
		x.typeExpr(e, code.RefType)
		return e
	}
	return nil
}

// indexedType returns the type of x[i], where x has type t: an element, or an instance of a generic function.
func (x *golang) indexedType(t ast.Expr) ast.Expr {
	if f, ok := t.(*ast.FuncType); ok {
		return f
	}
	if n, ok := t.(*ast.Ident); ok { // a generic type's name
		if b := x.names.lookup(n.Name); b != nil && b.spec != nil && b.spec.TypeParams != nil {
			return t
		}
	}
	return x.elementType(t)
}

func (x *golang) call(e *ast.CallExpr) ast.Expr {
	if id, ok := e.Fun.(*ast.Ident); ok {
		if n := x.names.lookup(id.Name); n != nil && n.kind == goBuiltin {
			if oftenRedeclared(id.Name) {
				x.addRef(id, code.RefCall, code.ViaBare, -1, "")
			}
			return x.builtinCall(id.Name, e.Args)
		}
	}
	var t ast.Expr
	if p, ok := e.Fun.(*ast.ParenExpr); ok && isPointer(p.X) {
		x.typeExpr(p.X, code.RefType) // (*T)(v)
		t = p.X
	} else {
		t = x.expr(e.Fun, code.RefCall)
	}
	var first ast.Expr
	for i, a := range e.Args {
		if v := x.expr(a, code.RefUse); i == 0 {
			first = v
		}
	}
	f, ok := x.declaredType(t).(*ast.FuncType)
	x.lastCall, x.calledType, x.results = e, nil, nil
	if given, ok := x.genericResult(e.Fun, first); ok {
		return given
	}
	switch {
	case ok:
		if x.results = f.Results; f.Results == nil {
			return nil
		}
		return x.resultType(e, 0)
	case x.isUnresolved(t):
		x.calledType = t
		return x.resultType(e, 0)
	}
	return t // a conversion
}

// genericResult returns the result type of a generic function of the standard library, or
// nil if it is not known. first is the type of the first argument. ok is false for any
// other function.
func (x *golang) genericResult(fun, first ast.Expr) (t ast.Expr, ok bool) {
	s, isSelector := fun.(*ast.SelectorExpr)
	if !isSelector {
		return nil, false
	}
	q, _ := s.X.(*ast.Ident)
	if q == nil {
		return nil, false
	}
	n := x.names.lookup(q.Name)
	if n == nil || n.kind != goImport {
		return nil, false
	}
	spec := x.facts.Imports[n.imp].Spec
	switch {
	case lang.KeepsGoType(spec, s.Sel.Name):
		return first, true
	case lang.GenericInGo(spec, s.Sel.Name):
		return nil, true
	}
	return nil, false
}

func isPointer(e ast.Expr) bool {
	_, ok := e.(*ast.StarExpr)
	return ok
}

// oftenRedeclared reports whether packages often declare a function with the
// name of this predeclared one, so that another file of the package may.
func oftenRedeclared(name string) bool {
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
		case takesType(name):
			x.typeExpr(a, code.RefType)
			t = a
		case name == "append":
			t = x.expr(a, code.RefUse)
		default:
			x.expr(a, code.RefUse)
		}
	}
	return t
}

// elements reads the elements of a composite literal of type t. They may leave out
// their own type.
func (x *golang) elements(e *ast.CompositeLit, t ast.Expr) {
	var key, value ast.Expr
	fields := false
	switch u := x.declaredType(t).(type) {
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
			x.addRef(id, code.RefUse, code.ViaTyped, -1, recv)
		}
		x.element(kv.Value, value)
	}
}

// looksLikeStruct guesses whether the keys of a literal, whose type another file
// declares, are field names: all are plain names, and no value leaves out its type.
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

// element reads an element of a literal; t is the type of the element.
func (x *golang) element(e, t ast.Expr) {
	if c, ok := e.(*ast.CompositeLit); ok && c.Type == nil {
		x.elements(c, t)
		return
	}
	x.expr(e, code.RefUse)
}

func (x *golang) funcLit(e *ast.FuncLit) {
	block, body := x.names.openBlock(), x.inBody
	x.signatureTypes(e.Type)
	x.inBody = true
	x.block(e.Body)
	x.inBody = body
	x.names.closeBlock(block)
}

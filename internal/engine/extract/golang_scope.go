package extract

import (
	"go/ast"
	"strconv"

	"ken/internal/code"
)

// goTypeDepth is the number of type names that are followed to a declaration,
// because `type A B; type B A` parses.
const goTypeDepth = 8

// bareType returns a type without pointers, parentheses and type arguments.
func bareType(t ast.Expr) ast.Expr {
	for range 2 * goTypeDepth {
		switch e := t.(type) {
		case *ast.StarExpr:
			t = e.X
		case *ast.ParenExpr:
			t = e.X
		case *ast.IndexExpr:
			t = e.X
		case *ast.IndexListExpr:
			t = e.X
		default:
			return t
		}
	}
	return nil
}

// typeName returns the name of a type in the form of Ref.Recv: "T" or "pkg.T". It is "" for
// local and unknown types and for types without a name. An unnamed struct is an exception:
// it has the name of its variable or field. known is set if no declaration in another file
// can be meant (predeclared and local types).
func (x *golang) typeName(t ast.Expr) (name string, known bool) {
	switch t := bareType(t).(type) {
	case *ast.Ident:
		n := x.names.lookup(t.Name)
		switch {
		case n == nil, n.kind == goTop:
			return t.Name, false
		case n.constraint != nil && !isIdent(bareType(n.constraint), t.Name):
			return x.boundName(n.constraint)
		}
		return "", n.kind == goBuiltin || n.spec != nil
	case *ast.SelectorExpr:
		if q, ok := t.X.(*ast.Ident); ok && q.End()+1 == t.Sel.Pos() {
			return x.source(t), false
		}
	case *ast.StructType:
		return x.unnamed[t], x.unnamed[t] == ""
	case *goUnresolved:
		return goMark + t.path, false
	}
	return "", false
}

// boundName returns the name of the constraint t of a type parameter, unless t is a type
// parameter itself or declared in a function.
func (x *golang) boundName(t ast.Expr) (string, bool) {
	switch t := bareType(t).(type) {
	case *ast.Ident:
		if n := x.names.lookup(t.Name); n == nil || n.kind == goTop {
			return t.Name, false
		}
	case *ast.SelectorExpr:
		return x.typeName(t)
	}
	return "", false
}

func isIdent(e ast.Expr, name string) bool {
	id, ok := e.(*ast.Ident)
	return ok && id.Name == name
}

// nameFields gives a struct type without a name in t the name of the variable, field or
// parameter that has the type, so that its fields are members of that.
func (x *golang) nameFields(t ast.Expr, name string) {
	for range goTypeDepth {
		switch e := bareType(t).(type) {
		case *ast.ArrayType:
			t = e.Elt
		case *ast.Ellipsis:
			t = e.Elt
		case *ast.ChanType:
			t = e.Value
		case *ast.MapType:
			t = e.Value
		case *ast.StructType:
			if x.unnamed == nil {
				x.unnamed = make(map[*ast.StructType]string)
			}
			x.unnamed[e] = name
			x.nameNested(e)
			return
		default:
			return
		}
	}
}

// nameNested applies nameFields to the fields of a struct type.
func (x *golang) nameNested(t *ast.StructType) {
	for _, f := range t.Fields.List {
		if len(f.Names) > 0 {
			x.nameFields(f.Type, f.Names[0].Name)
		}
	}
}

// declaredType follows type names to a type literal, such as a struct, as far as this
// file declares them. It returns the literal, or the name that it could not follow.
func (x *golang) declaredType(t ast.Expr) ast.Expr {
	for range goTypeDepth {
		id, ok := bareType(t).(*ast.Ident)
		if !ok {
			return bareType(t)
		}
		n := x.names.lookup(id.Name)
		if n == nil || n.spec == nil {
			return id
		}
		t = n.spec.Type
	}
	return nil
}

// elementType returns the element type of a slice, array, map or channel type.
func (x *golang) elementType(t ast.Expr) ast.Expr {
	if args := iterArgs(t); len(args) == 2 {
		return args[1]
	}
	if x.isUnresolved(t) {
		return x.unresolvedStep(t, "[]")
	}
	switch t := x.declaredType(t).(type) {
	case *ast.ArrayType:
		return t.Elt
	case *ast.MapType:
		return t.Value
	case *ast.ChanType:
		return t.Value
	case *ast.Ellipsis:
		return t.Elt
	}
	return nil
}

// iterArgs returns the type arguments of iter.Seq and iter.Seq2. They are the types of the
// variables in a loop over such a function.
func iterArgs(t ast.Expr) []ast.Expr {
	switch t := t.(type) {
	case *ast.IndexExpr:
		if isIter(t.X, "Seq") {
			return []ast.Expr{t.Index}
		}
	case *ast.IndexListExpr:
		if isIter(t.X, "Seq2") && len(t.Indices) == 2 {
			return t.Indices
		}
	}
	return nil
}

func isIter(e ast.Expr, name string) bool {
	s, ok := e.(*ast.SelectorExpr)
	return ok && s.Sel.Name == name && isIdent(s.X, "iter")
}

// keyType returns the type of the first variable of a range loop over t: the key type of a
// map, or the element type of a channel.
func (x *golang) keyType(t ast.Expr) ast.Expr {
	if args := iterArgs(t); len(args) > 0 {
		return args[0]
	}
	if x.isUnresolved(t) {
		return x.unresolvedStep(t, "[k]")
	}
	switch t := x.declaredType(t).(type) {
	case *ast.MapType:
		return t.Key
	case *ast.ChanType:
		return t.Value
	}
	return nil
}

// memberType returns the type of the field or method name of a value of type t, if this
// file declares both.
func (x *golang) memberType(t ast.Expr, name string) ast.Expr {
	var params *ast.FieldList
	if id, ok := bareType(t).(*ast.Ident); ok {
		n := x.names.lookup(id.Name)
		if n == nil || n.spec == nil {
			return nil
		}
		if m := x.methods[goMember{id.Name, name}]; m != nil && n.kind == goTop {
			return m
		}
		params = n.spec.TypeParams
	}
	var fields *ast.FieldList
	switch u := x.declaredType(t).(type) {
	case *ast.StructType:
		fields = u.Fields
	case *ast.InterfaceType:
		fields = u.Methods
	}
	found := fieldType(fields, name)
	if params != nil && found != nil {
		if id, ok := bareType(found).(*ast.Ident); ok && fieldType(params, id.Name) != nil {
			return nil // a type parameter, for which the instance has a type
		}
	}
	return found
}

func fieldType(list *ast.FieldList, name string) ast.Expr {
	if list == nil {
		return nil
	}
	for _, f := range list.List {
		for _, n := range f.Names {
			if n.Name == name {
				return f.Type
			}
		}
		if len(f.Names) == 0 {
			if id := embeddedName(f.Type); id != nil && id.Name == name {
				return f.Type
			}
		}
	}
	return nil
}

// promotedFrom returns the type that declares the member name of a value of type t: t
// itself, or a type that it embeds. It follows embedding only from a type without a
// name or declared in a function, because other types may have methods in other files. It
// returns nil if several types are embedded.
func (x *golang) promotedFrom(t ast.Expr, name string) ast.Expr {
	for range goTypeDepth {
		if id, ok := bareType(t).(*ast.Ident); ok {
			if n := x.names.lookup(id.Name); n == nil || n.kind != goLocal || n.spec == nil {
				return t
			}
		}
		var members *ast.FieldList
		switch s := x.declaredType(t).(type) {
		case *ast.StructType:
			members = s.Fields
		case *ast.InterfaceType:
			members = s.Methods
		}
		if members == nil || fieldType(members, name) != nil {
			return t
		}
		var embedded ast.Expr
		for _, f := range members.List {
			switch {
			case len(f.Names) > 0:
			case embedded != nil:
				return nil
			default:
				embedded = f.Type
			}
		}
		if embedded == nil {
			return t
		}
		t = embedded
	}
	return nil
}

// embeddedName returns the identifier that names an embedded field, such as T in *pkg.T.
func embeddedName(t ast.Expr) *ast.Ident {
	switch t := bareType(t).(type) {
	case *ast.Ident:
		return t
	case *ast.SelectorExpr:
		return t.Sel
	}
	return nil
}

// receiverType returns the name of the type of a method's receiver, or nil in broken code.
func receiverType(d *ast.FuncDecl) *ast.Ident {
	if d.Recv == nil || len(d.Recv.List) == 0 {
		return nil
	}
	id, _ := bareType(d.Recv.List[0].Type).(*ast.Ident)
	return id
}

// bindParams binds the names of a parameter or result list.
func (x *golang) bindParams(list *ast.FieldList) {
	if list == nil {
		return
	}
	for _, f := range list.List {
		for _, n := range f.Names {
			x.names.bind(goName{name: n.Name, kind: goLocal, typ: f.Type})
		}
	}
}

// bindTypeParams binds type parameters as local names. Their values have the
// members of the constraint.
func (x *golang) bindTypeParams(list *ast.FieldList) {
	if list == nil {
		return
	}
	for _, f := range list.List {
		for _, n := range f.Names {
			x.names.bind(goName{name: n.Name, kind: goLocal, constraint: f.Type})
		}
	}
}

// receiverType binds the type parameters in a receiver's type and adds a reference to
// the type.
func (x *golang) receiverType(d *ast.FuncDecl) {
	if d.Recv == nil || len(d.Recv.List) == 0 {
		return
	}
	recv := d.Recv.List[0]
	t := recv.Type
	if s, ok := t.(*ast.StarExpr); ok {
		t = s.X
	}
	for _, a := range typeArguments(t) {
		if id, ok := a.(*ast.Ident); ok {
			x.names.bind(goName{name: id.Name, kind: goLocal})
		}
	}
	x.typeExpr(bareType(recv.Type), code.RefType)
}

// bindReceiver binds the receiver of a method. Only the body is in its scope, so that
// the signature must have been read: a type in the signature may be of a package with
// the receiver's name.
func (x *golang) bindReceiver(d *ast.FuncDecl) {
	if d.Recv == nil || len(d.Recv.List) == 0 {
		return
	}
	recv := d.Recv.List[0]
	for _, n := range recv.Names {
		x.names.bind(goName{name: n.Name, kind: goLocal, isReceiver: true, typ: recv.Type})
	}
}

// typeArguments returns the type arguments in an instance of a generic type or function.
func typeArguments(t ast.Expr) []ast.Expr {
	switch t := t.(type) {
	case *ast.IndexExpr:
		return []ast.Expr{t.Index}
	case *ast.IndexListExpr:
		return t.Indices
	}
	return nil
}

// defineLocal binds the name e on the left of `:=`. If the block declares the name
// already, it keeps its type, because it is then only assigned.
func (x *golang) defineLocal(e, typ ast.Expr) {
	id, ok := e.(*ast.Ident)
	if !ok {
		return
	}
	if i, ok := x.names.innermost[id.Name]; ok && int(i) >= x.names.blockStart && x.names.list[i].kind == goLocal {
		return
	}
	x.names.bind(goName{name: id.Name, kind: goLocal, typ: typ})
}

// resultType returns the type of result i of call, which must be the call that was read last.
func (x *golang) resultType(call ast.Expr, i int) ast.Expr {
	c, ok := call.(*ast.CallExpr)
	if !ok || c != x.lastCall {
		return nil
	}
	if x.calledType != nil && i == 0 {
		return x.unresolvedStep(x.calledType, "()")
	}
	if x.calledType != nil {
		return x.unresolvedStep(x.calledType, "("+strconv.Itoa(i)+")")
	}
	if x.results == nil {
		return nil
	}
	for _, f := range x.results.List {
		if n := max(len(f.Names), 1); i < n {
			return f.Type
		} else {
			i -= n
		}
	}
	return nil
}

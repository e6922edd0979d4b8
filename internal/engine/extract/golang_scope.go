package extract

import (
	"go/ast"
	"strconv"

	"ken/internal/code"
)

// goWhat says what a Go name is bound to.
type goWhat uint8

const (
	goBuiltin goWhat = iota // predeclared
	goImport
	goTop   // declared at this file's top level
	goLocal // parameter, variable, constant or type of a function; type parameter
)

// goName is one name of a scope, with what the file tells of its type.
type goName struct {
	name  string
	outer int32 // name this one hides, -1
	what  goWhat
	self  bool // the receiver
	imp   int32
	sym   int32         // symbol of a top-level name once declared, -1 before
	typ   ast.Expr      // a value's type; a function's *ast.FuncType
	spec  *ast.TypeSpec // what a type is declared as
	bound ast.Expr      // a type parameter's constraint
}

// goScope is the names in reach, innermost last. The predeclared ones are always
// at its bottom.
type goScope struct {
	top   map[string]int32
	list  []goName
	block int // length of list where the innermost block began
}

// goBlock is an open block: where its names begin, and the block around it.
type goBlock struct{ from, outer int }

var goUniverse = [...]string{
	"any", "bool", "byte", "comparable", "complex64", "complex128", "error", "float32", "float64", "int", "int8", "int16",
	"int32", "int64", "rune", "string", "uint", "uint8", "uint16", "uint32", "uint64", "uintptr", "true", "false", "iota",
	"nil", "append", "cap", "clear", "close", "complex", "copy", "delete", "imag", "len", "make", "max", "min", "new",
	"panic", "print", "println", "real", "recover",
}

// reset leaves the predeclared names. The map is kept unless one file made it
// large.
func (s *goScope) reset() {
	if len(s.list) == len(goUniverse) && len(s.top) == len(goUniverse) {
		s.block = 0
		return
	}
	*s = goScope{top: make(map[string]int32, 256), list: s.list[:0]}
	for _, n := range goUniverse {
		s.bind(goName{name: n, what: goBuiltin})
	}
}

func (s *goScope) bind(n goName) {
	if n.name == "_" {
		return
	}
	n.outer = -1
	if i, ok := s.top[n.name]; ok {
		n.outer = i
	}
	s.top[n.name] = int32(len(s.list))
	s.list = append(s.list, n)
}

func (s *goScope) open() goBlock {
	b := goBlock{len(s.list), s.block}
	s.block = b.from
	return b
}

func (s *goScope) close(b goBlock) {
	s.drop(b.from)
	s.block = b.outer
}

// drop forgets the names bound since the list had length mark; 0 drops all but
// the predeclared.
func (s *goScope) drop(mark int) {
	mark = max(mark, len(goUniverse))
	for i := len(s.list) - 1; i >= mark; i-- {
		n := &s.list[i]
		if n.outer >= 0 {
			s.top[n.name] = n.outer
		} else {
			delete(s.top, n.name)
		}
		*n = goName{} // holds on to the syntax tree
	}
	s.list = s.list[:min(mark, len(s.list))]
}

// find is what name is bound to, nil if the file does not say. The pointer is
// valid until the next bind.
func (s *goScope) find(name string) *goName {
	if i, ok := s.top[name]; ok {
		return &s.list[i]
	}
	return nil
}

// goTypeDepth bounds how far type names are followed: `type A B; type B A`
// parses.
const goTypeDepth = 8

// bare strips pointers, parentheses and type arguments off a type.
func bare(t ast.Expr) ast.Expr {
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

// typeName is the name references carry as Recv: "T" or "pkg.T". It is "" for
// local and unknown types and those without one; the fields of an unnamed struct
// are members of the variable or field that is declared with it. known is set if the file tells that no
// declaration elsewhere can be meant (predeclared and local types).
func (x *golang) typeName(t ast.Expr) (name string, known bool) {
	switch t := bare(t).(type) {
	case *ast.Ident:
		n := x.names.find(t.Name)
		switch {
		case n == nil || n.what == goTop:
			return t.Name, false
		case n.bound != nil && !isIdent(bare(n.bound), t.Name):
			return x.boundName(n.bound)
		}
		return "", n.what == goBuiltin || n.spec != nil
	case *ast.SelectorExpr:
		if q, ok := t.X.(*ast.Ident); ok && q.End()+1 == t.Sel.Pos() {
			return x.src(t), false
		}
	case *ast.StructType:
		return x.unnamed[t], x.unnamed[t] == ""
	case *goPath:
		return goMark + t.text, false
	}
	return "", false
}

// boundName is the name of a constraint that is not made from a type parameter.
func (x *golang) boundName(t ast.Expr) (string, bool) {
	switch t := bare(t).(type) {
	case *ast.Ident:
		if n := x.names.find(t.Name); n == nil || n.what == goTop {
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

// nameFields notes what declares the fields of the struct types without a name
// of their own within t, the type of a variable, field or parameter.
func (x *golang) nameFields(t ast.Expr, name string) {
	for range goTypeDepth {
		switch e := bare(t).(type) {
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

// nameNested is nameFields for the fields of a struct type.
func (x *golang) nameNested(t *ast.StructType) {
	for _, f := range t.Fields.List {
		if len(f.Names) > 0 {
			x.nameFields(f.Type, f.Names[0].Name)
		}
	}
}

// under is what a type is declared as, as far as this file tells: a type literal,
// or the name it could not follow.
func (x *golang) under(t ast.Expr) ast.Expr {
	for range goTypeDepth {
		id, ok := bare(t).(*ast.Ident)
		if !ok {
			return bare(t)
		}
		n := x.names.find(id.Name)
		if n == nil || n.spec == nil {
			return id
		}
		t = n.spec.Type
	}
	return nil
}

// elem is the element type of a slice, array, map or channel type.
func (x *golang) elem(t ast.Expr) ast.Expr {
	if args := iterArgs(t); len(args) == 2 {
		return args[1]
	}
	if x.isFar(t) {
		return x.step(t, "[]")
	}
	switch t := x.under(t).(type) {
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

// iterArgs are the type arguments of iter.Seq and iter.Seq2: what a loop over
// such a function gives.
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

// keyOf is the key type of a map type, or the element type of a channel, which
// is what a range's first variable gets.
func (x *golang) keyOf(t ast.Expr) ast.Expr {
	if args := iterArgs(t); len(args) > 0 {
		return args[0]
	}
	if x.isFar(t) {
		return x.step(t, "[k]")
	}
	switch t := x.under(t).(type) {
	case *ast.MapType:
		return t.Key
	case *ast.ChanType:
		return t.Value
	}
	return nil
}

// member is the type of field or method name of a value of type t, if this file
// declares both.
func (x *golang) member(t ast.Expr, name string) ast.Expr {
	var params *ast.FieldList
	if id, ok := bare(t).(*ast.Ident); ok {
		n := x.names.find(id.Name)
		if n == nil || n.spec == nil {
			return nil
		}
		if m := x.methods[goMember{id.Name, name}]; m != nil && n.what == goTop {
			return m
		}
		params = n.spec.TypeParams
	}
	var fields *ast.FieldList
	switch u := x.under(t).(type) {
	case *ast.StructType:
		fields = u.Fields
	case *ast.InterfaceType:
		fields = u.Methods
	}
	found := fieldType(fields, name)
	if params != nil && found != nil {
		if id, ok := bare(found).(*ast.Ident); ok && fieldType(params, id.Name) != nil {
			return nil // a type parameter: only the instance knows
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

// embeddedName is the identifier that names an embedded field.
func embeddedName(t ast.Expr) *ast.Ident {
	switch t := bare(t).(type) {
	case *ast.Ident:
		return t
	case *ast.SelectorExpr:
		return t.Sel
	}
	return nil
}

// receiverType is the name of a method's receiver type, nil in broken code.
func receiverType(d *ast.FuncDecl) *ast.Ident {
	if d.Recv == nil || len(d.Recv.List) == 0 {
		return nil
	}
	id, _ := bare(d.Recv.List[0].Type).(*ast.Ident)
	return id
}

// bindParams binds the names of a parameter or result list.
func (x *golang) bindParams(list *ast.FieldList) {
	if list == nil {
		return
	}
	for _, f := range list.List {
		for _, n := range f.Names {
			x.names.bind(goName{name: n.Name, what: goLocal, typ: f.Type})
		}
	}
}

// bindTypeParams binds type parameters: locals without a type of their own, whose
// values have the members of their constraint.
func (x *golang) bindTypeParams(list *ast.FieldList) {
	if list == nil {
		return
	}
	for _, f := range list.List {
		for _, n := range f.Names {
			x.names.bind(goName{name: n.Name, what: goLocal, bound: f.Type})
		}
	}
}

// bindReceiver binds the type parameters a receiver's type names, references the
// type and binds the receiver, whose name may be that of the type.
func (x *golang) bindReceiver(d *ast.FuncDecl) {
	if d.Recv == nil || len(d.Recv.List) == 0 {
		return
	}
	recv := d.Recv.List[0]
	t := recv.Type
	if s, ok := t.(*ast.StarExpr); ok {
		t = s.X
	}
	var args []ast.Expr
	switch t := t.(type) {
	case *ast.IndexExpr:
		args = []ast.Expr{t.Index}
	case *ast.IndexListExpr:
		args = t.Indices
	}
	for _, a := range args {
		if id, ok := a.(*ast.Ident); ok {
			x.names.bind(goName{name: id.Name, what: goLocal})
		}
	}
	x.typ(bare(recv.Type), code.RefType)
	for _, n := range recv.Names {
		x.names.bind(goName{name: n.Name, what: goLocal, self: true, typ: recv.Type})
	}
}

// define binds a name on the left of `:=`. One its block has already keeps its
// type: it is assigned, not declared.
func (x *golang) define(e, typ ast.Expr) {
	id, ok := e.(*ast.Ident)
	if !ok {
		return
	}
	if i, ok := x.names.top[id.Name]; ok && int(i) >= x.names.block && x.names.list[i].what == goLocal {
		return
	}
	x.names.bind(goName{name: id.Name, what: goLocal, typ: typ})
}

// resultType is the type of result i of the call walked last.
func (x *golang) resultType(call ast.Expr, i int) ast.Expr {
	c, ok := call.(*ast.CallExpr)
	if !ok || c != x.lastCall {
		return nil
	}
	if x.called != nil && i == 0 {
		return x.step(x.called, "()")
	}
	if x.called != nil {
		return x.step(x.called, "("+strconv.Itoa(i)+")")
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

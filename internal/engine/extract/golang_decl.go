package extract

import (
	"go/ast"
	"go/token"
	"strings"

	"ken/internal/code"
	"ken/internal/engine/extract/lexical"
)

// declare adds a symbol named id inside the current owner and returns its index.
// For the blank name it returns the owner.
func (x *golang) declare(id *ast.Ident, s code.Symbol) int32 {
	start := x.offset(id.NamePos)
	if !x.isWritten(id, start) {
		return x.owner
	}
	s.Name, s.NameStart, s.Parent = id.Name, start, x.owner
	s.Exported = ast.IsExported(id.Name)
	if s.Qualified == "" {
		s.Qualified = s.Name
		if x.owner >= 0 && x.containers.Take(len(x.symbols[x.owner].Qualified), len(x.text)) {
			s.Qualified = x.symbols[x.owner].Qualified + "." + s.Name
		}
	}
	s.Signature = lexical.Cut(s.Signature, code.MaxSignature)
	x.symbols = append(x.symbols, s)
	return int32(len(x.symbols) - 1)
}

// declareTop is like declare, for a top-level name. It records the symbol, so that
// the methods of a type find it, and exports a capitalised name.
func (x *golang) declareTop(id *ast.Ident, s code.Symbol) int32 {
	sym := x.declare(id, s)
	if sym < 0 {
		return sym
	}
	if n := x.names.lookup(id.Name); n != nil && n.kind == goTop {
		n.sym = sym
	}
	if x.symbols[sym].Exported {
		line := x.lineAt(x.symbols[sym].NameStart)
		x.facts.Exports = append(x.facts.Exports, code.Export{Name: id.Name, Local: id.Name, From: -1, Line: line})
	}
	return sym
}

func (x *golang) funcDecl(d *ast.FuncDecl) {
	end := d.Type.End()
	s := code.Symbol{Kind: code.KindFunction, Span: x.span(d.Pos(), d.End()), Doc: goDoc(d.Doc),
		Signature: goLine(x.textBetween(d.Pos(), end)), Params: x.params(d.Type.Params), Returns: x.returns(d.Type.Results)}
	block := x.names.openBlock()
	if recv := receiverType(d); recv != nil {
		s.Kind, s.Qualified = code.KindMethod, recv.Name+"."+d.Name.Name
		x.receiver = recv.Name
		if n := x.names.lookup(recv.Name); n != nil && n.kind == goTop {
			x.owner = max(n.sym, -1)
		}
		x.owner = x.declare(d.Name, s)
	} else {
		x.markTest(d)
		x.owner = x.declareTop(d.Name, s)
	}
	x.receiverType(d)
	x.signatureTypes(d.Type)
	x.bindReceiver(d)
	if d.Body != nil {
		x.inBody = true
		x.stmts(d.Body.List)
		x.inBody = false
	}
	x.owner, x.receiver = -1, ""
	x.names.closeBlock(block)
}

// markTest marks the file as a test file if the go command would run d as a test.
func (x *golang) markTest(d *ast.FuncDecl) {
	if x.facts.IsTest || d.Type.Params == nil || len(d.Type.Params.List) != 1 {
		return
	}
	for _, p := range [...]string{"Test", "Benchmark", "Fuzz"} {
		if strings.HasPrefix(d.Name.Name, p) && strings.HasPrefix(x.source(d.Type.Params.List[0].Type), "*testing.") {
			x.facts.IsTest = true
		}
	}
}

// signatureTypes binds the parameters of a function and records references to their types.
func (x *golang) signatureTypes(t *ast.FuncType) {
	x.bindTypeParams(t.TypeParams)
	x.fieldTypes(t.TypeParams)
	x.fieldTypes(t.Params)
	x.fieldTypes(t.Results)
	x.bindParams(t.Params)
	x.bindParams(t.Results)
}

func (x *golang) fieldTypes(list *ast.FieldList) {
	if list == nil {
		return
	}
	for _, f := range list.List {
		x.typeExpr(f.Type, code.RefType)
	}
}

func (x *golang) params(list *ast.FieldList) []code.Param {
	if list == nil || list.NumFields() == 0 {
		return nil
	}
	params := make([]code.Param, 0, list.NumFields())
	for _, f := range list.List {
		t := goLine(x.source(f.Type))
		for _, n := range f.Names {
			params = append(params, code.Param{Name: n.Name, Type: t})
		}
		if len(f.Names) == 0 {
			params = append(params, code.Param{Type: t})
		}
	}
	return params
}

// returns returns the text of the result types, in parentheses if there are several results
// or a named one.
func (x *golang) returns(list *ast.FieldList) string {
	if list == nil || len(list.List) == 0 {
		return ""
	}
	if f := list.List[0]; len(list.List) == 1 && len(f.Names) == 0 {
		return goLine(x.source(f.Type))
	}
	return goLine(x.source(list))
}

func (x *golang) genDecl(d *ast.GenDecl) {
	for _, s := range d.Specs {
		switch s := s.(type) {
		case *ast.TypeSpec:
			x.typeSpec(d, s)
		case *ast.ValueSpec:
			x.valueSpec(d, s)
		}
	}
}

// specSpan returns the span of one spec of a declaration, and specDoc its
// documentation. A spec that is alone has those of the whole declaration.
func (x *golang) specSpan(d *ast.GenDecl, s ast.Spec, names int) code.Span {
	if !d.Lparen.IsValid() && names == 1 {
		return x.span(d.Pos(), d.End())
	}
	return x.span(s.Pos(), s.End())
}

func specDoc(d *ast.GenDecl, doc, comment *ast.CommentGroup) string {
	if !d.Lparen.IsValid() && doc == nil {
		doc = d.Doc
	}
	if doc == nil {
		doc = comment
	}
	return goDoc(doc)
}

func (x *golang) typeSpec(d *ast.GenDecl, s *ast.TypeSpec) {
	sym := code.Symbol{Kind: code.KindType, Span: x.specSpan(d, s, 1), Doc: specDoc(d, s.Doc, s.Comment)}
	end := s.End()
	switch t := s.Type.(type) {
	case *ast.StructType:
		sym.Kind, end = code.KindStruct, t.Struct+token.Pos(len("struct"))
	case *ast.InterfaceType:
		sym.Kind, end = code.KindInterface, t.Interface+token.Pos(len("interface"))
	}
	sym.Signature = "type " + goLine(x.textBetween(s.Pos(), end))
	block := x.names.openBlock()
	x.owner = x.declareTop(s.Name, sym)
	x.bindTypeParams(s.TypeParams)
	x.fieldTypes(s.TypeParams)
	x.typeExpr(s.Type, code.RefType)
	x.owner = -1
	x.names.closeBlock(block)
}

func (x *golang) valueSpec(d *ast.GenDecl, s *ast.ValueSpec) {
	first, count := int32(-1), 0
	for i, n := range s.Names {
		sym := code.Symbol{Kind: code.KindVariable, Span: x.specSpan(d, s, len(s.Names)), Doc: specDoc(d, s.Doc, s.Comment),
			Signature: x.valueSignature(d, s, i)}
		if d.Tok == token.CONST {
			sym.Kind = code.KindConstant
		}
		if i := x.declareTop(n, sym); i >= 0 {
			count++
			if first < 0 {
				first = i
			}
		}
	}
	x.owner = first
	x.typeExpr(s.Type, x.assertedKind(s))
	for i, v := range s.Values {
		if len(s.Values) == len(s.Names) && count == len(s.Names) {
			x.owner = first + int32(i)
		}
		x.expr(v, code.RefUse)
	}
	x.owner = -1
}

// assertedKind returns the kind of reference that a variable makes to its type. `var _ I =
// T{}` is Go's way to assert that T implements I: it makes an implement reference, from T
// if the file declares it.
func (x *golang) assertedKind(s *ast.ValueSpec) code.RefKind {
	if s.Type == nil || len(s.Values) != 1 || len(s.Names) != 1 || s.Names[0].Name != "_" {
		return code.RefType
	}
	v := plainType(s.Values[0])
	if c, ok := s.Values[0].(*ast.CallExpr); ok && v == nil {
		v = c.Fun // (*T)(nil)
	}
	id, ok := bareType(v).(*ast.Ident)
	if !ok {
		return code.RefType
	}
	n := x.names.lookup(id.Name)
	if n == nil {
		return code.RefImplement // a type of another file, or a call, which looks the same
	}
	if n.spec == nil {
		return code.RefType
	}
	if n.sym >= 0 {
		x.owner = n.sym
	}
	return code.RefImplement
}

// maxValue is the length of the longest value that the signature of a constant or variable shows.
const maxValue = 80

// valueSignature returns the signature of the i-th name of a const or var spec: with its
// type, and with its value if that is short and contains no function body.
func (x *golang) valueSignature(d *ast.GenDecl, s *ast.ValueSpec, i int) string {
	sig := d.Tok.String() + " " + s.Names[i].Name
	if s.Type != nil && i < len(s.Values) {
		sig += " " + goLine(x.source(s.Type)) // the value can follow a whole type only
	} else if s.Type != nil {
		sig += " " + x.typeLine(s.Type)
	}
	if i >= len(s.Values) {
		return sig
	}
	v := s.Values[i]
	end := v.End()
	switch e := v.(type) {
	case *ast.FuncLit:
		end = e.Type.End()
	case *ast.CompositeLit:
		return sig + " = " + x.typeLine(e.Type)
	case *ast.UnaryExpr:
		if c, ok := e.X.(*ast.CompositeLit); ok && e.Op == token.AND {
			return sig + " = &" + x.typeLine(c.Type)
		}
	}
	if value := x.textBetween(v.Pos(), end); len(value) <= maxValue && !strings.ContainsAny(value, "\n{") {
		return sig + " = " + goLine(value)
	}
	return sig
}

// typeLine returns a type on one line. A struct or interface type at its end loses its body,
// as the declaration of one does.
func (x *golang) typeLine(t ast.Expr) string {
	if t == nil {
		return ""
	}
	s := x.source(t)
	if body := lastBody(t); body != nil && len(body.List) > 0 {
		s = x.textBetween(t.Pos(), body.Opening)
	}
	return goLine(s)
}

// lastBody returns the body of the struct or interface type at the end of t, or nil.
func lastBody(t ast.Expr) *ast.FieldList {
	for {
		switch e := t.(type) {
		case *ast.StructType:
			return e.Fields
		case *ast.InterfaceType:
			return e.Methods
		case *ast.ArrayType:
			t = e.Elt
		case *ast.MapType:
			t = e.Value
		case *ast.ChanType:
			t = e.Value
		case *ast.StarExpr:
			t = e.X
		default:
			return nil
		}
	}
}

// fields reads the fields of a struct type. Outside of function bodies they become symbols.
func (x *golang) fields(list *ast.FieldList) {
	if list == nil {
		return
	}
	for _, f := range list.List {
		if x.inBody {
			x.typeExpr(f.Type, code.RefType)
			continue
		}
		owner, first := x.owner, int32(-1)
		for _, n := range f.Names {
			if sym := x.declareField(f, n); sym != owner && first < 0 {
				first = sym
			}
		}
		if len(f.Names) == 0 {
			if id := embeddedName(f.Type); id != nil {
				x.declareField(f, id)
			}
			x.typeExpr(f.Type, code.RefInherit)
			continue
		}
		x.owner = max(first, owner)
		x.typeExpr(f.Type, code.RefType)
		x.owner = owner
	}
}

func (x *golang) declareField(f *ast.Field, id *ast.Ident) int32 {
	sig := x.typeLine(f.Type)
	switch {
	case len(f.Names) == 1 && len(sig) == int(f.Type.End()-f.Type.Pos()):
		sig = goLine(x.textBetween(id.Pos(), f.Type.End()))
	case len(f.Names) > 0:
		sig = id.Name + " " + sig
	}
	doc := f.Doc
	if doc == nil {
		doc = f.Comment
	}
	return x.declare(id, code.Symbol{Kind: code.KindField, Span: x.span(f.Pos(), f.End()), Signature: sig, Doc: goDoc(doc)})
}

// interfaceMembers reads an interface type. Its methods become symbols, embedded
// interfaces become inherit references, and the types of unions plain references.
func (x *golang) interfaceMembers(list *ast.FieldList) {
	if list == nil {
		return
	}
	for _, f := range list.List {
		owner := x.owner
		t, ok := f.Type.(*ast.FuncType)
		switch {
		case !ok || len(f.Names) == 0:
			x.typeExpr(f.Type, code.RefInherit)
		case x.inBody:
			x.typeExpr(t, code.RefType)
		default:
			doc := f.Doc
			if doc == nil {
				doc = f.Comment
			}
			x.owner = x.declare(f.Names[0], code.Symbol{Kind: code.KindMethod, Span: x.span(f.Pos(), f.End()), Doc: goDoc(doc),
				Signature: goLine(x.source(f)), Params: x.params(t.Params), Returns: x.returns(t.Results)})
			x.typeExpr(t, code.RefType)
		}
		x.owner = owner
	}
}

// goLine returns Go source on one line without comments. It first checks whether
// the source is so already, because nearly all of it is.
func goLine(s string) string {
	if lexical.IsOneLine(s) && !strings.Contains(s, "//") && !strings.Contains(s, "/*") {
		return strings.TrimSpace(s)
	}
	l := liner{quotes: "\"'`", lines: true}
	for len(s) > 0 && !l.full() {
		i := commentStart(s)
		l.add(s[:i])
		if s = s[i:]; s == "" {
			break
		}
		l.space = true
		end := "\n"
		if s[1] == '*' {
			end = "*/"
		}
		i = strings.Index(s[2:], end)
		if i < 0 {
			break
		}
		s = s[2+i+len(end):]
		l.newline = l.newline || end == "\n"
	}
	return lexical.Cut(strings.TrimSpace(string(l.out)), code.MaxSignature)
}

// commentStart returns the offset of the first comment outside of quotes, or len(s).
func commentStart(s string) int {
	quote := byte(0)
	for i := 0; i < len(s); i++ {
		c := s[i]
		switch {
		case quote != 0:
			if c == '\\' && quote != '`' {
				i++
			} else if c == quote {
				quote = 0
			}
		case c == '"', c == '\'', c == '`':
			quote = c
		case c == '/' && i+1 < len(s) && (s[i+1] == '/' || s[i+1] == '*'):
			return i
		}
	}
	return len(s)
}

// goDoc returns a comment group's text, without directives (//go:embed).
func goDoc(g *ast.CommentGroup) string {
	if g == nil {
		return ""
	}
	if len(g.List) == 1 {
		return goComment(g.List[0].Text)
	}
	var b strings.Builder
	for _, c := range g.List {
		if b.Len() > 2*code.MaxDoc {
			break
		}
		if isDirective(c.Text) {
			continue
		}
		line := goCommentText(c.Text)
		if b.Len() > 0 && (line != "" || !strings.HasSuffix(b.String(), "\n")) {
			b.WriteByte('\n')
		}
		b.WriteString(line)
	}
	return cutDoc(b.String())
}

// goComment returns the text of a single comment, or "" for a directive.
func goComment(s string) string {
	if isDirective(s) {
		return ""
	}
	return cutDoc(goCommentText(s))
}

func cutDoc(s string) string {
	return lexical.Cut(strings.ToValidUTF8(strings.TrimSpace(lexical.Cut(s, 4*code.MaxDoc)), "\uFFFD"), code.MaxDoc)
}

func goCommentText(s string) string {
	if strings.HasPrefix(s, "/*") {
		return lexical.CleanDoc(lexical.Cut(s, 8*code.MaxDoc))
	}
	return strings.TrimRight(strings.TrimPrefix(strings.TrimPrefix(s, "//"), " "), " \t")
}

// isDirective reports whether a comment is a directive by the rule of go/ast: //line, //export, //extern or //word:x.
func isDirective(s string) bool {
	if !strings.HasPrefix(s, "//") || len(s) < 4 || lexical.IsBlank(s[2]) {
		return false
	}
	s = s[2:]
	if strings.HasPrefix(s, "line ") || strings.HasPrefix(s, "extern ") || strings.HasPrefix(s, "export ") {
		return true
	}
	i := strings.IndexByte(s, ':')
	if i <= 0 || i+1 >= len(s) {
		return false
	}
	return strings.Trim(s[:i+2], ":abcdefghijklmnopqrstuvwxyz0123456789") == ""
}

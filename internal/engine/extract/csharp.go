package extract

import (
	"strings"

	"ken/internal/code"
	"ken/internal/engine/extract/lexical"
)

// csharp reads a C# file. Types and namespaces are in this file, members in
// csharp_member.go, uses of types and usings in csharp_type.go, statements in
// csharp_stmt.go, expressions in csharp_expr.go, documentation in csharp_doc.go.
//
// A namespace makes no symbol, because any number of files share it; the one of the
// file's first type is the file's package. Both sides of #if are read. A symbol is
// exported if neither it nor a type around it is private (or local to the file). A
// member without access modifier is private, except in interfaces and enums.
type csharp struct {
	*file
	class        csTypeScope
	inBody       bool            // inside a member's body or initializer
	packageKnown bool            // a type was met: the file's package is known
	namespaces   map[string]bool // the namespaces the file names and their prefixes
	pathImports  map[string]int32
	fields       map[csMember]string // declared types of fields and properties
	elements     map[csMember]string // types of the elements of those that are collections
	inPrivate    bool                // a type around is private
	usingStatic  bool                // a using static could bind any name
	attributed   string              // the type of the attribute around
	returns      string              // the type that the function around returns, "" if it is not known
}

// csTypeScope describes the type that encloses the current position.
type csTypeScope struct {
	name  string // "" outside
	base  string // its first base type, "" if it names none
	iface bool   // members are public
	// own and parent are references to the type and to its base class, for the constructors that they call.
	own, parent code.Ref
}

type csMember struct{ class, name string }

func walkCSharp(f *file) {
	c := &csharp{file: f, namespaces: map[string]bool{}, pathImports: map[string]int32{},
		fields: map[csMember]string{}, elements: map[csMember]string{}}
	c.names.push()
	c.collectTopLevel(root, "")
	c.bindLocalFunctions(root)
	if c.isError(root) {
		c.errorNode(root)
	} else {
		c.children(root)
	}
	c.names.pop()
	c.fileDoc()
}

// collectTopLevel reads usings and namespaces and binds the types declared outside of
// types, in n and in its namespaces and #if sections. It runs first because these
// types are in scope in the whole file.
func (c *csharp) collectTopLevel(n node, space string) {
	for d := c.first(n); d != none; d = c.sibling(d) {
		switch c.kind(d) {
		case csUsing:
			c.using(d, space)
		case csFileNamespace:
			space = joinDots(space, c.nameText(c.child(d, csfName)))
			c.addNamespace(space)
		case csNamespace:
			inner := joinDots(space, c.nameText(c.child(d, csfName)))
			c.addNamespace(inner)
			c.collectTopLevel(c.child(d, csfBody), inner)
		case csNamespaceWord: // of a block left open
			if c.isError(n) {
				space = joinDots(space, c.nameText(c.sibling(d)))
				c.addNamespace(space)
			}
		case csPreprocIf, csPreprocElif, csPreprocElse:
			c.collectTopLevel(d, space)
		case csClassWord, csStructWord, csRecordWord, csInterfaceWord, csEnumWord:
			if name := c.sibling(d); c.isError(n) && c.kind(name) == csIdentifier {
				c.topType(c.identifier(name), space)
			}
		case csClass, csStruct, csRecord, csInterface, csEnum, csDelegate:
			c.topType(c.identifier(c.child(d, csfName)), space)
		default:
			if c.isError(d) {
				c.collectTopLevel(d, space)
			}
		}
	}
}

// topType binds a type declared outside of types. The namespace of the first such
// type becomes the file's package.
func (c *csharp) topType(name, space string) {
	c.names.bind(binding{name: name, what: bindTop, isType: true})
	if !c.packageKnown {
		c.facts.Package, c.packageKnown = space, true
	}
}

// addNamespace adds a namespace and its enclosing namespaces to the known ones.
func (c *csharp) addNamespace(space string) {
	for space != "" && !c.namespaces[space] {
		c.namespaces[space] = true
		space = space[:max(strings.LastIndexByte(space, '.'), 0)]
	}
}

// joinDots returns a.b. If that is longer than any real name, it returns a alone, because
// hostile nesting of namespaces must not cost the square of its depth.
func joinDots(a, b string) string {
	switch {
	case a == "" || b == "":
		return a + b
	case len(a)+len(b) > maxDotted:
		return a
	}
	return a + "." + b
}

// maxDotted is the length in bytes of the longest dotted name.
const maxDotted = 2048

// nameText returns the text of a dotted name without white space and comments.
func (c *csharp) nameText(n node) string {
	switch c.kind(n) {
	case csQualifiedName:
		return joinDots(c.nameText(c.child(n, csfQualifier)), c.nameText(c.child(n, csfName)))
	case csAliasQualified:
		return c.nameText(c.child(n, csfName))
	case csGenericName:
		return c.identifier(c.firstNamed(n))
	case csIdentifier:
		return c.identifier(n)
	}
	return ""
}

// identifier returns the name of an identifier, without the @ that turns a keyword into a name.
func (c *csharp) identifier(n node) string { return strings.TrimPrefix(c.str(n), "@") }

// fileDoc sets the file's documentation to that of its first type, because a C#
// file usually holds one type and has no comment of its own.
func (c *csharp) fileDoc() {
	for i := range c.facts.Symbols {
		if s := &c.facts.Symbols[i]; s.Parent < 0 && s.Kind.IsType() {
			c.facts.Doc = s.Doc
			return
		}
	}
}

// declaration reads n if it declares something and reports whether it did.
func (c *csharp) declaration(n node) bool {
	switch c.kind(n) {
	case csClass:
		c.typeDeclaration(n, code.KindClass)
	case csStruct:
		c.typeDeclaration(n, code.KindStruct)
	case csRecord:
		k := code.KindClass
		if c.has(n, csStructWord) {
			k = code.KindStruct
		}
		c.typeDeclaration(n, k)
	case csInterface:
		c.typeDeclaration(n, code.KindInterface)
	case csEnum:
		c.typeDeclaration(n, code.KindEnum)
	case csEnumMember:
		c.enumMember(n)
	case csDelegate:
		c.function(n, code.KindType)
	case csMethod:
		c.function(n, code.KindMethod)
	case csConstructor:
		c.function(n, code.KindConstructor)
	case csDestructor, csOperator, csConversion:
		c.function(n, code.KindMethod)
	case csProperty, csIndexer, csEvent:
		c.property(n)
	case csField, csEventField:
		c.fieldDeclaration(n)
	default:
		return false
	}
	return true
}

// declStart returns the offset at which the declaration n begins, after its attributes.
func (c *csharp) declStart(n node) uint32 {
	for d := c.first(n); d != none; d = c.sibling(d) {
		if !isAttributes(c.kind(d)) && !c.isExtra(d) {
			return c.start(d)
		}
	}
	return c.start(n)
}

// isAttributes reports whether a node holds attributes.
func isAttributes(k kind) bool { return k == csAttributeList || k == csAttributeIf }

// hasModifier reports whether n has the modifier whose keyword is of kind k.
func (c *csharp) hasModifier(n node, k kind) bool {
	for d := c.first(n); d != none; d = c.sibling(d) {
		if c.kind(d) == csModifier && c.kind(c.first(d)) == k {
			return true
		}
	}
	return false
}

// visible reports whether other files can see the declaration n.
func (c *csharp) visible(n node) bool {
	public := c.class.iface || c.class.name == "" || c.has(n, csExplicit)
	for d := c.first(n); d != none; d = c.sibling(d) {
		if c.kind(d) != csModifier {
			continue
		}
		switch c.kind(c.first(d)) {
		case csPublic, csProtected, csInternal:
			return true // private protected is protected
		case csPrivate, csFile:
			public = false
		}
	}
	return public
}

// symbol declares the symbol of n, whose name begins at byte nameStart. Its signature
// ends at byte sigEnd. ok is false without a name.
func (c *csharp) symbol(n node, s code.Symbol, nameStart, sigEnd uint32) (sym int32, ok bool) {
	if s.Name == "" {
		return -1, false
	}
	if s.Span.End == 0 {
		start := c.declStart(n)
		s.Span = c.spanBetween(start, c.end(n))
		s.Signature = c.signatureWithout(n, start, sigEnd)
	}
	s.NameStart = nameStart
	s.Doc = xmlDoc(c.docBefore(c.start(n), isXMLDoc))
	sym = c.file.declare(s)
	if s.Exported && c.owner < 0 {
		c.facts.Exports = append(c.facts.Exports, code.Export{Name: s.Name, Local: s.Name, From: -1, Line: s.Span.Line})
	}
	return sym, true
}

// namedSymbol is like symbol, for a declaration whose name is an identifier.
func (c *csharp) namedSymbol(n, name node, s code.Symbol, sigEnd uint32) (sym int32, ok bool) {
	s.Name = c.identifier(name)
	s.Exported = s.Exported && !c.isHidden()
	return c.symbol(n, s, c.start(name), sigEnd)
}

// isHidden reports whether declarations at the current position are invisible to other files.
func (c *csharp) isHidden() bool { return c.inBody || c.inPrivate }

// signatureWithout returns the signature from start to end without attributes and
// lines of the preprocessor.
func (c *csharp) signatureWithout(n node, start, end uint32) string {
	if strings.IndexByte(c.tree.text[start:max(start, end)], '#') >= 0 {
		return c.signatureLines(start, end)
	}
	var out string
	for d := n + 1; d < c.after(n) && c.start(d) < end; d++ {
		if !isAttributes(c.kind(d)) {
			continue
		}
		if c.start(d) > start {
			out += c.signature(start, c.start(d))
			if !strings.HasSuffix(out, "(") {
				out += " "
			}
		}
		start = max(start, c.end(d))
		d = c.after(d) - 1
		if len(out) > code.MaxSignature {
			break
		}
	}
	return lexical.Cut(strings.TrimRight(out+c.signature(start, end), " ;,="), code.MaxSignature)
}

// signatureLines returns the signature of a declaration that contains #if, with the text
// of all branches one after the other.
func (c *csharp) signatureLines(start, end uint32) string {
	var out []string
	for line := range strings.SplitAfterSeq(c.tree.text[start:min(end, start+signatureSource)], "\n") {
		if !strings.HasPrefix(strings.TrimLeft(line, " \t"), "#") {
			out = append(out, c.signature(start, start+uint32(len(line))))
		}
		start += uint32(len(line))
	}
	return lexical.Cut(strings.TrimRight(strings.TrimSpace(strings.Join(out, " ")), " ;,="), code.MaxSignature)
}

// bodyStart returns the offset at which n's body begins, or the end of n if it has none.
func (c *csharp) bodyStart(n node) uint32 {
	for d := c.first(n); d != none; d = c.sibling(d) {
		switch c.nodeField(d) {
		case csfBody, csfAccessors:
			return c.start(d)
		case csfValue:
			if c.kind(d) == csArrow {
				return c.start(d)
			}
		}
	}
	return c.end(n)
}

// typeDeclaration reads a class, struct, record, interface or enum.
func (c *csharp) typeDeclaration(n node, k code.Kind) {
	name, list := c.child(n, csfName), c.childKind(n, csParameters)
	s := code.Symbol{Kind: k, Params: c.params(list), Exported: c.visible(n)}
	if c.inBody {
		c.names.bind(binding{name: c.identifier(name), what: bindNested, isType: true})
	}
	exported := s.Exported
	sym, ok := c.namedSymbol(n, name, s, c.bodyStart(n))
	saved, before := *c, c.owner
	if ok {
		before = c.enter(sym)
	}
	bases := c.childKind(n, csBaseList)
	c.class = csTypeScope{
		name: c.identifier(name), base: c.typeName(c.baseType(c.firstNamed(bases))), iface: hasPublicMembers(k), own: c.ownRef(n, name),
	}
	c.inBody, c.inPrivate = false, c.isHidden() || !exported
	c.names.push()
	c.bindGenerics(n)
	body := c.child(n, csfBody)
	c.bindMembers(body)
	for d := c.first(n); d != none; d = c.sibling(d) {
		switch {
		case d == name:
		case d == list && c.kind(n) == csRecord:
			c.recordComponents(d)
		case d == bases:
			from := len(c.facts.Refs)
			c.baseList(d, k)
			c.class.parent = findRef(c.facts.Refs[from:], code.RefInherit)
		default:
			c.walk(d)
		}
	}
	c.names.pop()
	c.class, c.inBody, c.inPrivate = saved.class, saved.inBody, saved.inPrivate
	c.leave(before)
}

// ownRef returns a reference to the type that n declares.
func (c *csharp) ownRef(n, name node) code.Ref {
	from := len(c.facts.Refs)
	c.typeRef(name, code.RefCall)
	r := c.takeRef(from, code.RefCall)
	if list := c.childKind(n, csTypeParameters); list != none {
		r.Args = c.arity(list)
	}
	return r
}

// hasPublicMembers reports whether the members of a kind of type are public unless
// their modifiers restrict that.
func hasPublicMembers(k code.Kind) bool { return k == code.KindInterface || k == code.KindEnum }

// baseType returns the type in an entry of a list of base types.
func (c *csharp) baseType(n node) node {
	if c.kind(n) == csPrimaryBase {
		return c.child(n, csfType)
	}
	return n
}

// baseList records references to the base types. Only the convention that names
// of interfaces begin with I tells the interfaces of a class from its base class.
func (c *csharp) baseList(n node, k code.Kind) {
	for d := c.firstNamed(n); d != none; d = c.nextNamed(d) {
		if c.kind(d) == csArguments {
			c.walk(d)
			continue
		}
		t, kind := c.baseType(d), code.RefInherit
		if k == code.KindStruct || k == code.KindClass && isInterfaceName(c.lastName(t)) {
			kind = code.RefImplement
		}
		c.typeRef(t, kind)
		if t != d {
			c.walk(c.childKind(d, csArguments))
		}
	}
}

// isInterfaceName reports whether a name is that of an interface by convention: an I followed by a capital letter.
func isInterfaceName(s string) bool {
	return lexical.ByteAt(s, 0) == 'I' && lexical.IsCapital(lexical.ByteAt(s, 1))
}

// lastName returns the last simple name of a type.
func (c *csharp) lastName(n node) string {
	text := c.nameText(n)
	return text[strings.LastIndexByte(text, '.')+1:]
}

// bindMembers binds the members of a type's body before the body is read, because
// they are in scope in all of it. Members with a type come last, so that they are
// found before methods and nested types of the same name.
func (c *csharp) bindMembers(body node) {
	c.eachMember(body, func(d node) {
		switch c.kind(d) {
		case csMethod:
			c.names.bind(binding{name: c.identifier(c.child(d, csfName)), what: bindNested})
		case csClass, csStruct, csRecord, csInterface, csEnum, csDelegate:
			c.names.bind(binding{name: c.identifier(c.child(d, csfName)), what: bindNested, isType: true})
		}
	})
	c.eachMember(body, func(d node) {
		switch c.kind(d) {
		case csEnumMember:
			c.bindField(c.child(d, csfName), c.class.name, "")
		case csProperty, csEvent:
			if !c.has(d, csExplicit) {
				c.bindField(c.child(d, csfName), c.typeName(c.child(d, csfType)), c.declaredElement(c.child(d, csfType)))
			}
		case csField, csEventField:
			vars := c.childKind(d, csDeclaration)
			typ, elem := c.typeName(c.child(vars, csfType)), c.declaredElement(c.child(vars, csfType))
			for v := c.first(vars); v != none; v = c.sibling(v) {
				if c.kind(v) == csDeclarator {
					c.bindField(c.child(v, csfName), typ, elem)
				}
			}
		}
	})
}

// eachMember calls f for the members in a type's body, including those in #if sections.
func (c *csharp) eachMember(body node, f func(node)) {
	for d := c.first(body); d != none; d = c.sibling(d) {
		switch c.kind(d) {
		case csPreprocIf, csPreprocElif, csPreprocElse:
			c.eachMember(d, f)
		default:
			f(d)
		}
	}
}

func (c *csharp) bindField(n node, typ, elem string) {
	name := c.identifier(n)
	c.names.bind(binding{name: name, what: bindNested, typ: typ, expr: elem})
	if typ != "" {
		c.fields[csMember{c.class.name, name}] = typ
	}
	if elem != "" {
		c.elements[csMember{c.class.name, name}] = elem
	}
}

// recordComponents declares the positional parameters of a record as its properties.
func (c *csharp) recordComponents(list node) {
	for p := c.firstNamed(list); p != none; p = c.nextNamed(p) {
		name, typ := c.child(p, csfName), c.child(p, csfType)
		if c.kind(p) != csParameter {
			continue
		}
		sym, ok := c.namedSymbol(p, name, code.Symbol{Kind: code.KindField, Exported: true}, c.end(name))
		if !ok {
			continue
		}
		c.facts.Symbols[sym].Exported = c.facts.Symbols[c.owner].Exported
		c.bindField(name, c.typeName(typ), c.declaredElement(typ))
		before := c.enter(sym)
		for d := c.first(p); d != none; d = c.sibling(d) {
			if d != name {
				c.walkPart(d)
			}
		}
		c.leave(before)
	}
}

func (c *csharp) enumMember(n node) {
	name, value := c.child(n, csfName), c.child(n, csfValue)
	end := c.end(name)
	if c.isLiteral(value) {
		end = c.end(value)
	}
	sym, ok := c.namedSymbol(n, name, code.Symbol{Kind: code.KindEnumMember, Exported: true}, end)
	before := c.owner
	if ok {
		before = c.enter(sym)
	}
	for d := c.first(n); d != none; d = c.sibling(d) {
		if d != name {
			c.walk(d)
		}
	}
	c.leave(before)
}

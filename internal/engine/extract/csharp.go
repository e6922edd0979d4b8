package extract

import (
	"strings"

	"ken/internal/code"
)

// csharp reads a C# file. Types and namespaces are in this file, members in
// csharp_member.go, types in use and usings in csharp_type.go, statements in
// csharp_stmt.go, expressions in csharp_expr.go, documentation in csharp_doc.go.
//
// A namespace is no symbol: the one that holds the file's first type is the
// file's package. Both sides of #if are read. A symbol is exported if neither it
// nor a type around it is private (or local to the file); a member without
// access modifier is private, but for those of interfaces and enums.
type csharp struct {
	*file
	class   csOwner
	inBody  bool // inside a member's body or initializer
	placed  bool // a type was met: the file's package is known
	space   string
	spaces  map[string]bool // the namespaces the file names and their prefixes
	uses    map[string]int32
	fields  map[csMember]string // declared types of fields and properties
	private bool                // a type around is private
	static  bool                // a using static could bind any name
}

// csOwner is the type around the walk's position.
type csOwner struct {
	name  string // "" outside
	base  string // its first base type, "" if it names none
	iface bool   // members are public
}

type csMember struct{ class, name string }

func walkCSharp(f *file) {
	c := &csharp{file: f, spaces: map[string]bool{}, uses: map[string]int32{}, fields: map[csMember]string{}}
	c.names.push()
	c.survey(root, "")
	c.hoist(root)
	if c.isError(root) {
		c.broken(root)
	} else {
		c.children(root)
	}
	c.names.pop()
	c.fileDoc()
}

// survey reads usings and namespaces and binds the types declared outside types,
// in n and the namespaces and conditions in it.
func (c *csharp) survey(n node, space string) {
	for d := c.first(n); d != none; d = c.sibling(d) {
		switch c.kind(d) {
		case csUsing:
			c.using(d)
		case csFileNamespace:
			space = joinDots(space, c.nameText(c.child(d, csfName)))
			c.know(space)
		case csNamespace:
			inner := joinDots(space, c.nameText(c.child(d, csfName)))
			c.know(inner)
			c.survey(c.child(d, csfBody), inner)
		case csNamespaceWord: // of a block left open
			if c.isError(n) {
				space = joinDots(space, c.nameText(c.sibling(d)))
				c.know(space)
			}
		case csPreprocIf, csPreprocElif, csPreprocElse:
			c.survey(d, space)
		case csClassWord, csStructWord, csRecordWord, csInterfaceWord, csEnumWord:
			if name := c.sibling(d); c.isError(n) && c.kind(name) == csIdentifier {
				c.topType(c.plain(name), space)
			}
		case csClass, csStruct, csRecord, csInterface, csEnum, csDelegate:
			c.topType(c.plain(c.child(d, csfName)), space)
		default:
			if c.isError(d) {
				c.survey(d, space)
			}
		}
	}
}

// topType binds a type declared outside types. The first one tells the file's
// package.
func (c *csharp) topType(name, space string) {
	c.names.bind(binding{name: name, what: bindTop, isType: true})
	if !c.placed {
		c.facts.Package, c.placed = space, true
	}
}

// know notes a namespace and those around it.
func (c *csharp) know(space string) {
	for space != "" && !c.spaces[space] {
		c.spaces[space] = true
		space = space[:max(strings.LastIndexByte(space, '.'), 0)]
	}
}

// joinDots is a.b, or a alone where that would be longer than any name is: a
// hostile nest of namespaces must not cost the square of its depth.
func joinDots(a, b string) string {
	switch {
	case a == "" || b == "":
		return a + b
	case len(a)+len(b) > maxDotted:
		return a
	}
	return a + "." + b
}

// maxDotted is the number of bytes a dotted name may have.
const maxDotted = 2048

// nameText is a dotted name without white space and comments.
func (c *csharp) nameText(n node) string {
	switch c.kind(n) {
	case csQualifiedName:
		return joinDots(c.nameText(c.child(n, csfQualifier)), c.nameText(c.child(n, csfName)))
	case csAliasQualified:
		return c.nameText(c.child(n, csfName))
	case csGenericName:
		return c.plain(c.firstNamed(n))
	case csIdentifier:
		return c.plain(n)
	}
	return ""
}

// plain is an identifier without the @ that makes one of a keyword.
func (c *csharp) plain(n node) string { return strings.TrimPrefix(c.str(n), "@") }

// fileDoc is the comment on the first type: a C# file is its type.
func (c *csharp) fileDoc() {
	for i := range c.facts.Symbols {
		if s := &c.facts.Symbols[i]; s.Parent < 0 && s.Kind.IsType() {
			c.facts.Doc = s.Doc
			return
		}
	}
}

// namespace reads the declarations of a namespace block.
func (c *csharp) namespace(n node) {
	before := c.space
	c.space = joinDots(before, c.nameText(c.child(n, csfName)))
	c.walk(c.child(n, csfBody))
	c.space = before
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

// declStart is where the declaration n begins without the attributes in front.
func (c *csharp) declStart(n node) uint32 {
	for d := c.first(n); d != none; d = c.sibling(d) {
		if k := c.kind(d); k != csAttributeList && k != csAttributeIf && !c.isExtra(d) {
			return c.start(d)
		}
	}
	return c.start(n)
}

// hasModifier reports whether n bears the modifier. Its word is the one child of
// a modifier node.
func (c *csharp) hasModifier(n node, k kind) bool {
	for d := c.first(n); d != none; d = c.sibling(d) {
		if c.kind(d) == csModifier && c.kind(c.first(d)) == k {
			return true
		}
	}
	return false
}

// visible reports whether the declaration n can be seen from other files.
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

// symbol declares the symbol of n, whose name is written at bytes [start, end).
// Its signature ends at byte sig. ok is false without a name.
func (c *csharp) symbol(n node, s code.Symbol, at uint32, sig uint32) (sym int32, ok bool) {
	if s.Name == "" {
		return -1, false
	}
	if s.Span.End == 0 {
		start := c.declStart(n)
		s.Span = c.spanOf(start, c.end(n))
		s.Signature = c.signatureWithout(n, start, sig)
	}
	s.NameStart = at
	s.Doc = xmlDoc(c.docBefore(c.start(n), isXMLDoc))
	sym = c.file.declare(s)
	if s.Exported && c.owner < 0 {
		c.facts.Exports = append(c.facts.Exports, code.Export{Name: s.Name, Local: s.Name, From: -1, Line: s.Span.Line})
	}
	return sym, true
}

// named is symbol for a declaration whose name is an identifier.
func (c *csharp) named(n, name node, s code.Symbol, sig uint32) (sym int32, ok bool) {
	s.Name = c.plain(name)
	s.Exported = s.Exported && !c.inBody && !c.private
	return c.symbol(n, s, c.start(name), sig)
}

// signatureWithout is the signature from start to end without attributes and
// lines of the preprocessor.
func (c *csharp) signatureWithout(n node, start, end uint32) string {
	if strings.IndexByte(c.tree.text[start:max(start, end)], '#') >= 0 {
		return c.signatureLines(start, end)
	}
	var out string
	for d := n + 1; d < c.after(n) && c.start(d) < end; d++ {
		if k := c.kind(d); k != csAttributeList && k != csAttributeIf {
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
	return cut(strings.TrimRight(out+c.signature(start, end), " ;,="), code.MaxSignature)
}

// signatureLines is the signature of a declaration with conditions in it: all
// their sides, one behind the other.
func (c *csharp) signatureLines(start, end uint32) string {
	var out []string
	for line := range strings.SplitAfterSeq(c.tree.text[start:min(end, start+signatureSource)], "\n") {
		if !strings.HasPrefix(strings.TrimLeft(line, " \t"), "#") {
			out = append(out, c.signature(start, start+uint32(len(line))))
		}
		start += uint32(len(line))
	}
	return cut(strings.TrimRight(strings.TrimSpace(strings.Join(out, " ")), " ;,="), code.MaxSignature)
}

// bodyStart is where n's body begins, or n's end without one.
func (c *csharp) bodyStart(n node) uint32 {
	for d := c.first(n); d != none; d = c.sibling(d) {
		if f := c.fieldOf(d); f == csfBody || f == csfAccessors || f == csfValue && c.kind(d) == csArrow {
			return c.start(d)
		}
	}
	return c.end(n)
}

// typeDeclaration reads a class, struct, record, interface or enum.
func (c *csharp) typeDeclaration(n node, k code.Kind) {
	name, list := c.child(n, csfName), c.childOf(n, csParameters)
	s := code.Symbol{Kind: k, Params: c.params(list), Exported: c.visible(n)}
	if c.inBody {
		c.names.bind(binding{name: c.plain(name), what: bindNested, isType: true})
	}
	exported := s.Exported
	sym, ok := c.named(n, name, s, c.bodyStart(n))
	saved, before := *c, c.owner
	if ok {
		before = c.enter(sym)
	}
	bases := c.childOf(n, csBaseList)
	c.class = csOwner{c.plain(name), c.typeName(c.baseType(c.firstNamed(bases))), k == code.KindInterface || k == code.KindEnum}
	c.inBody, c.private = false, c.private || saved.inBody || !exported
	c.names.push()
	c.bindGenerics(n)
	body := c.child(n, csfBody)
	c.bindMembers(body)
	for d := c.first(n); d != none; d = c.sibling(d) {
		switch {
		case d == name:
		case d == list && c.kind(n) == csRecord:
			c.components(d)
		case d == bases:
			c.baseList(d, k)
		default:
			c.walk(d)
		}
	}
	c.names.pop()
	c.class, c.inBody, c.private = saved.class, saved.inBody, saved.private
	c.leave(before)
}

// baseType is the type of an entry of a base list.
func (c *csharp) baseType(n node) node {
	if c.kind(n) == csPrimaryBase {
		return c.child(n, csfType)
	}
	return n
}

// baseList reads the base types. Nothing but the convention of a leading I tells
// a class's base class from its interfaces.
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
			c.walk(c.childOf(d, csArguments))
		}
	}
}

// isInterfaceName reports whether a name follows the convention of interfaces.
func isInterfaceName(s string) bool { return len(s) > 1 && s[0] == 'I' && s[1] >= 'A' && s[1] <= 'Z' }

// lastName is the last simple name of a type.
func (c *csharp) lastName(n node) string {
	text := c.nameText(n)
	return text[strings.LastIndexByte(text, '.')+1:]
}

// bindMembers binds what a type's body declares: it is in scope throughout.
// Members with a type come last, so that they are found before methods and
// nested types of the same name.
func (c *csharp) bindMembers(body node) {
	c.eachMember(body, func(d node) {
		switch c.kind(d) {
		case csMethod:
			c.names.bind(binding{name: c.plain(c.child(d, csfName)), what: bindNested})
		case csClass, csStruct, csRecord, csInterface, csEnum, csDelegate:
			c.names.bind(binding{name: c.plain(c.child(d, csfName)), what: bindNested, isType: true})
		}
	})
	c.eachMember(body, func(d node) {
		switch c.kind(d) {
		case csEnumMember:
			c.bindField(c.plain(c.child(d, csfName)), c.class.name)
		case csProperty, csEvent:
			if !c.has(d, csExplicit) {
				c.bindField(c.plain(c.child(d, csfName)), c.typeName(c.child(d, csfType)))
			}
		case csField, csEventField:
			vars := c.childOf(d, csDeclaration)
			typ := c.typeName(c.child(vars, csfType))
			for v := c.first(vars); v != none; v = c.sibling(v) {
				if c.kind(v) == csDeclarator {
					c.bindField(c.plain(c.child(v, csfName)), typ)
				}
			}
		}
	})
}

// eachMember calls f for the members of a type's body, those under conditions too.
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

func (c *csharp) bindField(name, typ string) {
	c.names.bind(binding{name: name, what: bindNested, typ: typ})
	if typ != "" {
		c.fields[csMember{c.class.name, name}] = typ
	}
}

// components declares the positional parameters of a record as its properties.
func (c *csharp) components(list node) {
	for p := c.firstNamed(list); p != none; p = c.nextNamed(p) {
		name, typ := c.child(p, csfName), c.child(p, csfType)
		if c.kind(p) != csParameter {
			continue
		}
		sym, ok := c.named(p, name, code.Symbol{Kind: code.KindField, Exported: true}, c.end(name))
		if !ok {
			continue
		}
		c.facts.Symbols[sym].Exported = c.facts.Symbols[c.owner].Exported
		c.bindField(c.plain(name), c.typeName(typ))
		before := c.enter(sym)
		for d := c.first(p); d != none; d = c.sibling(d) {
			if d != name {
				c.part(d)
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
	sym, ok := c.named(n, name, code.Symbol{Kind: code.KindEnumMember, Exported: true}, end)
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

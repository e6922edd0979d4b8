package extract

import (
	"strings"
	"unicode/utf8"

	"ken/internal/code"
	"ken/internal/engine/extract/lexical"
)

// walkType reads the type of a declaration, and declares it if it has a body.
func (c *cxx) walkType(n node) {
	switch c.kind(n) {
	case cxStruct:
		c.record(n, n, code.KindStruct)
	case cxClass:
		c.record(n, n, code.KindClass)
	case cxUnion:
		c.record(n, n, code.KindUnion)
	case cxEnum:
		c.enum(n, n)
	default:
		c.typeRef(n, code.RefType)
	}
}

// record reads a struct, class or union; head is the template around it, the
// typedef that names it, or n itself. Without a body it is a reference to the
// name, or a forward declaration, which makes no symbol.
func (c *cxx) record(n, head node, k code.Kind) {
	name, body := c.child(n, cxfName), c.child(n, cxfBody)
	if body == none {
		c.typeRef(name, code.RefType)
		return
	}
	x := c.declarator(name)
	if x.name == "" { // members of a nameless type belong to the outer type
		c.bases(n)
		c.fieldList(body)
		return
	}
	c.scopeNames(name)
	c.specialization(name, x)
	s := code.Symbol{Name: x.name, Kind: k, NameStart: c.start(x.nameNode), Exported: c.access != cxxPrivate}
	c.declareType(n, head, body, s, x.quals)
}

// specialization records the references in the name of a specialization of a template: the template itself, and its arguments.
func (c *cxx) specialization(name node, x cxxName) {
	for c.kind(name) == cxQualified {
		name = c.child(name, cxfName)
	}
	if c.kind(name) == cxTemplateType {
		c.ref(x.nameNode, c.plain(x.name, code.RefType))
		c.walk(c.child(name, cxfArguments))
	}
}

// declareType declares a type with a body and reads its members.
func (c *cxx) declareType(n, head, body node, s code.Symbol, quals string) {
	s.Span = c.headSpan(head)
	s.Signature = strings.TrimSpace(c.signature(c.headStart(head), c.start(body)))
	s.Doc = c.doc(c.docStart(c.outerDeclaration(head)))
	saved := c.save()
	sym := c.symbol(s, quals)
	c.enter(sym)
	c.container, c.class, c.inBody = c.facts.Symbols[sym].Qualified, s.Name, false
	c.members[cxxMember{s.Name, ""}] = ""
	c.openClass = c.has(n, cxBases)
	c.access = cxxPublic
	if s.Kind == code.KindClass {
		c.access = cxxPrivate
	}
	c.names.push()
	c.bases(n)
	c.bindMembers(body)
	c.fieldList(body)
	c.names.pop()
	c.restore(saved)
}

// outerDeclaration returns the declaration that contains the type n. Its doc comment
// is also that of the type: the comment above `static struct a {…} b;` is about both.
func (c *cxx) outerDeclaration(n node) node {
	switch p := c.parent(n); c.kind(p) {
	case cxDeclaration, cxField, cxTypedef, cxTemplate:
		return p
	}
	return n
}

// bases records references to the base classes of a class.
func (c *cxx) bases(n node) {
	for b := c.firstNamed(c.childKind(n, cxBases)); b != none; b = c.nextNamed(b) {
		switch c.kind(b) {
		case cxTypeIdentifier, cxQualified, cxTemplateType:
			c.typeRef(b, code.RefInherit)
		case cxAccess:
		default:
			c.walk(b)
		}
	}
}

// bindMembers collects the members that a class body declares before the body is
// read, because they are in scope in all of it.
func (c *cxx) bindMembers(body node) {
	for m := c.first(body); m != none; m = c.sibling(m) {
		switch c.kind(m) {
		case cxTemplate:
			c.bindMembers(m)
		case cxPreprocIf, cxPreprocIfdef, cxPreprocElse, cxPreprocElif, cxPreprocElifdef:
			c.bindMembers(m)
		case cxField, cxDeclaration, cxFunction:
			typ := c.typeName(c.child(m, cxfType))
			for d := c.first(m); d != none; d = c.sibling(d) {
				if c.nodeField(d) == cxfDeclarator {
					c.bindMember(c.declarator(d), typ)
				}
			}
		}
	}
}

// bindMember collects one member of the enclosing class.
func (c *cxx) bindMember(x cxxName, typ string) {
	if x.name != "" && x.quals == "" {
		c.members[cxxMember{c.class, x.name}] = typ
	}
}

// fieldList reads the members of a class. A label such as `private:` holds until
// the next one.
func (c *cxx) fieldList(body node) {
	for m := c.first(body); m != none; m = c.sibling(m) {
		c.walk(m)
	}
}

func (c *cxx) accessLabel(n node) {
	switch strings.TrimSpace(c.str(n)) {
	case "private":
		c.access = cxxPrivate
	case "protected":
		c.access = cxxProtected
	case "public":
		c.access = cxxPublic
	}
}

// enum reads an enum; head is n or the typedef that names it.
func (c *cxx) enum(n, head node) {
	name, body := c.child(n, cxfName), c.child(n, cxfBody)
	if body == none {
		c.typeRef(name, code.RefType)
		return
	}
	x := c.declarator(name)
	s := code.Symbol{Name: x.name, Kind: code.KindEnum, NameStart: c.start(x.nameNode), Exported: c.access != cxxPrivate}
	c.declareEnum(n, head, body, s, x.quals)
}

// declareEnum declares an enum, if it has a name, and its enumerators.
func (c *cxx) declareEnum(n, head, body node, s code.Symbol, quals string) {
	saved := c.save()
	if s.Name != "" {
		s.Span = c.headSpan(head)
		s.Signature = strings.TrimSpace(c.signature(c.headStart(head), c.start(body)))
		s.Doc = c.doc(c.docStart(c.outerDeclaration(head)))
		c.enter(c.symbol(s, quals))
		if c.scopedEnum(n) {
			c.container = c.facts.Symbols[c.owner].Qualified
		}
	}
	if base := c.child(n, cxfUnderlying); base != none {
		c.typeRef(base, code.RefType)
	}
	c.enumerators(body)
	c.restore(saved)
}

// scopedEnum reports whether n is an `enum class`, whose enumerators are members of it.
func (c *cxx) scopedEnum(n node) bool {
	word := c.sibling(c.first(n))
	return c.cpp && !c.isNamed(word) && (c.str(word) == "class" || c.str(word) == "struct")
}

func (c *cxx) enumerators(body node) {
	for m := c.first(body); m != none; m = c.sibling(m) {
		switch c.kind(m) {
		case cxEnumerator:
			c.enumerator(m)
		case cxPreprocIf, cxPreprocIfdef, cxPreprocElse, cxPreprocElif, cxPreprocElifdef:
			c.enumerators(m)
		case cxIdentifier: // the condition of #ifdef, a macro that makes enumerators
			c.walk(m)
		default:
			if c.isError(m) || c.isNamed(m) {
				c.walk(m)
			}
		}
	}
}

func (c *cxx) enumerator(m node) {
	name, value := c.child(m, cxfName), c.child(m, cxfValue)
	if c.str(name) == "" {
		return
	}
	s := code.Symbol{Name: c.str(name), Kind: code.KindEnumMember, NameStart: c.start(name), Span: c.span(m)}
	s.Exported = c.access != cxxPrivate
	s.Signature = c.signature(c.start(m), c.end(m))
	if s.Doc = c.doc(c.start(m)); s.Doc == "" {
		s.Doc = c.trailingDoc(c.end(m))
	}
	sym := c.symbol(s, "")
	before := c.enter(sym)
	c.walk(value)
	c.leave(before)
}

// typedef reads `typedef T a, *b`. A type without a name takes the first declared
// name that is not that of a pointer, or else that of the pointer, and the two make one symbol.
func (c *cxx) typedef(n node) {
	typ := c.child(n, cxfType)
	tag := c.fieldStr(typ, cxfName)
	owner := none
	if tag == "" && c.child(typ, cxfBody) != none {
		owner = c.typedefOwner(n)
	}
	if owner != none {
		x := c.declarator(owner)
		tag = x.name
		c.namedByTypedef(n, typ, x)
	}
	for d := c.first(n); d != none; d = c.sibling(d) {
		if c.nodeField(d) != cxfDeclarator {
			continue
		}
		if x := c.declarator(d); tag != "" && tag != x.name {
			c.aliases[x.name] = tag
		}
	}
	if owner == none {
		c.walk(typ)
	}
	for d := c.first(n); d != none; d = c.sibling(d) {
		if c.nodeField(d) != cxfDeclarator || d == owner {
			continue
		}
		switch x := c.declarator(d); {
		case x.nameNode == d && lexical.IsCWord(x.name) && c.kind(d) != cxTypeIdentifier:
			c.typedefBehind(n, d)
		case x.name != "" && !lexical.IsCKeyword(x.name):
			c.typedefName(n, typ, d, x, tag)
		}
	}
}

// typedefOwner returns the declarator after which a type without a name is called: the first that stands for the type itself, else the
// first pointer to it.
func (c *cxx) typedefOwner(n node) node {
	pointer := none
	for d := c.first(n); d != none; d = c.sibling(d) {
		if c.nodeField(d) != cxfDeclarator {
			continue
		}
		x := c.declarator(d)
		if x.isPlain() {
			return d
		}
		if pointer == none && x.name != "" && x.fn == none {
			pointer = d
		}
	}
	return pointer
}

// typedefBehind declares the name of a typedef whose type ends in a word such as long.
// The grammar takes that word for the name, and the real name for an error.
func (c *cxx) typedefBehind(n, word node) {
	name := strings.TrimLeft(c.text[c.end(word):c.end(n)], " \t\r\n")
	start := c.end(n) - uint32(len(name))
	name = strings.TrimRight(name, "; \t\r\n")
	notWord := func(r rune) bool { return r < utf8.RuneSelf && !lexical.IsWord(byte(r)) }
	if name == "" || !lexical.IsWordStart(name[0]) || strings.ContainsFunc(name, notWord) {
		return
	}
	s := code.Symbol{Name: name, Kind: code.KindType, NameStart: start, Exported: c.access != cxxPrivate, Span: c.span(n)}
	s.Signature = lexical.Cut(strings.TrimRight(c.signature(c.start(n), c.end(n)), " ;"), code.MaxSignature)
	s.Doc = c.doc(c.docStart(n))
	c.symbol(s, "")
	c.behind = append(c.behind, start)
}

// isPlain reports whether the declared name stands for the type itself, not for
// a pointer to it or a function that returns it.
func (x *cxxName) isPlain() bool { return x.name != "" && x.ptr == "" && x.fn == none }

// namedByTypedef declares the type and its name in `typedef struct {…} name`.
func (c *cxx) namedByTypedef(n, typ node, x cxxName) {
	s := code.Symbol{Name: x.name, NameStart: c.start(x.nameNode), Exported: c.access != cxxPrivate}
	body := c.child(typ, cxfBody)
	switch c.kind(typ) {
	case cxEnum:
		s.Kind = code.KindEnum
		c.declareEnum(typ, n, body, s, "")
		return
	case cxUnion:
		s.Kind = code.KindUnion
	default:
		s.Kind = code.KindStruct
	}
	c.declareType(typ, n, body, s, "")
}

// typedefName declares a typedef's name for a type. `typedef struct a {…} a` makes
// two symbols, because tags and type names are two name spaces in C.
func (c *cxx) typedefName(n, typ, d node, x cxxName, tag string) {
	if c.inBody {
		c.names.bind(binding{name: x.name, what: bindLocal, isType: true})
	}
	s := code.Symbol{Name: x.name, Kind: code.KindType, NameStart: c.start(x.nameNode), Exported: c.access != cxxPrivate, Span: c.span(n)}
	if b := c.child(typ, cxfBody); b != none {
		s.Signature = strings.TrimSpace(c.signature(c.start(n), c.start(b))) + " " + c.signature(c.start(d), c.end(d))
		if c.child(typ, cxfName) == none && tag != "" {
			s.Signature = "typedef " + tag + " " + c.signature(c.start(d), c.end(d))
		}
		s.Span = c.span(d)
	} else {
		s.Signature = c.signature(c.start(n), c.end(n))
	}
	s.Signature = lexical.Cut(strings.TrimRight(s.Signature, " ;"), code.MaxSignature)
	s.Doc = c.doc(c.docStart(n))
	before := c.enter(c.symbol(s, ""))
	c.declaratorRefs(d, x)
	c.leave(before)
}

// alias reads `using name = type`.
func (c *cxx) alias(n, head node) {
	name := c.child(n, cxfName)
	if c.inBody {
		c.names.bind(binding{name: c.str(name), what: bindLocal, isType: true})
	}
	s := code.Symbol{Name: c.str(name), Kind: code.KindType, NameStart: c.start(name), Span: c.headSpan(head)}
	s.Exported = c.access != cxxPrivate
	s.Signature, s.Doc = strings.TrimRight(c.signature(c.headStart(head), c.end(n)), " ;"), c.doc(c.docStart(head))
	if s.Name == "" {
		return
	}
	before := c.enter(c.symbol(s, ""))
	c.walk(c.child(n, cxfType))
	c.leave(before)
	if list := c.standardContainer(c.child(c.child(n, cxfType), cxfType)); list != "" {
		c.lists[s.Name] = list
	}
}

func (c *cxx) concept(n, head node) {
	name := c.child(n, cxfName)
	s := code.Symbol{Name: c.str(name), Kind: code.KindType, NameStart: c.start(name), Span: c.headSpan(head), Exported: true}
	if s.Name == "" {
		return
	}
	s.Signature, s.Doc = strings.TrimRight(c.signature(c.headStart(head), c.end(name)), " ;"), c.doc(c.docStart(head))
	before := c.enter(c.symbol(s, ""))
	for m := c.sibling(name); m != none; m = c.sibling(m) {
		c.walk(m)
	}
	c.leave(before)
}

// template reads `template <…>` and the declaration after it.
func (c *cxx) template(n node) {
	head := n
	for c.kind(c.parent(head)) == cxTemplate {
		head = c.parent(head)
	}
	c.names.push()
	for m := c.first(n); m != none; m = c.sibling(m) {
		switch c.kind(m) {
		case cxTemplateParameters:
			c.templateParameters(m)
		case cxFunction:
			c.function(m, head)
		case cxDeclaration, cxField:
			c.declaration(m, head)
		case cxStruct:
			c.record(m, head, code.KindStruct)
		case cxClass:
			c.record(m, head, code.KindClass)
		case cxUnion:
			c.record(m, head, code.KindUnion)
		case cxAlias:
			c.alias(m, head)
		case cxConcept:
			c.concept(m, head)
		default:
			c.walk(m)
		}
	}
	c.names.pop()
}

// templateParameters binds the parameters of a template.
func (c *cxx) templateParameters(n node) {
	for p := c.firstNamed(n); p != none; p = c.nextNamed(p) {
		switch c.kind(p) {
		case cxTypeParameter, cxVariadicTypeParameter:
			c.names.bind(binding{name: c.str(c.childKind(p, cxTypeIdentifier)), what: bindLocal, isType: true})
		case cxOptionalTypeParameter:
			c.walk(c.child(p, cxfDefaultType))
			c.names.bind(binding{name: c.fieldStr(p, cxfName), what: bindLocal, isType: true})
		case cxTemplateTemplateParameter:
			for m := c.firstNamed(p); m != none; m = c.nextNamed(m) {
				if name := c.childKind(m, cxTypeIdentifier); name != none {
					c.names.bind(binding{name: c.str(name), what: bindLocal, isType: true})
				}
			}
		case cxParameter, cxOptionalParameter, cxVariadicParameter:
			c.parameter(p)
		default:
			c.walk(p)
		}
	}
}

// typeName returns a type's name in the form of Ref.Recv: the last name without
// template arguments, or the struct tag if the name is a typedef of this file. A smart
// pointer of the standard library counts as the type that it points to, because `p->f`
// is a member of that; any other type of the library is "std::".
func (c *cxx) typeName(n node) string {
	switch c.kind(n) {
	case cxTypeIdentifier, cxIdentifier:
		name := c.str(n)
		if b := c.names.lookup(name); b != nil && b.what == bindLocal && b.isType {
			return b.typ
		}
		if tag := c.aliases[name]; tag != "" {
			return tag
		}
		return name
	case cxStruct, cxClass, cxUnion, cxEnum, cxTemplateType:
		return c.typeName(c.child(n, cxfName))
	case cxTypeDescriptor:
		return c.typeName(c.child(n, cxfType))
	case cxDependentType:
		return c.typeName(c.firstNamed(n))
	case cxQualified:
		if c.fieldStr(n, cxfScope) == "std" {
			if c.kind(c.child(n, cxfName)) == cxQualified { // an iterator, a type argument
				return ""
			}
			return c.standardType(c.child(n, cxfName))
		}
		scope, name := c.scopeName(c.child(n, cxfScope)), c.typeName(c.child(n, cxfName))
		if lexical.IsUpper(scope) && !c.namespaces[scope] && name != "" && !strings.Contains(name, ".") {
			return scope + "." + name // a class around it, by the convention of their case
		}
		return name
	}
	return ""
}

func (c *cxx) standardType(n node) string {
	if c.kind(n) == cxTemplateType {
		switch c.fieldStr(n, cxfName) {
		case "unique_ptr", "shared_ptr", "weak_ptr", "reference_wrapper", "optional", "atomic":
			return c.typeName(c.firstNamed(c.child(n, cxfArguments)))
		}
	}
	return standardPrefix
}

// standardPrefix stands for every type of the standard library. Their members are
// not in the index and therefore not looked for.
const standardPrefix = "std::"

package extract

import (
	"strings"

	"ken/internal/code"
	"ken/internal/engine/extract/lexical"
)

func walkPHP(f *file) {
	p := &php{file: f, pathImports: map[string]int32{}, memberTypes: map[phpMember]string{}, globals: map[string]bool{}}
	p.names.push()
	p.survey(root, 0)
	if p.isError(root) {
		p.errorNode(root)
	} else {
		p.children(root)
	}
	if !p.packageKnown { // it declares nothing, and uses names of its namespace
		p.facts.Package = p.namespaceName
	}
	p.names.pop()
	if !p.packageKnown { // it declares nothing: its first namespace is the one of its uses
		p.facts.Package = p.firstSpace
	}
	p.fileDoc()
}

// maxSurvey is the depth to which survey looks for declarations in blocks outside of functions.
const maxSurvey = 8

// survey records the types of the members of all classes. It runs first, because
// code may use a member above its declaration.
func (p *php) survey(n node, depth int) {
	for c := p.first(n); c != none; c = p.sibling(c) {
		switch p.kind(c) {
		case phNamespace:
			if b := p.child(c, phfBody); b != none {
				p.survey(b, depth+1)
			}
		case phUse:
			p.useDeclaration(c)
		case phClass, phInterface, phTrait, phEnum:
			p.surveyClass(p.child(c, phfBody), p.fieldStr(c, phfName))
		case phIf, phBlock:
			if depth < maxSurvey {
				p.survey(c, depth+1)
			}
		default:
			if p.isError(c) && depth < maxSurvey {
				p.survey(c, depth+1)
			}
		}
	}
}

func (p *php) surveyClass(body node, class string) {
	for c := p.first(body); c != none; c = p.sibling(c) {
		switch p.kind(c) {
		case phProperty:
			typ := p.typeName(p.child(c, phfType))
			if typ == "" {
				typ = p.docVar(p.comment(p.start(c))).typ
			}
			for e := p.first(c); e != none; e = p.sibling(e) {
				if name := p.variableName(p.child(e, phfName)); p.kind(e) == phPropertyElement {
					if p.surveyElements(p.comment(p.start(c)), "var", class, name); typ != "" {
						p.memberTypes[phpMember{class, name}] = p.seenFrom(typ, class)
					}
				}
			}
		case phMethod:
			p.surveyMethod(c, class)
		}
	}
}

// surveyMethod records the result type of a method and the properties its parameters
// declare.
func (p *php) surveyMethod(n node, class string) {
	typ := p.typeName(p.child(n, phfReturn))
	if typ == "" {
		typ = p.docReturn(p.comment(p.start(n)))
	}
	if typ != "" {
		p.memberTypes[phpMember{class, p.fieldStr(n, phfName) + "()"}] = p.seenFrom(typ, class)
	}
	p.surveyElements(p.comment(p.start(n)), "return", class, p.fieldStr(n, phfName)+"()")
	elements := map[string]string{}
	p.docElements(p.comment(p.start(n)), "param", func(name, elem string) { elements[strings.TrimPrefix(name, "$")] = elem })
	for c := p.firstNamed(p.child(n, phfParameters)); c != none; c = p.nextNamed(c) {
		name := p.variableName(p.child(c, phfName))
		if elem := elements[name]; p.kind(c) == phPromoted && elem != "" {
			p.memberTypes[phpMember{class, name + elementsOf}] = p.seenFrom(elem, class)
		}
		if typ := p.typeName(p.child(c, phfType)); p.kind(c) == phPromoted && typ != "" {
			p.memberTypes[phpMember{class, name}] = p.seenFrom(typ, class)
		}
	}
}

// seenFrom returns the type typ as code in a class means it: self and static are the class.
func (p *php) seenFrom(typ, class string) string {
	switch typ {
	case "self", "static", "$this":
		return class
	}
	return typ
}

// fileDoc sets the file's documentation to that of its first type, otherwise to the comment at its beginning.
func (p *php) fileDoc() {
	for i := range p.facts.Symbols {
		if s := &p.facts.Symbols[i]; s.Parent < 0 && s.Kind.IsType() {
			p.facts.Doc = s.Doc
			return
		}
	}
	if len(p.comments) == 0 {
		return
	}
	first := p.comments[0]
	ahead := len(p.facts.Symbols) == 0 || p.facts.Symbols[0].Span.Start > p.end(first)
	if ahead && isJavadoc(p.str(first)) {
		p.facts.Doc = lexical.CleanDoc(lexical.Cut(p.str(first), 8*code.MaxDoc))
	}
}

// namespace reads a namespace clause, or a block with its declarations.
func (p *php) namespace(n node) {
	name := p.pathText(p.child(n, phfName))
	before := p.namespaceName
	p.namespaceName = name
	if p.firstSpace == "" {
		p.firstSpace = name
	}
	if body := p.child(n, phfBody); body != none {
		p.children(body)
		p.namespaceName = before
	}
}

// declaration reads n if it declares something, and reports whether it did.
func (p *php) declaration(n node) bool {
	switch p.kind(n) {
	case phClass:
		p.typeDeclaration(n, code.KindClass)
	case phInterface:
		p.typeDeclaration(n, code.KindInterface)
	case phTrait:
		p.typeDeclaration(n, code.KindTrait)
	case phEnum:
		p.typeDeclaration(n, code.KindEnum)
	case phEnumCase:
		p.enumCase(n)
	case phFunction:
		if p.isLost(n) {
			p.lostMethod(n)
		} else {
			p.function(n, code.KindFunction)
		}
	case phMethod:
		k := code.KindMethod
		if strings.EqualFold(p.fieldStr(n, phfName), "__construct") {
			k = code.KindConstructor
		}
		p.function(n, k)
	case phProperty:
		p.property(n)
	case phConst:
		p.constants(n)
	default:
		return false
	}
	return true
}

// declStart returns the offset at which the declaration n begins, after its attributes.
func (p *php) declStart(n node) uint32 {
	for c := p.first(n); c != none; c = p.sibling(c) {
		if p.kind(c) != phAttributes && !p.isExtra(c) {
			return p.start(c)
		}
	}
	return p.start(n)
}

// symbol declares the symbol of n, whose signature ends at byte end.
func (p *php) symbol(n, name node, s code.Symbol, end uint32) (sym int32, ok bool) {
	if s.Name == "" {
		s.Name = p.str(name)
	}
	if s.Name == "" {
		return -1, false
	}
	if s.Span.End == 0 {
		start := p.declStart(n)
		s.Span = p.spanBetween(start, p.end(n))
		s.Signature = p.signatureWithout(n, start, end)
	}
	s.NameStart = p.start(name)
	if p.kind(name) == phVariable {
		s.NameStart++ // without the $
	}
	if s.Doc == "" {
		s.Doc = p.docBefore(p.start(n), isJavadoc)
	}
	s.Exported = s.Exported && !p.private
	if p.inBody && (s.Kind == code.KindFunction || s.Kind.IsType()) {
		s.Qualified = s.Name // global once the enclosing function has run
	}
	if !p.packageKnown {
		p.facts.Package, p.packageKnown = p.namespaceName, true
	}
	sym = p.file.declare(s)
	if s.Exported && p.owner < 0 {
		p.facts.Exports = append(p.facts.Exports, code.Export{Name: s.Name, Local: s.Name, From: -1, Line: s.Span.Line})
	}
	return sym, true
}

// signatureWithout returns the text from start to end as a signature, without attributes.
func (p *php) signatureWithout(n node, start, end uint32) string {
	var out string
	for c := n + 1; c < p.after(n) && p.start(c) < end && len(out) <= code.MaxSignature; c++ {
		if p.kind(c) != phAttributes {
			continue
		}
		if p.start(c) > start {
			out += p.signature(start, p.start(c))
			if !strings.HasSuffix(out, "(") {
				out += " "
			}
		}
		start = max(start, p.end(c))
		c = p.after(c) - 1
	}
	return lexical.Cut(strings.TrimRight(out+p.signature(start, end), " ;,="), code.MaxSignature)
}

// bodyStart returns the offset at which n's body begins, or the end of n if it has none.
func (p *php) bodyStart(n node) uint32 {
	if b := p.child(n, phfBody); b != none {
		return p.start(b)
	}
	return p.end(n)
}

// typeDeclaration reads a class, interface, trait or enum.
func (p *php) typeDeclaration(n node, k code.Kind) {
	name := p.child(n, phfName)
	sym, ok := p.symbol(n, name, code.Symbol{Kind: k, Exported: true}, p.bodyStart(n))
	saved, before := *p, p.owner
	if ok {
		before = p.enter(sym)
	}
	if saved.inBody && p.memberTypes[phpMember{p.str(name), ""}] == "" {
		p.surveyClass(p.child(n, phfBody), p.str(name))
	}
	p.class = phpOwner{name: p.str(name)}
	p.inBody = false
	p.names.push()
	p.classParts(n, name)
	p.names.pop()
	p.class, p.inBody = saved.class, saved.inBody
	p.leave(before)
}

// classParts reads the parts of a class, which may have no name.
func (p *php) classParts(n, name node) {
	for c := p.first(n); c != none; c = p.sibling(c) {
		switch {
		case c == name && name != none:
		case p.kind(c) == phBase:
			if p.kind(n) != phInterface {
				p.class.parent = p.typeName(p.firstNamed(c))
				p.facts.IsTest = p.facts.IsTest || strings.HasSuffix(p.class.parent, "TestCase")
			}
			p.classNames(c, code.RefInherit)
		case p.kind(c) == phImplements:
			p.classNames(c, code.RefImplement)
		default:
			p.walk(c)
		}
	}
}

// classNames records references to the classes in a clause such as implements.
func (p *php) classNames(n node, k code.RefKind) {
	for c := p.firstNamed(n); c != none; c = p.nextNamed(c) {
		p.className(c, k)
	}
}

// anonymousClass reads new class(…) extends B { … }, whose members are declared under
// the enclosing symbol.
func (p *php) anonymousClass(n node) {
	saved := *p
	p.walk(p.childKind(n, phArguments))
	base := p.typeName(p.firstNamed(p.childKind(n, phBase)))
	p.class, p.inBody, p.private = phpOwner{name: base, parent: base}, true, true
	if p.class.name == "" {
		p.class.name = "class"
	}
	p.names.push()
	for c := p.first(n); c != none; c = p.sibling(c) {
		switch p.kind(c) {
		case phArguments:
		case phBase:
			p.classNames(c, code.RefInherit)
		case phImplements:
			p.classNames(c, code.RefImplement)
		default:
			p.walk(c)
		}
	}
	p.names.pop()
	p.class, p.inBody, p.private = saved.class, saved.inBody, saved.private
}

// traitUse reads `use T, U { … }` inside a class, which adds the members of traits.
func (p *php) traitUse(n node) {
	for c := p.firstNamed(n); c != none; c = p.nextNamed(c) {
		if p.kind(c) == phUseList {
			p.walk(c)
		} else {
			p.className(c, code.RefInherit)
		}
	}
}

func (p *php) enumCase(n node) {
	name, value := p.child(n, phfName), p.child(n, phfValue)
	end := p.end(name)
	if p.isLiteral(value) {
		end = p.end(value)
	}
	s := code.Symbol{Kind: code.KindEnumMember, Exported: true}
	if head := strings.ToLower(p.signature(p.declStart(n), p.start(name))); !strings.HasPrefix(head, "case") { // see repairPHP
		s.Kind, s.Exported = code.KindConstant, !strings.Contains(head, "private")
	}
	sym, ok := p.symbol(n, name, s, end)
	before := p.owner
	if ok {
		before = p.enter(sym)
	}
	p.walk(p.child(n, phfAttributes))
	p.walk(value)
	p.leave(before)
}

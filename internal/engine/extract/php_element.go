package extract

import (
	"strings"

	"ken/internal/code"
)

// elementsOf is behind the name of a member in memberTypes where the type is that of the elements.
const elementsOf = "[]"

// docElements calls f with the variable, "" if there is none, and the type of the elements for each line of a comment that describes a list
// or map of one class: Foo[], array<int, Foo>, list<Foo>.
func (p *php) docElements(comment node, tag string, f func(name, elem string)) {
	if comment == none || !strings.ContainsAny(p.str(comment), "<[") {
		return
	}
	for _, mark := range [...]string{"@", "@phpstan-", "@psalm-"} {
		p.tagLines(comment, mark+tag, func(rest string) {
			typ, behind := cutPHPType(rest)
			if elem := p.docElement(typ); elem != "" {
				name, _, _ := strings.Cut(strings.TrimLeft(behind, " &."), " ")
				if !strings.HasPrefix(name, "$") {
					name = ""
				}
				f(name, elem)
			}
		})
	}
}

// cutPHPType cuts a text behind the type at its beginning, which may hold blanks in brackets.
func cutPHPType(text string) (typ, behind string) {
	depth := 0
	for i := range len(text) {
		switch text[i] {
		case '<', '(', '{', '[':
			depth++
		case '>', ')', '}', ']':
			depth--
		case ' ', '\t':
			if depth == 0 {
				return text[:i], text[i:]
			}
		}
	}
	return text, ""
}

// docElement returns the class of the elements of a type in a comment, "" if it is not of one class.
func (p *php) docElement(typ string) (elem string) {
	for part := range strings.SplitSeq(strings.TrimPrefix(typ, "?"), "|") {
		if part == "null" || part == "array" || part == "false" {
			continue
		}
		if elem != "" {
			return ""
		}
		of, isList := strings.CutSuffix(part, "[]")
		if name, arguments, isGeneric := strings.Cut(strings.TrimSuffix(part, ">"), "<"); !isList && isGeneric && isPHPCollection(name) {
			list := strings.Split(arguments, ",")
			of, isList = strings.TrimSpace(list[min(len(list), 2)-1]), true
		}
		of = strings.TrimPrefix(of, "?")
		if !isList || !isPathName(of) {
			return ""
		}
		if elem = p.nameType(of); elem == "" {
			return ""
		}
	}
	return elem
}

func isPHPCollection(name string) bool {
	switch strings.TrimPrefix(name, `\`) {
	case "array", "list", "iterable", "non-empty-array", "non-empty-list", "Traversable", "Iterator", "IteratorAggregate", "ArrayIterator", "Generator":
		return true
	}
	return false
}

// surveyElements records the type of the elements of a member.
func (p *php) surveyElements(comment node, tag, class string, names ...string) {
	p.docElements(comment, tag, func(_, elem string) {
		for _, name := range names {
			p.memberTypes[phpMember{class, name + elementsOf}] = p.seenFrom(elem, class)
		}
	})
}

// element returns the type of the elements of an expression, "" if the file does not show it.
func (p *php) element(n node) string {
	switch p.kind(n) {
	case phParenthesized, phClone:
		return p.element(p.firstNamed(n))
	case phVariable:
		if b := p.names.lookup(p.str(n)); b != nil {
			return b.expr
		}
	case phAssignment:
		return p.element(p.child(n, phfRight))
	case phMember, phNullsafeMember:
		return p.memberElement(p.valueType(p.child(n, phfObject)), p.fieldStr(n, phfName))
	case phMemberCall, phNullsafeCall:
		return p.memberElement(p.valueType(p.child(n, phfObject)), p.fieldStr(n, phfName)+"()")
	case phScopedCall:
		return p.memberElement(p.typeName(p.child(n, phfScope)), p.fieldStr(n, phfName)+"()")
	case phScopedProperty:
		return p.memberElement(p.typeName(p.child(n, phfScope)), strings.TrimPrefix(p.fieldStr(n, phfName), "$"))
	case phCall:
		switch strings.TrimPrefix(p.fieldStr(n, phfFunction), `\`) {
		case "array_values", "array_filter", "array_reverse", "array_slice", "array_unique", "array_splice":
			return p.element(p.firstArgument(n))
		}
	}
	return ""
}

// memberElement returns the type of the elements of a member of a type.
func (p *php) memberElement(of, name string) string {
	for typ := range strings.SplitSeq(of, code.AlsoType) {
		if elem := p.memberTypes[phpMember{typ, name + elementsOf}]; elem != "" {
			return elem
		}
	}
	return ""
}

func (p *php) firstArgument(call node) node {
	return p.firstNamed(p.firstNamed(p.child(call, phfArguments)))
}

// givenElement returns the type of the element that a function of the language takes from a list.
func (p *php) givenElement(call node) string {
	switch strings.TrimPrefix(p.fieldStr(call, phfFunction), `\`) {
	case "reset", "end", "current", "next", "prev", "array_pop", "array_shift":
		return p.element(p.firstArgument(call))
	}
	return ""
}

// doubleType returns the class that the test double has which a call of a test framework makes, "" for other calls.
func (p *php) doubleType(call node) string {
	switch p.fieldStr(call, phfName) {
	case "createMock", "createStub", "createPartialMock", "createConfiguredMock", "createConfiguredStub", "createTestProxy", "getMockForAbstractClass":
		if typ := p.classArgument(call); typ != "" {
			return typ
		}
	case "getMock":
	default:
		return ""
	}
	n := p.child(call, phfObject)
	for range maxChain {
		if p.kind(n) != phMemberCall {
			break
		}
		if p.fieldStr(n, phfName) == "getMockBuilder" {
			return p.classArgument(n)
		}
		n = p.child(n, phfObject)
	}
	return ""
}

// classArgument returns the class that the first argument of a call names.
func (p *php) classArgument(call node) string {
	n := p.firstArgument(call)
	switch p.kind(n) {
	case phClassConstant:
		if scope := p.firstNamed(n); strings.EqualFold(p.str(p.nextNamed(scope)), "class") {
			return p.typeName(scope)
		}
	case phString, phEncapsed:
		if typ, ok := p.textClass(n); ok {
			return typ
		}
	}
	return ""
}

// asserts records what a statement proves that ends the program, or the test, if it is not so.
func (p *php) asserts(statement node) {
	call := p.firstNamed(statement)
	switch p.kind(call) {
	case phCall:
		if strings.TrimPrefix(p.fieldStr(call, phfFunction), `\`) == "assert" {
			p.prove(p.firstArgument(call), true)
		}
	case phMemberCall, phScopedCall:
		value := p.firstNamed(p.nextNamed(p.firstNamed(p.child(call, phfArguments))))
		if typ := p.classArgument(call); p.fieldStr(call, phfName) == "assertInstanceOf" && typ != "" {
			p.provesType(value, typ)
		}
	}
}

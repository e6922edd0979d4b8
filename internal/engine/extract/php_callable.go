package extract

import (
	"strings"

	"ken/internal/code"
)

// The functions below read the ways to pass a function or method as a value: $x(…) of an object, [$this, 'name'], 'Class::name'.

// invocation records the call of __invoke that the call of a value is, unless the value is a closure or a string.
func (p *php) invocation(f node) {
	switch p.kind(f) {
	case phVariable, phParenthesized, phNew, phMember, phNullsafeMember, phScopedProperty, phCall, phMemberCall, phScopedCall:
	default:
		return
	}
	r := code.Ref{Name: "__invoke", Kind: code.RefCall, Via: code.ViaMember}
	if typ := p.valueType(f); typ != "" {
		if r.Via, r.Recv = code.ViaTyped, typ; strings.EqualFold(typ, "Closure") || strings.EqualFold(typ, `\Closure`) {
			return
		}
	}
	p.ref(f, r)
}

// arrayCallable records the method that an array names: [$object, 'name'], [T::class, 'name'], ['N\T', 'name'].
func (p *php) arrayCallable(n node) {
	first := p.childKind(n, phElement)
	second := p.nextElement(first, phElement)
	if second == none || p.nextElement(second, phElement) != none {
		return
	}
	object, value := p.firstNamed(first), p.firstNamed(second)
	content := p.stringContent(value)
	if content == none || p.nextNamed(object) != none || p.nextNamed(value) != none || !isPHPName(p.str(content)) {
		return
	}
	typ, self := "", false
	switch p.kind(object) {
	case phClassConstant:
		scope := p.firstNamed(object)
		if !strings.EqualFold(p.str(p.nextNamed(scope)), "class") {
			return
		}
		self = p.kind(scope) == phRelativeScope
		typ = p.nameType(p.pathText(scope))
	case phString, phEncapsed:
		name, ok := p.textClass(object)
		if !ok {
			return
		}
		typ = name
	default:
		if typ, self = p.valueType(object), p.isThis(object); typ == "" {
			return // most often data
		}
	}
	p.stringRef(content, p.str(content), typ, self)
}

// stringCallable records the method that a text such as 'N\T::name' names.
func (p *php) stringCallable(n node) {
	text := p.str(n)
	class, name, ok := strings.Cut(strings.Trim(text, `'"`), "::")
	if !ok || !isPHPName(name) || !isPHPClass(class) {
		return
	}
	p.stringRef(n, name, p.textType(class), false)
}

// stringRef records a reference to the method name, which ends the text of n.
func (p *php) stringRef(n node, name, typ string, self bool) {
	r := code.Ref{Name: name, Kind: code.RefUse, Via: code.ViaTyped, Recv: typ}
	if self {
		r.Via = code.ViaSelf
	}
	p.ref(n, r)
	last := &p.facts.Refs[len(p.facts.Refs)-1]
	last.Start += uint32(strings.LastIndex(p.str(n), name))
	last.End = last.Start + uint32(len(name))
}

// textClass returns the class that a string names: with its namespace, or self, static or parent.
func (p *php) textClass(n node) (string, bool) {
	text := strings.Trim(p.str(n), `'"`)
	switch text {
	case "self", "static", "parent":
		return p.nameType(text), p.class.name != ""
	}
	return p.textType(text), isPHPClass(text) && strings.Contains(text, `\`)
}

// textType returns the class that a text names, in the form of Ref.Recv. A text is read from the root, whatever the file imports.
func (p *php) textType(text string) string {
	return p.nameType(`\` + strings.TrimPrefix(strings.ReplaceAll(text, `\\`, `\`), `\`))
}

func isPHPName(s string) bool {
	return s != "" && strings.Trim(s, "_0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ") == "" && (s[0] < '0' || s[0] > '9')
}

// isPHPClass reports whether a text is written as the name of a class is.
func isPHPClass(s string) bool {
	last := s[strings.LastIndexByte(s, '\\')+1:]
	return isPHPName(last) && isPHPName(strings.ReplaceAll(strings.TrimPrefix(s, `\`), `\`, "_"))
}

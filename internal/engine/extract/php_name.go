package extract

import (
	"strings"

	"ken/internal/code"
)

// pathText returns a namespace or qualified name without white space and comments,
// with a leading \ if it is absolute.
func (p *php) pathText(n node) string {
	s := p.str(n)
	if strings.ContainsAny(s, " \t\r\n/#") {
		var b strings.Builder
		for c := n + 1; c < p.after(n); c++ {
			if p.after(c) == c+1 && !p.isExtra(c) {
				b.WriteString(p.str(c))
			}
		}
		return b.String()
	}
	return s
}

func lastPath(s string) string { return s[strings.LastIndexByte(s, '\\')+1:] }

// useDeclaration reads use A\B, C as D; use function A\f; use A\{B, C\D as E}.
func (p *php) useDeclaration(n node) {
	mark := p.useMark(n)
	group := p.child(n, phfBody)
	if group == none {
		for c := p.firstNamed(n); c != none; c = p.nextNamed(c) {
			p.useClause(c, "", mark)
		}
		return
	}
	prefix := strings.Trim(p.pathText(p.childKind(n, phNamespaceName)), `\`)
	for c := p.firstNamed(group); c != none; c = p.nextNamed(c) {
		p.useClause(c, prefix, mark)
	}
}

// useMark returns the mark with which names of a `use function` or `use const` are bound. n is the declaration or one clause of it.
func (p *php) useMark(n node) string {
	switch {
	case p.has(n, phFunctionWord):
		return "()"
	case p.has(n, phConstWord):
		return "#"
	}
	return ""
}

func (p *php) useClause(n node, prefix, mark string) {
	if p.kind(n) != phUseClause {
		return
	}
	if m := p.useMark(n); m != "" {
		mark = m
	}
	spec := joinPath(prefix, strings.Trim(p.pathText(p.firstNamed(n)), `\`))
	last := lastPath(spec)
	alias := p.fieldStr(n, phfAlias)
	if alias == "" {
		alias = last
	}
	if last == "" {
		return
	}
	p.facts.IsTest = p.facts.IsTest || strings.HasPrefix(spec, `PHPUnit\`)
	p.names.bind(binding{name: alias + mark, what: bindImport, imp: int32(len(p.facts.Imports)), target: last, typ: spec})
	p.facts.Imports = append(p.facts.Imports, code.Import{Spec: spec, Line: p.line(n), Static: mark != "",
		Names: []code.ImportName{{Name: last, Alias: alias}}})
}

// pathImport returns the index of an import that is made for a qualified name which code uses without a use declaration.
func (p *php) pathImport(spec string, line uint32) int32 {
	imp, ok := p.pathImports[spec]
	if !ok {
		imp = int32(len(p.facts.Imports))
		last := lastPath(spec)
		p.facts.Imports = append(p.facts.Imports, code.Import{Spec: spec, Kind: code.ImportPath, Line: line,
			Names: []code.ImportName{{Name: last, Alias: last}}})
		p.pathImports[spec] = imp
	}
	return imp
}

// className records a reference of kind k to the class that n names.
func (p *php) className(n node, k code.RefKind) {
	switch p.kind(n) {
	case phName:
		p.plainClass(n, k)
	case phQualifiedName, phRelativeName:
		p.qualifiedName(n, k)
	case phNamedType:
		p.className(p.firstNamed(n), k)
	default:
		p.walk(n)
	}
}

func (p *php) plainClass(n node, k code.RefKind) {
	name := p.str(n)
	if isPHPType(name) {
		return
	}
	if b := p.names.lookup(name); b.is(bindImport) {
		p.ref(n, code.Ref{Name: b.target, Kind: k, Via: code.ViaImport, Import: b.imp})
		return
	}
	p.ref(n, code.Ref{Name: name, Kind: k, Via: code.ViaBare})
}

// qualifiedName records a reference to a qualified name. If the name turns out to be in the
// file's own namespace, the reference needs no import.
func (p *php) qualifiedName(n node, k code.RefKind) {
	spec := p.fullName(p.pathText(n))
	last := none
	for c := p.firstNamed(n); c != none; c = p.nextNamed(c) {
		last = c
	}
	if p.kind(last) != phName || spec == "" {
		return
	}
	if space := spec[:max(len(spec)-len(lastPath(spec))-1, 0)]; space == p.namespaceName {
		p.ref(last, code.Ref{Kind: k, Via: code.ViaBare})
		return
	}
	p.ref(last, code.Ref{Kind: k, Via: code.ViaImport, Import: p.pathImport(spec, p.line(n))})
}

// typeName returns a type's name as Ref.Recv: a full name if an import or a qualified name
// gives it ("A\B"), a plain name in the file's own namespace; self and static as they
// are, parent as the base class; "" for built-in types. Of a union it is the first
// class.
func (p *php) typeName(n node) string {
	switch p.kind(n) {
	case phName, phQualifiedName, phRelativeName:
		return p.nameType(p.pathText(n))
	case phNamedType, phOptionalType, phUnionType, phIntersection, phDNF:
		for c := p.firstNamed(n); c != none; c = p.nextNamed(c) {
			if t := p.typeName(c); t != "" {
				return t
			}
		}
	case phRelativeScope:
		return p.nameType(p.str(n))
	}
	return ""
}

package extract

import (
	"strings"

	"ken/internal/code"
)

// constant records a reference to a name that is used as a value.
func (p *php) constant(n node) {
	p.callable(n, code.RefUse, "#")
}

// callable records a reference to the function or constant that n names. mark is the
// suffix under which its imports are bound. A name without a namespace may be in the
// file's namespace or the global one, because PHP looks in both.
func (p *php) callable(n node, k code.RefKind, mark string) {
	if p.kind(n) != phName {
		if s := p.pathText(n); strings.LastIndexByte(s, '\\') == 0 { // \f
			last := p.childKind(n, phName)
			p.ref(last, code.Ref{Kind: k, Via: code.ViaBare})
			return
		}
		p.qualifiedName(n, k)
		return
	}
	name := p.str(n)
	if b := p.names.lookup(name + mark); b != nil && b.what == bindImport {
		p.ref(n, code.Ref{Name: b.target, Kind: k, Via: code.ViaImport, Import: b.imp})
		return
	}
	if !strings.HasPrefix(name, "__") || mark != "#" {
		p.ref(n, code.Ref{Name: name, Kind: k, Via: code.ViaBare})
	}
}

// call reads a call f(…).
func (p *php) call(n node) {
	f, args := p.child(n, phfFunction), p.child(n, phfArguments)
	switch p.kind(f) {
	case phName, phQualifiedName, phRelativeName:
		if p.defineCall(n) {
			return
		}
		p.callable(f, code.RefCall, "()")
	default:
		p.walk(f)
		p.invocation(f)
	}
	p.walk(args)
}

// memberAccess reads $x->f and $x->f(…).
func (p *php) memberAccess(n node, k code.RefKind) {
	object, name := p.child(n, phfObject), p.child(n, phfName)
	typ, self := p.valueType(object), p.isThis(object)
	p.walk(object)
	if p.kind(name) == phName {
		p.member(name, k, typ, self)
	} else {
		p.walk(name)
	}
	p.walk(p.child(n, phfArguments))
}

func (p *php) isThis(n node) bool { return p.kind(n) == phVariable && p.str(n) == "$this" }

// member records a reference to a member of a value of type typ.
func (p *php) member(n node, k code.RefKind, typ string, self bool) {
	r := code.Ref{Kind: k, Via: code.ViaMember}
	switch {
	case typ == "":
	case self:
		r.Via, r.Recv = code.ViaSelf, typ
	default:
		r.Via, r.Recv = code.ViaTyped, typ
	}
	p.ref(n, r)
}

// scope reads the part before ::, and returns its type and whether it is the
// enclosing class.
func (p *php) scope(n node) (typ string, self bool) {
	switch p.kind(n) {
	case phRelativeScope:
		return p.nameType(p.str(n)), true
	case phName, phQualifiedName, phRelativeName:
		if low := strings.ToLower(p.str(n)); low == "self" || low == "static" || low == "parent" {
			return p.nameType(low), true
		}
		p.className(n, code.RefType)
		return p.typeName(n), false
	}
	typ = p.valueType(n)
	p.walk(n)
	return typ, false
}

// scopedAccess reads X::f(…) and X::$f, which use static members.
func (p *php) scopedAccess(n node, k code.RefKind) {
	typ, self := p.scope(p.child(n, phfScope))
	name := p.child(n, phfName)
	if p.kind(name) == phVariable && k == code.RefUse {
		name = p.firstNamed(name)
	}
	if p.kind(name) == phName {
		p.member(name, k, typ, self)
	} else {
		p.walk(name)
	}
	p.walk(p.child(n, phfArguments))
}

// classConstant reads X::C and X::class.
func (p *php) classConstant(n node) {
	first := p.firstNamed(n)
	typ, self := p.scope(first)
	for c := p.nextNamed(first); c != none; c = p.nextNamed(c) {
		switch {
		case p.kind(c) == phName && p.after(c) > c+1: // X::{expression}
			p.children(c)
		case p.kind(c) == phName && !strings.EqualFold(p.str(c), "class"):
			p.member(c, code.RefUse, typ, self)
		}
	}
}

// creation reads new T(…), which is a call of T.
func (p *php) creation(n node) {
	for c := p.firstNamed(n); c != none; c = p.nextNamed(c) {
		switch p.kind(c) {
		case phName, phQualifiedName, phRelativeName:
			p.className(c, code.RefCall)
		default:
			p.walk(c)
		}
	}
}

// binary reads two operands and an operator. The right side of instanceof is a class,
// which becomes the type of a variable without a known type.
func (p *php) binary(n node) {
	left, right := p.child(n, phfLeft), p.child(n, phfRight)
	switch p.kind(p.child(n, phfOperator)) {
	case phInstanceof:
	case phAnd, phAndWord:
		had := len(p.proofs)
		p.walk(left)
		p.prove(left, true)
		p.walk(right)
		p.proofs = p.proofs[:had]
		return
	case phOr, phOrWord:
		had := len(p.proofs)
		p.walk(left)
		p.prove(left, false)
		p.walk(right)
		p.proofs = p.proofs[:had]
		return
	default:
		p.children(n)
		return
	}
	p.walk(left)
	p.className(right, code.RefType)
	if p.kind(left) != phVariable || p.isThis(left) {
		return
	}
	if b := p.names.lookup(p.str(left)); b == nil || b.typ == "" {
		p.bindVariable(p.str(left), p.typeName(right))
	}
}

// declaredType returns the name of an expression's type if the file declares it: a declared
// variable or property, new T(), the result of a method of this file.
func (p *php) declaredType(n node) string {
	switch p.kind(n) {
	case phParenthesized, phClone:
		return p.valueType(p.firstNamed(n))
	case phVariable:
		if p.isThis(n) {
			return p.class.name
		}
		if b := p.names.lookup(p.str(n)); b != nil {
			return b.typ
		}
	case phNew:
		return p.typeName(p.firstNamed(n))
	case phAssignment:
		return p.valueType(p.child(n, phfRight))
	case phMember, phNullsafeMember:
		return p.memberType(p.child(n, phfObject), p.fieldStr(n, phfName))
	case phMemberCall, phNullsafeCall:
		if typ := p.doubleType(n); typ != "" {
			return typ
		}
		return p.memberType(p.child(n, phfObject), p.fieldStr(n, phfName)+"()")
	case phSubscript:
		return p.element(p.firstNamed(n))
	case phCall:
		return p.givenElement(n)
	case phScopedCall:
		return p.typeOfMember(p.typeName(p.child(n, phfScope)), p.fieldStr(n, phfName)+"()")
	case phScopedProperty:
		return p.typeOfMember(p.typeName(p.child(n, phfScope)), strings.TrimPrefix(p.fieldStr(n, phfName), "$"))
	}
	return ""
}

// typeOfMember returns the type of a member of a type.
func (p *php) typeOfMember(of, name string) string {
	if typ := p.memberTypes[phpMember{of, name}]; typ != "" {
		return typ
	}
	if plain := strings.TrimSuffix(name, "()"); plain == "" || strings.ContainsAny(plain, "${}()>-:[ ") { // computed
		return ""
	}
	return chained(of, name)
}

// memberType returns the type of a member of a value. Only the last links of a chain are followed, because every link of a chain asks for
// it: following all would take quadratic time.
func (p *php) memberType(object node, name string) string {
	n := object
	for range maxChain {
		switch p.kind(n) {
		case phMember, phNullsafeMember, phMemberCall, phNullsafeCall:
			n = p.child(n, phfObject)
			continue
		}
		of := p.valueType(object)
		for typ := range strings.SplitSeq(of, code.AlsoType) {
			if of := p.memberTypes[phpMember{typ, name}]; of != "" {
				return of
			}
		}
		return p.typeOfMember(of, name)
	}
	return ""
}

// maxChain is the number of links of a chain of members that memberType follows.
const maxChain = 24

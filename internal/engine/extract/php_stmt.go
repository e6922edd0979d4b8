package extract

import (
	"strings"

	"ken/internal/code"
)

func (p *php) children(n node) {
	for c := p.first(n); c != none; c = p.sibling(c) {
		p.walk(c)
	}
}

// walk reads any node. It is a switch over the kinds of the grammar; for a kind
// without a case it reads the children.
func (p *php) walk(n node) {
	if p.after(n) == n+1 && !p.isNamed(n) {
		return
	}
	switch p.kind(n) {
	case phName:
		if !p.isError(p.parent(n)) {
			p.constant(n)
		}
	case phQualifiedName, phRelativeName:
		p.constant(n)
	case phNamedType:
		p.className(n, code.RefType)
	case phNamespace:
		p.namespace(n)
	case phCall:
		p.call(n)
	case phMemberCall, phNullsafeCall:
		p.memberAccess(n, code.RefCall)
	case phMember, phNullsafeMember:
		p.memberAccess(n, code.RefUse)
	case phScopedCall:
		p.scopedAccess(n, code.RefCall)
	case phScopedProperty:
		p.scopedAccess(n, code.RefUse)
	case phClassConstant:
		p.classConstant(n)
	case phNew:
		p.creation(n)
	case phAnonymousClass:
		p.anonymousClass(n)
	case phClosure, phArrow:
		p.names.push()
		p.docParams(p.comment(p.start(n)))
		p.children(n)
		p.names.pop()
	case phParameter, phVariadic, phPromoted:
		p.parameter(n)
	case phAssignment, phReferenceAssignment:
		p.assignment(n)
	case phBinary:
		p.binary(n)
	case phIf, phElseIf, phWhile:
		p.branch(n)
	case phTernary:
		p.ternary(n)
	case phExpression:
		p.children(n)
		p.asserts(n)
	case phBlock:
		p.block(n)
	case phForeach:
		p.foreach(n)
	case phCatch:
		p.catch(n)
	case phGlobal:
		p.globalDeclaration(n)
	case phInclude, phIncludeOnce, phRequire, phRequireOnce:
		p.include(n)
	case phAttribute:
		p.className(p.firstNamed(n), code.RefDecorate)
		p.walk(p.child(n, phfParameters))
	case phArgument:
		p.argument(n)
	case phTraitUse:
		p.traitUse(n)
	case phUseInstead, phUseAs:
		p.traitRule(n)
	case phComment:
		p.varComment(n)
	case phArray:
		p.arrayCallable(n)
		p.children(n)
	case phString:
		p.stringCallable(n)
	case phEncapsed:
		p.stringCallable(n)
		p.children(n)
	case phVariable, phUse, phGoto, phLabel, phDeclareDirective, phVisibility:
	default:
		switch {
		case p.declaration(n):
		case p.isError(n):
			p.errorNode(n)
		default:
			p.children(n)
		}
	}
}

// varComment records the type that /** @var T $x */ gives to the variables that follow.
func (p *php) varComment(n node) {
	if !isJavadoc(p.str(n)) || p.class.name != "" && !p.inBody {
		return
	}
	p.docVariable = p.docVar(n)
	if p.docVariable.name != "" && p.docVariable.typ != "" {
		p.bindVariable(p.docVariable.name, p.docVariable.typ)
	}
	p.docElements(n, "var", func(name, elem string) {
		if p.docVariable.elem = elem; name != "" {
			p.docVariable.name = name
			p.bindElements(name, elem)
		}
	})
}

func (p *php) bindVariable(name, typ string) {
	if name != "$this" {
		p.forget(name)
		p.names.bind(binding{name: name, what: bindLocal, typ: typ})
	}
}

// bindElements binds a variable that is a list or map of one class.
func (p *php) bindElements(name, elem string) {
	p.forget(name)
	p.names.bind(binding{name: name, what: bindLocal, expr: elem})
}

func (p *php) parameter(n node) {
	name, typ := p.variable(p.child(n, phfName)), p.child(n, phfType)
	for c := p.first(n); c != none; c = p.sibling(c) {
		switch {
		case p.kind(c) == phHookList:
			p.hooks(c)
		case c != name:
			p.walk(c)
		}
	}
	if t := p.typeName(typ); p.kind(n) == phVariadic {
		p.bindVariable(p.str(name), "")
	} else if t != "" || p.names.lookup(p.str(name)) == nil {
		p.bindVariable(p.str(name), t)
	}
}

// assignment reads $x = value and remembers the value's type.
func (p *php) assignment(n node) {
	left, right := p.child(n, phfLeft), p.child(n, phfRight)
	pending := p.docVariable
	p.docVariable = phpVar{}
	if p.kind(left) == phVariable && p.kind(p.parent(n)) == phExpression && p.isTop(p.parent(p.parent(n))) {
		p.global(n, left)
	}
	p.walk(left)
	p.walk(right)
	if p.forget(p.str(left)); p.kind(left) != phVariable {
		return
	}
	typ := p.valueType(right)
	isNamed := pending.name == "" || pending.name == p.str(left)
	if isNamed && (typ == "" || code.IsExpr(typ) && pending.typ != "") { // a comment is narrower than a chain
		typ = pending.typ
	}
	b := p.names.lookup(p.str(left))
	isChain := code.IsExpr(typ)
	if isChain && b != nil && !p.replaces(b, n) {
		typ, isChain = "", false
	}
	elem := p.element(right)
	if isNamed && pending.elem != "" {
		elem = pending.elem
	}
	if typ == "" && (elem != "" || b != nil && b.expr != "") {
		if b != nil && !p.replaces(b, n) && b.expr != elem {
			elem = ""
		}
		p.bindElements(p.str(left), elem)
		p.names.lookup(p.str(left)).nth = int32(p.statements(n))
		return
	}
	isNull := p.kind(right) == phNull
	if b == nil || b.typ != typ || isNull || isChain {
		p.bindVariable(p.str(left), typ)
		b = p.names.lookup(p.str(left))
	}
	if b != nil {
		b.inline, b.nth = isNull, int32(p.statements(n))
	}
}

// replaces reports whether an assignment leaves nothing of the value that a variable had, wherever the variable is used behind it: that
// was null, or it was assigned in the same block.
func (p *php) replaces(b *binding, n node) bool {
	block := p.statements(n)
	return b.inline || block != none && b.nth == int32(block)
}

// statements returns the node around the statement that an assignment is, none if it is a part of another expression.
func (p *php) statements(n node) node {
	if p.kind(p.parent(n)) != phExpression {
		return none
	}
	return p.parent(p.parent(n))
}

// isTop reports whether n holds the statements of a file or a namespace.
func (p *php) isTop(n node) bool {
	return n == root || p.kind(p.parent(n)) == phNamespace
}

// foreach binds the variables of foreach ($list as $k => $v).
func (p *php) foreach(n node) {
	pending := p.docVariable
	p.docVariable = phpVar{}
	body := p.child(n, phfBody)
	for c := p.first(n); c != none; c = p.sibling(c) {
		v := c
		if p.kind(c) == phPair {
			for d := p.firstNamed(c); d != none; d = p.nextNamed(d) {
				v = d
			}
		}
		p.walk(c)
		if v = p.variable(v); p.kind(v) == phVariable && c < body && c != p.firstNamed(n) {
			typ := ""
			if pending.name == "" || pending.name == p.str(v) {
				typ = pending.typ
			}
			if typ == "" {
				typ = p.element(p.firstNamed(n))
			}
			p.bindVariable(p.str(v), typ)
		}
	}
}

func (p *php) catch(n node) {
	types := p.child(n, phfType)
	p.walk(types)
	if v := p.child(n, phfName); v != none {
		typ := ""
		if first := p.firstNamed(types); p.nextNamed(first) == none {
			typ = p.typeName(first)
		}
		p.bindVariable(p.str(v), typ)
	}
	p.walk(p.child(n, phfBody))
}

// globalDeclaration reads global $x, which refers to a variable at the top level of
// some file.
func (p *php) globalDeclaration(n node) {
	for c := p.firstNamed(n); c != none; c = p.nextNamed(c) {
		if v := p.firstNamed(c); p.kind(c) == phVariable && p.kind(v) == phName {
			p.ref(v, code.Ref{Kind: code.RefUse, Via: code.ViaBare})
			p.bindVariable(p.str(c), "")
		}
	}
}

// argument skips the name of a named argument and reads its value.
func (p *php) argument(n node) {
	for c := p.first(n); c != none; c = p.sibling(c) {
		if p.nodeField(c) != phfName {
			p.walk(c)
		}
	}
}

// traitRule reads T::a insteadof U and T::a as b, which decide how methods of traits are used.
func (p *php) traitRule(n node) {
	first := p.firstNamed(n)
	if p.kind(first) == phClassConstant {
		p.classConstant(first)
	} else if p.kind(first) == phName {
		p.member(first, code.RefUse, p.class.name, true)
	}
	alias := none
	for c := p.nextNamed(first); c != none; c = p.nextNamed(c) {
		if p.kind(n) == phUseAs && p.kind(c) == phName {
			alias = c
		}
	}
	if alias != none {
		p.symbol(n, alias, code.Symbol{Kind: code.KindMethod, Exported: p.visible(n)}, p.end(n))
	}
	if p.kind(n) == phUseInstead {
		for c := p.nextNamed(first); c != none; c = p.nextNamed(c) {
			p.className(c, code.RefType)
		}
	}
}

// include reads require 'x.php' if its path is made of constants.
func (p *php) include(n node) {
	arg := p.firstNamed(n)
	if path, ok := p.literalPath(arg, 0); ok && path != "" {
		p.facts.Imports = append(p.facts.Imports, code.Import{Spec: path, Kind: code.ImportRequire, Line: p.line(n),
			Names: []code.ImportName{{Name: "*", Alias: "*"}}})
		return
	}
	p.walk(arg)
}

// literalPath returns a path made of literals, __DIR__, dirname(…): relative to the file's
// directory if it begins with ".", otherwise as written.
func (p *php) literalPath(n node, depth int) (string, bool) {
	if depth > 16 {
		return "", false
	}
	switch p.kind(n) {
	case phParenthesized:
		return p.literalPath(p.firstNamed(n), depth+1)
	case phString, phEncapsed:
		if c := p.stringContent(n); c != none {
			return p.str(c), true
		}
	case phName:
		switch p.str(n) {
		case "__DIR__":
			return ".", true
		case "__FILE__":
			return "./_", true
		case "DIRECTORY_SEPARATOR":
			return "/", true
		}
	case phCall:
		return p.dirname(n, depth)
	case phBinary:
		if !p.has(n, phConcat) {
			break
		}
		left, ok := p.literalPath(p.child(n, phfLeft), depth+1)
		right, ok2 := p.literalPath(p.child(n, phfRight), depth+1)
		joined := !strings.HasSuffix(left, ".") || strings.HasPrefix(right, "/") // "." must be a whole segment
		if ok && ok2 && joined {
			return left + right, true
		}
	}
	return "", false
}

// dirname reads dirname(path) and dirname(path, levels).
func (p *php) dirname(n node, depth int) (string, bool) {
	args := p.firstNamed(p.child(n, phfArguments))
	if !strings.EqualFold(strings.TrimPrefix(p.fieldStr(n, phfFunction), `\`), "dirname") || args == none {
		return "", false
	}
	path, ok := p.literalPath(p.firstNamed(args), depth+1)
	levels := 1
	if l := p.nextNamed(args); l != none {
		s := p.str(l)
		if len(s) != 1 || strings.IndexByte("123456789", s[0]) < 0 {
			return "", false
		}
		levels = int(s[0] - '0')
	}
	if !ok || !strings.HasPrefix(path, ".") {
		return "", false
	}
	for range levels {
		if i := strings.LastIndexByte(path, '/'); i > 0 && path[i+1:] != ".." {
			path = path[:i]
		} else {
			path += "/.."
		}
	}
	return path, true
}

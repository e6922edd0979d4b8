package extract

import (
	"strings"

	"ken/internal/code"
)

// A missing } makes the grammar read the members after it as statements of the method
// it belongs to. They are recognised by parts that a statement cannot have: access
// modifiers or static in front of a variable or class, and parameters, which the grammar
// sets aside as an error, between a variable and a block.

// statements reads the statements of a block, and members that the grammar took for statements.
func (j *java) statements(n node) {
	for c := j.first(n); c != none; c = j.sibling(c) {
		switch {
		case !j.inBody:
			j.walk(c)
		case j.isMisreadMethod(c):
			c = j.misreadMethod(c)
		case j.isMisreadMember(c):
			j.asMember(func() { j.misreadMember(c) })
		default:
			j.walk(c)
		}
	}
}

// isMisreadMember reports whether a statement has a modifier that only a member can
// have.
func (j *java) isMisreadMember(n node) bool {
	switch j.kind(n) {
	case jvLocalVariable, jvClass, jvInterface, jvEnum, jvRecord:
	default:
		return false
	}
	mods := j.modifiers(n)
	for m := j.first(mods); m != none; m = j.sibling(m) {
		switch j.kind(m) {
		case jvPrivate, jvPublic, jvProtected, jvStatic:
			return true
		}
	}
	return false
}

func (j *java) misreadMember(n node) {
	if j.kind(n) == jvLocalVariable {
		j.fieldDeclaration(n)
		return
	}
	j.walk(n)
}

// isMisreadMethod reports whether the grammar split a method into the variable n, an
// error after it, and a block after that or the error's own brace.
func (j *java) isMisreadMethod(n node) bool {
	if j.kind(n) != jvLocalVariable || j.child(j.childKind(n, jvDeclarator), jvfValue) != none {
		return false
	}
	e := j.sibling(n)
	return j.isError(e) && j.has(e, jvFormalParameters) && (j.kind(j.sibling(e)) == jvBlock || strings.HasSuffix(j.str(e), "{"))
}

// misreadMethod reads a method that the grammar split into several nodes, and returns its last node.
func (j *java) misreadMethod(n node) node {
	e := j.sibling(n)
	body := j.sibling(e)
	start, end := j.declStart(n), j.start(body)
	if j.kind(body) != jvBlock {
		body, end = e, j.end(e)-1
	}
	name := j.child(j.childKind(n, jvDeclarator), jvfName)
	j.asMember(func() {
		params := j.childKind(e, jvFormalParameters)
		s := code.Symbol{Kind: code.KindMethod, Params: j.params(params), Returns: j.sourceLine(j.child(n, jvfType)),
			Span: j.spanBetween(start, j.end(body)), Signature: j.signature(start, end)}
		saved := j.openBody(j.symbol(n, name, s, 0))
		j.walk(j.modifiers(n))
		j.walk(j.child(n, jvfType))
		j.walk(params)
		if body != e {
			j.walk(body)
		}
		j.close(saved)
	})
	return body
}

// asMember runs read with the state for members of the innermost enclosing type.
func (j *java) asMember(read func()) {
	before, inBody := j.owner, j.inBody
	for j.owner >= 0 && !j.facts.Symbols[j.owner].Kind.IsType() {
		j.owner = j.facts.Symbols[j.owner].Parent
	}
	j.inBody = false
	read()
	j.inBody = inBody
	j.leave(before)
}

package infer

import (
	"slices"
	"strings"

	"ken/internal/code"
)

// exprOp is the kind of one step of an expression, such as a call or a member.
type exprOp uint8

const (
	opUnknown exprOp = iota
	opName           // a name of the file's top level, or one it imports
	opMember         // of.name
	opCall           // result index of calling of
	opElem           // element of of; of a tuple the one at index
	opKey            // first value of a loop over of
	opAbove          // bases of type of
	opList           // sequence of args[0]
	opMap            // args[0] to args[1]
	opTuple          // args
	opFunc           // function with results args
	opArgs           // of with the type arguments args
	opTerm           // the term itself
	opMade           // a value of the type name from outside
	opIn             // of, which is written in the site of term
	opEither         // one of args, or all of them
	opParam          // parameter index of the functions of of
	opOwn            // the type with the qualified name name around the code
	opTag            // the type of the tag name (C)
)

// expr is a type, or an expression whose type is to be found.
type expr struct {
	op    exprOp
	name  string
	index int
	of    *expr
	args  []*expr
	term  *term
}

// maxExpr bounds the length of an expression, in bytes, and maxNested its depth.
const (
	maxExpr   = 400
	maxNested = 32
)

// parseExpr parses an expression in the notation that code.Ref documents, and returns nil if text is not valid.
func parseExpr(text string) *expr {
	p := exprParser{s: strings.TrimPrefix(text, code.RecvExpr)}
	if len(p.s) > maxExpr {
		return nil
	}
	e := p.expr(0)
	if p.pos < len(p.s) || p.bad {
		return nil
	}
	return e
}

type exprParser struct {
	s   string
	pos int
	bad bool // nested too deep
}

func (p *exprParser) peek() byte {
	if p.pos < len(p.s) {
		return p.s[p.pos]
	}
	return 0
}

func (p *exprParser) take(c byte) bool {
	if p.peek() != c {
		return false
	}
	p.pos++
	return true
}

// word reads a name: the text up to the next sign of the notation.
func (p *exprParser) word() string {
	n := strings.IndexAny(p.s[p.pos:], ".()[]{},:|@< =")
	if n < 0 {
		n = len(p.s) - p.pos
	}
	w := p.s[p.pos : p.pos+n]
	p.pos += n
	return w
}

func (p *exprParser) expr(depth int) *expr {
	if depth > maxNested {
		p.pos, p.bad = len(p.s), true
		return nil
	}
	e := p.primary(depth)
	for e != nil {
		switch {
		case p.take('.'):
			e = &expr{op: opMember, of: e, name: p.word()}
		case p.take('('):
			e = &expr{op: opCall, of: e}
			if p.take('@') {
				e.op = opParam
			}
			e.index = p.index()
			if !p.take(')') {
				return nil
			}
		case p.take('['):
			e = &expr{op: opElem, of: e}
			if p.take('k') {
				e.op = opKey
			} else {
				e.index = p.index()
			}
			if !p.take(']') {
				return nil
			}
		case p.take('<'):
			e = &expr{op: opAbove, of: e}
		case p.take('{'):
			if e = p.typeArgs(e, depth); e == nil {
				return nil
			}
		default:
			return e
		}
	}
	return nil
}

// typeArgs reads the {a,b} after of.
func (p *exprParser) typeArgs(of *expr, depth int) *expr {
	e := &expr{op: opArgs, of: of}
	for {
		e.args = append(e.args, p.expr(depth+1))
		if !p.take(',') {
			break
		}
	}
	if !p.take('}') {
		return nil
	}
	return e
}

func (p *exprParser) index() (n int) {
	for c := p.peek(); c >= '0' && c <= '9' && n < maxExpr; c = p.peek() {
		n = 10*n + int(c-'0')
		p.pos++
	}
	return n
}

// primary reads a name, [element], {key:value}, (first,second) or (one|other).
func (p *exprParser) primary(depth int) *expr {
	switch {
	case p.take('['):
		e := &expr{op: opList, args: []*expr{p.expr(depth + 1)}}
		if !p.take(']') {
			return nil
		}
		return e
	case p.take('{'):
		k := p.expr(depth + 1)
		if !p.take(':') {
			return nil
		}
		e := &expr{op: opMap, args: []*expr{k, p.expr(depth + 1)}}
		if !p.take('}') {
			return nil
		}
		return e
	case p.take('('):
		e := &expr{op: opTuple}
		for {
			e.args = append(e.args, p.expr(depth+1))
			if p.take('|') {
				e.op = opEither
			} else if !p.take(',') {
				break
			}
		}
		if !p.take(')') {
			return nil
		}
		return e
	}
	switch w := p.word(); w {
	case "":
		return nil
	case "?":
		return &expr{}
	default:
		return &expr{op: opName, name: w}
	}
}

// sameExpr reports whether two expressions are written alike.
func sameExpr(a, b *expr) bool {
	if a == nil || b == nil {
		return a == b
	}
	if a.op != b.op || a.name != b.name || a.index != b.index {
		return false
	}
	return sameExpr(a.of, b.of) && slices.EqualFunc(a.args, b.args, sameExpr)
}

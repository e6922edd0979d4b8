package infer

import (
	"strings"
)

// scriptResults is the result that a function or method declares, nil if it declares
// none. A promise counts as what it gives.
func scriptResults(d *Decl) []*expr {
	s := scriptTypes{goSyntax{s: d.Signature}, nil}
	if s.pos = strings.IndexByte(s.s, '('); s.pos < 0 {
		return nil
	}
	if open := strings.IndexByte(s.s, '<'); open >= 0 && open < s.pos {
		s.pos = open
		s.bounds = typeBounds(s.angles())
		if s.pos = strings.IndexByte(s.s[s.pos:], '(') + s.pos; s.peek() != '(' {
			return nil
		}
	}
	s.skip()
	if !s.take(":") {
		return nil
	}
	return []*expr{s.typ(0)}
}

// scriptVariable is the type that a variable, field or property declares.
func scriptVariable(d *Decl) *expr {
	at := strings.Index(d.Signature, d.Name)
	if at < 0 {
		return nil
	}
	s := scriptTypes{goSyntax{s: d.Signature, pos: at + len(d.Name)}, nil}
	if s.take("?") || s.take("!") {
		s.spaces()
	}
	if !s.take(":") {
		return nil
	}
	return s.typ(0)
}

// scriptTypes reads the types of TypeScript. bounds are type parameters and what they
// extend.
type scriptTypes struct {
	goSyntax
	bounds map[string]string
}

// angles takes text in <>, without them.
func (s *scriptTypes) angles() string {
	depth := 0
	for i := s.pos; i < len(s.s); i++ {
		switch s.s[i] {
		case '<':
			depth++
		case '>':
			if i > 0 && s.s[i-1] == '=' { // of an arrow
				continue
			}
			if depth--; depth == 0 {
				text := s.s[s.pos+1 : i]
				s.pos = i + 1
				return text
			}
		}
	}
	s.pos = len(s.s)
	return ""
}

// typeBounds are the type parameters of a list and the types they extend, "" for any.
func typeBounds(list string) map[string]string {
	out := map[string]string{}
	for part := range strings.SplitSeq(list, ",") {
		name, bound, _ := strings.Cut(strings.TrimSpace(part), " extends ")
		bound, _, _ = strings.Cut(bound, "=")
		out[strings.TrimSpace(name)] = strings.TrimSpace(bound)
	}
	return out
}

// typ reads a type, unknown if it is none that has members of its own: a union of
// several, a function, a literal.
func (s *scriptTypes) typ(depth int) *expr {
	if depth > maxNested {
		return &expr{}
	}
	var meant *expr
	for s.take("|"); ; {
		e, nothing := s.part(depth + 1)
		switch {
		case nothing:
		case meant != nil:
			return &expr{}
		default:
			meant = e
		}
		if s.take("&") || s.take("=>") {
			return &expr{}
		}
		if !s.take("|") {
			break
		}
	}
	if meant == nil {
		return &expr{}
	}
	return meant
}

// part reads one member of a union. nothing is set for null and undefined.
func (s *scriptTypes) part(depth int) (e *expr, nothing bool) {
	for s.word("readonly") || s.word("unique") {
		s.spaces()
	}
	if s.peek() == '(' {
		text := s.skip()
		in := scriptTypes{goSyntax{s: strings.TrimSuffix(text[1:], ")")}, s.bounds}
		return s.lists(in.typ(depth)), false
	}
	s.word("typeof")
	name := s.scriptName()
	switch name {
	case "":
		s.pos = len(s.s)
		return &expr{}, false
	case "null", "undefined", "void":
		return nil, true
	}
	if bound, ok := s.bounds[name]; ok {
		in := scriptTypes{goSyntax{s: bound}, nil}
		return s.lists(in.typ(depth)), false
	}
	e = &expr{op: opName, name: name}
	for s.peek() == '.' {
		s.pos++
		e = &expr{op: opMember, of: e, name: s.scriptName()}
	}
	if s.peek() == '<' {
		e = s.generic(e, name, depth)
	}
	return s.lists(e), false
}

// scriptName takes an identifier, which may hold a dollar.
func (s *scriptTypes) scriptName() string {
	from := s.pos
	for s.pos < len(s.s) && (isWordByte(s.s[s.pos]) || s.s[s.pos] == '$') {
		s.pos++
	}
	return s.s[from:s.pos]
}

// generic is type e with the arguments that follow: what the well-known containers
// hold, e itself for any other.
func (s *scriptTypes) generic(e *expr, name string, depth int) *expr {
	in := scriptTypes{goSyntax{s: s.angles()}, s.bounds}
	switch name {
	case "Promise", "PromiseLike", "Readonly", "Partial", "Required", "NonNullable", "Awaited":
		return in.typ(depth)
	case "Array", "ReadonlyArray", "Set", "ReadonlySet", "Iterable", "IterableIterator", "Generator", "AsyncIterable", "AsyncGenerator":
		return &expr{op: opList, args: []*expr{in.typ(depth)}}
	case "Map", "ReadonlyMap", "Record":
		k := in.typ(depth)
		in.take(",")
		return &expr{op: opMap, args: []*expr{k, in.typ(depth)}}
	}
	return e
}

// lists reads the brackets after a type: of an array, or of a member that is not known.
func (s *scriptTypes) lists(e *expr) *expr {
	for s.peek() == '[' {
		if s.skip() != "[]" {
			e = &expr{}
			continue
		}
		e = &expr{op: opList, args: []*expr{e}}
	}
	return e
}

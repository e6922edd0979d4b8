package infer

import (
	"ken/internal/engine/graph/infer/signature"
	"maps"
	"slices"
	"strings"
)

// scriptResults returns the declared result of a function or method, nil if it declares none. A promise counts as its value.
func scriptResults(d *Decl) []*expr {
	s, ok := atParams(d)
	if !ok {
		return nil
	}
	s.skip()
	if !s.take(":") {
		return nil
	}
	return []*expr{s.typ(0)}
}

// atParams returns a reader of a function's signature, at the beginning of its parameters.
func atParams(d *Decl) (s scriptTypes, ok bool) {
	s = scriptTypes{goSyntax{s: d.Signature}, nil}
	if s.pos = strings.IndexByte(s.s, '('); s.pos < 0 {
		return s, false
	}
	if open := strings.IndexByte(s.s, '<'); open >= 0 && open < s.pos {
		s.pos = open
		s.bounds = signature.Bounds(s.angles())
		if s.pos = strings.IndexByte(s.s[s.pos:], '(') + s.pos; s.peek() != '(' {
			return s, false
		}
	}
	return s, true
}

// scriptVariable returns the type that a variable, field or property declares.
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

// scriptTypes reads the types of TypeScript. bounds are type parameters with the types they extend.
type scriptTypes struct {
	goSyntax
	bounds map[string]string
}

// angles reads a text in <> and returns it without them.
func (s *scriptTypes) angles() (text string) {
	text, s.pos = signature.Angles(s.s, s.pos)
	return text
}

// typ reads a type, unknown if it has no members of its own: a literal, a conditional type.
func (s *scriptTypes) typ(depth int) *expr {
	if depth > maxNested {
		return &expr{}
	}
	var parts []*expr
	for s.take("|"); ; {
		e, nothing := s.part(depth + 1)
		if !nothing {
			parts = append(parts, e)
		}
		if s.take("=>") {
			return &expr{}
		}
		if !s.take("|") && !s.take("&") {
			break
		}
	}
	switch len(parts) {
	case 0:
		return &expr{}
	case 1:
		return parts[0]
	}
	return &expr{op: opEither, args: parts}
}

// part reads one member of a union. nothing is set for null and undefined.
func (s *scriptTypes) part(depth int) (e *expr, nothing bool) {
	for slices.ContainsFunc(typePrefixes, s.word) {
		s.spaces()
	}
	switch s.peek() {
	case '(', '<':
		return s.lists(s.parens(depth)), false
	case '{':
		s.skip()
		return s.lists(&expr{}), false
	case '[':
		return s.lists(s.tuple(depth)), false
	case '"', '\'', '`':
		s.skipQuoted()
		return s.lists(&expr{op: opName, name: "string"}), false
	}
	s.word("typeof")
	name := s.scriptName()
	switch name {
	case "":
		s.pos = len(s.s)
		return &expr{}, false
	case "null", "undefined", "void", "never":
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

// typePrefixes are words before a type that do not change its members.
var typePrefixes = []string{"readonly", "unique", "keyof", "new", "abstract"}

// parens reads a type in parentheses, or that of a function.
func (s *scriptTypes) parens(depth int) *expr {
	bounds := s.bounds
	if s.peek() == '<' {
		own := signature.Bounds(s.angles())
		maps.Copy(own, bounds)
		s.bounds = own
		defer func() { s.bounds = bounds }()
		if s.spaces(); s.peek() != '(' {
			return &expr{}
		}
	}
	text := s.skip()
	if s.take("=>") {
		takes := s.params(text)
		return &expr{op: opFunc, args: []*expr{s.typ(depth + 1)}, of: &expr{op: opTuple, args: takes}}
	}
	in := scriptTypes{goSyntax{s: strings.TrimSuffix(text[1:], ")")}, s.bounds}
	return in.typ(depth + 1)
}

// params returns the types of the parameters in parentheses.
func (s *scriptTypes) params(text string) (out []*expr) {
	for _, part := range signature.Types(strings.TrimSuffix(strings.TrimPrefix(text, "("), ")")) {
		in := scriptTypes{goSyntax{s: part}, s.bounds}
		in.spaces()
		rest := in.take("...")
		if c := in.peek(); c == '{' || c == '[' {
			in.skip()
		} else {
			in.scriptName()
		}
		in.take("?")
		e := &expr{}
		if in.take(":") {
			e = in.typ(1)
		}
		if rest {
			e = &expr{op: opElem, of: e}
		}
		out = append(out, e)
	}
	return out
}

// tuple reads [A, B].
func (s *scriptTypes) tuple(depth int) *expr {
	text := s.skip()
	e := &expr{op: opTuple}
	for _, part := range signature.Types(strings.TrimSuffix(text[1:], "]")) {
		if name, typ, ok := strings.Cut(part, ":"); ok && !strings.ContainsAny(name, "<({[") {
			part = typ
		}
		in := scriptTypes{goSyntax{s: strings.TrimSpace(part)}, s.bounds}
		e.args = append(e.args, in.typ(depth+1))
	}
	return e
}

// skipQuoted skips a text in quotes.
func (s *scriptTypes) skipQuoted() {
	end := strings.IndexByte(s.s[s.pos+1:], s.peek())
	if end < 0 {
		s.pos = len(s.s)
		return
	}
	s.pos += end + 2
	s.spaces()
}

// scriptName takes an identifier, which may hold a dollar.
func (s *scriptTypes) scriptName() string {
	from := s.pos
	for s.pos < len(s.s) && (isWordByte(s.s[s.pos]) || s.s[s.pos] == '$') {
		s.pos++
	}
	return s.s[from:s.pos]
}

// generic returns type e with the arguments that follow: for the well-known containers the type of their elements, for
// any other e itself.
func (s *scriptTypes) generic(e *expr, name string, depth int) *expr {
	in := scriptTypes{goSyntax{s: s.angles()}, s.bounds}
	switch name {
	case "Promise", "PromiseLike", "Readonly", "Partial", "Required", "NonNullable", "Awaited", "Omit", "Pick", "Exclude", "Extract", "InstanceType":
		return in.typ(depth)
	case "ReturnType":
		return &expr{op: opCall, of: in.typ(depth)}
	case "Array", "ReadonlyArray", "Set", "ReadonlySet", "Iterable", "IterableIterator", "Generator", "AsyncIterable", "AsyncGenerator":
		return &expr{op: opList, args: []*expr{in.typ(depth)}}
	case "Map", "ReadonlyMap", "WeakMap", "Record":
		k := in.typ(depth)
		in.take(",")
		return &expr{op: opMap, args: []*expr{k, in.typ(depth)}}
	}
	return e
}

// lists reads the brackets after a type: of an array, or of a member, which is unknown.
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

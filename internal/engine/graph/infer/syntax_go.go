package infer

import (
	"ken/internal/engine/graph/infer/signature"
	"strings"

	"ken/internal/code"
	"ken/internal/engine/graph"
	"ken/internal/lang"
)

const goPredeclared = " any bool byte comparable complex64 complex128 error float32 float64 int int8 int16 int32 int64 rune string " +
	"uint uint8 uint16 uint32 uint64 uintptr "

// goResults returns the results of a function or method. The signature of a method in an interface has no func before its name.
func goResults(d *Decl) []*expr {
	s := goSyntax{s: d.Signature}
	if s.word("func") && s.peek() == '(' {
		s.skip() // receiver
	}
	s.name()
	if s.peek() == '[' {
		s.params = signature.GoParams(s.skip())
	}
	if s.peek() != '(' {
		return nil
	}
	s.skip()
	return s.results(0)
}

// goVariable returns the type of `var x T`, of `var x = v` and of a field, which is `x T` or, embedded, `T`.
func goVariable(d *Decl) *expr {
	s := goSyntax{s: d.Signature}
	if d.Kind == code.KindField {
		if !strings.HasPrefix(s.s, d.Name+" ") {
			return s.whole(s.typ(0))
		}
		s.name()
		return s.whole(s.typ(0))
	}
	if !s.word("var") && !s.word("const") {
		return nil
	}
	s.name()
	if !s.take("=") {
		e := s.typ(0)
		if s.spaces(); s.peek() == '=' {
			return e
		}
		return s.whole(e)
	}
	return s.whole(s.value(0))
}

// goUnderlying returns the T of `type X T` and `type X = T`.
func goUnderlying(d *Decl) *expr {
	s := goSyntax{s: d.Signature}
	s.word("type")
	s.name()
	if s.peek() == '[' && strings.ContainsRune(s.ahead(), ' ') {
		s.params = signature.GoParams(s.skip()) // [T any], which an array's length is not
	}
	s.take("=")
	return s.whole(s.typ(0))
}

// goSyntax reads types from a signature. Pointers count as their targets; of type arguments only those of iter.Seq are known.
type goSyntax struct {
	s      string
	pos    int
	params []string // type parameters, whose types are not known
}

func (s *goSyntax) peek() byte {
	if s.pos < len(s.s) {
		return s.s[s.pos]
	}
	return 0
}

func (s *goSyntax) spaces() {
	for s.peek() == ' ' {
		s.pos++
	}
}

func (s *goSyntax) take(mark string) bool {
	s.spaces()
	if !strings.HasPrefix(s.s[s.pos:], mark) {
		return false
	}
	s.pos += len(mark)
	s.spaces()
	return true
}

// word skips a keyword if it comes next, and reports whether it does.
func (s *goSyntax) word(w string) bool {
	s.spaces()
	rest := s.s[s.pos:]
	if !strings.HasPrefix(rest, w) || len(rest) > len(w) && isWordByte(rest[len(w)]) {
		return false
	}
	s.pos += len(w)
	s.spaces()
	return true
}

func isWordByte(c byte) bool {
	switch {
	case '0' <= c && c <= '9', 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', c == '_', c >= 0x80:
		return true
	}
	return false
}

// name reads an identifier, "" if there is none.
func (s *goSyntax) name() string {
	s.spaces()
	from := s.pos
	for s.pos < len(s.s) && isWordByte(s.s[s.pos]) {
		s.pos++
	}
	name := s.s[from:s.pos]
	s.spaces()
	return name
}

// ahead returns the text of the brackets that come next, including them. If they do not close, it extends to the end.
func (s *goSyntax) ahead() string {
	depth := 0
	for i := s.pos; i < len(s.s); i++ {
		switch s.s[i] {
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			if depth--; depth == 0 {
				return s.s[s.pos : i+1]
			}
		}
	}
	return s.s[s.pos:]
}

func (s *goSyntax) skip() string {
	text := s.ahead()
	s.pos += len(text)
	s.spaces()
	return text
}

// whole returns e if the text ends here, else nil.
func (s *goSyntax) whole(e *expr) *expr {
	if s.spaces(); s.pos < len(s.s) {
		return nil
	}
	return e
}

// typ reads a type, nil if it is not understood.
func (s *goSyntax) typ(depth int) *expr {
	if depth > maxNested {
		return nil
	}
	depth++
	switch {
	case s.take("*"):
		return s.typ(depth)
	case s.take("..."):
		return &expr{op: opList, args: []*expr{s.typ(depth)}}
	case s.take("<-"):
		return s.typ(depth)
	case s.peek() == '[':
		s.skip()
		return &expr{op: opList, args: []*expr{s.typ(depth)}}
	case s.peek() == '(':
		inner := s.skip()
		in := goSyntax{s: strings.TrimSuffix(inner[1:], ")"), params: s.params}
		return in.whole(in.typ(depth))
	case s.word("chan"):
		s.take("<-")
		return &expr{op: opList, args: []*expr{s.typ(depth)}}
	case s.word("func"):
		s.skip()
		return &expr{op: opFunc, args: s.results(depth)}
	case s.word("struct"), s.word("interface"):
		if s.peek() == '{' {
			s.skip()
		}
		return &expr{}
	case s.word("map"):
		return s.mapType(depth)
	}
	return s.typeName(depth)
}

func (s *goSyntax) mapType(depth int) *expr {
	if s.peek() != '[' {
		return nil
	}
	k := goSyntax{s: strings.TrimSuffix(s.skip()[1:], "]"), params: s.params}
	return &expr{op: opMap, args: []*expr{k.typ(depth), s.typ(depth)}}
}

// typeName reads T, pkg.T and T[args].
func (s *goSyntax) typeName(depth int) *expr {
	name := s.name()
	if name == "" || name[0] >= '0' && name[0] <= '9' {
		return nil
	}
	e := &expr{op: opName, name: name}
	for _, p := range s.params {
		if p == name {
			e = &expr{}
		}
	}
	if s.take(".") {
		e = &expr{op: opMember, of: e, name: s.name()}
	}
	if s.peek() != '[' {
		return e
	}
	args := s.skip()
	if name == "iter" && strings.HasPrefix(e.name, "Seq") {
		return s.sequence(e, args[1:], depth)
	}
	return &expr{op: opArgs, of: e, args: []*expr{{}}}
}

// goAnything reports whether the result type of a function from outside depends on its arguments: one that is called
// with type arguments, or a generic function of the standard library.
func goAnything(s *graph.Site, called *expr) bool {
	if called == nil || called.op == opElem || called.op == opArgs {
		return true
	}
	if called.op != opMember || called.of == nil || called.of.op != opName {
		return false
	}
	for i := range s.Imports {
		if graph.LocalName(&s.Imports[i]) == called.of.name {
			return lang.GenericInGo(s.Imports[i].Spec, called.name)
		}
	}
	return false
}

// sequence returns the element types of a loop over iter.Seq[V] and iter.Seq2[K, V].
func (s *goSyntax) sequence(e *expr, args string, depth int) *expr {
	in := goSyntax{s: strings.TrimSuffix(args, "]"), params: s.params}
	first := in.typ(depth)
	switch {
	case e.name == "Seq":
		return &expr{op: opList, args: []*expr{first}}
	case e.name == "Seq2" && in.take(","):
		return &expr{op: opMap, args: []*expr{first, in.typ(depth)}}
	}
	return e
}

// results reads the part after a function's parameters: nothing, a type, or types in parentheses, with or without names.
func (s *goSyntax) results(depth int) []*expr {
	out := []*expr{}
	if s.spaces(); s.pos == len(s.s) || strings.IndexByte(",)]}=", s.peek()) >= 0 {
		return out
	}
	if s.peek() != '(' {
		return append(out, s.typ(depth))
	}
	inner := s.skip()
	in := goSyntax{s: strings.TrimSuffix(inner[1:], ")"), params: s.params}
	unnamed := 0 // names whose type follows
	for in.pos < len(in.s) {
		from := in.pos
		if name := in.name(); name != "" && in.pos < len(in.s) && in.s[in.pos-1] == ' ' && !signature.IsGoTypeWord(name) {
			e := in.typ(depth + 1) // name type
			for ; unnamed > 0; unnamed-- {
				out[len(out)-unnamed] = e
			}
			out = append(out, e)
		} else {
			in.pos = from
			out = append(out, in.typ(depth+1))
			unnamed++
		}
		if !in.take(",") {
			break
		}
	}
	return out
}

// calledValue returns the result of calling e with the arguments ahead.
func (s *goSyntax) calledValue(e *expr, depth int) *expr {
	args := s.skip()
	if e.op == opMember && e.of.op == opName && depth < maxNested && lang.KeepsGoType(e.of.name, e.name) {
		in := goSyntax{s: strings.Trim(args, "()"), params: s.params}
		if first := in.value(depth + 1); first != nil {
			return first
		}
	}
	return &expr{op: opCall, of: e}
}

// value reads a value in the form of signatures: literals have lost their braces.
func (s *goSyntax) value(depth int) *expr {
	s.take("&")
	if s.word("new") || s.word("make") {
		args := s.skip()
		if len(args) < 2 {
			return nil
		}
		in := goSyntax{s: strings.TrimSuffix(args[1:], ")")}
		return in.typ(depth)
	}
	e := s.typ(depth)
	for e != nil {
		switch {
		case s.peek() == '(':
			e = s.calledValue(e, depth)
		case s.peek() == '{':
			s.skip()
		case s.take("."):
			e = &expr{op: opMember, of: e, name: s.name()}
		default:
			return e
		}
	}
	return nil
}

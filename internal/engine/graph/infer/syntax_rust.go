package infer

import (
	"strings"

	"ken/internal/code"
	"ken/internal/engine/graph"
	"ken/internal/engine/graph/infer/signature"
	"ken/internal/engine/graph/infer/std"
)

// Rust: what a value is behind references, smart pointers, Option and Result. Traits
// and Deref lend a type members that it does not show, so that nothing here proves
// that a member is another's.

// rustGeneric is a type of std, or one that is named like it, with its type arguments.
func rustGeneric(name string, t term) term {
	switch {
	case len(t.args) > 0 && isOneOf(std.RustHolders, name):
		t.what = termList
	case len(t.args) > 1 && isOneOf(std.RustMaps, name):
		t.what = termMap
	default:
		t.args = nil
	}
	return t
}

// rustComposed is the method of a holder that a name means.
func rustComposed(t *term, name string, _ *expr) term {
	gives := func(e *expr) term { return term{what: termCallable, site: t.site, args: []*expr{e}} }
	holder := func(name string, e *expr) *expr {
		c := term{what: termList, site: t.site, args: []*expr{e}}
		c.decl.Name = name
		return &expr{op: opTerm, term: &c}
	}
	value := t.args[len(t.args)-1]
	if t.what == termMap {
		switch {
		case name == "entry" || name == "clone":
			return gives(&expr{op: opTerm, term: t})
		case isOneOf(" get get_mut remove insert ", name):
			return gives(holder("Option", value))
		case strings.Contains(name, "values"):
			return gives(holder("Iterator", value))
		case strings.Contains(name, "keys"):
			return gives(holder("Iterator", t.args[0]))
		case strings.HasPrefix(name, "or_"):
			return gives(value)
		case isOneOf(" iter iter_mut into_iter drain ", name):
			return gives(holder("Iterator", &expr{op: opTuple, args: t.args}))
		case isOneOf(std.RustLends, name):
			return gives(&expr{op: opTerm, term: t})
		}
		return term{}
	}
	value = t.args[0]
	opens := isOneOf(" Option Result Poll ", t.decl.Name)
	switch {
	case !opens && isOneOf(std.RustLends, name): // behind a lock
		return gives(&expr{op: opTerm, term: t})
	case name == "enumerate":
		return gives(holder("Iterator", &expr{op: opTuple, args: []*expr{{}, value}}))
	case name == "remove" && t.decl.Name == "Vec", isOneOf(std.RustGivesValue, name):
		return gives(value)
	case isOneOf(std.RustGivesOption, name):
		return gives(holder("Option", value))
	case isOneOf(std.RustGivesSame, name):
		return gives(&expr{op: opTerm, term: t})
	}
	return term{}
}

// rustResults is the type that a function gives. What an async function gives stands
// for the future of it, because waiting for a value of another type changes nothing.
func rustResults(d *Decl) []*expr {
	s := rustSyntax{Text: signature.Text{S: d.Signature}, own: d.Container}
	i := strings.Index(s.S, "fn ")
	if i < 0 {
		return nil
	}
	s.Pos = i
	for s.Pos < len(s.S) && s.S[s.Pos] != '(' {
		if s.S[s.Pos] == '<' {
			s.Skip('<', '>')
			continue
		}
		s.Pos++
	}
	s.Skip('(', ')')
	if !s.Take("->") {
		return nil
	}
	return []*expr{s.typ(0)}
}

// rustVariable is the type of a field, constant, static or variant.
func rustVariable(d *Decl) *expr {
	if d.Kind == code.KindEnumMember {
		return &expr{op: opOwn, name: d.Container}
	}
	s := rustSyntax{Text: signature.Text{S: d.Signature}, own: d.Container}
	i := strings.Index(s.S, d.Name+":")
	if i < 0 {
		return nil
	}
	s.Pos = i + len(d.Name) + 1
	return s.typ(0)
}

// rustUnderlying is what a type alias is another name of.
func rustUnderlying(d *Decl) *expr {
	i := strings.Index(d.Signature, "= ")
	if i < 0 {
		return nil
	}
	s := rustSyntax{Text: signature.Text{S: d.Signature, Pos: i + 1}, own: d.Container}
	return s.typ(0)
}

// rustTypeParams are the type parameters of a type.
func rustTypeParams(d *Decl) []typeParam {
	i := strings.Index(d.Signature, d.Name+"<")
	if i < 0 {
		return nil
	}
	s := rustSyntax{Text: signature.Text{S: d.Signature, Pos: i + len(d.Name) + 1}, own: d.Container}
	var list []typeParam
	for s.Pos < len(s.S) && s.Next() != '>' {
		switch {
		case s.Take("'"):
			s.Word()
		case s.Take("const "):
			s.Word()
		default:
			p := typeParam{name: s.Word()}
			if p.name == "" {
				return list
			}
			if s.Take(":") && s.Next() != '\'' {
				p.bound = s.typ(0)
			}
			list = append(list, p)
		}
		for s.Pos < len(s.S) && s.Next() != ',' && s.Next() != '>' { // further bounds, defaults
			if s.Next() == '<' {
				s.Skip('<', '>')
				continue
			}
			s.Pos++
		}
		if !s.Take(",") {
			break
		}
	}
	return list
}

// rustSyntax reads signatures of Rust; own is the type around.
type rustSyntax struct {
	signature.Text
	own string
}

// typ reads a type, without references and pointers; nil if it is not understood.
func (s *rustSyntax) typ(depth int) *expr {
	if depth > maxNested {
		return nil
	}
	switch {
	case s.Take("&&"), s.Take("&"), s.Take("*const "), s.Take("*mut "), s.Take("mut "), s.Take("dyn "), s.Take("impl "), s.Take("async "):
		return s.typ(depth + 1)
	case s.Take("'"):
		s.Word()
		return s.typ(depth + 1)
	case s.Take("for<"):
		s.Pos--
		s.Skip('<', '>')
		return s.typ(depth + 1)
	case s.Take("("):
		return s.tuple(depth)
	case s.Take("["):
		e := &expr{op: opList, args: []*expr{s.typ(depth + 1)}}
		for s.Pos < len(s.S) && s.S[s.Pos] != ']' {
			s.Pos++
		}
		s.Take("]")
		return e
	case s.Next() == '<': // <T as Trait>::Item
		s.Skip('<', '>')
		s.path(nil, depth)
		return &expr{}
	}
	name := s.Word()
	switch name {
	case "":
		return nil
	case "Self":
		return s.path(&expr{op: opOwn, name: s.own}, depth)
	}
	return s.path(&expr{op: opName, name: name}, depth)
}

func (s *rustSyntax) tuple(depth int) *expr {
	e := &expr{op: opTuple}
	for s.Next() != ')' && s.Pos < len(s.S) {
		e.args = append(e.args, s.typ(depth+1))
		if !s.Take(",") {
			break
		}
	}
	s.Take(")")
	if len(e.args) == 1 {
		return e.args[0]
	}
	return e
}

// path reads what follows the first name of a path: further names, and the arguments
// of the last. Modules are left out, because the imports of the file know its types.
func (s *rustSyntax) path(e *expr, depth int) *expr {
	for {
		switch {
		case s.Take("::"):
			name := s.Word()
			if name == "" {
				continue
			}
			if e != nil && e.op == opOwn {
				e = &expr{op: opMember, of: e, name: name}
			} else {
				e = &expr{op: opName, name: name}
			}
		case s.Next() == '<':
			return s.arguments(e, depth)
		case s.Next() == '(' && e != nil && strings.HasPrefix(e.name, "Fn"):
			s.Skip('(', ')')
			if s.Take("->") {
				return &expr{op: opFunc, args: []*expr{s.typ(depth + 1)}}
			}
			return &expr{}
		default:
			return e
		}
	}
}

// arguments reads the <A, Item = B> behind the type e.
func (s *rustSyntax) arguments(e *expr, depth int) *expr {
	s.Take("<")
	out := &expr{op: opArgs, of: e}
	for s.Next() != '>' && s.Pos < len(s.S) {
		if s.Take("'") {
			s.Word()
		} else {
			from := s.Pos
			if s.Word(); !s.Take("=") {
				s.Pos = from
			}
			out.args = append(out.args, s.typ(depth+1))
			for s.Take("+") {
				s.typ(depth + 1)
			}
		}
		if !s.Take(",") {
			break
		}
	}
	if !s.Take(">") || len(out.args) == 0 {
		return e
	}
	return out
}

// opened is what a step of Rust gives: `?` what unwrapping a value does, and await
// what waiting for it does; of other values these are the values themselves.
func (y *Types) opened(t term, step string) term {
	if t.what == termType && t.decl.Kind == code.KindType {
		if u := y.under(t); u.what != termUnknown {
			t = u
		}
	}
	if t.what != termList {
		return t
	}
	holds := t.decl.Name
	switch {
	case step == "?" && isOneOf(" Option Result Poll ", holds), step == "await" && isOneOf(" Future BoxFuture ", holds):
		return y.eval(t.site, t.args[0])
	case step == "await" && holds == "JoinHandle":
		t.decl.Name = "Result"
	}
	return t
}

// maxDeref bounds how many types in a row are followed to what they point to.
const maxDeref = 3

// pointed is what a type of Rust points to by Deref, unknown if it does not.
func (y *Types) pointed(t term) term {
	if !syntaxOf(t.decl.File.Lang).lends || t.what != termType {
		return term{}
	}
	list := y.membersOf(t.decl, "Target")
	home := y.look.Site(t.decl.File.ID)
	if len(list) == 0 || home == nil || list[0].Kind != code.KindType {
		return term{}
	}
	return y.eval(home, bindParams(rustUnderlying(&list[0]), rustTypeParams(&t.decl), &t))
}

// own is the type of a qualified name that is declared around the code of a file.
func (y *Types) own(s *graph.Site, container string) term {
	scope, name := "", container
	if i := strings.LastIndexByte(container, '.'); i >= 0 {
		scope, name = container[:i], container[i+1:]
	}
	for _, d := range y.look.Declared(s.Node.ID, scope, name) {
		if d.Kind.IsType() || d.Kind == code.KindTrait {
			return term{what: termType, decl: d}
		}
	}
	return y.name(s, name)
}

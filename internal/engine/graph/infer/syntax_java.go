package infer

import (
	"slices"
	"strings"

	"ken/internal/code"
	"ken/internal/engine/graph/infer/javalib"
)

func isOneOf(list, name string) bool { return name != "" && strings.Contains(list, " "+name+" ") }

// javaComposed is the member of a container of the standard library that a method's name
// means; with is what the function passed to it gives, if that is known.
func javaComposed(t *term, name string, with *expr) term {
	gives := func(e *expr) term { return term{what: termCallable, site: t.site, args: []*expr{e}} }
	self := &expr{op: opTerm, term: t}
	if t.what == termMap {
		switch {
		case isOneOf(javalib.GivesMapped, name):
			return gives(t.args[1])
		case isOneOf(javalib.GivesKey, name):
			return gives(t.args[0])
		case isOneOf(javalib.GivesKeys, name):
			return gives(&expr{op: opList, args: t.args[:1]})
		case name == "values":
			return gives(&expr{op: opList, args: t.args[1:2]})
		case name == "entrySet":
			return gives(&expr{op: opList, args: []*expr{self}})
		case isOneOf(javalib.GivesEntry, name):
			return gives(self)
		}
		return term{}
	}
	switch {
	case name == "peek" && t.decl.Name == "Stream", isOneOf(javalib.GivesSame, name):
		c := *t
		if strings.HasSuffix(name, "tream") || t.decl.Name == "Stream" && !strings.HasPrefix(name, "find") {
			c.decl.Name = "Stream"
		}
		return gives(&expr{op: opTerm, term: &c})
	case isOneOf(javalib.GivesValue, name):
		return gives(t.args[0])
	case with == nil:
	case isOneOf(javalib.MapsEach, name):
		return gives(&expr{op: opList, args: []*expr{with}})
	case isOneOf(javalib.MapsToSequence, name):
		return gives(with)
	}
	return term{}
}

// javaGeneric is a type of the standard library with its type arguments, which are written
// in s.
func javaGeneric(name string, t term) term {
	switch {
	case len(t.args) > 0 && isOneOf(javalib.Containers, name):
		t.what = termList
	case len(t.args) > 1 && isOneOf(javalib.Maps, name):
		t.what = termMap
	default:
		t.args = nil
	}
	return t
}

// javaResults are the type that a method gives.
func javaResults(d *Decl) []*expr {
	if d.Kind == code.KindConstructor {
		return []*expr{pathExpr(d.Container)}
	}
	s := javaSyntax{Text: javalib.Text{S: d.Signature}}
	s.modifiers()
	return []*expr{s.typ(0)}
}

// javaParameters are the parameters of a method or constructor.
func javaParameters(d *Decl) (list []parameter, ok bool) {
	s := javaSyntax{Text: javalib.Text{S: d.Signature}}
	s.modifiers()
	i := strings.Index(s.S[s.Pos:], d.Name+"(")
	if i < 0 {
		return nil, false
	}
	s.Pos += i + len(d.Name) + 1
	for !s.Take(")") {
		s.Take("final ")
		from := s.Pos
		p := parameter{typ: s.typ(0)}
		p.text, p.variadic = strings.TrimSpace(s.S[from:s.Pos]), s.variadic
		p.generic = slices.ContainsFunc(s.params, func(t typeParam) bool { return strings.TrimSuffix(p.text, "...") == t.name })
		if name := s.Word(); p.typ == nil || name == "" {
			return nil, false
		}
		for s.Take("[]") {
			p.typ, p.text = &expr{op: opList, args: []*expr{p.typ}}, p.text+"[]"
		}
		list = append(list, p)
		if !s.Take(",") && s.Next() != ')' {
			return nil, false
		}
	}
	return list, true
}

// javaVariable is the type of a field or of a constant of an enum.
func javaVariable(d *Decl) *expr {
	if d.Kind == code.KindEnumMember {
		return pathExpr(d.Container)
	}
	s := javaSyntax{Text: javalib.Text{S: d.Signature}}
	s.modifiers()
	e := s.typ(0)
	if e != nil && strings.Contains(s.S[s.Pos:], d.Name+"[") { // int x[]
		return &expr{op: opList, args: []*expr{e}}
	}
	return e
}

// pathExpr is the expression of a dotted name.
func pathExpr(path string) *expr {
	var e *expr
	for name := range strings.SplitSeq(path, ".") {
		if e == nil {
			e = &expr{op: opName, name: name}
		} else {
			e = &expr{op: opMember, of: e, name: name}
		}
	}
	return e
}

// typeParam is a type parameter, with what it extends, nil if that is anything.
type typeParam struct {
	name  string
	bound *expr
}

// javaTypeParams are the type parameters of a class or interface.
func javaTypeParams(d *Decl) []typeParam {
	i := strings.Index(d.Signature, " "+d.Name+"<")
	if i < 0 {
		return nil
	}
	s := javaSyntax{Text: javalib.Text{S: d.Signature, Pos: i + 1 + len(d.Name)}}
	s.typeParams(0)
	return s.params
}

// javaSyntax reads signatures of Java.
type javaSyntax struct {
	javalib.Text
	params []typeParam // of the method itself
	// variadic is set after a type that may be given any number of times.
	variadic bool
}

const javaModifiers = " public protected private static final abstract default synchronized native strictfp transient volatile sealed non-sealed "

// modifiers reads what comes before the type of a member: modifiers and type parameters.
func (s *javaSyntax) modifiers() {
	for {
		from := s.Pos
		switch w := s.Word(); {
		case isOneOf(javaModifiers, w):
		case w == "" && s.Next() == '<':
			s.typeParams(0)
		default:
			s.Pos = from
			return
		}
	}
}

// typeParams reads <A, B extends C & D>.
func (s *javaSyntax) typeParams(depth int) {
	if !s.Take("<") {
		return
	}
	for {
		p := typeParam{name: s.Word()}
		if p.name == "" {
			return
		}
		if s.Take("extends ") {
			p.bound = s.typ(depth + 1)
			for s.Take("&") {
				s.typ(depth + 1)
			}
		}
		s.params = append(s.params, p)
		if !s.Take(",") {
			s.Take(">")
			return
		}
	}
}

// typ reads a type, nil if it is none that is understood.
func (s *javaSyntax) typ(depth int) *expr {
	if depth > maxNested {
		return nil
	}
	if s.Take("?") {
		if s.Take("extends ") {
			return s.typ(depth + 1)
		}
		if s.Take("super ") {
			s.typ(depth + 1)
		}
		return &expr{}
	}
	e := s.named(depth)
	for e != nil {
		switch {
		case s.Take("[]"):
			e = &expr{op: opList, args: []*expr{e}}
		case s.Take("..."):
			s.variadic = true
		default:
			return e
		}
	}
	return nil
}

// named reads a.b.C<D>.E. Names of packages are left out: what their type is called is
// known to the imports of the file.
func (s *javaSyntax) named(depth int) *expr {
	var e *expr
	for {
		name := s.Word()
		switch {
		case name == "":
			return nil
		case e == nil && s.Next() == '.' && name[0] >= 'a' && name[0] <= 'z':
		case e == nil:
			e = s.parameter(name)
		default:
			e = &expr{op: opMember, of: e, name: name}
		}
		if s.Next() == '<' {
			if e = s.arguments(e, depth); e == nil {
				return nil
			}
		}
		if s.Pos >= len(s.S) || s.S[s.Pos] != '.' || strings.HasPrefix(s.S[s.Pos:], "...") {
			return e
		}
		s.Pos++
	}
}

// parameter is a name, or what the type parameter of that name extends.
func (s *javaSyntax) parameter(name string) *expr {
	for i := range s.params {
		if s.params[i].name != name {
			continue
		}
		if b := s.params[i].bound; b != nil {
			return b
		}
		return &expr{}
	}
	return &expr{op: opName, name: name}
}

// arguments reads the <A, B> behind the type e.
func (s *javaSyntax) arguments(e *expr, depth int) *expr {
	s.Take("<")
	out := &expr{op: opArgs, of: e}
	for s.Next() != '>' {
		out.args = append(out.args, s.typ(depth+1))
		if !s.Take(",") {
			break
		}
	}
	if !s.Take(">") {
		return nil
	}
	return out
}

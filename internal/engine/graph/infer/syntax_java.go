package infer

import (
	"slices"
	"strings"

	"ken/internal/code"
	"ken/internal/engine/graph/infer/signature"
	"ken/internal/engine/graph/infer/std"
)

// inList reports whether a list with blanks around names has a name.
func inList(list, name string) bool { return name != "" && strings.Contains(list, " "+name+" ") }

// javaComposed returns the member of a container of the standard library that a method's name means; with is the result
// of the function passed to it, if that is known.
func javaComposed(t *term, name string, with *expr) term {
	gives := func(e *expr) term { return term{what: termCallable, site: t.site, args: []*expr{e}} }
	self := &expr{op: opTerm, term: t}
	if t.what == termMap {
		switch {
		case inList(std.JavaGivesMapped, name):
			return gives(t.args[1])
		case inList(std.JavaGivesKey, name):
			return gives(t.args[0])
		case inList(std.JavaGivesKeys, name):
			return gives(&expr{op: opList, args: t.args[:1]})
		case name == "values":
			return gives(&expr{op: opList, args: t.args[1:2]})
		case name == "entrySet":
			return gives(&expr{op: opList, args: []*expr{self}})
		case inList(std.JavaGivesEntry, name):
			return gives(self)
		}
		return term{}
	}
	switch {
	case name == "peek" && t.decl.Name == "Stream", inList(std.JavaGivesSame, name):
		c := *t
		if strings.HasSuffix(name, "tream") || t.decl.Name == "Stream" && !strings.HasPrefix(name, "find") {
			c.decl.Name = "Stream"
		}
		return gives(&expr{op: opTerm, term: &c})
	case inList(std.JavaGivesValue, name):
		return gives(t.args[0])
	case with == nil:
	case inList(std.JavaMapsEach, name):
		return gives(&expr{op: opList, args: []*expr{with}})
	case inList(std.JavaMapsToSequence, name):
		return gives(with)
	}
	return term{}
}

// javaGeneric returns a type of the standard library with its type arguments, which are written in s.
func javaGeneric(name string, t term) term {
	switch {
	case len(t.args) > 0 && inList(std.JavaContainers, name):
		t.what = termList
	case len(t.args) > 1 && inList(std.JavaMaps, name):
		t.what = termMap
	default:
		t.args = nil
	}
	return t
}

// javaResults returns the result type of a method.
func javaResults(d *Decl) []*expr {
	if d.Kind == code.KindConstructor {
		return []*expr{pathExpr(d.Container)}
	}
	s := signature.Java{Text: signature.Text{S: d.Signature}}
	s.Modifiers()
	return []*expr{parseExpr(s.Type(0))}
}

// javaParameters returns the parameters of a method or constructor.
func javaParameters(d *Decl) (list []parameter, ok bool) {
	s := signature.Java{Text: signature.Text{S: d.Signature}}
	s.Modifiers()
	i := strings.Index(s.S[s.Pos:], d.Name+"(")
	if i < 0 {
		return nil, false
	}
	s.Pos += i + len(d.Name) + 1
	for !s.Take(")") {
		s.Take("final ")
		from := s.Pos
		p := parameter{typ: parseExpr(s.Type(0))}
		p.text, p.variadic = strings.TrimSpace(s.S[from:s.Pos]), s.Variadic
		p.generic = slices.ContainsFunc(s.Params, func(t signature.Param) bool { return strings.TrimSuffix(p.text, "...") == t.Name })
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

// javaVariable returns the type of a field or of a constant of an enum.
func javaVariable(d *Decl) *expr {
	if d.Kind == code.KindEnumMember {
		return pathExpr(d.Container)
	}
	s := signature.Java{Text: signature.Text{S: d.Signature}}
	s.Modifiers()
	e := parseExpr(s.Type(0))
	if e != nil && strings.Contains(s.S[s.Pos:], d.Name+"[") { // int x[]
		return &expr{op: opList, args: []*expr{e}}
	}
	return e
}

// pathExpr returns the expression of a dotted name.
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

// typeParam is a type parameter, with the type it extends, nil for any.
type typeParam struct {
	name  string
	bound *expr
}

// javaTypeParams returns the type parameters of a class or interface.
func javaTypeParams(d *Decl) []typeParam {
	i := strings.Index(d.Signature, " "+d.Name+"<")
	if i < 0 {
		return nil
	}
	s := signature.Java{Text: signature.Text{S: d.Signature, Pos: i + 1 + len(d.Name)}}
	s.TypeParams(0)
	return boundParams(s.Params, parseExpr)
}

// boundParams returns type parameters with the types they extend.
func boundParams(params []signature.Param, read func(string) *expr) (list []typeParam) {
	for _, p := range params {
		q := typeParam{name: p.Name}
		if p.Bound != "" {
			q.bound = read(p.Bound)
		}
		list = append(list, q)
	}
	return list
}

package infer

import (
	"slices"
	"strings"

	"ken/internal/code"
	"ken/internal/engine/graph/infer/signature"
	"ken/internal/engine/graph/infer/std"
)

// kotlinDeclared returns the type that a function or property declares behind its name, nil if it leaves it to its value.
func kotlinDeclared(d *Decl) *expr {
	s := signature.Kotlin{Text: signature.Text{S: d.Signature}}
	if _, ok := s.Receiver(d.Name); !ok {
		if i := strings.Index(d.Signature, d.Name+":"); i >= 0 && d.Kind == code.KindField { // of a constructor: val x: T
			s.Pos = i + len(d.Name)
		} else {
			return nil
		}
	}
	if s.Next() == '(' {
		s.Skip('(', ')')
	}
	if !s.Take(":") {
		return nil
	}
	return parseExpr(s.Type(0))
}

// kotlinOwnParam returns the place of the type parameter of a function that is its result, -1 if none is.
func kotlinOwnParam(d *Decl) int {
	s := signature.Kotlin{Text: signature.Text{S: d.Signature}}
	if _, ok := s.Receiver(d.Name); !ok || s.Next() != '(' {
		return -1
	}
	s.Skip('(', ')')
	if !s.Take(":") {
		return -1
	}
	name := s.Word()
	s.Take("?")
	if rest := strings.TrimSpace(s.S[s.Pos:]); rest != "" && !strings.HasPrefix(rest, "where ") && !strings.HasPrefix(rest, "=") {
		return -1
	}
	return slices.IndexFunc(s.Params, func(p signature.Param) bool { return p.Name == name })
}

// kotlinResults returns the result type of a function.
func kotlinResults(d *Decl) []*expr {
	if d.Kind == code.KindConstructor {
		return []*expr{pathExpr(d.Container)}
	}
	if e := kotlinDeclared(d); e != nil {
		return []*expr{e}
	}
	return nil
}

// kotlinVariable returns the type of a property or of a constant of an enum.
func kotlinVariable(d *Decl) *expr {
	if d.Kind == code.KindEnumMember {
		return pathExpr(d.Container)
	}
	return kotlinDeclared(d)
}

// kotlinUnderlying returns the type that a type alias names.
func kotlinUnderlying(d *Decl) *expr {
	_, typ, ok := strings.Cut(d.Signature, "=")
	if !ok {
		return nil
	}
	s := signature.Kotlin{Text: signature.Text{S: typ}}
	return parseExpr(s.Type(0))
}

// kotlinTypeParams returns the type parameters of a class or interface.
func kotlinTypeParams(d *Decl) []typeParam {
	i := strings.Index(d.Signature, " "+d.Name+"<")
	if i < 0 {
		return nil
	}
	s := signature.Kotlin{Text: signature.Text{S: d.Signature, Pos: i + 1 + len(d.Name)}}
	s.TypeParams(0)
	return boundParams(s.Params, parseExpr)
}

// kotlinGeneric returns a type of the standard library with its type arguments.
func kotlinGeneric(name string, t term) term {
	switch {
	case len(t.args) > 0 && inList(std.KotlinContainers, name):
		t.what = termList
	case len(t.args) > 1 && inList(std.KotlinMaps, name):
		t.what = termMap
	default:
		t.args = nil
	}
	return t
}

// kotlinComposed returns the member of a container of the standard library that a name means.
func kotlinComposed(t *term, name string, with *expr) term {
	gives := func(e *expr) term { return term{what: termCallable, site: t.site, args: []*expr{e}} }
	if t.what == termMap {
		switch {
		case inList(std.KotlinGivesMapped, name):
			return gives(t.args[1])
		case name == "filter", name == "toMap", name == "toMutableMap":
			return gives(&expr{op: opTerm, term: t})
		}
		return term{}
	}
	switch {
	case inList(std.KotlinGivesSame, name):
		return gives(&expr{op: opTerm, term: t})
	case inList(std.KotlinGivesValue, name):
		return gives(t.args[0])
	case with == nil:
	case inList(std.KotlinMapsEach, name):
		return gives(&expr{op: opList, args: []*expr{with}})
	}
	return term{}
}

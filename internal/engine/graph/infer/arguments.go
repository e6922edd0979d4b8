package infer

import (
	"ken/internal/code"
	"ken/internal/engine/graph"
)

// Argument is the type of what a call passes or a function takes.
type Argument struct {
	Receiver
	// Name is that of a type from outside: "String", "int", "lambda" for a function
	// without a name, "null"; "" if it has none that is known.
	Name string
}

// Array is the name of all arrays.
const Array = "[]"

// Parameter is one of what a function takes.
type Parameter struct {
	Argument
	Text     string // its type as written
	Generic  bool   // the type is a parameter of the function
	Variadic bool   // it takes any number of arguments, each of the type
	Optional bool
}

// Arguments are the types of what a call passes, from code.Ref.Args; ok is false if they
// are not recorded.
func (y *Types) Arguments(s *graph.Site, r *code.Ref) (list []Argument, ok bool) {
	if r.Args == "" {
		return nil, false
	}
	if r.Args == "()" {
		return nil, true
	}
	e := parseExpr(r.Args)
	if e == nil || e.op != opTuple {
		return nil, false
	}
	for _, a := range e.args {
		list = append(list, y.argument(y.eval(s, a)))
	}
	return list, true
}

// Parameters are what a function takes; ok is false if its signature does not say.
func (y *Types) Parameters(d *graph.Def) (list []Parameter, ok bool) {
	f := syntaxOf(d.File.Lang).parameters
	if f == nil {
		return nil, false
	}
	written, ok := f(&Decl{*d})
	if !ok {
		return nil, false
	}
	home := y.look.Site(d.File.ID)
	for _, p := range written {
		q := Parameter{Text: p.text, Variadic: p.variadic, Generic: p.generic, Optional: p.optional}
		if home != nil {
			q.Argument = y.argument(y.eval(home, p.typ))
		}
		list = append(list, q)
	}
	return list, true
}

func (y *Types) argument(t term) Argument {
	switch t.what {
	case termType:
		line := y.lineage(t)
		return Argument{Receiver: Receiver{Kind: Type, Types: line.types, Complete: !line.unknown, OutsideBase: line.outside}}
	case termOutside:
		return Argument{Receiver: Receiver{Kind: Outside}, Name: t.decl.Name}
	case termMap, termList:
		name := t.decl.Name
		if name == "" {
			name = Array
		}
		return Argument{Receiver: Receiver{Kind: Outside}, Name: name}
	}
	return Argument{}
}

// Overloads reports whether a type of a language may have several functions of one name
// that calls choose from by what they pass.
func Overloads(l code.Lang) bool { return syntaxOf(l).overloads }

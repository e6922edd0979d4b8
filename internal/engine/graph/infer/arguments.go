package infer

import (
	"ken/internal/code"
	"ken/internal/engine/graph"
)

// Argument is the type of an argument or of a parameter.
type Argument struct {
	Receiver
	// Name is the name of a type from outside the repository: "String", "int", "lambda" for a function without a name, "null"; "" if it is
	// unknown.
	Name string
}

// Array is the name that stands for all array types.
const Array = "[]"

// Parameter is a parameter of a function.
type Parameter struct {
	Argument
	Text     string // its type as written
	Generic  bool   // the type is a type parameter of the function
	Variadic bool   // it accepts any number of arguments, each of the type
	Optional bool
}

// Arguments returns the types of the arguments of a call, from code.Ref.Args; ok is false if they are not recorded.
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

// Parameters returns the parameters of a function; ok is false if its signature does not show them.
func (y *Types) Parameters(d *graph.Def) (list []Parameter, ok bool) {
	f := syntaxFor(d.File.Lang).parameters
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

// Overloads reports whether a type of a language may have several functions of one name, among which calls choose by their
// arguments. It is so where signatures show parameters.
func Overloads(l code.Lang) bool { return syntaxFor(l).parameters != nil }

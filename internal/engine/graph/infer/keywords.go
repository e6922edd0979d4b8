package infer

import (
	"strings"

	"ken/internal/code"
	"ken/internal/engine/graph"
)

// Keywords finds what has the names that a call of an expression gives arguments by:
// the type whose fields they are, and what it inherits. It is of kind Outside where they
// name parameters, and fields says whether the type is known to take its fields.
func (y *Types) Keywords(s *graph.Site, callee string) (r Receiver, fields bool) {
	if callee == code.RecvExpr+"?" {
		return Receiver{}, false
	}
	switch t := y.of(s, callee); t.what {
	case termFunc:
		return y.keywordsOf(t.decl)
	case termType:
		line := y.lineage(t)
		for i := range line.types {
			for _, name := range [...]string{"__init__", "__new__"} {
				if list := y.membersOf(line.types[i], name); len(list) > 0 {
					return y.keywordsOf(list[len(list)-1])
				}
			}
			a := &line.types[i]
			fields = fields || y.look.Hint(a.File.ID, a.Ord, code.HintFields) != ""
		}
		return Receiver{Kind: Type, Types: line.types, Complete: !line.unknown, OutsideBase: line.outside}, fields
	case termOutside:
		if !t.foreign && !passesOn(t.decl.Name) {
			return Receiver{Kind: Outside}, false
		}
	}
	return Receiver{}, false
}

// keywordsOf is the typed dictionary of the keywords a function takes.
func (y *Types) keywordsOf(d Decl) (r Receiver, fields bool) {
	hint, home := y.look.Hint(d.File.ID, d.Ord, code.HintKeywords), y.look.Site(d.File.ID)
	if hint == "" || home == nil {
		return Receiver{Kind: Outside}, false
	}
	t := y.of(home, hint)
	if t.what != termType {
		return Receiver{}, false
	}
	line := y.lineage(t)
	return Receiver{Kind: Type, Types: line.types, Complete: !line.unknown, OutsideBase: line.outside}, true
}

// passesOn reports whether a function of the standard library hands keywords on to what
// it is given, or changes the fields that they name.
func passesOn(name string) bool {
	switch name {
	case "partial", "partialmethod", "replace", "evolve", "assoc", "submit", "to_thread", "param", "":
		return true
	}
	return false
}

// TakesFields reports whether a call of the type that a definition is a member of may
// take its fields as keywords: as far as is known it does, or something it inherits
// from outside might.
func (y *Types) TakesFields(d *graph.Def) bool {
	if d.Kind != code.KindField || d.Container == "" {
		return false
	}
	owner, ok := y.owner(d)
	if !ok {
		return false
	}
	line := y.lineage(term{what: termType, decl: owner})
	for i := range line.types {
		if y.look.Hint(line.types[i].File.ID, line.types[i].Ord, code.HintFields) != "" {
			return true
		}
	}
	return line.outside || line.unknown
}

// FromOutside reports whether a definition is a member of a type that inherits from
// outside, or from what is not known.
func (y *Types) FromOutside(d *graph.Def) bool {
	if d.Container == "" {
		return false
	}
	owner, ok := y.owner(d)
	if !ok {
		return false
	}
	line := y.lineage(term{what: termType, decl: owner})
	return line.outside || line.unknown
}

// owner is the type a definition is a member of.
func (y *Types) owner(d *graph.Def) (Decl, bool) {
	scope, name := "", d.Container
	if i := strings.LastIndexByte(name, '.'); i >= 0 {
		scope, name = name[:i], name[i+1:]
	}
	list := y.look.Declared(d.File.ID, scope, name)
	if len(list) == 0 {
		return Decl{}, false
	}
	return list[len(list)-1], true
}

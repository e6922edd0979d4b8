package infer

import (
	"ken/internal/code"
	"ken/internal/engine/graph"
)

// Decl is a declaration with a type.
type Decl struct {
	graph.Def
}

func (d *Decl) id() code.SymbolID { return code.SymbolID{File: d.File.ID, Ord: d.Ord} }

// termKind is the kind of an evaluated expression.
type termKind uint8

const (
	termUnknown  termKind = iota
	termOutside           // of the standard library, another repository, or predeclared
	termType              // a type, or a value of it
	termAbove             // the bases of a type (super)
	termFunc              // a function or method
	termModule            // a module or package
	termList              // a sequence of args[0]
	termMap               // args[0] to args[1]
	termTuple             // args one by one
	termCallable          // a function type with results args, and params if they are known
	termEither            // one of args, or all of them
)

// term is the result of evaluating an expression. For a declared thing decl is set. A composed type, or one with type
// arguments, has args, which are written in the file site. For a thing from outside the repository decl holds its
// name, if it is known.
type term struct {
	what   termKind
	decl   Decl
	site   *graph.Site
	args   []*expr
	module moduleTerm
	params []*expr
	// builds is set on a termEither of declarations for other constraints of the build: it means each of them in turn.
	builds bool
	// foreign is set on a value from code outside, which may be of a type of the repository.
	foreign bool
	// object is set on a name imported from outside that may be an object of any class: none of the standard library,
	// and not written as a class is.
	object bool
	// holder is the variable of a script that holds the value, and that may have got members of its own.
	holder *Decl
	// named is the value of a script that has the name of a type, nil if there is none: `declare const Date: DateConstructor` beside
	// `interface Date`.
	named *term
	// of is the type through which a member was reached, nil if it has no type arguments.
	of *term
}

// moduleTerm is a module: a file, or the directories of a package; spec is its
// name as imports of site write it, "" if only the file is known.
type moduleTerm struct {
	file int64
	dirs []string
	spec string
}

// parameter is a parameter in the form in which the signature is written.
type parameter struct {
	typ                *expr
	text               string
	variadic, optional bool
	generic            bool
}

// eachBuild returns the term of an expression that means one of the parts in each build.
func eachBuild(s *graph.Site, parts []term) term {
	t := term{what: termEither, site: s, builds: true}
	for i := range parts {
		if i > 0 && parts[i].what == termOutside && parts[0].what == termOutside {
			continue
		}
		t.args = append(t.args, &expr{op: opTerm, term: &parts[i]})
	}
	if len(t.args) == 1 {
		return parts[0]
	}
	return t
}

// maxEither bounds the parts of a union or intersection that are considered.
const maxEither = 16

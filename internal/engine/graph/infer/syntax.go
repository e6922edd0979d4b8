package infer

import (
	"ken/internal/code"
	"ken/internal/engine/graph"
	"ken/internal/engine/graph/infer/std"
)

// syntax describes how signatures of a language write types, and the rules of the language itself. A language that is
// not listed shows no types this way; its extractor may give hints instead (code.TypeHint), as Python's does.
type syntax struct {
	// results are the result types of a function, variable the type of a variable or field, underlying the right side of
	// the declaration of a type that is no struct, interface or class. Each is nil if the signature does not show it.
	results              func(*Decl) []*expr
	variable, underlying func(*Decl) *expr
	// predeclared are names without a declaration, each between blanks.
	predeclared string
	// linearized: members are looked for in the order of C3 instead of level by
	// level.
	linearized bool
	// params are the type parameters of a type. A language that has them says nothing of
	// what generic types from outside give: it may be a type of the repository.
	params func(*Decl) []typeParam
	// generic is a type from outside with its type arguments, composed a member of a value of it; with is the result of
	// a function passed to the member, nil if unknown.
	generic  func(name string, t term) term
	composed func(t *term, name string, with *expr) term
	// anything reports whether a function from outside gives whatever it is called with,
	// which may be of the repository.
	anything func(s *graph.Site, called *expr) bool
	// made is the type from outside that a function of another one creates.
	made func(typ, name string) string
	// parameters are the parameters of a function; ok is false if the signature does not show them. A language that has
	// them chooses overloads by them.
	parameters func(*Decl) (list []parameter, ok bool)
	// closed are types from outside whose members lead to no type of the repository.
	closed string
	// lends: functions from outside, and containers from there, may give what the
	// repository passed to them. Those of closed do not.
	lends bool
	// overloads: a type may have several functions of one name.
	overloads bool
	// element is the method behind x[i]; iterator and next are those of a loop.
	element, iterator, next string
	// wrapped are types from outside that have the members of what they hold, lent the
	// methods that give a value itself if its type has none of the name.
	wrapped, lent string
	// derefs: a type may have members that its declaration does not show (Deref, traits).
	derefs bool
	// objects: functions and variables have members of their own, and any code may add
	// one, so that no type proves that a member is another's.
	objects bool
}

var syntaxes = map[code.Lang]*syntax{
	"go": {results: goResults, variable: goVariable, underlying: goUnderlying, predeclared: goPredeclared, anything: goAnything},
	"python": {
		predeclared: " bool bytearray bytes complex dict float frozenset int list memoryview object range set slice str tuple type ",
		linearized:  true, element: "__getitem__", iterator: "__iter__", next: "__next__",
		lends: true, closed: " bool bytearray bytes complex float int memoryview object range str ",
	},
	"typescript": scriptSyntax, "javascript": scriptSyntax, "vue": scriptSyntax, "svelte": scriptSyntax,
	"java": {
		results: javaResults, variable: javaVariable, params: javaTypeParams, parameters: javaParameters,
		generic: javaGeneric, composed: javaComposed, made: std.JavaMade,
		predeclared: std.JavaPredeclared, closed: std.JavaClosed, overloads: true,
	},
	"rust": {
		results: rustResults, variable: rustVariable, underlying: rustUnderlying, params: rustTypeParams,
		generic: rustGeneric, composed: rustComposed, made: func(string, string) string { return "" },
		predeclared: std.RustPredeclared, closed: std.RustClosed, wrapped: std.RustWrapped, lent: std.RustLends, derefs: true,
	},
}

// scriptSyntax is that of TypeScript and JavaScript, alone and in components.
var scriptSyntax = &syntax{results: scriptResults, variable: scriptVariable, underlying: scriptUnderlying, composed: scriptComposed,
	predeclared: std.ScriptPredeclared, objects: true}

var noSyntax = &syntax{}

// syntaxOf is the syntax of a language, an empty one if it is not listed.
func syntaxOf(l code.Lang) *syntax {
	if s, ok := syntaxes[l]; ok {
		return s
	}
	return noSyntax
}

func (d *Decl) results() []*expr  { return read(syntaxOf(d.File.Lang).results, d) }
func (d *Decl) variable() *expr   { return read(syntaxOf(d.File.Lang).variable, d) }
func (d *Decl) underlying() *expr { return read(syntaxOf(d.File.Lang).underlying, d) }

// read returns the result of f for d, the zero value in a language without f.
func read[T any](f func(*Decl) T, d *Decl) (t T) {
	if f != nil {
		t = f(d)
	}
	return t
}

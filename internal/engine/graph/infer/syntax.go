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
	// order is the order of the lookup of members among bases.
	order memberOrder
	// params are the type parameters of a type. In a language that has them, the result of a generic type from outside
	// is unknown, because it may be a type of the repository.
	params func(*Decl) []typeParam
	// ownParam is the place of the type parameter of a function that it returns, -1 if it returns none.
	ownParam func(*Decl) int
	// generic is a type from outside with its type arguments, composed a member of a value of it; with is the result of
	// a function passed to the member, nil if unknown.
	generic  func(name string, t term) term
	composed func(t *term, name string, with *expr) term
	// genericResult is the result of a call of a generic type from outside; unknown by default.
	genericResult term
	// anything reports whether the result of a function from outside depends on its arguments, and may be of the repository.
	anything func(s *graph.Site, called *expr) bool
	// made is the name of the type from outside that the function name of the type typ creates.
	made func(typ, name string) string
	// parameters are the parameters of a function; ok is false if the signature does not show them. A language that has
	// them chooses overloads by them.
	parameters func(*Decl) (list []parameter, ok bool)
	// takes are the types of the parameters of a function that is passed as an argument.
	takes func(*Decl) []*expr
	// closed are types from outside the repository whose members never lead to a type of the repository.
	closed string
	// outside is the meaning of members and calls of values from outside.
	outside outsideValues
	// callOutside is the result of calling a value from outside, nil for the common rule.
	callOutside func(t term) term
	// element is the method called by x[i]; iterator and next are those of a loop.
	element, iterator, next string
	// computed: x[k] is a member of x whose name is computed, and never x with type arguments.
	computed bool
	// converts: the name of a type in front of an argument converts it, whatever the type is.
	converts bool
	// pairLoops: a loop over a map yields pairs.
	pairLoops bool
	// extends: functions outside of a type extend it (extension.go).
	extends bool
	// record is the type of a member of a map that is used as an object, or of a tuple, nil if name is not one.
	record func(t *term, name string) *expr
	// wrapped are types from outside that have the members of the value they hold. lent are methods that return the
	// value itself if its type has no method of the name.
	wrapped, lent string
	// target is the associated type whose members a type has, too (Deref).
	target string
	// renamed finds the module that a path leads to through modules under other names.
	renamed func(k *graph.Linker, file int64, spec string) (int64, bool)
	// openTypes: types may have members that their declarations do not show.
	openTypes bool
	// objects finds members of values themselves, nil where only types have members.
	objects objectModel
	// builtin is the class of the language that an expression is a value of, "" if unknown.
	builtin func(t *term) string
	// builds: several files of a scope may declare a name, each for other constraints of the build.
	builds bool
	// partial: the signatures show only some of the types.
	partial bool
}

// memberOrder is the order in which members are looked up among the bases of a type.
type memberOrder uint8

const (
	orderByLevel memberOrder = iota
	orderC3                  // Python's linearization
)

// outsideValues tells the meaning of members and calls of values from outside the repository.
type outsideValues uint8

const (
	outsideOpaque outsideValues = iota // they are from outside, too
	outsideLends                       // they may be values that the repository passed in, unless the type is closed
)

var syntaxes = map[code.Lang]*syntax{
	"go": {converts: true, results: goResults, variable: goVariable, underlying: goUnderlying, predeclared: goPredeclared, anything: goAnything, builds: true},
	"python": {
		predeclared: " bool bytearray bytes complex dict float frozenset int list memoryview object range set slice str tuple type ",
		order:       orderC3, element: "__getitem__", iterator: "__iter__", next: "__next__",
		outside: outsideLends, closed: " bool bytearray bytes complex float int memoryview object range str ",
	},
	"c": cSyntax, "cpp": cSyntax,
	"typescript": scriptSyntax, "javascript": scriptSyntax, "vue": scriptSyntax, "svelte": scriptSyntax,
	"java": {
		results: javaResults, variable: javaVariable, params: javaTypeParams, parameters: javaParameters,
		generic: javaGeneric, composed: javaComposed, made: std.JavaMade,
		predeclared: std.JavaPredeclared, closed: std.JavaClosed,
	},
	"kotlin": {
		results: kotlinResults, variable: kotlinVariable, underlying: kotlinUnderlying, params: kotlinTypeParams, ownParam: kotlinOwnParam,
		generic: kotlinGeneric, composed: kotlinComposed, made: func(string, string) string { return "" },
		predeclared: std.KotlinPredeclared, closed: std.KotlinClosed, pairLoops: true, extends: true,
	},
	"rust": {
		results: rustResults, variable: rustVariable, underlying: rustUnderlying, params: rustTypeParams,
		generic: rustGeneric, composed: rustComposed, made: func(string, string) string { return "" },
		predeclared: std.RustPredeclared, closed: std.RustClosed, wrapped: std.RustWrapped, lent: std.RustLends,
		genericResult: term{what: termOutside, foreign: true}, target: "Target", renamed: (*graph.Linker).FollowRenamed, openTypes: true, pairLoops: true,
	},
}

// scriptSyntax is that of TypeScript and JavaScript, alone and in components.
var scriptSyntax = &syntax{
	results: scriptResults, variable: scriptVariable, underlying: scriptUnderlying, composed: scriptComposed, takes: scriptParams,
	predeclared: std.ScriptPredeclared, objects: scriptObjects{}, builtin: scriptClass, openTypes: true, pairLoops: true, computed: true,
	callOutside: func(t term) term { return term{what: termOutside, site: t.site} },
	record: func(t *term, name string) *expr {
		if name == "size" || t.what != termMap {
			return nil
		}
		return t.args[1]
	},
}

var noSyntax = &syntax{}

// syntaxFor returns the syntax of a language, an empty one if it is not listed.
func syntaxFor(l code.Lang) *syntax {
	if s, ok := syntaxes[l]; ok {
		return s
	}
	return noSyntax
}

func (d *Decl) results() []*expr  { return read(syntaxFor(d.File.Lang).results, d) }
func (d *Decl) variable() *expr   { return read(syntaxFor(d.File.Lang).variable, d) }
func (d *Decl) underlying() *expr { return read(syntaxFor(d.File.Lang).underlying, d) }

// read returns the result of f for d, the zero value in a language without f.
func read[T any](f func(*Decl) T, d *Decl) (t T) {
	if f != nil {
		t = f(d)
	}
	return t
}

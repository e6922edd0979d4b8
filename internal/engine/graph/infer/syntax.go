package infer

import "ken/internal/code"

// syntax is how a language writes types in signatures, and what it has of its
// own. A language that is not listed shows no types this way; its extractor may
// give hints instead (code.TypeHint), as Python's does.
type syntax struct {
	// results are the types of what a function gives, variable is the type of a
	// variable or field, underlying what a type that is no struct, interface or
	// class is declared as. Each is nil if the signature does not say.
	results              func(*Decl) []*expr
	variable, underlying func(*Decl) *expr
	// predeclared are names that nothing declares, each between blanks.
	predeclared string
	// linearized: members are looked for in the order of C3 instead of level by
	// level.
	linearized bool
	// element is the method behind x[i]; iterator and next are those of a loop.
	element, iterator, next string
	// objects: functions and variables have members of their own, and any code may add
	// one, so that no type proves that a member is another's.
	objects bool
}

var syntaxes = map[code.Lang]*syntax{
	"go": {results: goResults, variable: goVariable, underlying: goUnderlying, predeclared: goPredeclared},
	"python": {
		predeclared: " bool bytearray bytes complex dict float frozenset int list memoryview object range set slice str tuple type ",
		linearized:  true, element: "__getitem__", iterator: "__iter__", next: "__next__",
	},
	"typescript": scriptSyntax, "javascript": scriptSyntax, "vue": scriptSyntax, "svelte": scriptSyntax,
}

// scriptSyntax is that of TypeScript and JavaScript, alone and in components.
var scriptSyntax = &syntax{objects: true}

var noSyntax = &syntax{}

// syntaxOf is the syntax of a language, an empty one if it is not listed.
func syntaxOf(l code.Lang) *syntax {
	if s, ok := syntaxes[l]; ok {
		return s
	}
	return noSyntax
}

func (d *Decl) results() []*expr {
	if f := syntaxOf(d.File.Lang).results; f != nil {
		return f(d)
	}
	return nil
}

func (d *Decl) variable() *expr {
	if f := syntaxOf(d.File.Lang).variable; f != nil {
		return f(d)
	}
	return nil
}

func (d *Decl) underlying() *expr {
	if f := syntaxOf(d.File.Lang).underlying; f != nil {
		return f(d)
	}
	return nil
}

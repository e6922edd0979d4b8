// Package builtin lists the names that languages themselves provide in every file, so that extraction and binding can
// treat them as
// outside the repository.
package builtin

import "ken/internal/code"

// names holds the rules of one language for names that the language provides.
type names struct {
	// predeclared reports whether every file sees a name without an import.
	predeclared func(name string) bool
	// leftOut reports whether extraction omits uses of a name without a receiver, because they are hardly ever of the
	// repository's own.
	leftOut func(name string) bool
}

var byLanguage = map[code.Lang]names{
	"java":   {predeclared: JavaLang},
	"kotlin": {KotlinBuiltin, func(name string) bool { return KotlinScopeFunction(name) || KotlinInfix(name) }},
	"scala":  {predeclared: Scala},
	"swift":  {predeclared: SwiftBuiltin},
	"python": {predeclared: Python},
	"ruby":   {leftOut: func(name string) bool { return RubyMethod(name) || RubyConstant(name) }},
	"rust":   {predeclared: func(name string) bool { return RustPrelude(name) || RustPrimitive(name) }},
}

// IsPredeclared reports whether every file of a language sees a name without an import, unless a nearer declaration
// hides it.
func IsPredeclared(l code.Lang, name string) bool {
	f := byLanguage[l].predeclared
	return f != nil && f(name)
}

// IsLeftOut reports whether the references of a file may lack the uses of a name, because the language itself
// provides that name.
func IsLeftOut(l code.Lang, name string) bool {
	f := byLanguage[l].leftOut
	return f != nil && f(name)
}

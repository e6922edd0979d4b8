// Package builtin lists the names that languages themselves provide in every file, so that extraction and binding can
// treat them as
// outside the repository.
package builtin

import "ken/internal/code"

// predeclared are, by language, the names that every file sees without an import.
var predeclared = map[code.Lang]func(name string) bool{
	"java":   JavaLang,
	"kotlin": KotlinBuiltin,
	"scala":  Scala,
	"swift":  SwiftBuiltin,
	"python": Python,
	"rust":   func(name string) bool { return RustPrelude(name) || RustPrimitive(name) },
}

// Predeclared reports whether every file of a language sees a name without an import,
// unless something nearer has it.
func Predeclared(l code.Lang, name string) bool {
	f, ok := predeclared[l]
	return ok && f(name)
}

// leftOut are, by language, the names of which uses without a sign of whose they are
// say so little that extraction leaves them out.
var leftOut = map[code.Lang]func(name string) bool{
	"ruby":   func(name string) bool { return RubyMethod(name) || RubyConstant(name) },
	"kotlin": func(name string) bool { return KotlinScopeFunction(name) || KotlinInfix(name) },
}

// LeftOut reports whether uses of a name may be missing among the references of a
// language's files, because the language itself has the name.
func LeftOut(l code.Lang, name string) bool {
	f, ok := leftOut[l]
	return ok && f(name)
}

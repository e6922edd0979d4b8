package lang

import "strings"

// goKeeps are functions of Go's standard library that give a value of the type of their
// first argument.
const goKeeps = " cmp.Or maps.Clone slices.AppendSeq slices.Clip slices.Clone slices.Compact slices.CompactFunc slices.Concat slices.Delete " +
	"slices.DeleteFunc slices.Grow slices.Insert slices.Repeat slices.Replace "

// goGeneric are functions, and packages of functions, of Go's standard library whose
// result is of whatever type they are called with.
const goGeneric = " errors.AsType iter. maps. reflect.TypeAssert slices. sync.OnceValue sync.OnceValues unique.Make weak.Make "

// KeepsGoType reports whether a function of a package of Go's standard library gives a
// value of the type of its first argument.
func KeepsGoType(pkg, name string) bool {
	return strings.Contains(goKeeps, " "+pkg+"."+name+" ")
}

// GenericInGo reports whether a function of a package of Go's standard library may give a
// value of a type of the repository, though the package knows none.
func GenericInGo(pkg, name string) bool {
	return strings.Contains(goGeneric, " "+pkg+". ") || strings.Contains(goGeneric, " "+pkg+"."+name+" ")
}

// InGoStd reports whether an import path is of Go's standard library.
func InGoStd(path string) bool {
	first, _, _ := strings.Cut(path, "/")
	return !strings.Contains(first, ".")
}

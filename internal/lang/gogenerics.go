package lang

import "strings"

// goKeeps are functions of Go's standard library that return a value of the type of
// their first argument.
const goKeeps = " cmp.Or maps.Clone slices.AppendSeq slices.Clip slices.Clone slices.Compact slices.CompactFunc slices.Concat slices.Delete " +
	"slices.DeleteFunc slices.Grow slices.Insert slices.Repeat slices.Replace "

// goGeneric are functions of Go's standard library, and packages of them, whose
// result type is a type parameter, so that the caller's types decide it.
const goGeneric = " errors.AsType iter. maps. reflect.TypeAssert slices. sync.OnceValue sync.OnceValues unique.Make weak.Make "

// KeepsGoType reports whether the function name of package pkg of Go's standard
// library returns a value of the type of its first argument.
func KeepsGoType(pkg, name string) bool {
	return strings.Contains(goKeeps, " "+pkg+"."+name+" ")
}

// GenericInGo reports whether the function name of package pkg of Go's standard library
// may return a value of a type that the repository declares, because its result type is a
// type parameter.
func GenericInGo(pkg, name string) bool {
	return strings.Contains(goGeneric, " "+pkg+". ") || strings.Contains(goGeneric, " "+pkg+"."+name+" ")
}

// InGoStd reports whether an import path looks like one of Go's standard library: its first segment has no dot.
func InGoStd(path string) bool {
	first, _, _ := strings.Cut(path, "/")
	return !strings.Contains(first, ".")
}

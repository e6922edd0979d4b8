package graph

import (
	"strings"

	"ken/internal/code"
)

// The functions of this file read types out of signatures, each in the syntax
// of its language. A language that is not listed tells nothing this way; its
// extractor may give hints instead (code.TypeHint), as Python's does.

// resultTypes are the types of what a function gives, nil if its signature does
// not say.
func resultTypes(lang code.Lang, d *Decl) []*expr {
	if lang == "go" {
		return goResults(d)
	}
	return nil
}

// declaredType is the type of a variable or field.
func declaredType(lang code.Lang, d *Decl) *expr {
	if lang == "go" {
		return goVariable(d)
	}
	return nil
}

// underlying is what a type that is no struct, interface or class is declared as.
func underlying(lang code.Lang, d *Decl) *expr {
	if lang == "go" {
		return goUnderlying(d)
	}
	return nil
}

// predeclared reports whether a name that nothing declares is the language's own.
func predeclared(lang code.Lang, name string) bool {
	switch lang {
	case "go":
		return strings.Contains(goPredeclared, " "+name+" ")
	case "python":
		return strings.Contains(pythonPredeclared, " "+name+" ")
	}
	return false
}

const pythonPredeclared = " bool bytearray bytes complex dict float frozenset int list memoryview object range set slice str tuple type "

func firstSegment(s string) string {
	head, _, _ := strings.Cut(s, ".")
	return head
}

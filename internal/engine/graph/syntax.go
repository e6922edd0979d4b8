package graph

import (
	"strings"

	"ken/internal/code"
)

// The functions of this file read types out of signatures, each in the syntax
// of its language. A language that is not listed tells nothing: members of its
// values are then found by name alone.

// resultTypes are the types of what a function gives, nil if its signature does
// not say.
func resultTypes(lang code.Lang, d *Decl) []*expr {
	switch lang {
	case "go":
		return goResults(d)
	case "python":
		return pythonResult(d)
	}
	return nil
}

// declaredType is the type of a variable or field.
func declaredType(lang code.Lang, d *Decl) *expr {
	switch lang {
	case "go":
		return goVariable(d)
	case "python":
		return pythonVariable(d)
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

func firstSegment(s string) string {
	head, _, _ := strings.Cut(s, ".")
	return head
}

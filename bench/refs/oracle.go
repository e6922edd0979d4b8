package main

import (
	"context"
	"fmt"
)

// role is how an oracle's use mentions the symbol.
type role string

const (
	uses       role = "use"
	definition role = "definition"
	imports    role = "import"
	exports    role = "export"
	keys       role = "key"      // a key of a literal, for a member of the type expected there
	implicit   role = "implicit" // without the name: an operator, a constructor, a conversion
	ofBase     role = "base"     // of a member that the symbol overrides or implements
	ofRelative role = "relative" // of a member that overrides the symbol, or overrides the same
)

// use is a place that an oracle knows to mean the symbol.
type use struct {
	place
	Role role `json:"role"`
}

// knowledge is what an oracle says of a symbol.
type knowledge struct {
	declared []place // its declarations; none if the oracle knows no such symbol
	uses     []use
}

// oracle knows what names mean in one tree.
type oracle interface {
	// references finds the symbol declared at one of the places, the first that
	// the oracle knows as a declaration.
	references(ctx context.Context, at []place) (knowledge, error)
	// meaning are the declarations of what is written at a place, and none if the
	// oracle cannot resolve it. A declaration outside the tree has no path.
	meaning(ctx context.Context, at place) ([]place, error)
	// loose says that among the uses are those of members that the symbol
	// overrides or that override it, so that only their meaning shows which they are.
	loose() bool
	version() string
	close()
}

// language is one that can be measured.
type language struct {
	extensions []string
	// overloads says that two declarations of one name are different symbols.
	overloads bool
	// conditional says that what is compiled may depend on conditions.
	conditional bool
	open        func(ctx context.Context, o options, t *tree) (oracle, error)
}

func languageOf(name string) (language, error) {
	switch name {
	case "typescript":
		return language{extensions: []string{".ts", ".tsx", ".mts", ".cts"}, open: openScript}, nil
	case "javascript":
		return language{extensions: []string{".js", ".jsx", ".mjs", ".cjs"}, open: openScript}, nil
	case "go":
		return language{extensions: []string{".go"}, open: openGo}, nil
	case "c":
		return language{extensions: []string{".c", ".h", ".cc", ".cpp", ".cxx", ".hpp", ".hh", ".hxx", ".inl"}, conditional: true, open: openC}, nil
	case "rust":
		return language{extensions: []string{".rs"}, open: openRust}, nil
	case "java":
		return language{extensions: []string{".java"}, overloads: true, open: openJava}, nil
	case "python":
		return language{extensions: []string{".py"}, open: openPython}, nil
	}
	return language{}, fmt.Errorf("there is no oracle for %q", name)
}

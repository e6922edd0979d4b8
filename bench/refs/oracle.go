package main

import (
	"context"
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

// knowledge is an oracle's answer about a symbol.
type knowledge struct {
	declared []place // its declarations; none if the oracle knows no such symbol
	uses     []use
}

// oracle knows the meaning of names in one tree.
type oracle interface {
	// references finds the symbol declared at one of the places, the first that
	// the oracle knows as a declaration.
	references(ctx context.Context, at []place) (knowledge, error)
	// meaning returns the declarations of the name at a place, and none if the
	// oracle cannot resolve it. A declaration outside the tree has no path.
	meaning(ctx context.Context, at place) ([]place, error)
	// loose reports whether the uses hold those of members that the symbol overrides
	// or that override it, so that only their meaning shows which they are.
	loose() bool
	close()
}

// language is one that can be measured.
type language struct {
	extensions []string
	// overloads: two declarations of one name are different symbols.
	overloads bool
	// conditional: the compiled source may depend on conditions.
	conditional bool
	open        func(ctx context.Context, o options, t *tree) (oracle, error)
}

type options struct {
	lang, repos, ken, cache, server, build string
	list, judged, rename                   string
	name                                   string // of the repository that is measured
	n                                      int
	seed                                   uint64
}

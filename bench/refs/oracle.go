package main

import (
	"context"
)

// mentionKind is the way in which a use mentions the symbol.
type mentionKind string

const (
	uses       mentionKind = "use"
	definition mentionKind = "definition"
	imports    mentionKind = "import"
	exports    mentionKind = "export"
	keys       mentionKind = "key"      // a key of a literal, for a member of the type expected there
	implicit   mentionKind = "implicit" // without the name: an operator, a constructor, a conversion
	ofBase     mentionKind = "base"     // of a member that the symbol overrides or implements
	ofRelative mentionKind = "relative" // of a member that overrides the symbol, or overrides the same
)

// oracleUse is a place that an oracle knows to mean the symbol.
type oracleUse struct {
	place
	Role mentionKind `json:"role"`
}

// knowledge is an oracle's answer about a symbol.
type knowledge struct {
	declared []place // its declarations; none if the oracle knows no such symbol
	uses     []oracleUse
}

// oracle knows the meaning of names in one tree.
type oracle interface {
	// references finds the symbol declared at one of the places, the first that
	// the oracle knows as a declaration.
	references(ctx context.Context, at []place) (knowledge, error)
	// meanings returns the declarations of the name at a place, and none if the
	// oracle cannot resolve it. A declaration outside the tree has no path.
	meanings(ctx context.Context, at place) ([]place, error)
	// isLoose reports whether the uses hold those of members that the symbol overrides
	// or that override it, so that only their meaning shows which they are.
	isLoose() bool
	close()
}

// measuredLanguage is one that can be measured.
type measuredLanguage struct {
	extensions []string
	// overloads: two declarations of one name are different symbols.
	overloads bool
	// conditional: the compiled source may depend on conditions.
	conditional bool
	// tags is the language as Universal Ctags names it, and by the oracle.
	tags, by string
	open     func(ctx context.Context, o options, t *sourceTree) (oracle, error)
}

type options struct {
	lang, repos, ken, cache, server, build string
	list, judged, rename                   string
	truth, trees                           string
	name                                   string // of the repository that is measured
	n                                      int
	seed                                   uint64
}

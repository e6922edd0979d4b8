package bind

import (
	"ken/internal/code"
	"ken/internal/engine/graph"
	"ken/internal/lang"
)

// Reason tells why a reference does not mean a definition of the same name.
type Reason uint8

// The reasons. All but Likelier are proofs: the language does not allow the
// reference to mean the definition.
const (
	NoReason      Reason = iota
	OtherType            // the receiver's type and its bases have no such member or another one
	OtherPackage         // the name is imported from elsewhere, mostly from outside the repository
	OtherMeaning         // the name is bound to another definition
	OtherLanguage        // the two languages do not call each other by name
	Shadowed             // a declaration nearer to the reference has the name
	Arity                // no definition of the name takes so many arguments
	NotVisible           // no declaration visible in the file has the name
	NotMember            // the reference is to a member and the definition is none, or the reverse
	Checked              // according to a type checker or an imported index
	// Likelier is no proof: the name alone decides, and fits other definitions better.
	Likelier
)

var reasonNames = [...]string{"", "other type", "other package", "other definition", "other language", "shadowed", "arity", "not visible",
	"no member", "checked", "likelier"}

// String returns the reason in the form that answers print.
func (r Reason) String() string { return reasonNames[r] }

// Proves reports whether the reference certainly does not mean the definition.
func (r Reason) Proves() bool { return r != NoReason && r != Likelier }

// noBinding returns a binding to no definition, with the reason.
func noBinding(why Reason) Binding { return Binding{Decided: true, Reason: why} }

// possibleBinding returns a binding of low confidence: each of the definitions is possible, but even a single one is not likely.
func possibleBinding(defs []int) Binding { return Binding{Defs: defs, Confidence: code.Ambiguous} }

// hasOpenMembers reports whether a file's language lets members be added to types and modules from anywhere, so that their
// declarations may be incomplete.
func hasOpenMembers(s *graph.Site) bool { return lang.Of(s.Node.Lang).OpenMembers }

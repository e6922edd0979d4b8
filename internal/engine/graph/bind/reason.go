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

// Except returns the reason why a reference does not mean the definition def, which its binding g does not list.
func (b *Binder) Except(g *Binding, s *graph.Site, def int) Reason {
	d := &b.defs[def]
	switch {
	case !graph.SameFamily(&d.File, &s.Node):
		return OtherLanguage
	case g.Reason != NoReason:
		return g.Reason
	case len(g.Defs) == 0 && g.Decided:
		return NotVisible
	case g.Decided:
		return b.otherwise(&b.defs[g.Defs[0]], d)
	}
	return Likelier
}

// ExceptAll returns the weakest of the reasons why a reference means none of the definitions defs, which its binding g does not list.
func (b *Binder) ExceptAll(g *Binding, s *graph.Site, defs []int) (why Reason) {
	for _, def := range defs {
		if why = max(why, b.Except(g, s, def)); why == Likelier {
			break
		}
	}
	return why
}

// otherwise returns the reason why a reference that means one definition does not mean d.
func (b *Binder) otherwise(meant, d *graph.Def) Reason {
	switch {
	case meant.Container != "" && d.Container != "" && meant.Container != d.Container:
		return OtherType
	case (meant.Container == "") != (d.Container == ""):
		return NotMember
	case meant.File.ID != d.File.ID:
		return OtherPackage
	}
	return OtherMeaning
}

// hasOpenMembers reports whether a file's language lets members be added to types and modules from anywhere, so that their
// declarations may be incomplete.
func hasOpenMembers(s *graph.Site) bool { return lang.Of(s.Node.Lang).OpenMembers }

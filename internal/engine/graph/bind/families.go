package bind

import (
	"ken/internal/code"
	"ken/internal/engine/graph"
	"ken/internal/engine/graph/infer"
)

// familyC is the name of the language family of C and C++.
const familyC = "c"

// families holds the special rules of the language families that need some. A difference that a trait (lang.Traits)
// can express needs none.
var families = map[string]*steps{
	familyC:  {bind: (*Binder).bindC},
	"csharp": {twin: (*Binder).partialKey, bind: (*Binder).bindNamespaced, written: writtenFirst, awaited: awaitedTask, passed: passedCSharp, element: elementCSharp},
	"php":    {bind: (*Binder).bindNamespaced, written: writtenPHP},
	"swift":  {bind: (*Binder).bindNamespaced},
	"ruby":   {bind: (*Binder).bindRuby, twin: (*Binder).reopenedKey},
	"python": {twin: (*Binder).stubKey, member: (*Binder).bindKeyword, path: (*Binder).bindDotted, outside: (*Binder).bindSubclassMember, assigns: (*Binder).assignsAttribute},
	"script": {
		member: (*Binder).objectMember, offered: (*Binder).offeredObject, merged: (*Binder).addAugmentations, offers: (*Binder).exportedName,
		twin: (*Binder).declaredKey, twinsApart: true,
	},
	"go":  {twin: (*Binder).buildKey},
	"jvm": {twin: (*Binder).platformKey},
	"rust": {
		twin:  (*Binder).moduleKey,
		value: (*Binder).valueName, merged: (*Binder).addAssociated, undeclared: (*Binder).crateMacros, wildcard: (*Binder).variants, unseen: (*Binder).anyMacro,
		outside: (*Binder).bindOutside, lent: (*Binder).lentMember, offered: (*Binder).ofRenamedModule,
	},
}

// common is for the families without special rules.
var common = &steps{}

// local returns a binding to declarations that are visible only in a part of a file.
func (b *Binder) local(defs []int) Binding {
	if len(defs) == 0 {
		return noBinding(Shadowed)
	}
	return exactBinding(defs)
}

// Bind finds the definitions that a reference means.
func (b *Binder) Bind(s *graph.Site, r *code.Ref) Binding {
	got := b.narrowOverloads(s, r, b.bind(s, r))
	if b.steps.merged != nil && len(got.Defs) > 0 {
		got.Defs = b.steps.merged(b, got.Defs)
	}
	if len(got.Defs) > 0 {
		got.Defs = b.addTwins(got.Defs)
	}
	if len(got.Defs) > 1 && r.Kind == code.RefCall {
		if fits := b.pick(got.Defs, func(d *graph.Def) bool { return canCall(r, d) }); len(fits) > 0 {
			got.Defs = fits
		}
	}
	return b.hide(s, r, got)
}

// bind finds the definitions of a reference by its name and receiver alone.
func (b *Binder) bind(s *graph.Site, r *code.Ref) Binding {
	if b.steps == nil || b.lang != s.Node.Lang {
		b.lang, b.steps = s.Node.Lang, common
		if own, ok := families[graph.Family(s.Node.Lang)]; ok {
			b.steps = own
		}
	}
	switch {
	case r.Kind == code.RefUnparsed:
		return b.unparsed(s)
	case b.steps.bind != nil:
		return b.steps.bind(b, s, r)
	}
	if infer.Extensible(s.Node.Lang) {
		if got, ok := b.bindExtension(s, r); ok {
			return got
		}
	}
	got := b.common(s, r)
	if isPlain := r.Via == code.ViaImport || r.Via == code.ViaBare || r.Via == code.ViaLocal; isPlain && b.steps.value != nil {
		return b.steps.value(b, s, r, got)
	}
	return got
}

// common finds the definitions of a reference by the rules that most families have in common.
func (b *Binder) common(s *graph.Site, r *code.Ref) Binding {
	switch r.Via {
	case code.ViaImport:
		return b.bindImported(s, r)
	case code.ViaModule:
		return b.bindModule(s, r)
	case code.ViaBare:
		return b.bare(s, r)
	case code.ViaLocal:
		return b.local(b.lexical(s, r))
	}
	return b.ofReceiver(s, r)
}

// ofReceiver finds the definitions of a member.
func (b *Binder) ofReceiver(s *graph.Site, r *code.Ref) Binding {
	switch r.Via {
	case code.ViaSelf:
		return b.member(s, r, true)
	case code.ViaTyped:
		return b.member(s, r, false)
	}
	return b.memberByName(s, r)
}

// unparsed returns the definitions of the file's language family that it can name: a name in code that could not be parsed may mean any of
// them.
func (b *Binder) unparsed(s *graph.Site) Binding {
	defs := make([]int, 0, len(b.defs))
	for i := range b.defs {
		d := &b.defs[i]
		if isSeen := d.File.ID == s.Node.ID || !b.confined(d); isSeen && graph.SameFamily(&d.File, &s.Node) {
			defs = append(defs, i)
		}
	}
	if len(defs) == 0 {
		return noBinding(NotVisible)
	}
	return possibleBinding(defs)
}

// Except returns the reason why a reference does not mean the definition def, which its binding g does not list.
func (b *Binder) Except(g *Binding, s *graph.Site, r *code.Ref, def int) Reason {
	d := &b.defs[def]
	switch {
	case !graph.SameFamily(&d.File, &s.Node):
		return OtherLanguage
	case !g.Decided && b.Hides(s, r, def):
		return NotVisible
	case g.Reason == Likelier && b.confined(d):
		return NotMember
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
func (b *Binder) ExceptAll(g *Binding, s *graph.Site, r *code.Ref, defs []int) (why Reason) {
	for _, def := range defs {
		if why = max(why, b.Except(g, s, r, def)); why == Likelier {
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

// confined reports whether only the file of a definition can name it: its module does not offer it, and no object has it as a member.
func (b *Binder) confined(d *graph.Def) bool {
	family, ok := families[graph.Family(d.File.Lang)]
	return ok && family.offers != nil && !family.offers(b, d)
}

// Confined reports whether only the file of a definition, by its index, can name it.
func (b *Binder) Confined(def int) bool { return b.confined(&b.defs[def]) }

package bind

import (
	"slices"
	"strings"

	"ken/internal/code"
	"ken/internal/engine/builtin"
	"ken/internal/engine/graph"
	"ken/internal/engine/graph/infer"
)

// bindExtension finds the meaning of a name that extension functions or properties have (Kotlin), by the type of the receiver: its
// member, else the extension of that type in the nearest scope. ok is false if no extension is visible, so that the common
// rules apply.
func (b *Binder) bindExtension(s *graph.Site, r *code.Ref) (got Binding, ok bool) {
	tiers := b.visibleExtensions(s, r)
	if got, ok := b.ofLambda(s, r, tiers); ok {
		return got, true
	}
	visible := len(tiers[0])+len(tiers[1])+len(tiers[2]) > 0
	imported := slices.IndexFunc(s.Imports, func(imp code.Import) bool {
		return slices.ContainsFunc(imp.Names, func(n code.ImportName) bool { return n.Alias == r.Name })
	})
	switch r.Via {
	case code.ViaBare, code.ViaImport:
		if typ := importedReceiver(s, r); visible && typ != "" {
			if got := b.bindImported(s, r); len(got.Defs) > 0 && b.defs[got.Defs[0]].Container != "" {
				return got, true
			}
			return b.extensionOf(s, r, tiers, typ), true
		}
		if visible {
			return b.implicitExtension(s, r, tiers)
		}
	case code.ViaSelf, code.ViaTyped, code.ViaMember:
		if !visible && imported < 0 {
			break
		}
		if r.Via != code.ViaMember {
			got := b.member(s, r, r.Via == code.ViaSelf)
			if got.Decided && len(got.Defs) > 0 && b.defs[got.Defs[0]].Container != "" {
				return got, true
			}
		}
		if len(tiers[0]) == 0 && imported >= 0 {
			if got, ok := b.importedExtension(s, r, imported); ok {
				return got, true
			}
		}
		if visible {
			return b.extensionOf(s, r, tiers, r.Recv), true
		}
	}
	return Binding{}, false
}

// ofLambda returns what a plain name means by the receivers of the lambdas around it, which are nearer than the classes around: a member
// or an extension. ok is false if none of them has the name.
func (b *Binder) ofLambda(s *graph.Site, r *code.Ref, tiers [3][]int) (got Binding, ok bool) {
	around, inLambda := strings.CutPrefix(r.Args, code.ArgsAround)
	if !inLambda || r.Via == code.ViaLocal && b.isInFunction(s, r) {
		return Binding{}, false
	}
	for called := range strings.SplitSeq(around, ";") {
		if builtin.KotlinBuilds(called, r.Name) {
			return noBinding(OtherType), true
		}
		recv := b.types.Implicit(s, called)
		if recv.Kind == infer.Type {
			if got, ok := b.memberOfTypes(s, r, &recv.Receiver); ok && len(got.Defs) > 0 {
				return got, true
			}
		}
		if recv.Kind == infer.Unknown {
			continue
		}
		for _, tier := range tiers {
			if fits := b.pick(tier, func(d *graph.Def) bool { return b.types.ExtendsImplicit(&recv, d) == infer.ExtendsType }); len(fits) > 0 {
				if b.defs[fits[0]].File.ID == s.Node.ID {
					return exactBinding(fits), true
				}
				return resolvedBinding(fits), true
			}
		}
	}
	return Binding{}, false
}

// isInFunction reports whether a name is declared inside of a function around the reference, which is nearer than any receiver.
func (b *Binder) isInFunction(s *graph.Site, r *code.Ref) bool {
	return slices.ContainsFunc(b.lexical(s, r), func(i int) bool {
		of := b.defs[i].Container
		list := b.types.Lookup().Declarations(s.Node.ID, outerScope(of), code.LastSegment(of))
		return of != "" && !slices.ContainsFunc(list, func(d infer.Decl) bool { return d.Kind.IsType() })
	})
}

// importedReceiver returns the type that a file imports and a reference names a member of, as Tools in Tools.create(), "" if the
// reference is to the imported name itself.
func importedReceiver(s *graph.Site, r *code.Ref) string {
	if r.Via != code.ViaImport || r.Import < 0 || int(r.Import) >= len(s.Imports) {
		return ""
	}
	names := s.Imports[r.Import].Names
	if len(names) == 0 || names[0].Name == r.Name || names[0].Name == "*" {
		return ""
	}
	return names[0].Alias
}

// importedExtension returns the extension that a file imports from outside the repository or from an object. ok is false if the import
// brings no extension.
func (b *Binder) importedExtension(s *graph.Site, r *code.Ref, imported int) (Binding, bool) {
	through := *r
	through.Via, through.Import, through.Recv = code.ViaImport, int32(imported), ""
	got := b.bindImported(s, &through)
	plain := b.pick(got.Defs, func(d *graph.Def) bool { return d.Container == "" || d.Kind.IsType() })
	return got, len(plain) == 0 && got.Decided
}

// visibleExtensions returns the extensions that a file sees: by imports of their name, in its package, by imports of all names.
func (b *Binder) visibleExtensions(s *graph.Site, r *code.Ref) (tiers [3][]int) {
	named, own, wild := infer.ExtensionPackages(s, r.Name)
	for i, packages := range [...][]string{named, own, wild} {
		tiers[i] = b.pick(b.extensions, func(d *graph.Def) bool {
			return slices.Contains(packages, d.File.Package) && (!d.Local || d.File.ID == s.Node.ID)
		})
	}
	return tiers
}

// extensionOf returns the extension of the receiver recv, "" if nothing is known of it. Where several may be meant, or
// members that the repository has under that name, all are possible.
func (b *Binder) extensionOf(s *graph.Site, r *code.Ref, tiers [3][]int, recv string) Binding {
	var maybe []int
	seldom := false
	for _, tier := range tiers {
		best, fits := infer.ExtendsOther, []int(nil)
		for _, def := range tier {
			switch fit := b.types.Extends(s, recv, &b.defs[def]); {
			case fit == infer.MayExtend, fit == infer.SeldomExtends:
				maybe, seldom = append(maybe, def), seldom || fit == infer.SeldomExtends
			case fit > best:
				best, fits = fit, []int{def}
			case fit == best && fit != infer.ExtendsOther:
				fits = append(fits, def)
			}
		}
		switch {
		case len(fits) == 0:
		case best == infer.ExtendsAll && len(maybe) > 0:
			return Binding{Defs: append(maybe, fits...), Confidence: code.Ambiguous, Reason: OtherType}
		case b.defs[fits[0]].File.ID == s.Node.ID:
			return exactBinding(fits)
		default:
			return resolvedBinding(fits)
		}
	}
	if len(maybe) == 1 && len(tiers[0]) == 1 && maybe[0] == tiers[0][0] {
		return resolvedBinding(maybe) // a file imports what it uses
	}
	got := b.byName(s, r, func(d *graph.Def) bool { return d.Container != "" })
	got.Defs = append(slices.Clip(got.Defs), maybe...)
	doubtful := seldom || builtin.Member(graph.Family(s.Node.Lang), r.Name)
	if got = guessBinding(got.Defs); got.Confidence == code.UniqueName && doubtful || len(got.Defs) == 0 {
		got.Confidence = code.Ambiguous
	}
	got.Reason = OtherType
	return got
}

// implicitExtension returns the extension that a plain name means by one of the receivers around it: the classes, and the types that the
// functions around extend. ok is false if the name may mean something else, or if no receiver decides.
func (b *Binder) implicitExtension(s *graph.Site, r *code.Ref, tiers [3][]int) (Binding, bool) {
	for _, recv := range b.types.Around(s, r.Scope) {
		typed := *r
		typed.Via, typed.Recv, typed.Import = code.ViaTyped, recv, -1
		if got, ok := b.memberByType(s, &typed); ok && len(got.Defs) > 0 {
			return got, true
		}
		for _, tier := range tiers {
			fits := b.pick(tier, func(d *graph.Def) bool { return b.types.Extends(s, recv, d) >= infer.ExtendsAll })
			switch {
			case len(fits) == 0:
			case b.defs[fits[0]].File.ID == s.Node.ID:
				return exactBinding(fits), true
			default:
				return resolvedBinding(fits), true
			}
		}
	}
	plain := func(d *graph.Def) bool {
		return !isExtension(d) && (d.Container == "" || d.File.ID == s.Node.ID) && graph.SameFamily(&d.File, &s.Node)
	}
	if all := slices.Concat(tiers[0], tiers[1], tiers[2]); len(all) > 1 && len(b.pick(b.all(), plain)) == 0 {
		return possibleBinding(all), true // of the receiver of a lambda
	}
	return Binding{}, false
}

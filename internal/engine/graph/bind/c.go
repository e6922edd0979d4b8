package bind

import (
	"slices"
	"strings"

	"ken/internal/code"
	"ken/internal/engine/graph"
)

// C and C++: an include brings in every declaration of the file it names and of
// those included there. What is declared there is often defined elsewhere: a
// reference is then bound to the prototype and to the definitions that can be
// meant, which are those in files that include the prototype's file.

// inC decides one reference of a C or C++ file.
func (b *Binder) inC(s *graph.Site, r *code.Ref) Binding {
	switch r.Via {
	case code.ViaBare:
		return b.bareC(s, r)
	case code.ViaSelf, code.ViaTyped:
		recv, scope := strings.CutSuffix(r.Recv, "::")
		if got := b.memberC(s, recv); len(got.Defs) > 0 {
			return got
		}
		// A function of the class may name what is outside of it, and what comes
		// before :: may be a namespace, which qualified names leave out.
		if scope || r.Via == code.ViaSelf {
			got := b.bareC(s, r)
			if len(got.Defs) > 0 || scope {
				return got
			}
		}
	}
	got := b.memberByName(s, r)
	if got.Confidence == code.Ambiguous && len(got.Defs) > 1 && b.oneFunction(got.Defs) {
		got.Confidence = code.UniqueName
	}
	return got
}

// bareC looks a plain name up: in the file, then in what it includes.
func (b *Binder) bareC(s *graph.Site, r *code.Ref) Binding {
	if own := b.topLevel(s.Node.ID); len(own) > 0 {
		return b.withDefinitions(s.Node.ID, own, exactly(own))
	}
	for i := range s.Imports {
		if i >= len(s.Links) || s.Links[i].File == 0 {
			continue
		}
		home, name, ok := b.k.FollowName(s.Links[i].File, r.Name)
		if !ok {
			continue
		}
		if decls := b.named(home, name); len(decls) > 0 {
			return b.withDefinitions(home, decls, resolved(decls))
		}
	}
	if b.incomplete(s) {
		got := b.byName(s, r, func(d *graph.Def) bool { return d.Container == "" && (!d.Local || graph.IsHeader(d.File.Path)) })
		got.Reason = NotVisible
		return got
	}
	return elsewhere(NotVisible)
}

// incomplete reports whether a file may see more than its includes show: an
// include that was not found, or a header, which sees what comes before it where
// it is included.
func (b *Binder) incomplete(s *graph.Site) bool {
	for i := range s.Links {
		if !s.Links[i].Resolved() {
			return true
		}
	}
	return len(s.Links) < len(s.Imports) || graph.IsHeader(s.Node.Path)
}

// withDefinitions adds to declarations in the file home, where they are all
// prototypes, the definitions they announce. If none includes home, a single
// definition of the name in the repository is taken for it, because two would not
// link; that is a guess by name.
func (b *Binder) withDefinitions(home int64, decls []int, got Binding) Binding {
	if slices.ContainsFunc(decls, func(i int) bool { return !b.defs[i].Forward }) {
		return got
	}
	prototype := &b.defs[decls[0]]
	fits := b.pick(b.byType[code.LastSegment(prototype.Container)], func(d *graph.Def) bool {
		return d.File.ID != home && announces(prototype, d)
	})
	if near := b.pick(fits, func(d *graph.Def) bool { return b.k.Includes(d.File.ID, home) }); len(near) > 0 {
		got.Defs, got.Confidence = append(slices.Clone(decls), near...), min(got.Confidence, code.ImportResolved)
		return got
	}
	if len(fits) == 1 {
		got.Defs, got.Confidence = append(slices.Clone(decls), fits...), code.UniqueName
	}
	return got
}

// announces reports whether a prototype may announce a definition in another file.
func announces(prototype, d *graph.Def) bool {
	return !d.Forward && !d.Local && hasPrototypes(d.Kind) && graph.SameFamily(&d.File, &prototype.File)
}

// hasPrototypes reports whether a prototype can announce what is of kind k.
func hasPrototypes(k code.Kind) bool {
	switch k {
	case code.KindMacro:
		return false
	case code.KindVariable, code.KindConstant, code.KindField:
		return true
	}
	return k.IsFunction()
}

// memberC looks a member up by its class.
func (b *Binder) memberC(s *graph.Site, class string) Binding {
	of := b.pick(b.byType[code.LastSegment(class)], func(d *graph.Def) bool { return graph.SameFamily(&d.File, &s.Node) && d.Container != "" })
	if class == "" || len(of) == 0 {
		return Binding{}
	}
	if own := b.inOne(of, s.Node.ID); len(own) > 0 {
		return b.withDefinitions(s.Node.ID, own, exactly(own))
	}
	for i := range s.Imports {
		if i >= len(s.Links) || s.Links[i].File == 0 {
			continue
		}
		home, ok := b.k.Follow(s.Links[i].File, class)
		if !ok {
			continue
		}
		if decls := b.inOne(of, home); len(decls) > 0 {
			return b.withDefinitions(home, decls, resolved(decls))
		}
	}
	// The class came in by a way not seen, or its header names it by a macro.
	if reached := b.pick(of, func(d *graph.Def) bool { return b.k.Includes(s.Node.ID, d.File.ID) }); len(reached) > 0 {
		return b.withDefinitions(b.defs[reached[0]].File.ID, reached, resolved(reached))
	}
	got := guessed(of)
	if b.oneFunction(of) {
		got.Confidence = code.UniqueName
	}
	return got
}

// oneFunction reports whether definitions are one, with its prototypes.
func (b *Binder) oneFunction(of []int) bool {
	defined := 0
	for _, i := range of {
		if b.defs[i].Container != b.defs[of[0]].Container {
			return false
		}
		if !b.defs[i].Forward {
			defined++
		}
	}
	return defined <= 1
}

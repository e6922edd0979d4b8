package bind

import (
	"slices"
	"strings"

	"ken/internal/code"
	"ken/internal/engine/graph"
)

// bindRuby binds a reference of a Ruby file. All files share one space of constants, whichever of them loads another, so a
// constant is looked up by its whole name, from its namespace outwards; imports only decide between the files where
// several declare it. Classes are open: a member may be declared in any file that reopens its class.
func (b *Binder) bindRuby(s *graph.Site, r *code.Ref) Binding {
	switch r.Via {
	case code.ViaImport:
		return b.rubyConstant(s, r)
	case code.ViaBare:
		return b.rubyBare(s, r)
	case code.ViaSelf, code.ViaTyped:
		return b.rubyMember(s, r)
	}
	return b.rubyByName(s, r)
}

// rubyByName guesses a member by its name. One that is private is hardly called on another object.
func (b *Binder) rubyByName(s *graph.Site, r *code.Ref) Binding {
	got := b.memberByName(s, r)
	if got.Confidence == code.UniqueName && len(got.Defs) == 1 && b.defs[got.Defs[0]].Local && r.Via != code.ViaSelf {
		got.Confidence = code.Ambiguous
	}
	return got
}

// rubyBare returns a top-level function or constant, of this file or any other.
func (b *Binder) rubyBare(s *graph.Site, r *code.Ref) Binding {
	if own := b.topLevel(s.Node.ID); len(own) > 0 {
		return exactBinding(own)
	}
	if got := b.byName(s, r, func(d *graph.Def) bool { return d.Container == "" }); len(got.Defs) > 0 {
		if in := b.required(s); len(in) > 0 {
			return resolvedBinding(in)
		}
		return got
	}
	if r.Kind == code.RefCall || r.Kind == code.RefUse { // a block may be run as part of any object
		return b.possibly(s, r)
	}
	return noBinding(NotVisible)
}

// required returns the top-level definitions of a file that another one requires, if no other definition has the name.
func (b *Binder) required(s *graph.Site) []int {
	for i := range s.Links {
		if in := b.topLevel(s.Links[i].File); len(in) > 0 && len(in) == len(b.all()) {
			return in
		}
	}
	return nil
}

// rubyConstant binds the constant that an ImportPath names, or the one in front of a "::" in it.
func (b *Binder) rubyConstant(s *graph.Site, r *code.Ref) Binding {
	if r.Import < 0 || int(r.Import) >= len(s.Imports) {
		return Binding{}
	}
	nest, path := rubySpec(s.Imports[r.Import].Spec)
	path, whole := rubyUpTo(path, r.Name)
	link := graph.Link{}
	if int(r.Import) < len(s.Links) {
		link = s.Links[r.Import]
	}
	if of := b.rubyAlias(s, path); of != "" {
		nest, path = "", of
	}
	for {
		qualified := strings.TrimPrefix(nest+"."+path, ".")
		if fits := b.constants(s, qualified); len(fits) > 0 {
			if in := b.inOne(fits, link.File); whole && len(in) > 0 {
				fits = in // several files declare it
			}
			return resolvedBinding(fits)
		}
		if nest == "" {
			break
		}
		nest = outerScope(nest)
	}
	if link.External != "" {
		return noBinding(OtherPackage)
	}
	if whole && link.File != 0 && len(b.byFile[link.File]) > 0 {
		return resolvedBinding(b.byFile[link.File])
	}
	got := b.byName(s, r, func(d *graph.Def) bool { return isRubyConstant(d.Kind) }) // inherited
	if got.Reason = NotMember; strings.Contains(path, ".") {
		got.Confidence = code.Ambiguous
	}
	return got
}

// rubyAlias returns a path whose first constant the file declares as another name of a constant (Local = Other::Name), with that in its
// place; "" for any other path.
func (b *Binder) rubyAlias(s *graph.Site, path string) string {
	first, rest, _ := strings.Cut(path, ".")
	for _, d := range b.types.Lookup().Declarations(s.Node.ID, "", first) {
		_, value, ok := strings.Cut(d.Signature, first+" = ")
		if d.Kind == code.KindConstant && ok && isRubyPath(value) && value != first {
			return strings.TrimSuffix(strings.ReplaceAll(strings.TrimPrefix(value, "::"), "::", ".")+"."+rest, ".")
		}
	}
	return ""
}

// isRubyPath reports whether a text is the name of a constant: A::B.
func isRubyPath(text string) bool {
	for name := range strings.SplitSeq(strings.TrimPrefix(text, "::"), "::") {
		if name == "" || !isCapital(name[0]) || strings.ContainsAny(name, " .([{'\"#,;") {
			return false
		}
	}
	return true
}

// constants returns the definitions of a constant by its qualified name.
func (b *Binder) constants(s *graph.Site, qualified string) []int {
	container := outerScope(qualified)
	return b.pick(b.byType[code.LastSegment(container)], func(d *graph.Def) bool {
		return d.Container == container && d.File.Lang == s.Node.Lang && isRubyConstant(d.Kind)
	})
}

func isRubyConstant(k code.Kind) bool {
	return k.IsType() || k == code.KindModule || k == code.KindConstant
}

// rubySpec splits the Spec of a constant into its namespace and its name, both dotted.
func rubySpec(spec string) (nest, path string) {
	nest, path, ok := strings.Cut(strings.ReplaceAll(spec, "::", "."), ">")
	if !ok {
		nest, path = "", nest
	}
	return nest, strings.TrimPrefix(path, ".")
}

// rubyUpTo cuts a dotted path after a name; whole is true if nothing is cut off.
func rubyUpTo(path, name string) (cut string, whole bool) {
	if code.LastSegment(path) == name {
		return path, true
	}
	segs := strings.Split(path, ".")
	if i := slices.Index(segs, name); i >= 0 {
		return strings.Join(segs[:i+1], "."), false
	}
	return path, true
}

// rubyMember returns a member of the class around or of a class known by name.
func (b *Binder) rubyMember(s *graph.Site, r *code.Ref) Binding {
	recv := r.Recv
	if of := b.rubyAlias(s, recv); of != "" {
		recv = of
	}
	of := b.pick(b.byType[code.LastSegment(recv)], func(d *graph.Def) bool {
		return d.File.Lang == s.Node.Lang && (d.Container == recv || r.Via == code.ViaTyped && strings.HasSuffix(d.Container, "."+recv))
	})
	if own := b.inOne(of, s.Node.ID); len(own) > 0 {
		return exactBinding(own)
	}
	imp := slices.IndexFunc(s.Imports, func(m code.Import) bool {
		_, path := rubySpec(m.Spec)
		return m.Kind == code.ImportPath && path == recv
	})
	if imp >= 0 && r.Via == code.ViaTyped {
		link := graph.Link{}
		if imp < len(s.Links) {
			link = s.Links[imp]
		}
		if in := b.inOne(of, link.File); len(in) > 0 {
			return resolvedBinding(in)
		}
		if link.External != "" && len(of) == 0 {
			return noBinding(OtherPackage)
		}
	}
	for around := b.types.Lookup().QualifiedName(s.Node.ID, r.Scope); around != "" && r.Via == code.ViaTyped; around = outerScope(around) {
		if in := b.pick(of, func(d *graph.Def) bool { return d.Container == around+"."+recv }); len(in) > 0 {
			return resolvedBinding(in)
		}
	}
	if len(of) == 0 { // inherited, or of an included module
		up := b.inherited(s, recv, r)
		if len(up) == 0 && r.Via == code.ViaSelf {
			up = b.required(s)
		}
		if len(up) > 0 {
			return resolvedBinding(up)
		}
	}
	switch {
	case len(of) == 0:
		return b.rubyByName(s, r)
	case slices.ContainsFunc(of, func(i int) bool { return b.defs[i].Container != b.defs[of[0]].Container }):
		return Binding{Defs: of, Confidence: code.Ambiguous}
	case b.defs[of[0]].Container == recv:
		return resolvedBinding(of)
	}
	return Binding{Defs: of, Confidence: code.UniqueName}
}

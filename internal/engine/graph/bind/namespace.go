package bind

import (
	"slices"
	"strings"

	"ken/internal/code"
	"ken/internal/engine/graph"
)

// bindNamespaced binds a reference of a C#, PHP or Swift file.
func (b *Binder) bindNamespaced(s *graph.Site, r *code.Ref) Binding {
	switch r.Via {
	case code.ViaImport:
		if int(r.Import) < len(s.Links) && r.Import >= 0 && s.Links[r.Import].IsPackage {
			return b.inNamespace(s, r)
		}
		return b.bindImported(s, r)
	case code.ViaBare:
		return b.namespaceBare(s, r)
	case code.ViaLocal:
		return b.local(b.ofArity(r, b.byFile[s.Node.ID]))
	case code.ViaSelf, code.ViaTyped:
		names, unknown := strings.CutPrefix(r.Recv, code.RecvExpr)
		if !unknown && strings.Contains(r.Recv, code.AlsoType) {
			return b.ofEachType(s, r)
		}
		if !unknown {
			return b.namespaceMember(s, r)
		}
		if strings.HasPrefix(names, "(") {
			if got, ok := b.ofChain(s, r, names); ok {
				return got
			}
			return b.memberByName(s, r)
		}
		if fits := b.pick(b.byType[""], func(d *graph.Def) bool { return ofPackage(d, s, names) }); len(fits) > 0 {
			return resolvedBinding(b.visible(s, fits)) // the names in front were those of a namespace
		}
		if fits := b.inNested(s, names); len(fits) > 0 {
			return resolvedBinding(b.visible(s, fits))
		}
	}
	return b.memberByName(s, r)
}

// ofEachType looks up a member of a value that has several types, the narrowest first. A type that is not among the bases of the one
// that has the member may have it as well.
func (b *Binder) ofEachType(s *graph.Site, r *code.Ref) Binding {
	var got Binding
	var bases []int
	hasFirst := false
	for recv := range strings.SplitSeq(r.Recv, code.AlsoType) {
		one := *r
		one.Recv = recv
		next := b.namespaceMember(s, &one)
		isFound := next.Confidence >= code.ImportResolved && len(next.Defs) > 0
		if !isFound || hasFirst && slices.Equal(bases, next.Defs) {
			continue
		}
		got = unite(got, next, hasFirst)
		bases, hasFirst = b.inherited(s, recv, &one), true
	}
	if !hasFirst {
		return b.memberByName(s, r)
	}
	return got
}

// inNested returns the members of a nested type that a file names with the types around it: On.December, or A.On.December with
// its namespace.
func (b *Binder) inNested(s *graph.Site, names string) []int {
	spaces := b.typeSpaces(s)
	return b.pick(b.byType[code.LastSegment(names)], func(d *graph.Def) bool {
		if d.File.Lang != s.Node.Lang || d.Container == "" {
			return false
		}
		return d.Container == names && slices.Contains(spaces, d.File.Package) || names == d.File.Package+"."+d.Container
	})
}

// ofArity keeps the types that have as many type parameters as the reference has type arguments, and what is no type. It keeps all
// if none has.
func (b *Binder) ofArity(r *code.Ref, list []int) []int {
	if len(list) < 2 {
		return list
	}
	if fits := b.pick(list, func(d *graph.Def) bool { return hasArity(r, d) }); len(fits) > 0 {
		return fits
	}
	return list
}

// hasArity reports whether a reference has as many type arguments as a type has parameters. It is true for what is no type.
func hasArity(r *code.Ref, d *graph.Def) bool {
	return !d.File.Traits().TypeArity || !d.Kind.IsType() || max(len(r.Args)-len(code.ArgsAround), 0) == typeParameters(d)
}

// typeParameters returns the number of type parameters that the signature of a type has.
func typeParameters(d *graph.Def) int {
	_, list, ok := strings.Cut(d.Signature, " "+d.Name+"<")
	if !ok {
		return 0
	}
	n, depth := 1, 1
	for i := 0; i < len(list) && depth > 0; i++ {
		switch list[i] {
		case '<', '[', '(':
			depth++
		case '>', ']', ')':
			depth--
		case ',':
			if depth == 1 {
				n++
			}
		}
	}
	return n
}

// visible keeps the definitions in files that a file can see; it keeps all if the file sees none of them.
func (b *Binder) visible(s *graph.Site, list []int) []int {
	if !s.Node.Traits().ProjectReferences || len(list) == 0 {
		return list
	}
	if seen := b.pick(list, func(d *graph.Def) bool { return b.k.Sees(s.Node, d.File.Path) }); len(seen) > 0 {
		return seen
	}
	return list
}

// inNamespace returns the declaration that an import names in a namespace.
func (b *Binder) inNamespace(s *graph.Site, r *code.Ref) Binding {
	imp, link := &s.Imports[r.Import], &s.Links[r.Import]
	in := graph.Container(imp, link)
	fits := b.pick(b.byType[code.LastSegment(in)], func(d *graph.Def) bool {
		return d.Container == in && ofPackage(d, s, link.Package)
	})
	return resolvedBinding(b.visible(s, b.ofArity(r, fits)))
}

// namespaceBare finds a plain name: in the file, in the namespaces that it sees, through its usings and includes, and
// in the bases of its types.
func (b *Binder) namespaceBare(s *graph.Site, r *code.Ref) Binding {
	own := b.pick(b.byFile[s.Node.ID], func(d *graph.Def) bool { return d.Container == "" && meantBare(r, d) })
	if len(own) > 0 {
		return exactBinding(own)
	}
	for _, sp := range b.k.Spaces(s.Node) {
		if fits := b.inSpace(s, sp, r); len(fits) > 0 {
			return resolvedBinding(fits)
		}
	}
	var fits []int
	for i := range s.Imports {
		if i >= len(s.Links) || !graph.IsWildcard(&s.Imports[i]) {
			continue
		}
		if sp, ok := graph.UsingSpace(&s.Imports[i], &s.Links[i]); ok {
			fits = append(fits, b.inSpace(s, sp, r)...)
		} else if got := b.throughWildcard(s, &s.Links[i], r.Name); len(got.Defs) > 0 {
			return got
		}
	}
	if len(fits) > 0 {
		return resolvedBinding(b.visible(s, fits))
	}
	return b.namespaceNested(s, r)
}

// namespaceNested finds a name that only the types around the reference can see: one nested in them or in their bases,
// or an inherited member.
func (b *Binder) namespaceNested(s *graph.Site, r *code.Ref) Binding {
	if !s.Node.Traits().BareMembers {
		return noBinding(NotVisible)
	}
	meant := func(d *graph.Def) bool { // an enumerator and a constructor have no plain name outside of their type
		return d.Container != "" && d.Kind != code.KindEnumMember && d.Kind != code.KindConstructor && hasArity(r, d)
	}
	isType := r.Kind != code.RefCall && r.Kind != code.RefUse
	if nested := b.pick(b.byFile[s.Node.ID], func(d *graph.Def) bool { return meant(d) && (!isType || d.Kind.IsType()) }); len(nested) > 0 {
		return exactBinding(nested)
	}
	got := b.byName(s, r, meant)
	if got.Reason = NotVisible; isType && len(got.Defs) > 0 && !b.defs[got.Defs[0]].Kind.IsType() {
		got.Confidence = code.Ambiguous // a property that a type around inherits, but only where a dot follows
	}
	if s.Node.Traits().ProjectReferences { // any file of the project may have a using for all of them
		top := b.byName(s, r, func(d *graph.Def) bool { return d.Container == "" && b.k.Sees(s.Node, d.File.Path) })
		if len(got.Defs) == 0 {
			return possibleBinding(top.Defs)
		}
		got.Perhaps = top.Defs
	}
	return got
}

// inSpace returns the definitions of a name in a namespace, or in a type whose static members a using makes visible.
func (b *Binder) inSpace(s *graph.Site, sp graph.Space, r *code.Ref) []int {
	return b.visible(s, b.pick(b.byType[code.LastSegment(sp.Static)], func(d *graph.Def) bool {
		return d.Container == sp.Static && ofPackage(d, s, sp.Package) && sp.Offers(d.Kind) && meantBare(r, d)
	}))
}

// ofPackage reports whether a definition is in a namespace of a file's language.
func ofPackage(d *graph.Def, s *graph.Site, pkg string) bool {
	return d.File.Lang == s.Node.Lang && packageOf(d) == pkg
}

// packageOf returns the namespace of a definition: of its file, unless a call defines it (PHP's define), which names the namespace.
func packageOf(d *graph.Def) string {
	call, args, isCall := strings.Cut(d.Signature, "(")
	if !isCall || !d.File.Traits().SeparateNames || d.Kind != code.KindConstant || strings.TrimPrefix(call, `\`) != "define" {
		return d.File.Package
	}
	name, _, _ := strings.Cut(strings.TrimLeft(args, " '\"\\"), ",")
	return strings.ReplaceAll(name[:max(strings.LastIndexByte(name, '\\'), 0)], `\\`, `\`)
}

// meantBare reports whether a plain name can mean a definition: in PHP a variable only if a global statement
// names it, and a function only in a call.
func meantBare(r *code.Ref, d *graph.Def) bool {
	switch {
	case !d.File.Traits().SeparateNames:
		return hasArity(r, d)
	case d.Kind == code.KindFunction:
		return r.Kind == code.RefCall || r.Kind == code.RefUse
	case d.Kind == code.KindVariable || d.Kind == code.KindConstant:
		return r.Kind == code.RefUse
	}
	return r.Kind != code.RefUse
}

// namespaceMember looks a member up by the type of its receiver.
func (b *Binder) namespaceMember(s *graph.Site, r *code.Ref) Binding {
	i := strings.LastIndexAny(r.Recv, `.\`)
	pkg, name := r.Recv[:max(i, 0)], r.Recv[i+1:]
	of := b.pick(b.byType[name], func(d *graph.Def) bool { return d.File.Lang == s.Node.Lang })
	if i < 0 {
		return b.memberOfType(s, r, name, of)
	}
	if fits := b.pick(of, func(d *graph.Def) bool { return d.File.Package == pkg }); len(fits) > 0 {
		return resolvedBinding(b.visible(s, fits))
	}
	if fits := b.pick(b.byType[""], func(d *graph.Def) bool { return ofPackage(d, s, r.Recv) }); len(fits) > 0 {
		return resolvedBinding(b.visible(s, fits)) // Recv is a namespace
	}
	if fits := b.pick(of, func(d *graph.Def) bool { return d.Container == r.Recv }); len(fits) > 0 {
		return b.nearestVisible(s, r, fits) // Recv is a nested type
	}
	if fits := b.pick(of, func(d *graph.Def) bool { return endsWithPath(d.File.Package+"."+d.Container, r.Recv) }); len(fits) > 0 {
		return b.nearestVisible(s, r, fits) // its namespace is written in part, or the types around it, too
	}
	if len(b.k.Declarers(s.Node, pkg, "", name)) > 0 {
		if fits := b.inherited(s, r.Recv, r); len(fits) > 0 {
			return resolvedBinding(fits)
		}
		return b.memberByName(s, r) // it may inherit one
	}
	head, _, _ := strings.Cut(r.Recv, ".")
	isInside := func(pkg string) bool { return len(b.k.Declarers(s.Node, pkg, "", head)) > 0 }
	if len(of) > 0 && slices.ContainsFunc(b.typeSpaces(s), isInside) { // a type nested in a base of the type that is named
		return b.memberByName(s, r)
	}
	if len(b.inOne(of, s.Node.ID)) > 0 { // a file of several namespaces, of which only the first is known
		return b.memberByName(s, r)
	}
	return b.extension(s, r)
}

// nearestVisible binds to members of types of one simple name that a file can see: those of the type that the name means there.
func (b *Binder) nearestVisible(s *graph.Site, r *code.Ref, fits []int) Binding {
	fits = b.visible(s, fits)
	got := b.nearest(s, r, fits)
	if b.defs[fits[0]].File.ID != s.Node.ID {
		got.Confidence = min(got.Confidence, code.ImportResolved)
	}
	return got
}

// memberOfType finds a member in a type of which only the simple name is known.
func (b *Binder) memberOfType(s *graph.Site, r *code.Ref, name string, of []int) Binding {
	if fits := b.inOne(of, s.Node.ID); len(fits) > 0 {
		return b.nearest(s, r, fits)
	}
	spaces := b.typeSpaces(s)
	for _, pkg := range spaces {
		if fits := b.pick(of, func(d *graph.Def) bool { return d.File.Package == pkg }); len(fits) > 0 {
			return b.nearestVisible(s, r, fits)
		}
	}
	declared := func(pkg string) bool { return len(b.k.Declarers(s.Node, pkg, "", name)) > 0 }
	if r.Via == code.ViaSelf { // the file cannot show that its project sees the name as a static member of another type
		for _, sp := range b.k.Spaces(s.Node) {
			if fits := b.inSpace(s, sp, r); sp.Static != "" && len(fits) > 0 {
				return resolvedBinding(fits)
			}
		}
	} else if spec, ok := b.k.ProjectAlias(s.Node, name); ok {
		of := *r
		of.Recv = spec
		return b.namespaceMember(s, &of)
	}
	switch {
	case r.Via == code.ViaSelf || slices.ContainsFunc(spaces, declared):
		if fits := b.inherited(s, name, r); len(fits) > 0 {
			return resolvedBinding(fits)
		}
		if fits := b.ofTypesAround(s, r); len(fits) > 0 {
			return resolvedBinding(fits)
		}
		return b.memberByName(s, r)
	case len(b.below(s, name)) > 0:
		return resolvedBinding(b.visible(s, b.below(s, name)))
	case len(of) > 0 && s.Node.Traits().BareMembers: // a type nested in another, or named like a member
		return guessBinding(of)
	}
	return b.extension(s, r)
}

// ofTypesAround returns the members of the nearest type around a plain name that has them in another of its parts.
func (b *Binder) ofTypesAround(s *graph.Site, r *code.Ref) []int {
	if r.Via != code.ViaSelf || !s.Node.Traits().BareMembers {
		return nil
	}
	for around := b.types.Lookup().QualifiedName(s.Node.ID, r.Scope); around != ""; around = outerScope(around) {
		fits := b.pick(b.byType[code.LastSegment(around)], func(d *graph.Def) bool {
			return d.Container == around && ofPackage(d, s, s.Node.Package) && d.Kind != code.KindConstructor
		})
		if len(fits) > 0 {
			return b.visible(s, fits)
		}
	}
	return nil
}

// below returns the declarations of namespaces whose last name is name.
func (b *Binder) below(s *graph.Site, name string) []int {
	return b.pick(b.byType[""], func(d *graph.Def) bool {
		return d.File.Lang == s.Node.Lang && code.LastSegment(d.File.Package) == name
	})
}

// typeSpaces returns the namespaces in which a file looks for a plain type name.
func (b *Binder) typeSpaces(s *graph.Site) []string {
	if pkgs, ok := b.spaces[s.Node.ID]; ok {
		return pkgs
	}
	var pkgs []string
	add := func(sp graph.Space) {
		if sp.Static == "" && !sp.Callable && !slices.Contains(pkgs, sp.Package) {
			pkgs = append(pkgs, sp.Package)
		}
	}
	for _, sp := range b.k.Spaces(s.Node) {
		add(sp)
	}
	for i := range s.Imports {
		if i < len(s.Links) {
			if sp, ok := graph.UsingSpace(&s.Imports[i], &s.Links[i]); ok {
				add(sp)
			}
		}
	}
	b.spaces[s.Node.ID] = pkgs
	return pkgs
}

// extension binds a member of a type that is not the repository's: to nothing, or in C# to a method that extends the
// type.
func (b *Binder) extension(s *graph.Site, r *code.Ref) Binding {
	if !s.Node.Traits().ExtensionCalls || r.Kind != code.RefCall {
		return noBinding(OtherType)
	}
	got := b.byName(s, r, func(d *graph.Def) bool { return d.Extension })
	got.Reason = OtherType
	return got
}

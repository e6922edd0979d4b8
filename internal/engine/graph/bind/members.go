package bind

import (
	"slices"
	"strings"

	"ken/internal/code"
	"ken/internal/engine/builtin"
	"ken/internal/engine/graph"
	"ken/internal/engine/graph/infer"
	"ken/internal/lang"
)

// member finds a member by the type of its receiver.
func (b *Binder) member(s *graph.Site, r *code.Ref, self bool) Binding {
	if b.steps.member != nil {
		if got, ok := b.steps.member(b, s, r); ok {
			return got
		}
	}
	if names, isExpr := strings.CutPrefix(r.Recv, code.RecvExpr); isExpr {
		if got, ok := b.memberByType(s, r); ok {
			return got
		}
		if s.Node.Traits().Scope == lang.PackageScope { // the names in front may be those of a package
			top := func(d *graph.Def) bool { return d.Container == "" && !isExtension(d) && ofPackage(d, s, names) }
			if fits := b.pick(b.all(), top); len(fits) > 0 {
				return resolvedBinding(fits)
			}
		}
		return b.memberByName(s, r)
	}
	recv := r.Recv
	qualifier := ""
	if i := strings.LastIndexByte(recv, '.'); i >= 0 && !self {
		qualifier, recv = recv[:i], recv[i+1:]
	}
	if recv == "" {
		return b.memberByName(s, r)
	}
	of := b.byType[code.LastSegment(recv)]
	if qualifier == "" {
		if fits := b.inOne(of, s.Node.ID); len(fits) > 0 {
			return b.nearest(s, r, fits)
		}
		if fits := b.pick(of, func(d *graph.Def) bool { return graph.SameScope(&s.Node, &d.File) }); len(fits) > 0 {
			got := b.nearest(s, r, fits)
			got.Confidence = min(got.Confidence, code.ImportResolved)
			return got
		}
	} else if infer.Reads(s.Node.Lang) {
		if got, ok := b.memberByType(s, r); ok && len(got.Defs) > 0 {
			return got
		}
		of = b.nested(of, r.Recv)
	}
	if got, ok := b.importedModule(s, r, recv); ok && qualifier == "" {
		return got
	}
	if got, ok := b.importedType(s, r, qualifier, recv, of); ok {
		return got
	}
	if b.steps.path != nil {
		if got, ok := b.steps.path(b, s, r); ok {
			return got
		}
	}
	if got, ok := b.wildcardType(s, recv, of); ok && qualifier == "" {
		return got
	}
	if got, ok := b.memberByType(s, r); ok {
		return got
	}
	if got, ok := b.ofPredeclaredType(s, r, recv); ok && qualifier == "" && !self {
		return got
	}
	fits := b.pick(of, func(d *graph.Def) bool { return graph.SameFamily(&d.File, &s.Node) })
	if len(fits) == 1 {
		return Binding{Defs: fits, Confidence: code.UniqueName}
	}
	// The type itself has no such visible member: it may inherit one.
	return b.memberByName(s, r)
}

// nearest chooses among members of types that have the same name, nested in different types: those nested nearest around the reference.
func (b *Binder) nearest(s *graph.Site, r *code.Ref, fits []int) Binding {
	near := b.closest(s, r, fits)
	if len(near) == 0 {
		return possibleBinding(fits)
	}
	return exactBinding(near)
}

// closest keeps, of members of types that have one simple name, those of the type that the plain name means where the reference is: the
// one nested nearest around it. It returns none if no type is around it, and all if they are of one type.
func (b *Binder) closest(s *graph.Site, r *code.Ref, fits []int) []int {
	if !slices.ContainsFunc(fits, func(i int) bool { return !b.ofOneType(fits[0], i) }) {
		return fits
	}
	scope := b.types.Lookup().QualifiedName(s.Node.ID, r.Scope)
	if space, _, _ := strings.Cut(b.types.Lookup().Namespaces(s.Node.ID, r.Scope), "/"); space != "" {
		scope = space + "." + scope
	}
	best, longest := -1, -1
	for _, i := range fits {
		if outer := outerScope(b.spacedName(&b.defs[i])); encloses(outer, scope) && len(outer) > longest {
			best, longest = i, len(outer)
		}
	}
	if best < 0 {
		return nil
	}
	return b.sameType(fits, best)
}

// ofOneType reports whether two members are of one type: their types' names are the same, or one has more of the namespaces around it.
func (b *Binder) ofOneType(i, j int) bool {
	one, other := b.spacedName(&b.defs[i]), b.spacedName(&b.defs[j])
	return endsWithPath(one, other) || endsWithPath(other, one)
}

// sameType keeps the members that are of one type with a definition.
func (b *Binder) sameType(list []int, def int) (out []int) {
	for _, i := range list {
		if b.ofOneType(def, i) {
			out = append(out, i)
		}
	}
	return out
}

// nested keeps the members of the types that a dotted path names: A.Builder is not B.Builder. The names in front of a type may be those of
// modules, which a qualified name leaves out.
func (b *Binder) nested(of []int, path string) []int {
	path = strings.ReplaceAll(path, "::", ".")
	whole := b.pick(of, func(d *graph.Def) bool { return endsWithPath(d.Container, path) })
	if len(whole) > 0 {
		return whole
	}
	return b.pick(of, func(d *graph.Def) bool { return endsWithPath(path, d.Container) })
}

// importedModule finds a name in a module that the file imports by name: `from pkg import mod`, or a namespace that is
// passed on.
//
// A name that several imports bind, such as one behind except ImportError, may mean each of their modules.
func (b *Binder) importedModule(s *graph.Site, r *code.Ref, recv string) (Binding, bool) {
	var all Binding
	name, found := r.Name, false
	for i := range s.Imports {
		if i >= len(s.Links) {
			break
		}
		link := &s.Links[i]
		for _, n := range s.Imports[i].Names {
			if n.Alias != recv {
				continue
			}
			file, ok := link.Sub(n.Name)
			if !ok && link.File != 0 {
				file, ok = b.k.Module(link.File, n.Name)
			}
			if !ok {
				continue
			}
			got := b.findOffered(file, name)
			if len(got.Defs) == 0 {
				got = b.bindUnoffered(s, r)
			}
			all, found = unite(all, got, found), true
		}
	}
	return all, found
}

// unite returns the binding of a reference that means one of two things; hasFirst is not set if there is no first one.
func unite(a, b Binding, hasFirst bool) Binding {
	switch {
	case !hasFirst || len(a.Defs) == 0 && !a.Decided && len(b.Defs) > 0:
		return b
	case len(b.Defs) == 0, slices.Equal(a.Defs, b.Defs):
		return a
	case len(a.Defs) == 0:
		return b
	}
	defs := slices.Clone(a.Defs)
	for _, d := range b.Defs {
		if !slices.Contains(defs, d) {
			defs = append(defs, d)
		}
	}
	return Binding{Defs: defs, Confidence: code.Ambiguous, Decided: a.Decided && b.Decided}
}

// wildcardType finds the members of a type that a wildcard import brings in.
func (b *Binder) wildcardType(s *graph.Site, recv string, of []int) (Binding, bool) {
	for i := range s.Imports {
		if i >= len(s.Links) || !graph.IsWildcard(&s.Imports[i]) {
			continue
		}
		link := &s.Links[i]
		file := int64(0)
		if link.File != 0 {
			file, _ = b.k.Follow(link.File, recv)
		}
		fits := b.inOne(of, file)
		if link.File == 0 {
			fits = b.inDirs(s, of, link)
		}
		if len(fits) > 0 {
			return resolvedBinding(fits), true
		}
	}
	return Binding{}, false
}

// inDirs keeps the definitions of a list that are in the directories a link names.
func (b *Binder) inDirs(s *graph.Site, list []int, link *graph.Link) []int {
	return b.pick(list, func(d *graph.Def) bool {
		return graph.SameFamily(&d.File, &s.Node) && slices.Contains(link.Dirs, code.Dir(d.File.Path))
	})
}

// importedType finds the members of a type that an import of the file binds.
func (b *Binder) importedType(s *graph.Site, r *code.Ref, qualifier, recv string, of []int) (Binding, bool) {
	for i := range s.Imports {
		imp := &s.Imports[i]
		if i >= len(s.Links) || !b.binds(s, imp, &s.Links[i], qualifier, recv) {
			continue
		}
		link := &s.Links[i]
		switch {
		case link.External != "":
			return b.ofOutsideType(s, r, recv), true
		case link.File != 0:
			name := recv
			for _, n := range imp.Names {
				if n.Alias == recv && n.Name != "default" {
					name = n.Name
				}
			}
			file := link.File
			if id, ok := b.k.Follow(link.File, name); ok {
				file = id
			}
			if qualifier != "" {
				return ifAny(b.inOne(of, file))
			}
			return b.ofImportedType(imp, b.inOne(b.byType[code.LastSegment(name)], file))
		case len(link.Dirs) > 0:
			return ifAny(b.pick(of, func(d *graph.Def) bool { return slices.Contains(link.Dirs, code.Dir(d.File.Path)) }))
		}
	}
	return Binding{}, false
}

// ofImportedType binds a member of a type that an import names, of those in one file: where several types there have the name, that at the
// end of the import's path is meant.
func (b *Binder) ofImportedType(imp *code.Import, fits []int) (Binding, bool) {
	if len(fits) < 2 {
		return ifAny(fits)
	}
	first := b.defs[fits[0]].Container
	if !slices.ContainsFunc(fits, func(i int) bool { return b.defs[i].Container != first }) {
		return ifAny(fits)
	}
	path := strings.ReplaceAll(imp.Spec, "::", ".")
	if name := code.LastSegment(first); !endsWithPath(path, name) {
		path += "." + name
	}
	longest := 0
	for _, i := range fits {
		if in := b.defs[i].Container; endsWithPath(path, in) {
			longest = max(longest, len(in))
		}
	}
	if longest == 0 {
		return possibleBinding(fits), true
	}
	return ifAny(b.pick(fits, func(d *graph.Def) bool { return endsWithPath(path, d.Container) && len(d.Container) == longest }))
}

// ofOutsideType binds a member of an imported type that is not of the repository: to nothing, unless the language lets
// the repository add members to it.
func (b *Binder) ofOutsideType(s *graph.Site, r *code.Ref, typ string) Binding {
	switch {
	case b.steps.outside != nil:
		return b.steps.outside(b, s, r, typ)
	case s.Node.Traits().GlobalScripts:
		got := b.ofAddition(s, r)
		got.Reason = OtherType
		return got
	case s.Node.Traits().TopLevelMethods:
		got := b.byName(s, r, isExtension)
		if got.Reason = OtherType; len(got.Defs) > 0 {
			got.Confidence = code.Ambiguous
		}
		return got
	}
	return noBinding(OtherType)
}

// ifAny returns a resolved binding to the definitions, and false if there are none.
func ifAny(defs []int) (Binding, bool) {
	if len(defs) == 0 {
		return Binding{}, false
	}
	return resolvedBinding(defs), true
}

// binds reports whether an import brings the type recv, or the qualifier before it, into the file. An imported Go
// package has the name that its files declare.
func (b *Binder) binds(s *graph.Site, imp *code.Import, link *graph.Link, qualifier, recv string) bool {
	if qualifier == "" {
		return slices.ContainsFunc(imp.Names, func(n code.ImportName) bool { return n.Alias == recv })
	}
	if s.Node.Traits().ModuleName == lang.PackageClause && imp.Alias == "" && len(link.Dirs) > 0 {
		if pkg, ok := b.k.PackageName(s.Node, link); ok {
			return pkg == qualifier
		}
	}
	return graph.LocalName(imp) == qualifier
}

// memberByType finds the member that r names, in the type of its receiver and the bases of that type. ok is false if the
// type, or one of its bases, is unknown. Where the receiver has another type in each build, all their members are meant.
func (b *Binder) memberByType(s *graph.Site, r *code.Ref) (got Binding, ok bool) {
	if path := b.selfPath(s, r); path != "" {
		if got, ok = b.memberOfReceivers(s, r, b.types.Receivers(s, path)); len(got.Defs) > 0 {
			return got, ok
		}
	}
	return b.memberOfReceivers(s, r, b.types.Receivers(s, r.Recv))
}

// selfPath returns the path of the nested type around a reference that is a member of it or of a type that it inherits from; "" at the top
// level. That such a type has no member of the name proves nothing, because the name may be one of a type around it.
func (b *Binder) selfPath(s *graph.Site, r *code.Ref) string {
	if r.Via != code.ViaSelf || code.IsExpr(r.Recv) {
		return ""
	}
	scope := b.types.Lookup().QualifiedName(s.Node.ID, r.Scope) + "."
	at := strings.LastIndex(scope, "."+r.Recv+".")
	if at < 0 {
		return ""
	}
	return scope[:at+1+len(r.Recv)]
}

func (b *Binder) memberOfReceivers(s *graph.Site, r *code.Ref, list []infer.Receiver) (got Binding, ok bool) {
	got, ok = b.memberOf(s, r, &list[0])
	for i := range list[1:] {
		other, found := b.memberOf(s, r, &list[i+1])
		switch {
		case !found:
			got.Decided = false
		case !ok, len(got.Defs) == 0:
			other.Decided = other.Decided && ok
			got = other
		case len(other.Defs) > 0:
			got.Defs = append(slices.Clone(got.Defs), other.Defs...)
			got.Confidence = min(got.Confidence, other.Confidence)
			got.Decided = got.Decided && other.Decided
		}
		ok = len(got.Defs) > 0 || ok && found
	}
	return got, ok
}

// memberOf finds a member of a receiver, as memberByType.
func (b *Binder) memberOf(s *graph.Site, r *code.Ref, t *infer.Receiver) (Binding, bool) {
	switch t.Kind {
	case infer.Unknown:
		return Binding{}, false
	case infer.Module:
		return b.moduleMember(t, r)
	case infer.Type:
		if got, ok := b.memberOfTypes(s, r, t); ok || b.steps.lent == nil {
			return got, ok
		}
		return b.steps.lent(b, s, r, t), true
	case infer.Foreign:
		return b.possibly(s, r), true
	case infer.Outside:
		if t.Value && b.steps.outside != nil {
			return b.steps.outside(b, s, r, r.Recv), true
		}
	}
	if got := b.ofAddition(s, r); len(got.Defs) > 0 {
		return got, true
	}
	if b.steps.lent != nil { // a type from outside may lend the members of the value it holds
		return b.steps.outside(b, s, r, ""), true
	}
	if t.Builtin != "" && (len(b.byType[t.Builtin]) > 0 || !builtin.Member(graph.Family(s.Node.Lang), r.Name)) {
		return Binding{}, false // a member that the repository adds to a class of the language
	}
	return noBinding(OtherType), true
}

// memberOfTypes finds a member in a type and its bases.
func (b *Binder) memberOfTypes(s *graph.Site, r *code.Ref, t *infer.Receiver) (Binding, bool) {
	for i := range t.Types {
		a := &t.Types[i]
		container := a.QualifiedName()
		fits := b.pick(b.byType[code.LastSegment(container)], func(d *graph.Def) bool {
			detached := d.File.Traits().DetachedMethods && graph.SameScope(&a.File, &d.File)
			return d.Container == container && (d.File.ID == a.File.ID || detached)
		})
		if len(fits) == 0 {
			continue
		}
		if b.defs[fits[0]].File.ID == s.Node.ID {
			return exactBinding(fits), true
		}
		return resolvedBinding(fits), true
	}
	switch {
	case b.steps.assigns != nil && b.steps.assigns(b, r.Name, t):
		return noBinding(OtherType), true
	case hasOpenMembers(s) && t.OutsideBase && t.Complete: // most likely one of that base
		return b.possibly(s, r), true
	case hasOpenMembers(s): // of a class made from it, or set from outside
		return Binding{}, false
	case s.Node.Traits().TopLevelMethods: // of its companion, or an extension
		return Binding{}, false
	}
	return noBinding(OtherType), t.OutsideBase || t.Complete
}

// moduleMember finds a name of a module or package.
func (b *Binder) moduleMember(t *infer.Receiver, r *code.Ref) (Binding, bool) {
	if len(t.Dirs) > 0 {
		return b.inPackage(t.Site, &graph.Link{Dirs: t.Dirs}, r), true
	}
	if t.File != 0 {
		if got := b.findOffered(t.File, r.Name); len(got.Defs) > 0 {
			return got, true
		}
	}
	return Binding{}, false
}

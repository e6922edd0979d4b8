package bind

import (
	"slices"
	"strings"

	"ken/internal/code"
	"ken/internal/engine/graph"
	"ken/internal/engine/graph/infer"
)

// C and C++: an include makes visible every declaration of the named file and of the files that it includes. Such a
// declaration often has its definition elsewhere. A reference is then bound to the prototype and to the definitions in
// those files that include the prototype's file.

// bindC binds a reference of a C or C++ file.
func (b *Binder) bindC(s *graph.Site, r *code.Ref) Binding {
	switch r.Via {
	case code.ViaBare:
		return b.bareC(s, r)
	case code.ViaSelf, code.ViaTyped:
		if path, ok := strings.CutSuffix(r.Recv, "::"); ok {
			return b.scopedC(s, r, path)
		}
		if code.IsExpr(r.Recv) {
			if got := b.exprMemberC(s, r); len(got.Defs) > 0 {
				return got
			}
			break
		}
		if got := b.memberC(s, r, r.Recv); len(got.Defs) > 0 {
			return got
		}
		// A function of the class may name declarations outside of it.
		if r.Via == code.ViaSelf {
			if got := b.bareC(s, r); len(got.Defs) > 0 {
				return got
			}
		}
	}
	got := b.joined(b.memberByName(s, r))
	if got.Confidence == code.UniqueName && r.Via == code.ViaTyped && !code.IsExpr(r.Recv) && b.seesType(s, r.Recv) {
		got.Confidence = code.Ambiguous // a macro in that type may make a member of the name
	}
	return got
}

// seesType reports whether a file or its includes declare a type. If so, a member that the type does not declare most
// likely belongs to no other type.
func (b *Binder) seesType(s *graph.Site, name string) bool {
	if len(b.types.Lookup().Declarations(s.Node.ID, "", name)) > 0 {
		return true
	}
	for i := range s.Links {
		if s.Links[i].File == 0 {
			continue
		}
		if _, ok := b.k.Follow(s.Links[i].File, name); ok {
			return true
		}
	}
	return false
}

// bareC finds a plain name: in the functions and classes around it, in the file, then in its includes.
func (b *Binder) bareC(s *graph.Site, r *code.Ref) Binding {
	if got := b.aroundC(s, r); len(got.Defs) > 0 {
		return got
	}
	if got := b.inNamespacesC(s, r); len(got.Defs) > 0 {
		return got
	}
	return b.unscopedC(s, r)
}

// unscopedC finds a name in the file and its includes, whatever scope declares it.
func (b *Binder) unscopedC(s *graph.Site, r *code.Ref) Binding {
	if got := b.visibleC(s, r); len(got.Defs) > 0 {
		return got
	}
	if got := b.seenBefore(s, r); len(got.Defs) > 0 {
		return got
	}
	if b.isIncomplete(s) {
		got := b.byName(s, r, func(d *graph.Def) bool {
			return d.Container == "" && (!d.Local || graph.IsHeader(d.File.Path) || b.k.Includes(d.File.ID, s.Node.ID))
		})
		if got.Reason = NotVisible; len(got.Defs) > 0 {
			return b.joined(got)
		}
	}
	if r.Kind == code.RefUse { // a macro may make a member of it: container_of(p, struct s, field)
		fields := b.pick(b.all(), func(d *graph.Def) bool {
			return (d.Kind == code.KindField || b.isClassEnumerator(d)) && graph.SameFamily(&d.File, &s.Node)
		})
		if len(fields) > 0 {
			return possibleBinding(fields)
		}
	}
	isSpace := func(d *graph.Def) bool { return d.Kind == code.KindModule && graph.SameFamily(&d.File, &s.Node) }
	if spaces := b.pick(b.all(), isSpace); len(spaces) > 0 {
		return guessBinding(spaces)
	}
	return noBinding(NotVisible)
}

// isClassEnumerator reports whether a definition is an enumerator of a plain enum in a class, which a plain name can mean in what a macro
// makes a part of the class.
func (b *Binder) isClassEnumerator(d *graph.Def) bool {
	if d.Kind != code.KindEnumMember || d.Container == "" {
		return false
	}
	list := b.types.Lookup().Declarations(d.File.ID, outerScope(d.Container), code.LastSegment(d.Container))
	return !slices.ContainsFunc(list, func(t infer.Decl) bool { return t.Kind == code.KindEnum })
}

// seenBefore binds a plain name in a header to declarations that are before it where it is included.
func (b *Binder) seenBefore(s *graph.Site, r *code.Ref) Binding {
	for _, strictly := range [...]bool{true, false} {
		seen := b.pick(b.byType[""], func(d *graph.Def) bool {
			return (!strictly || inSpace(r, d)) && graph.SameFamily(&d.File, &s.Node) && b.isBefore(d, s)
		})
		if len(seen) > 0 {
			return b.withDefinitions(seen, resolvedBinding(seen))
		}
	}
	return Binding{}
}

// maxIncluding is the number of files with a header in which the text before it is looked for.
const maxIncluding = 16

// isBefore reports whether a file that includes a header has a declaration or includes it, too.
func (b *Binder) isBefore(d *graph.Def, s *graph.Site) bool {
	if d.File.ID == s.Node.ID || !graph.IsHeader(s.Node.Path) {
		return false
	}
	return slices.ContainsFunc(b.types.Including(s.Node.ID, maxIncluding), func(file int64) bool { return b.k.Includes(file, d.File.ID) })
}

// joined counts several declarations of one function as a single one.
func (b *Binder) joined(got Binding) Binding {
	if got.Confidence == code.Ambiguous && len(got.Defs) > 1 && b.isOneFunction(got.Defs) {
		got.Confidence = code.UniqueName
	}
	return got
}

// includedDecls returns the top-level declarations that a file sees through its includes. It returns all of them,
// because headers that are included under conditions may all be meant.
func (b *Binder) includedDecls(s *graph.Site) []int {
	if list, ok := b.seen[s.Node.ID]; ok {
		return list
	}
	var homes, through []int64
	for i := range s.Imports {
		if len(b.defs) == 0 || i >= len(s.Links) || s.Links[i].File == 0 {
			continue
		}
		if home, ok := b.k.Follow(s.Links[i].File, b.defs[0].Name); ok && home != s.Node.ID {
			homes, through = append(homes, home), append(through, s.Links[i].File)
		}
	}
	var list []int
	if len(homes) > 0 {
		list = b.pick(b.byType[""], func(d *graph.Def) bool {
			if d.File.ID == s.Node.ID || !graph.SameFamily(&d.File, &s.Node) {
				return false
			}
			return slices.Contains(homes, d.File.ID) ||
				graph.IsHeader(d.File.Path) && slices.ContainsFunc(through, func(h int64) bool { return b.k.Includes(h, d.File.ID) })
		})
	}
	b.seen[s.Node.ID] = list
	return list
}

// visibleC binds a plain name to declarations in the file or its includes: to those that a plain name can mean, else to any.
func (b *Binder) visibleC(s *graph.Site, r *code.Ref) Binding {
	for _, strictly := range [...]bool{true, false} {
		fits := func(d *graph.Def) bool { return !strictly || inSpace(r, d) }
		own := b.pick(b.topLevel(s.Node.ID), fits)
		if len(own) > 0 {
			if hides := func(i int) bool { return b.defs[i].Local && !b.defs[i].Forward }; !slices.ContainsFunc(own, hides) {
				own = append(own, b.counterparts(own, b.pick(b.includedDecls(s), fits))...)
			}
			return b.withDefinitions(own, exactBinding(own))
		}
		if seen := b.pick(b.includedDecls(s), fits); len(seen) > 0 {
			seen, others := b.ofPlatform(s, seen)
			got := b.withDefinitions(seen, resolvedBinding(seen))
			got.Perhaps = append(got.Perhaps, others...)
			return got
		}
	}
	return Binding{}
}

// ofPlatform divides declarations that come from conditional includes by platform, if paths name one: a file below unix
// means those of unix.h, and those of win.h are only possible.
func (b *Binder) ofPlatform(s *graph.Site, list []int) (likely, others []int) {
	own := platform(s.Node.Path)
	if own == "" || len(list) < 2 {
		return list, nil
	}
	for _, i := range list {
		if p := platform(b.defs[i].File.Path); p == "" || p == own {
			likely = append(likely, i)
		} else {
			others = append(others, i)
		}
	}
	if len(likely) == 0 {
		return list, nil
	}
	return likely, others
}

// platform returns the family of systems that a path names, such as unix or windows, "" if none.
func platform(file string) string {
	for word := range strings.FieldsFuncSeq(strings.ToLower(file), func(r rune) bool { return strings.ContainsRune("/._-", r) }) {
		switch word {
		case "win", "win32", "win64", "windows", "mingw":
			return "windows"
		case "unix", "posix", "linux", "darwin", "bsd", "macos", "freebsd":
			return "unix"
		}
	}
	return ""
}

// inSpace reports whether a reference is in the name space of a definition: in C a type and a function may share a name,
// as struct stat and stat.
func inSpace(r *code.Ref, d *graph.Def) bool {
	return d.Kind == code.KindMacro || d.Kind.IsType() == (r.Kind == code.RefType || r.Kind == code.RefInherit)
}

// aroundC looks a plain name up in the functions and classes around it, and in the bases of those classes.
func (b *Binder) aroundC(s *graph.Site, r *code.Ref) Binding {
	if len(b.byType) == 0 || len(b.byType) == 1 && len(b.byType[""]) > 0 {
		return Binding{}
	}
	for container := b.types.Lookup().QualifiedName(s.Node.ID, r.Scope); container != ""; container = outerScope(container) {
		of := b.pick(b.byType[code.LastSegment(container)], func(d *graph.Def) bool {
			return d.Container == container && graph.SameFamily(&d.File, &s.Node) && namedInC(r, d)
		})
		if got := b.ownMember(s, of); len(got.Defs) > 0 {
			return got
		}
		if got := b.reachedMember(s, of); len(got.Defs) > 0 {
			return got
		}
		// A nested type that the class only announces is defined beside its methods.
		of = b.pick(of, func(d *graph.Def) bool { return d.Kind.IsType() && b.k.Includes(d.File.ID, s.Node.ID) })
		if len(of) > 0 {
			return resolvedBinding(of)
		}
		if got := b.inheritedC(s, r, container); len(got.Defs) > 0 {
			return got
		}
	}
	return Binding{}
}

// namedInC reports whether a plain name can mean a member: not a constructor, and only a type where a type is expected.
func namedInC(r *code.Ref, d *graph.Def) bool {
	if d.Kind == code.KindConstructor {
		return false
	}
	return d.Kind.IsType() || r.Kind != code.RefType && r.Kind != code.RefInherit
}

// inheritedC finds a member that a class inherits.
func (b *Binder) inheritedC(s *graph.Site, r *code.Ref, class string) Binding {
	var of []int
	for _, d := range b.types.InheritedMembers(s, class, b.defs[0].Name) {
		if i, ok := b.Definition(code.SymbolID{File: d.File.ID, Ord: d.Ord}); ok && namedInC(r, &b.defs[i]) {
			of = append(of, i)
		}
	}
	if len(of) == 0 {
		return Binding{}
	}
	return b.withDefinitions(of, resolvedBinding(of))
}

// isIncomplete reports whether a file may see more than its known includes: because an include was not found, or because
// the file is a header, which sees the text before it where it is included.
func (b *Binder) isIncomplete(s *graph.Site) bool {
	for i := range s.Links {
		if !s.Links[i].IsResolved() {
			return true
		}
	}
	return len(s.Links) < len(s.Imports) || graph.IsHeader(s.Node.Path)
}

// withDefinitions adds the definitions that prototypes announce, if all declarations are prototypes. If no file with a
// definition includes the prototype, a single definition of the name in the repository is a guess, because two would not
// link; several are only possible.
//
// A macro of the name renames the function under a condition, or calls it, and takes no use away from it.
func (b *Binder) withDefinitions(decls []int, got Binding) Binding {
	protos := b.pick(decls, func(d *graph.Def) bool { return d.Kind != code.KindMacro })
	if len(protos) == 0 || slices.ContainsFunc(protos, func(i int) bool { return !isPrototype(&b.defs[i]) }) {
		return got
	}
	near, far := b.announced(protos, true)
	if len(near)+len(far) == 0 { // a macro may open the namespace of one of them
		near, far = b.announced(protos, false)
	}
	switch {
	case len(near) > 0:
		got.Defs, got.Confidence = append(slices.Clone(decls), near...), min(got.Confidence, code.ImportResolved)
	case len(far) == 1:
		got.Defs, got.Confidence = append(slices.Clone(decls), far...), code.UniqueName
	default:
		got.Perhaps = far
	}
	return got
}

// announced returns the definitions that prototypes announce: those in files that include the prototype, and others. If sameSpace is set,
// both are in the same namespace.
func (b *Binder) announced(protos []int, sameSpace bool) (near, far []int) {
	for _, p := range protos {
		first := &b.defs[p]
		for _, i := range b.definitionsLike(first) {
			d := &b.defs[i]
			if d.File.ID == first.File.ID || !announces(first, d) || slices.Contains(near, i) || !b.isSameClass(first, d) {
				continue
			}
			if sameSpace && first.Container == d.Container && b.namespace(first) != b.namespace(d) {
				continue
			}
			if b.k.Includes(d.File.ID, first.File.ID) {
				near = append(near, i)
			} else if !slices.Contains(far, i) {
				far = append(far, i)
			}
		}
	}
	return near, far
}

// definitionsLike returns the definitions that a prototype may announce by their names: in C++ also those that are written behind the
// names of its namespaces.
func (b *Binder) definitionsLike(p *graph.Def) []int {
	list := b.byType[code.LastSegment(p.Container)]
	if space := b.namespace(p); space != "" && p.Container == "" {
		behind := b.pick(b.byType[code.LastSegment(space)], func(d *graph.Def) bool {
			return d.Container == space || strings.HasSuffix(space, "."+d.Container)
		})
		list = append(slices.Clip(list), behind...)
	}
	return list
}

// isSameClass reports whether a prototype and a definition belong to the same class. The longer of their qualified
// names may begin with a namespace, but not with another class.
func (b *Binder) isSameClass(p, d *graph.Def) bool {
	longer, shorter := d, p.Container
	if len(p.Container) > len(d.Container) {
		longer, shorter = p, d.Container
	}
	if shorter == "" || shorter == longer.Container {
		return true
	}
	outer, _, _ := strings.Cut(longer.Container, ".")
	list := b.types.Lookup().Declarations(longer.File.ID, "", outer)
	return !slices.ContainsFunc(list, func(t infer.Decl) bool { return t.Kind.IsType() })
}

// counterparts returns the declarations in list that announce, or are announced by, one of the definitions of a file: the
// prototype in a header, the typedef of a struct.
func (b *Binder) counterparts(own, list []int) []int {
	return b.pick(list, func(d *graph.Def) bool {
		return slices.ContainsFunc(own, func(i int) bool {
			o := &b.defs[i]
			if isPrototype(d) {
				return isPrototype(o) || announces(d, o)
			}
			return isPrototype(o) && announces(o, d)
		})
	})
}

// isPrototype reports whether a declaration only announces a definition elsewhere.
func isPrototype(d *graph.Def) bool { return d.Forward || namesTag(d) }

// namesTag reports whether a declaration is `typedef struct name name`, a synonym of the struct.
func namesTag(d *graph.Def) bool {
	if d.Kind != code.KindType || !strings.HasPrefix(d.Signature, "typedef ") {
		return false
	}
	f := strings.Fields(d.Signature)
	return len(f) == 4 && f[2] == d.Name && f[3] == d.Name
}

// announces reports whether a prototype may announce a definition.
func announces(p, d *graph.Def) bool {
	if isPrototype(d) || d.Local || !graph.SameFamily(&d.File, &p.File) {
		return false
	}
	if namesTag(p) {
		return d.Kind.IsType()
	}
	switch d.Kind {
	case code.KindMacro:
		return false
	case code.KindVariable, code.KindConstant, code.KindField:
		return true
	}
	return d.Kind.IsFunction()
}

// memberC looks a member up by its class.
func (b *Binder) memberC(s *graph.Site, r *code.Ref, class string) Binding {
	if class == "" {
		return Binding{}
	}
	of := b.pick(b.byType[code.LastSegment(class)], func(d *graph.Def) bool {
		return graph.SameFamily(&d.File, &s.Node) && d.Container != ""
	})
	if strings.Contains(class, ".") {
		nested := b.pick(of, func(d *graph.Def) bool {
			return endsWithPath(d.Container, class) || endsWithPath(b.spacedName(d), class)
		})
		switch {
		case len(nested) > 0:
			of, class = nested, b.defs[nested[0]].Container
		case b.isSpaced(s, class): // the member may be one of a base
			of, class = nil, code.LastSegment(class)
		case len(of) > 0: // of a class under another name
			return possibleBinding(of)
		}
	} else if seen := b.seenMembers(s, of); len(seen) > 1 {
		near := b.closest(s, r, seen)
		if len(near) == 0 { // a directive may make the name of any namespace plain
			return possibleBinding(seen)
		}
		of = b.sameType(of, near[0])
	}
	if got := b.ownMember(s, of); len(got.Defs) > 0 {
		return got
	}
	for i := range s.Imports {
		if len(of) == 0 || i >= len(s.Links) || s.Links[i].File == 0 {
			continue
		}
		home, ok := b.k.Follow(s.Links[i].File, class)
		if !ok {
			continue
		}
		decls := b.pick(of, func(d *graph.Def) bool { return d.File.ID == home && d.Container == class })
		if len(decls) > 0 {
			return b.withDefinitions(decls, resolvedBinding(decls))
		}
	}
	if got := b.inheritedC(s, r, class); len(got.Defs) > 0 {
		return got
	}
	// The file sees the class by an unknown way, or its header names the class by a macro.
	if got := b.reachedMember(s, of); len(got.Defs) > 0 || len(of) == 0 {
		return got
	}
	if seen := b.pick(of, func(d *graph.Def) bool { return b.isBefore(d, s) }); len(seen) > 0 {
		return b.withDefinitions(seen, resolvedBinding(seen))
	}
	got := guessBinding(of)
	if b.isOneFunction(of) {
		got.Confidence = code.UniqueName
	}
	return got
}

// seenMembers keeps the members that a file declares or includes, or all if there are none.
func (b *Binder) seenMembers(s *graph.Site, of []int) []int {
	seen := b.pick(of, func(d *graph.Def) bool { return d.File.ID == s.Node.ID || b.k.Includes(s.Node.ID, d.File.ID) })
	if len(seen) == 0 {
		return of
	}
	return seen
}

// spacedName returns the qualified name of the class of a member, with the namespaces around it.
func (b *Binder) spacedName(d *graph.Def) string {
	return strings.TrimPrefix(b.namespace(d)+"."+d.Container, ".")
}

// endsWithPath reports whether a dotted name is a path, or ends with one.
func endsWithPath(name, path string) bool { return name == path || strings.HasSuffix(name, "."+path) }

// isSpaced reports whether a dotted name is that of a class in a namespace, which a file sees.
func (b *Binder) isSpaced(s *graph.Site, class string) bool {
	return slices.ContainsFunc(b.types.Lookup().Tagged(s.Node.Lang, code.LastSegment(class)), func(t infer.Decl) bool {
		space, _, _ := strings.Cut(b.types.Lookup().Namespaces(t.File.ID, t.Ord), "/")
		isSeen := t.File.ID == s.Node.ID || b.k.Includes(s.Node.ID, t.File.ID)
		return isSeen && endsWithPath(strings.TrimPrefix(space+"."+t.Name, "."), class)
	})
}

// ownMember binds to the members of a class that a file defines, with their prototypes in the class.
func (b *Binder) ownMember(s *graph.Site, of []int) Binding {
	own := b.inOne(of, s.Node.ID)
	if len(own) == 0 {
		return Binding{}
	}
	if len(own) < len(of) {
		own = append(own, b.counterparts(own, b.includedOf(s, of))...)
	}
	return b.withDefinitions(own, exactBinding(own))
}

// reachedMember binds to the members of a class that the includes of a file reach.
func (b *Binder) reachedMember(s *graph.Site, of []int) Binding {
	if of = b.includedOf(s, of); len(of) == 0 {
		return Binding{}
	}
	return b.withDefinitions(of, resolvedBinding(of))
}

func (b *Binder) includedOf(s *graph.Site, of []int) []int {
	return b.pick(of, func(d *graph.Def) bool { return d.File.ID != s.Node.ID && b.k.Includes(s.Node.ID, d.File.ID) })
}

// isOneFunction reports whether definitions are one function with its prototypes.
func (b *Binder) isOneFunction(of []int) bool {
	defined := 0
	for _, i := range of {
		if d, first := &b.defs[i], &b.defs[of[0]]; d.Container != first.Container || b.namespace(d) != b.namespace(first) {
			return false
		}
		if !b.defs[i].Forward {
			defined++
		}
	}
	return defined <= 1
}

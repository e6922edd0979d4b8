package bind

import (
	"slices"
	"strconv"
	"strings"

	"ken/internal/code"
	"ken/internal/engine/builtin"
	"ken/internal/engine/graph"
	"ken/internal/engine/graph/infer"
)

// crateMacros returns the macros below a crate's root: #[macro_export] offers them there, whatever module declares them.
func (b *Binder) crateMacros(s *graph.Site, root int64) []int {
	n, ok := b.files.NodeByID(root)
	if !ok {
		return nil
	}
	below := ""
	if dir := code.Dir(n.Path); dir != "" {
		below = dir + "/"
	}
	return b.pick(b.all(), func(d *graph.Def) bool {
		return d.Kind == code.KindMacro && d.File.Lang == s.Node.Lang && strings.HasPrefix(d.File.Path, below)
	})
}

// ofRenamedModule finds a name of a module that another crate offers under another name.
func (b *Binder) ofRenamedModule(s *graph.Site, r *code.Ref) (Binding, bool) {
	file, ok := b.k.FollowRenamed(s.Links[r.Import].File, s.Imports[r.Import].Spec)
	if !ok {
		return Binding{}, false
	}
	got := b.findOffered(file, r.Name)
	return got, len(got.Defs) > 0
}

// pointers are the types outside the repository that point to a value and give access to its members.
const pointers = " Arc Box Cow LazyCell LazyLock MappedMutexGuard MutexGuard OwnedMutexGuard Pin Rc Ref RefMut RwLockReadGuard RwLockWriteGuard "

// bindOutside binds a method of a value of a type that is not the repository's. It may belong to the value's target
// (Deref), or to a trait of the repository that the type has; a function without self belongs to neither.
func (b *Binder) bindOutside(s *graph.Site, r *code.Ref, typ string) Binding {
	if r.Recv == code.RecvExpr+code.RecvRange {
		if builtin.RustIterator(r.Name) {
			return noBinding(OtherType)
		}
		return b.memberByName(s, r)
	}
	got := b.byName(s, r, func(d *graph.Def) bool { return d.Container != "" && !d.NoReceiver })
	if got.Reason = OtherType; !strings.Contains(pointers, " "+code.LastSegment(typ)+" ") {
		got.Confidence = code.Ambiguous
	}
	return got
}

// lentMember binds a member that the known type of a value does not declare: to one that another file implements for
// the type, or to one of a trait. Any other member is only possible.
func (b *Binder) lentMember(s *graph.Site, r *code.Ref, t *infer.Receiver) Binding {
	for i := range t.Types {
		name := t.Types[i].Name
		of := b.pick(b.byType[name], func(d *graph.Def) bool {
			isOfAnother := b.declaresType(d.File.ID, name)
			return d.File.Lang == s.Node.Lang && d.Container == name && !isOfAnother
		})
		if len(of) > 0 {
			return guessBinding(of)
		}
	}
	got := b.byName(s, r, func(d *graph.Def) bool { return d.Container != "" && !d.NoReceiver })
	got.Reason = OtherType
	outside := t.OutsideTrait && builtin.RustIterator(r.Name)
	if got.Confidence == code.UniqueName && (outside || !b.ofTrait(&b.defs[got.Defs[0]])) {
		got.Confidence = code.Ambiguous
	}
	return got
}

// addAssociated adds to a type that an impl gives for a trait the one that the trait declares: Self::Item means both.
func (b *Binder) addAssociated(defs []int) []int {
	for _, i := range defs {
		d := &b.defs[i]
		if d.Kind != code.KindType || d.Container == "" {
			continue
		}
		above, _ := b.types.Overridden(d.File, d.Ord, d.Container, d.Name)
		for _, a := range above {
			if at, ok := b.Definition(code.SymbolID{File: a.File.ID, Ord: a.Ord}); ok && !slices.Contains(defs, at) {
				defs = append(slices.Clip(defs), at)
			}
		}
	}
	return defs
}

// ofTrait reports whether a trait declares a member.
func (b *Binder) ofTrait(d *graph.Def) bool {
	list := b.types.Lookup().Declarations(d.File.ID, outerScope(d.Container), code.LastSegment(d.Container))
	return slices.ContainsFunc(list, func(t infer.Decl) bool { return t.Kind == code.KindTrait })
}

// declaresType reports whether a file declares a type of a name.
func (b *Binder) declaresType(file int64, name string) bool {
	return slices.ContainsFunc(b.types.Lookup().Declarations(file, "", name), func(d infer.Decl) bool { return d.Kind.IsType() })
}

// wildcardHops bounds the number of wildcard imports that are followed in a row to find an enum.
const wildcardHops = 3

// anyMacro binds to a macro of any file of the crate: macro_rules is visible to all code after it.
func (b *Binder) anyMacro(s *graph.Site, r *code.Ref) Binding {
	return b.byName(s, r, func(d *graph.Def) bool { return d.Kind == code.KindMacro && r.Kind == code.RefCall })
}

// variants returns the variants of an enum that Rust's `use path::Enum::*` makes
// visible, in this file or in a module whose names are all imported (`use
// super::*`).
func (b *Binder) variants(s *graph.Site, imp *code.Import, link *graph.Link) Binding {
	return b.variantsWithin(s, imp, link, graph.Outward{Imports: s.Imports, Links: s.Links}, wildcardHops)
}

// variantsWithin finds the variants of an enum through at most hops wildcard imports. The first is beside other imports.
func (b *Binder) variantsWithin(s *graph.Site, imp *code.Import, link *graph.Link, beside graph.Outward, hops int) Binding {
	if hops == 0 {
		return Binding{}
	}
	enum := imp.Spec[strings.LastIndexByte(imp.Spec, ':')+1:]
	if enum == imp.Spec {
		if got := b.ofImportedEnum(s, enum, beside); len(got.Defs) > 0 {
			return got
		}
	} else if home, declared, ok := b.k.FollowName(link.File, enum); ok && declared != enum {
		return resolvedBinding(b.inOne(b.ofType(s, declared), home))
	}
	fits := b.ofType(s, enum)
	if len(fits) > 0 {
		return b.ofEnum(s, link, enum, fits)
	}
	if link.File == 0 {
		return Binding{}
	}
	imports, links := b.k.Imports(link.File)
	for i := range imports {
		if !graph.IsWildcard(&imports[i]) {
			continue
		}
		if got := b.variantsWithin(s, &imports[i], &links[i], graph.Outward{Imports: imports, Links: links}, hops-1); len(got.Defs) > 0 {
			return got
		}
	}
	return Binding{}
}

// ofImportedEnum returns the variants of an enum by the name that an import gives it: use a::Enum as Other; use Other::*.
func (b *Binder) ofImportedEnum(s *graph.Site, name string, by graph.Outward) (got Binding) {
	found := false
	for i := range by.Links {
		for _, n := range by.Imports[i].Names {
			if n.Alias != name {
				continue
			}
			if home, declared, ok := b.k.FollowName(by.Links[i].File, n.Name); ok {
				one := resolvedBinding(b.inOne(b.ofType(s, declared), home))
				if home == s.Node.ID {
					one.Confidence = code.Exact
				}
				got, found = unite(got, one, found), true
			}
		}
	}
	return got
}

// ofType returns the definitions of the types of a name that are no fields and methods.
func (b *Binder) ofType(s *graph.Site, name string) []int {
	return b.pick(b.byType[code.LastSegment(name)], func(d *graph.Def) bool { return !isMember(d) && d.File.Lang == s.Node.Lang })
}

// isMember reports whether a definition is a field or method, which a plain name cannot mean in Rust.
func isMember(d *graph.Def) bool { return d.Kind == code.KindField || d.Kind == code.KindMethod }

// valueName binds a plain name that is called, or used as a value, to the variant that a wildcard import makes visible (use self::Enum::*).
// A type that the file declares or imports under the name does not hide it, unless the type can be used that way.
func (b *Binder) valueName(s *graph.Site, r *code.Ref, own Binding) Binding {
	isValue := func(i int) bool {
		return !b.defs[i].Kind.IsType() && b.defs[i].Kind != code.KindTrait || isTuple(&b.defs[i])
	}
	named := r.Kind == code.RefCall || r.Kind == code.RefUse
	if !named || r.Args == code.ArgsMacro || len(own.Defs) == 0 || slices.ContainsFunc(own.Defs, isValue) {
		return own
	}
	got := b.seenWildcards(s, r, func(imp *code.Import, link *graph.Link) Binding { return b.variants(s, imp, link) })
	got.Defs = b.pick(got.Defs, func(d *graph.Def) bool { return d.Kind == code.KindEnumMember })
	switch isStruct := func(i int) bool { return b.defs[i].Kind == code.KindStruct }; {
	case len(got.Defs) == 0:
		return own
	case r.Kind == code.RefUse && r.Args == "" && slices.ContainsFunc(own.Defs, isStruct): // it may have no fields
		return possibleBinding(append(own.Defs, got.Defs...))
	}
	return got
}

// isTuple reports whether a definition is a struct whose fields have no names, which is a function, too.
func isTuple(d *graph.Def) bool {
	_, rest, ok := strings.Cut(d.Signature, "struct "+d.Name)
	if !ok || d.Kind != code.KindStruct {
		return false
	}
	depth := 0
	for i := range len(rest) {
		switch c := rest[i]; {
		case c == '<':
			depth++
		case c == '>' && rest[i-1] != '-':
			depth--
		case depth == 0 && c != ' ':
			return c == '('
		}
	}
	return false
}

// ofEnum returns a binding to the variants of an enum in the file that link leads to.
func (b *Binder) ofEnum(s *graph.Site, link *graph.Link, enum string, fits []int) Binding {
	if link.File != 0 {
		if home, _, ok := b.k.FollowName(link.File, enum); ok {
			fits = b.inOne(fits, home)
			got, _ := ifAny(fits)
			return got
		}
	}
	own := b.inOne(fits, s.Node.ID)
	if len(own) > 0 {
		return exactBinding(own)
	}
	return guessBinding(fits)
}

// moduleKey groups the declarations of the files that are one module under different conditions:
// #[cfg(unix)] #[path = "unix.rs"] mod sys. Modules below such files are not compared.
func (b *Binder) moduleKey(d *graph.Def) string {
	isLike := func(i int) bool { return b.defs[i].Container == d.Container && b.defs[i].File.ID != d.File.ID }
	if !slices.ContainsFunc(b.byType[code.LastSegment(d.Container)], isLike) {
		return ""
	}
	for _, home := range b.types.Including(d.File.ID, 1) {
		exports := b.files.Outward(home).Exports
		_, links := b.k.Imports(home)
		name, others := "", map[string]bool{}
		for _, e := range exports {
			switch {
			case e.Local != "*" || e.From < 0 || int(e.From) >= len(links) || links[e.From].File == 0:
			case links[e.From].File == d.File.ID:
				name = e.Name
			default:
				others[e.Name] = true
			}
		}
		if name != "" && others[name] {
			return "module " + name + " " + strconv.FormatInt(home, 10)
		}
	}
	return ""
}

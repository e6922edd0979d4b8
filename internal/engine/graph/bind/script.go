package bind

import (
	"slices"
	"strings"

	"ken/internal/code"
	"ken/internal/engine/graph"
	"ken/internal/engine/graph/infer"
)

// objectMember finds a member of an object that scripts build without a class: a literal, a function with members, a
// module that exports one object. ok is false if the object does not show it, which does not prove that it has none.
func (b *Binder) objectMember(s *graph.Site, r *code.Ref) (Binding, bool) {
	if r.Via == code.ViaSelf {
		return b.ofThis(s, r.Recv)
	}
	if typ, ok := strings.CutSuffix(r.Recv, code.RecvKeywords); ok {
		return b.literalKey(s, r, typ), true
	}
	got, ok := b.declaredMember(s, r.Recv, r.Name)
	own := b.pick(b.byFile[s.Node.ID], func(d *graph.Def) bool { return d.Container == r.Recv })
	if len(own) > 0 && len(own) >= len(got.Defs) { // more are those of the other parts of an intersection
		return exactBinding(own), true
	}
	return got, ok
}

// literalKey binds a key of an object literal to the member of the type that the place of the literal expects. Overloads may expect
// others than the declaration that was found.
func (b *Binder) literalKey(s *graph.Site, r *code.Ref, typ string) Binding {
	if got, ok := b.declaredMember(s, typ, r.Name); ok {
		return got
	}
	t := b.types.Receiver(s, typ)
	switch {
	case t.Kind == infer.Outside, t.Kind == infer.Type && t.Complete && !strings.Contains(typ, "(@"):
		return noBinding(OtherType)
	}
	return Binding{Reason: Likelier}
}

// declaredMember binds a name to its declarations as a member of the expression recv.
func (b *Binder) declaredMember(s *graph.Site, recv, name string) (Binding, bool) {
	list := b.types.Member(s, recv, name)
	got, ok := b.declaredIn(s, list)
	if ok && got.Confidence == code.Ambiguous && b.types.Receiver(s, recv).Kind != infer.Module { // a member of each part of a union
		got.Confidence, got.Decided = code.ImportResolved, true
	}
	return got, ok
}

// declaredIn binds a name to those of its definitions that are in a list.
func (b *Binder) declaredIn(s *graph.Site, list []infer.Decl) (Binding, bool) {
	var defs []int
	own, one := true, true
	for _, d := range list {
		if i, ok := b.Definition(code.SymbolID{File: d.File.ID, Ord: d.Ord}); ok {
			defs = append(defs, i)
			own = own && d.File.ID == s.Node.ID
			one = one && b.defs[i].Container == b.defs[defs[0]].Container
		}
	}
	switch {
	case len(defs) == 0:
		return Binding{}, false
	case !one: // of the module itself, and of the value it creates
		return possibleBinding(defs), true
	case own:
		return exactBinding(defs), true
	}
	return resolvedBinding(defs), true
}

// ofThis finds a member of `this` in a function of an object. In the parts of a component or store `this` is the whole:
// a member of the object itself comes first, then one of the objects around it and of their parts.
func (b *Binder) ofThis(s *graph.Site, recv string) (Binding, bool) {
	var handlers []int
	for first := true; recv != ""; first = false {
		own := b.pick(b.byFile[s.Node.ID], func(d *graph.Def) bool {
			return d.Container == recv || !first && strings.HasPrefix(d.Container, recv+".")
		})
		if first && len(own) == 0 { // a function of the component itself, such as created()
			own = b.pick(b.byFile[s.Node.ID], func(d *graph.Def) bool { return graph.IsStorePart(recv, d.Container) })
		}
		members := b.pick(own, func(d *graph.Def) bool { return !isHandler(d) })
		if len(members) > 0 {
			return exactBinding(members), true
		}
		if handlers == nil {
			handlers = own
		}
		recv = outerScope(recv)
	}
	return exactBinding(handlers), len(handlers) > 0
}

// isHandler reports whether a declaration is in a part of a component's options whose keys are not members of it:
// watchers, and the names its template may use beside its members. Such a key is meant only if no other declaration has
// the name, because an object of another framework may have a real part of that name.
func isHandler(d *graph.Def) bool {
	switch d.Container[strings.LastIndexByte(d.Container, '.')+1:] {
	case "watch", "components", "filters", "directives":
		return strings.Contains(d.Container, ".")
	}
	return false
}

// offeredObject finds a name of a module that exports one object.
func (b *Binder) offeredObject(s *graph.Site, r *code.Ref) (Binding, bool) {
	imp := &s.Imports[r.Import]
	for _, n := range imp.Names {
		if n.Alias == r.Name || n.Name == r.Name { // a name of its own, not a member of the module
			return b.declaredIn(s, b.types.PassedMember(s.Links[r.Import].File, n.Name))
		}
	}
	return b.declaredMember(s, graph.LocalName(imp), r.Name)
}

// addAugmentations adds the declarations that files add to a module (declare module "./types" { … }), because they belong to
// those of the same path in the module.
func (b *Binder) addAugmentations(defs []int) []int {
	for _, i := range b.added {
		d := &b.defs[i]
		if !slices.Contains(defs, i) && slices.ContainsFunc(defs, func(m int) bool { return b.addsTo(d, &b.defs[m]) }) {
			defs = append(slices.Clip(defs), i)
		}
	}
	return defs
}

// ofAmbient returns the declarations of a name in the repository's own declaration of a module from outside
// (declare module "name" { … }), which imp imports.
func (b *Binder) ofAmbient(imp *code.Import, r *code.Ref) []int {
	name := graph.ExportedName(imp, r)
	return b.pick(b.byType[code.LastSegment(imp.Spec)], func(d *graph.Def) bool {
		return d.Container == imp.Spec && d.Name == name && d.File.Traits().GlobalScripts
	})
}

// ofAddition binds a member of a value of a type from outside: the repository may add it to that type, for all files (declare global) or
// in a module that it declares.
func (b *Binder) ofAddition(s *graph.Site, r *code.Ref) Binding {
	if !s.Node.Traits().GlobalScripts {
		return Binding{}
	}
	return b.byName(s, r, func(d *graph.Def) bool {
		module, _, nested := strings.Cut(d.Container, ".")
		isImported := slices.ContainsFunc(s.Imports, func(i code.Import) bool { return i.Spec == module })
		isModule := isImported || strings.ContainsAny(d.Container, "-@*/") // no name of a namespace
		return nested && (isGlobal(d) || isModule)
	})
}

// declaredKey groups a declaration in a file that runs with the one in the file that declares its names (a.js and a.d.ts), and the
// parts of one declaration that several files add to the global scope.
func (b *Binder) declaredKey(d *graph.Def) string {
	if isGlobal(d) {
		return d.Container
	}
	if !b.isDeclared(d) {
		return ""
	}
	if _, _, nested := b.types.Visible(d); nested {
		return ""
	}
	return d.File.Stem() + " " + b.exportedPath(d)
}

// isDeclared reports whether a definition may have its like in a declaration file: what else is known of it is read from its file, which
// for a name with thousands of definitions would take long.
func (b *Binder) isDeclared(d *graph.Def) bool {
	if b.declared == nil {
		b.declared = map[string]bool{}
		for i := range b.defs {
			if f := &b.defs[i].File; f.Declares() {
				b.declared[f.Stem()] = true
			}
		}
	}
	return len(b.declared) > 0 && b.declared[d.File.Stem()]
}

// globalScope is the qualified name of what a module adds to the global scope (declare global).
const globalScope = "global"

func isGlobal(d *graph.Def) bool {
	return d.Container == globalScope || strings.HasPrefix(d.Container, globalScope+".")
}

// exportedPath returns the path of a member as importers see it: without the name of the default export that it belongs to.
func (b *Binder) exportedPath(d *graph.Def) string {
	first, rest, nested := strings.Cut(d.QualifiedName(), ".")
	isDefault := func(e code.Export) bool { return e.Name == "default" && e.Local == first }
	switch {
	case !slices.ContainsFunc(b.files.Outward(d.File.ID).Exports, isDefault):
		return d.QualifiedName()
	case nested:
		return rest
	}
	return ""
}

// addsTo reports whether a definition in the addition to a module has the path of another in the module itself.
func (b *Binder) addsTo(d, meant *graph.Def) bool {
	spec, ok := d.Container, true
	if meant.Container != "" {
		spec, ok = strings.CutSuffix(d.Container, "."+meant.Container)
	}
	if !ok || spec == "" || d.File.ID == meant.File.ID {
		return false
	}
	link := b.k.Resolve(d.File, &code.Import{Spec: spec})
	if link.File == 0 || link.File == meant.File.ID {
		return link.File != 0
	}
	first, _, _ := strings.Cut(meant.QualifiedName(), ".")
	at, ok := b.k.Follow(link.File, first)
	return ok && at == meant.File.ID
}

// exportedName reports whether a module may offer a definition under its own name, or an object have it as a member. The declarations of a
// script without imports and exports are visible everywhere, and a declaration file exports all that it declares.
func (b *Binder) exportedName(d *graph.Def) bool {
	isMember := d.Container != "" || b.types.IsExposed(d) || b.types.IsShared(d)
	if isMember || d.File.Declares() || b.global(d) {
		return true
	}
	return slices.ContainsFunc(b.files.Outward(d.File.ID).Exports, func(e code.Export) bool { return e.Name == d.Name })
}

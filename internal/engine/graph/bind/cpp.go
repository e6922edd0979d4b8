package bind

import (
	"slices"
	"strings"

	"ken/internal/code"
	"ken/internal/engine/graph"
	"ken/internal/engine/graph/infer"
)

// Namespaces of C++, which qualified names leave out, and expressions in front of members.

// namespace returns the namespaces around a definition, dotted.
func (b *Binder) namespace(d *graph.Def) string {
	space, _, _ := strings.Cut(b.around(d), "/")
	return space
}

// around returns the names around a definition as infer.Lookup.Namespaces does.
func (b *Binder) around(d *graph.Def) string {
	names := b.types.Lookup().Namespaces(d.File.ID, d.Ord)
	if d.Kind == code.KindModule || d.Kind == code.KindEnum {
		names = strings.TrimSuffix(strings.TrimSuffix(names, d.Name), "/")
		names = strings.TrimSuffix(names, ".")
	}
	return names
}

// isAt reports whether a definition may be meant by its name behind a path: one of the two paths ends with the other. A global name,
// whose path is empty, has the path "". The name of a plain enum in front of its enumerators may be left out.
func (b *Binder) isAt(d *graph.Def, path []string) bool {
	space, enum, _ := strings.Cut(b.around(d), "/")
	switch {
	case d.Kind == code.KindModule: // its container are the namespaces around it
		space = d.Container
	case d.Container != "":
		space, enum = strings.TrimPrefix(space+"."+d.Container, "."), ""
	}
	own := strings.FieldsFunc(space, func(c rune) bool { return c == '.' })
	if path[0] == "" {
		return len(own) == 0
	}
	endsAlike := func(own []string) bool {
		n := min(len(own), len(path))
		return n > 0 && slices.Equal(own[len(own)-n:], path[len(path)-n:])
	}
	return endsAlike(own) || enum != "" && endsAlike(append(own, enum))
}

// scopedC binds the name behind a path of namespaces and classes: a::b::name. Of its definitions only those count whose own path ends
// with that path, or is the end of it, because a macro can open a namespace. If there are none, a name in the path stands for another,
// or a using directive makes the path longer.
func (b *Binder) scopedC(s *graph.Site, r *code.Ref, path string) Binding {
	names := strings.Split(strings.TrimPrefix(path, "::"), "::")
	class := names[len(names)-1]
	at := b.subset(path, func(d *graph.Def) bool { return b.isAt(d, names) })
	known := at != nil
	if !known {
		at = b
	} else if got := at.visibleC(s, r); len(got.Defs) > 0 {
		return got
	}
	if class != "" {
		if got := at.memberC(s, r, class); len(got.Defs) > 0 {
			return got
		}
	}
	if !known { // of a namespace that a macro opens
		if open := b.subset("::", func(d *graph.Def) bool { return b.isAt(d, []string{""}) }); open != nil {
			if got := open.visibleC(s, r); len(got.Defs) > 0 {
				return got
			}
		}
	}
	return at.unscopedC(s, r)
}

// subset returns a binder for those definitions for which ok is true, nil if there are none. It is kept under the key.
func (b *Binder) subset(key string, ok func(*graph.Def) bool) *Binder {
	sub, known := b.subsets[key]
	if known {
		return sub
	}
	switch list := b.pick(b.all(), ok); len(list) {
	case 0:
	case len(b.defs):
		sub = b
	default:
		sub = &Binder{k: b.k, files: b.files, types: b.types, defs: b.defs, steps: b.steps, lang: b.lang}
		sub.index(list)
	}
	b.subsets[key] = sub
	return sub
}

// inNamespacesC finds a plain name in the namespaces around a reference, the innermost first. A call may mean a function of the namespace
// of one of its arguments.
func (b *Binder) inNamespacesC(s *graph.Site, r *code.Ref) Binding {
	if b.spaced == 0 {
		b.spaced = -1
		top := b.byType[""]
		if slices.ContainsFunc(top, func(i int) bool { return b.namespace(&b.defs[i]) != b.namespace(&b.defs[top[0]]) }) {
			b.spaced = 1
		}
	}
	if b.spaced < 0 {
		return Binding{}
	}
	space, _, _ := strings.Cut(b.types.Lookup().Namespaces(s.Node.ID, r.Scope), "/")
	// The names in front of that of a definition may be namespaces, too.
	space = strings.Trim(space+"."+outerScope(b.types.Lookup().QualifiedName(s.Node.ID, r.Scope)), ".")
	for {
		near := b.subset("in "+space, func(d *graph.Def) bool { return d.Container == "" && b.namespace(d) == space })
		if near != nil {
			if got := near.visibleC(s, r); len(got.Defs) > 0 {
				if r.Kind == code.RefCall {
					all := b.visibleC(s, r)
					got.Perhaps = append(got.Perhaps, slices.DeleteFunc(all.Defs, func(i int) bool {
						return slices.Contains(got.Defs, i) || !b.defs[i].Kind.IsFunction()
					})...)
				}
				return got
			}
		}
		if space == "" {
			return Binding{}
		}
		space = outerScope(space)
	}
}

// exprMemberC binds a member of an expression whose type other files show.
func (b *Binder) exprMemberC(s *graph.Site, r *code.Ref) Binding {
	t := b.types.Receiver(s, r.Recv)
	if t.Kind != infer.Type {
		return Binding{}
	}
	for i := range t.Types {
		class := t.Types[i].QualifiedName()
		of := b.pick(b.byType[code.LastSegment(class)], func(d *graph.Def) bool {
			return d.Container == class && graph.SameFamily(&d.File, &s.Node)
		})
		if len(of) > 1 && len(b.closest(s, r, b.seenMembers(s, of))) == 0 { // of types in several namespaces
			return possibleBinding(of)
		}
		if got := b.ownMember(s, of); len(got.Defs) > 0 {
			return got
		}
		if decls := b.inOne(of, t.Types[i].File.ID); len(decls) > 0 {
			return b.withDefinitions(decls, resolvedBinding(decls))
		}
	}
	return Binding{}
}

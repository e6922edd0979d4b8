package bind

import (
	"strings"

	"ken/internal/code"
	"ken/internal/engine/graph"
	"ken/internal/engine/graph/infer"
)

// bindKeyword finds the field named by a keyword argument, where a call takes the fields of a class or of a typed
// dictionary; elsewhere the name is a parameter's.
func (b *Binder) bindKeyword(s *graph.Site, r *code.Ref) (Binding, bool) {
	callee, ok := strings.CutSuffix(r.Recv, code.RecvKeywords)
	if !ok {
		return Binding{}, false
	}
	t, fields := b.keywords(s, callee)
	switch {
	case t.Kind == infer.Outside:
		return noBinding(OtherMeaning), true
	case t.Kind == infer.Type:
		got, found := b.memberOfTypes(s, r, &t)
		if found && got.Confidence == code.Ambiguous {
			break // only a guess
		}
		switch whole := t.Complete && !t.OutsideBase; {
		case found && fields:
			return got, true
		case whole:
			return noBinding(OtherType), true
		case found: // its bases outside may accept them
			return possibleBinding(got.Defs), true
		}
	}
	list := b.pick(b.all(), func(d *graph.Def) bool { return graph.SameFamily(&d.File, &s.Node) && b.takesFields(d) })
	if len(list) == 0 {
		return noBinding(NotMember), true
	}
	return possibleBinding(list), true
}

// bindSubclassMember binds a member of a type from outside the repository: to nothing, unless a class that inherits from
// outside has such a member, because the value may be an instance of that class.
func (b *Binder) bindSubclassMember(s *graph.Site, r *code.Ref, _ string) Binding {
	if b.types.Receiver(s, r.Recv).Kind == infer.Foreign {
		return b.possibly(s, r)
	}
	list := b.pick(b.all(), func(d *graph.Def) bool {
		t := b.owner(d)
		fromOutside := t.Kind == infer.Type && (t.OutsideBase || !t.Complete)
		return graph.SameFamily(&d.File, &s.Node) && fromOutside
	})
	if len(list) == 0 {
		return noBinding(OtherType)
	}
	return possibleBinding(list)
}

// keywords returns the type whose fields a call takes as keyword arguments. Its kind is Outside if the keywords name
// parameters; fields reports whether the type is known to take its fields.
func (b *Binder) keywords(s *graph.Site, callee string) (t infer.Receiver, fields bool) {
	if callee == code.RecvExpr+"?" {
		return infer.Receiver{}, false
	}
	if f, ok := b.types.Function(s, callee); ok {
		return b.typedKeywords(&f)
	}
	look := b.types.Lookup()
	switch t = b.types.Receiver(s, callee); t.Kind {
	case infer.Type:
		for i := range t.Types {
			a := &t.Types[i]
			for _, name := range [...]string{"__init__", "__new__"} {
				if list := look.Declarations(a.File.ID, a.QualifiedName(), name); len(list) > 0 {
					return b.typedKeywords(&list[len(list)-1])
				}
			}
			fields = fields || look.Hint(a.File.ID, a.Ord, code.HintFields) != ""
		}
		return t, fields
	case infer.Outside:
		name := strings.TrimPrefix(callee[strings.LastIndexByte(callee, '.')+1:], code.RecvExpr)
		// Functions of the standard library that pass keywords on, or change the fields that they name.
		if !strings.Contains(" partial partialmethod replace evolve assoc submit to_thread param ", " "+name+" ") {
			return t, false
		}
	}
	return infer.Receiver{}, false
}

// typedKeywords returns the typed dictionary of the keywords that a function takes.
func (b *Binder) typedKeywords(f *infer.Decl) (t infer.Receiver, fields bool) {
	look := b.types.Lookup()
	hint, home := look.Hint(f.File.ID, f.Ord, code.HintKeywords), look.Site(f.File.ID)
	if hint == "" || home == nil {
		return infer.Receiver{Kind: infer.Outside}, false
	}
	if t = b.types.Receiver(home, hint); t.Kind != infer.Type {
		return infer.Receiver{}, false
	}
	return t, true
}

// takesFields reports whether a call of a type may take the type's fields as keyword arguments: because that is known,
// or because a base outside the repository might do so.
func (b *Binder) takesFields(d *graph.Def) bool {
	if d.Kind != code.KindField {
		return false
	}
	t := b.owner(d)
	for i := range t.Types {
		if b.types.Lookup().Hint(t.Types[i].File.ID, t.Types[i].Ord, code.HintFields) != "" {
			return true
		}
	}
	return t.Kind == infer.Type && (t.OutsideBase || !t.Complete)
}

// owner returns the type that a definition is a member of, with its bases.
func (b *Binder) owner(d *graph.Def) infer.Receiver {
	home := b.types.Lookup().Site(d.File.ID)
	if d.Container == "" || home == nil {
		return infer.Receiver{}
	}
	return b.types.Receiver(home, d.Container)
}

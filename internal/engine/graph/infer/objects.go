package infer

import (
	"slices"
	"strconv"
	"strings"

	"ken/internal/code"
	"ken/internal/engine/graph"
)

// Members of objects as scripts create them: literals, functions with members added to them, modules that export one object. Any
// code may add a member to an object, so that the declarations found here are evidence, and their absence proves nothing.

// The names of the hints about objects, which extraction records.
const (
	spreadHint  = "..." // names of objects whose members an object has, too, with commas between
	exposedHint = "{}"  // set on a declaration that is a member of some object under its own name
	sharedHint  = "{,}" // the same, where no declaration shows the object
	madeHint    = "new" // what a constructor signature of a type makes
	calledHint  = "()"  // the result of a call signature of a type
	visibleHint = "{"   // the bytes "start-end" of the block that alone sees a declaration
)

// Visible returns the block of the file, as a range of bytes, in which alone a declaration is visible. ok is false if
// the whole file sees it, or if its qualified name already shows the declaration around it.
func (y *Types) Visible(d *graph.Def) (start, end uint32, ok bool) {
	if syntaxFor(d.File.Lang).objects == nil {
		return 0, 0, false
	}
	from, to, ok := strings.Cut(y.look.Hint(d.File.ID, d.Ord, visibleHint), "-")
	a, err := strconv.ParseUint(from, 10, 32)
	b, err2 := strconv.ParseUint(to, 10, 32)
	return uint32(a), uint32(b), ok && err == nil && err2 == nil
}

// inBlocks reports whether a name has several declarations and one of them is visible only in a block, so that its meaning is unknown.
func (y *Types) inBlocks(list []Decl) bool {
	return len(list) > 1 && slices.ContainsFunc(list, func(d Decl) bool {
		_, _, nested := y.Visible(&d.Def)
		return nested
	})
}

// Member lists the declarations of the member name of an expression in a file, as far as the objects of the expression show them.
func (y *Types) Member(s *graph.Site, recv, name string) []Decl {
	if syntaxFor(s.Node.Lang).objects == nil {
		return nil
	}
	return y.objectMember(y.of(s, recv), name)
}

// IsExposed reports whether a declaration is a member of an object under its own name.
func (y *Types) IsExposed(d *graph.Def) bool {
	return syntaxFor(d.File.Lang).objects != nil && y.look.Hint(d.File.ID, d.Ord, exposedHint) != ""
}

// IsShared reports whether a declaration is a member, under its own name, of an object that is not known.
func (y *Types) IsShared(d *graph.Def) bool {
	return syntaxFor(d.File.Lang).objects != nil && y.look.Hint(d.File.ID, d.Ord, sharedHint) != ""
}

// objectModel finds the members that values have in addition to those of their types.
type objectModel interface {
	// member lists the declarations of a member of t.
	member(y *Types, t term, name string) []Decl
	// value returns the value of a variable or result that is declared by d and has the type t.
	value(y *Types, d Decl, t term) term
}

// objectMember lists the declarations of a member of the object t, none in a language without objects.
func (y *Types) objectMember(t term, name string) []Decl {
	home := t.decl.File.Lang
	if t.site != nil {
		home = t.site.Node.Lang
	}
	model := syntaxFor(home).objects
	if y.depth >= maxDepth || model == nil {
		return nil
	}
	y.depth++
	defer func() { y.depth-- }()
	return model.member(y, t, name)
}

// scriptObjects is the object model of scripts.
type scriptObjects struct{}

func (scriptObjects) member(y *Types, t term, name string) []Decl {
	switch t.what {
	case termEither:
		return y.eitherMember(&t, name)
	case termModule:
		return y.moduleMember(t.module.file, name)
	case termFunc:
		return y.ownMember(t.decl, name)
	case termType, termAbove:
		if t.holder != nil {
			if list := y.ownMember(*t.holder, name); len(list) > 0 {
				return list
			}
		}
		if list := y.armMembers(&t, name); len(list) > 0 {
			return list
		}
		line := y.lineage(t)
		for i := range line.types {
			if list := y.ownMember(line.types[i], name); len(list) > 0 {
				return list
			}
		}
		if t.named != nil {
			return y.objectMember(*t.named, name)
		}
		if made := y.signatureTerm(t, madeHint); made.what == termType { // new X() has the name of X as its type
			return y.objectMember(made, name)
		}
	}
	return nil
}

// armMembers lists the declarations of a member in each part of a named union or intersection, and in the literal that may be one.
func (y *Types) armMembers(t *term, name string) []Decl {
	if t.what != termType || t.decl.Kind != code.KindType {
		return nil
	}
	u := y.under(*t)
	if u.what != termEither {
		return nil
	}
	list := y.eitherMember(&u, name)
	if own := y.ownMembers(t.decl, name); len(own) > 0 {
		list = append(slices.Clip(own), list...)
	}
	return list
}

// signatureTerm returns what a value of an interface makes or returns by a signature without a name.
func (y *Types) signatureTerm(t term, hint string) term {
	if t.what != termType || t.decl.Kind != code.KindInterface && t.decl.Kind != code.KindType {
		return term{}
	}
	line := y.lineage(t)
	for i := range line.types {
		d := &line.types[i]
		if e := y.look.Hint(d.File.ID, d.Ord, hint); e != "" {
			return y.eval(y.look.Site(d.File.ID), parseExpr(e))
		}
	}
	return term{}
}

// ownMember lists the declarations of a member of an object itself: its own, those it lists under another name, those of
// objects spread into it and of the parts of a store.
func (y *Types) ownMember(d Decl, name string) []Decl {
	target := y.look.Hint(d.File.ID, d.Ord, name)
	isName := target != "" && !strings.ContainsAny(target, ".()[]{},:< =?")
	if name != "" && isName {
		if list := y.declarations(y.look.Site(d.File.ID), target); len(list) > 0 {
			return list
		}
	}
	if list := y.ownMembers(d, name); len(list) > 0 {
		return list
	}
	if syntaxFor(d.File.Lang).objects == nil || d.Kind.IsType() {
		return nil
	}
	for _, part := range graph.StoreParts() {
		list := y.ownMembers(d, part)
		if len(list) == 0 {
			continue
		}
		if found := y.ownMember(list[len(list)-1], name); len(found) > 0 {
			return found
		}
	}
	home := y.look.Site(d.File.ID)
	for other := range strings.SplitSeq(y.look.Hint(d.File.ID, d.Ord, spreadHint), ",") {
		if other == "" || home == nil {
			continue
		}
		if list := y.objectMember(y.name(home, other), name); len(list) > 0 {
			return list
		}
	}
	return nil
}

// moduleExport returns the declaration that is the whole export of a CommonJS module.
func (y *Types) moduleExport(t term) (term, bool) {
	home := y.look.Site(t.module.file)
	if home == nil || syntaxFor(home.Node.Lang).objects == nil || y.depth >= maxDepth {
		return term{}, false
	}
	id, declared, ok := y.k.FollowName(t.module.file, "default")
	if !ok {
		return term{}, false
	}
	list := y.look.Declarations(id, "", declared)
	if len(list) == 0 {
		return term{}, false
	}
	y.depth++
	defer func() { y.depth-- }()
	return y.value(list), true
}

// moduleMember lists the declarations of a name that a module offers, and of the same member of its one exported object.
func (y *Types) moduleMember(file int64, name string) []Decl {
	var list []Decl
	if one, ok := y.moduleExport(term{module: moduleTerm{file: file}}); ok {
		list = y.objectMember(one, name)
	}
	if id, declared, ok := y.k.FollowName(file, name); ok {
		list = append(slices.Clone(list), y.look.Declarations(id, "", declared)...)
	}
	return list
}

// PassedMember lists the declarations of a member of another module, or of the object that it exports, which a file passes on
// under a name, as `const { a } = imported; export { a }` does.
func (y *Types) PassedMember(file int64, name string) []Decl {
	home := y.look.Site(file)
	if home == nil || y.depth >= maxDepth {
		return nil
	}
	y.depth++
	defer func() { y.depth-- }()
	for _, e := range y.files.Outward(file).Exports {
		if e.Name != name || e.From < 0 || int(e.From) >= len(home.Links) {
			continue
		}
		from := home.Links[e.From].File
		if list := y.moduleMember(from, e.Local); len(list) > 0 {
			return list
		}
		return y.PassedMember(from, e.Local)
	}
	return nil
}

// declarations lists the declarations of a plain name in a file.
func (y *Types) declarations(s *graph.Site, name string) []Decl {
	if s == nil {
		return nil
	}
	if list := y.look.Declarations(s.Node.ID, "", name); len(list) > 0 {
		return list
	}
	for i := range s.Imports {
		if i >= len(s.Links) || s.Links[i].File == 0 {
			continue
		}
		at := slices.IndexFunc(s.Imports[i].Names, func(n code.ImportName) bool { return n.Alias == name && n.Name != "*" })
		if at < 0 {
			continue
		}
		if id, declared, ok := y.k.FollowName(s.Links[i].File, s.Imports[i].Names[at].Name); ok {
			return y.look.Declarations(id, "", declared)
		}
	}
	return nil
}

// object returns the value of a variable or result that d declares and that has the type t.
func (y *Types) object(d Decl, t term) term {
	if model := syntaxFor(d.File.Lang).objects; model != nil {
		return model.value(y, d, t)
	}
	return t
}

// value returns an object of the variable's own if its type is unknown, as for the result of a function from outside; a
// typed value keeps the variable, which may have members of its own.
func (scriptObjects) value(_ *Types, d Decl, t term) term {
	anonymous := t.what == termOutside && t.decl.Name == ""
	switch {
	case t.what == termType && t.holder == nil && !sameDecl(d, t.decl):
		t.holder = &d
		return t
	case t.what == termUnknown || anonymous:
		return term{what: termType, decl: d}
	}
	return t
}

package infer

import (
	"slices"
	"strconv"
	"strings"

	"ken/internal/code"
	"ken/internal/engine/graph"
)

// Members of objects as scripts create them: literals, functions with members added to them, modules that export one
// object. Any code may add a member to an object, so that the declarations found here are evidence, and their absence
// proves nothing.

// The names of hints that extraction writes about objects.
const (
	spreadHint  = "..." // names of objects whose members an object has, too, with commas between
	exposedHint = "{}"  // set on a declaration that is a member of some object under its own name
	visibleHint = "{"   // the bytes "start-end" of the block that alone sees a declaration
)

// Visible returns the block of the file, in bytes, that alone sees a declaration. ok is false if the whole file sees it,
// or its qualified name shows the declaration around it.
func (y *Types) Visible(d *graph.Def) (start, end uint32, ok bool) {
	if !syntaxOf(d.File.Lang).objects {
		return 0, 0, false
	}
	from, to, ok := strings.Cut(y.look.Hint(d.File.ID, d.Ord, visibleHint), "-")
	a, err := strconv.ParseUint(from, 10, 32)
	b, err2 := strconv.ParseUint(to, 10, 32)
	return uint32(a), uint32(b), ok && err == nil && err2 == nil
}

// inBlocks reports whether a name has several declarations one of which only a block sees, so that it is unknown which
// is meant.
func (y *Types) inBlocks(list []Decl) bool {
	return len(list) > 1 && slices.ContainsFunc(list, func(d Decl) bool {
		_, _, nested := y.Visible(&d.Def)
		return nested
	})
}

// Member lists the declarations of the member name of an expression in a file, as far as the objects of the expression
// show them.
func (y *Types) Member(s *graph.Site, recv, name string) []Decl {
	if !syntaxOf(s.Node.Lang).objects {
		return nil
	}
	return y.objectMember(y.of(s, recv), name)
}

// Exposed reports whether a declaration is a member of an object under its own name.
func (y *Types) Exposed(d *graph.Def) bool {
	return syntaxOf(d.File.Lang).objects && y.look.Hint(d.File.ID, d.Ord, exposedHint) != ""
}

// objectMember lists the declarations of a member of t.
func (y *Types) objectMember(t term, name string) []Decl {
	home := t.decl.File.Lang
	if t.site != nil {
		home = t.site.Node.Lang
	}
	if y.depth >= maxDepth || !syntaxOf(home).objects {
		return nil
	}
	y.depth++
	defer func() { y.depth-- }()
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
		line := y.lineage(t)
		for i := range line.types {
			if list := y.ownMember(line.types[i], name); len(list) > 0 {
				return list
			}
		}
	}
	return nil
}

// ownMember lists the declarations of a member of an object itself: its own, those it lists under another name, those of
// objects spread into it and of the parts of a store.
func (y *Types) ownMember(d Decl, name string) []Decl {
	if target := y.look.Hint(d.File.ID, d.Ord, name); name != "" && isPlain(target) {
		if list := y.declarations(y.look.Site(d.File.ID), target); len(list) > 0 {
			return list
		}
	}
	if list := y.membersOf(d, name); len(list) > 0 {
		return list
	}
	if !syntaxOf(d.File.Lang).objects || d.Kind.IsType() {
		return nil
	}
	for _, part := range graph.StoreParts() {
		list := y.membersOf(d, part)
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

// exported is the one declaration that a module of CommonJS is.
func (y *Types) exported(t term) (term, bool) {
	home := y.look.Site(t.module.file)
	if home == nil || !syntaxOf(home.Node.Lang).objects || y.depth >= maxDepth {
		return term{}, false
	}
	id, declared, ok := y.k.FollowName(t.module.file, "default")
	if !ok {
		return term{}, false
	}
	list := y.look.Declared(id, "", declared)
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
	if one, ok := y.exported(term{module: moduleTerm{file: file}}); ok {
		list = y.objectMember(one, name)
	}
	if id, declared, ok := y.k.FollowName(file, name); ok {
		list = append(slices.Clone(list), y.look.Declared(id, "", declared)...)
	}
	return list
}

// declarations lists the declarations of a plain name in a file.
func (y *Types) declarations(s *graph.Site, name string) []Decl {
	if s == nil {
		return nil
	}
	if list := y.look.Declared(s.Node.ID, "", name); len(list) > 0 {
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
			return y.look.Declared(id, "", declared)
		}
	}
	return nil
}

// isPlain reports whether an expression is one name.
func isPlain(e string) bool { return e != "" && !strings.ContainsAny(e, ".()[]{},:< =?") }

// object is what the value of a variable is if nothing says its type: in scripts an
// object of its own, as what a function from outside gives is.
func (y *Types) object(d Decl, t term) term {
	if t.what == termType && t.holder == nil && syntaxOf(d.File.Lang).objects && !sameDecl(d, t.decl) {
		t.holder = &d
		return t
	}
	given := t.what == termOutside && t.decl.Name == ""
	if t.what != termUnknown && !given || !syntaxOf(d.File.Lang).objects {
		return t
	}
	return term{what: termType, decl: d}
}

package infer

import (
	"slices"
	"strings"

	"ken/internal/code"
	"ken/internal/engine/graph"
	"ken/internal/engine/graph/infer/signature"
	"ken/internal/engine/graph/infer/std"
)

// Extension is a grade: how likely an extension function or property is one of a value of a type.
type Extension uint8

// The grades, from the worst to the best.
const (
	ExtendsOther  Extension = iota // it extends another type
	SeldomExtends                  // it extends a type of another name, and how the two relate is unknown
	MayExtend                      // the type is unknown
	ExtendsAll                     // it extends every type
	ExtendsType                    // it extends the type or one of its bases
)

// extendedType returns the simple name of the type that a top-level declaration of Kotlin extends: "" for the type of a function or a
// type parameter, and all set if that stands for any type. ok is false if the declaration extends none.
func extendedType(d *graph.Def) (name string, all, ok bool) {
	s := signature.Kotlin{Text: signature.Text{S: d.Signature}}
	written, ok := s.Receiver(d.Name)
	if !ok || written == "" {
		return "", false, false
	}
	typ := signature.Kotlin{Text: signature.Text{S: written}}
	name, _, _ = strings.Cut(typ.Type(0), "{")
	if i := slices.IndexFunc(s.Params, func(p signature.Param) bool { return p.Name == name }); i >= 0 {
		if name, _, _ = strings.Cut(s.Params[i].Bound, "{"); name == "" {
			return "", true, true
		}
	}
	if name == "?" {
		return "", false, true
	}
	return code.LastSegment(name), name == "Any", true
}

// Extends grades an extension for the receiver recv, a type or an expression as in code.Ref.Recv, that is written in a file.
func (y *Types) Extends(s *graph.Site, recv string, d *graph.Def) Extension {
	if recv == "" {
		return y.extends(term{}, d)
	}
	return y.extends(y.receiverTerm(s, recv), d)
}

// receiverTerm returns the meaning of a receiver. For a type of which no more is known it is an unknown term with the type's name.
func (y *Types) receiverTerm(s *graph.Site, recv string) term {
	if code.IsExpr(recv) {
		return y.of(s, recv)
	}
	name := code.LastSegment(recv)
	t := y.name(s, name)
	if t.what != termUnknown {
		return t
	}
	for i := range s.Imports {
		imported := slices.ContainsFunc(s.Imports[i].Names, func(n code.ImportName) bool { return n.Alias == name })
		if imported && i < len(s.Links) && !s.Links[i].Internal() {
			return outside(s, name)
		}
	}
	t.decl.Name = name
	return t
}

// extends grades an extension for a value of type t.
func (y *Types) extends(t term, d *graph.Def) Extension {
	name, all, ok := extendedType(d)
	switch {
	case !ok:
		return ExtendsOther
	case all:
		return ExtendsAll
	case name == "":
		return MayExtend
	case t.what == termFunc, t.what == termModule:
		return MayExtend
	case t.decl.Name == name, inList(std.KotlinBases(t.decl.Name), name):
		return ExtendsType
	}
	switch t.what {
	case termType:
		line := y.lineage(t)
		switch {
		case slices.ContainsFunc(line.types, func(a Decl) bool { return a.Name == name }):
			return ExtendsType
		case !line.unknown && (!line.outside || y.isOwnType(d, name)):
			return ExtendsOther
		}
	case termOutside, termList, termMap:
		predeclared := syntaxFor(d.File.Lang).predeclared
		switch {
		case t.decl.Name == "", t.decl.Name == "-":
			return MayExtend
		case inList(predeclared, name) && inList(predeclared, t.decl.Name), y.isOwnType(d, name):
			return ExtendsOther
		}
	}
	if t.decl.Name != "" {
		return SeldomExtends
	}
	return MayExtend
}

// isOwnType reports whether a name in the file of a declaration means a type of the repository.
func (y *Types) isOwnType(d *graph.Def, name string) bool {
	home := y.look.Site(d.File.ID)
	return home != nil && y.name(home, name).what == termType
}

// ExtensionPackages returns the packages from which a file sees extensions of a name, those of named imports first.
func ExtensionPackages(s *graph.Site, name string) (named, own, wild []string) {
	for i := range s.Imports {
		imp := &s.Imports[i]
		switch {
		case graph.IsWildcard(imp):
			wild = append(wild, imp.Spec)
		case slices.ContainsFunc(imp.Names, func(n code.ImportName) bool { return n.Name == name }):
			named = append(named, strings.TrimSuffix(imp.Spec, "."+name))
		}
	}
	return named, []string{s.Node.Package}, wild
}

// extended returns the meaning of a member that an extension gives to values of type t, unknown if extensions with
// different results may be meant.
func (y *Types) extended(s *graph.Site, t term, name string) term {
	named, own, wild := ExtensionPackages(s, name)
	for _, packages := range [...][]string{named, own, wild} {
		best, list := ExtendsOther, []Decl(nil)
		for _, pkg := range packages {
			for _, id := range y.files.ScopeDeclarers(graph.Node{Lang: s.Node.Lang, Package: pkg}, "", name) {
				for _, d := range y.look.Declarations(id, "", name) {
					fit := y.extends(t, &d.Def)
					if fit > best {
						best, list = fit, list[:0]
					}
					if fit == best && fit != ExtendsOther {
						list = append(list, d)
					}
				}
			}
		}
		switch {
		case best == ExtendsOther:
		case best == MayExtend || !haveSameResults(list):
			return term{}
		default:
			return y.value(list)
		}
	}
	return term{}
}

// Around returns the types whose members a plain name may mean inside the symbol scope of a file, innermost first: the classes around, and
// the types that the functions around extend. Each is a name or an expression, as in code.Ref.Recv.
func (y *Types) Around(s *graph.Site, scope int32) (types []string) {
	path := y.look.QualifiedName(s.Node.ID, scope)
	for path != "" {
		outer := path[:max(strings.LastIndexByte(path, '.'), 0)]
		for _, d := range y.look.Declarations(s.Node.ID, outer, code.LastSegment(path)) {
			if d.Kind.IsType() {
				types = append(types, code.RecvExpr+path)
				break
			}
			if name, _, ok := extendedType(&d.Def); ok && d.Ord == scope && name != "" {
				types = append(types, name)
			}
		}
		path = outer
	}
	return types
}

// Extensible reports whether functions of a language extend types from outside, and ken knows which.
func Extensible(l code.Lang) bool { return syntaxFor(l).extends }

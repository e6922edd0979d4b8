package infer

import (
	"slices"

	"ken/internal/code"
	"ken/internal/engine/graph"
)

// ReceiverKind is the kind of a receiver: the expression before a member, such as x in x.f.
type ReceiverKind uint8

// The kinds of receivers.
const (
	Unknown ReceiverKind = iota
	Outside              // of the standard library, built in, or of no type that has members of the repository
	Type                 // a type or a value of one
	Module               // a module or package
	Foreign              // a value from code outside, which may be of a type of the repository
)

// Receiver describes the expression before a member, such as x in x.f.
type Receiver struct {
	Kind ReceiverKind
	// Types are the type and its bases, in the order of the lookup of members. Complete is false if a base is unknown,
	// and OutsideBase is set if a base is from outside the repository.
	Types                 []Decl
	Complete, OutsideBase bool
	// OutsideTrait is set if the type has traits or bounds from outside (Rust).
	OutsideTrait bool
	// Builtin is the class of a value that the language itself provides (scripts only).
	Builtin string
	// Value is set on an expression from outside the repository that may be a value of a type that inherits from outside.
	Value bool
	// Site is the file a module is seen from, File the module or Dirs the directories of the package.
	Site *graph.Site
	File int64
	Dirs []string
}

// Receivers classifies an expression in a file, as in code.Ref.Recv with or without its mark: one receiver, or one for each build of a
// package. It is unknown in languages whose signatures are not read.
func (y *Types) Receivers(s *graph.Site, text string) []Receiver {
	if syntaxFor(s.Node.Lang) == noSyntax {
		return []Receiver{{}}
	}
	t := y.of(s, text)
	if !t.builds {
		return []Receiver{y.receiver(s, text, t)}
	}
	list := make([]Receiver, len(t.args))
	for i, part := range t.args {
		list[i] = y.receiver(s, text, y.eval(t.site, part))
	}
	return list
}

// Receiver is Receivers for the first build.
func (y *Types) Receiver(s *graph.Site, text string) Receiver { return y.Receivers(s, text)[0] }

func (y *Types) receiver(s *graph.Site, text string, t term) Receiver {
	switch t.what {
	case termUnknown:
		return Receiver{}
	case termModule:
		return Receiver{Kind: Module, Site: t.site, File: t.module.file, Dirs: t.module.dirs}
	case termType, termAbove:
		line := y.lineage(t)
		if syntaxFor(t.decl.File.Lang).openTypes {
			return Receiver{Kind: Type, Types: y.lent(t, line.types), OutsideTrait: line.outside || y.isBoundOutside(t)}
		}
		return Receiver{Kind: Type, Types: line.types, Complete: !line.unknown, OutsideBase: line.outside}
	}
	if t.what == termOutside && (t.foreign || t.object) {
		return Receiver{Kind: Foreign}
	}
	if builtin := syntaxFor(s.Node.Lang).builtin; builtin != nil && code.IsExpr(text) {
		if c := builtin(&t); c != "" {
			return Receiver{Kind: Outside, Builtin: c}
		}
		return Receiver{} // a value from outside may hold declarations of the repository
	}
	return Receiver{Kind: Outside, Value: t.decl.Name != "" && lent(t).foreign}
}

// isBoundOutside reports whether a type is one of a trait's whose bound is from outside (Rust).
func (y *Types) isBoundOutside(t term) bool {
	u := y.under(t)
	return u.what == termOutside || u.what == termList
}

// Function returns the function that an expression in a file means.
func (y *Types) Function(s *graph.Site, text string) (Decl, bool) {
	t := y.of(s, text)
	return t.decl, t.what == termFunc
}

// lent adds to types those whose members are also available through t, because it points to them.
func (y *Types) lent(t term, types []Decl) []Decl {
	for range maxDeref {
		if t = y.pointee(t); t.what != termType {
			break
		}
		types = append(slices.Clone(types), y.lineage(t).types...)
	}
	return types
}

// Reads reports whether ken infers the types of a language's expressions in full.
func Reads(l code.Lang) bool { return syntaxFor(l) != noSyntax && !syntaxFor(l).partial }

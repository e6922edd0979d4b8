package bind

import (
	"path"
	"slices"
	"strings"

	"ken/internal/code"
	"ken/internal/engine/graph"
	"ken/internal/engine/graph/infer"
	"ken/internal/lang"
)

// hide takes away the definitions that a guess found and that the language hides from the file of the reference.
func (b *Binder) hide(s *graph.Site, r *code.Ref, got Binding) Binding {
	if got.Decided || len(got.Defs)+len(got.Perhaps) == 0 {
		return got
	}
	seen := func(list []int) []int {
		return slices.DeleteFunc(slices.Clone(list), func(i int) bool { return b.Hides(s, r, i) })
	}
	had := len(got.Defs)
	if got.Defs = seen(got.Defs); len(got.Defs) == had && len(got.Perhaps) == 0 {
		return got
	}
	if got.Perhaps = seen(got.Perhaps); had > 0 && len(got.Defs)+len(got.Perhaps) == 0 && got.Reason != Likelier {
		return noBinding(NotVisible)
	}
	return got
}

// Hides reports whether the language hides a definition, by its index, from the place of a reference in another file: it is private, or
// the file is compiled without it. What reaches private members in another way is not looked for.
func (b *Binder) Hides(s *graph.Site, r *code.Ref, def int) bool {
	d := &b.defs[def]
	if d.File.ID == s.Node.ID || d.File.Lang != s.Node.Lang && d.File.Traits().Privacy != lang.PrivateInUnit {
		return false
	}
	switch d.File.Traits().Privacy {
	case lang.PrivateInFile:
		return isPrivate(d)
	case lang.PrivateInParts:
		isPartial := func(t *infer.Decl) bool { return hasModifier(&t.Def, "partial") }
		return isPrivate(d) && d.Container != "" && !b.isAmong(d.File.ID, d.Container, isPartial)
	case lang.PrivateInType:
		return isPrivate(d) && b.isPrivateInType(s, r, d)
	case lang.PrivateInModule:
		return b.isOfOtherModule(s, r, d)
	case lang.PrivateInUnit:
		return b.isOfOtherUnit(s, d)
	}
	return false
}

// isPrivate reports whether a definition is marked as private, and nothing makes that wider.
func isPrivate(d *graph.Def) bool {
	return (hasModifier(d, "private") || hasModifier(d, "fileprivate")) && !hasModifier(d, "protected")
}

// isAmong reports whether a test is true for a type among those that a qualified name in a file consists of.
func (b *Binder) isAmong(file int64, qualified string, test func(*infer.Decl) bool) bool {
	for ; qualified != ""; qualified = outerScope(qualified) {
		list := b.types.Lookup().Declarations(file, outerScope(qualified), code.LastSegment(qualified))
		if slices.ContainsFunc(list, func(t infer.Decl) bool { return test(&t) }) {
			return true
		}
	}
	return false
}

// magic are the members of a class of PHP that answer for those that are not visible, with the name as a string.
var magic = [...]string{"__get", "__set", "__isset", "__unset", "__call", "__callStatic"}

// isPrivateInType reports whether only the body of its type can name a private definition. The text of a trait is a part of each class
// that uses it, and a class can pass on what is asked of it from outside.
func (b *Binder) isPrivateInType(s *graph.Site, r *code.Ref, d *graph.Def) bool {
	isTrait := func(t *infer.Decl) bool { return t.Kind == code.KindTrait }
	if d.Container == "" || s.Rebinds || b.isAmong(d.File.ID, d.Container, isTrait) {
		return false
	}
	if b.isAmong(s.Node.ID, b.types.Lookup().QualifiedName(s.Node.ID, r.Scope), isTrait) {
		return false
	}
	home := b.types.Lookup().Site(d.File.ID)
	if home == nil {
		return false
	}
	return !slices.ContainsFunc(magic[:], func(name string) bool {
		return len(b.types.Lookup().Declarations(d.File.ID, d.Container, name)) > 0 || len(b.types.InheritedMembers(home, d.Container, name)) > 0
	})
}

// isOfOtherModule reports whether a definition of Rust is private in a module, and the file of a reference is not of it or a module in it.
// What is in a macro is named where that is expanded.
func (b *Binder) isOfOtherModule(s *graph.Site, r *code.Ref, d *graph.Def) bool {
	isOpen := func(t *infer.Decl) bool {
		return t.Kind == code.KindTrait || t.Kind == code.KindEnum || t.Kind == code.KindMacro
	}
	isItem := d.Kind == code.KindField || d.Kind.IsFunction()
	isClosed := isItem && d.Local && d.Container != "" && !strings.HasPrefix(d.Signature, "pub")
	if !isClosed || b.isAmong(d.File.ID, d.Container, isOpen) {
		return false
	}
	below := strings.TrimSuffix(d.File.Path, ".rs") + "/"
	switch base := path.Base(d.File.Path); base {
	case "mod.rs", "lib.rs", "main.rs":
		below = strings.TrimSuffix(d.File.Path, base)
	}
	if strings.HasPrefix(s.Node.Path, below) {
		return false
	}
	isMacro := func(t *infer.Decl) bool { return t.Kind == code.KindMacro }
	return !b.isAmong(s.Node.ID, b.types.Lookup().QualifiedName(s.Node.ID, r.Scope), isMacro)
}

// isOfOtherUnit reports whether a definition of C is in no text that is compiled together with a source file: neither the file nor one that
// includes it includes the definition's file, as far as that has its name. What is in a header is compiled with each file that includes it.
// A function or variable without static is linked, and a template of C++ names members of types that it is used with.
func (b *Binder) isOfOtherUnit(s *graph.Site, d *graph.Def) bool {
	isObject := d.Kind.IsFunction() || d.Kind == code.KindVariable || d.Kind == code.KindConstant
	if isLinked := d.Container == "" && !d.Local && isObject; isLinked || d.Kind == code.KindModule || graph.IsHeader(s.Node.Path) {
		return false
	}
	above := b.types.Including(s.Node.ID, maxIncluding)
	if len(above) > maxIncluding {
		return false
	}
	return !slices.ContainsFunc(append([]int64{s.Node.ID}, above...), func(file int64) bool { return b.k.MayInclude(file, d.File) })
}

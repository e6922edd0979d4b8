package bind

import (
	"strings"

	"ken/internal/code"
	"ken/internal/engine/builtin"
	"ken/internal/engine/graph"
	"ken/internal/engine/graph/infer"
	"ken/internal/lang"
)

// Names that a language provides in every file (String, println, Some) are looked up like others, because a type of the
// package or a nearer declaration may have the name. The difference is in the end: if no declaration fits, the
// language's own is meant, so that a declaration of the name somewhere is hardly evidence.

// bindPredeclared binds a plain name of the language that neither the file, its scope nor its imports declare.
func (b *Binder) bindPredeclared(s *graph.Site, r *code.Ref) Binding {
	if s.Node.Traits().BareMembers {
		got := b.byName(s, r, func(d *graph.Def) bool { return d.Container != "" && b.inheritable(s, r, d) })
		if got.Reason = NotVisible; len(got.Defs) > 0 {
			got.Confidence = code.Ambiguous
		}
		return got
	}
	if blindWildcard(s) {
		return b.anyByName(s, r)
	}
	return noBinding(NotVisible)
}

// inheritable reports whether a member may be inherited by a type around the reference: not if all of these are known to
// inherit nothing of its type.
func (b *Binder) inheritable(s *graph.Site, r *code.Ref, d *graph.Def) bool {
	if !infer.Reads(s.Node.Lang) {
		return true
	}
	for scope := b.types.Lookup().QualifiedName(s.Node.ID, r.Scope); scope != ""; scope = outer(scope) {
		t := b.types.Receiver(s, code.RecvExpr+scope)
		if t.Kind != infer.Type {
			continue
		}
		if !t.Complete && !t.OutsideBase {
			return true
		}
		for i := range t.Types {
			if t.Types[i].QualifiedName() == d.Container {
				return true
			}
		}
	}
	return false
}

// ofPredeclaredType binds a member of a value of a predeclared type recv, unless a declaration of the repository hides
// that.
func (b *Binder) ofPredeclaredType(s *graph.Site, r *code.Ref, recv string) (Binding, bool) {
	if !builtin.IsPredeclared(s.Node.Lang, recv) {
		return Binding{}, false
	}
	hidden := !infer.Reads(s.Node.Lang) && lang.Of(s.Node.Lang).Scope == lang.PackageScope &&
		len(b.k.Declarers(s.Node, s.Node.Package, "", recv)) > 0
	if hidden {
		return Binding{}, false
	}
	return b.ofOutsideType(s, r, recv), true
}

// outer returns the declaration around a qualified one, "" at the top of a file.
func outer(scope string) string { return scope[:max(strings.LastIndexByte(scope, '.'), 0)] }

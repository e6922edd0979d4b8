package bind

import (
	"strings"

	"ken/internal/code"
	"ken/internal/engine/builtin"
	"ken/internal/engine/graph"
	"ken/internal/engine/graph/infer"
	"ken/internal/lang"
)

// Predeclared names, which a language provides in every file (String, println, Some), are looked up like others first,
// because the repository may declare the same name. If no declaration fits, the language's own name is meant, so that a
// declaration of the name somewhere is hardly evidence.

// bindPredeclared binds a predeclared name, one that the language provides in every file, if neither the file, its scope nor its imports
// declare it.
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

// inheritable reports whether a type around the reference may inherit a member. It is false if all these types are known
// to inherit nothing from the member's type.
func (b *Binder) inheritable(s *graph.Site, r *code.Ref, d *graph.Def) bool {
	if !infer.Reads(s.Node.Lang) {
		return true
	}
	for scope := b.types.Lookup().QualifiedName(s.Node.ID, r.Scope); scope != ""; scope = outerScope(scope) {
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

// ofPredeclaredType binds a member of a value whose type recv the language itself provides, unless a declaration of
// the repository hides that type.
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

// outerScope returns the qualified name without its last segment: the declaration around it, "" at the top level.
func outerScope(scope string) string { return scope[:max(strings.LastIndexByte(scope, '.'), 0)] }

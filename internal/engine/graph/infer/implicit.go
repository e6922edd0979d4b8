package infer

import (
	"slices"
	"strings"

	"ken/internal/code"
	"ken/internal/engine/graph"
	"ken/internal/engine/graph/infer/signature"
)

// Implicit is a receiver that plain names have inside of a lambda.
type Implicit struct {
	Receiver
	t term
}

// Implicit returns the receiver of a lambda that is passed to a function, both as in code.Ref.Args. It is of kind Unknown if the lambda
// has none, or nothing is known of it.
func (y *Types) Implicit(s *graph.Site, called string) Implicit {
	t := term{}
	if of, ok := strings.CutPrefix(called, code.RecvExpr); ok {
		t = y.of(s, of)
	} else {
		t = y.lambdaReceiver(s, called)
	}
	i := Implicit{t: t}
	switch t.what {
	case termType:
		line := y.lineage(t)
		i.Receiver = Receiver{Kind: Type, Types: line.types, Complete: !line.unknown, OutsideBase: line.outside}
	case termOutside, termList, termMap:
		i.Kind = Outside
	}
	return i
}

// lambdaReceiver returns the type of the receiver that the last parameter of a function of the repository has, a function itself.
func (y *Types) lambdaReceiver(s *graph.Site, called string) term {
	e := parseExpr(called)
	f := y.callee(s, e)
	list := y.look.Declarations(f.decl.File.ID, f.decl.Container, f.decl.Name)
	if f.what != termFunc {
		if e == nil || e.op != opMember {
			return term{}
		}
		list = y.visibleExtensions(s, e.name) // of a value of unknown type
	}
	if len(list) == 0 {
		return term{}
	}
	home := y.look.Site(list[0].File.ID)
	written := ""
	for i, d := range list {
		sig := signature.Kotlin{Text: signature.Text{S: d.Signature}}
		extended, ok := sig.Receiver(d.Name)
		if !ok {
			return term{}
		}
		plain := signature.Kotlin{Text: sig.Text}
		typ := plain.LambdaReceiver()
		if isParam := slices.ContainsFunc(sig.Params, func(p signature.Param) bool { return p.Name == typ }); isParam {
			if typ != extended || e == nil || e.op != opMember {
				return term{}
			}
			return y.eval(s, e.of)
		}
		if i > 0 && typ != written {
			return term{} // overloads with different receivers
		}
		written = typ
	}
	if written == "" || home == nil {
		return term{}
	}
	return y.eval(home, parseExpr(written))
}

// visibleExtensions returns the top-level declarations of a name in the packages from which a file sees extensions, the nearest that
// have any.
func (y *Types) visibleExtensions(s *graph.Site, name string) (list []Decl) {
	named, own, wild := ExtensionPackages(s, name)
	for _, packages := range [...][]string{named, own, wild} {
		for _, pkg := range packages {
			for _, id := range y.files.ScopeDeclarers(graph.Node{Lang: s.Node.Lang, Package: pkg}, "", name) {
				list = append(list, y.look.Declarations(id, "", name)...)
			}
		}
		if len(list) > 0 {
			return list
		}
	}
	return nil
}

// ExtendsImplicit grades an extension for the receiver of a lambda.
func (y *Types) ExtendsImplicit(i *Implicit, d *graph.Def) Extension { return y.extends(i.t, d) }

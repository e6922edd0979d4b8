package bind

import (
	"slices"
	"strings"

	"ken/internal/code"
	"ken/internal/engine/graph"
	"ken/internal/engine/graph/infer"
)

// bindDotted finds a name of a module or class that is reached from an imported package: pkg.sub.f() and pkg.sub.Type.f()
// after `import pkg`. It presumes that Python has loaded the submodule.
func (b *Binder) bindDotted(s *graph.Site, r *code.Ref) (Binding, bool) {
	recv, name := r.Recv, r.Name
	for i := range s.Imports {
		imp := s.Imports[i]
		if len(imp.Names) > 0 || i >= len(s.Links) || s.Links[i].External != "" {
			continue
		}
		local, spec := imp.Alias, imp.Spec
		if local == "" {
			local, _, _ = strings.Cut(spec, ".")
			spec = local
		}
		rest, ok := strings.CutPrefix(recv, local+".")
		if !ok {
			continue
		}
		file, rest := b.submodule(s, spec, rest)
		switch {
		case file == 0:
		case rest == "":
			if got := b.findOffered(file, name); len(got.Defs) > 0 {
				return got, true
			}
			return b.bindUnoffered(s, r), true
		case !strings.Contains(rest, "."):
			home, declared, ok := b.k.FollowName(file, rest)
			fits := b.pick(b.byFile[home], func(d *graph.Def) bool { return ok && d.Container == declared })
			return resolvedBinding(fits), len(fits) > 0
		}
	}
	return Binding{}, false
}

// submodule follows a dotted name from a package through its submodules. It returns the file of the last submodule, 0 if
// there is none, and the rest of the name.
func (b *Binder) submodule(s *graph.Site, spec, rest string) (file int64, left string) {
	for rest != "" {
		name, after, _ := strings.Cut(rest, ".")
		link := b.k.Resolve(s.Node, &code.Import{Spec: spec + "." + name})
		if link.File == 0 {
			break
		}
		file, spec, rest = link.File, spec+"."+name, after
	}
	return file, rest
}

// maxSubclasses bounds the definitions whose classes are compared with one that assigns an attribute.
const maxSubclasses = 50

// assignsAttribute reports whether a class assigns an attribute in its methods (self.x = x), so that it is no method of another class. A
// class made from it may declare the attribute as a method.
func (b *Binder) assignsAttribute(name string, t *infer.Receiver) bool {
	look := b.types.Lookup()
	assigned := slices.ContainsFunc(t.Types, func(a infer.Decl) bool { return look.Hint(a.File.ID, a.Ord, name) != "" })
	if !assigned || len(b.defs) > maxSubclasses {
		return false
	}
	return !slices.ContainsFunc(b.all(), func(i int) bool {
		d := &b.defs[i]
		home := look.Site(d.File.ID)
		if d.Container == "" || home == nil || home.Node.Lang != t.Types[0].File.Lang {
			return false
		}
		of, class := b.types.Receiver(home, code.RecvExpr+d.Container), &t.Types[0]
		isClass := func(a infer.Decl) bool { return a.File.ID == class.File.ID && a.Ord == class.Ord }
		return of.Kind != infer.Type || slices.ContainsFunc(of.Types, isClass)
	})
}

package gotypes

import (
	"cmp"
	"go/types"
	"hash/fnv"
	"slices"
)

// packageTypes lists the package's types with their methods.
func (c *Checker) packageTypes(pkg *types.Package) []Type {
	var out []Type
	scope := pkg.Scope()
	for _, name := range scope.Names() {
		tn, ok := scope.Lookup(name).(*types.TypeName)
		if !ok || tn.IsAlias() {
			continue
		}
		named, ok := tn.Type().(*types.Named)
		if !ok || named.TypeParams().Len() > 0 {
			continue
		}
		t := Type{Target: c.declaration(tn)}
		iface, isIface := named.Underlying().(*types.Interface)
		if t.Interface = isIface; isIface && !iface.IsMethodSet() {
			continue
		}
		if t.Methods = c.methodSet(named, isIface); len(t.Methods) > 0 {
			out = append(out, t)
		}
	}
	return out
}

// methodSet returns the method set of an interface, or of the pointer to another type, since those are the methods that
// can be called through an interface.
func (c *Checker) methodSet(t types.Type, iface bool) []Method {
	if !iface {
		t = types.NewPointer(t)
	}
	set := types.NewMethodSet(t)
	var out []Method
	for i := range set.Len() {
		f, ok := set.At(i).Obj().(*types.Func)
		if !ok {
			continue
		}
		out = append(out, Method{Name: f.Name(), Print: methodPrint(f, set.At(i).Type()), Target: c.declaration(f.Origin())})
	}
	slices.SortFunc(out, func(a, b Method) int { return cmp.Or(cmp.Compare(a.Name, b.Name), cmp.Compare(a.Print, b.Print)) })
	return out
}

// methodPrint returns a hash that differs for methods of different signature and, if they are not exported, of different
// packages.
func methodPrint(f *types.Func, t types.Type) uint64 {
	h := fnv.New64a()
	if !f.Exported() && f.Pkg() != nil {
		h.Write([]byte(f.Pkg().Path()))
	}
	h.Write([]byte{0})
	if s, ok := t.(*types.Signature); ok {
		// The names of parameters are no part of the type.
		h.Write([]byte(types.TypeString(types.NewSignatureType(nil, nil, nil, nameless(s.Params()), nameless(s.Results()), s.Variadic()), nil)))
	}
	return h.Sum64()
}

func nameless(t *types.Tuple) *types.Tuple {
	vars := make([]*types.Var, t.Len())
	for i := range vars {
		vars[i] = types.NewParam(t.At(i).Pos(), nil, "", t.At(i).Type())
	}
	return types.NewTuple(vars...)
}

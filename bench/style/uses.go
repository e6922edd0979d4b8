package main

import (
	"cmp"
	"go/ast"
	"go/types"
	"slices"

	"ken/bench/style/count"
)

// fileCycles returns the cycles of a package's files, the largest first: groups in
// which each file uses every other, directly or through others of the group. A
// file uses another if it names a function, type, variable, constant or method
// that the other declares; a field counts as its type does, with the name of
// the type. Files alone are no cycle.
func (p *checkedPackage) fileCycles() [][]*count.File {
	where := map[string]*count.File{}
	for _, f := range p.files {
		where[f.Path] = f
	}
	uses := map[*count.File]map[*count.File]bool{}
	for _, f := range p.files {
		uses[f] = map[*count.File]bool{}
		ast.Inspect(f.AST, func(x ast.Node) bool {
			id, ok := x.(*ast.Ident)
			if !ok {
				return true
			}
			obj := p.info.Uses[id]
			if obj == nil || obj.Pkg() != p.types || !isUsableByOtherFiles(obj) {
				return true
			}
			if to := where[f.FileAt(genericOrigin(obj).Pos())]; to != nil && to != f {
				uses[f][to] = true
			}
			return true
		})
	}
	var out [][]*count.File
	for _, group := range strongComponents(p.files, uses) {
		if len(group) > 1 {
			slices.SortFunc(group, func(a, b *count.File) int { return cmp.Compare(a.Path, b.Path) })
			out = append(out, group)
		}
	}
	slices.SortStableFunc(out, func(a, b []*count.File) int { return cmp.Compare(len(b), len(a)) })
	return out
}

// isUsableByOtherFiles reports whether other files can name an object:
// it is declared at package level, or is a method.
func isUsableByOtherFiles(obj types.Object) bool {
	if obj.Parent() == obj.Pkg().Scope() {
		return true
	}
	f, ok := obj.(*types.Func)
	return ok && f.Signature().Recv() != nil
}

// genericOrigin returns the declaration of an object, for a method of a generic type
// that is used with types filled in.
func genericOrigin(obj types.Object) types.Object {
	if f, ok := obj.(*types.Func); ok {
		return f.Origin()
	}
	return obj
}

// strongComponents returns the strongly connected components of a graph (Tarjan).
func strongComponents[T comparable](nodes []T, next map[T]map[T]bool) [][]T {
	var out [][]T
	index, low, onStack := map[T]int{}, map[T]int{}, map[T]bool{}
	var stack []T
	var visit func(T)
	visit = func(n T) {
		index[n] = len(index) + 1
		low[n] = index[n]
		stack = append(stack, n)
		onStack[n] = true
		for m := range next[n] {
			if index[m] == 0 {
				visit(m)
				low[n] = min(low[n], low[m])
			} else if onStack[m] {
				low[n] = min(low[n], index[m])
			}
		}
		if low[n] != index[n] {
			return
		}
		i := slices.Index(stack, n)
		group := slices.Clone(stack[i:])
		stack = stack[:i]
		for _, m := range group {
			onStack[m] = false
		}
		out = append(out, group)
	}
	for _, n := range nodes {
		if index[n] == 0 {
			visit(n)
		}
	}
	return out
}

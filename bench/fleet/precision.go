package main

import (
	"context"
	"fmt"
	"go/ast"
	"go/types"
	"path/filepath"
	"strings"

	"golang.org/x/tools/go/packages"

	"ken/bench/world"
)

// judge compares the listed places of uses in a Go module with the objects that go/types finds on their lines.
func judge(ctx context.Context, ken, dir string) error {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return err
	}
	records, err := readSurface(ctx, ken, dir)
	if err != nil {
		return err
	}
	truth, files, err := goUses(ctx, dir)
	if err != nil {
		return err
	}
	right, wrong := 0, 0
	listed := map[string]bool{}
	for _, r := range records {
		if r.Type != "use" || r.Manager != "go" || r.Symbol == "" {
			continue
		}
		for _, p := range r.Places {
			file := p[:strings.LastIndexByte(p, ':')]
			if !files[file] {
				continue // not built here
			}
			key := p + " " + r.Module + " " + r.Symbol
			listed[key] = true
			if owner, ok := truth[key]; ok && owner == r.Package {
				right++
			} else {
				wrong++
				fmt.Printf("wrong: %s %s: go/types has package %q\n", key, r.Package, owner)
			}
		}
	}
	precision := float64(right) / float64(max(right+wrong, 1))
	var t world.Table
	t.Row("places of uses of other packages that go/types confirms", "≥ 0.99 of ≥ 500", fmt.Sprintf("%.4f of %d", precision, right+wrong),
		precision >= 0.99 && right+wrong >= 500)
	return t.Summary()
}

// goUses returns the uses of symbols of other modules, as path:line, import path and name with the module, and the files that were
// checked.
func goUses(ctx context.Context, dir string) (map[string]string, map[string]bool, error) {
	cfg := &packages.Config{Context: ctx, Dir: dir, Tests: true}
	cfg.Mode = packages.NeedName | packages.NeedFiles | packages.NeedSyntax | packages.NeedTypes | packages.NeedTypesInfo |
		packages.NeedImports | packages.NeedDeps | packages.NeedModule
	list, err := packages.Load(cfg, "./...")
	if err != nil {
		return nil, nil, err
	}
	modules, aliases := map[string]string{}, map[*types.TypeName][]*types.TypeName{}
	packages.Visit(list, nil, func(p *packages.Package) {
		if p.Module == nil || p.Types == nil {
			return
		}
		modules[p.PkgPath] = p.Module.Path
		for _, name := range p.Types.Scope().Names() {
			if t, ok := p.Types.Scope().Lookup(name).(*types.TypeName); ok && t.IsAlias() {
				if n, ok := types.Unalias(t.Type()).(*types.Named); ok {
					aliases[n.Obj()] = append(aliases[n.Obj()], t)
				}
			}
		}
	})
	uses, files := map[string]string{}, map[string]bool{}
	for _, p := range list {
		if len(p.Errors) > 0 {
			continue
		}
		for _, f := range p.Syntax {
			if rel, err := filepath.Rel(dir, p.Fset.Position(f.Pos()).Filename); err == nil {
				files[rel] = true
			}
		}
		for id, obj := range p.TypesInfo.Uses {
			at := p.Fset.Position(id.Pos())
			rel, err := filepath.Rel(dir, at.Filename)
			if err != nil || obj.Pkg() == nil || modules[obj.Pkg().Path()] == "" {
				continue
			}
			if obj.Parent() == obj.Pkg().Scope() {
				uses[fmt.Sprintf("%s:%d %s %s", rel, at.Line, obj.Pkg().Path(), obj.Name())] = modules[obj.Pkg().Path()]
			}
		}
		member := func(id *ast.Ident, of types.Type) {
			at := p.Fset.Position(id.Pos())
			rel, err := filepath.Rel(dir, at.Filename)
			t := namedType(of)
			if err != nil || t == nil || t.Pkg() == nil {
				return
			}
			for _, t := range append(aliases[t], t) { // the member of a type under each of its names
				uses[fmt.Sprintf("%s:%d %s %s.%s", rel, at.Line, t.Pkg().Path(), t.Name(), id.Name)] = modules[t.Pkg().Path()]
			}
		}
		for sel, selection := range p.TypesInfo.Selections {
			member(sel.Sel, selection.Recv())
		}
		for expr, tv := range p.TypesInfo.Types {
			lit, ok := expr.(*ast.CompositeLit)
			for i := 0; ok && i < len(lit.Elts); i++ {
				if kv, is := lit.Elts[i].(*ast.KeyValueExpr); is {
					if id, is := kv.Key.(*ast.Ident); is {
						member(id, tv.Type)
					}
				}
			}
		}
	}
	return uses, files, nil
}

// namedType returns the name of a type or of the type that it points to, nil if it has none.
func namedType(t types.Type) *types.TypeName {
	if p, ok := types.Unalias(t).(*types.Pointer); ok {
		t = p.Elem()
	}
	if n, ok := types.Unalias(t).(*types.Named); ok {
		return n.Obj()
	}
	return nil
}

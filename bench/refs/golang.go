package main

import (
	"context"
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"
)

// goTypes binds names by go/types.
type goTypes struct {
	*bindings
	tree       *tree
	fset       *token.FileSet
	interfaces []*types.Interface
	named      []*types.TypeName
}

// openGo checks all packages of the tree and their tests. Imported packages are
// checked from source, without bodies of functions, so that nothing is compiled.
func openGo(ctx context.Context, _ options, t *tree) (oracle, error) {
	g := &goTypes{bindings: newBindings(), tree: t, fset: token.NewFileSet()}
	g.bindings.bases = g.implementers
	cfg := &packages.Config{
		Context: ctx, Dir: t.dir, Fset: g.fset, Tests: true,
		Mode: packages.NeedName | packages.NeedFiles | packages.NeedCompiledGoFiles | packages.NeedImports | packages.NeedDeps |
			packages.NeedTypes | packages.NeedSyntax | packages.NeedTypesInfo,
		ParseFile: func(fset *token.FileSet, name string, src []byte) (*ast.File, error) {
			f, err := parser.ParseFile(fset, name, src, parser.SkipObjectResolution)
			if f != nil && g.path(name) == "" {
				for _, d := range f.Decls {
					if fn, ok := d.(*ast.FuncDecl); ok {
						fn.Body = nil
					}
				}
			}
			return f, err
		},
	}
	list, err := packages.Load(cfg, "./...")
	if err != nil {
		return nil, err
	}
	for _, p := range list {
		g.add(p)
	}
	if len(g.bindings.declared) == 0 {
		return nil, errors.New("no package could be checked")
	}
	return g, nil
}

// path is that of a file of the tree, and none of others.
func (g *goTypes) path(file string) string {
	rel, err := filepath.Rel(g.tree.dir, file)
	if err != nil || strings.HasPrefix(rel, "..") {
		return ""
	}
	return rel
}

func (g *goTypes) place(pos token.Pos) place {
	if !pos.IsValid() {
		return place{}
	}
	p := g.fset.PositionFor(pos, false)
	path := g.path(p.Filename)
	if path == "" {
		return place{}
	}
	return g.tree.place(path, p.Offset)
}

func (g *goTypes) add(p *packages.Package) {
	if p.TypesInfo == nil {
		return
	}
	for id, obj := range p.TypesInfo.Defs {
		if at := g.place(id.Pos()); obj != nil && at.Path != "" {
			g.bindings.declared[at] = true
		}
	}
	for id, obj := range p.TypesInfo.Uses {
		at := g.place(id.Pos())
		if _, isImport := obj.(*types.PkgName); isImport || at.Path == "" {
			continue
		}
		g.bind(at, g.place(obj.Pos()), uses)
	}
	scope := p.Types.Scope()
	for _, name := range scope.Names() {
		n, ok := scope.Lookup(name).(*types.TypeName)
		if !ok {
			continue
		}
		if i, ok := n.Type().Underlying().(*types.Interface); ok {
			g.interfaces = append(g.interfaces, i)
		} else {
			g.named = append(g.named, n)
		}
	}
}

// implementers are the methods of interfaces through which the method declared at a place can be called.
func (g *goTypes) implementers(at place) []place {
	var bases []place
	name := g.tree.word(at)
	for _, n := range g.named {
		pointer := types.NewPointer(n.Type())
		method, _, _ := types.LookupFieldOrMethod(pointer, true, n.Pkg(), name)
		if fn, ok := method.(*types.Func); !ok || g.place(fn.Pos()) != at {
			continue
		}
		for _, i := range g.interfaces {
			m, _, _ := types.LookupFieldOrMethod(i, false, n.Pkg(), name)
			if m == nil || !types.Implements(pointer, i) {
				continue
			}
			if p := g.place(m.Pos()); p.Path != "" && !slices.Contains(bases, p) {
				bases = append(bases, p)
			}
		}
	}
	return bases
}

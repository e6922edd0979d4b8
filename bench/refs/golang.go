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
	*boundNames
	tree       *sourceTree
	fset       *token.FileSet
	interfaces []*types.Interface
	named      []*types.TypeName
}

// openGo checks all packages of the tree and their tests. Imported packages are
// checked from source, without bodies of functions, so that nothing is compiled.
func openGo(ctx context.Context, _ options, t *sourceTree) (oracle, error) {
	g := &goTypes{boundNames: newBoundNames(), tree: t, fset: token.NewFileSet()}
	g.boundNames.bases = g.interfaceMethods
	cfg := &packages.Config{
		Context: ctx, Dir: t.dir, Fset: g.fset, Tests: true,
		Mode: packages.NeedName | packages.NeedFiles | packages.NeedCompiledGoFiles | packages.NeedImports | packages.NeedDeps |
			packages.NeedTypes | packages.NeedSyntax | packages.NeedTypesInfo,
		ParseFile: func(fset *token.FileSet, name string, src []byte) (*ast.File, error) {
			f, err := parser.ParseFile(fset, name, src, parser.SkipObjectResolution)
			if f != nil && g.treePath(name) == "" {
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
		g.addPackage(p)
	}
	if len(g.boundNames.declared) == 0 {
		return nil, errors.New("no package could be checked")
	}
	return g, nil
}

// treePath is that of a file of the tree, and none of others.
func (g *goTypes) treePath(file string) string {
	rel, err := filepath.Rel(g.tree.dir, file)
	if err != nil || strings.HasPrefix(rel, "..") {
		return ""
	}
	return rel
}

func (g *goTypes) positionPlace(pos token.Pos) place {
	if !pos.IsValid() {
		return place{}
	}
	p := g.fset.PositionFor(pos, false)
	path := g.treePath(p.Filename)
	if path == "" {
		return place{}
	}
	return g.tree.placeAt(path, p.Offset)
}

func (g *goTypes) addPackage(p *packages.Package) {
	if p.TypesInfo == nil {
		return
	}
	for id, obj := range p.TypesInfo.Defs {
		if at := g.positionPlace(id.Pos()); obj != nil && at.Path != "" {
			g.boundNames.declared[at] = true
		}
	}
	for id, obj := range p.TypesInfo.Uses {
		at := g.positionPlace(id.Pos())
		if _, isImport := obj.(*types.PkgName); isImport || at.Path == "" {
			continue
		}
		g.addUse(at, g.positionPlace(obj.Pos()), uses)
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

// interfaceMethods are the methods of interfaces through which the method declared at a place can be called.
func (g *goTypes) interfaceMethods(at place) []place {
	var bases []place
	name := g.tree.wordAt(at)
	for _, n := range g.named {
		pointer := types.NewPointer(n.Type())
		method, _, _ := types.LookupFieldOrMethod(pointer, true, n.Pkg(), name)
		if fn, ok := method.(*types.Func); !ok || g.positionPlace(fn.Pos()) != at {
			continue
		}
		for _, i := range g.interfaces {
			m, _, _ := types.LookupFieldOrMethod(i, false, n.Pkg(), name)
			if m == nil || !types.Implements(pointer, i) {
				continue
			}
			if p := g.positionPlace(m.Pos()); p.Path != "" && !slices.Contains(bases, p) {
				bases = append(bases, p)
			}
		}
	}
	return bases
}

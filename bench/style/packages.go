package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/importer"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path"
	"strings"

	"ken/bench/style/count"
)

// typedModule is the module with its types, for the measures that syntax alone
// cannot give.
type typedModule struct {
	packages map[string]*checkedPackage // by folder
	order    []string                   // folders, importers after their imports
}

// checkedPackage is one package with the files of it that this system builds.
type checkedPackage struct {
	files []*count.File
	types *types.Package
	info  *types.Info
}

// listedPackage is a package as go list describes it.
type listedPackage struct {
	ImportPath, Dir, Export    string
	Standard                   bool
	GoFiles, CgoFiles, Imports []string
}

func goList(ctx context.Context, dir string, args ...string) ([]listedPackage, error) {
	cmd := exec.CommandContext(ctx, "go", append([]string{"list", "-e"}, args...)...)
	cmd.Dir, cmd.Stderr = dir, os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("go list in %s: %w", dir, err)
	}
	var all []listedPackage
	for d := json.NewDecoder(bytes.NewReader(out)); ; {
		var p listedPackage
		if err := d.Decode(&p); errors.Is(err, io.EOF) {
			return all, nil
		} else if err != nil {
			return nil, err
		}
		all = append(all, p)
	}
}

// typeCheck finds the types of the module in dir. Its own packages are checked from
// source; their imports come from the export data of the build cache. Modules
// that need C are left out, because compiling them takes minutes: their names
// are of an unknown type, which hides no use of one file by another.
func typeCheck(ctx context.Context, dir string, tree *count.Tree) (*typedModule, error) {
	own, err := goList(ctx, dir, "-json=ImportPath,Dir,GoFiles,CgoFiles,Imports", "./...")
	if err != nil {
		return nil, err
	}
	exports, err := exportData(ctx, dir, own)
	if err != nil {
		return nil, err
	}
	c := &typedModule{packages: map[string]*checkedPackage{}}
	c.checkPackages(tree, own, exports)
	return c, nil
}

// exportData returns the files of export data of all that is not the module's.
func exportData(ctx context.Context, dir string, own []listedPackage) (map[string]string, error) {
	asked := map[string]bool{}
	for _, p := range own {
		for _, imp := range p.Imports {
			if imp != "C" && imp != count.Module && !strings.HasPrefix(imp, count.Module+"/") {
				asked[imp] = true
			}
		}
	}
	args := []string{"-json=ImportPath,Standard,CgoFiles"}
	for imp := range asked {
		args = append(args, imp)
	}
	all, err := goList(ctx, dir, args...)
	if err != nil {
		return nil, err
	}
	args = []string{"-export", "-json=ImportPath,Export"}
	for _, p := range all {
		if p.Standard || len(p.CgoFiles) == 0 {
			args = append(args, p.ImportPath)
		}
	}
	all, err = goList(ctx, dir, args...)
	out := map[string]string{}
	for _, p := range all {
		out[p.ImportPath] = p.Export
	}
	return out, err
}

func (c *typedModule) checkPackages(tree *count.Tree, own []listedPackage, exports map[string]string) {
	outside := importer.ForCompiler(tree.Fset, "gc", func(imp string) (io.ReadCloser, error) {
		if exports[imp] == "" {
			return nil, fmt.Errorf("%s has no export data", imp)
		}
		return os.Open(exports[imp])
	})
	byPath := map[string]listedPackage{}
	for _, p := range own {
		byPath[p.ImportPath] = p
	}
	files := map[string]*count.File{}
	for _, f := range tree.Files {
		files[f.Path] = f
	}
	var load func(imp string) (*types.Package, error)
	load = func(imp string) (*types.Package, error) {
		p, ours := byPath[imp]
		if !ours {
			if exports[imp] == "" {
				return unknownPackage(imp), nil
			}
			return outside.Import(imp)
		}
		folder := packageFolder(imp)
		if done := c.packages[folder]; done != nil {
			return done.types, nil
		}
		return c.checkPackage(tree.Fset, p, files, load), nil
	}
	for _, p := range own {
		load(p.ImportPath)
	}
}

type importFunc func(string) (*types.Package, error)

// Import makes a function an importer.
func (f importFunc) Import(p string) (*types.Package, error) {
	if p == "unsafe" {
		return types.Unsafe, nil
	}
	return f(p)
}

func (c *typedModule) checkPackage(fset *token.FileSet, p listedPackage, files map[string]*count.File, load importFunc) *types.Package {
	folder := packageFolder(p.ImportPath)
	done := &checkedPackage{info: &types.Info{Uses: map[*ast.Ident]types.Object{}, Defs: map[*ast.Ident]types.Object{}}}
	var trees []*ast.File
	for _, name := range append(p.GoFiles, p.CgoFiles...) {
		if f := files[path.Join(folder, name)]; f != nil {
			done.files = append(done.files, f)
			trees = append(trees, f.AST)
		}
	}
	// Errors are expected where C is involved, and do not stop the check.
	conf := types.Config{Importer: load, FakeImportC: true, Error: func(error) {}}
	done.types, _ = conf.Check(p.ImportPath, fset, trees, done.info)
	c.packages[folder] = done
	c.order = append(c.order, folder)
	return done.types
}

// packageFolder returns the folder of a package of the module.
func packageFolder(importPath string) string {
	if importPath == count.Module {
		return "."
	}
	return strings.TrimPrefix(importPath, count.Module+"/")
}

// unknownPackage returns an empty package in the place of one that cannot be loaded.
func unknownPackage(imp string) *types.Package {
	p := types.NewPackage(imp, path.Base(imp))
	p.MarkComplete()
	return p
}

// Package gotypes is the exact tier of Go: it type-checks the packages of the
// repository with go/types, from source and offline, and finds for every use of a
// name the declaration it means. Packages outside the repository (the standard
// library, modules) are read from GOROOT and the module cache, never fetched.
//
// # Why not `go list`
//
// golang.org/x/tools/go/packages would do the loading, by running the go command
// in the repository. Even in a scrubbed environment the repository's go.mod, go.work
// and vendor folder steer what that program does (toolchain lines, cgo, pkg-config,
// version control); it has to be on PATH; and it compiles dependencies for their
// types. This package runs nothing: files are chosen with go/build's constraints,
// imports are resolved by engine/resolve inside the repository and by the module's
// own require lines outside of it, and dependencies are checked from source without
// their function bodies. The price is that tags given by GOFLAGS are unknown, and
// that a module whose go.mod is not tidy may not check.
//
// # Views
//
// A package is checked twice: for its importers, without function bodies and tests
// (that view stays in memory while others need it), and whole, with tests, for its
// bindings (dropped at once). An external test package sees the package as extended
// by the tests inside it, and so do the packages between the two.
//
// It reads GOROOT and the module cache and does no other I/O; it reads the repository
// through Tree. engine/extract finds references without types; update/exactrun stores
// the result of Check, and update/fingerprint decides when it is stale.
package gotypes

import (
	"context"
	"go/build"
	"go/token"

	"ken/internal/engine/resolve"
)

// Tree is the repository as the checker sees it.
type Tree interface {
	// GoFiles lists the names of the Go files directly in a directory, sorted.
	GoFiles(dir string) []string
	// Read returns the content of a file, valid until the next call. It fails if the file differs from the indexed one.
	Read(path string) ([]byte, error)
	// Resolve returns the target of an import of a file; see resolve.Resolver.
	Resolve(from, spec string) resolve.Result
	// Config returns the content of a go.mod or go.work. Configs returns the sorted paths of all
	// such files with a base name.
	Config(path string) ([]byte, bool)
	Configs(base string) []string
}

// Target is the declaration that a use means: the file, and the byte where the
// declared name begins. The zero Target is a declaration outside the repository. A
// local variable has a target, too, although it is no symbol of the index.
type Target struct {
	Path   string
	Offset uint32
}

// Use is one use of a name: the byte it starts at, and its declaration.
type Use struct {
	Start  uint32
	Target Target
}

// File lists the resolved names of one file, in the order of their bytes. A name
// that is missing could not be resolved.
type File struct {
	Path string
	Uses []Use
}

// Method is one method of a type's method set. Print is a hash that is equal for
// methods of equal name and signature. A promoted method's Target is its declaration
// in the embedded type.
type Method struct {
	Name   string
	Print  uint64
	Target Target
}

// Type is a type declared at package level together with the methods of its
// pointer, sorted by name. Generic types and interfaces with type sets have none.
type Type struct {
	Target    Target
	Interface bool
	Methods   []Method
}

// Part is the result for the files of one package directory that are compiled together.
type Part struct {
	Files []File
	// Deps are the directories of the repository whose declarations the result depends on, its own among them, sorted.
	Deps []string
	// Problem is the reason why the part could not be checked, "" if it was. Files is empty then.
	Problem string
	Types   []Type
	Errors  int // number of type errors inside function bodies, which leave names unresolved
}

// Package is the result for one directory: the files that are not tests, the tests inside the package, and those of the
// package x_test.
type Package struct {
	Dir          string
	Lib, In, Ext Part
}

// Parts returns the parts of a package in their order.
func (p *Package) Parts() []*Part { return []*Part{&p.Lib, &p.In, &p.Ext} }

// NoFiles is the problem of a package none of whose files the platform builds.
const NoFiles = "no Go files for this platform"

// maxSource is the number of source bytes whose views are kept for importers before all are dropped; in memory they take
// about four times that.
const maxSource = 160 << 20

// Checker checks package after package. Packages of one module should come one after
// the other, because views are kept only as long as the module stays the same. It is
// not safe for concurrent use.
type Checker struct {
	env  Env
	tree Tree
	fset *token.FileSet
	std  map[string]*view // of GOROOT, by import path
	all  map[string]*view // of one build, by place.key
	ids  map[string]int32 // directories of the repository
	dirs []string
	mods *modules
	list *buildList // of the packages in all
	size int        // bytes of source in std and all
	ctxs [2]build.Context
	fail error // the error of ctx, which ends a check
}

// New returns a checker. The environment locates GOROOT and the module cache.
func New(env Env, tree Tree) *Checker {
	c := &Checker{env: env, tree: tree, ids: map[string]int32{}, mods: newModules(tree, env)}
	for i := range c.ctxs {
		c.ctxs[i] = env.context(i == 1)
	}
	c.forget()
	return c
}

// forget drops all packages that are kept for importers.
func (c *Checker) forget() {
	c.fset = token.NewFileSet()
	c.std, c.all, c.size = map[string]*view{}, map[string]*view{}, 0
}

// Module returns the go.mod of the module that a directory belongs to and the go.work
// that uses it, "" where there is none.
func (c *Checker) Module(dir string) (mod, work string) {
	m := c.mods.owner(dir)
	if m == nil {
		return "", ""
	}
	return m.file, m.work
}

// use switches to the build that a directory belongs to.
func (c *Checker) use(dir string) *module {
	m := c.mods.owner(dir)
	if m == nil {
		return nil
	}
	list := c.mods.list(m)
	if list != c.list {
		c.all = map[string]*view{}
		c.list = list
	}
	if c.size > maxSource {
		c.forget()
	}
	return m
}

// Check checks the package in a directory. It returns the error of ctx; problems of the package are in its parts.
func (c *Checker) Check(ctx context.Context, dir string) (*Package, error) {
	p := &Package{Dir: dir}
	m := c.use(dir)
	if m == nil {
		p.fail("no go.mod")
		return p, ctx.Err()
	}
	c.fail = nil
	u := &unit{c: c, ctx: ctx, dir: dir, path: m.importPath(dir), out: p}
	u.run()
	if c.fail == nil {
		c.fail = ctx.Err()
	}
	return p, c.fail
}

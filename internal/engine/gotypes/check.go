package gotypes

import (
	"cmp"
	"context"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"
)

// unit holds the state of checking one directory.
type unit struct {
	c    *Checker
	ctx  context.Context
	dir  string
	path string
	out  *Package
}

// run checks the package as it is built, with the tests inside it if they check, too, and then its external tests.
func (u *unit) run() {
	at := place{tree: true, dir: u.dir, path: u.path}
	src, err := u.c.parse(at, true)
	if err != nil {
		u.out.fail(problem(at, err))
		return
	}
	defer func() {
		for _, f := range slices.Concat(src.lib, src.in, src.ext) {
			u.c.drop(f.ast)
		}
	}()
	lib := &u.out.Lib
	u.library(at, src)
	if lib.Problem != "" && len(src.lib) > 0 {
		deps := lib.Deps
		u.out.fail(lib.Problem)
		lib.Deps = deps
		return
	}
	u.out.In.Deps, u.out.Ext.Deps = lib.Deps, lib.Deps
	u.tests(at, src)
}

// fail records a problem of all parts.
func (p *Package) fail(why string) {
	for _, part := range p.Parts() {
		part.fail(why)
		part.Deps = []string{p.Dir}
	}
}

// library checks the files of a package that are not tests.
func (u *unit) library(at place, src *sources) {
	lib := &u.out.Lib
	lib.Deps = []string{u.dir}
	if len(src.lib) == 0 {
		lib.Problem = NoFiles
		return
	}
	v, err := u.c.load(u, at, nil)
	if err != nil {
		lib.Problem = err.Error()
		return
	}
	lib.Deps = u.c.names(v.deps)
	if v.missing != "" {
		lib.Problem = v.missing
		return
	}
	u.full(at, src.lib, src.lib, lib, nil)
}

// tests checks the tests: those inside the package together with it, the external ones with the package as extended by
// those.
func (u *unit) tests(at place, src *sources) {
	if len(src.in) > 0 {
		u.full(at, slices.Concat(src.lib, src.in), src.in, &u.out.In, nil)
	}
	if len(src.ext) == 0 {
		return
	}
	ext := &u.out.Ext
	var over *externalTestView
	if len(src.in) > 0 {
		if over = u.newOverlay(at, ext); over == nil {
			return
		}
	}
	u.full(place{tree: true, dir: u.dir, path: u.path + "_test"}, src.ext, src.ext, ext, over)
}

// newOverlay makes the package together with the tests inside it, as an external test package sees it.
func (u *unit) newOverlay(at place, test *Part) *externalTestView {
	over := &externalTestView{c: u.c, dir: u.dir, views: map[string]*view{}}
	again, err := u.c.parse(at, true)
	if err != nil {
		test.fail(problem(at, err))
		return nil
	}
	v := &view{busy: true}
	over.views[at.key()] = v
	u.c.fill(u, v, at, slices.Concat(again.lib, again.in), nil)
	v.busy = false
	if v.missing != "" {
		test.fail(v.missing)
		return nil
	}
	return over
}

func (p *Part) fail(why string) { p.Problem, p.Files, p.Types, p.Errors = why, nil, nil, 0 }

// full checks files including the bodies of their functions, and collects the uses of names in the wanted files.
func (u *unit) full(at place, files, wanted []*source, part *Part, over *externalTestView) {
	if part.Problem != "" {
		return
	}
	info := &types.Info{Uses: map[*ast.Ident]types.Object{}}
	im := &importer{c: u.c, u: u, from: at, files: files, over: over}
	conf := u.c.config(im)
	first := ""
	conf.Error = func(err error) {
		te, ok := err.(types.Error)
		switch {
		case ok && te.Soft:
		case ok && inBody(files, te.Pos):
			part.Errors++
		case first == "":
			first = problem(at, err)
		}
	}
	pkg := u.c.check(&conf, at.path, files, info, &first)
	own := []int32{u.c.id(u.dir)}
	for _, d := range part.Deps {
		own = append(own, u.c.id(d))
	}
	part.Deps = u.c.names(im.deps(own))
	if im.missing != "" {
		first = im.missing
	}
	if first != "" || pkg == nil {
		part.fail(cmp.Or(first, "not checked"))
		return
	}
	u.collect(info, wanted, part)
	for _, t := range u.c.packageTypes(pkg) {
		if slices.ContainsFunc(wanted, func(s *source) bool { return s.path == t.Target.Path }) {
			part.Types = append(part.Types, t)
		}
	}
}

// inBody reports whether a position is inside a function body of one of the files.
func inBody(files []*source, pos token.Pos) bool {
	for _, f := range files {
		if pos < f.ast.FileStart || pos >= f.ast.FileEnd {
			continue
		}
		for _, d := range f.ast.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok && fn.Body != nil && fn.Body.Pos() <= pos && pos < fn.Body.End() {
				return true
			}
		}
	}
	return false
}

// collect sorts the checker's map of uses into lists by file.
func (u *unit) collect(info *types.Info, wanted []*source, part *Part) {
	byPos := map[*token.File]*File{}
	for _, s := range wanted {
		part.Files = append(part.Files, File{Path: s.path})
	}
	for i, s := range wanted {
		byPos[s.pos] = &part.Files[len(part.Files)-len(wanted)+i]
	}
	for id, obj := range info.Uses {
		tf := u.c.fset.File(id.Pos())
		f := byPos[tf]
		if f == nil {
			continue
		}
		if t, ok := u.c.target(obj); ok {
			f.Uses = append(f.Uses, Use{Start: uint32(tf.Offset(id.Pos())), Target: t})
		}
	}
	for _, f := range byPos {
		slices.SortFunc(f.Uses, func(a, b Use) int { return cmp.Compare(a.Start, b.Start) })
	}
}

// target returns the declaration of an object. It returns false for the local name of an import and for a label, to
// which no other file can refer.
func (c *Checker) target(obj types.Object) (Target, bool) {
	switch o := obj.(type) {
	case *types.PkgName, *types.Label:
		return Target{}, false
	case *types.Func:
		obj = o.Origin()
	case *types.Var:
		obj = o.Origin()
	}
	return c.declaration(obj), true
}

// declaration returns the place of an object's name in its declaration, the zero Target outside the repository.
func (c *Checker) declaration(obj types.Object) Target {
	f := c.fset.File(obj.Pos())
	if f == nil {
		return Target{}
	}
	i := strings.LastIndexByte(f.Name(), '/')
	dir, name := f.Name()[:max(i, 0)], f.Name()[i+1:]
	if _, ours := c.ids[dir]; !ours || strings.HasPrefix(f.Name(), "/") {
		return Target{}
	}
	return Target{Path: under(dir, name), Offset: uint32(f.Offset(obj.Pos()))}
}

// names returns the directories of ids, sorted.
func (c *Checker) names(ids []int32) []string {
	out := make([]string, len(ids))
	for i, id := range ids {
		out[i] = c.dirs[id]
	}
	slices.Sort(out)
	return out
}

func under(dir, name string) string {
	if dir == "" {
		return name
	}
	return dir + "/" + name
}

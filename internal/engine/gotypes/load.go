package gotypes

import (
	"bytes"
	"errors"
	"fmt"
	"go/ast"
	"go/build"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"ken/internal/statefile"
)

// place locates a package: in the repository, in GOROOT or in the module cache.
type place struct {
	tree bool
	std  bool
	dir  string // relative to the root, or absolute
	path string // import path
}

func (p place) key() string {
	if p.tree {
		return "./" + p.dir
	}
	return p.dir
}

// view is a package in the form that its importers see: without function bodies and tests.
type view struct {
	pkg     *types.Package
	deps    []int32 // directories of the repository it depends on, ascending, its own among them
	missing string  // reason why it is incomplete: it or a package it imports is missing or does not check
	busy    bool    // being loaded; meeting it again means an import cycle
}

// errMissing reports an import that cannot be found offline.
var errMissing = errors.New("not in the repository, GOROOT or the module cache")

// id numbers a directory of the repository.
func (c *Checker) id(dir string) int32 {
	i, ok := c.ids[dir]
	if !ok {
		i = int32(len(c.dirs))
		c.ids[dir], c.dirs = i, append(c.dirs, dir)
	}
	return i
}

// valid reports whether an import path can be joined to a directory.
func valid(spec string) bool {
	if spec == "" || strings.ContainsAny(spec, "\\\x00:") {
		return false
	}
	for seg := range strings.SplitSeq(spec, "/") {
		if seg == "" || seg == "." || seg == ".." {
			return false
		}
	}
	return true
}

// locate finds the package that an import names. from is the importing package, file one of its files if it is in the
// repository. It returns errMissing if there is none.
func (c *Checker) locate(from place, file, spec string) (place, error) {
	if from.std {
		return c.locateStd(spec)
	}
	if !from.tree {
		if p, err := c.locateStd(spec); err == nil && !strings.Contains(firstSegment(spec), ".") {
			return p, nil
		}
		file = c.list.anchor // a module outside sees the packages of the main module's build
	}
	res := c.tree.Resolve(file, spec)
	if res.IsDir && len(c.tree.GoFiles(res.Dir)) > 0 {
		return place{tree: true, dir: res.Dir, path: spec}, nil
	}
	if !valid(spec) {
		return place{}, errMissing
	}
	if !strings.Contains(firstSegment(spec), ".") {
		if p, err := c.locateStd(spec); err == nil {
			return p, nil
		}
	}
	if dir, ok := c.list.packageDir(c.env, spec); ok {
		return place{dir: dir, path: spec}, nil
	}
	return place{}, errMissing
}

func firstSegment(spec string) string {
	s, _, _ := strings.Cut(spec, "/")
	return s
}

func (c *Checker) locateStd(spec string) (place, error) {
	if c.env.GOROOT == "" || !valid(spec) {
		return place{}, errMissing
	}
	src := filepath.Join(c.env.GOROOT, "src")
	for _, dir := range []string{filepath.Join(src, filepath.FromSlash(spec)), filepath.Join(src, "vendor", filepath.FromSlash(spec))} {
		if c.std[dir] != nil {
			return place{std: true, dir: dir, path: spec}, nil
		}
		if st, err := os.Stat(dir); err == nil && st.IsDir() {
			return place{std: true, dir: dir, path: spec}, nil
		}
	}
	return place{}, errMissing
}

// sources are the files of a package directory, by the part they are compiled into.
type sources struct {
	lib, in, ext []*source // in: tests inside the package; ext: those of package x_test
}

// source is one parsed file.
type source struct {
	path string // relative to the root; "" outside of the repository
	ast  *ast.File
	pos  *token.File
}

// parse reads the files of a package that the platform's build would compile.
func (c *Checker) parse(p place, tests bool) (*sources, error) {
	var names []string
	if p.tree {
		names = c.tree.GoFiles(p.dir)
	} else {
		list, err := os.ReadDir(p.dir)
		if err != nil {
			return nil, err
		}
		for _, e := range list {
			if strings.HasSuffix(e.Name(), ".go") && e.Type().IsRegular() {
				names = append(names, e.Name())
			}
		}
	}
	s := &sources{}
	for _, n := range names {
		test := strings.HasSuffix(n, "_test.go")
		if test && !tests {
			continue
		}
		f, err := c.parseFile(p, n, !p.tree)
		if err != nil {
			return nil, err
		}
		switch {
		case f == nil:
		case !test:
			s.lib = append(s.lib, f)
		case strings.HasSuffix(f.ast.Name.Name, "_test"):
			s.ext = append(s.ext, f)
		default:
			s.in = append(s.in, f)
		}
	}
	return s, nil
}

// maxOutside is the size up to which a file outside the repository is read.
const maxOutside = 16 << 20

// parseFile parses one file, nil if the build leaves it out. It returns an error if the file cannot be read or has
// syntax errors.
func (c *Checker) parseFile(p place, name string, outside bool) (*source, error) {
	var src []byte
	var err error
	if outside {
		src, err = statefile.ReadFollow(filepath.Join(p.dir, name), maxOutside)
	} else {
		src, err = c.tree.Read(path.Join(p.dir, name))
	}
	if err != nil {
		return nil, err
	}
	ctxt := c.ctxs[0]
	if p.std {
		ctxt = c.ctxs[1]
	}
	if !matches(ctxt, name, src) {
		return nil, nil
	}
	at := filepath.Join(p.dir, name)
	f, err := parser.ParseFile(c.fset, at, src, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	importsC := slices.ContainsFunc(f.Imports, func(s *ast.ImportSpec) bool { return s.Path.Value == `"C"` })
	if !ctxt.CgoEnabled && importsC {
		c.drop(f)
		return nil, nil
	}
	s := &source{ast: f, pos: c.fset.File(f.FileStart)}
	if p.tree {
		s.path = path.Join(p.dir, name)
	}
	return s, nil
}

// drop frees the memory that the positions in a parsed file take.
func (c *Checker) drop(f *ast.File) {
	if t := c.fset.File(f.FileStart); t != nil {
		c.fset.RemoveFile(t)
	}
}

// matches reports whether a file satisfies the constraints of a build.
func matches(ctxt build.Context, name string, src []byte) bool {
	ctxt.OpenFile = func(string) (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(src)), nil }
	ok, err := ctxt.MatchFile("/", name)
	return ok && err == nil
}

// load returns the view of the package at a place.
func (c *Checker) load(u *unit, p place, over *externalTestView) (*view, error) {
	views := c.all
	if p.std {
		views = c.std
	}
	v := views[p.key()]
	if v == nil {
		v = &view{busy: true}
		views[p.key()] = v
		c.fill(u, v, p, nil, nil)
		v.busy = false
	}
	if v.busy {
		return nil, errors.New("import cycle")
	}
	if over != nil && p.tree {
		if _, depends := slices.BinarySearch(v.deps, c.id(over.dir)); depends {
			return over.load(u, p)
		}
	}
	return v, nil
}

// fill type-checks a package without function bodies. files are its parsed files, nil if they are not parsed yet.
func (c *Checker) fill(u *unit, v *view, p place, files []*source, over *externalTestView) {
	if p.tree {
		v.deps = []int32{c.id(p.dir)}
	}
	if err := u.ctx.Err(); err != nil {
		c.fail, v.missing = err, "interrupted"
		return
	}
	if files == nil {
		s, err := c.parse(p, false)
		if err != nil {
			v.missing = problem(p, err)
			return
		}
		files = s.lib
	}
	if len(files) == 0 {
		v.missing = "no Go files for this platform in " + p.path
		return
	}
	for _, f := range files {
		c.size += f.pos.Size()
		strip(f.ast)
	}
	im := &importer{c: c, u: u, from: p, files: files, over: over}
	first := ""
	conf := c.config(im)
	conf.IgnoreFuncBodies = true
	conf.Error = func(err error) {
		if first == "" {
			first = problem(p, err)
		}
	}
	v.pkg = c.check(&conf, p.path, files, nil, &first)
	v.deps, v.missing = im.deps(v.deps), im.missing
	if v.missing == "" && p.tree {
		v.missing = first
	}
}

// strip empties the bodies of functions, because importers do not see them.
func strip(f *ast.File) {
	f.Comments = nil
	for _, d := range f.Decls {
		if fn, ok := d.(*ast.FuncDecl); ok && fn.Body != nil {
			fn.Body = &ast.BlockStmt{Lbrace: fn.Body.Lbrace, Rbrace: fn.Body.Lbrace}
		}
	}
}

func (c *Checker) config(im *importer) types.Config {
	return types.Config{Importer: im, FakeImportC: true, Sizes: types.SizesFor("gc", c.env.GOARCH), DisableUnusedImportCheck: true}
}

// check runs the type checker. If it panics on hostile source, that is a problem of the package like any other.
func (c *Checker) check(conf *types.Config, path string, files []*source, info *types.Info, first *string) (pkg *types.Package) {
	list := make([]*ast.File, len(files))
	for i, f := range files {
		list[i] = f.ast
	}
	defer func() {
		if r := recover(); r != nil {
			*first, pkg = fmt.Sprintf("%s: the type checker gave up", path), nil
		}
	}()
	pkg, _ = conf.Check(path, c.fset, list, info)
	return pkg
}

// problem describes an error of a package: on one line, without absolute paths and without the literals of the
// source, which may be secrets.
func problem(p place, err error) string {
	msg := err.Error()
	var te types.Error
	if errors.As(err, &te) {
		msg = fmt.Sprintf("%s:%d: %s", path.Base(filepath.ToSlash(te.Fset.File(te.Pos).Name())), te.Fset.Position(te.Pos).Line, te.Msg)
	}
	msg, _, _ = strings.Cut(msg, "\n")
	msg = withoutLiterals(strings.ReplaceAll(msg, p.dir+string(filepath.Separator), ""))
	if len(msg) > maxProblem {
		msg = strings.ToValidUTF8(msg[:maxProblem], "") + " …"
	}
	return p.path + ": " + msg
}

// withoutLiterals omits the quoted parts of a message, except single characters, and long numbers.
func withoutLiterals(msg string) string {
	var b strings.Builder
	for i := 0; i < len(msg); {
		n := literal(msg[i:])
		switch {
		case n == 0:
			b.WriteByte(msg[i])
			n = 1
		case n <= 3:
			b.WriteString(msg[i : i+n])
		default:
			b.WriteString("…")
		}
		i += n
	}
	return b.String()
}

// literal returns the length of the literal that a text begins with, 0 without one. An unclosed literal extends to the
// end.
func literal(s string) int {
	switch q := s[0]; q {
	case '"', '`', '\'':
		for i := 1; i < len(s); i++ {
			if s[i] == '\\' && q != '`' {
				i++
			} else if s[i] == q {
				return i + 1
			}
		}
		return len(s)
	}
	n := 0
	for n < len(s) && s[n] >= '0' && s[n] <= '9' {
		n++
	}
	if n <= 4 { // a line, a version
		return 0
	}
	return n
}

// maxProblem bounds the text of a type error, in bytes.
const maxProblem = 200

// importer resolves the imports of one package and records the views they lead to.
type importer struct {
	c       *Checker
	u       *unit
	from    place
	files   []*source
	over    *externalTestView
	views   []*view
	missing string
}

// Import implements types.Importer. It returns an error if the package is missing or nothing could be checked of it. One
// that was checked with errors is returned, and recorded in missing.
func (im *importer) Import(spec string) (*types.Package, error) {
	if spec == "unsafe" {
		return types.Unsafe, nil
	}
	file := ""
	if im.from.tree {
		file = im.files[0].path
	}
	p, err := im.c.locate(im.from, file, spec)
	if err != nil {
		im.miss(fmt.Sprintf("import %q is %s", spec, err))
		return nil, err
	}
	v, err := im.c.load(im.u, p, im.over)
	if err != nil {
		im.miss(fmt.Sprintf("import %q: %s", spec, err))
		return nil, err
	}
	im.views = append(im.views, v)
	if v.missing != "" {
		im.miss(v.missing)
	}
	if v.pkg == nil {
		im.miss(fmt.Sprintf("import %q could not be checked", spec))
		return nil, errMissing
	}
	return v.pkg, nil
}

func (im *importer) miss(why string) {
	if im.missing == "" {
		im.missing = why
	}
}

// deps returns the directories that all imports depend on, and own.
func (im *importer) deps(own []int32) []int32 {
	out := own
	for _, v := range im.views {
		if len(v.deps) > 0 {
			out = append(out, v.deps...)
		}
	}
	slices.Sort(out)
	return slices.Clip(slices.Compact(out))
}

// externalTestView holds the packages as an external test sees them: the tested package extended by the tests inside it, and the
// packages that lie between the two, loaded again on top of it.
type externalTestView struct {
	c     *Checker
	dir   string
	views map[string]*view
}

func (o *externalTestView) load(u *unit, p place) (*view, error) {
	v := o.views[p.key()]
	if v == nil {
		v = &view{busy: true}
		o.views[p.key()] = v
		o.c.fill(u, v, p, nil, o)
		v.busy = false
	}
	if v.busy {
		return nil, errors.New("import cycle")
	}
	return v, nil
}

package resolve

import (
	"path"
	"slices"
	"strings"

	"ken/internal/code"
)

// Rust: a module's file follows from the module path, relative to the root of its target
// (https://doc.rust-lang.org/reference/items/modules.html and the layout of Cargo). The mod declarations themselves are
// not needed for that, except where #[path] breaks the rule: such a file is reached by its own `mod`, and paths through
// it end at its parent.

// rustResolver resolves Rust modules and paths.
type rustResolver struct {
	t       Tree
	crates  map[string]*crate // by directory; nil until loaded
	byLib   map[string][]*crate
	nearest map[string]*crate // directory → crate it belongs to
	memo    map[rustQuery]rustPlace
}

type rustQuery struct {
	from, spec string
	mod        bool
}

// rustPlace is the target of a module path: the file of the deepest module, and the directory of that module's
// children if all segments of the path are modules.
type rustPlace struct {
	file     string
	children string
	whole    bool
	external string
	std      bool
	probes   []string
}

func (r *rustResolver) resolve(from string, imp *code.Import) Result {
	r.loadCrates()
	q := rustQuery{from, imp.Spec, imp.Kind == code.ImportMod}
	place, ok := r.memo[q]
	if !ok {
		f := rustFinder{rustResolver: r, probe: probe{t: r.t}, from: from}
		place = f.find(q)
		place.probes = f.keys
		r.memo[q] = place
	}
	res := Result{File: place.file, External: place.external, Std: place.std, Probes: place.probes}
	if !place.whole || len(imp.Names) == 0 {
		return res
	}
	p := &probe{t: r.t, keys: slices.Clone(place.probes)}
	for _, n := range imp.Names {
		name := strings.TrimPrefix(n.Name, "r#")
		if !isModuleName(name) {
			continue
		}
		if file, _ := p.rustModule(place.children, name); file != "" {
			if res.Subs == nil {
				res.Subs = map[string]string{}
			}
			res.Subs[n.Name] = file
		}
	}
	res.Probes = p.keys
	return res
}

// isModuleName reports whether a name may be a module: it is neither self nor "*", and not capitalised like a type.
func isModuleName(s string) bool {
	switch s {
	case "", "self", "*":
		return false
	}
	return !isUpper(s[0]) && !strings.ContainsAny(s, "/\\.:")
}

// rustModule finds the file of a module in the directory children, and the directory of the module's own children.
func (p *probe) rustModule(children, name string) (file, dir string) {
	dir = under(children, name)
	if p.hasExt(dir, ".rs") {
		return dir + ".rs", dir
	}
	if p.t.Has(dir + "/mod.rs") { // under the same key
		return dir + "/mod.rs", dir
	}
	return "", ""
}

// rustFinder resolves one module path.
type rustFinder struct {
	*rustResolver
	probe
	from     string
	crate    *crate // nil without a Cargo.toml
	base     string // directory of the target's root
	roots    []string
	children string // directory of the importing file's child modules
}

func (f *rustFinder) find(q rustQuery) rustPlace {
	f.crate = f.crateAround(code.Dir(f.from))
	f.locate()
	if q.mod {
		return f.mod(q.spec)
	}
	segs := strings.Split(strings.TrimPrefix(q.spec, "::"), "::")
	if len(segs) > maxSegments {
		return rustPlace{}
	}
	if strings.HasPrefix(q.spec, "path:") {
		place := f.mod(segs[0])
		if place.file == "" || len(segs) == 1 {
			return place
		}
		return f.walk(place.file, place.children, segs[1:])
	}
	for i := range segs {
		segs[i] = strings.TrimPrefix(strings.TrimSpace(segs[i]), "r#")
	}
	switch first := segs[0]; {
	case strings.HasPrefix(q.spec, "::"):
		return f.extern(segs)
	case first == "crate" || first == "$crate":
		return f.walk(f.root(), f.base, segs[1:])
	case first == "self" || first == "super":
		return f.relative(segs)
	}
	// A name that is both a module in scope and a crate is an error, so a name
	// known to be a crate need not be probed for.
	if f.knownCrate(segs[0]) {
		return f.extern(segs)
	}
	if file, dir, n := f.step(f.children, segs); n > 0 {
		return f.walk(file, dir, segs[n:])
	}
	return f.extern(segs)
}

// mod finds the file of `mod x;`, of "a::x" inside inline modules, or of the path in #[path] ("path:y.rs").
func (f *rustFinder) mod(spec string) rustPlace {
	if spec, ok := strings.CutPrefix(spec, "path:"); ok {
		for _, dir := range []string{code.Dir(f.from), f.children} {
			if p, ok := join(dir, spec); ok && f.has(p) {
				return rustPlace{file: p, children: code.Dir(p), whole: true}
			}
		}
		return rustPlace{}
	}
	rel := strings.ReplaceAll(strings.ReplaceAll(spec, "r#", ""), "::", "/")
	for _, dir := range []string{f.children, code.Dir(f.from)} { // the second: included by #[path]
		if file, children := f.rustModule(dir, rel); file != "" && file != f.from {
			return rustPlace{file: file, children: children, whole: true}
		}
	}
	return rustPlace{}
}

// relative resolves a path that begins with self or super.
func (f *rustFinder) relative(segs []string) rustPlace {
	file, dir := f.from, f.children
	for len(segs) > 0 && (segs[0] == "self" || segs[0] == "super") {
		if segs[0] == "super" {
			if dir == f.base || !inside(f.base, dir) {
				return rustPlace{}
			}
			dir = code.Dir(dir)
			file = f.moduleAt(dir)
		}
		segs = segs[1:]
	}
	return f.walk(file, dir, segs)
}

// moduleAt returns the file of the module whose child modules are in dir. An inline module is in the file of the
// enclosing module.
func (f *rustFinder) moduleAt(dir string) string {
	for ; dir != f.base && inside(f.base, dir); dir = code.Dir(dir) {
		if file, _ := f.rustModule(code.Dir(dir), path.Base(dir)); file != "" {
			return file
		}
	}
	return f.root()
}

// root returns the root file, such as lib.rs, of the target to which the importing file belongs.
func (f *rustFinder) root() string {
	for _, root := range f.roots {
		if f.has(root) {
			return root
		}
	}
	return ""
}

// walk follows the names segs down the module tree, from the module in file whose child modules are in dir, as far as there are files.
func (f *rustFinder) walk(file, dir string, segs []string) rustPlace {
	for len(segs) > 0 {
		next, children, n := f.step(dir, segs)
		if n == 0 {
			return rustPlace{file: file}
		}
		file, dir, segs = next, children, segs[n:]
	}
	return rustPlace{file: file, children: dir, whole: true}
}

// step finds the child module in dir with which segs begin, and the number of names that it takes: two if an inline
// module (`mod a { mod b; }`) has no file.
func (f *rustFinder) step(dir string, segs []string) (file, children string, n int) {
	if !isModuleName(segs[0]) {
		return "", "", 0
	}
	if file, children = f.rustModule(dir, segs[0]); file != "" {
		return file, children, 1
	}
	if len(segs) > 1 && isModuleName(segs[1]) {
		if file, children = f.rustModule(under(dir, segs[0]), segs[1]); file != "" {
			return file, children, 2
		}
	}
	return "", "", 0
}

// extern resolves a path that starts with the name of a crate.
func (f *rustFinder) extern(segs []string) rustPlace {
	name := segs[0]
	if c := f.crateNamed(name); c != nil {
		root := ""
		if f.has(c.libPath) {
			root = c.libPath
		}
		return f.walk(root, code.Dir(c.libPath), segs[1:])
	}
	if isRustStd(name) {
		return rustPlace{external: name, std: true}
	}
	if f.crate == nil {
		if isModuleName(name) {
			return rustPlace{external: name}
		}
		return rustPlace{}
	}
	if dep, ok := f.crate.deps[name]; ok {
		return rustPlace{external: dep.pkg}
	}
	return f.unbound(segs)
}

// unbound resolves a path whose first name is neither a child module nor a crate of Cargo.toml. It may be in scope by
// `use super::*`, at any level up to the root (in edition 2015 that of the root always is), or by an `extern crate a_x
// as x` at the root; otherwise it is an item of the file itself.
func (f *rustFinder) unbound(segs []string) rustPlace {
	name := segs[0]
	if !isModuleName(name) {
		return rustPlace{}
	}
	for d := f.children; d != f.base && inside(f.base, d); {
		d = code.Dir(d)
		if file, dir, n := f.step(d, segs); n > 0 {
			return f.walk(file, dir, segs[n:])
		}
	}
	for _, key := range f.crate.depNames {
		if strings.HasSuffix(key, "_"+name) {
			return rustPlace{external: f.crate.deps[key].pkg}
		}
	}
	if strings.HasPrefix(name, "rustc_") { // a compiler's own crates are in no Cargo.toml
		return rustPlace{external: name}
	}
	return rustPlace{}
}

// knownCrate reports whether a name is a crate of the standard library or a dependency.
func (f *rustFinder) knownCrate(name string) bool {
	if f.crate != nil {
		if _, ok := f.crate.deps[name]; ok {
			return true
		}
	}
	return isRustStd(name) && name != "test" // "test" is as often a module
}

func isRustStd(name string) bool {
	switch name {
	case "std", "core", "alloc", "proc_macro", "test":
		return true
	}
	return false
}

// crateNamed finds the crate of the repository that code calls name: the library of the same package, a dependency by
// path, a package of the same workspace, or a package elsewhere in the repository if the package depends on one with
// that name.
func (f *rustFinder) crateNamed(name string) *crate {
	pkg := name
	declared := f.crate == nil
	if c := f.crate; c != nil {
		if c.lib == name {
			return c
		}
		if dep, ok := c.deps[name]; ok {
			declared = true
			if dep.local && f.crates[dep.dir] != nil {
				return f.crates[dep.dir]
			}
			pkg = rustName(dep.pkg)
		}
	}
	var other *crate
	for _, c := range f.byLib[pkg] {
		if f.crate != nil && c.hasWork && f.crate.hasWork && c.work == f.crate.work {
			return c
		}
		if other == nil || common(c.dir, f.from) > common(other.dir, f.from) {
			other = c
		}
	}
	if declared {
		return other
	}
	return nil
}

// crateAround returns the package to which a directory belongs, or nil.
func (r *rustResolver) crateAround(dir string) *crate {
	if c, ok := r.nearest[dir]; ok {
		return c
	}
	c := r.crates[dir]
	if c == nil && dir != "" {
		c = r.crateAround(code.Dir(dir))
	}
	r.nearest[dir] = c
	return c
}

// locate finds the target (library, binary, test) of the importing file and the directory of the file's child modules.
func (f *rustFinder) locate() {
	f.target()
	dir, base := code.Dir(f.from), path.Base(f.from)
	if base == "mod.rs" || len(f.roots) == 1 && f.roots[0] == f.from {
		f.children = dir
		return
	}
	f.children = under(dir, strings.TrimSuffix(base, ".rs"))
}

// target sets base and roots of the importing file's target by the layout of a Cargo package.
func (f *rustFinder) target() {
	itself := func() { f.base, f.roots = code.Dir(f.from), []string{f.from} }
	c := f.crate
	if c == nil {
		f.targetWithoutCargo()
		return
	}
	if slices.Contains(c.roots, f.from) || f.from == c.libPath {
		itself()
		return
	}
	rel := relTo(c.dir, f.from)
	segs := strings.Split(rel, "/")
	if len(segs) > 2 && segs[0] == "src" && segs[1] == "bin" {
		segs = append([]string{"src/bin"}, segs[2:]...)
	}
	switch folder := segs[0]; {
	case rel == "build.rs" || rel == "src/main.rs":
		itself()
	case folder == "src/bin" || folder == "tests" || folder == "examples" || folder == "benches":
		if len(segs) == 2 {
			itself()
			return
		}
		f.base = under(c.dir, folder+"/"+segs[1])
		f.roots = []string{f.base + "/main.rs"}
		if f.from != f.roots[0] && !f.has(f.roots[0]) {
			f.base, f.roots = under(c.dir, folder), nil
		}
	default:
		f.libTarget()
	}
}

// libTarget sets base and roots for files of the library or the main binary.
func (f *rustFinder) libTarget() {
	c := f.crate
	f.base = code.Dir(c.libPath)
	f.roots = []string{c.libPath, under(f.base, "main.rs")}
	best := -1
	for base, root := range c.bases {
		if inside(base, f.from) && len(base) > best && len(base) > len(f.base) {
			best = len(base)
			f.base, f.roots = base, []string{root}
		}
	}
	if !inside(f.base, f.from) {
		f.base = code.Dir(f.from)
	}
}

// targetWithoutCargo sets base and roots to the nearest directory that has a lib.rs or main.rs.
func (f *rustFinder) targetWithoutCargo() {
	f.base, f.roots = code.Dir(f.from), nil
	if base := path.Base(f.from); base == "lib.rs" || base == "main.rs" {
		f.roots = []string{f.from}
		return
	}
	ancestors(code.Dir(f.from), func(d string) bool {
		for _, name := range []string{"lib.rs", "main.rs"} {
			if f.has(under(d, name)) {
				f.base, f.roots = d, []string{under(d, name)}
				return true
			}
		}
		return false
	})
}

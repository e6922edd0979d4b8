package resolve

import (
	"path"
	"slices"
	"strings"

	"ken/internal/code"
	"ken/internal/lang"
)

// PHP: composer.json lists the directories of the classes below a prefix (PSR-4, PSR-0). Without an entry, a class is
// sought in the directories that hold files of its namespace, and failing that the namespace itself is the result: the
// engine picks the file that declares the name, as it does for functions and constants.

// phpResolver resolves PHP use declarations and includes.
type phpResolver struct {
	t        Tree
	loaded   bool
	packages []phpPackage // by dir
	memo     map[phpQuery]Result
}

type phpQuery struct {
	dir, spec string
	callable  bool // a function or constant
	require   bool
}

func (r *phpResolver) resolve(from string, imp *code.Import) Result {
	q := phpQuery{dir: code.Dir(from), spec: imp.Spec, callable: imp.Static, require: imp.Kind == code.ImportRequire}
	res, ok := r.memo[q]
	if !ok {
		if r.load(); q.require {
			res = r.include(q)
		} else {
			res = r.find(q)
		}
		r.memo[q] = res
	}
	return res
}

func (r *phpResolver) load() {
	if r.loaded {
		return
	}
	r.loaded = true
	for _, p := range r.t.Configs("composer.json") {
		content, _ := config(r.t, p)
		r.packages = append(r.packages, newPHPPackage(code.Dir(p), parseComposer(content)))
	}
}

// include resolves the path of an include or require. A path that begins with a dot is relative to the file. Other
// paths are tried relative to the file, to the packages around it and to the repository, the usual values of
// include_path.
func (r *phpResolver) include(q phpQuery) Result {
	p := &probe{t: r.t}
	dirs := []string{q.dir}
	if !isRelative(q.spec) {
		ancestors(q.dir, func(d string) bool {
			if d != q.dir && (d == "" || slices.ContainsFunc(r.packages, func(c phpPackage) bool { return c.dir == d })) {
				dirs = append(dirs, d)
			}
			return false
		})
	}
	if strings.HasPrefix(q.spec, "/") || strings.Contains(q.spec, "://") {
		return Result{External: "php", Std: true}
	}
	for _, d := range dirs {
		if target, ok := join(d, path.Clean(q.spec)); ok && p.has(target) {
			return Result{File: target, Probes: p.keys}
		}
	}
	return Result{Probes: p.keys}
}

func (r *phpResolver) find(q phpQuery) Result {
	segs := strings.Split(q.spec, `\`)
	if len(segs) > maxSegments || slices.Contains(segs, "") || strings.Contains(q.spec, "/") {
		return Result{}
	}
	p := &probe{t: r.t}
	if !q.callable {
		if file, ok := r.autoload(p, q); ok {
			return Result{File: file, Probes: p.keys}
		}
	}
	name := segs[len(segs)-1]
	space := strings.Join(segs[:len(segs)-1], `\`)
	p.note(lang.PackageKey(langPHP, space))
	dirs := slices.Clone(r.t.PackageDirs(langPHP, space))
	if file, ok := r.beside(p, q, dirs, name); ok && !q.callable {
		return Result{File: file, Probes: p.keys}
	}
	switch {
	case space == "": // built in, unless a file outside any namespace declares it
		res := Result{External: "php", Std: true, Probes: p.keys}
		res.IsPackage = len(dirs) > 0
		return res
	case len(dirs) > 0:
		return Result{Package: space, IsPackage: true, Probes: p.keys}
	}
	p.note(lang.PackageKey(langPHP, q.spec))
	if len(r.t.PackageDirs(langPHP, q.spec)) > 0 { // use A\B for B\C
		return Result{Package: q.spec, IsPackage: true, Probes: p.keys}
	}
	if r.ours(q) {
		return Result{Probes: p.keys}
	}
	return Result{External: strings.Join(segs[:min(2, len(segs))], `\`), Probes: p.keys}
}

// autoload finds the file of a class by the rules of each composer.json above the file, the nearest first, then by those
// of the others.
func (r *phpResolver) autoload(p *probe, q phpQuery) (string, bool) {
	try := func(c *phpPackage) (string, bool) {
		for _, root := range c.roots {
			if file, ok := root.file(q.spec); ok && p.has(file) {
				return file, true
			}
		}
		return "", false
	}
	var found string
	if ancestors(q.dir, func(d string) bool {
		i, ok := slices.BinarySearchFunc(r.packages, d, func(c phpPackage, d string) int { return strings.Compare(c.dir, d) })
		if ok {
			found, ok = try(&r.packages[i])
		}
		return ok
	}) {
		return found, true
	}
	for i := range r.packages {
		if file, ok := try(&r.packages[i]); ok && !inside(r.packages[i].dir, q.dir) {
			return file, true
		}
	}
	return "", false
}

// file returns the path at which the root is expected to hold a class.
func (root *phpRoot) file(class string) (string, bool) {
	rest, ok := strings.CutPrefix(class, root.prefix)
	if !ok || rest == "" {
		return "", false
	}
	if root.old {
		space, name := "", class
		if i := strings.LastIndexByte(class, '\\'); i >= 0 {
			space, name = strings.ReplaceAll(class[:i+1], `\`, "/"), class[i+1:]
		}
		return under(root.dir, space+strings.ReplaceAll(name, "_", "/")+".php"), true
	}
	if root.prefix != "" && !strings.HasSuffix(root.prefix, `\`) && rest[0] != '\\' {
		return "", false
	}
	return under(root.dir, strings.ReplaceAll(strings.TrimPrefix(rest, `\`), `\`, "/")+".php"), true
}

// beside returns the file with the name of a class in the directories of the class's
// namespace, the nearest first.
func (r *phpResolver) beside(p *probe, q phpQuery, dirs []string, name string) (string, bool) {
	if len(dirs) > maxBeside {
		return "", false
	}
	slices.SortStableFunc(dirs, func(a, b string) int { return common(b, q.dir) - common(a, q.dir) })
	for _, d := range dirs {
		if f := under(d, name+".php"); p.has(f) {
			return f, true
		}
	}
	return "", false
}

// maxBeside is the number of directories of a namespace up to which its classes are looked for in files of their
// names.
const maxBeside = 16

// ours reports whether a name that has no file has a prefix that a composer.json of the repository claims.
func (r *phpResolver) ours(q phpQuery) bool {
	for i := range r.packages {
		for _, root := range r.packages[i].roots {
			if root.prefix != "" && strings.HasPrefix(q.spec, root.prefix) {
				return true
			}
		}
	}
	return false
}

package resolve

import (
	"cmp"
	"slices"
	"strings"

	"ken/internal/code"
)

// Go: an import path belongs to the module with the longest path that is a prefix of it. Modules are sought in the
// places of the go command (the main module, its replacements, the workspace) and then anywhere in the repository,
// because a repository whose modules require each other by version is still one code base to its reader.
// https://go.dev/ref/mod

// goResolver resolves Go imports.
type goResolver struct {
	t       Tree
	loaded  bool
	modules []goModule       // sorted by dir
	byPath  map[string][]int // module path → modules
	owners  map[string]int   // directory → nearest module, -1 if none
	memo    map[goQuery]Result
}

// goModule is one go.mod, with replacements and directory of the go.work that uses it.
type goModule struct {
	dir     string
	path    string
	replace map[string]string // module path → directory inside the repository
	work    string            // directory of the go.work that uses it
	inWork  bool
}

type goQuery struct {
	module int
	dir    string // the directory of the import, only if it matters: outside of modules and in testdata
	spec   string
}

func (g *goResolver) resolve(from string, imp *code.Import) Result {
	g.load()
	dir := code.Dir(from)
	q := goQuery{module: g.owner(dir), spec: imp.Spec}
	if q.module < 0 || isHidden(dir) || isRelative(imp.Spec) {
		q.dir = dir
	}
	res, ok := g.memo[q]
	if !ok {
		res = g.find(q.module, dir, imp.Spec)
		g.memo[q] = res
	}
	return res
}

func (g *goResolver) find(module int, dir, spec string) Result {
	if spec == "C" {
		return Result{External: "C", Std: true}
	}
	if isRelative(spec) {
		target, ok := join(dir, spec)
		if !ok {
			return Result{}
		}
		return goPackage(target)
	}
	spec = strings.Trim(spec, "/")
	if target, ok := g.inModules(module, dir, spec); ok {
		return goPackage(target)
	}
	p := &probe{t: g.t}
	if target, ok := g.inStd(p, module, spec); ok {
		return Result{Dir: target, IsDir: true, Probes: p.keys}
	}
	first, _, _ := strings.Cut(spec, "/")
	std := !strings.Contains(first, ".")
	if std && module >= 0 {
		return Result{External: spec, Std: true, Probes: p.keys}
	}
	if target, ok := g.vendorDir(p, module, dir, spec); ok {
		return Result{Dir: target, IsDir: true, Probes: append(p.keys, target+"/")}
	}
	if std {
		return Result{External: spec, Std: true, Probes: p.keys}
	}
	return Result{External: goModulePath(spec), Probes: p.keys}
}

// goPackage returns the result for the package in a directory. Its only probe, a path to check again after changes, is
// the directory, because only the engine knows which files are in it.
func goPackage(dir string) Result {
	return Result{Dir: dir, IsDir: true, Probes: []string{dir + "/"}}
}

// inModules looks for a package in the modules whose paths are prefixes of spec, longest first. module and dir are those of the importing
// file.
func (g *goResolver) inModules(module int, dir, spec string) (string, bool) {
	for prefix := spec; prefix != ""; prefix = code.Dir(prefix) {
		if root, ok := g.moduleDir(module, dir, prefix); ok {
			return join(root, spec[len(prefix):])
		}
	}
	return "", false
}

// moduleDir returns the directory of the module called path, as the importing file
// sees it. module and dir are those of that file.
func (g *goResolver) moduleDir(module int, dir, path string) (string, bool) {
	if module >= 0 {
		if root, ok := g.modules[module].replace[path]; ok {
			return root, true
		}
	}
	best, bestRank := -1, [3]int{}
	for _, m := range g.byPath[path] {
		if rank := g.rank(module, dir, m); best < 0 && rank[0] > 0 || best >= 0 && slices.Compare(rank[:], bestRank[:]) > 0 {
			best, bestRank = m, rank
		}
	}
	if best < 0 {
		return "", false
	}
	return g.modules[best].dir, true
}

// rank orders modules with the same path for a file in module and dir: its own
// module, then those of the same workspace, then the closest. The first number
// is 0 if the importing file cannot mean module m, because m is test data of
// others.
func (g *goResolver) rank(module int, dir string, m int) [3]int {
	mod := &g.modules[m]
	near := common(mod.dir, dir)
	switch {
	case m == module:
		return [3]int{3, near, 0}
	case module >= 0 && mod.inWork && g.modules[module].inWork && mod.work == g.modules[module].work:
		return [3]int{2, near, 0}
	case isHidden(mod.dir) && !sharesHidden(mod.dir, dir):
		return [3]int{}
	}
	return [3]int{1, near, -len(mod.dir)}
}

// isHidden reports whether the go command skips dir in patterns such as "./...".
func isHidden(dir string) bool {
	for seg := range strings.SplitSeq(dir, "/") {
		if seg == "testdata" || seg == "vendor" || strings.HasPrefix(seg, "_") {
			return true
		}
	}
	return false
}

// sharesHidden reports whether moduleDir is in a hidden directory that also contains dir.
func sharesHidden(moduleDir, dir string) bool {
	top := moduleDir
	for d := moduleDir; isHidden(d); d = code.Dir(d) {
		top = d
	}
	return inside(top, dir)
}

// inStd finds a package in the repository of Go itself, whose modules are called std and cmd while their packages are
// imported without or with that prefix.
func (g *goResolver) inStd(p *probe, module int, spec string) (string, bool) {
	if module < 0 || g.modules[module].path != "std" && g.modules[module].path != "cmd" {
		return "", false
	}
	for _, m := range g.byPath["std"] {
		if dir := under(g.modules[m].dir, spec); p.hasBelow(dir) {
			return dir, true
		}
	}
	return "", false
}

// vendorDir looks for a package in the vendor directories of the module and its
// workspace. Without a module (GOPATH) it looks in those of all directories
// above.
func (g *goResolver) vendorDir(p *probe, module int, dir, spec string) (string, bool) {
	var found string
	try := func(root string) bool {
		found = under(under(root, "vendor"), spec)
		return p.hasBelow(found)
	}
	if module < 0 {
		return found, ancestors(dir, try)
	}
	m := &g.modules[module]
	if try(m.dir) {
		return found, true
	}
	return found, m.inWork && m.work != m.dir && try(m.work)
}

// goModulePath guesses the module of a package outside the repository from the conventions of well-known hosts such as github.com.
func goModulePath(spec string) string {
	segs := strings.Split(spec, "/")
	n := 2
	switch segs[0] {
	case "github.com", "gitlab.com", "bitbucket.org", "golang.org", "go.googlesource.com":
		n = 3
	case "gopkg.in":
		if len(segs) > 1 && !strings.Contains(segs[1], ".v") {
			n = 3
		}
	}
	if len(segs) > n && len(segs[n]) > 1 && segs[n][0] == 'v' && strings.Trim(segs[n][1:], "0123456789") == "" {
		n++
	}
	return strings.Join(segs[:min(n, len(segs))], "/")
}

// owner returns the index of the module that contains dir, or -1.
func (g *goResolver) owner(dir string) int {
	if m, ok := g.owners[dir]; ok {
		return m
	}
	m, found := slices.BinarySearchFunc(g.modules, dir, func(m goModule, dir string) int { return cmp.Compare(m.dir, dir) })
	if !found {
		m = -1
		if dir != "" {
			m = g.owner(code.Dir(dir))
		}
	}
	g.owners[dir] = m
	return m
}

// load reads every go.mod and go.work once.
func (g *goResolver) load() {
	if g.loaded {
		return
	}
	g.loaded = true
	files := map[string]goModFile{}
	for _, p := range g.t.Configs("go.mod") {
		content, _ := config(g.t, p)
		files[code.Dir(p)] = parseGoMod(content)
		g.modules = append(g.modules, goModule{dir: code.Dir(p), path: files[code.Dir(p)].Module})
	}
	slices.SortFunc(g.modules, func(a, b goModule) int { return cmp.Compare(a.dir, b.dir) })
	g.byPath = map[string][]int{}
	for i := range g.modules {
		m := &g.modules[i]
		m.replace = map[string]string{}
		g.addReplaces(m, m.dir, files[m.dir].Replace)
		if m.path != "" {
			g.byPath[m.path] = append(g.byPath[m.path], i)
		}
	}
	for _, p := range g.t.Configs("go.work") {
		g.loadWork(code.Dir(p), p)
	}
}

// loadWork marks the modules that a go.work file uses. If several files use
// one module, the nearest above it counts.
func (g *goResolver) loadWork(dir, file string) {
	content, _ := config(g.t, file)
	work := parseGoMod(content)
	for _, use := range work.Use {
		target, ok := join(dir, use)
		if !ok {
			continue
		}
		i, found := slices.BinarySearchFunc(g.modules, target, func(m goModule, dir string) int { return cmp.Compare(m.dir, dir) })
		if !found || g.modules[i].inWork && len(g.modules[i].work) >= len(dir) {
			continue
		}
		g.modules[i].inWork, g.modules[i].work = true, dir
		g.addReplaces(&g.modules[i], dir, work.Replace)
	}
}

// addReplaces records those replacements of a go.mod or go.work whose target is a directory with a module.
func (g *goResolver) addReplaces(m *goModule, dir string, replaces []goReplace) {
	for _, r := range replaces {
		target, ok := join(dir, r.New)
		if !ok || !isRelative(r.New) {
			continue
		}
		if _, ok := g.t.Config(under(target, "go.mod")); ok {
			m.replace[r.Old] = target
		}
	}
}

// isRelative reports whether a path starts with "." or "..".
func isRelative(s string) bool {
	return s == "." || s == ".." || strings.HasPrefix(s, "./") || strings.HasPrefix(s, "../")
}

package resolve

import (
	"slices"
	"strings"

	"ken/internal/code"
)

// Python: the import system (https://docs.python.org/3/reference/import.html) with the search path that the project
// implies. The path itself is not in the tree, so it is guessed: the first directory above the importing file that is
// not a package, then the source roots of the projects around it.

// pythonResolver resolves Python imports.
type pythonResolver struct {
	t        Tree
	loaded   bool
	projects []pyProject // innermost first
	byName   map[string][]int
	roots    map[string][]string // directory → source roots of the projects above it
	memo     map[pyQuery]pyModule
}

type pyQuery struct{ dir, spec string }

// pyModule is the target of a dotted Python name.
type pyModule struct {
	file     string
	dirs     []string // package directories that may hold submodules
	maybe    bool     // dirs may not exist: candidates for a namespace package
	external string
	std      bool
	probes   []string
}

// maxPyProjects is the number of projects in a repository up to which code of one can import packages of any other.
// In a larger repository a package must have the name of its project.
const maxPyProjects = 8

func (r *pythonResolver) resolve(from string, imp *code.Import) Result {
	r.load()
	q := pyQuery{code.Dir(from), imp.Spec}
	m, ok := r.memo[q]
	if !ok {
		m = r.find(q.dir, q.spec)
		r.memo[q] = m
	}
	return r.withNames(m, imp.Names)
}

// withNames returns the result for a module, with the imported names that are modules themselves.
func (r *pythonResolver) withNames(m pyModule, names []code.ImportName) Result {
	res := Result{File: m.file, External: m.external, Std: m.std, Probes: m.probes}
	if len(m.dirs) == 0 || len(names) == 0 {
		return res
	}
	p := &probe{t: r.t, keys: slices.Clone(m.probes)}
	for _, dir := range m.dirs {
		if m.maybe && !p.hasBelow(dir) {
			continue
		}
		for _, n := range names {
			if !isPyName(n.Name) || res.Subs[n.Name] != "" {
				continue
			}
			if file, _ := p.pyModule(under(dir, n.Name)); file != "" {
				if res.Subs == nil {
					res.Subs = map[string]string{}
					res.Dir, res.External, res.Std = dir, "", false
				}
				res.Subs[n.Name] = file
			}
		}
	}
	res.Probes = p.keys
	return res
}

// pyModule finds the file of a module, whose path without extension is stem, in the order of Python's path finder: first
// a package, then a file; a stub (.pyi) only if there is no source.
func (p *probe) pyModule(stem string) (file string, isPackage bool) {
	p.note(stem)
	for _, suffix := range [...]string{"/__init__.py", ".py", "/__init__.pyi", ".pyi", ".pyx"} {
		path := stem + suffix
		if stem == "" {
			path = strings.TrimPrefix(suffix, "/")
		}
		if p.t.Has(path) {
			return path, suffix[0] == '/'
		}
	}
	return "", false
}

func isPyName(s string) bool { return s != "" && !strings.ContainsAny(s, "*./\\") }

func (r *pythonResolver) find(dir, spec string) pyModule {
	p := &probe{t: r.t}
	var m pyModule
	rest := strings.TrimLeft(spec, ".")
	segs := strings.Split(rest, ".")
	switch {
	case len(segs) > maxSegments || rest != "" && slices.ContainsFunc(segs, func(s string) bool { return !isPyName(s) }):
	case rest != spec:
		m = p.pyRelative(dir, len(spec)-len(rest), strings.ReplaceAll(rest, ".", "/"))
	default:
		m = r.absolute(p, dir, segs)
	}
	m.probes = p.keys
	return m
}

// pyRelative finds the module of an import with leading dots. rest is the name after them.
func (p *probe) pyRelative(dir string, dots int, rest string) pyModule {
	for ; dots > 1; dots-- {
		if dir == "" {
			return pyModule{}
		}
		dir = code.Dir(dir)
	}
	target := under(dir, rest)
	file, isPackage := p.pyModule(target)
	if file != "" && !isPackage {
		return pyModule{file: file}
	}
	return pyModule{file: file, dirs: []string{target}}
}

// absolute searches the search path for a module. The whole name is looked for first, because a regular module in any
// directory precedes a namespace package.
func (r *pythonResolver) absolute(p *probe, dir string, segs []string) pyModule {
	rel := strings.Join(segs, "/")
	first := dir
	ancestors(dir, func(d string) bool {
		first = d
		return !p.has(under(d, "__init__.py"))
	})
	if m, ok := p.pyAt(first, rel); ok {
		return m
	}
	if isPythonStd(segs[0]) {
		return pyModule{external: strings.Join(segs, "."), std: true}
	}
	roots := r.searchPath(first, segs[0])
	for _, root := range roots[1:] {
		if m, ok := p.pyAt(root, rel); ok {
			return m
		}
	}
	m := pyModule{external: segs[0], maybe: true}
	for _, root := range roots {
		m.dirs = append(m.dirs, under(root, rel))
		if file, _ := p.pyModule(under(root, segs[0])); file != "" {
			m.external = "" // the package is ours, the module is missing
		}
	}
	return m
}

func (p *probe) pyAt(root, rel string) (pyModule, bool) {
	file, isPackage := p.pyModule(under(root, rel))
	if isPackage {
		return pyModule{file: file, dirs: []string{under(root, rel)}}, true
	}
	return pyModule{file: file}, file != ""
}

// searchPath returns the directories that may hold top-level packages: first, the source roots of the projects
// around it, the directories above it, and the roots of other projects that may hold the package top.
func (r *pythonResolver) searchPath(first, top string) []string {
	path := []string{first}
	add := func(dirs ...string) {
		for _, d := range dirs {
			if !slices.Contains(path, d) {
				path = append(path, d)
			}
		}
	}
	add(r.rootsAbove(first)...)
	ancestors(first, func(d string) bool { add(d); return len(path) > maxSegments })
	add("src")
	for _, i := range r.byName[pyNormal(top)] {
		add(r.projects[i].roots...)
	}
	if len(r.projects) <= maxPyProjects {
		for _, project := range r.projects {
			add(project.roots...)
		}
	}
	return path
}

// rootsAbove returns the source roots of the projects whose directories contain dir.
func (r *pythonResolver) rootsAbove(dir string) []string {
	if roots, ok := r.roots[dir]; ok {
		return roots
	}
	var roots []string
	for _, p := range r.projects {
		if inside(p.dir, dir) {
			roots = append(roots, p.roots...)
		}
	}
	r.roots[dir] = roots
	return roots
}

// pyNormal returns the name of a distribution package as an import usually spells it.
func pyNormal(name string) string {
	return strings.ToLower(strings.NewReplacer("-", "_", ".", "_").Replace(name))
}

// load reads the projects of the repository.
func (r *pythonResolver) load() {
	if r.loaded {
		return
	}
	r.loaded = true
	byDir := map[string]*pyProject{}
	for _, base := range []string{"pyproject.toml", "setup.cfg", "setup.py"} {
		for _, file := range r.t.Configs(base) {
			content, _ := config(r.t, file)
			dir := code.Dir(file)
			p := byDir[dir]
			if p == nil {
				p = &pyProject{dir: dir}
				byDir[dir] = p
			}
			p.add(parsePyConfig(base, content))
		}
	}
	for _, p := range byDir {
		p.addRoot("src")
		p.addRoot("")
		r.projects = append(r.projects, *p)
	}
	slices.SortFunc(r.projects, func(a, b pyProject) int {
		if n := len(b.dir) - len(a.dir); n != 0 {
			return n
		}
		return strings.Compare(a.dir, b.dir)
	})
	r.byName = map[string][]int{}
	for i, p := range r.projects {
		for _, name := range p.names {
			r.byName[name] = append(r.byName[name], i)
		}
	}
}

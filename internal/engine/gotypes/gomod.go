package gotypes

import (
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"ken/internal/code"
)

// modFile holds the lines of a go.mod or go.work that matter for finding packages
// outside the repository. (Imports inside of it are resolved by engine/resolve.)
// Unknown and broken lines are left out. See https://go.dev/ref/mod.
type modFile struct {
	path    string // module path
	goLine  string // "1.22"
	require []version
	replace []replacement
	use     []string
}

type version struct{ path, version string }

// replacement replaces old (any version, if it has none) by new; a new path without version is a directory.
type replacement struct{ old, new version }

func parseMod(content []byte) modFile {
	var f modFile
	block := ""
	for line := range strings.Lines(string(content)) {
		w := words(line)
		switch {
		case len(w) == 0:
		case block != "" && w[0] == ")":
			block = ""
		case block != "":
			f.directive(block, w)
		case len(w) == 2 && w[1] == "(":
			block = w[0]
		default:
			f.directive(w[0], w[1:])
		}
	}
	return f
}

func words(line string) []string {
	line, _, _ = strings.Cut(line, "//")
	w := strings.Fields(line)
	for i := range w {
		if s, err := strconv.Unquote(w[i]); err == nil {
			w[i] = s
		}
	}
	return w
}

func (f *modFile) directive(verb string, a []string) {
	switch {
	case len(a) == 0:
	case verb == "module":
		f.path = a[0]
	case verb == "go":
		f.goLine = a[0]
	case verb == "use":
		f.use = append(f.use, a[0])
	case verb == "require" && len(a) >= 2:
		f.require = append(f.require, version{a[0], a[1]})
	case verb == "replace":
		i := slices.Index(a, "=>")
		if i < 1 || i > 2 || len(a) <= i+1 {
			return
		}
		r := replacement{old: version{path: a[0]}, new: version{path: a[i+1]}}
		if i == 2 {
			r.old.version = a[1]
		}
		if len(a) > i+2 {
			r.new.version = a[i+2]
		}
		f.replace = append(f.replace, r)
	}
}

// module is a go.mod of the repository.
type module struct {
	dir, file string
	work      string // path of the go.work that uses it
	mod       modFile
}

// importPath returns the path of the package in a directory of the module.
func (m *module) importPath(dir string) string {
	return strings.TrimSuffix(m.mod.path+"/"+strings.TrimPrefix(strings.TrimPrefix(dir, m.dir), "/"), "/")
}

// modules are the modules of the repository and the builds they belong to.
type modules struct {
	tree  Tree
	env   Env
	byDir map[string]*module
	works map[string]modFile
	lists map[string]*buildList // by file of the go.work or go.mod
}

// buildList holds the selected version of each outside module in a build.
type buildList struct {
	anchor   string            // a path in the main module, from which modules outside resolve imports
	versions map[string]string // module path → version
	replaced map[string]version
}

func newModules(tree Tree, env Env) *modules {
	ms := &modules{tree: tree, env: env, byDir: map[string]*module{}, works: map[string]modFile{}, lists: map[string]*buildList{}}
	for _, p := range tree.Configs("go.mod") {
		content, _ := tree.Config(p)
		m := &module{dir: code.Dir(p), file: p, mod: parseMod(content)}
		if m.mod.path != "" {
			ms.byDir[m.dir] = m
		}
	}
	for _, p := range tree.Configs("go.work") {
		content, _ := tree.Config(p)
		f := parseMod(content)
		ms.works[p] = f
		for _, use := range f.use {
			dir := clean(code.Dir(p), use)
			if m := ms.byDir[dir]; m != nil && (m.work == "" || len(m.work) < len(p)) {
				m.work = p
			}
		}
	}
	return ms
}

// clean joins a directory and a relative path from go.work. It returns "?" if the result is outside the repository.
func clean(dir, rel string) string {
	p := filepath.ToSlash(filepath.Clean(filepath.Join(dir, filepath.FromSlash(rel))))
	switch {
	case p == ".":
		return ""
	case p == ".." || strings.HasPrefix(p, "../") || strings.HasPrefix(p, "/"):
		return "?"
	}
	return p
}

// owner returns the module that a directory belongs to, that of the nearest go.mod above it; nil if there is none.
func (ms *modules) owner(dir string) *module {
	for {
		if m := ms.byDir[dir]; m != nil {
			return m
		}
		if dir == "" {
			return nil
		}
		dir = code.Dir(dir)
	}
}

// list returns the build list of a module or of the workspace it is in.
func (ms *modules) list(m *module) *buildList {
	key := m.file
	if m.work != "" {
		key = m.work
	}
	if l := ms.lists[key]; l != nil {
		return l
	}
	roots := []*module{m}
	var extra []replacement
	if m.work != "" {
		roots = roots[:0]
		for _, o := range ms.byDir {
			if o.work == m.work {
				roots = append(roots, o)
			}
		}
		slices.SortFunc(roots, func(a, b *module) int { return strings.Compare(a.dir, b.dir) })
		extra = ms.works[m.work].replace
	}
	l := ms.makeList(roots, extra)
	ms.lists[key] = l
	return l
}

func (ms *modules) makeList(roots []*module, extra []replacement) *buildList {
	l := &buildList{anchor: under(roots[0].dir, "x.go"), versions: map[string]string{}, replaced: map[string]version{}}
	var replace []replacement
	for _, r := range roots {
		replace = append(replace, r.mod.replace...)
	}
	replace = append(replace, extra...) // the workspace's override those of the modules
	var queue []version
	add := func(list []version) {
		for _, v := range list {
			if have, ok := l.versions[v.path]; !ok || compareVersions(v.version, have) > 0 {
				l.versions[v.path] = v.version
				queue = append(queue, v)
			}
		}
	}
	graph := false
	for _, r := range roots {
		add(r.mod.require)
		graph = graph || compareVersions(r.mod.goLine, "1.17") < 0
	}
	// Before Go 1.17 a go.mod does not list indirect requirements: they are in the
	// go.mod files of the cache, by minimal version selection over their graph.
	for i := 0; graph && i < len(queue) && i < maxGraph; i++ {
		v := queue[i]
		if r, ok := findReplacement(replace, v); ok {
			v = r
		}
		if content, ok := ms.env.cachedMod(v); ok {
			f := parseMod(content)
			add(f.require)
		}
	}
	for path, v := range l.versions {
		if r, ok := findReplacement(replace, version{path, v}); ok {
			l.replaced[path] = r
		}
	}
	return l
}

// maxGraph bounds the number of module versions whose requirements are followed.
const maxGraph = 20_000

func findReplacement(list []replacement, v version) (version, bool) {
	for i := len(list) - 1; i >= 0; i-- {
		if r := list[i]; r.old.path == v.path && (r.old.version == "" || r.old.version == v.version) {
			return r.new, true
		}
	}
	return version{}, false
}

// cachedMod returns the go.mod of a module version in the cache.
func (e Env) cachedMod(v version) ([]byte, bool) {
	path, ok := escape(v.path)
	ver, ok2 := escape(v.version)
	if !ok || !ok2 || e.ModCache == "" {
		return nil, false
	}
	b, err := os.ReadFile(filepath.Join(e.ModCache, "cache", "download", filepath.FromSlash(path), "@v", ver+".mod"))
	return b, err == nil
}

// packageDir returns the directory of a package of the build in the module cache, if it is there.
func (l *buildList) packageDir(e Env, spec string) (string, bool) {
	if e.ModCache == "" {
		return "", false
	}
	for prefix := spec; prefix != ""; prefix = code.Dir(prefix) {
		v, ok := l.versions[prefix]
		if !ok {
			continue
		}
		at := version{prefix, v}
		if r, ok := l.replaced[prefix]; ok {
			if at = r; r.version == "" {
				continue // a directory: engine/resolve finds those inside the repository, and ken ignores those outside
			}
		}
		path, ok := escape(at.path)
		ver, ok2 := escape(at.version)
		if !ok || !ok2 {
			continue
		}
		dir := filepath.Join(e.ModCache, filepath.FromSlash(path)+"@"+ver, filepath.FromSlash(strings.TrimPrefix(spec[len(prefix):], "/")))
		if st, err := os.Stat(dir); err == nil && st.IsDir() {
			return dir, true
		}
	}
	return "", false
}

// escape returns the form of a module path or version in the cache: a capital becomes '!' and the small letter. It
// rejects any that could lead out of the cache.
func escape(s string) (string, bool) {
	var b strings.Builder
	for seg := range strings.SplitSeq(s, "/") {
		if seg == "" || seg[0] == '.' || seg[len(seg)-1] == '.' {
			return "", false
		}
		if b.Len() > 0 {
			b.WriteByte('/')
		}
		for i := range len(seg) {
			switch c := seg[i]; {
			case c >= 'A' && c <= 'Z':
				b.WriteByte('!')
				b.WriteByte(c + 'a' - 'A')
			case c >= 'a' && c <= 'z', c >= '0' && c <= '9', strings.IndexByte("-._~+", c) >= 0:
				b.WriteByte(c)
			default:
				return "", false
			}
		}
	}
	return b.String(), true
}

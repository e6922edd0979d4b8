package resolve

import (
	"path"
	"slices"
	"strings"

	"ken/internal/code"
)

// tsConfigFile holds the parts of a tsconfig.json or jsconfig.json that resolution needs, as written.
type tsConfigFile struct {
	Extends    []string
	BaseURL    string
	HasBase    bool
	Paths      []tsPath
	HasPaths   bool
	RootDirs   []string
	References []string
	Files      []string
	HasFiles   bool
	Include    []string
	HasInclude bool
	Exclude    []string
	HasExclude bool
}

// tsPath is an entry of "paths" in a tsconfig.json: a pattern with at most one "*", and its targets.
type tsPath struct {
	Pattern string
	Targets []string
}

func parseTSConfig(content []byte) tsConfigFile {
	v := parseJSON(content)
	opt := v.get("compilerOptions")
	f := tsConfigFile{
		Extends:    v.get("extends").strings(),
		BaseURL:    opt.get("baseUrl").Str,
		HasBase:    opt.get("baseUrl").Kind == valueString,
		HasPaths:   opt.get("paths").Kind == valueObject,
		RootDirs:   opt.get("rootDirs").strings(),
		Files:      v.get("files").strings(),
		HasFiles:   v.get("files").Kind == valueArray,
		Include:    v.get("include").strings(),
		HasInclude: v.get("include").Kind == valueArray,
		Exclude:    v.get("exclude").strings(),
		HasExclude: v.get("exclude").Kind == valueArray,
	}
	paths := opt.get("paths")
	for i, pattern := range paths.Keys {
		f.Paths = append(f.Paths, tsPath{pattern, paths.Items[i].strings()})
	}
	for _, ref := range v.get("references").Items {
		if p := ref.get("path").Str; p != "" {
			f.References = append(f.References, p)
		}
	}
	return f
}

// tsConfig is a configuration merged with those it extends. All directories are paths of the repository.
type tsConfig struct {
	file     string
	dir      string // of the file itself
	base     string // baseUrl
	hasBase  bool
	paths    []tsPath
	pathsDir string // base of the targets in paths
	rootDirs []string
	include  []string // globs, nil: everything below dir
	exclude  []string
	files    []string
	listed   bool // files or include is given: nothing else belongs to it
	refs     []string
}

// tsconfig loads a configuration file, nil if it is not indexed.
func (s *scriptResolver) tsconfig(file string) *tsConfig {
	if c, ok := s.configs[file]; ok {
		return c
	}
	l := &tsLoader{s: s, leaf: code.Dir(file), budget: 4 * maxExtends}
	c := l.load(file, nil)
	s.configs[file] = c
	return c
}

// tsLoader reads a configuration and those it extends.
type tsLoader struct {
	s      *scriptResolver
	leaf   string // the directory that ${configDir} means
	budget int    // files left to read: extends may be a diamond as well as a loop
}

// load merges a configuration file with the files that it extends. seen is the chain of files that led here.
func (l *tsLoader) load(file string, seen []string) *tsConfig {
	content, ok := config(l.s.t, file)
	if l.budget--; !ok || l.budget < 0 || len(seen) >= maxExtends || slices.Contains(seen, file) {
		return nil
	}
	seen = append(seen, file)
	f := parseTSConfig(content)
	c := &tsConfig{}
	for _, ext := range f.Extends {
		if target, ok := l.s.extendsFile(code.Dir(file), ext); ok {
			if base := l.load(target, seen); base != nil {
				c.inherit(base)
			}
		}
	}
	c.file, c.dir = file, code.Dir(file)
	c.apply(&f, c.dir, l.leaf)
	return c
}

// inherit copies the settings of base over those of c, as a later entry of "extends" does.
func (c *tsConfig) inherit(base *tsConfig) {
	if base.hasBase {
		c.base, c.hasBase = base.base, true
	}
	if base.paths != nil {
		c.paths, c.pathsDir = base.paths, base.pathsDir
	}
	if base.rootDirs != nil {
		c.rootDirs = base.rootDirs
	}
	if base.listed {
		c.listed, c.include, c.files = true, base.include, base.files
	}
	if base.exclude != nil {
		c.exclude = base.exclude
	}
}

func (c *tsConfig) apply(f *tsConfigFile, dir, leaf string) {
	if f.HasBase {
		c.base, c.hasBase = place(dir, leaf, f.BaseURL)
	}
	if f.HasPaths {
		c.paths, c.pathsDir = f.Paths, dir
		if c.paths == nil {
			c.paths = []tsPath{}
		}
		for i, p := range c.paths {
			for k, target := range p.Targets {
				if rest, ok := strings.CutPrefix(target, "${configDir}"); ok {
					c.paths[i].Targets[k] = "/" + under(leaf, strings.TrimPrefix(rest, "/"))
				}
			}
		}
	}
	if c.hasBase {
		c.pathsDir = c.base
	}
	if f.RootDirs != nil {
		c.rootDirs = places(dir, leaf, f.RootDirs)
	}
	if f.HasFiles || f.HasInclude {
		c.listed = true
		c.files, c.include = places(dir, leaf, f.Files), places(dir, leaf, f.Include)
	}
	if f.HasExclude {
		c.exclude = places(dir, leaf, f.Exclude)
	}
	c.refs = places(dir, leaf, f.References)
}

// place resolves the path p of a configuration in dir. leaf is the directory that ${configDir} stands for.
func place(dir, leaf, p string) (string, bool) {
	if rest, ok := strings.CutPrefix(p, "${configDir}"); ok {
		return join(leaf, "./"+rest)
	}
	if strings.HasPrefix(p, "/") {
		return "", false
	}
	return join(dir, p)
}

func places(dir, leaf string, list []string) []string {
	var out []string
	for _, p := range list {
		if q, ok := place(dir, leaf, p); ok {
			out = append(out, q)
		}
	}
	return out
}

// extendsFile finds the file that an "extends" names: by a relative path, or inside a package of the repository.
func (s *scriptResolver) extendsFile(dir, ext string) (string, bool) {
	target, ok := "", false
	if isRelative(ext) {
		target, ok = join(dir, ext)
	} else if name, sub := splitPackage(ext); name != "" {
		s.loadWorkspaces()
		var root string
		if root, ok = s.packageDir(dir, name); ok {
			target = under(root, sub)
		}
	}
	if !ok {
		return "", false
	}
	for _, p := range []string{target, target + ".json", under(target, "tsconfig.json")} {
		if _, ok := s.t.Config(p); ok {
			return p, true
		}
	}
	return "", false
}

// configsFor returns the configurations that may apply to a file, the likeliest first: those that include it before
// the others, the nearest first. TypeScript stops at the first that includes the file. Going on costs little, and
// helps if a configuration excludes tests.
func (s *scriptResolver) configsFor(file string) []*tsConfig {
	all := s.configsAbove(code.Dir(file))
	if len(all) < 2 {
		return all
	}
	apply := make([]*tsConfig, 0, len(all))
	var rest []*tsConfig
	for _, c := range all {
		if c.holds(file) {
			apply = append(apply, c)
		} else {
			rest = append(rest, c)
		}
	}
	return append(apply, rest...)
}

// configsAbove returns the configurations of dir and of the directories above it.
// Each follows those of its own directory to which it refers.
func (s *scriptResolver) configsAbove(dir string) []*tsConfig {
	if list, ok := s.above[dir]; ok {
		return list
	}
	var list []*tsConfig
	add := func(c *tsConfig) {
		if c != nil && !slices.Contains(list, c) && len(list) < maxSegments {
			list = append(list, c)
		}
	}
	for _, name := range []string{"tsconfig.json", "jsconfig.json"} {
		c := s.tsconfig(under(dir, name))
		if c == nil {
			continue
		}
		for _, ref := range c.refs {
			if !strings.HasSuffix(ref, ".json") {
				ref = under(ref, "tsconfig.json")
			}
			// A reference to another directory is found from there.
			if code.Dir(ref) == dir {
				add(s.tsconfig(ref))
			}
		}
		add(c)
	}
	if dir != "" {
		for _, c := range s.configsAbove(code.Dir(dir)) {
			add(c)
		}
	}
	s.above[dir] = list
	return list
}

// holds reports whether the configuration includes this file.
func (c *tsConfig) holds(file string) bool {
	if slices.Contains(c.files, file) {
		return true
	}
	if !c.listed {
		return inside(c.dir, file) && !matchesAny(c.exclude, file)
	}
	return matchesAny(c.include, file) && !matchesAny(c.exclude, file)
}

// matchesAny reports whether a glob matches the file or a directory above it, because an include without wildcard means
// a whole directory.
func matchesAny(globs []string, file string) bool {
	for _, g := range globs {
		if g == "" || globMatch(g, file) || globMatch(g+"/**", file) && !strings.Contains(path.Base(g), "*.") {
			return true
		}
	}
	return false
}

// mapPaths returns the targets that "paths" lists for a specifier: those of the exact pattern, or of the pattern with
// the longest part before its "*".
func (c *tsConfig) mapPaths(spec string) []string {
	best, star := -1, ""
	for i, p := range c.paths {
		pre, post, wild := strings.Cut(p.Pattern, "*")
		if !wild && p.Pattern == spec {
			best, star = i, ""
			break
		}
		middle, ok := between(spec, pre, post)
		longer := best < 0 || len(pre) > strings.IndexByte(c.paths[best].Pattern, '*')
		if wild && ok && longer {
			best, star = i, middle
		}
	}
	if best < 0 {
		return nil
	}
	var out []string
	for _, target := range c.paths[best].Targets {
		target = strings.Replace(target, "*", star, 1)
		if abs, ok := strings.CutPrefix(target, "/"); ok {
			out = append(out, path.Clean("/" + abs)[1:])
		} else if p, ok := join(c.pathsDir, target); ok {
			out = append(out, p)
		}
	}
	return out
}

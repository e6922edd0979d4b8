package resolve

import (
	"path"
	"slices"
	"strings"

	"ken/internal/code"
)

// Ruby: the load path of require, and the naming convention by which autoloaders find constants (Zeitwerk:
// lib/foo/bar_baz.rb defines Foo::BarBaz). The load path is built when a program runs, so it is guessed: the
// require_paths of the gemspecs, and lib, test, spec and app/* of the directories above the importing file. A constant
// is sought as Ruby does, in its namespace first and then further out.

// rubyResolver resolves Ruby imports.
type rubyResolver struct {
	t      Tree
	loaded bool
	gems   []rubyGem       // innermost first
	names  map[string]bool // of the gems, plain
	byDir  map[string]rubyPath
	memo   map[rubyQuery]Result
}

type rubyQuery struct {
	dir, spec string
	path      bool // a constant
}

// rubyPath lists the directories that are searched for the files and constants that a file uses.
type rubyPath struct {
	own    []string // of the gem and the directories around
	others []string // of other gems in the repository
}

// maxGems is the number of gems in a repository up to which code of one can load files of any other.
const maxGems = 64

// rubyLevels is the number of enclosing namespaces in which a constant is looked for.
const rubyLevels = 16

func (r *rubyResolver) resolve(from string, imp *code.Import) Result {
	r.load()
	q := rubyQuery{code.Dir(from), imp.Spec, imp.Kind == code.ImportPath}
	res, ok := r.memo[q]
	if !ok {
		if q.path {
			res = r.constant(q.dir, q.spec)
		} else {
			res = r.require(q.dir, q.spec)
		}
		r.memo[q] = res
	}
	if res.File == from && !q.path { // a library of the same name
		top, _, _ := strings.Cut(imp.Spec, "/")
		return Result{External: top, Probes: res.Probes}
	}
	return res
}

// load reads the gemspecs.
func (r *rubyResolver) load() {
	if r.loaded {
		return
	}
	r.loaded = true
	for _, file := range r.t.Configs("*.gemspec") {
		content, _ := config(r.t, file)
		r.gems = append(r.gems, newRubyGem(code.Dir(file), parseGemspec(content)))
		r.names[plainGemName(strings.TrimSuffix(path.Base(file), ".gemspec"))] = true
	}
	slices.SortStableFunc(r.gems, func(a, b rubyGem) int { return len(b.dir) - len(a.dir) })
}

// searchPathFor returns the search path of the files in dir.
func (r *rubyResolver) searchPathFor(dir string) rubyPath {
	if path, ok := r.byDir[dir]; ok {
		return path
	}
	var path rubyPath
	add := func(list *[]string, root string) {
		if !slices.Contains(path.own, root) && !slices.Contains(path.others, root) {
			*list = append(*list, root)
		}
	}
	for _, g := range r.gems {
		if inside(g.dir, dir) {
			for _, root := range g.roots {
				add(&path.own, root)
			}
		}
	}
	levels := 0
	ancestors(dir, func(d string) bool {
		r.roots(d, func(root string) { add(&path.own, root) })
		levels++
		return levels == rubyLevels
	})
	if len(r.gems) <= maxGems {
		for _, g := range r.gems {
			for _, root := range g.roots {
				add(&path.others, root)
			}
		}
	}
	r.byDir[dir] = path
	return path
}

// Ruby looks for one file in many places. The lookups do not record each place: a file is recorded by its name wherever
// it is ("**/site.rb"), one key instead of one for each place.

// roots calls add with the conventional source directories in d, such as lib. d itself is one unless it is inside another, because
// lib/foo holds Foo::X.
func (r *rubyResolver) roots(d string, add func(root string)) {
	if r.t.HasDir(under(d, "app")) {
		for _, kind := range rubyAppDirs {
			if root := under(d, "app/"+kind); r.t.HasDir(root) {
				add(root)
				if r.t.HasDir(root + "/concerns") {
					add(root + "/concerns")
				}
			}
		}
	}
	for _, sub := range [...]string{"lib", "test", "spec"} {
		if root := under(d, sub); r.t.HasDir(root) {
			add(root)
		}
	}
	if !inRubyRoot(d) {
		add(d)
	}
}

// inRubyRoot reports whether a directory is inside a directory called lib or app.
func inRubyRoot(d string) bool {
	for seg := range strings.SplitSeq(d, "/") {
		if seg == "lib" || seg == "app" {
			return true
		}
	}
	return false
}

// rubyAppDirs are the directories in app, in Rails applications, whose names are not part of constants.
var rubyAppDirs = [...]string{"models", "controllers", "helpers", "jobs", "mailers", "channels", "mailboxes", "services", "serializers", "policies", "workers",
	"components", "forms", "queries", "decorators", "presenters", "validators", "uploaders", "graphql", "lib", "interactors", "operations",
	"finders", "facades", "views", "inputs", "commands", "events", "notifiers", "subscribers", "api", "resources", "builders", "filters"}

// require finds the file that a call of require, require_relative, load or autoload loads.
func (r *rubyResolver) require(dir, spec string) Result {
	p := &probe{t: r.t}
	if strings.HasPrefix(spec, "./") || strings.HasPrefix(spec, "../") {
		target, ok := join(dir, spec)
		if !ok {
			return Result{}
		}
		return Result{File: p.rubyFile(target, p.has), Probes: p.keys}
	}
	if strings.HasPrefix(spec, "/") || strings.Contains(spec, "..") || strings.Count(spec, "/") > maxSegments {
		return Result{}
	}
	load := r.searchPathFor(dir)
	p.rubyFile("/"+spec, func(file string) bool { p.rubyNote(file); return false })
	for _, root := range load.own {
		if file := p.rubyFile(under(root, spec), p.t.Has); file != "" {
			return Result{File: file, Probes: p.keys}
		}
	}
	top, _, _ := strings.Cut(spec, "/")
	if isRubyStd(top) {
		return Result{External: spec, Std: true, Probes: p.keys}
	}
	for _, root := range load.others {
		if file := p.rubyFile(under(root, spec), p.t.Has); file != "" {
			return Result{File: file, Probes: p.keys}
		}
	}
	if r.ours(dir, top) {
		return Result{Probes: p.keys} // the namespace is ours, the file is missing
	}
	return Result{External: top, Probes: p.keys}
}

// rubyFile returns the file at the path target, with ".rb" if the path lacks it. has reports whether a file exists.
func (p *probe) rubyFile(target string, has func(path string) bool) string {
	if strings.HasSuffix(target, ".rb") || strings.HasSuffix(target, ".rake") || strings.HasSuffix(target, ".ru") {
		if has(target) {
			return target
		}
		return ""
	}
	if target != "" && has(target+".rb") {
		return target + ".rb"
	}
	return ""
}

// rubyNote records that a file of this name was looked for, in any directory.
func (p *probe) rubyNote(file string) { p.note("**/" + path.Base(file)) }

// ours reports whether the namespace top belongs to the repository: one of its gems has that name, or the requiring
// file is in a folder of that name. The tree is not consulted, because the answer only distinguishes a missing file
// from a library.
func (r *rubyResolver) ours(dir, top string) bool {
	return r.names[plainGemName(top)] || strings.Contains("/"+dir+"/", "/"+top+"/")
}

// plainGemName returns a name in lower case without separators, because gems and folders spell names
// differently: activerecord, active_record.
func plainGemName(name string) string {
	return strings.NewReplacer("_", "", "-", "").Replace(strings.ToLower(name))
}

// isRubyFile reports whether the name of a file is that of Ruby source.
func isRubyFile(base string) bool {
	switch path.Ext(base) {
	case ".rb", ".rake", ".ru":
		return true
	}
	return false
}

// constant finds the file that defines a constant. spec holds the namespace of the code that uses it, and the
// constant: "A::B>C::D".
func (r *rubyResolver) constant(dir, spec string) Result {
	nest, name, ok := strings.Cut(spec, ">")
	if !ok {
		nest, name = "", spec
	}
	name, top := strings.CutPrefix(name, "::")
	segs := strings.Split(name, "::")
	if len(segs) > maxSegments || slices.Contains(segs, "") || strings.Contains(name, "/") || strings.Contains(nest, "/") {
		return Result{}
	}
	load := r.searchPathFor(dir)
	p := &probe{t: r.t}
	for _, seg := range segs {
		p.rubyNote(rubySnake(seg) + ".rb")
		if flat := rubyFlat(seg); flat != "" {
			p.rubyNote(flat + ".rb")
		}
	}
	roots := slices.Concat(load.own, load.others)
	for range rubyLevels {
		if top || nest == "" {
			break
		}
		if file := p.rubyConstant(roots, rubyPathName(nest), segs); file != "" {
			return Result{File: file, Probes: p.keys}
		}
		nest = nest[:max(strings.LastIndex(nest, "::"), 0)]
	}
	if file := p.rubyConstant(roots, "", segs); file != "" {
		return Result{File: file, Probes: p.keys}
	}
	return r.outside(p, dir, segs, ok && len(segs) == 1)
}

// outside returns the result for a constant for which there is no file. A plain name inside a namespace can be anything:
// inherited, or declared in a file of another name.
func (r *rubyResolver) outside(p *probe, dir string, segs []string, plain bool) Result {
	if isRubyStdConstant(segs[0]) {
		return Result{External: rubyGemName(segs[0]), Std: true, Probes: p.keys}
	}
	if plain {
		return Result{Probes: p.keys}
	}
	if r.ours(dir, rubySnake(segs[0])) {
		return Result{Probes: p.keys}
	}
	return Result{External: rubyGemName(segs[0]), Probes: p.keys}
}

// rubyConstant looks for the file of the constant segs in a namespace, whose path below a root is nest. A constant
// without a file of its own is in the file of an enclosing namespace; a namespace may be spread over several roots.
func (p *probe) rubyConstant(roots []string, nest string, segs []string) (file string) {
	deepest := 0
	for _, root := range roots {
		dir := under(root, nest)
		if nest != "" && !p.t.HasDir(dir) {
			continue
		}
		f, depth := p.rubyDeepest(dir, segs)
		if depth > deepest {
			file, deepest = f, depth
		}
		if depth == len(segs) {
			break
		}
	}
	return file
}

// rubyDeepest returns the file of the longest prefix of a constant's name that has a file, and the number of segments in that prefix.
func (p *probe) rubyDeepest(dir string, segs []string) (file string, depth int) {
	for i, seg := range segs {
		stem := under(dir, rubySnake(seg))
		if p.t.Has(stem + ".rb") {
			file, depth = stem+".rb", i+1
		} else if flat := rubyFlat(seg); flat != "" && p.t.Has(under(dir, flat)+".rb") {
			stem = under(dir, flat)
			file, depth = stem+".rb", i+1
		}
		if i+1 < len(segs) && !p.t.HasDir(stem) {
			break
		}
		dir = stem
	}
	return file, depth
}

// rubyPathName returns the path of a namespace, in the spelling of folders.
func rubyPathName(nest string) string {
	segs := strings.Split(nest, "::")
	for i, s := range segs {
		segs[i] = rubySnake(s)
	}
	return strings.Join(segs, "/")
}

// rubySnake returns the name of a constant in the spelling of file names, by the rule of ActiveSupport's underscore:
// HTMLParser → html_parser.
func rubySnake(name string) string {
	var b strings.Builder
	for i := 0; i < len(name); i++ {
		c := name[i]
		if isUpper(c) && i > 0 {
			before, ends := name[i-1], i+1 < len(name) && isLower(name[i+1])
			if isLower(before) || isDigit(before) || isUpper(before) && ends {
				b.WriteByte('_')
			}
		}
		if isUpper(c) {
			c += 'a' - 'A'
		}
		b.WriteByte(c)
	}
	return b.String()
}

// rubyFlat returns a name with an acronym in lower case, as its file is often called (GraphQL → graphql), "" for other names.
func rubyFlat(name string) string {
	lower := strings.ToLower(name)
	for i := 1; i < len(name); i++ {
		if isUpper(name[i]) && isUpper(name[i-1]) {
			if lower == rubySnake(name) {
				return ""
			}
			return lower
		}
	}
	return ""
}

// rubyGemName guesses the name of the gem that defines a constant.
func rubyGemName(name string) string {
	if flat := rubyFlat(name); flat != "" {
		return flat
	}
	return rubySnake(name)
}

func isUpper(c byte) bool { return c >= 'A' && c <= 'Z' }
func isLower(c byte) bool { return c >= 'a' && c <= 'z' }
func isDigit(c byte) bool { return c >= '0' && c <= '9' }

package resolve

import (
	"path"
	"slices"
	"strings"

	"ken/internal/code"
)

// JavaScript and TypeScript: the rules of TypeScript's "bundler" resolution
// (https://www.typescriptlang.org/docs/handbook/modules/reference.html), which are Node's plus tsconfig paths and
// extension probing. Two things differ, because the result should be the source: a package of the repository is found by
// its name without a node_modules, and a built entry point (dist/index.js) leads to its source.

// scriptResolver resolves imports of JavaScript and its dialects.
type scriptResolver struct {
	t          Tree
	configs    map[string]*tsConfig // by file
	above      map[string][]*tsConfig
	packages   map[string]*packageJSON // by directory, nil: none
	workspaces []workspace             // innermost first; nil until loaded
	memo       map[scriptQuery]Result
	lists      map[string]int // identity of a list of configurations
	file       string         // the last importing file
	list       []*tsConfig    // its configurations
	listID     int
}

type scriptQuery struct {
	dir, spec string
	configs   int
	require   bool
}

func newScript(t Tree) *scriptResolver {
	return &scriptResolver{t: t, configs: map[string]*tsConfig{}, above: map[string][]*tsConfig{}, packages: map[string]*packageJSON{},
		memo: map[scriptQuery]Result{}, lists: map[string]int{}}
}

func (s *scriptResolver) resolve(from string, imp *code.Import) Result {
	s.enter(from)
	spec := imp.Spec
	if i := strings.LastIndexByte(spec, '!'); i >= 0 { // webpack: raw-loader!./x
		spec = spec[i+1:]
	}
	if i := strings.IndexByte(spec, '?'); i > 0 { // vite: ./x.svg?url
		spec = spec[:i]
	}
	q := scriptQuery{code.Dir(from), spec, s.listID, imp.Kind == code.ImportRequire}
	res, ok := s.memo[q]
	if !ok {
		f := scriptFinder{scriptResolver: s, probe: probe{t: s.t}, dir: q.dir, require: q.require}
		res = f.find(spec)
		res.Runs = f.runningFile(res.File)
		res.Probes = f.keys
		s.memo[q] = res
	}
	return res
}

// enter looks up the configurations of the importing file.
func (s *scriptResolver) enter(from string) {
	if from == s.file {
		return
	}
	s.file, s.list = from, s.configsFor(from)
	var id strings.Builder
	for _, c := range s.list {
		id.WriteString(c.file)
		id.WriteByte(0)
	}
	n, ok := s.lists[id.String()]
	if !ok {
		n = len(s.lists)
		s.lists[id.String()] = n
	}
	s.listID = n
}

// scriptFinder resolves one specifier of JavaScript or TypeScript.
type scriptFinder struct {
	*scriptResolver
	probe
	dir     string // of the importing file
	require bool
	depth   int
	runs    string // what a package.json names beside a declaration file
}

func (f *scriptFinder) find(spec string) Result {
	switch {
	case spec == "":
		return Result{}
	case isRelative(spec):
		return Result{File: f.relative(spec)}
	case spec[0] == '/':
		return Result{File: f.fromPackage(spec[1:], "", "public")}
	}
	if scheme, rest, ok := strings.Cut(spec, ":"); ok && !strings.Contains(scheme, "/") {
		switch scheme {
		case "node":
			return Result{External: rest, Std: true}
		case "bun":
			return Result{External: spec, Std: true}
		}
		if p := f.viaPaths(spec); p != "" {
			return Result{File: p}
		}
		return Result{External: spec}
	}
	return f.bare(spec)
}

func (f *scriptFinder) bare(spec string) Result {
	if p := f.viaPaths(spec); p != "" {
		return Result{File: p}
	}
	if spec[0] == '#' {
		return f.viaImports(spec)
	}
	for _, c := range f.list {
		if c.hasBase {
			if p := f.fileOrDir(c.base, spec); p != "" {
				return Result{File: p}
			}
		}
	}
	if isNodeBuiltin(spec) {
		return Result{External: spec, Std: true}
	}
	if rest, ok := cutAlias(spec); ok {
		return Result{File: f.fromPackage(rest, "src", "", "app")}
	}
	name, sub := splitPackage(spec)
	if dir, ok := f.packageDir(f.dir, name); ok {
		return Result{File: f.inPackage(dir, sub)}
	}
	if f.mayBeAlias(name) {
		return Result{File: f.viaAlias(spec)}
	}
	return Result{External: name}
}

// viaAlias looks for the file that an alias of a bundler leads to: "@lib/x" and "lib/x" mostly name lib/x or x in a source folder of the
// package. The alias itself is in a program, such as the configuration of Vite or webpack.
func (f *scriptFinder) viaAlias(spec string) string {
	spec = strings.TrimLeft(spec, "@~$")
	_, rest, ok := strings.Cut(spec, "/")
	if !ok || rest == "" {
		return ""
	}
	if hit := f.fromPackage(spec, "", "src", "app"); hit != "" {
		return hit
	}
	return f.fromPackage(rest, "src", "", "app", "lib")
}

// cutAlias removes a prefix such as "@/" that templates of bundlers map to the source folder and that no package can have.
func cutAlias(spec string) (string, bool) {
	for _, alias := range []string{"@/", "~/", "@@/", "~~/"} {
		if rest, ok := strings.CutPrefix(spec, alias); ok {
			return rest, true
		}
	}
	return "", false
}

// splitPackage splits a bare specifier into the name of the package and the subpath in it.
func splitPackage(spec string) (name, sub string) {
	n := strings.IndexByte(spec, '/')
	if n >= 0 && spec[0] == '@' {
		if k := strings.IndexByte(spec[n+1:], '/'); k >= 0 {
			n += 1 + k
		} else {
			n = -1
		}
	}
	if n < 0 {
		return spec, ""
	}
	return spec[:n], strings.Trim(spec[n:], "/")
}

// fileOrDir looks for spec below dir, first as a file and then as a directory.
func (f *scriptFinder) fileOrDir(dir, spec string) string {
	p, ok := join(dir, spec)
	if !ok {
		return ""
	}
	if base := path.Base(spec); base != "." && base != ".." && !strings.HasSuffix(spec, "/") {
		if hit := f.asFile(p); hit != "" {
			return hit
		}
	}
	return f.asDir(p)
}

func (f *scriptFinder) relative(spec string) string {
	if hit := f.fileOrDir(f.dir, spec); hit != "" {
		return hit
	}
	p, ok := join(f.dir, spec)
	if !ok {
		return ""
	}
	for _, c := range f.list {
		best := -1
		for i, root := range c.rootDirs {
			if inside(root, p) && (best < 0 || len(root) > len(c.rootDirs[best])) {
				best = i
			}
		}
		if best < 0 {
			continue
		}
		for i, root := range c.rootDirs {
			if i == best {
				continue
			}
			if hit := f.fileOrDir(root, relTo(c.rootDirs[best], p)); hit != "" {
				return hit
			}
		}
	}
	return ""
}

// viaPaths resolves a specifier by the "paths" of the configurations.
func (f *scriptFinder) viaPaths(spec string) string {
	for _, c := range f.list {
		for _, target := range c.mapPaths(spec) {
			if hit := f.asFile(target); hit != "" {
				return hit
			}
			if hit := f.asDir(target); hit != "" {
				return hit
			}
		}
	}
	return ""
}

// scriptExts are the extensions that are tried for a name without one, in the
// order of TypeScript, followed by those that only bundlers know.
var scriptExts = [...]string{".ts", ".tsx", ".d.ts", ".js", ".jsx", ".mjs", ".cjs", ".mts", ".cts", ".d.mts", ".d.cts", ".json", ".vue", ".svelte", ".astro"}

// asFile finds the file at p: under another extension if p names an output of TypeScript (./a.js for a.ts), as it is, or
// with an extension added.
func (f *scriptFinder) asFile(p string) string {
	ext := path.Ext(p)
	for _, e := range substitutes(ext) {
		if stem := p[:len(p)-len(ext)]; f.hasExt(stem, e) {
			return stem + e
		}
	}
	dotted := ext != "" && ext != path.Base(p)
	if dotted && f.has(p) {
		return p
	}
	for _, e := range scriptExts {
		if f.hasExt(p, e) {
			return p + e
		}
	}
	if !dotted && f.has(p) {
		return p
	}
	return ""
}

// substitutes returns the extensions of source files that may be compiled to a file with the extension ext.
func substitutes(ext string) []string {
	switch ext {
	case ".js":
		return []string{".ts", ".tsx", ".d.ts", ".js", ".jsx"}
	case ".jsx":
		return []string{".tsx", ".ts", ".d.ts", ".jsx", ".js"}
	case ".mjs":
		return []string{".mts", ".d.mts", ".mjs"}
	case ".cjs":
		return []string{".cts", ".d.cts", ".cjs"}
	}
	return nil
}

// asDir finds the file that an import of a directory loads.
func (f *scriptFinder) asDir(dir string) string {
	if pkg := f.pkg(dir); pkg != nil {
		if hit := f.entry(dir, pkg.Main, ""); hit != "" {
			return hit
		}
	}
	return f.index(dir)
}

func (f *scriptFinder) index(dir string) string {
	f.note(dir)
	for _, e := range scriptExts {
		if p := under(dir, "index"+e); f.probe.t.Has(p) {
			return p
		}
	}
	return ""
}

// entry finds a file among the targets of a package.json in dir, for the subpath sub. It tries the targets as
// written, then the sources from which they are built.
func (f *scriptFinder) entry(dir string, targets []string, sub string) string {
	for i, t := range targets {
		p, ok := join(dir, t)
		if !ok || p == dir {
			continue
		}
		hit := f.asFile(p)
		if hit == "" {
			hit = f.index(p)
		}
		if hit == "" {
			continue
		}
		if isDeclaration(hit) {
			f.noteRuns(dir, targets)
		}
		if i > 0 && sub == "" {
			if src := f.behindStub(dir, hit); src != "" {
				return src
			}
		}
		return hit
	}
	for _, t := range targets {
		if hit := f.unbuilt(dir, t, sub); hit != "" {
			return hit
		}
	}
	return ""
}

// noteRuns records the first of some targets that exists and is no declaration file.
func (f *scriptFinder) noteRuns(dir string, targets []string) {
	for _, t := range targets {
		p, ok := join(dir, t)
		if !ok || p == dir || isDeclaration(p) {
			continue
		}
		for _, e := range []string{"", ".js", "/index.js"} {
			if f.has(p + e) {
				f.runs = p + e
				return
			}
		}
	}
}

// behindStub looks for the source of a package whose entry script is beside the package.json while the other files are
// built, because such a script only selects a build.
func (f *scriptFinder) behindStub(dir, hit string) string {
	if code.Dir(hit) != dir || !strings.HasSuffix(hit, "js") {
		return ""
	}
	for _, e := range []string{".ts", ".tsx"} {
		if src := under(dir, "src/index"); f.hasExt(src, e) {
			return src + e
		}
	}
	return ""
}

// unbuilt guesses the source of a build output that is not in the tree: dist/a.js may come from src/a.ts or a.ts, and
// dist/types/common/src/a.d.ts of the package packages/common from packages/common/src/a.ts. Leading directories are
// dropped one by one, as long as the rest is no shorter than the wanted subpath.
func (f *scriptFinder) unbuilt(dir, target, sub string) string {
	target, ok := join("", target)
	if !ok || strings.Count(target, "/") > 8 {
		return ""
	}
	target = trimScriptExt(target)
	for rest, more := target, true; more && strings.Count(rest, "/") >= strings.Count(sub, "/"); _, rest, more = strings.Cut(rest, "/") {
		var tries []string
		if !strings.HasPrefix(rest, "src/") {
			tries = append(tries, under(dir, "src/"+rest))
		}
		if rest != target {
			tries = append(tries, under(dir, rest))
		}
		if dir != "" && rest != target && strings.Contains(rest, "/") {
			tries = append(tries, under(code.Dir(dir), rest))
		}
		for _, stem := range tries {
			if hit := f.sourceFile(stem); hit != "" {
				return hit
			}
		}
	}
	return ""
}

// runningFile returns the file that runs where p, a declaration file, is loaded: the one beside it, else the one that the same
// package.json names. It returns "" if there is none, or p declares nothing else.
func (f *scriptFinder) runningFile(p string) string {
	for _, d := range declarationExts {
		stem, ok := strings.CutSuffix(p, d.ext)
		if !ok {
			continue
		}
		for _, e := range d.runs {
			if f.hasExt(stem, e) {
				return stem + e
			}
		}
		return f.runs
	}
	return ""
}

// declarationExts are the extensions of declaration files, with those of the files that they may describe.
var declarationExts = []declarationExt{{".d.ts", []string{".js", ".jsx", ".mjs", ".cjs"}}, {".d.mts", []string{".mjs"}}, {".d.cts", []string{".cjs"}}}

type declarationExt struct {
	ext  string
	runs []string
}

func isDeclaration(p string) bool {
	return slices.ContainsFunc(declarationExts, func(d declarationExt) bool { return strings.HasSuffix(p, d.ext) })
}

func trimScriptExt(p string) string {
	ext := path.Ext(p)
	if !slices.Contains(scriptExts[:], ext) {
		return p
	}
	return strings.TrimSuffix(strings.TrimSuffix(p, ext), ".d")
}

// sourceFile looks for a source file with the path stem and a usual extension.
func (f *scriptFinder) sourceFile(stem string) string {
	for _, e := range scriptExts {
		if f.hasExt(stem, e) {
			return stem + e
		}
	}
	return f.index(stem)
}

// fromPackage looks for the path rest in some folders of the nearest package, or of the root.
func (f *scriptFinder) fromPackage(rest string, folders ...string) string {
	root := ""
	ancestors(f.dir, func(d string) bool {
		root = d
		return f.pkg(d) != nil
	})
	for _, folder := range folders {
		if hit := f.fileOrDir(under(root, folder), rest); hit != "" {
			return hit
		}
	}
	return ""
}

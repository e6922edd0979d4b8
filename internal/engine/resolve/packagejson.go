package resolve

import (
	"bytes"
	"path"
	"slices"
	"strings"

	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"

	"ken/internal/code"
)

// packageJSON holds the parts of a package.json that resolution needs.
type packageJSON struct {
	Name       string
	Main       []string // entry points, in the order they are tried
	Exports    value
	Imports    value
	Workspaces []string          // globs
	Local      map[string]string // dependency name → relative directory (file:, link:, portal:)
	Depends    []string          // names of packages that it declares to use, sorted
}

func parsePackageJSON(content []byte) packageJSON {
	v := parseJSON(content)
	p := packageJSON{Name: v.get("name").Str, Exports: v.get("exports"), Imports: v.get("imports")}
	for _, field := range []string{"source", "typings", "types", "module", "main", "svelte", "browser"} {
		if s := v.get(field); s.Kind == valueString && s.Str != "" {
			p.Main = append(p.Main, s.Str)
		}
	}
	ws := v.get("workspaces")
	if ws.Kind == valueObject {
		ws = ws.get("packages")
	}
	p.Workspaces = ws.strings()
	p.Local = localDependencies(v)
	for _, field := range dependencyFields {
		for _, name := range v.get(field).Keys {
			if types, ok := strings.CutPrefix(name, "@types/"); ok { // the types of another package
				if scope, in, scoped := strings.Cut(types, "__"); scoped {
					types = "@" + scope + "/" + in
				}
				p.Depends = append(p.Depends, types)
			}
			p.Depends = append(p.Depends, name)
		}
	}
	slices.Sort(p.Depends)
	p.Depends = slices.Compact(p.Depends)
	return p
}

var dependencyFields = []string{"dependencies", "devDependencies", "peerDependencies", "optionalDependencies"}

func localDependencies(v value) map[string]string {
	local := map[string]string{}
	for _, field := range dependencyFields {
		deps := v.get(field)
		for i, name := range deps.Keys {
			for _, scheme := range []string{"file:", "link:", "portal:"} {
				if rel, ok := strings.CutPrefix(deps.Items[i].Str, scheme); ok {
					local[name] = rel
				}
			}
		}
	}
	return local
}

// pnpmWorkspace holds the parts of a pnpm-workspace.yaml or lerna.json that resolution needs.
type pnpmWorkspace struct {
	Packages []string
}

// maxYAML is the size up to which a pnpm-workspace.yaml is read: the parser is recursive, and slow for deeply nested
// files.
const maxYAML = 1 << 16

// parsePnpm reads the list of packages from the syntax tree. Decoding the file would expand its aliases, which can turn a kilobyte into
// gigabytes.
func parsePnpm(content []byte) (w pnpmWorkspace) {
	defer ignorePanic()
	if len(content) > maxYAML || nesting(content) > maxDepth || bytes.Count(content, []byte("- -")) > maxDepth {
		return w
	}
	file, err := parser.ParseBytes(content, 0)
	if err != nil || len(file.Docs) == 0 {
		return w
	}
	var fields []*ast.MappingValueNode
	switch body := file.Docs[0].Body.(type) {
	case *ast.MappingNode:
		fields = body.Values
	case *ast.MappingValueNode:
		fields = []*ast.MappingValueNode{body}
	}
	for _, field := range fields {
		list, ok := field.Value.(*ast.SequenceNode)
		if !ok || field.Key.GetToken().Value != "packages" {
			continue
		}
		for _, item := range list.Values {
			if s, ok := item.(*ast.StringNode); ok {
				w.Packages = append(w.Packages, s.Value)
			}
		}
	}
	return w
}

func parseLerna(content []byte) pnpmWorkspace {
	return pnpmWorkspace{Packages: parseJSON(content).get("packages").strings()}
}

// workspace is a set of JavaScript packages in the repository that import each other by name.
type workspace struct {
	dir     string
	members map[string]string // package name → directory
}

// loadWorkspaces reads all package names and the members of each workspace.
func (s *scriptResolver) loadWorkspaces() {
	if s.workspaces != nil {
		return
	}
	s.workspaces = []workspace{}
	files := s.t.Configs("package.json")
	for _, root := range s.workspaceRoots(files) {
		w := workspace{dir: root.dir, members: map[string]string{}}
		for _, f := range files {
			dir := code.Dir(f)
			if !inside(root.dir, dir) || !(dir == root.dir || root.holds(relTo(root.dir, dir))) {
				continue
			}
			name := s.pkg(dir).Name
			if _, taken := w.members[name]; name != "" && !taken {
				w.members[name] = dir
			}
		}
		s.workspaces = append(s.workspaces, w)
	}
	slices.SortStableFunc(s.workspaces, func(a, b workspace) int { return len(b.dir) - len(a.dir) })
}

// workspaceGlobs are the patterns by which the root of a workspace lists its packages.
type workspaceGlobs struct {
	dir   string
	globs []string
}

func (s *scriptResolver) workspaceRoots(packages []string) []workspaceGlobs {
	var roots []workspaceGlobs
	add := func(dir string, globs []string) {
		if len(globs) > 0 {
			roots = append(roots, workspaceGlobs{dir, globs})
		}
	}
	for _, f := range s.t.Configs("pnpm-workspace.yaml") {
		content, _ := config(s.t, f)
		add(code.Dir(f), parsePnpm(content).Packages)
	}
	for _, f := range packages {
		add(code.Dir(f), s.pkg(code.Dir(f)).Workspaces)
	}
	for _, f := range s.t.Configs("lerna.json") {
		content, _ := config(s.t, f)
		add(code.Dir(f), parseLerna(content).Packages)
	}
	return roots
}

// holds reports whether the patterns include the directory rel. The last pattern that matches decides.
func (w workspaceGlobs) holds(rel string) bool {
	in := false
	for _, g := range w.globs {
		neg := strings.HasPrefix(g, "!")
		g = path.Clean(strings.TrimPrefix(strings.TrimPrefix(g, "!"), "./"))
		if globMatch(g, rel) {
			in = !neg
		}
	}
	return in
}

// globMatch matches a path against a glob whose "**" matches any number of segments and whose other segments are
// patterns of path.Match; "{a,b}" alternatives are not supported.
func globMatch(glob, p string) bool {
	return matchSegments(strings.Split(glob, "/"), strings.Split(p, "/"))
}

// matchSegments matches the segments of a path against those of a glob. It keeps one position to return to, as for
// "*" in a wildcard match: an earlier "**" never needs to take more once a later one is reached.
func matchSegments(glob, segs []string) bool {
	if len(glob) > maxSegments {
		return false
	}
	g, s, backG, backS := 0, 0, -1, 0
	for s < len(segs) {
		if g < len(glob) && glob[g] == "**" {
			backG, backS = g, s
			g++
			continue
		}
		if g < len(glob) {
			if ok, err := path.Match(glob[g], segs[s]); ok && err == nil {
				g, s = g+1, s+1
				continue
			}
		}
		if backG < 0 {
			return false
		}
		backS++
		g, s = backG+1, backS
	}
	for g < len(glob) && glob[g] == "**" {
		g++
	}
	return g == len(glob)
}

// pkg returns the package.json of a directory, nil if there is none.
func (s *scriptResolver) pkg(dir string) *packageJSON {
	p, ok := s.packages[dir]
	if !ok {
		if content, found := config(s.t, under(dir, "package.json")); found {
			parsed := parsePackageJSON(content)
			p = &parsed
		}
		s.packages[dir] = p
	}
	return p
}

// packageDir returns the directory of the package called name as a file in dir imports it: the package around dir, a
// package on which that depends by path, or a member of the workspace.
func (s *scriptResolver) packageDir(dir, name string) (string, bool) {
	var found string
	ok := ancestors(dir, func(d string) bool {
		p := s.pkg(d)
		if p == nil {
			return false
		}
		if found = d; p.Name == name {
			return true
		}
		target, ok := join(d, p.Local[name])
		found = target
		return ok && p.Local[name] != "" && s.pkg(target) != nil
	})
	if ok {
		return found, true
	}
	s.loadWorkspaces()
	for _, w := range s.workspaces {
		if !inside(w.dir, dir) {
			continue
		}
		if member, ok := w.members[name]; ok {
			return member, true
		}
	}
	return "", false
}

// mayBeAlias reports whether a bare specifier may name a file of the repository by an alias that only a bundler knows: there are
// package.json files above the importing file, and none declares a package of the name.
func (f *scriptFinder) mayBeAlias(name string) bool {
	if f.depth > 0 { // package.json names it as a target
		return false
	}
	manifest := false
	declared := ancestors(f.dir, func(d string) bool {
		p := f.pkg(d)
		if p == nil {
			return false
		}
		manifest = true
		_, found := slices.BinarySearch(p.Depends, name)
		return found
	})
	return manifest && !declared
}

// inPackage finds the file of the package in dir that an import with the subpath sub loads. sub is "" for the package itself.
func (f *scriptFinder) inPackage(dir, sub string) string {
	pkg := f.pkg(dir)
	if pkg == nil {
		return ""
	}
	for _, all := range []bool{false, true} {
		if hit := f.entry(dir, exportTargets(pkg.Exports, sub, f.require, all), sub); hit != "" {
			return hit
		}
	}
	if sub == "" {
		if hit := f.entry(dir, pkg.Main, ""); hit != "" {
			return hit
		}
		sub = "index"
	} else if hit := f.fileOrDir(dir, sub); hit != "" {
		return hit
	}
	return f.unbuilt(dir, "lib/"+sub, sub)
}

// viaImports resolves a specifier such as "#db" by the "imports" of the nearest package.json.
func (f *scriptFinder) viaImports(spec string) Result {
	root := ""
	if f.depth++; f.depth > 4 || !ancestors(f.dir, func(d string) bool { root = d; return f.pkg(d) != nil }) {
		return Result{}
	}
	targets := matchTargets(f.pkg(root).Imports, spec, f.require, true)
	if hit := f.entry(root, slices.DeleteFunc(slices.Clone(targets), func(t string) bool { return !isRelative(t) }), ""); hit != "" {
		return Result{File: hit}
	}
	for _, t := range targets {
		if !isRelative(t) && t != "" {
			return f.find(t)
		}
	}
	return Result{}
}

// exportTargets returns the files that the "exports" of a package.json list for a subpath, in the order of the
// conditions. With all, it includes those whose conditions do not hold.
func exportTargets(exports value, sub string, require, all bool) []string {
	if exports.Kind != valueObject || len(exports.Keys) > 0 && !strings.HasPrefix(exports.Keys[0], ".") {
		if sub != "" {
			return nil
		}
		return collectTargets(nil, exports, "", require, all)
	}
	key := "."
	if sub != "" {
		key = "./" + sub
	}
	return matchTargets(exports, key, require, all)
}

// matchTargets finds the entry for key and collects its targets. An exact entry wins, then the pattern with the longest
// part before its "*".
func matchTargets(entries value, key string, require, all bool) []string {
	if entries.has(key) {
		return collectTargets(nil, entries.get(key), "", require, all)
	}
	best, star := "", ""
	for _, k := range entries.Keys {
		pre, post, wild := strings.Cut(k, "*")
		if !wild && strings.HasSuffix(k, "/") { // "./dir/", the form before patterns
			wild = true
		}
		bestPre, _, _ := strings.Cut(best, "*")
		if middle, ok := between(key, pre, post); ok && wild && len(pre) > len(bestPre) {
			best, star = k, middle
		}
	}
	if best == "" {
		return nil
	}
	targets := collectTargets(nil, entries.get(best), star, require, all)
	if strings.HasSuffix(best, "/") {
		for i := range targets {
			targets[i] += star
		}
	}
	return targets
}

// collectTargets appends the targets in v, through its conditions and alternatives, with star in the place of "*". v
// is at most maxDepth deep, because parseJSON rejects deeper values.
func collectTargets(targets []string, v value, star string, require, all bool) []string {
	switch v.Kind {
	case valueString:
		if t := strings.ReplaceAll(v.Str, "*", star); len(t) <= maxSpec && !slices.Contains(targets, t) && len(targets) < maxSegments {
			targets = append(targets, t)
		}
	case valueArray:
		for _, item := range v.Items {
			targets = collectTargets(targets, item, star, require, all)
		}
	case valueObject:
		for i, condition := range v.Keys {
			if all || holdsCondition(condition, require) {
				targets = collectTargets(targets, v.Items[i], star, require, all)
			}
		}
	}
	return targets
}

// holdsCondition reports whether a condition of "exports" is presumed to hold. Unknown conditions are, because a
// package's own condition most often leads to the source.
func holdsCondition(name string, require bool) bool {
	switch name {
	case "import", "module", "module-sync":
		return !require
	case "require":
		return require
	case "production", "react-native", "react-server", "worker", "workerd", "edge-light", "deno", "bun", "electron":
		return false
	}
	return true
}

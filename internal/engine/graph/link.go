package graph

import (
	"cmp"
	"slices"
	"strings"

	"ken/internal/code"
	"ken/internal/lang"
)

// Edge is an edge from the file being linked to another file.
type Edge struct {
	Target     int64
	Relation   code.Relation
	Confidence code.Confidence
}

// Linked is the result of linking one file.
type Linked struct {
	Links Links
	Edges []Edge // by target, relation; each pair once
	// Unresolved is the number of imports that lead neither to a file of the repository nor to a known package
	// outside.
	Unresolved int
}

// Linker finds the targets of imports and the edges between files, one file after the other. It is not safe for concurrent use.
type Linker struct {
	files   Lookup
	r       Resolver
	outward map[int64][]Link        // links made while following re-exports
	seen    map[int64][]Space       // namespaces each file sees, see Spaces
	globals map[int64][]code.Import // see globalUsings
	// followed holds the names that were followed so far, with the declarations found; file 0 means that there is none.
	followed map[offeredName]offeredName
	included map[int64]map[int64]bool // see Includes
	specs    map[string]string        // see withOwnSpec
	own      code.Import              // see withOwnSpec
}

// NewLinker returns a linker over one state of the files.
func NewLinker(files Lookup, r Resolver) *Linker {
	return &Linker{
		files: files, r: r, outward: map[int64][]Link{}, seen: map[int64][]Space{}, globals: map[int64][]code.Import{},
		followed: map[offeredName]offeredName{}, included: map[int64]map[int64]bool{}, specs: map[string]string{},
	}
}

// Files returns the Lookup that answers the linker's questions about other files.
func (k *Linker) Files() Lookup { return k.files }

// Sees reports whether a file can name the declarations of the file at path, judging by the projects that they belong to.
func (k *Linker) Sees(n Node, path string) bool { return k.r.Sees(n.Path, n.Lang, path) }

// Link resolves the imports of n and finds its edges. The order of its steps matters, because supertypes and tests use
// the edges and links found before.
func (k *Linker) Link(n Node, f *code.Facts) Linked {
	l := fileLinker{Linker: k, n: n, traits: n.Traits(), f: f, edges: map[edgeKey]code.Confidence{}, probes: map[uint64]bool{}}
	scope := l.traits.Scope
	if scope == lang.NamespaceScope {
		l.linkNamespaceUses()
	}
	l.linkImports()
	if scope.IsPackage() {
		l.linkPackageUses()
	}
	l.linkSupertypes()
	l.linkHeaders()
	l.linkTests()
	delete(k.seen, n.ID)
	return l.result()
}

// edgeKey identifies an edge that starts at the file being linked.
type edgeKey struct {
	target int64
	rel    code.Relation
}

// fileLinker holds the state of linking one file.
type fileLinker struct {
	*Linker
	n          Node
	traits     *lang.Info
	f          *code.Facts
	links      []Link
	edges      map[edgeKey]code.Confidence
	probes     map[uint64]bool
	unresolved int
}

func (l *fileLinker) result() Linked {
	out := Linked{Links: Links{Imports: l.links}, Unresolved: l.unresolved}
	for p := range l.probes {
		out.Links.Probes = append(out.Links.Probes, p)
	}
	slices.Sort(out.Links.Probes)
	for e, c := range l.edges {
		out.Edges = append(out.Edges, Edge{e.target, e.rel, c})
	}
	slices.SortFunc(out.Edges, func(a, b Edge) int {
		return cmp.Or(cmp.Compare(a.Target, b.Target), cmp.Compare(a.Relation, b.Relation))
	})
	return out
}

func (l *fileLinker) edge(target int64, rel code.Relation, c code.Confidence) {
	if target == l.n.ID || target == 0 {
		return
	}
	e := edgeKey{target, rel}
	if had, ok := l.edges[e]; !ok || c > had {
		l.edges[e] = c
	}
}

// linkImports resolves every import and adds the edges to the imported files.
func (l *fileLinker) linkImports() {
	used := l.usedNames()
	for i := range l.f.Imports {
		imp := &l.f.Imports[i]
		link := l.resolve(l.n, imp, l.probes)
		if imp.Kind == code.ImportTable {
			l.linkTable(imp.Spec)
		}
		mayBeMissing := imp.Kind == code.ImportMention || imp.Kind == code.ImportOrigin || imp.Kind == code.ImportTable || l.isGuess(imp)
		if !link.IsResolved() && !mayBeMissing {
			l.unresolved++
		}
		l.links = append(l.links, link)
		if relays(l.n, imp, l.f.Exports, int32(i)) {
			for _, id := range [...]int64{link.File, link.Runs} {
				if t, ok := l.files.NodeByID(id); ok && id != 0 {
					l.probes[ProbeKey(RelayKey(t.Path))] = true
				}
			}
		}
		// `from pkg import submodule` reads the submodules and not the package's own file.
		onlySubs := len(link.Subs) > 0 && len(link.Subs) >= len(imp.Names) && len(imp.Names) > 0
		if link.File != 0 && !onlySubs {
			rel := code.RelImports
			switch imp.Kind {
			case code.ImportMention:
				rel = code.RelMentions
			case code.ImportOrigin:
				rel = code.RelGenerated
			}
			l.edge(link.File, rel, code.ImportResolved)
			if imp.Kind != code.ImportTypeOnly {
				l.edge(link.Runs, rel, code.ImportResolved)
			}
		}
		for _, s := range link.Subs {
			l.edge(s.File, code.RelImports, code.ImportResolved)
		}
		if link.IsPackage {
			l.linkNamespaceImport(imp, &link, used[int32(i)])
		}
		if len(link.Dirs) > 0 && link.File == 0 {
			l.linkPackageImport(imp, &link, used[int32(i)])
		}
	}
}

// isGuess reports whether an import is derived from a mere name, because a constant in Ruby, or a path in Scala, need
// not have a file of that name. Such an import does not count as unresolved if it has no target.
func (l *fileLinker) isGuess(imp *code.Import) bool {
	return l.traits.GuessedPaths && imp.Kind == code.ImportPath
}

// linkPackageImport adds the edges of an import that names a package directory: to its files that declare a name the
// importer uses. If there are none, as for a blank import, it adds an edge to the first file.
func (l *fileLinker) linkPackageImport(imp *code.Import, link *Link, names []string) {
	if imp.Alias == "." || slices.ContainsFunc(imp.Names, func(n code.ImportName) bool { return n.Name == "*" }) {
		names = l.bareNames()
	} else if l.traits.PackageImports { // an imported name is used, as a receiver's type if not by name
		for _, n := range imp.Names {
			names = append(names, n.Name)
		}
	}
	hit := false
	for _, name := range names { // for each the likeliest directory: a package may be spread over modules
		for _, dir := range link.Dirs {
			if files := l.inDir(dir, name); len(files) > 0 {
				for _, t := range files {
					l.edge(t, code.RelImports, code.ImportResolved)
				}
				hit = true
				break
			}
		}
	}
	if hit || !l.traits.Scope.InDirectory() {
		return
	}
	for _, dir := range link.Dirs {
		if t, ok := l.files.DirFirst(l.n.Lang, dir); ok {
			l.edge(t, code.RelImports, code.ImportResolved)
			return
		}
	}
}

// maxTables is the largest number of files that declare a table of one name for which a model gets an edge to each.
const maxTables = 8

// TableKey returns the key of a probe (see RelayKey) of a file whose model is stored in a database table of this name.
func TableKey(name string) string { return "table:" + name }

// linkTable adds the edges of a model to the files that declare a database table of its name. That is a guess.
func (l *fileLinker) linkTable(name string) {
	l.probes[ProbeKey(TableKey(name))] = true
	files := l.files.Tables(name)
	conf := code.Ambiguous
	if len(files) == 1 {
		conf = code.UniqueName
	}
	for _, id := range files[:min(len(files), maxTables+1)] {
		if len(files) <= maxTables {
			l.edge(id, code.RelUses, conf)
		}
	}
}

// Resolve returns the target of an import.
func (k *Linker) Resolve(n Node, imp *code.Import) Link { return k.resolve(n, imp, nil) }

// resolve finds the target of an import. It adds the hashes of the paths that the result depends on to probes, unless probes is nil.
func (k *Linker) resolve(n Node, imp *code.Import, probes map[uint64]bool) Link {
	res := k.r.Resolve(n.Path, n.Lang, k.withOwnSpec(imp))
	link := Link{External: res.External, Std: res.Std, Package: res.Package, IsPackage: res.IsPackage}
	if res.File != "" {
		if t, ok := k.files.Node(res.File); ok {
			link.File = t.ID
		}
	}
	if res.Runs != "" {
		if t, ok := k.files.Node(res.Runs); ok {
			link.Runs = t.ID
		}
	}
	for name, p := range res.Subs {
		if probes != nil && res.File != "" {
			probes[ProbeKey(DeclKey(res.File, name))] = true
		}
		t, ok := k.files.Node(p)
		// In Python a declaration of the name in the package's own file goes first.
		if ok && !(link.File != 0 && k.files.Declares(link.File, "", name)) {
			link.Subs = append(link.Subs, Sub{name, t.ID})
		}
	}
	slices.SortFunc(link.Subs, func(a, b Sub) int { return cmp.Compare(a.Name, b.Name) })
	if res.IsDir {
		link.Dirs = []string{res.Dir}
		if len(res.Dirs) > 0 {
			link.Dirs = slices.Clone(res.Dirs)
		}
	}
	k.firstDeclared(n, &res, &link, probes)
	if probes != nil {
		for _, p := range res.Probes {
			probes[ProbeKey(p)] = true
		}
		for _, d := range link.Dirs {
			probes[ProbeKey(d+"/")] = true
		}
	}
	return link
}

// withOwnSpec returns a copy of an import whose specifier has its own memory; it is valid until the next call. The original is part of
// the facts of its file, and the resolver, which caches results by specifier, would keep all of them in memory.
func (k *Linker) withOwnSpec(imp *code.Import) *code.Import {
	spec, ok := k.specs[imp.Spec]
	if !ok {
		spec = strings.Clone(imp.Spec)
		k.specs[spec] = spec
	}
	k.own = *imp
	k.own.Spec = spec
	return &k.own
}

// usedNames returns the names that the file uses through each of its imports: the names that an import binds, and T for
// a receiver written pkg.T.
func (l *fileLinker) usedNames() map[int32][]string {
	used := map[int32][]string{}
	seen := map[importName]bool{}
	note := func(imp int32, name string) {
		if k := (importName{imp, name}); !seen[k] {
			seen[k] = true
			used[imp] = append(used[imp], name)
		}
	}
	for i := range l.f.Refs {
		r := &l.f.Refs[i]
		if r.Via == code.ViaImport {
			note(r.Import, r.Name)
			continue
		}
		qualifier, name, qualified := strings.Cut(r.Recv, ".")
		if !qualified || r.Via != code.ViaTyped || code.IsExpr(r.Recv) {
			continue
		}
		imp := slices.IndexFunc(l.f.Imports, func(imp code.Import) bool { return LocalName(&imp) == qualifier })
		if imp >= 0 {
			note(int32(imp), name)
		}
	}
	return used
}

type importName struct {
	imp  int32
	name string
}

// inDir returns the files of an imported directory that declare a name.
func (l *fileLinker) inDir(dir, name string) []int64 {
	if of, ok := l.n.TestedPackage(); ok && dir == code.Dir(l.n.Path) {
		return l.files.ScopeDeclarers(of, "", name)
	}
	return l.files.DirDeclarers(l.n.Lang, dir, name)
}

// bareNames returns the distinct names that the file uses without a qualifier.
func (l *fileLinker) bareNames() []string {
	var names []string
	seen := map[string]bool{}
	for i := range l.f.Refs {
		if r := &l.f.Refs[i]; r.Via == code.ViaBare && !seen[r.Name] {
			seen[r.Name] = true
			names = append(names, r.Name)
		}
	}
	return names
}

// linkPackageUses adds the edges between files of one package, which see each other's names without an import.
func (l *fileLinker) linkPackageUses() {
	type want struct{ container, name string }
	seen := map[want]bool{}
	for i := range l.f.Refs {
		r := &l.f.Refs[i]
		w := want{name: r.Name}
		switch r.Via {
		case code.ViaBare:
		case code.ViaSelf, code.ViaTyped:
			if strings.Contains(r.Recv, ".") || code.IsExpr(r.Recv) {
				continue
			}
			w.container = r.Recv
		default:
			continue
		}
		if seen[w] {
			continue
		}
		seen[w] = true
		files := l.files.ScopeDeclarers(l.n, w.container, w.name)
		if slices.Contains(files, l.n.ID) {
			continue
		}
		for _, t := range files {
			l.edge(t, code.RelUses, code.ImportResolved)
		}
	}
}

// linkSupertypes adds the edges to the files that declare the types which this file's types extend or implement.
func (l *fileLinker) linkSupertypes() {
	for i := range l.f.Refs {
		r := &l.f.Refs[i]
		rel := code.RelExtends
		switch r.Kind {
		case code.RefInherit:
		case code.RefImplement:
			rel = code.RelImplements
		default:
			continue
		}
		for _, t := range l.declarers(r) {
			l.edge(t, rel, code.ImportResolved)
		}
	}
}

// declarers returns the files that declare the type that a reference names, judging by imports and the package's scope.
func (l *fileLinker) declarers(r *code.Ref) []int64 {
	via := r.Via
	if strings.HasSuffix(r.Recv, "::") { // C++: the qualifier may be a namespace
		via = code.ViaBare
	}
	switch via {
	case code.ViaImport, code.ViaModule:
		if r.Import < 0 || int(r.Import) >= len(l.links) {
			return nil
		}
		return l.declarersThrough(&l.links[r.Import], &l.f.Imports[r.Import], ExportedName(&l.f.Imports[r.Import], r))
	case code.ViaBare:
		if l.files.Declares(l.n.ID, "", r.Name) {
			return nil
		}
		if out := l.namespaceDeclarers(r.Name); len(out) > 0 {
			return out
		}
		var out []int64
		if l.traits.Scope.IsPackage() {
			out = append(out, l.files.ScopeDeclarers(l.n, "", r.Name)...)
		}
		for i := range l.links {
			if len(out) == 0 && IsWildcard(&l.f.Imports[i]) {
				out = append(out, l.declarersThrough(&l.links[i], &l.f.Imports[i], r.Name)...)
			}
		}
		return out
	}
	return nil
}

// declarersThrough returns the files that declare a name which is used through an import.
func (l *fileLinker) declarersThrough(link *Link, imp *code.Import, name string) []int64 {
	if link.File != 0 {
		if l.traits.Autoload && l.isGuess(imp) {
			return []int64{link.File}
		}
		if id, ok := l.Follow(link.File, name); ok {
			return []int64{id}
		}
		return nil
	}
	if link.IsPackage {
		if s, ok := UsingSpace(imp, link); ok {
			return l.inSpace(l.n, s, name)
		}
		return l.Declarers(l.n, link.Package, Container(imp, link), name)
	}
	var out []int64
	for _, dir := range link.Dirs {
		out = append(out, l.inDir(dir, name)...)
		if len(out) > 0 {
			break
		}
	}
	return out
}

// linkTests adds the edges from a test to the files that it tests: every file that it uses directly and that
// is no test itself, and the files that Subjects derives from its name.
func (l *fileLinker) linkTests() {
	if !l.n.Test {
		return
	}
	for e, c := range l.edges {
		if e.rel != code.RelImports && e.rel != code.RelUses {
			continue
		}
		if n, ok := l.files.NodeByID(e.target); !ok || !n.Test {
			l.edge(e.target, code.RelTests, c)
		}
	}
	for _, p := range Subjects(l.n.Path) {
		l.probes[ProbeKey(p)] = true
		if t, ok := l.files.Node(p); ok && !t.Test {
			l.edge(t.ID, code.RelTests, code.UniqueName)
		}
	}
}

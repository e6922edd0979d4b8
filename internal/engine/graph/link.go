package graph

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"ken/internal/code"
	"ken/internal/engine/resolve"
)

// Edge is a file edge out of the file being linked.
type Edge struct {
	Target     int64
	Relation   code.Relation
	Confidence code.Confidence
}

// Linked is what linking one file gives.
type Linked struct {
	Links Links
	Edges []Edge // by target, relation; each pair once
	// Unresolved is the number of imports that lead nowhere: neither to a file
	// of the repository nor to a package known to be outside.
	Unresolved int
}

// Linker links files one after the other. Not safe for concurrent use.
type Linker struct {
	w       World
	r       *resolve.Resolver
	outward map[int64][]Link  // links made while following re-exports
	seen    map[int64][]space // namespaces each file sees, see spaces
	// followed are the names followed so far; no file: leads nowhere.
	followed map[offered]offered
	included map[int64]map[int64]bool // see includes
}

// NewLinker makes a linker over one state of the world.
func NewLinker(w World) *Linker {
	return &Linker{w: w, r: resolve.New(w), outward: map[int64][]Link{}, seen: map[int64][]space{}, followed: map[offered]offered{}, included: map[int64]map[int64]bool{}}
}

// Link resolves the imports of n and finds its edges.
func (k *Linker) Link(n Node, f *code.Facts) Linked {
	l := linking{Linker: k, n: n, f: f, edges: map[edgeKey]code.Confidence{}, probes: map[uint64]bool{}}
	if namespaced(n.Lang) {
		l.namespaceUses()
	}
	l.imports()
	l.packageUses()
	l.supertypes()
	l.pairs()
	l.tests()
	delete(k.seen, n.ID)
	return l.result()
}

// edgeKey is the identity of an edge out of one file.
type edgeKey struct {
	target int64
	rel    code.Relation
}

// linking is the state of linking one file.
type linking struct {
	*Linker
	n      Node
	f      *code.Facts
	links  []Link
	edges  map[edgeKey]code.Confidence
	probes map[uint64]bool
	bad    int
}

func (l *linking) result() Linked {
	out := Linked{Links: Links{Imports: l.links}, Unresolved: l.bad}
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

func (l *linking) edge(target int64, rel code.Relation, c code.Confidence) {
	if target == l.n.ID || target == 0 {
		return
	}
	e := edgeKey{target, rel}
	if had, ok := l.edges[e]; !ok || c > had {
		l.edges[e] = c
	}
}

// imports resolves every import and draws the edges to the files it names.
func (l *linking) imports() {
	used := l.usedNames()
	for i := range l.f.Imports {
		imp := &l.f.Imports[i]
		link := l.resolve(l.n, imp, l.probes)
		if imp.Kind == code.ImportTable {
			l.table(imp.Spec)
		}
		if !link.Resolved() && !guessed(l.n, imp) && !optional(imp.Kind) {
			l.bad++
		}
		l.links = append(l.links, link)
		if link.File != 0 && relays(l.n, imp, l.f.Exports, int32(i)) {
			if t, ok := l.w.NodeByID(link.File); ok {
				l.probes[ProbeKey(RelayKey(t.Path))] = true
			}
		}
		if link.File != 0 && l.fileMeant(imp, &link) {
			l.edge(link.File, relationOf(imp.Kind), code.ImportResolved)
		}
		for _, s := range link.Subs {
			l.edge(s.File, code.RelImports, code.ImportResolved)
		}
		if link.IsPackage {
			l.namespaceImport(imp, &link, used[int32(i)])
		}
		if len(link.Dirs) > 0 && link.File == 0 {
			l.packageImport(imp, &link, used[int32(i)])
		}
	}
}

// guessed reports whether an import stands for a constant of Ruby, which need not
// have a file of its name, or for what Scala's path may mean: that there is none is
// no fault.
func guessed(n Node, imp *code.Import) bool {
	return (n.Lang == "ruby" || n.Lang == "scala") && imp.Kind == code.ImportPath
}

// relationOf is the relation an import of a file stands for.
func relationOf(k code.ImportKind) code.Relation {
	switch k {
	case code.ImportMention:
		return code.RelMentions
	case code.ImportOrigin:
		return code.RelGenerated
	}
	return code.RelImports
}

// maxTables is how many files may declare a table of a name before that tells
// nothing.
const maxTables = 8

// TableKey is the probe key under which a file is found whose model is kept in a
// table of this name.
func TableKey(name string) string { return "table:" + name }

// table draws the edges of a model to the files that declare its table. That is
// a guess by name.
func (l *linking) table(name string) {
	l.probes[ProbeKey(TableKey(name))] = true
	files := l.w.Tables(name)
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

// optional reports whether it is no flaw that an import leads nowhere.
func optional(k code.ImportKind) bool {
	return k == code.ImportMention || k == code.ImportOrigin || k == code.ImportTable
}

// RelayKey is the probe key under which a file that passes names of another
// file on to its own importers is found.
func RelayKey(path string) string { return "relay:" + path }

// DeclKey is the probe key under which a file is found that imports a name
// which is a file of its own unless this one declares it (Python).
func DeclKey(path, name string) string { return "decl:" + name + ":" + path }

// relays reports whether an import makes names of the imported file names of
// this one: a re-export, a wildcard import, in Python any import of a name, an
// imported name in an export list.
func relays(n Node, imp *code.Import, exports []code.Export, i int32) bool {
	if imp.Kind == code.ImportReexport || wildcard(imp) && n.Lang != "csharp" {
		return true
	}
	if n.Lang == "python" { // whatever a module imports can be imported from it
		base := path.Base(n.Path)
		return len(imp.Names) > 0 || base == "__init__.py" || base == "__init__.pyi"
	}
	for k := range exports {
		e := &exports[k]
		if e.From == i || e.From < 0 && e.Local != "" && slices.ContainsFunc(imp.Names, func(m code.ImportName) bool { return m.Alias == e.Local }) {
			return true
		}
	}
	return false
}

// Offers are the names a file passes on: exports that differ from its own
// declarations, and imported names where imports are passed on. The keys say
// where each name leads, as far as the file itself tells; the values are the
// names importers see.
func Offers(n Node, f *code.Facts) map[string]string {
	out := map[string]string{}
	for i := range f.Exports {
		e := &f.Exports[i]
		from := ""
		if e.From >= 0 && int(e.From) < len(f.Imports) {
			from = f.Imports[e.From].Spec
		}
		out["e\x00"+e.Name+"\x00"+e.Local+"\x00"+from] = e.Name
	}
	for i := range f.Imports {
		imp := &f.Imports[i]
		if !relays(n, imp, f.Exports, int32(i)) {
			continue
		}
		for _, m := range imp.Names {
			out["i\x00"+m.Alias+"\x00"+m.Name+"\x00"+imp.Spec] = m.Alias
		}
	}
	return out
}

// Relayed are the names that importers of a file see and that its ith import
// leads to, "*" for all.
func Relayed(n Node, f *code.Facts, i int) []string {
	imp := &f.Imports[i]
	if !relays(n, imp, f.Exports, int32(i)) {
		return nil
	}
	var names []string
	for _, m := range imp.Names {
		names = append(names, m.Alias)
	}
	for k := range f.Exports {
		if e := &f.Exports[k]; e.From == int32(i) || e.From < 0 && slices.Contains(names, e.Local) {
			names = append(names, e.Name)
		}
	}
	return names
}

// fileMeant is false for `from pkg import submodule`: the names, not the
// package's own file, are what the importer reads.
func (l *linking) fileMeant(imp *code.Import, link *Link) bool {
	return len(link.Subs) == 0 || len(link.Subs) < len(imp.Names) || len(imp.Names) == 0
}

// resolve asks the resolver and notes its probes.
func (k *Linker) resolve(n Node, imp *code.Import, probes map[uint64]bool) Link {
	res := k.r.Resolve(n.Path, n.Lang, imp)
	link := Link{External: res.External, Std: res.Std, Package: res.Package, IsPackage: res.IsPackage}
	if res.File != "" {
		if t, ok := k.w.Node(res.File); ok {
			link.File = t.ID
		}
	}
	for name, p := range res.Subs {
		if probes != nil && res.File != "" {
			probes[ProbeKey(DeclKey(res.File, name))] = true
		}
		t, ok := k.w.Node(p)
		// In Python a declaration of the name in the package's own file goes first.
		if ok && !(link.File != 0 && k.w.Declares(link.File, "", name)) {
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

// usedNames are the names the file uses through each of its imports.
func (l *linking) usedNames() map[int32][]string {
	used := map[int32][]string{}
	seen := map[importName]bool{}
	for i := range l.f.Refs {
		r := &l.f.Refs[i]
		if r.Via != code.ViaImport {
			if q, name, ok := strings.Cut(r.Recv, "."); ok && r.Via == code.ViaTyped && !isExpr(r.Recv) {
				l.qualified(used, seen, q, name)
			}
			continue
		}
		if k := (importName{r.Import, r.Name}); !seen[k] {
			seen[k] = true
			used[r.Import] = append(used[r.Import], r.Name)
		}
	}
	return used
}

type importName struct {
	imp  int32
	name string
}

// qualified notes the T of a receiver written pkg.T.
func (l *linking) qualified(used map[int32][]string, seen map[importName]bool, q, name string) {
	for i := range l.f.Imports {
		if localName(&l.f.Imports[i]) != q {
			continue
		}
		if k := (importName{int32(i), name}); !seen[k] {
			seen[k] = true
			used[int32(i)] = append(used[int32(i)], name)
		}
		return
	}
}

// localName is the name a whole-module import has in the file. For a path that
// ends in a major version (a/b/v2) it is presumed to be the segment before.
func localName(imp *code.Import) string {
	if imp.Alias != "" {
		return imp.Alias
	}
	base := path.Base(imp.Spec)
	if len(base) > 1 && base[0] == 'v' && strings.Trim(base[1:], "0123456789") == "" && base != "v1" && base != "v0" && path.Dir(imp.Spec) != "." {
		return path.Base(path.Dir(imp.Spec))
	}
	if i := strings.LastIndex(base, ".v"); i > 0 {
		return base[:i]
	}
	return base
}

// inDir are the files of an imported directory that declare a name.
func (l *linking) inDir(dir, name string) []int64 {
	if of, ok := l.n.tested(); ok && dir == code.Dir(l.n.Path) {
		return l.w.ScopeDeclarers(of, "", name)
	}
	return l.w.DirDeclarers(l.n.Lang, dir, name)
}

// bareNames are the distinct plain names the file uses.
func (l *linking) bareNames() []string {
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

// packageUses draws the edges between files of one Go, Java, Kotlin or Scala package: names
// are in scope there without an import.
func (l *linking) packageUses() {
	if l.n.Lang != "go" && l.n.Lang != "hcl" && !resolve.IsJVM(l.n.Lang) {
		return
	}
	type want struct{ container, name string }
	seen := map[want]bool{}
	for i := range l.f.Refs {
		r := &l.f.Refs[i]
		w := want{name: r.Name}
		switch r.Via {
		case code.ViaBare:
		case code.ViaSelf, code.ViaTyped:
			if strings.Contains(r.Recv, ".") || isExpr(r.Recv) {
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
		l.scopeEdges(w.container, w.name)
	}
}

// scopeEdges draws uses edges to the other files that declare a name, unless
// the file declares it itself.
func (l *linking) scopeEdges(container, name string) {
	files := l.w.ScopeDeclarers(l.n, container, name)
	if slices.Contains(files, l.n.ID) {
		return
	}
	for _, t := range files {
		l.edge(t, code.RelUses, code.ImportResolved)
	}
}

// supertypes draws extends and implements edges.
func (l *linking) supertypes() {
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

// declarers are the files that declare the type a reference names, as far as
// imports and package scope tell.
func (l *linking) declarers(r *code.Ref) []int64 {
	via := r.Via
	if strings.HasSuffix(r.Recv, "::") { // C++: what stands in front may be a namespace
		via = code.ViaBare
	}
	switch via {
	case code.ViaImport:
		if r.Import < 0 || int(r.Import) >= len(l.links) {
			return nil
		}
		return l.through(&l.links[r.Import], &l.f.Imports[r.Import], r.Name)
	case code.ViaBare:
		if l.w.Declares(l.n.ID, "", r.Name) {
			return nil
		}
		if namespaced(l.n.Lang) {
			if out := l.namespaceDeclarers(r.Name); len(out) > 0 {
				return out
			}
		}
		var out []int64
		if l.n.Lang == "go" || resolve.IsJVM(l.n.Lang) {
			out = append(out, l.w.ScopeDeclarers(l.n, "", r.Name)...)
		}
		for i := range l.links {
			if len(out) == 0 && wildcard(&l.f.Imports[i]) {
				out = append(out, l.through(&l.links[i], &l.f.Imports[i], r.Name)...)
			}
		}
		return out
	}
	return nil
}

func wildcard(imp *code.Import) bool {
	return imp.Alias == "." || slices.ContainsFunc(imp.Names, func(n code.ImportName) bool { return n.Name == "*" && n.Alias == "*" })
}

// through finds the files that declare a name reached through an import.
func (l *linking) through(link *Link, imp *code.Import, name string) []int64 {
	if link.File != 0 {
		if l.n.Lang == "ruby" && guessed(l.n, imp) {
			return []int64{link.File}
		}
		if id, ok := l.Follow(link.File, exportedName(imp, name)); ok {
			return []int64{id}
		}
		return nil
	}
	if link.IsPackage {
		if s, ok := usingSpace(imp, link); ok {
			return l.inSpace(l.n, s, name)
		}
		return l.declaring(l.n, link.Package, container(imp, link), name)
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

// exportedName is what the imported module calls a name: "default" for the
// local name of a default import, else the name itself.
func exportedName(imp *code.Import, name string) string {
	for _, n := range imp.Names {
		if n.Alias == name && n.Name == "default" {
			return "default"
		}
	}
	return name
}

// maxFollowed bounds the work of following one name: re-exports of everything
// can lead in circles and fan out.
const maxFollowed = 400

// Follow finds the file that declares what a file offers under a name, through
// re-exports (JS/TS export … from, Python imports, Rust pub use).
func (k *Linker) Follow(file int64, name string) (int64, bool) {
	id, _, ok := k.FollowName(file, name)
	return id, ok
}

// FollowName is Follow, with the name the declaration has in its own file.
func (k *Linker) FollowName(file int64, name string) (int64, string, bool) {
	q := offered{file, name}
	d, known := k.followed[q]
	if !known {
		t := trail{Linker: k, seen: map[offered]bool{}}
		if id, n, ok := t.follow(file, name); ok {
			d = offered{id, n}
		}
		k.followed[q] = d
	}
	return d.file, d.name, d.file != 0
}

// offered is a name as a file offers it.
type offered struct {
	file int64
	name string
}

// trail is the way of one name: what was asked is not asked again.
type trail struct {
	*Linker
	seen map[offered]bool
}

func (k *trail) follow(file int64, name string) (int64, string, bool) {
	if q := (offered{file, name}); k.seen[q] || len(k.seen) == maxFollowed {
		return 0, "", false
	} else {
		k.seen[q] = true
	}
	if name != "default" && k.w.Declares(file, "", name) {
		return file, name, true
	}
	out := k.w.Outward(file)
	links := out.Links
	if links == nil && len(out.Imports) > 0 {
		links = k.linksOf(file, out.Imports)
	}
	if id, n, ok := k.followExports(file, name, out, links); ok {
		return id, n, true
	}
	return k.followImports(file, name, out, links)
}

// followExports follows export lists.
func (k *trail) followExports(file int64, name string, out Outward, links []Link) (int64, string, bool) {
	for i := range out.Exports {
		e := &out.Exports[i]
		if e.Name != name && e.Name != "*" {
			continue
		}
		if e.From < 0 {
			if e.Name == name && e.Local != "" && e.Local != name && k.w.Declares(file, "", e.Local) {
				return file, e.Local, true
			}
			if e.Name == name && e.Local != "" {
				if id, n, ok := k.followImports(file, e.Local, out, links); ok {
					return id, n, true
				}
			}
			continue
		}
		if int(e.From) >= len(links) || links[e.From].File == 0 {
			continue
		}
		want := name
		if e.Name != "*" && e.Local != "" {
			want = e.Local
		}
		if want == "*" || e.Name == "*" && name == "default" {
			continue
		}
		if id, n, ok := k.follow(links[e.From].File, want); ok {
			return id, n, true
		}
	}
	return 0, "", false
}

// followImports follows names that are merely imported, where the file passes
// them on (see relays).
func (k *trail) followImports(file int64, name string, out Outward, links []Link) (int64, string, bool) {
	n, _ := k.w.NodeByID(file)
	for i := range out.Imports {
		imp := &out.Imports[i]
		if i >= len(links) || links[i].File == 0 || !relays(n, imp, out.Exports, int32(i)) {
			continue
		}
		for _, m := range imp.Names {
			if m.Alias != name && m.Name != "*" {
				continue
			}
			want := m.Name
			if m.Name == "*" {
				want = name
			}
			if id, found, ok := k.follow(links[i].File, want); ok {
				return id, found, true
			}
		}
	}
	return 0, "", false
}

// Module finds the file that a file offers as a whole under a name:
// `export * as name from …`, in Python an imported submodule.
func (k *Linker) Module(file int64, name string) (int64, bool) {
	out := k.w.Outward(file)
	links := k.linksOf(file, out.Imports)
	for i := range out.Exports {
		if e := &out.Exports[i]; e.Name == name && e.Local == "*" && e.From >= 0 && int(e.From) < len(links) {
			return links[e.From].File, links[e.From].File != 0
		}
	}
	for i := range out.Imports {
		for _, m := range out.Imports[i].Names {
			if m.Alias != name || m.Name == "*" {
				continue
			}
			if sub, ok := links[i].sub(m.Name); ok {
				return sub, true
			}
		}
	}
	return 0, false
}

// linksOf resolves the imports of another file once.
func (k *Linker) linksOf(file int64, imps []code.Import) []Link {
	if l, ok := k.outward[file]; ok {
		return l
	}
	n, ok := k.w.NodeByID(file)
	links := make([]Link, len(imps))
	if ok {
		for i := range imps {
			links[i] = k.resolve(n, &imps[i], nil)
		}
	}
	k.outward[file] = links
	return links
}

// tests draws the tests edges: from a test to every other file it uses
// directly, and to the file its name is made from.
func (l *linking) tests() {
	if !l.n.Test {
		return
	}
	for e, c := range l.edges {
		if e.rel == code.RelImports || e.rel == code.RelUses {
			if !l.isTest(e.target) {
				l.edge(e.target, code.RelTests, c)
			}
		}
	}
	for _, p := range Subjects(l.n.Path) {
		l.probes[ProbeKey(p)] = true
		if t, ok := l.w.Node(p); ok && !t.Test {
			l.edge(t.ID, code.RelTests, code.UniqueName)
		}
	}
}

func (l *linking) isTest(id int64) bool {
	n, ok := l.w.NodeByID(id)
	return ok && n.Test
}

// subjectExts are further extensions of what a script tests: components.
func subjectExts(ext string) []string {
	switch ext {
	case ".ts":
		return []string{".tsx", ".vue", ".svelte"}
	case ".js":
		return []string{".jsx", ".vue", ".svelte"}
	}
	return nil
}

// Subjects are the paths a test's name points at, likeliest first:
// a/foo_test.go → a/foo.go, a/__tests__/foo.test.ts → a/foo.ts,
// tests/test_foo.py → tests/foo.py and foo.py above,
// src/test/java/x/FooTest.java → src/main/java/x/Foo.java.
func Subjects(p string) []string {
	dir, base := code.Dir(p), path.Base(p)
	ext := path.Ext(base)
	stem := strings.TrimSuffix(base, ext)
	subject := stem
	for _, suffix := range []string{"_test", ".test", ".spec", "-test", "-spec", "_spec", "Test", "Tests", "IT", "Spec"} {
		if s, ok := strings.CutSuffix(stem, suffix); ok && s != "" {
			subject = s
			break
		}
	}
	if s, ok := strings.CutPrefix(stem, "test_"); ok && s != "" {
		subject = s
	}
	if subject == stem {
		return nil
	}
	var out []string
	add := func(d string) {
		for _, e := range append([]string{ext}, subjectExts(ext)...) {
			q := subject + e
			if d != "" {
				q = d + "/" + q
			}
			out = append(out, q)
		}
	}
	add(dir)
	switch last := path.Base(dir); {
	case last == "__tests__" || last == "tests" || last == "test" || last == "spec" || last == "specs":
		add(code.Dir(dir))
	}
	for _, swap := range [][2]string{{"src/test/", "src/main/"}, {"/tests/", "/src/"}, {"/test/", "/src/"}, {"/test/", "/lib/"}, {"/test/", "/app/"}, {"/spec/", "/lib/"}, {"/spec/", "/app/"}, {".Tests/", "/"}, {".Test/", "/"}} {
		if d := strings.Replace("/"+dir+"/", swap[0], swap[1], 1); d != "/"+dir+"/" {
			add(strings.Trim(d, "/"))
		}
	}
	return out
}

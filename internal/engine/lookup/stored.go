// Package lookup answers the questions of linking and ranking about all other files:
// from the index (Stored), or from memory while a new index is built (Bulk).
// graph defines the questions; update and view use the answers.
package lookup

import (
	"slices"

	"ken/internal/code"
	"ken/internal/engine/facts"
	"ken/internal/engine/graph"
	"ken/internal/engine/resolve"
	"ken/internal/engine/store"
	"ken/internal/lang"
)

// IsIndexed reports whether a file takes part in the graph.
func IsIndexed(f *code.File) bool {
	return f.ID != 0 && f.Problem != code.ProblemBinary && f.Problem != code.ProblemUnreadable
}

// Index is the part of an index that lookups read.
type Index interface {
	store.Files
	store.Directories
	store.Configs
	store.Symbols
	store.Facts
}

// Stored answers the questions of linking from the index, one lookup at a time, so that the work depends on the size
// of the change and not of the repository. Err keeps the first error; answers after it mean nothing.
type Stored struct {
	R        Index
	Err      error
	byPath   map[string]graph.Node // ID 0: no such file
	ByID     map[int64]graph.Node
	scopes   map[string]map[int64]bool // files of a scope
	outward  map[int64]graph.Outward
	dirs     map[string]bool
	declared map[declaredIn][]int64
	firsts   map[string]int64           // see DirFirst
	ids      map[string][]code.SymbolID // declarations of a name
	pkgs     map[string][]string        // directories of a package, by its key
}

// MaxRemembered bounds the names whose declarations a Stored remembers.
const MaxRemembered = 1 << 14

// NewStored returns a Stored over an index.
func NewStored(r Index) *Stored {
	return &Stored{R: r, byPath: map[string]graph.Node{}, ByID: map[int64]graph.Node{}, scopes: map[string]map[int64]bool{},
		outward: map[int64]graph.Outward{}, dirs: map[string]bool{}, firsts: map[string]int64{},
		declared: map[declaredIn][]int64{}, ids: map[string][]code.SymbolID{}, pkgs: map[string][]string{}}
}

// SymbolIDs returns the declarations of a name.
func (w *Stored) SymbolIDs(name string) []code.SymbolID {
	ids, ok := w.ids[name]
	if !ok {
		var err error
		ids, err = w.R.SymbolIDs(name)
		w.Fail(err)
		if len(w.ids) >= MaxRemembered {
			clear(w.ids)
		}
		w.ids[name] = ids
	}
	return ids
}

// Size returns the number of things remembered beside files, scopes and names; the repository bounds those.
func (w *Stored) Size() int { return len(w.byPath) + len(w.dirs) + len(w.outward) }

// Fail records the first error.
func (w *Stored) Fail(err error) {
	if w.Err == nil {
		w.Err = err
	}
}

// IndexedNode returns the node of a file, or the zero Node for one that takes no part in the graph.
func IndexedNode(f *code.File) graph.Node {
	if !IsIndexed(f) {
		return graph.Node{}
	}
	return NewNode(f)
}

// NewNode returns the node of a file.
func NewNode(f *code.File) graph.Node {
	return graph.Node{ID: f.ID, Path: f.Path, Lang: f.Lang, Package: f.Package, Test: f.Flags&code.FlagTest != 0}
}

// Node implements graph.Lookup.
func (w *Stored) Node(p string) (graph.Node, bool) {
	n, ok := w.byPath[p]
	if !ok {
		f, _, err := w.R.FileByPath(p)
		w.Fail(err)
		n = IndexedNode(&f)
		w.byPath[p] = n
	}
	return n, n.ID != 0
}

// NodeByID implements graph.Lookup.
func (w *Stored) NodeByID(id int64) (graph.Node, bool) {
	n, ok := w.ByID[id]
	if !ok {
		f, _, err := w.R.FileByID(id)
		w.Fail(err)
		n = IndexedNode(&f)
		w.ByID[id] = n
	}
	return n, n.ID != 0
}

// Has implements resolve.Tree.
func (w *Stored) Has(p string) bool {
	_, ok := w.Node(p)
	return ok
}

// HasDir implements resolve.Tree.
func (w *Stored) HasDir(dir string) bool {
	has, known := w.dirs[dir]
	if !known {
		var err error
		has, err = w.R.HasDir(dir)
		w.Fail(err)
		w.dirs[dir] = has
	}
	return has
}

// Config implements resolve.Tree.
func (w *Stored) Config(p string) ([]byte, bool) {
	b, ok, err := w.R.ConfigContent(p)
	w.Fail(err)
	return b, ok
}

// Configs implements resolve.Tree.
func (w *Stored) Configs(base string) []string {
	list, err := w.R.ConfigPaths(base)
	w.Fail(err)
	return list
}

// PackageDirs implements resolve.Tree.
func (w *Stored) PackageDirs(l code.Lang, pkg string) []string {
	key := lang.PackageKey(l, pkg)
	if dirs, ok := w.pkgs[key]; ok {
		return dirs
	}
	files, err := PackageFiles(w.R, l, pkg)
	w.Fail(err)
	var dirs []string
	for i := range files {
		if d := code.Dir(files[i].Path); IsIndexed(&files[i]) && !slices.Contains(dirs, d) {
			dirs = append(dirs, d)
		}
	}
	slices.Sort(dirs)
	w.pkgs[key] = dirs
	return dirs
}

// scope returns the set of files of a package scope, or of a directory as importers see it.
func (w *Stored) scope(key string, load func() ([]code.File, error), ok func(graph.Node) bool) map[int64]bool {
	if s, known := w.scopes[key]; known {
		return s
	}
	files, err := load()
	w.Fail(err)
	set := map[int64]bool{}
	for i := range files {
		n := IndexedNode(&files[i])
		w.ByID[files[i].ID] = n
		if n.ID != 0 && ok(n) {
			set[n.ID] = true
		}
	}
	w.scopes[key] = set
	return set
}

// dirScope returns the key of a directory as importers see it.
func dirScope(l code.Lang, dir string) string { return "dir:" + graph.Family(l) + ":" + dir }

func (w *Stored) inDir(l code.Lang, dir string) map[int64]bool {
	fam := graph.Family(l)
	return w.scope(dirScope(l, dir), func() ([]code.File, error) { return w.R.NodesIn(dir) },
		func(n graph.Node) bool { return graph.Family(n.Lang) == fam && n.Importable() })
}

// declaredIn is the key under which the files that declare a name are remembered.
type declaredIn struct{ scope, container, name string }

// declarers returns the files of a set that declare a name; scope is the key of the set.
func (w *Stored) declarers(scope string, set map[int64]bool, container, name string) []int64 {
	if len(set) == 0 {
		return nil
	}
	key := declaredIn{scope, container, name}
	if ids, ok := w.declared[key]; ok {
		return ids
	}
	ids := slices.Clip(w.findDeclarers(set, container, name))
	if len(w.declared) >= MaxRemembered {
		clear(w.declared)
	}
	w.declared[key] = ids
	return ids
}

func (w *Stored) findDeclarers(set map[int64]bool, container, name string) []int64 {
	var out []int64
	for _, id := range w.SymbolIDs(name) {
		if !set[id.File] || len(out) > 0 && out[len(out)-1] == id.File {
			continue
		}
		c, err := w.R.Container(id)
		w.Fail(err)
		if c == container {
			out = append(out, id.File)
		}
	}
	return out
}

// ScopeDeclarers implements graph.Lookup.
func (w *Stored) ScopeDeclarers(n graph.Node, container, name string) []int64 {
	key := scopeKey(n)
	if key == "" {
		return nil
	}
	set := w.scope(key, func() ([]code.File, error) {
		if isUnnamed := n.Package == "" && n.Traits().Scope == lang.PackageScope; resolve.HasPackages(n.Lang) && !isUnnamed {
			return PackageFiles(w.R, n.Lang, n.Package)
		}
		return w.R.NodesIn(code.Dir(n.Path))
	}, func(o graph.Node) bool { return scopeKey(o) == key })
	return w.declarers(key, set, container, name)
}

// PackageFiles returns the files of a package in all languages that share it. It returns an error if the index cannot be
// read.
func PackageFiles(r store.Directories, l code.Lang, pkg string) ([]code.File, error) {
	if lang.Of(l).Scope != lang.PackageScope {
		return r.PackageFiles(l, pkg)
	}
	var out []code.File
	for _, sharing := range lang.InFamily(lang.Of(l).Family) {
		files, err := r.PackageFiles(sharing, pkg)
		if err != nil {
			return nil, err
		}
		out = append(out, files...)
	}
	return out, nil
}

// DirDeclarers implements graph.Lookup.
func (w *Stored) DirDeclarers(l code.Lang, dir, name string) []int64 {
	if !dirScoped(l) {
		return nil
	}
	return w.declarers(dirScope(l, dir), w.inDir(l, dir), "", name)
}

// DirFirst implements graph.Lookup.
func (w *Stored) DirFirst(l code.Lang, dir string) (int64, bool) {
	key := string(l) + ":" + dir
	if id, ok := w.firsts[key]; ok {
		return id, id != 0
	}
	best := graph.Node{}
	for id := range w.inDir(l, dir) {
		if n, ok := w.NodeByID(id); ok && n.Lang == l && (best.ID == 0 || n.Path < best.Path) {
			best = n
		}
	}
	w.firsts[key] = best.ID
	return best.ID, best.ID != 0
}

// Declares implements graph.Lookup.
func (w *Stored) Declares(file int64, container, name string) bool {
	return len(w.findDeclarers(map[int64]bool{file: true}, container, name)) > 0
}

// Tables implements graph.Lookup.
func (w *Stored) Tables(name string) []int64 {
	ids, err := w.R.SymbolIDs(name)
	w.Fail(err)
	var out []int64
	for _, id := range ids {
		n, ok := w.NodeByID(id.File)
		if !ok || !lang.Of(n.Lang).Tables || slices.Contains(out, n.ID) {
			continue
		}
		row, ok, err := w.R.Symbol(id)
		w.Fail(err)
		if ok && IsTable(&row.Symbol, n.Lang) {
			out = append(out, n.ID)
		}
	}
	return out
}

// Outward implements graph.Lookup.
func (w *Stored) Outward(file int64) graph.Outward {
	o, ok := w.outward[file]
	if !ok {
		var err error
		o, err = ReadOutward(w.R, file)
		w.Fail(err)
		w.outward[file] = o
	}
	return o
}

// ReadOutward reads the imports and exports of a file. Links are left out: those stored may be older than the files they
// lead to. It returns an error if the facts cannot be read or are damaged.
func ReadOutward(r store.Facts, file int64) (graph.Outward, error) {
	blob, err := r.Facts(file)
	if err != nil || len(blob) == 0 {
		return graph.Outward{}, err
	}
	p, err := facts.Open(blob)
	if err != nil {
		return graph.Outward{}, err
	}
	var o graph.Outward
	if o.Imports, err = p.Imports(); err != nil {
		return o, err
	}
	o.Exports, err = p.Exports()
	return o, err
}

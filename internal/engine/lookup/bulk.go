package lookup

import (
	"hash/maphash"
	"math/bits"
	"path"
	"slices"
	"strings"

	"ken/internal/code"
	"ken/internal/engine/graph"
	"ken/internal/engine/resolve"
	"ken/internal/lang"
)

// Bulk answers the questions of linking from memory while a whole index is built. For each file it holds a Node (64
// bytes) and its place by path (40 to 60); for each declaration a hash (8 to 9 bytes), and 12 to 13 for each of the two
// scopes from which others see it: the package, and the directory that is imported.
type Bulk struct {
	seed    maphash.Seed
	Nodes   []graph.Node // by id-1, which is the order of paths
	byPath  map[string]int64
	dirs    map[string]bool
	configs map[string][]byte
	byBase  map[string][]string
	// declared holds hashes of (file, container, name); inScope the files that
	// declare (scope, container, name), in the order of ids.
	declared    table[struct{}]
	inScope     table[int32]
	dirFirst    map[string]int64    // first file that importers of a directory see, by language and directory
	packages    map[string][]string // directories of a package, by its key
	tables      map[string][]int64  // files that declare a database table, by its name
	ReadOutward func(file int64) graph.Outward
}

// NewBulk returns an empty Bulk.
func NewBulk() *Bulk {
	return &Bulk{seed: maphash.MakeSeed(), byPath: map[string]int64{}, dirs: map[string]bool{"": true}, configs: map[string][]byte{},
		byBase: map[string][]string{}, dirFirst: map[string]int64{}, packages: map[string][]string{}, tables: map[string][]int64{}}
}

// Add records a file and its declarations. Files must come in the order of their ids, and all before the first
// question. A file that is not indexed only takes its number.
func (w *Bulk) Add(n graph.Node, indexed bool, syms []code.Symbol) {
	if !indexed {
		w.Nodes = append(w.Nodes, graph.Node{})
		return
	}
	w.Nodes = append(w.Nodes, n)
	w.byPath[n.Path] = n.ID
	dir := code.Dir(n.Path)
	for d := dir; !w.dirs[d]; d = code.Dir(d) {
		w.dirs[d] = true
	}
	if n.Importable() {
		if k := string(n.Lang) + ":" + dir; w.dirFirst[k] == 0 {
			w.dirFirst[k] = n.ID
		}
	}
	for _, key := range resolve.PackageKeys(n.Lang, n.Package) {
		list := w.packages[key]
		recent := list
		if n.Package == "" { // may be in any number of directories, of which a search would be quadratic
			recent = list[max(0, len(list)-1):]
		}
		if !slices.Contains(recent, dir) {
			w.packages[key] = append(list, dir)
		}
	}
	own, scope, imported := uint64(n.ID), w.scope(scopeKey(n)), uint64(0)
	if n.Importable() && dirScoped(n.Lang) {
		imported = w.scope(dirScope(n.Lang, dir))
	}
	for i := range syms {
		s := &syms[i]
		container := s.Container()
		if IsTable(s, n.Lang) && !slices.Contains(w.tables[s.Name], n.ID) {
			w.tables[strings.Clone(s.Name)] = append(w.tables[s.Name], n.ID)
		}
		name := w.name(container, s.Name)
		w.declared.add(mixHashes(own, name), struct{}{})
		if scope != 0 {
			w.inScope.add(mixHashes(scope, name), int32(n.ID))
		}
		if imported != 0 && container == "" {
			w.inScope.add(mixHashes(imported, name), int32(n.ID))
		}
	}
}

// AddConfig records the content of a configuration file.
func (w *Bulk) AddConfig(p string, content []byte) {
	w.configs[p] = content
	w.byBase[path.Base(p)] = append(w.byBase[path.Base(p)], p)
	if ext := path.Ext(p); ext != "" {
		w.byBase["*"+ext] = append(w.byBase["*"+ext], p)
	}
}

// scope returns the hash of a scope's key, 0 for "".
func (w *Bulk) scope(key string) uint64 {
	if key == "" {
		return 0
	}
	return maphash.String(w.seed, key) | 1
}

// name returns the hash of a declaration's name and container.
func (w *Bulk) name(container, name string) uint64 {
	return mixHashes(maphash.String(w.seed, container), maphash.String(w.seed, name))
}

// mixHashes combines two hashes into one that depends on their order; the second must be evenly spread.
func mixHashes(a, b uint64) uint64 {
	hi, lo := bits.Mul64(a^0x9e3779b97f4a7c15, b^0xd1b54a32d192ed03)
	return hi ^ lo
}

func (w *Bulk) declarers(key uint64) []int64 {
	found := w.inScope.find(key)
	if len(found) == 0 {
		return nil
	}
	out := make([]int64, len(found))
	for i, id := range found {
		out[i] = int64(id)
	}
	return out
}

// Has implements resolve.Tree.
func (w *Bulk) Has(p string) bool { return w.byPath[p] != 0 }

// HasDir implements resolve.Tree.
func (w *Bulk) HasDir(dir string) bool { return w.dirs[dir] }

// Config implements resolve.Tree.
func (w *Bulk) Config(p string) ([]byte, bool) {
	b, ok := w.configs[p]
	return b, ok
}

// Configs implements resolve.Tree.
func (w *Bulk) Configs(base string) []string { return w.byBase[base] }

// PackageDirs implements resolve.Tree.
func (w *Bulk) PackageDirs(l code.Lang, pkg string) []string {
	return slices.Compact(slices.Sorted(slices.Values(w.packages[lang.PackageKey(l, pkg)])))
}

// Node implements graph.Lookup.
func (w *Bulk) Node(p string) (graph.Node, bool) { return w.NodeByID(w.byPath[p]) }

// NodeByID implements graph.Lookup.
func (w *Bulk) NodeByID(id int64) (graph.Node, bool) {
	if id <= 0 || id > int64(len(w.Nodes)) {
		return graph.Node{}, false
	}
	n := w.Nodes[id-1]
	return n, n.ID != 0
}

// ScopeDeclarers implements graph.Lookup.
func (w *Bulk) ScopeDeclarers(n graph.Node, container, name string) []int64 {
	scope := w.scope(scopeKey(n))
	if scope == 0 {
		return nil
	}
	return w.declarers(mixHashes(scope, w.name(container, name)))
}

// DirDeclarers implements graph.Lookup.
func (w *Bulk) DirDeclarers(l code.Lang, dir, name string) []int64 {
	return w.declarers(mixHashes(w.scope(dirScope(l, dir)), w.name("", name)))
}

// DirFirst implements graph.Lookup.
func (w *Bulk) DirFirst(l code.Lang, dir string) (int64, bool) {
	id := w.dirFirst[string(l)+":"+dir]
	return id, id != 0
}

// Declares implements graph.Lookup.
func (w *Bulk) Declares(file int64, container, name string) bool {
	return len(w.declared.find(mixHashes(uint64(file), w.name(container, name)))) > 0
}

// Tables implements graph.Lookup.
func (w *Bulk) Tables(name string) []int64 { return w.tables[name] }

// IsTable reports whether a symbol is a database table or view, in which models can be stored.
func IsTable(s *code.Symbol, l code.Lang) bool {
	return lang.Of(l).Tables && (s.Kind == code.KindTable || s.Kind == code.KindView)
}

// Outward implements graph.Lookup.
func (w *Bulk) Outward(file int64) graph.Outward { return w.ReadOutward(file) }

// scopeKey returns a key for the scope of a file, whose files see each other's declarations without an import; "" for
// languages without such scopes.
func scopeKey(n graph.Node) string {
	switch scope := lang.Of(n.Lang).Scope; {
	case scope == lang.ClauseScope:
		return string(n.Lang) + ":" + code.Dir(n.Path) + ":" + n.Package
	case scope == lang.DirectoryScope:
		return string(n.Lang) + ":" + code.Dir(n.Path)
	case scope == lang.PackageScope && n.Package == "":
		return graph.Family(n.Lang) + ":/" + code.Dir(n.Path)
	case scope == lang.NamespaceScope, scope == lang.PackageScope:
		return lang.PackageKey(n.Lang, n.Package)
	}
	return ""
}

// dirScoped reports whether importing a directory imports the declarations of its files.
func dirScoped(l code.Lang) bool { return lang.Of(l).PackageImports }

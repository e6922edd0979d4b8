package lookup

import (
	"encoding/binary"
	"hash/maphash"
	"path"
	"slices"
	"strings"

	"ken/internal/code"
	"ken/internal/engine/graph"
	"ken/internal/engine/resolve"
	"ken/internal/lang"
)

// Bulk answers linking's questions while a whole index is built, from
// memory: about 100 bytes a file and 16 a declaration.
type Bulk struct {
	seed    maphash.Seed
	Nodes   []graph.Node // by id-1, which is the order of paths
	byPath  map[string]int64
	dirs    map[string]bool
	configs map[string][]byte
	byBase  map[string][]string
	// declared holds hashes of (file, container, name); first and more the
	// files that declare (scope, container, name), in the order of ids.
	declared    map[uint64]struct{}
	first       map[uint64]int32
	more        map[uint64][]int32
	dirFirst    map[string]int64    // first file importers of a directory see, by language and directory
	packages    map[string][]string // directories of a package, by its key
	tables      map[string][]int64  // files that declare a database table, by its name
	ReadOutward func(file int64) graph.Outward
}

func NewBulk() *Bulk {
	return &Bulk{seed: maphash.MakeSeed(), byPath: map[string]int64{}, dirs: map[string]bool{"": true}, configs: map[string][]byte{},
		byBase: map[string][]string{}, declared: map[uint64]struct{}{}, first: map[uint64]int32{}, more: map[uint64][]int32{},
		dirFirst: map[string]int64{}, packages: map[string][]string{}, tables: map[string][]int64{}}
}

// Add notes a file and its declarations. Files come in the order of their ids;
// one that is not indexed only takes its number.
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
		if list := w.packages[key]; !slices.Contains(list, dir) {
			w.packages[key] = append(list, dir)
		}
	}
	scope := scopeOf(n)
	for i := range syms {
		s := &syms[i]
		container := s.Container()
		if IsTable(s, n.Lang) && !slices.Contains(w.tables[s.Name], n.ID) {
			w.tables[strings.Clone(s.Name)] = append(w.tables[s.Name], n.ID)
		}
		w.declared[w.hash(string(binary.AppendUvarint(nil, uint64(n.ID))), container, s.Name)] = struct{}{}
		if scope != "" {
			w.declare(w.hash(scope, container, s.Name), n.ID)
		}
		if container == "" && n.Importable() && dirScoped(n.Lang) {
			w.declare(w.hash("dir:"+graph.Family(n.Lang)+":"+dir, "", s.Name), n.ID)
		}
	}
}

func (w *Bulk) AddConfig(p string, content []byte) {
	w.configs[p] = content
	w.byBase[path.Base(p)] = append(w.byBase[path.Base(p)], p)
	if ext := path.Ext(p); ext != "" {
		w.byBase["*"+ext] = append(w.byBase["*"+ext], p)
	}
}

func (w *Bulk) declare(key uint64, id int64) {
	had, ok := w.first[key]
	if !ok {
		w.first[key] = int32(id)
		return
	}
	list := w.more[key]
	if had != int32(id) && !slices.Contains(list, int32(id)) {
		w.more[key] = append(list, int32(id))
	}
}

func (w *Bulk) hash(scope, container, name string) uint64 {
	var h maphash.Hash
	h.SetSeed(w.seed)
	h.WriteString(scope)
	h.WriteByte(0)
	h.WriteString(container)
	h.WriteByte(0)
	h.WriteString(name)
	return h.Sum64()
}

func (w *Bulk) declarers(key uint64) []int64 {
	f, ok := w.first[key]
	if !ok {
		return nil
	}
	out := []int64{int64(f)}
	for _, id := range w.more[key] {
		out = append(out, int64(id))
	}
	return out
}

func (w *Bulk) Has(p string) bool { return w.byPath[p] != 0 }

func (w *Bulk) HasDir(dir string) bool { return w.dirs[dir] }

func (w *Bulk) Config(p string) ([]byte, bool) {
	b, ok := w.configs[p]
	return b, ok
}

func (w *Bulk) Configs(base string) []string { return w.byBase[base] }

func (w *Bulk) PackageDirs(l code.Lang, pkg string) []string {
	return slices.Sorted(slices.Values(w.packages[resolve.PackageKey(l, pkg)]))
}

func (w *Bulk) Node(p string) (graph.Node, bool) { return w.NodeByID(w.byPath[p]) }

func (w *Bulk) NodeByID(id int64) (graph.Node, bool) {
	if id <= 0 || id > int64(len(w.Nodes)) {
		return graph.Node{}, false
	}
	n := w.Nodes[id-1]
	return n, n.ID != 0
}

func (w *Bulk) ScopeDeclarers(n graph.Node, container, name string) []int64 {
	return w.declarers(w.hash(scopeOf(n), container, name))
}

func (w *Bulk) DirDeclarers(l code.Lang, dir, name string) []int64 {
	return w.declarers(w.hash("dir:"+graph.Family(l)+":"+dir, "", name))
}

func (w *Bulk) DirFirst(l code.Lang, dir string) (int64, bool) {
	id := w.dirFirst[string(l)+":"+dir]
	return id, id != 0
}

func (w *Bulk) Declares(file int64, container, name string) bool {
	_, ok := w.declared[w.hash(string(binary.AppendUvarint(nil, uint64(file))), container, name)]
	return ok
}

func (w *Bulk) Tables(name string) []int64 { return w.tables[name] }

// IsTable reports whether a symbol is a table or view that models can be kept in.
func IsTable(s *code.Symbol, l code.Lang) bool {
	return lang.Of(l).Tables && (s.Kind == code.KindTable || s.Kind == code.KindView)
}

func (w *Bulk) Outward(file int64) graph.Outward { return w.ReadOutward(file) }

// scopeOf names the scope whose files see each other's declarations without an
// import, "" for languages that have none.
func scopeOf(n graph.Node) string {
	switch scope := lang.Of(n.Lang).Scope; {
	case scope == lang.ClauseScope:
		return string(n.Lang) + ":" + code.Dir(n.Path) + ":" + n.Package
	case scope == lang.DirectoryScope:
		return string(n.Lang) + ":" + code.Dir(n.Path)
	case scope == lang.NamespaceScope, scope == lang.PackageScope && n.Package != "":
		return resolve.PackageKey(n.Lang, n.Package)
	}
	return ""
}

// dirScoped reports whether importing a directory means the declarations of its
// files.
func dirScoped(l code.Lang) bool { return lang.Of(l).PackageImports }

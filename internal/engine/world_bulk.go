package engine

import (
	"encoding/binary"
	"hash/maphash"
	"path"
	"slices"
	"strings"

	"ken/internal/code"
	"ken/internal/engine/graph"
	"ken/internal/engine/resolve"
)

// bulkWorld answers linking's questions while a whole index is built, from
// memory: about 100 bytes a file and 16 a declaration.
type bulkWorld struct {
	seed    maphash.Seed
	nodes   []graph.Node // by id-1, which is the order of paths
	byPath  map[string]int64
	dirs    map[string]bool
	configs map[string][]byte
	byBase  map[string][]string
	// declared holds hashes of (file, container, name); first and more the
	// files that declare (scope, container, name), in the order of ids.
	declared map[uint64]struct{}
	first    map[uint64]int32
	more     map[uint64][]int32
	dirFirst map[string]int64    // first file importers of a directory see, by language and directory
	packages map[string][]string // directories of a package, by its key
	tables   map[string][]int64  // files that declare a database table, by its name
	outward  func(file int64) graph.Outward
}

func newBulkWorld() *bulkWorld {
	return &bulkWorld{seed: maphash.MakeSeed(), byPath: map[string]int64{}, dirs: map[string]bool{"": true}, configs: map[string][]byte{},
		byBase: map[string][]string{}, declared: map[uint64]struct{}{}, first: map[uint64]int32{}, more: map[uint64][]int32{},
		dirFirst: map[string]int64{}, packages: map[string][]string{}, tables: map[string][]int64{}}
}

// add notes a file and its declarations. Files come in the order of their ids;
// one that is not indexed only takes its number.
func (w *bulkWorld) add(n graph.Node, indexed bool, syms []code.Symbol) {
	if !indexed {
		w.nodes = append(w.nodes, graph.Node{})
		return
	}
	w.nodes = append(w.nodes, n)
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
		container := containerOf(s)
		if isTable(s, n.Lang) && !slices.Contains(w.tables[s.Name], n.ID) {
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

func (w *bulkWorld) addConfig(p string, content []byte) {
	w.configs[p] = content
	w.byBase[path.Base(p)] = append(w.byBase[path.Base(p)], p)
	if ext := path.Ext(p); ext != "" {
		w.byBase["*"+ext] = append(w.byBase["*"+ext], p)
	}
}

func (w *bulkWorld) declare(key uint64, id int64) {
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

func (w *bulkWorld) hash(scope, container, name string) uint64 {
	var h maphash.Hash
	h.SetSeed(w.seed)
	h.WriteString(scope)
	h.WriteByte(0)
	h.WriteString(container)
	h.WriteByte(0)
	h.WriteString(name)
	return h.Sum64()
}

func (w *bulkWorld) declarers(key uint64) []int64 {
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

func (w *bulkWorld) Has(p string) bool      { return w.byPath[p] != 0 }
func (w *bulkWorld) HasDir(dir string) bool { return w.dirs[dir] }

func (w *bulkWorld) Config(p string) ([]byte, bool) {
	b, ok := w.configs[p]
	return b, ok
}

func (w *bulkWorld) Configs(base string) []string { return w.byBase[base] }

func (w *bulkWorld) PackageDirs(lang code.Lang, pkg string) []string {
	return slices.Sorted(slices.Values(w.packages[resolve.PackageKey(lang, pkg)]))
}

func (w *bulkWorld) Node(p string) (graph.Node, bool) { return w.NodeByID(w.byPath[p]) }

func (w *bulkWorld) NodeByID(id int64) (graph.Node, bool) {
	if id <= 0 || id > int64(len(w.nodes)) {
		return graph.Node{}, false
	}
	n := w.nodes[id-1]
	return n, n.ID != 0
}

func (w *bulkWorld) ScopeDeclarers(n graph.Node, container, name string) []int64 {
	return w.declarers(w.hash(scopeOf(n), container, name))
}

func (w *bulkWorld) DirDeclarers(lang code.Lang, dir, name string) []int64 {
	return w.declarers(w.hash("dir:"+graph.Family(lang)+":"+dir, "", name))
}

func (w *bulkWorld) DirFirst(lang code.Lang, dir string) (int64, bool) {
	id := w.dirFirst[string(lang)+":"+dir]
	return id, id != 0
}

func (w *bulkWorld) Declares(file int64, container, name string) bool {
	_, ok := w.declared[w.hash(string(binary.AppendUvarint(nil, uint64(file))), container, name)]
	return ok
}

func (w *bulkWorld) Tables(name string) []int64 { return w.tables[name] }

// isTable reports whether a symbol is a table or view that models can be kept in.
func isTable(s *code.Symbol, lang code.Lang) bool {
	return lang == "sql" && (s.Kind == code.KindTable || s.Kind == code.KindView)
}

func (w *bulkWorld) Outward(file int64) graph.Outward { return w.outward(file) }

// scopeOf names the scope whose files see each other's declarations without an
// import, "" for languages that have none.
func scopeOf(n graph.Node) string {
	switch {
	case n.Lang == "go":
		return "go:" + code.Dir(n.Path) + ":" + n.Package
	case n.Lang == "hcl":
		return "hcl:" + code.Dir(n.Path)
	case resolve.HasPackages(n.Lang) && (n.Package != "" || !resolve.IsJVM(n.Lang)):
		return resolve.PackageKey(n.Lang, n.Package)
	}
	return ""
}

// dirScoped reports whether importing a directory means the declarations of its
// files.
func dirScoped(lang code.Lang) bool { return lang == "go" || resolve.IsJVM(lang) }

func containerOf(s *code.Symbol) string {
	if n := len(s.Qualified) - len(s.Name) - 1; n > 0 && s.Qualified[n+1:] == s.Name {
		return s.Qualified[:n]
	}
	return ""
}

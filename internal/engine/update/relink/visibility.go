package relink

import (
	"maps"
	"strings"

	"ken/internal/code"
	"ken/internal/engine/graph"
	"ken/internal/engine/lookup"
	"ken/internal/engine/resolve"
	"ken/internal/engine/store"
	"ken/internal/lang"
)

// visibility finds the files that can see a file's declarations: its importers, and the importers of files that pass its
// names on. Results are remembered, so it is valid only as long as no links are written. Without that a batch of changes
// in a package whose files pass names on in a circle, as in many Python packages, would walk the circle once for each
// changed file: with 1,400 of sympy's files, a hundred seconds instead of one.
type visibility struct {
	tx     store.Tx
	views  map[string]*view
	relays map[string][]code.File
	sets   map[string]map[int64]bool // files of a scope, and those whose imports looked for a key
	passes map[int64][]graph.Pass
	users  map[string][]int64 // see referrers
}

// view is a file that passes names on, with all files that pass them on in turn.
type view struct {
	relays map[string]bool // paths
	near   map[int64]bool  // importers of the relays
	passes []graph.Pass
}

func newVisibility(tx store.Tx) *visibility {
	return &visibility{tx: tx, views: map[string]*view{}, relays: map[string][]code.File{},
		sets: map[string]map[int64]bool{}, passes: map[int64][]graph.Pass{}, users: map[string][]int64{}}
}

// keptUsers bounds the number of names whose users are cached.
const keptUsers = 1 << 12

// referrers returns the files that use a name. Names that many files declare are looked up again and again.
func (s *visibility) referrers(name string) ([]int64, error) {
	ids, ok := s.users[name]
	if ok {
		return ids, nil
	}
	ids, err := s.tx.Referrers(name)
	if len(s.users) >= keptUsers {
		clear(s.users)
	}
	s.users[name] = ids
	return ids, err
}

// cachedSet returns the set of files that list returns for a key; it is loaded once.
func (s *visibility) cachedSet(key string, list func() ([]int64, error)) (map[int64]bool, error) {
	set, ok := s.sets[key]
	if ok {
		return set, nil
	}
	ids, err := list()
	if err != nil {
		return nil, err
	}
	if len(ids) > 0 {
		set = make(map[int64]bool, len(ids))
		for _, id := range ids {
			set[id] = true
		}
	}
	s.sets[key] = set
	return set, nil
}

// probingFiles returns the files whose imports looked for a key.
func (s *visibility) probingFiles(key string) (map[int64]bool, error) {
	return s.cachedSet("probe "+key, func() ([]int64, error) { return s.tx.ProbedBy(graph.ProbeKey(key)) })
}

// scopeMates returns the files that see a file's declarations without an import.
func (s *visibility) scopeMates(f code.File) (map[int64]bool, error) {
	var key string
	var list func() ([]code.File, error)
	switch scope := lang.Of(f.Lang).Scope; {
	case scope.InDirectory(), scope == lang.PackageScope && f.Package == "":
		key, list = "dir "+code.Dir(f.Path), func() ([]code.File, error) { return s.tx.NodesIn(code.Dir(f.Path)) }
	case scope == lang.PackageScope:
		key, list = "package "+string(f.Lang)+" "+f.Package, func() ([]code.File, error) { return lookup.PackageFiles(s.tx, f.Lang, f.Package) }
	default:
		return nil, nil
	}
	return s.cachedSet(key, func() ([]int64, error) {
		mates, err := list()
		ids := make([]int64, len(mates))
		for i := range mates {
			ids[i] = mates[i].ID
		}
		return ids, err
	})
}

// relayingFiles returns the files that pass on names of the file at a path.
func (s *visibility) relayingFiles(p string) ([]code.File, error) {
	if list, ok := s.relays[p]; ok {
		return list, nil
	}
	ids, err := s.tx.ProbedBy(graph.ProbeKey(graph.RelayKey(p)))
	if err != nil {
		return nil, err
	}
	list := make([]code.File, 0, len(ids))
	for _, id := range ids {
		f, ok, err := s.tx.FileByID(id)
		if err != nil {
			return nil, err
		}
		if ok {
			list = append(list, f)
		}
	}
	s.relays[p] = list
	return list, nil
}

// importers returns the sets of files whose imports looked for a file or its directory.
func (s *visibility) importers(p string) ([]map[int64]bool, error) {
	var out []map[int64]bool
	for _, k := range resolve.Keys(p) {
		if strings.HasSuffix(k, "**") {
			continue
		}
		set, err := s.probingFiles(k)
		if err != nil {
			return nil, err
		}
		if len(set) > 0 {
			out = append(out, set)
		}
	}
	return out, nil
}

// relayView returns the view of a file that passes names on. Files that pass names on to each other in a circle share a
// view, so that the circle is walked once and not for each of them.
func (s *visibility) relayView(from code.File) (*view, error) {
	if v, ok := s.views[from.Path]; ok {
		return v, nil
	}
	v := &view{relays: map[string]bool{from.Path: true}, near: map[int64]bool{}}
	queue := []code.File{from}
	for len(queue) > 0 {
		f := queue[0]
		queue = queue[1:]
		importers, err := s.importers(f.Path)
		if err != nil {
			return nil, err
		}
		for _, set := range importers {
			maps.Copy(v.near, set)
		}
		passes, err := s.filePasses(f.ID)
		if err != nil {
			return nil, err
		}
		v.passes = append(v.passes, passes...)
		next, err := s.relayingFiles(f.Path)
		if err != nil {
			return nil, err
		}
		for _, g := range next {
			if same := s.views[g.Path]; same != nil && same.relays[from.Path] {
				s.views[from.Path] = same
				return same, nil
			}
			if !v.relays[g.Path] {
				v.relays[g.Path] = true
				queue = append(queue, g)
			}
		}
	}
	s.views[from.Path] = v
	return v, nil
}

func (s *visibility) filePasses(id int64) ([]graph.Pass, error) {
	list, ok := s.passes[id]
	if ok || id == 0 {
		return list, nil
	}
	o, err := lookup.ReadOutward(s.tx, id)
	if err != nil {
		return nil, err
	}
	list = graph.Passes(o)
	s.passes[id] = list
	return list, nil
}

// visibleFiles is the set of files that can see the declarations of a file.
type visibleFiles struct {
	own   []map[int64]bool // not empty; shared with other files
	views []*view
}

func (s *visibleFiles) has(id int64) bool {
	for _, set := range s.own {
		if set[id] {
			return true
		}
	}
	for _, v := range s.views {
		if v.near[id] {
			return true
		}
	}
	return false
}

func (s *visibleFiles) isEmpty() bool { return len(s.own) == 0 && len(s.views) == 0 }

// addTo adds all files of the set to another.
func (s *visibleFiles) addTo(files map[int64]bool) {
	for _, set := range s.own {
		maps.Copy(files, set)
	}
	for _, v := range s.views {
		maps.Copy(files, v.near)
	}
}

// visibleTo returns the files that can see the declarations of a file, and adds to r the other names under which its names are passed on.
func (s *visibility) visibleTo(r *Renaming) (*visibleFiles, error) {
	own, err := s.importers(r.File.Path)
	if err != nil {
		return nil, err
	}
	out := &visibleFiles{own: own}
	for i, f := range []code.File{r.File, r.Was} {
		if i > 0 && f.Lang == r.File.Lang && f.Package == r.File.Package && code.Dir(f.Path) == code.Dir(r.File.Path) {
			continue
		}
		if err := s.addScope(out, f); err != nil {
			return nil, err
		}
	}
	passes, err := s.filePasses(r.File.ID)
	if err != nil {
		return nil, err
	}
	relays, err := s.relayingFiles(r.File.Path)
	if err != nil {
		return nil, err
	}
	for _, f := range relays {
		if f.Path == r.File.Path || out.covers(f.Path) {
			continue
		}
		v, err := s.relayView(f)
		if err != nil {
			return nil, err
		}
		out.views = append(out.views, v)
		passes = append(passes, v.passes...)
	}
	r.followPasses(passes)
	return out, nil
}

// addScope adds the files of a file's scope, and those that look names up in it.
func (s *visibility) addScope(to *visibleFiles, f code.File) error {
	mates, err := s.scopeMates(f)
	if err != nil {
		return err
	}
	if len(mates) > 0 {
		to.own = append(to.own, mates)
	}
	for _, key := range resolve.PackageKeys(f.Lang, f.Package) {
		set, err := s.probingFiles(key)
		if err != nil {
			return err
		}
		if len(set) > 0 {
			to.own = append(to.own, set)
		}
	}
	return nil
}

func (s *visibleFiles) covers(path string) bool {
	for _, v := range s.views {
		if v.relays[path] {
			return true
		}
	}
	return false
}

// Package place finds the files that plans name: at the written path, or at the only one that ends with it, because plans often leave
// out the folders that all of them share.
//
// Neighbours: package claim reads the names in plans; writeset, check and verify, beside this one, look them up.
package place

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"ken/internal/engine/store"
)

// Places are the files of a project.
type Places struct {
	paths  map[string]int64 // ids in the index, 0 for files that are not in it
	byBase map[string][]string
	onDisk func(p string) bool
}

// New makes a Places of the files of an index. onDisk reports whether a path exists on disk and is called for paths
// that are not in the index; it may be nil.
func New(rows []store.PathRow, onDisk func(p string) bool) *Places {
	p := &Places{paths: make(map[string]int64, len(rows)), byBase: make(map[string][]string, len(rows)), onDisk: onDisk}
	for _, r := range rows {
		p.paths[r.Path] = r.ID
		b := path.Base(r.Path)
		p.byBase[b] = append(p.byBase[b], r.Path)
	}
	return p
}

// FileID returns the id of a file in the index, 0 if it is not in it.
func (p *Places) FileID(name string) int64 { return p.paths[name] }

// Exists reports whether there is a file at a path.
func (p *Places) Exists(name string) bool {
	if _, ok := p.paths[name]; ok {
		return true
	}
	return p.onDisk != nil && p.onDisk(name)
}

// HasFolder reports whether a file of the index is below a folder.
func (p *Places) HasFolder(dir string) bool {
	for name := range p.paths {
		if strings.HasPrefix(name, dir+"/") {
			return true
		}
	}
	return false
}

// Find returns the file that a plan means by a path. If several files are possible, it returns those instead.
func (p *Places) Find(name string) (real string, ok bool, several []string) {
	if p.Exists(name) {
		return name, true, nil
	}
	for _, c := range p.byBase[path.Base(name)] {
		if strings.HasSuffix(c, "/"+name) {
			several = append(several, c)
		}
	}
	if len(several) == 1 {
		return several[0], true, nil
	}
	return name, false, several
}

// Near returns existing files similar to a path that does not exist: those of the same name, else those of the same folder
// with a similar name.
func (p *Places) Near(name string) []string {
	type rated struct {
		path string
		cost int
	}
	var list []rated
	stem := fileStem(name)
	for _, c := range p.byBase[path.Base(name)] {
		list = append(list, rated{c, 10 - min(9, sharedFolders(c, name))})
	}
	if len(list) == 0 {
		dir := path.Dir(name)
		for c := range p.paths {
			if path.Dir(c) != dir && fileStem(c) != stem {
				continue
			}
			if d := editDistance(fileStem(c), stem); d <= max(2, len(stem)/3) {
				list = append(list, rated{c, d})
			}
		}
	}
	slices.SortFunc(list, func(a, b rated) int { return cmp.Or(cmp.Compare(a.cost, b.cost), cmp.Compare(a.path, b.path)) })
	var out []string
	for _, r := range list[:min(3, len(list))] {
		out = append(out, r.path)
	}
	return out
}

// fileStem returns the name of a file without its extensions, in lower case.
func fileStem(p string) string {
	s, _, _ := strings.Cut(strings.TrimLeft(path.Base(p), "."), ".")
	return strings.ToLower(s)
}

// sharedFolders returns the number of folders that two paths have in common at their ends.
func sharedFolders(a, b string) (n int) {
	x, y := strings.Split(path.Dir(a), "/"), strings.Split(path.Dir(b), "/")
	for n < len(x) && n < len(y) && x[len(x)-1-n] == y[len(y)-1-n] {
		n++
	}
	return n
}

// editDistance returns the number of letters to insert, delete or replace to turn one word into another.
func editDistance(a, b string) int {
	const most = 60
	a, b = a[:min(len(a), most)], b[:min(len(b), most)]
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := diagonal
			if a[i] != b[j] {
				cost++
			}
			diagonal = row[j+1]
			row[j+1] = min(cost, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}

// FolderOfRoute returns the file by whose place a framework serves a path: app/api/users/route.ts and pages/api/users.ts serve /api/users.
func (p *Places) FolderOfRoute(route string) (file string, ok bool) {
	if strings.Count(route, "/") == 0 {
		return "", false
	}
	base := path.Base(route)
	for name := range p.paths {
		stem := strings.TrimSuffix(name, path.Ext(name))
		dir, last := path.Split(stem)
		served := strings.HasSuffix("/"+strings.TrimSuffix(dir, "/"), route) && slices.Contains([]string{"route", "page", "index", "+server", "+page"}, last)
		if served || last == base && strings.HasSuffix("/"+stem, route) && strings.Contains("/"+name, "/pages/") {
			if !ok || name < file {
				file, ok = name, true
			}
		}
	}
	return file, ok
}

package graph

import (
	"strings"

	"ken/internal/code"
)

// maxFollowed bounds the files visited to follow one name, because re-exports
// of everything can run in circles and branch.
const maxFollowed = 400

// Follow finds the file that declares a name which another file offers, through re-exports (JS/TS export … from, Python
// imports, Rust pub use).
func (k *Linker) Follow(file int64, name string) (int64, bool) {
	id, _, ok := k.FollowName(file, name)
	return id, ok
}

// FollowName finds the file as Follow does, and also returns the name that the declaration has there.
func (k *Linker) FollowName(file int64, name string) (int64, string, bool) {
	id, _, declared, ok := k.FollowDeclared(file, name)
	return id, declared, ok
}

// FollowDeclared finds the file as FollowName does, and also returns the container of the declaration: a module inside of the file.
func (k *Linker) FollowDeclared(file int64, name string) (id int64, container, declared string, ok bool) {
	id, declared, ok = k.followOnce(offeredName{file: file, name: name})
	if i := strings.LastIndexByte(declared, '.'); i > 0 {
		container, declared = declared[:i], declared[i+1:]
	}
	return id, container, declared, ok
}

// FollowRunning finds the file that declares a name where a module runs, as FollowName does: of a declaration file and the file
// that runs it takes the latter. ok is false if FollowName finds the same.
func (k *Linker) FollowRunning(link *Link, name string) (id int64, declared string, ok bool) {
	file, runs := link.File, link.Runs
	if runs == 0 {
		at, _, found := k.FollowName(file, name)
		if n, known := k.files.NodeByID(at); found && !(known && n.Declares()) {
			return 0, "", false
		}
		runs = file
	}
	return k.followOnce(offeredName{file: runs, name: name, runs: true})
}

func (k *Linker) followOnce(q offeredName) (int64, string, bool) {
	d, known := k.followed[q]
	if !known {
		t := nameTrail{Linker: k, seen: map[offeredName]bool{}, runs: q.runs}
		if id, n, ok := t.follow(q.file, q.name); ok {
			d = offeredName{file: id, name: strings.Clone(n)}
		}
		q.name = strings.Clone(q.name) // the remembered name must not keep all facts of a file in memory
		k.followed[q] = d
	}
	return d.file, d.name, d.file != 0
}

// offeredName is a name that a file offers to its importers; runs prefers files that run to those that declare their names.
type offeredName struct {
	file int64
	name string
	runs bool
}

// nameTrail follows one name through re-exports. seen holds the names already visited, each of which it visits once.
type nameTrail struct {
	*Linker
	seen map[offeredName]bool
	runs bool
}

// through follows a name through a link: of a declaration file and the file that runs it follows the one that is preferred, then
// the other. An import may lead to a module inside of a file, or to an enum: then the name that is returned is qualified.
func (k *nameTrail) through(link *Link, imp *code.Import, name string) (int64, string, bool) {
	first, second := link.File, link.Runs
	if k.runs && second != 0 {
		first, second = second, first
	}
	for _, file := range [...]int64{first, second} {
		if file == 0 {
			continue
		}
		if id, n, ok := k.follow(file, name); ok {
			return id, n, true
		}
	}
	for _, rest, more := strings.Cut(imp.Spec, "::"); more; _, rest, more = strings.Cut(rest, "::") {
		if container := strings.ReplaceAll(rest, "::", "."); k.files.Declares(first, container, name) {
			return first, container + "." + name, true
		}
	}
	return 0, "", false
}

func (k *nameTrail) follow(file int64, name string) (int64, string, bool) {
	if q := (offeredName{file: file, name: name}); k.seen[q] || len(k.seen) == maxFollowed {
		return 0, "", false
	} else {
		k.seen[q] = true
	}
	if name != "default" && k.files.Declares(file, "", name) {
		return file, name, true
	}
	out := k.files.Outward(file)
	links := out.Links
	if links == nil && len(out.Imports) > 0 {
		links = k.importLinks(file, out.Imports)
	}
	if id, n, ok := k.followExports(file, name, out, links); ok {
		return id, n, true
	}
	return k.followImports(file, name, out, links)
}

// followExports follows a name through the file's export lists.
func (k *nameTrail) followExports(file int64, name string, out Outward, links []Link) (int64, string, bool) {
	for i := range out.Exports {
		e := &out.Exports[i]
		if e.Name != name && e.Name != "*" {
			continue
		}
		if e.From < 0 {
			renamed := e.Local != name || name == "default"
			if e.Name == name && e.Local != "" && renamed && k.files.Declares(file, "", e.Local) {
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
		if want == "*" && out.Imports[e.From].Kind == code.ImportRequire {
			want = "default" // a module of CommonJS is what it exports
		}
		if want == "*" || e.Name == "*" && name == "default" {
			continue
		}
		if id, n, ok := k.through(&links[e.From], &out.Imports[e.From], want); ok {
			return id, n, true
		}
	}
	return 0, "", false
}

// followImports follows a name that the file imports and passes on to its own importers (see relays).
func (k *nameTrail) followImports(file int64, name string, out Outward, links []Link) (int64, string, bool) {
	n, _ := k.files.NodeByID(file)
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
			if id, found, ok := k.through(&links[i], imp, want); ok {
				return id, found, true
			}
		}
	}
	return 0, "", false
}

// Module finds the file that another file offers as a module under a name: by `export * as name from …`, in Python
// by an imported submodule.
func (k *Linker) Module(file int64, name string) (int64, bool) {
	out := k.files.Outward(file)
	links := k.importLinks(file, out.Imports)
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
			if sub, ok := links[i].Sub(m.Name); ok {
				return sub, true
			}
		}
	}
	return 0, false
}

// FollowRenamed finds the module of a Rust path that leads through another name. spec is facade::log::F, file the one that
// facade leads to, which has `pub extern crate the_log as log` or `pub use other::log`.
func (k *Linker) FollowRenamed(file int64, spec string) (int64, bool) {
	segs := strings.Split(spec, "::")
	for i := 1; i < len(segs) && file != 0; i++ {
		id, ok := k.Module(file, segs[i])
		if !ok {
			continue
		}
		n, ok := k.files.NodeByID(id)
		if !ok || i+1 == len(segs) {
			return id, ok
		}
		rest := strings.Join(segs[i+1:], "::")
		if link := k.Resolve(n, &code.Import{Spec: "self::" + rest}); link.File != 0 && link.File != id {
			return link.File, true
		}
		return k.FollowRenamed(id, segs[i]+"::"+rest)
	}
	return 0, false
}

// Imports returns the imports of a file and their targets.
func (k *Linker) Imports(file int64) ([]code.Import, []Link) {
	out := k.files.Outward(file)
	return out.Imports, k.importLinks(file, out.Imports)
}

// PackageName returns the name of the package that an import leads to, from the package clause of its first file; ok is
// false if importers see none of its files. The link must have a directory.
func (k *Linker) PackageName(n Node, link *Link) (name string, ok bool) {
	id, ok := k.files.DirFirst(n.Lang, link.Dirs[0])
	if !ok {
		return "", false
	}
	first, _ := k.files.NodeByID(id)
	return first.Package, true
}

// importLinks resolves the imports of another file than the one being linked, and keeps the links.
func (k *Linker) importLinks(file int64, imps []code.Import) []Link {
	if l, ok := k.outward[file]; ok {
		return l
	}
	n, ok := k.files.NodeByID(file)
	links := make([]Link, len(imps))
	if ok {
		for i := range imps {
			links[i] = k.resolve(n, &imps[i], nil)
			for j := range links[i].Subs {
				links[i].Subs[j].Name = strings.Clone(links[i].Subs[j].Name)
			}
		}
	}
	k.outward[file] = links
	return links
}

package summary

import (
	"cmp"
	"context"
	"maps"
	"path"
	"slices"
	"strings"

	"ken/internal/code"
	"ken/internal/engine/view"
)

// Layer is a directory that holds a large part of a project's code.
type Layer struct {
	Dir   string   // "" is the root
	Rest  bool     // it is the remainder of a directory that also holds other layers
	Role  string   // role of directories with this name: "Services"; "" if the name has no common meaning
	Says  Quote    // the directory's own description
	Files int      // source files in it, without those of other layers
	Parts []string // names of its largest directories, at most four; nil if there is only one
	Top   string   // its file with the most dependents, "" if none has any
}

// Limits that decide how a tree of directories is divided into layers.
const (
	maxLayers  = 8
	smallShare = 25 // a directory with less than 1/25 of the code is no layer
	splitShare = 8  // one with less than 1/8 of it is not divided
)

// dir is a directory that has source files in it or below it.
type dir struct {
	path     string
	own      int // weight of the files directly in it
	total    int // weight including all directories below
	files    int
	top      file   // its file with the most dependents
	children []*dir // by path
	parent   *dir
}

// dirs collects the directories of files, by path.
type dirs struct{ byPath map[string]*dir }

func newDirs() *dirs { return &dirs{map[string]*dir{"": {}}} }

// of returns the directory with path p. It creates the directory and all above it if they are new.
func (ds *dirs) of(p string) *dir {
	d := ds.byPath[p]
	if d == nil {
		d = &dir{path: p, parent: ds.of(code.Dir(p))}
		d.parent.children = append(d.parent.children, d)
		ds.byPath[p] = d
	}
	return d
}

func (ds *dirs) add(f *file, weight int) {
	d := ds.of(code.Dir(f.path))
	d.own += weight
	d.files++
	if hotter(f, &d.top) {
		d.top = *f
	}
}

// tree adds the weight of each directory to those above it, and returns the root.
func (ds *dirs) tree() *dir {
	paths := slices.Sorted(maps.Keys(ds.byPath))
	for _, p := range slices.Backward(paths) { // what is below a directory comes after it
		d := ds.byPath[p]
		d.total += d.own
		if d.parent != nil {
			d.parent.total += d.total
		}
		slices.SortFunc(d.children, func(a, b *dir) int { return strings.Compare(a.path, b.path) })
	}
	return ds.byPath[""]
}

// mainChild returns the directory directly below d that holds nearly all of d's code, or nil if there is none.
func (d *dir) mainChild() *dir {
	for _, c := range d.children {
		if c.total*10 >= d.total*9 {
			return c
		}
	}
	return nil
}

// split divides d into at most most directories below it that are large enough for a layer. all is the weight of all code. rest is
// the directory that holds the remaining code, if that is large enough, too. There are no parts if d stays whole.
func (d *dir) split(all, most int) (parts []*dir, rest *dir) {
	for c := d.mainChild(); c != nil; c = d.mainChild() {
		d = c
	}
	for _, c := range d.children {
		if c.total*smallShare >= all {
			parts = append(parts, c)
		}
	}
	slices.SortStableFunc(parts, func(a, b *dir) int { return cmp.Compare(b.total, a.total) })
	parts = parts[:min(len(parts), most)]
	left := d.total
	for _, c := range parts {
		left -= c.total
	}
	switch {
	case len(parts) > 0 && left*smallShare < all:
		return parts, nil
	case len(parts) == 0 && d.total < all:
		return nil, nil
	}
	return parts, d
}

// divide returns the directories that are layers. It splits the largest directory until there are enough. rests has the
// directories that stand only for the code outside of their other layers.
func divide(root *dir) (list []*dir, rests map[*dir]bool) {
	all := root.total
	rests = map[*dir]bool{}
	if all == 0 {
		return nil, rests
	}
	list = []*dir{cmp.Or(root.mainChild(), root)} // files beside the code, such as settings, are no layer
	whole := map[*dir]bool{}                      // not to be divided again
	for {
		var largest *dir
		for _, d := range list {
			if !whole[d] && d.total*splitShare >= all && (largest == nil || d.total > largest.total) {
				largest = d
			}
		}
		if largest == nil {
			return list, rests
		}
		whole[largest] = true
		parts, rest := largest.split(all, maxLayers-len(list))
		if len(parts) == 0 && rest == nil {
			continue
		}
		list = slices.DeleteFunc(list, func(d *dir) bool { return d == largest })
		if rest != nil {
			whole[rest], rests[rest] = true, len(parts) > 0
			list = append(list, rest)
		}
		list = append(list, parts...)
	}
}

// layers describes the directories that hold most of the code.
func layers(ctx context.Context, s *view.Snapshot, t *tally) ([]Layer, error) {
	list, rests := divide(t.dirs)
	measured := map[*dir]*measure{}
	for _, d := range list {
		measured[d] = &measure{}
	}
	t.dirs.measure(measured, nil)
	slices.SortFunc(list, func(a, b *dir) int {
		return cmp.Or(cmp.Compare(measured[b].weight, measured[a].weight), strings.Compare(a.path, b.path))
	})
	var out []Layer
	for _, d := range list[:min(len(list), maxLayers)] {
		m := measured[d]
		at := d
		for c := d.mainChild(); c != nil && !rests[d] && d != t.dirs; c = at.mainChild() {
			at = c // nearly all of it is there
		}
		if at != d {
			m = &measure{}
			at.measure(nil, m)
		}
		l := Layer{Dir: at.path, Role: roles[strings.ToLower(path.Base(at.path))], Rest: rests[d], Files: m.files, Top: m.top.path}
		if d.own*2 >= m.weight && d.top.path != "" { // the files beside its directories are the most of it
			l.Top = d.top.path
		} else {
			l.Parts = d.parts(measured)
		}
		if d == t.dirs || l.Rest {
			out = append(out, l) // the root is described by About, and a remainder is no unit
			continue
		}
		var err error
		if l.Says, err = describe(ctx, s, d); err != nil {
			return nil, err
		}
		out = append(out, l)
	}
	return out, nil
}

// measure holds the totals of one layer.
type measure struct {
	weight, files int
	top           file // the file with the most dependents, zero if none has any
}

// measure adds d and every directory below it to the totals of the nearest layer above. in holds the totals of the layer around d.
func (d *dir) measure(layers map[*dir]*measure, in *measure) {
	if own := layers[d]; own != nil {
		in = own
	}
	if in != nil {
		in.weight += d.own
		in.files += d.files
		if hotter(&d.top, &in.top) {
			in.top = d.top
		}
	}
	for _, c := range d.children {
		c.measure(layers, in)
	}
}

// maxParts is the number of directories of a layer that are named.
const maxParts = 4

// parts returns the names of the largest directories below d that are not layers themselves.
func (d *dir) parts(layers map[*dir]*measure) (out []string) {
	for c := d.mainChild(); c != nil; c = d.mainChild() {
		d = c
	}
	list := slices.DeleteFunc(slices.Clone(d.children), func(c *dir) bool { return c.total == 0 || c.holdsLayer(layers) })
	if len(list) < 2 {
		return nil
	}
	slices.SortStableFunc(list, func(a, b *dir) int { return cmp.Compare(b.total, a.total) })
	for _, c := range list[:min(len(list), maxParts)] {
		out = append(out, path.Base(c.path))
	}
	return out
}

// holdsLayer reports whether a directory or one below it is a layer.
func (d *dir) holdsLayer(layers map[*dir]*measure) bool {
	return layers[d] != nil || slices.ContainsFunc(d.children, func(c *dir) bool { return c.holdsLayer(layers) })
}

// hotter reports whether file a has more dependents than b, or as many and the smaller path.
func hotter(a, b *file) bool {
	return a.dependents > 0 && cmp.Or(cmp.Compare(b.dependents, a.dependents), strings.Compare(a.path, b.path)) < 0
}

// roles holds the roles of directories by name, and not more about their contents, which differ: handlers of a logger answer no
// requests. It leaves out names whose meaning differs between projects, such as lib, core and
// pkg.
var roles = map[string]string{
	"api": "API", "apis": "API",
	"routes": "Routes", "routers": "Routes",
	"controllers": "Controllers", "controller": "Controllers",
	"handlers": "Handlers", "handler": "Handlers",
	"middleware": "Middleware", "middlewares": "Middleware",
	"services": "Services", "service": "Services",
	"models": "Models", "model": "Models",
	"entities": "Entities", "entity": "Entities",
	"schemas": "Schemas", "schema": "Schemas",
	"types": "Types", "interfaces": "Interfaces",
	"repositories": "Repositories", "repository": "Repositories",
	"db": "Database", "database": "Database",
	"migrations": "Migrations",
	"components": "Components", "widgets": "Widgets",
	"pages": "Pages", "views": "Views",
	"layouts": "Layouts", "hooks": "Hooks",
	"store": "Store", "stores": "Stores",
	"reducers": "Reducers", "actions": "Actions",
	"utils": "Utilities", "util": "Utilities",
	"helpers": "Helpers", "common": "Common", "shared": "Shared",
	"config": "Configuration", "configs": "Configuration", "settings": "Configuration",
	"constants": "Constants", "styles": "Styles", "assets": "Assets",
	"commands": "Commands", "cmd": "Programs", "cli": "Command line",
	"scripts": "Scripts", "tools": "Tools",
	"plugins": "Plugins", "extensions": "Extensions",
	"server": "Server", "client": "Client",
	"packages": "Packages", "apps": "Applications",
	"crates": "Crates", "modules": "Modules",
}

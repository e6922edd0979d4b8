package resolve

import (
	"maps"
	"path"
	"slices"
	"strings"

	"ken/internal/code"
)

// cargoFile holds the relevant parts of a Cargo.toml.
type cargoFile struct {
	Name      string // package name, "" for a virtual manifest
	LibName   string
	LibPath   string
	Roots     []string // paths of binaries, tests, examples and benches as given
	Workspace bool
	WSDeps    map[string]cargoDep
	Deps      map[string]cargoDep
}

// cargoDep is a dependency in a Cargo.toml: its directory if it is given by
// path, and its package name if the crate uses another name for it.
type cargoDep struct {
	Path      string
	Package   string
	Workspace bool
}

func parseCargo(content []byte) cargoFile {
	t := parseTOML(content)
	c := cargoFile{
		Name:    t.str("package", "name"),
		LibName: t.str("lib", "name"),
		LibPath: t.str("lib", "path"),
		WSDeps:  map[string]cargoDep{},
		Deps:    map[string]cargoDep{},
	}
	_, c.Workspace = t.at("workspace").(map[string]any)
	for _, kind := range []string{"bin", "test", "example", "bench"} {
		targets, _ := t.at(kind).([]any)
		for _, target := range targets {
			if m, ok := target.(map[string]any); ok && table(m).str("path") != "" {
				c.Roots = append(c.Roots, table(m).str("path"))
			}
		}
	}
	if build := t.str("package", "build"); build != "" {
		c.Roots = append(c.Roots, build)
	}
	cargoDeps(c.WSDeps, t, "workspace", "dependencies")
	cargoPackageDeps(c.Deps, t)
	targets, names := t.table("target")
	for _, cfg := range names {
		per, _ := targets.table(cfg)
		cargoPackageDeps(c.Deps, per)
	}
	return c
}

func cargoPackageDeps(into map[string]cargoDep, t table) {
	cargoDeps(into, t, "dependencies")
	cargoDeps(into, t, "dev-dependencies")
	cargoDeps(into, t, "build-dependencies")
}

func cargoDeps(into map[string]cargoDep, t table, keys ...string) {
	deps, names := t.table(keys...)
	for _, name := range names {
		d := cargoDep{Path: deps.str(name, "path"), Package: deps.str(name, "package")}
		d.Workspace, _ = deps.at(name, "workspace").(bool)
		into[name] = d
	}
}

// rustName returns a package name as code writes it, with underscores.
func rustName(s string) string { return strings.ReplaceAll(s, "-", "_") }

// crate is one package of the repository.
type crate struct {
	dir      string
	lib      string            // name of its library in code
	libPath  string            // root of the library, whether it exists or not
	roots    []string          // roots of other targets, where they are given by path
	bases    map[string]string // directory of a root given by path → the root
	deps     map[string]rustDep
	depNames []string // keys of deps, sorted
	work     string   // directory of its workspace
	hasWork  bool
}

// rustDep is a dependency under its name in code. It is a crate of the
// repository (dir) or the name of an external package.
type rustDep struct {
	dir   string
	local bool
	pkg   string
}

// loadCrates reads every Cargo.toml.
func (r *rustResolver) loadCrates() {
	if r.crates != nil {
		return
	}
	r.crates = map[string]*crate{}
	files := map[string]cargoFile{}
	for _, f := range r.t.Configs("Cargo.toml") {
		content, _ := config(r.t, f)
		files[code.Dir(f)] = parseCargo(content)
	}
	r.byLib = map[string][]*crate{}
	for _, dir := range slices.Sorted(maps.Keys(files)) {
		f := files[dir]
		if f.Name == "" {
			continue
		}
		c := newCrate(dir, &f)
		ws := cargoFile{}
		c.hasWork = ancestors(dir, func(d string) bool { c.work, ws = d, files[d]; return ws.Workspace })
		c.addDeps(&f, &ws)
		r.crates[dir] = c
		r.byLib[c.lib] = append(r.byLib[c.lib], c)
	}
}

func newCrate(dir string, f *cargoFile) *crate {
	c := &crate{dir: dir, lib: rustName(f.Name), libPath: under(dir, "src/lib.rs"), bases: map[string]string{}, deps: map[string]rustDep{}}
	if f.LibName != "" {
		c.lib = rustName(f.LibName)
	}
	for _, root := range f.Roots {
		if p, ok := join(dir, root); ok {
			c.roots = append(c.roots, p)
			c.bases[code.Dir(p)] = p
		}
	}
	if p, ok := join(dir, f.LibPath); ok && f.LibPath != "" {
		c.libPath = p
		c.roots = append(c.roots, p)
		c.bases[code.Dir(p)] = p
	}
	delete(c.bases, under(dir, "src")) // has a lib.rs and a main.rs to choose from
	return c
}

func (c *crate) addDeps(f, ws *cargoFile) {
	for key, d := range f.Deps {
		base := c.dir
		if d.Workspace {
			d, base = ws.WSDeps[key], c.work
		}
		dep := rustDep{pkg: key}
		if d.Package != "" {
			dep.pkg = d.Package
		}
		if d.Path != "" {
			dep.dir, dep.local = join(base, path.Clean(d.Path))
		}
		c.deps[rustName(key)] = dep
	}
	c.depNames = slices.Sorted(maps.Keys(c.deps))
}

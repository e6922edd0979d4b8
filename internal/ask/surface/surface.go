// Package surface reads the surface of a repository: the packages that it provides, the packages that it needs with their versions, and
// the symbols of others that its code uses, each by a key that is the same in every repository. What several repositories have to do
// with each other follows from their surfaces alone; that is the matter of its neighbour ask/fleet. Package manifest, below, reads the
// files that declare packages.
package surface

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"ken/internal/ask/surface/manifest"
	"ken/internal/code"
	"ken/internal/engine/store"
	"ken/internal/engine/view"
)

// Schema is the number of the format of Record. It grows if a reader of the former one would misunderstand a record.
const Schema = 1

// The types of records, in the order in which they are written.
const (
	TypeSurface    = "surface"
	TypePackage    = "package"
	TypeDependency = "dependency"
	TypeUse        = "use"
	TypeReexport   = "reexport"
	TypeCoverage   = "coverage"
)

// Record is one line of a surface. A record of each type has only some of the fields.
type Record struct {
	Type     string   `json:"type" doc:"surface (the first line), package (what the repository provides), dependency (what it needs), use (a symbol of another package), reexport (such a symbol that it passes on) or coverage (the last line)"`
	Schema   int      `json:"schema,omitempty" doc:"of surface: number of this format, 1"`
	Commit   string   `json:"commit,omitempty" doc:"of surface: the commit at which the repository was indexed"`
	Manager  string   `json:"manager,omitempty" doc:"go, npm, pypi, cargo, maven (Gradle, too), nuget, composer, gem or cmake"`
	Package  string   `json:"package,omitempty" doc:"name of the package in its registry; left out of a use whose package is not known"`
	Module   string   `json:"module,omitempty" doc:"of use and reexport: what is imported, as written in the code"`
	Symbol   string   `json:"symbol,omitempty" doc:"of use and reexport: the symbol, Type.member for a member; left out if only the module is imported"`
	Tier     string   `json:"tier,omitempty" doc:"of use: import-resolved if a manifest declares the package that the import names, unique-name if its name was concluded from that of the import"`
	Version  string   `json:"version,omitempty" doc:"of package: its own version"`
	Declared string   `json:"declared,omitempty" doc:"of dependency: the version as the manifest has it"`
	Locked   []string `json:"locked_versions,omitempty" doc:"of dependency: the versions in the lock files, in their order"`
	Indirect bool     `json:"indirect,omitempty" doc:"of dependency: only other packages need it"`
	Dev      bool     `json:"dev,omitempty" doc:"of dependency: for development and tests alone"`
	Manifest string   `json:"manifest,omitempty" doc:"of package and dependency: path of the file that declares it, of a dependency that none declares the lock file"`
	Modules  []string `json:"modules,omitempty" doc:"of package: the beginnings of the names by which code imports it, if they do not follow from its name"`
	From     string   `json:"from,omitempty" doc:"of reexport: the package that is passed on"`
	FromName string   `json:"from_symbol,omitempty" doc:"of reexport: the name of the symbol there; * for all"`
	Uses     int      `json:"uses,omitempty" doc:"of use: places that use the symbol"`
	Files    int      `json:"files,omitempty" doc:"of use: files that do; of coverage: files of code that were read"`
	Places   []string `json:"places,omitempty" doc:"of use: the first places, path:line"`
	Language string   `json:"language,omitempty" doc:"of coverage: the language, left out for the sums"`
	External int      `json:"external,omitempty" doc:"of coverage: uses of symbols of other packages, without those of the standard library"`
	Known    int      `json:"attributed,omitempty" doc:"of coverage: those of them whose package is known"`
	Members  int      `json:"undecided_members,omitempty" doc:"of coverage: uses of members of values whose type the file does not show; they count nowhere else"`
	Unread   []string `json:"unread,omitempty" doc:"of coverage: manifests and files of code that were not read, or only in part, with the reason"`
}

// maxPlaces is the number of places of a use that are listed.
const maxPlaces = 5

// Read returns the records of a repository's surface in a total order. It fails if the index or a file cannot be read, or if ctx ends.
func Read(ctx context.Context, s *view.Snapshot) ([]Record, error) {
	commit, err := s.Index.Meta(store.MetaCommit)
	if err != nil {
		return nil, err
	}
	c := newCollector(s)
	if err := c.readManifests(ctx); err != nil {
		return nil, err
	}
	if err := c.readCode(ctx); err != nil {
		return nil, err
	}
	out := []Record{{Type: TypeSurface, Schema: Schema, Commit: commit}}
	out = append(out, c.packages()...)
	out = append(out, c.dependencies()...)
	out = append(out, c.usedSymbols()...)
	out = append(out, c.coverage()...)
	return out, nil
}

// collector gathers the parts of a surface.
type collector struct {
	s       *view.Snapshot
	owned   ownership
	nearest map[scopeKey]*Record // packages by directory
	own     []Record             // packages
	needs   []Record             // dependencies
	roots   map[string][]string  // modules of packages, by manifest
	uses    map[useKey]*Record
	sums    map[code.Lang]*Record
	odd     []string // what was not read, with reasons
}

func newCollector(s *view.Snapshot) *collector {
	return &collector{
		s: s, nearest: map[scopeKey]*Record{}, roots: map[string][]string{}, uses: map[useKey]*Record{}, sums: map[code.Lang]*Record{},
	}
}

// unowned are the classes of files whose manifests do not declare packages of the repository.
const unowned = code.ClassVendored | code.ClassFixture | code.ClassTemplate

// readManifests reads all files that declare or lock packages.
func (c *collector) readManifests(ctx context.Context) error {
	var files []code.File
	for f, err := range c.s.Index.Files() {
		if err != nil {
			return err
		}
		if manifest.IsManifest(f.Path) || manifest.IsLock(f.Path) {
			if f.Class.Has(unowned) || strings.Contains("/"+f.Path, "/node_modules/") {
				continue
			}
			files = append(files, f)
		}
	}
	c.owned.init()
	type read struct {
		m       *manifest.Manifest
		file    code.File
		manager string
		locked  []manifest.Locked
		missing bool
	}
	none := func() struct{} { return struct{}{} }
	edit := func(_ struct{}, f view.FileText) read {
		r := read{file: f.File, missing: f.Text == nil}
		if manifest.IsLock(f.File.Path) {
			r.manager, r.locked = manifest.ReadLock(f.File.Path, strings.Clone(string(f.Text)))
		} else {
			r.m = manifest.Read(f.File.Path, string(f.Text))
		}
		return r
	}
	for r, err := range view.Texts(ctx, c.s, files, none, edit) {
		switch {
		case err != nil:
			return err
		case r.missing:
			c.odd = append(c.odd, r.file.Path+": it could not be read")
		case r.m == nil:
			c.owned.addLock(r.manager, r.file.Path, r.locked)
		default:
			c.addManifest(r.m)
		}
	}
	return nil
}

func (c *collector) addManifest(m *manifest.Manifest) {
	manager := m.Manager()
	if manager == "" {
		return
	}
	if m.Problem != "" {
		c.odd = append(c.odd, m.Path+": "+m.Problem)
	}
	c.owned.addManifest(manager, m)
	if m.Package.Name != "" {
		r := Record{Type: TypePackage, Manager: manager, Version: m.Package.Version, Manifest: m.Path}
		r.Package = CanonicalName(manager, m.Package.Name)
		c.own = append(c.own, r)
	}
	for _, d := range m.Dependencies {
		r := Record{Type: TypeDependency, Manager: manager, Declared: d.Version, Indirect: d.Indirect, Dev: d.Dev, Manifest: m.Path}
		r.Package = CanonicalName(manager, cmp.Or(d.Package, d.Name))
		c.needs = append(c.needs, r)
	}
}

// packages returns the packages of the repository, with the modules that each provides.
func (c *collector) packages() []Record {
	for i := range c.own {
		c.own[i].Modules = c.roots[c.own[i].Manager+" "+c.own[i].Manifest]
	}
	slices.SortFunc(c.own, func(a, b Record) int {
		return cmp.Or(cmp.Compare(a.Manager, b.Manager), cmp.Compare(a.Package, b.Package), cmp.Compare(a.Manifest, b.Manifest))
	})
	return c.own
}

// dependencies returns the dependencies with the versions that lock files chose for them. What only a lock file names is an indirect one.
func (c *collector) dependencies() []Record {
	seen := map[[2]string]bool{}
	for i := range c.needs {
		d := &c.needs[i]
		seen[[2]string{d.Manager, d.Package}] = true
		if d.Manager == manifest.Go {
			if d.Declared != "" {
				d.Locked = []string{d.Declared} // the least version of all requirements is chosen
			}
			continue
		}
		d.Locked = c.owned.lockedVersions(d.Manager, code.Dir(d.Manifest), d.Package)
	}
	c.needs = append(c.needs, c.owned.onlyLocked(seen)...)
	slices.SortStableFunc(c.needs, func(a, b Record) int {
		return cmp.Or(cmp.Compare(a.Manager, b.Manager), cmp.Compare(a.Package, b.Package), cmp.Compare(a.Manifest, b.Manifest))
	})
	return c.needs
}

// usedSymbols returns the uses by symbol, then what is passed on.
func (c *collector) usedSymbols() (out []Record) {
	for _, u := range c.uses {
		out = append(out, *u)
	}
	slices.SortFunc(out, func(a, b Record) int {
		return cmp.Or(cmp.Compare(b.Type, a.Type), cmp.Compare(a.Manager, b.Manager), cmp.Compare(a.Package, b.Package),
			cmp.Compare(a.Module, b.Module), cmp.Compare(a.Symbol, b.Symbol), cmp.Compare(a.Tier, b.Tier), cmp.Compare(a.FromName, b.FromName),
			cmp.Compare(a.From, b.From), slices.Compare(a.Places, b.Places))
	})
	return out
}

// coverage returns a record for each language whose imports were read, and the sums.
func (c *collector) coverage() (out []Record) {
	sum := Record{Type: TypeCoverage, Unread: c.odd}
	for l, r := range c.sums {
		sum.Files, sum.External, sum.Known, sum.Members = sum.Files+r.Files, sum.External+r.External, sum.Known+r.Known, sum.Members+r.Members
		r.Type, r.Language = TypeCoverage, string(l)
		out = append(out, *r)
	}
	slices.SortFunc(out, func(a, b Record) int { return cmp.Compare(a.Language, b.Language) })
	slices.Sort(sum.Unread)
	return append(out, sum)
}

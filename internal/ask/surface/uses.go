package surface

import (
	"context"
	"fmt"
	"path"
	"slices"
	"sort"
	"strings"

	"ken/internal/ask/surface/manifest"
	"ken/internal/code"
	"ken/internal/engine/facts"
	"ken/internal/engine/graph"
)

// useKey identifies a record of a use.
type useKey struct {
	manager, pkg, module, symbol, from, fromName string
	tier                                         code.Confidence
	kind                                         string
}

// fileUses are the uses of one file.
type fileUses struct {
	c       *collector
	file    *code.File
	manager string
	imports []code.Import
	links   []graph.Link
	owner   []attribution // of imports that lead out of the repository
	outside []bool
	used    []bool // imports from which a symbol is used
	sum     *Record
	seen    map[*Record]bool
}

// readCode reads the imports and references of all files of code that are the repository's own.
func (c *collector) readCode(ctx context.Context) error {
	for f, err := range c.s.Index.Files() {
		if err != nil {
			return err
		}
		manager := manifest.CodeManager(f.Lang)
		if manager == "" || f.Class.Has(code.ClassVendored) {
			continue
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := c.readFile(&f, manager); err != nil {
			return err
		}
	}
	for k, list := range c.roots {
		slices.Sort(list)
		c.roots[k] = shortestBeginnings(list)
	}
	return nil
}

func (c *collector) readFile(f *code.File, manager string) error {
	sum := c.sums[f.Lang]
	if sum == nil {
		sum = &Record{}
		c.sums[f.Lang] = sum
	}
	if f.Problem != "" {
		c.odd = append(c.odd, f.Path+": "+string(f.Problem))
	}
	row, err := c.s.Index.Site(f.ID)
	if err != nil || len(row.Facts) == 0 {
		return err
	}
	sum.Files++
	packed, err := facts.Open(row.Facts)
	if err != nil {
		return err
	}
	links, err := graph.DecodeLinks(row.Links)
	if err != nil {
		return err
	}
	u := &fileUses{c: c, file: f, manager: manager, links: links.Imports, sum: sum, seen: map[*Record]bool{}}
	if err := u.read(packed); err != nil {
		return err
	}
	c.addModule(f, manager)
	return nil
}

func (u *fileUses) read(packed *facts.Packed) error {
	imports, exports, refs, err := packed.Linkable()
	if err != nil {
		return err
	}
	u.imports = imports[:min(len(imports), len(u.links))]
	u.outside, u.owner, u.used = make([]bool, len(u.imports)), make([]attribution, len(u.imports)), make([]bool, len(u.imports))
	for i := range u.imports {
		u.classify(i)
	}
	types := u.importedNames(refs)
	sort.Slice(refs, func(i, j int) bool { return refs[i].Start < refs[j].Start })
	for i := range refs {
		u.addRef(&refs[i], types)
	}
	u.addModules()
	u.addReexports(exports)
	return nil
}

// classify decides whether an import leads out of the repository, and to which package.
func (u *fileUses) classify(i int) {
	imp, link := &u.imports[i], &u.links[i]
	switch imp.Kind {
	case code.ImportMention, code.ImportOrigin, code.ImportTable, code.ImportMod:
		return
	}
	vendored := u.manager == manifest.Go && len(link.Dirs) > 0 && strings.Contains("/"+link.Dirs[0], "/vendor/")
	if leaves := link.External != "" && !link.Internal(); link.Std || !leaves && !vendored {
		return // within the repository, of the language, or unknown
	}
	u.outside[i] = true
	spec := imp.Spec
	if u.manager == manifest.PyPI && len(imp.Names) > 0 {
		spec += "." + imp.Names[0].Name // a shared namespace has packages of several distributions
	}
	u.owner[i] = u.c.owned.attribute(u.manager, code.Dir(u.file.Path), spec, link.External)
}

// importedNames returns the imports that bind each name as a type, by which receivers of that type are found.
func (u *fileUses) importedNames(refs []code.Ref) map[string]int32 {
	types := map[string]int32{}
	for i := range refs {
		r := &refs[i]
		if r.Via == code.ViaImport && r.Import >= 0 && int(r.Import) < len(u.outside) {
			if at, ok := types[r.Name]; ok && at != r.Import {
				types[r.Name] = -1 // two imports have it
			} else {
				types[r.Name] = r.Import
			}
		}
	}
	return types
}

func (u *fileUses) addRef(r *code.Ref, types map[string]int32) {
	switch {
	case r.Via == code.ViaMember, r.Via == code.ViaTyped && code.IsExpr(r.Recv):
		u.sum.Members++
	case r.Via.NamesImport() && r.Import >= 0 && int(r.Import) < len(u.outside) && u.outside[r.Import]:
		name := u.importedName(r)
		u.add(int(r.Import), name, r)
	case r.Via == code.ViaTyped && r.Recv != "" && !strings.Contains(r.Recv, code.AlsoType):
		dot := strings.LastIndexAny(r.Recv, ".:")
		typ := r.Recv[dot+1:]
		if dot < 0 && u.manager == manifest.Go {
			return // a type of the file's own package
		}
		if at, ok := types[typ]; ok && at >= 0 && u.outside[at] {
			u.add(int(at), u.originalName(at, typ)+"."+r.Name, r)
		}
	}
}

// importedName returns the name of a reference in the package that it is imported from.
func (u *fileUses) importedName(r *code.Ref) string {
	if r.Via == code.ViaModule {
		return ""
	}
	return u.originalName(r.Import, r.Name)
}

// originalName returns the name that an import has for a default or whole import there: references have the local one of these alone.
func (u *fileUses) originalName(at int32, name string) string {
	for _, n := range u.imports[at].Names {
		if n.Alias == name && (n.Name == "default" || n.Name == "*") {
			return n.Name
		}
	}
	return name
}

func (u *fileUses) add(i int, symbol string, r *code.Ref) {
	u.used[i] = true
	u.sum.External++
	a := u.owner[i]
	if a.pkg != "" {
		u.sum.Known++
	}
	rec := u.record(i, symbol, TypeUse)
	rec.Uses++
	u.place(rec, r.Line)
}

// record returns the record of a symbol of an import.
func (u *fileUses) record(i int, symbol, kind string) *Record {
	a := u.owner[i]
	k := useKey{manager: u.manager, pkg: a.pkg, module: u.imports[i].Spec, symbol: symbol, tier: a.tier, kind: kind}
	rec := u.c.uses[k]
	if rec == nil {
		rec = &Record{Type: kind, Manager: u.manager, Package: a.pkg, Module: k.module, Symbol: symbol}
		if a.pkg != "" {
			rec.Tier = a.tier.String()
		}
		u.c.uses[k] = rec
	}
	return rec
}

func (u *fileUses) place(rec *Record, line uint32) {
	if !u.seen[rec] {
		u.seen[rec] = true
		rec.Files++
	}
	if len(rec.Places) < maxPlaces {
		rec.Places = append(rec.Places, fmt.Sprintf("%s:%d", u.file.Path, line))
	}
}

// addModules adds the imports of which no symbol is used by name.
func (u *fileUses) addModules() {
	for i := range u.imports {
		if u.outside[i] && !u.used[i] {
			rec := u.record(i, "", TypeUse)
			rec.Uses++
			u.place(rec, u.imports[i].Line)
			u.sum.External++
			if u.owner[i].pkg != "" {
				u.sum.Known++
			}
		}
	}
}

// addReexports adds the names that a file passes on from other packages.
func (u *fileUses) addReexports(exports []code.Export) {
	for _, e := range exports {
		if e.From >= 0 && int(e.From) < len(u.outside) && u.outside[e.From] {
			u.passOn(int(e.From), e.Name, e.Local, e.Line)
		}
	}
	if u.manager == manifest.NPM {
		return // all of them are exports
	}
	passesAll := u.manager == manifest.PyPI && path.Base(u.file.Path) == "__init__.py"
	for i := range u.imports {
		imp := &u.imports[i]
		if !u.outside[i] || imp.Kind != code.ImportReexport && !passesAll {
			continue
		}
		for _, n := range imp.Names {
			u.passOn(i, n.Alias, n.Name, imp.Line)
		}
	}
}

func (u *fileUses) passOn(i int, name, original string, line uint32) {
	a := u.owner[i]
	if name == "" || original == "" {
		return
	}
	k := useKey{manager: u.manager, pkg: a.pkg, module: u.imports[i].Spec, symbol: name, kind: TypeReexport}
	k.from, k.fromName = u.file.Path, original
	if u.c.uses[k] == nil {
		rec := &Record{Type: TypeReexport, Manager: u.manager, From: a.pkg, Module: u.imports[i].Spec, Symbol: name, FromName: original,
			Places: []string{fmt.Sprintf("%s:%d", u.file.Path, line)}}
		if m, ok := u.c.nearestPackage(u.manager, code.Dir(u.file.Path)); ok {
			rec.Package = m.Package
		}
		u.c.uses[k] = rec
	}
}

// addModule adds the name by which code imports a file to the modules of the package that holds it, where that does not follow from the
// name of the package.
func (c *collector) addModule(f *code.File, manager string) {
	var name string
	switch manager {
	case manifest.Maven, manifest.NuGet, manifest.Composer:
		name = f.Package
	case manifest.PyPI:
		if f.Class.Has(code.ClassTest) || !strings.HasSuffix(f.Path, "/__init__.py") {
			return
		}
	default:
		return
	}
	m, ok := c.nearestPackage(manager, code.Dir(f.Path))
	if !ok || f.Class.Has(code.ClassTest|code.ClassFixture) {
		return
	}
	if manager == manifest.PyPI {
		rel := strings.TrimPrefix(strings.TrimPrefix(strings.TrimPrefix(f.Path, code.Dir(m.Manifest)), "/"), "src/")
		name = strings.ReplaceAll(code.Dir(rel), "/", ".")
	}
	k := manager + " " + m.Manifest
	if name != "" && !slices.Contains(c.roots[k], name) {
		c.roots[k] = append(c.roots[k], name)
	}
}

// nearestPackage returns the package whose manifest is nearest above a directory.
func (c *collector) nearestPackage(manager, dir string) (*Record, bool) {
	k := scopeKey{manager, dir}
	r, ok := c.nearest[k]
	if !ok {
		for i := range c.own {
			if c.own[i].Manager == manager && code.Dir(c.own[i].Manifest) == dir {
				r = &c.own[i]
			}
		}
		if r == nil && dir != "" {
			r, _ = c.nearestPackage(manager, code.Dir(dir))
		}
		c.nearest[k] = r
	}
	return r, r != nil
}

// shortestBeginnings drops from a sorted list each name that continues another one.
func shortestBeginnings(list []string) (out []string) {
	for _, name := range list {
		if n := len(out); n > 0 && strings.HasPrefix(name, out[n-1]) && strings.ContainsRune(`.\`, rune(name[len(out[n-1])])) {
			continue
		}
		out = append(out, name)
	}
	return out
}

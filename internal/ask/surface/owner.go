package surface

import (
	"cmp"
	"maps"
	"path"
	"slices"
	"strings"

	"ken/internal/ask/surface/manifest"
	"ken/internal/code"
)

// ownership knows the packages that the manifests of each directory declare, so that an import can be attributed to one of them.
type ownership struct {
	scopes map[scopeKey]*scope
	locks  map[scopeKey][]manifest.Locked
	memo   map[scopeKey][]*scope // scopes around a directory, the nearest first
}

type scopeKey struct{ manager, dir string }

// scope holds the dependencies that manifests and lock files of one directory name.
type scope struct {
	names      map[string]string // name in the code → name in the registry
	namespaces map[string]string // beginning of the names of declarations → package
	locked     map[string][]string
	lockFile   map[string]string // the first that has a package
}

func (o *ownership) init() {
	o.scopes, o.locks, o.memo = map[scopeKey]*scope{}, map[scopeKey][]manifest.Locked{}, map[scopeKey][]*scope{}
}

func (o *ownership) scope(manager, dir string) *scope {
	k := scopeKey{manager, dir}
	s := o.scopes[k]
	if s == nil {
		s = &scope{names: map[string]string{}, namespaces: map[string]string{}, locked: map[string][]string{}, lockFile: map[string]string{}}
		o.scopes[k] = s
	}
	return s
}

func (o *ownership) addManifest(manager string, m *manifest.Manifest) {
	dir := code.Dir(m.Path)
	if base := path.Base(dir); base == "gradle" || base == "requirements" {
		dir = code.Dir(dir) // a catalogue, or a list of pip, is that of the project around the folder
	}
	s := o.scope(manager, dir)
	for _, d := range m.Dependencies {
		s.names[CanonicalName(manager, d.Name)] = CanonicalName(manager, cmp.Or(d.Package, d.Name))
	}
}

func (o *ownership) addLock(manager, file string, list []manifest.Locked) {
	if manager == "" {
		return
	}
	s := o.scope(manager, code.Dir(file))
	for _, l := range list {
		name := CanonicalName(manager, l.Name)
		if _, ok := s.names[name]; !ok {
			s.names[name] = name
		}
		if !slices.Contains(s.locked[name], l.Version) {
			s.locked[name] = append(s.locked[name], l.Version)
			s.lockFile[name] = cmp.Or(s.lockFile[name], file)
		}
		for _, n := range l.Namespaces {
			if n != "" {
				s.namespaces[n] = name
			}
		}
	}
}

// around returns the scopes of a directory and of those around it, the nearest first.
func (o *ownership) around(manager, dir string) []*scope {
	k := scopeKey{manager, dir}
	list, ok := o.memo[k]
	if ok {
		return list
	}
	if dir != "" {
		list = o.around(manager, code.Dir(dir))
	}
	if s := o.scopes[k]; s != nil {
		list = append([]*scope{s}, list...)
	}
	o.memo[k] = list
	return list
}

// lockedVersions returns the versions of a package in the nearest lock file that has it.
func (o *ownership) lockedVersions(manager, dir, name string) []string {
	for _, s := range o.around(manager, dir) {
		if v := s.locked[name]; v != nil {
			return v
		}
	}
	return nil
}

// onlyLocked returns the packages that lock files name and no manifest, seen by manager and name.
func (o *ownership) onlyLocked(seen map[[2]string]bool) (out []Record) {
	for k, s := range o.scopes {
		for name, versions := range s.locked {
			if !seen[[2]string{k.manager, name}] {
				r := Record{Type: TypeDependency, Manager: k.manager, Package: name, Locked: versions, Indirect: true}
				r.Manifest = s.lockFile[name]
				out = append(out, r)
			}
		}
	}
	slices.SortFunc(out, func(a, b Record) int {
		return cmp.Or(cmp.Compare(a.Manager, b.Manager), cmp.Compare(a.Package, b.Package), cmp.Compare(a.Manifest, b.Manifest))
	})
	return out
}

// CanonicalName returns the form in which a registry compares names.
func CanonicalName(manager, name string) string {
	switch manager {
	case manifest.PyPI:
		return strings.ToLower(strings.NewReplacer("_", "-", ".", "-").Replace(name))
	case manifest.Composer:
		return strings.ToLower(name)
	}
	return name
}

// attribution is the package to which an import was attributed.
type attribution struct {
	pkg  string
	tier code.Confidence
}

// attribute returns the package outside the repository that an import names: spec is the import as written, external the name that
// resolution gave the target.
func (o *ownership) attribute(manager, dir, spec, external string) attribution {
	scopes := o.around(manager, dir)
	switch manager {
	case manifest.Go:
		return goPackage(scopes, spec, external)
	case manifest.NPM:
		return npmPackage(scopes, external)
	case manifest.PyPI:
		return pythonPackage(scopes, spec)
	case manifest.Cargo:
		return crate(scopes, external)
	case manifest.Composer:
		return composerPackage(scopes, spec)
	case manifest.Maven:
		return mavenPackage(scopes, spec)
	case manifest.NuGet:
		return nugetPackage(scopes, spec)
	case manifest.Gem:
		return gem(scopes, spec)
	}
	return attribution{}
}

// declared returns the package that one of the scopes declares under a name.
func declared(scopes []*scope, name string) (attribution, bool) {
	for _, s := range scopes {
		if pkg, ok := s.names[name]; ok {
			return attribution{pkg, code.ImportResolved}, true
		}
	}
	return attribution{}, false
}

// goPackage finds the module with the longest path among those that the nearest go.mod requires. Without one it follows the conventions
// of hosts, by which external was made.
func goPackage(scopes []*scope, spec, external string) attribution {
	spec = strings.Trim(spec, "/")
	for prefix := spec; prefix != ""; prefix = code.Dir(prefix) {
		if a, ok := declared(scopes[:min(1, len(scopes))], prefix); ok {
			return a
		}
	}
	return attribution{external, code.UniqueName}
}

func npmPackage(scopes []*scope, name string) attribution {
	if strings.ContainsAny(name, ":*?") || name == "" {
		return attribution{} // made by a bundler
	}
	if a, ok := declared(scopes, name); ok {
		return a
	}
	scoped, plain, ok := strings.Cut(name, "/")
	types := "@types/" + name
	if ok {
		types = "@types/" + strings.TrimPrefix(scoped, "@") + "__" + plain
	}
	if _, ok := declared(scopes, types); ok {
		return attribution{name, code.ImportResolved}
	}
	return attribution{name, code.UniqueName}
}

// pythonPackage finds the distribution that declares to hold a module: one of its name, of the name of a subpackage of a shared
// namespace, or one of the few well-known ones with another name.
func pythonPackage(scopes []*scope, spec string) attribution {
	segs := strings.Split(spec, ".")
	for n := min(4, len(segs)); n > 0; n-- {
		if a, ok := declared(scopes, CanonicalName(manifest.PyPI, strings.Join(segs[:n], "-"))); ok {
			return a
		}
	}
	top := segs[0]
	if top == "" {
		return attribution{}
	}
	for _, name := range append(slices.Clone(distributions()[top]), "python-"+top, "py"+top, top+"-python", "django-"+top, "flask-"+top) {
		if a, ok := declared(scopes, CanonicalName(manifest.PyPI, name)); ok {
			return attribution{a.pkg, code.ImportResolved}
		}
	}
	if known := distributions()[top]; len(known) > 0 {
		return attribution{known[0], code.UniqueName}
	}
	return attribution{CanonicalName(manifest.PyPI, top), code.UniqueName}
}

// crate finds the crate that the code calls by a name. In names of crates a hyphen is an underscore there.
func crate(scopes []*scope, ident string) attribution {
	for _, s := range scopes {
		for _, name := range []string{ident, strings.ReplaceAll(ident, "_", "-")} {
			if pkg, ok := s.names[name]; ok {
				return attribution{pkg, code.ImportResolved}
			}
		}
		for name, pkg := range s.names { // resolution may know the name in the registry already
			if strings.ReplaceAll(name, "-", "_") == ident || strings.ReplaceAll(pkg, "-", "_") == ident {
				return attribution{pkg, code.ImportResolved}
			}
		}
	}
	return attribution{} // a macro or an enum as well as a crate
}

// composerPackage finds the package whose namespace is the longest beginning of a name.
func composerPackage(scopes []*scope, spec string) attribution {
	name := strings.Trim(spec, `\`) + `\`
	best := ""
	var found attribution
	for _, s := range scopes {
		for prefix, pkg := range s.namespaces {
			if strings.HasPrefix(name, prefix) && len(prefix) > len(best) {
				best, found = prefix, attribution{pkg, code.ImportResolved}
			}
		}
	}
	if best != "" {
		return found
	}
	segs := strings.Split(strings.ToLower(strings.Trim(spec, `\`)), `\`)
	return lone(scopes, func(pkg string) bool {
		vendor, own, _ := strings.Cut(pkg, "/")
		return strings.ReplaceAll(vendor, "-", "") == segs[0] && slices.Contains(segs[min(1, len(segs)-1):], strings.ReplaceAll(own, "-", ""))
	})
}

// lone returns the only declared package for which a test holds.
func lone(scopes []*scope, is func(pkg string) bool) attribution {
	found := map[string]bool{}
	for _, s := range scopes {
		for _, pkg := range s.names {
			if is(pkg) {
				found[pkg] = true
			}
		}
	}
	if len(found) != 1 {
		return attribution{}
	}
	return attribution{slices.Collect(maps.Keys(found))[0], code.UniqueName}
}

// mavenPackage finds the artefact to which a package of the JVM belongs. Its name does not say: the group of an artefact is most often
// a beginning of the names of its packages, and where several artefacts have the group the words of their names decide.
func mavenPackage(scopes []*scope, spec string) attribution {
	if known, ok := longestPrefix(artefacts(), spec, "."); ok {
		if a := lone(scopes, func(pkg string) bool { return slices.Contains(known, pkg) }); a.pkg != "" {
			return a
		}
	}
	type candidate struct {
		pkg   string
		score int
	}
	var list []candidate
	for _, s := range scopes {
		for _, pkg := range s.names {
			group, name, _ := strings.Cut(pkg, ":")
			if group != "" && (spec == group || strings.HasPrefix(spec, group+".")) {
				list = append(list, candidate{pkg, 100*strings.Count(group, ".") + commonWords(name, spec)})
			}
		}
	}
	slices.SortFunc(list, func(a, b candidate) int { return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(a.pkg, b.pkg)) })
	list = slices.Compact(list)
	if len(list) == 0 || len(list) > 1 && list[0].score == list[1].score {
		return attribution{}
	}
	return attribution{list[0].pkg, code.UniqueName}
}

// commonWords counts the words of an artefact's name that are parts of the name of a package, less those that are not.
func commonWords(name, spec string) (n int) {
	segs := strings.Split(strings.ToLower(spec), ".")
	for _, w := range strings.FieldsFunc(strings.ToLower(name), func(r rune) bool { return r == '-' || r == '.' || r == '_' }) {
		if slices.Contains(segs, w) {
			n += 3
		} else {
			n--
		}
	}
	return n
}

// longestPrefix returns the value of the longest key that is a beginning of a dotted name.
func longestPrefix(m map[string][]string, name, sep string) ([]string, bool) {
	for {
		if v, ok := m[name]; ok {
			return v, true
		}
		i := strings.LastIndex(name, sep)
		if i < 0 {
			return nil, false
		}
		name = name[:i]
	}
}

// nugetPackage finds the package whose name is the longest beginning of a namespace, or the only one whose name begins with it.
func nugetPackage(scopes []*scope, spec string) attribution {
	for prefix := spec; prefix != ""; {
		if a, ok := declared(scopes, prefix); ok {
			return attribution{a.pkg, code.UniqueName}
		}
		prefix = prefix[:max(0, strings.LastIndexByte(prefix, '.'))]
	}
	return lone(scopes, func(pkg string) bool { return strings.HasPrefix(pkg, spec+".") })
}

// gem finds the gem that a file is required from: one of its name, or of its folder.
func gem(scopes []*scope, spec string) attribution {
	for prefix := spec; prefix != ""; prefix = code.Dir(prefix) {
		for _, name := range []string{strings.ReplaceAll(prefix, "/", "-"), strings.ReplaceAll(prefix, "/", "_")} {
			if a, ok := declared(scopes, name); ok {
				return a
			}
		}
	}
	return attribution{}
}

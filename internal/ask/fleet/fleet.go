// Package fleet joins the surfaces of several repositories in memory: who uses a symbol or a package of another one, and what a change of
// one reaches in the others. It knows nothing but the surfaces that it is given. Its neighbour ask/surface reads that of one repository.
package fleet

import (
	"cmp"
	"slices"
	"strings"

	"ken/internal/ask/surface"
	"ken/internal/ask/surface/manifest"
	"ken/internal/code"
)

// Member is a repository of a fleet.
type Member struct {
	Name    string
	Records []surface.Record
}

// Fleet is a set of repositories whose surfaces are joined.
type Fleet struct {
	members   []Member
	uses      map[key][]use       // by package
	passed    map[key][]passedOn  // by the package that is passed on
	provided  map[key][]int       // members by the packages that they provide
	providers map[key]string      // packages by manager and module that they provide, "" if several do
	needed    []map[key]*versions // of each member
}

// versions are those of a package that a repository needs.
type versions struct{ locked, declared []string }

// key identifies a package.
type key struct{ manager, pkg string }

type use struct {
	member int
	rec    *surface.Record
	tier   string
}

type passedOn struct {
	member int
	rec    *surface.Record
}

// New joins repositories. The records stay those of the caller, who must not change them.
func New(members []Member) *Fleet {
	f := &Fleet{members: members, uses: map[key][]use{}, passed: map[key][]passedOn{}}
	f.provided, f.providers = map[key][]int{}, map[key]string{}
	for i := range members {
		f.addPackages(i)
	}
	for i := range members {
		for j := range members[i].Records {
			r := &members[i].Records[j]
			switch r.Type {
			case surface.TypeUse:
				pkg, tier := f.attribute(r.Manager, r.Package, r.Module, r.Tier)
				if k := (key{r.Manager, pkg}); pkg != "" {
					f.uses[k] = append(f.uses[k], use{i, r, tier})
				}
			case surface.TypeReexport:
				pkg, _ := f.attribute(r.Manager, r.From, r.Module, "")
				if k := (key{r.Manager, pkg}); pkg != "" {
					f.passed[k] = append(f.passed[k], passedOn{i, r})
				}
			}
		}
	}
	return f
}

// addPackages adds the packages that a member provides, and those that it needs.
func (f *Fleet) addPackages(member int) {
	needed := map[key]*versions{}
	for i := range f.members[member].Records {
		r := &f.members[member].Records[i]
		k := key{r.Manager, r.Package}
		switch {
		case r.Type == surface.TypePackage && !slices.Contains(f.provided[k], member):
			f.provided[k] = append(f.provided[k], member)
			for _, m := range r.Modules {
				mod := key{r.Manager, m}
				if other, ok := f.providers[mod]; ok && other != r.Package {
					f.providers[mod] = ""
				} else {
					f.providers[mod] = r.Package
				}
			}
		case r.Type == surface.TypeDependency:
			v := needed[k]
			if v == nil {
				v = &versions{}
				needed[k] = v
			}
			v.locked = append(v.locked, r.Locked...)
			if r.Declared != "" {
				v.declared = append(v.declared, r.Declared)
			}
		}
	}
	for _, v := range needed {
		v.locked, v.declared = sorted(v.locked), sorted(v.declared)
	}
	f.needed = append(f.needed, needed)
}

func sorted(list []string) []string {
	slices.Sort(list)
	return slices.Compact(list)
}

// attribute returns the package of a use. Where its name was concluded or is not known, a repository of the fleet that provides the
// module decides, if the packages that do are one.
func (f *Fleet) attribute(manager, pkg, mod, tier string) (string, string) {
	if tier == code.ImportResolved.String() {
		return pkg, tier
	}
	for end := len(mod); end > 0; end = strings.LastIndexAny(mod[:end], `.\/`) { // the longest beginning decides
		if found, ok := f.providers[key{manager, mod[:end]}]; ok {
			if found == "" {
				break // several packages provide it
			}
			return found, code.ImportResolved.String()
		}
	}
	return pkg, tier
}

// User is a repository that uses a symbol.
type User struct {
	Repository string
	Package    key
	Module     string
	Symbol     string
	Tier       string
	Uses       int
	Files      int
	Places     []string
	Through    string   // the repository and package that passes the symbol on under the name used
	Versions   []string // of the package in that repository: locked, else declared
}

// Manager returns the manager of the used package.
func (u *User) Manager() string { return u.Package.manager }

// PackageName returns the name of the used package.
func (u *User) PackageName() string { return u.Package.pkg }

// maxHops is the number of repositories in a row through which a symbol or a change is followed.
const maxHops = 3

// SymbolUsers returns the repositories that use a symbol, by package, symbol and repository. A name without a dot finds members, too.
// pkg limits the answer to a package: its name, or manager:name; "" allows any.
func (f *Fleet) SymbolUsers(name, pkg string) []User {
	var out []User
	for _, k := range f.packages(pkg) {
		out = append(out, f.usersIn(k, func(r *surface.Record) bool { return matches(r.Symbol, name) })...)
	}
	for _, k := range f.passedPackages(pkg) {
		out = append(out, f.throughs(k, name)...)
	}
	sortUsers(out)
	return slices.CompactFunc(out, func(a, b User) bool { return compareUsers(a, b) == 0 })
}

func sortUsers(list []User) { slices.SortFunc(list, compareUsers) }

// compareUsers orders rows about different things by package, symbol and repository.
func compareUsers(a, b User) int {
	x := [...]string{a.Package.manager, a.Package.pkg, a.Symbol, a.Repository, a.Module, a.Through, a.Tier}
	y := [...]string{b.Package.manager, b.Package.pkg, b.Symbol, b.Repository, b.Module, b.Through, b.Tier}
	return slices.Compare(x[:], y[:])
}

// matches reports whether a symbol has a name: as a whole, or as the last part of the name of a member.
func matches(symbol, name string) bool {
	return symbol == name || !strings.Contains(name, ".") && strings.HasSuffix(symbol, "."+name)
}

// packages returns the used packages that a request means, sorted.
func (f *Fleet) packages(name string) (out []key) { return wantedKeys(f.uses, name) }

// passedPackages returns the packages that others pass on and a request means, sorted.
func (f *Fleet) passedPackages(name string) (out []key) { return wantedKeys(f.passed, name) }

func wantedKeys[T any](all map[key]T, name string) (out []key) {
	for k := range all {
		if isPackage(k, name) {
			out = append(out, k)
		}
	}
	slices.SortFunc(out, func(a, b key) int { return cmp.Or(cmp.Compare(a.manager, b.manager), cmp.Compare(a.pkg, b.pkg)) })
	return out
}

// isPackage reports whether a request means a package: its name, or manager:name; "" means any.
func isPackage(k key, name string) bool {
	name = strings.TrimPrefix(name, k.manager+":")
	return name == "" || k.pkg == surface.CanonicalName(k.manager, name)
}

// usersIn returns the uses of those symbols of a package for which a test holds.
func (f *Fleet) usersIn(k key, is func(r *surface.Record) bool) (out []User) {
	for _, u := range f.uses[k] {
		if !is(u.rec) {
			continue
		}
		out = append(out, User{
			Repository: f.members[u.member].Name, Package: k, Module: u.rec.Module, Symbol: u.rec.Symbol, Tier: u.tier, Uses: u.rec.Uses,
			Files: u.rec.Files, Places: u.rec.Places, Versions: f.versions(u.member, k),
		})
	}
	return out
}

// throughs returns the uses of a symbol under the names by which other packages pass it on.
func (f *Fleet) throughs(k key, name string) (out []User) {
	type step struct {
		k    key
		name string
		via  string
	}
	queue, seen := []step{{k, name, ""}}, map[step]bool{}
	for hop := 0; hop < maxHops && len(queue) > 0; hop++ {
		var next []step
		for _, at := range queue {
			for _, p := range f.passed[at.k] {
				whole := p.rec.FromName == "*"
				if !whole && p.rec.FromName != at.name {
					continue
				}
				as := p.rec.Symbol
				if whole && as == "*" {
					as = at.name
				}
				to := step{key{p.rec.Manager, p.rec.Package}, as, f.members[p.member].Name + " as " + p.rec.Package}
				if at.via != "" {
					to.via = at.via + ", " + to.via
				}
				if isItself := to.k == k && as == name; p.rec.Package == "" || seen[to] || isItself {
					continue
				}
				seen[to] = true
				next = append(next, to)
				for _, u := range f.usersIn(to.k, func(r *surface.Record) bool { return r.Symbol == as || strings.HasPrefix(r.Symbol, as+".") }) {
					u.Through = to.via
					out = append(out, u)
				}
			}
		}
		queue = next
	}
	return out
}

// versions returns the versions of a package that a repository has: those of lock files, else what its manifests declare.
func (f *Fleet) versions(member int, k key) []string {
	v := f.needed[member][k]
	switch {
	case v == nil:
		return nil
	case len(v.locked) > 0:
		return v.locked
	}
	return v.declared
}

// Need is a dependency of a repository on a package.
type Need struct {
	Repository string
	Record     surface.Record
	Below      Below
}

// Below is whether a dependency is below a version.
type Below string

// The answers.
const (
	IsBelow    Below = "yes"
	NotBelow   Below = "no"
	MayBeBelow Below = "unknown" // no version is locked, and the declared one is a range
)

// PackageUsers returns the dependencies on a package, by package, repository and manifest. With a version, those that are surely not
// below it are left out. It reports whether the version is one for every manager that is concerned.
func (f *Fleet) PackageUsers(pkg, version string) (out []Need, ok bool) {
	ok = true
	for i := range f.members {
		for j := range f.members[i].Records {
			r := &f.members[i].Records[j]
			if r.Type != surface.TypeDependency || !isPackage(key{r.Manager, r.Package}, pkg) {
				continue
			}
			n := Need{Repository: f.members[i].Name, Record: *r}
			if version != "" {
				if _, valid := CompareVersions(r.Manager, version, version); !valid {
					ok = false
					continue
				}
				n.Below = below(r, version)
			}
			if n.Below != NotBelow {
				out = append(out, n)
			}
		}
	}
	slices.SortStableFunc(out, func(a, b Need) int {
		x, y := &a.Record, &b.Record
		return cmp.Or(cmp.Compare(x.Manager, y.Manager), cmp.Compare(x.Package, y.Package), cmp.Compare(a.Repository, b.Repository),
			cmp.Compare(x.Manifest, y.Manifest))
	})
	return out, ok
}

// below compares the versions of a dependency with another one: one of them being below is enough.
func below(r *surface.Record, version string) Below {
	versions := r.Locked
	if len(versions) == 0 {
		versions = []string{strings.TrimPrefix(strings.TrimPrefix(r.Declared, "=="), "=")}
	}
	// Without a lock file a plain version of Cargo or NuGet is the least of a range, as those of npm with a sign are.
	plain := !strings.HasPrefix(r.Declared, "=")
	isRange := len(r.Locked) == 0 && plain && slices.Contains([]string{manifest.Cargo, manifest.NuGet}, r.Manager)
	answer := NotBelow
	for _, v := range versions {
		c, ok := CompareVersions(r.Manager, v, version)
		switch {
		case !ok || isRange:
			answer = MayBeBelow
		case c < 0:
			return IsBelow
		}
	}
	return answer
}

// Changed is a declaration of a package that a change alters.
type Changed struct {
	Manager, Package string
	Module           string // the import path, where it is known; "" else
	Symbol           string
}

// Reached is a repository that a change reaches.
type Reached struct {
	User
	Hop int
	Via string // the repository by which it is reached, from the second hop on
}

// Impact returns what a change of declarations reaches: first the repositories that use them, then those that use anything of the packages
// of these, and so on.
func (f *Fleet) Impact(changed []Changed, own string) []Reached {
	var out []Reached
	reached := map[string]bool{own: true}
	var front []string
	for _, c := range changed {
		k := key{c.Manager, c.Package}
		list := f.usersIn(k, func(r *surface.Record) bool {
			return (r.Symbol == c.Symbol || strings.HasPrefix(r.Symbol, c.Symbol+".")) && (c.Module == "" || r.Module == c.Module)
		})
		for _, u := range append(list, f.throughs(k, c.Symbol)...) {
			if u.Repository != own {
				out = append(out, Reached{User: u, Hop: 1})
				front = append(front, u.Repository)
			}
		}
	}
	for hop := 2; hop <= maxHops; hop++ {
		slices.Sort(front)
		front = slices.Compact(front)
		for _, name := range front {
			reached[name] = true
		}
		var next []string
		for _, via := range front {
			for _, u := range f.usersOfRepository(via) {
				if !reached[u.Repository] {
					out = append(out, Reached{User: u, Hop: hop, Via: via})
					next = append(next, u.Repository)
				}
			}
		}
		front = next
	}
	slices.SortStableFunc(out, func(a, b Reached) int {
		return cmp.Or(cmp.Compare(a.Hop, b.Hop), cmp.Compare(a.Repository, b.Repository), compareUsers(a.User, b.User), cmp.Compare(a.Via, b.Via))
	})
	return slices.CompactFunc(out, func(a, b Reached) bool {
		return a.Hop == b.Hop && a.Via == b.Via && compareUsers(a.User, b.User) == 0
	})
}

// usersOfRepository returns, for each package of a repository, one row for each other repository that uses it.
func (f *Fleet) usersOfRepository(name string) (out []User) {
	for k, members := range f.provided {
		if !slices.ContainsFunc(members, func(i int) bool { return f.members[i].Name == name }) {
			continue
		}
		sums := map[string]*User{}
		for _, u := range f.usersIn(k, func(*surface.Record) bool { return true }) {
			if s := sums[u.Repository]; s != nil {
				s.Uses += u.Uses
				continue
			}
			u.Symbol, u.Module, u.Files, u.Places = "", "", 0, u.Places[:min(1, len(u.Places))]
			sums[u.Repository] = &u
		}
		for _, u := range sums {
			out = append(out, *u)
		}
	}
	sortUsers(out)
	return out
}

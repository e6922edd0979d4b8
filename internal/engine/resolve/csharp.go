package resolve

import (
	"slices"
	"strings"

	"ken/internal/code"
	"ken/internal/lang"
)

// C#: a using names a namespace, and the files themselves declare theirs. So a result is a package, and the engine picks
// the files that declare the names used. Projects limit the files that a file can name (Sees) and give all their files
// usings (Usings).

// csharpResolver resolves C# usings.
type csharpResolver struct {
	t        Tree
	projects *csProjects
	memo     map[csQuery]Result
	usings   map[int]Usings
	files    map[int][]string // see usingFiles, nil until needed
}

type csQuery struct {
	project int
	spec    string
	whole   bool   // a namespace is meant
	within  string // the namespace that the using is in
}

func (r *csharpResolver) load() {
	if r.projects == nil {
		r.projects = loadProjects(r.t)
	}
}

func (r *csharpResolver) resolve(from string, imp *code.Import) Result {
	r.load()
	wild := len(imp.Names) == 1 && imp.Names[0].Name == "*"
	q := csQuery{r.projects.owner(code.Dir(from)), imp.Spec, wild && !imp.Static, imp.Within}
	res, ok := r.memo[q]
	if !ok {
		res = r.find(q)
		r.memo[q] = res
	}
	return res
}

// find looks for a namespace with the whole name. If the name may be a type, it then
// tries the namespaces around it, the innermost first, because types may be nested. Inside
// of a namespace the name is looked for there, then in the namespaces around that.
func (r *csharpResolver) find(q csQuery) Result {
	segs := strings.Split(q.spec, ".")
	if len(segs) > maxSegments || slices.Contains(segs, "") {
		return Result{}
	}
	p := &probe{t: r.t}
	std := isDotnetStd(segs)
	if !std && strings.Count(q.within, ".") < maxSegments {
		for outer := q.within; outer != ""; outer = outer[:max(strings.LastIndexByte(outer, '.'), 0)] {
			if pkg := r.below(p, outer, segs, q.whole); pkg != "" {
				return Result{Package: pkg, IsPackage: true, Probes: p.keys}
			}
		}
	}
	for n := len(segs); n >= 0; n-- {
		pkg := strings.Join(segs[:n], ".")
		if n < len(segs) && (q.whole || n == 0 && len(segs) > 1) {
			break
		}
		p.note(lang.PackageKey(langCSharp, pkg))
		if len(r.t.PackageDirs(langCSharp, pkg)) == 0 {
			continue
		}
		res := Result{Package: pkg, IsPackage: true, Probes: p.keys}
		if std { // a repository adds types to System that an old framework lacks
			res.External, res.Std = q.spec, true
		}
		return res
	}
	if std {
		return Result{External: q.spec, Std: true, Probes: p.keys}
	}
	if name := r.referencedPackage(q); name != "" {
		return Result{External: name, Probes: p.keys}
	}
	for n := len(segs) - 1; n > 0; n-- {
		pkg := strings.Join(segs[:n], ".")
		p.note(lang.PackageKey(langCSharp, pkg))
		if len(r.t.PackageDirs(langCSharp, pkg)) > 0 {
			return Result{Probes: p.keys} // below a namespace of ours, and not there
		}
	}
	return Result{External: strings.Join(segs[:min(2, len(segs))], "."), Probes: p.keys}
}

// below returns the namespace inside of outer that a name begins with, "" if there is none.
func (r *csharpResolver) below(p *probe, outer string, segs []string, whole bool) string {
	for n := len(segs); n > 0 && (n == len(segs) || !whole); n-- {
		pkg := outer + "." + strings.Join(segs[:n], ".")
		p.note(lang.PackageKey(langCSharp, pkg))
		if len(r.t.PackageDirs(langCSharp, pkg)) > 0 {
			return pkg
		}
	}
	return ""
}

// isDotnetStd reports whether a namespace belongs to the .NET framework.
func isDotnetStd(segs []string) bool {
	if segs[0] == "System" {
		return true
	}
	return segs[0] == "Microsoft" && len(segs) > 1 && slices.Contains([]string{"CSharp", "Win32", "VisualBasic"}, segs[1])
}

// referencedPackage returns the NuGet package that provides a namespace. It compares names, because most packages are named
// after a namespace: of the packages to which the project refers, it takes the longest whose name is a prefix of the namespace,
// or the reverse.
func (r *csharpResolver) referencedPackage(q csQuery) string {
	if q.project < 0 {
		return ""
	}
	best := ""
	for _, name := range r.projects.list[q.project].Packages {
		if len(name) > len(best) && (beginsDotted(q.spec, name) || best == "" && beginsDotted(name, q.spec)) {
			best = name
		}
	}
	return best
}

// beginsDotted reports whether the dotted name s begins with prefix, ignoring case.
func beginsDotted(s, prefix string) bool {
	return len(s) >= len(prefix) && strings.EqualFold(s[:len(prefix)], prefix) && (len(s) == len(prefix) || s[len(prefix)] == '.')
}

// sees reports whether code of the file from can use declarations of the file to: both are in one project, or the
// project of from refers to that of to. A file without a project sees all files and is seen by all.
func (r *csharpResolver) sees(from, to string) bool {
	r.load()
	a, b := r.projects.owner(code.Dir(from)), r.projects.owner(code.Dir(to))
	return a < 0 || b < 0 || a == b || r.projects.visibleProjects(a)[b]
}

// projectUsings returns the using directives that apply to all files of the project of the file from. The files without a project
// share theirs.
func (r *csharpResolver) projectUsings(from string) Usings {
	r.load()
	i := r.projects.owner(code.Dir(from))
	u, ok := r.usings[i]
	if ok {
		return u
	}
	if i >= 0 {
		u.Imports = r.projects.list[i].usingImports()
	}
	p := &probe{t: r.t}
	for _, f := range r.usingFiles(i) {
		if p.has(f) {
			u.Files = append(u.Files, f)
		}
	}
	u.Probes = p.keys
	r.usings[i] = u
	return u
}

// maxUsingFiles is the largest number of files whose global usings count for a project.
const maxUsingFiles = 64

// usingFiles returns the files whose global usings count for a project: those of its directory and those that it compiles from elsewhere.
func (r *csharpResolver) usingFiles(project int) []string {
	if r.files == nil {
		r.files = map[int][]string{}
		for _, f := range r.t.Configs("*" + csharpExt) {
			owner := r.projects.owner(code.Dir(f))
			r.files[owner] = append(r.files[owner], f)
			for _, i := range r.projects.compiling[f] {
				if i != owner {
					r.files[i] = append(r.files[i], f)
				}
			}
		}
	}
	files := r.files[project]
	return files[:min(len(files), maxUsingFiles)]
}

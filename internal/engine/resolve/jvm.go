package resolve

import (
	"slices"
	"strings"

	"ken/internal/code"
	"ken/internal/lang"
)

// Kotlin, Scala and Java share one space of packages, and any file may declare anything in any package. Java keeps
// public types in files of their names; for other declarations a result holds the name and package that is meant
// (Declared), and the engine finds the files that declare it: only it knows the declarations.

// IsJVM reports whether a language runs on the Java platform, whose languages share their packages.
func IsJVM(l code.Lang) bool { return l == langJava || l == langKotlin || l == langScala }

// jvmDirs returns the directories that hold files of a package in any language of the Java platform.
func jvmDirs(t Tree, pkg string) []string { return slices.Clone(t.PackageDirs(langJava, pkg)) }

// kotlinResolver resolves Kotlin imports.
type kotlinResolver struct {
	t    Tree
	memo map[javaQuery]Result
}

func (r *kotlinResolver) resolve(from string, imp *code.Import) Result {
	q := javaQuery{dir: code.Dir(from), spec: imp.Spec, wild: len(imp.Names) == 1 && imp.Names[0].Name == "*"}
	res, ok := r.memo[q]
	if !ok {
		res = findJVM(r.t, q)
		r.memo[q] = res
	}
	return res
}

// findJVM tries the prefixes of a name as packages, the longest first. The rest of the name is a declaration and its members.
func findJVM(t Tree, q javaQuery) Result {
	segs := strings.Split(q.spec, ".")
	if len(segs) > maxSegments || slices.Contains(segs, "") || strings.Contains(q.spec, "/") {
		return Result{}
	}
	p := &probe{t: t}
	if q.wild {
		p.note(lang.PackageKey(langKotlin, q.spec))
		if dirs := jvmDirs(t, q.spec); len(dirs) > 0 {
			rankJava(dirs, q.dir)
			return Result{Dir: dirs[0], IsDir: true, Dirs: dirs, Probes: p.keys}
		}
	}
	if len(segs) == 1 && !q.wild { // of a file without a package
		p.note(lang.PackageKey(langKotlin, ""))
		return Result{Declared: Declared{Name: segs[0]}, External: segs[0], Probes: p.keys}
	}
	if d, ok := declaredIn(p, segs, q.wild); ok {
		return Result{Declared: d, Probes: p.keys}
	}
	pkg := javaPackage(segs, q.wild)
	if top := pkg[0]; isJavaStd(top) || top == "kotlin" || top == "scala" {
		return Result{External: strings.Join(pkg, "."), Std: true, Probes: p.keys}
	}
	return Result{External: strings.Join(pkg[:min(2, len(pkg))], "."), Probes: p.keys}
}

// declaredIn finds the longest package that is a prefix of a name, and the declaration in it that the name means.
// For a wildcard import this is a type.
func declaredIn(p *probe, segs []string, wild bool) (Declared, bool) {
	for n := len(segs) - 1; n > 0; n-- {
		if (wild || n < len(segs)-1) && !isTypeName(segs[n]) {
			continue
		}
		pkg := strings.Join(segs[:n], ".")
		p.note(lang.PackageKey(langKotlin, pkg))
		if len(jvmDirs(p.t, pkg)) > 0 {
			return Declared{Package: pkg, Name: segs[n]}, true
		}
	}
	return Declared{}, false
}

// facade finds the file of a class that Kotlin generates from a file's functions: FooKt from Foo.kt or foo.kt.
func facade(p *probe, pkg, name, from string) (string, bool) {
	stem, ok := strings.CutSuffix(name, lang.Of(langKotlin).Facade)
	if !ok || stem == "" {
		return "", false
	}
	dirs := slices.Clone(p.t.PackageDirs(langKotlin, pkg))
	rankJava(dirs, from)
	for _, d := range dirs {
		for _, s := range [...]string{stem, strings.ToLower(stem[:1]) + stem[1:]} {
			if file := under(d, s+".kt"); p.has(file) {
				return file, true
			}
		}
	}
	return "", false
}

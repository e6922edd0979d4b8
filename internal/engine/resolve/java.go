package resolve

import (
	"slices"
	"strings"

	"ken/internal/code"
	"ken/internal/lang"
)

// Java: a public type lives in the file of its name, in a directory that holds files of its package. Which of several
// directories counts depends on the build, which is not read: the source set and the module nearest to the importing
// file win (the layout of Maven and Gradle, src/main and src/test).

// javaResolver resolves Java imports.
type javaResolver struct {
	t    Tree
	memo map[javaQuery]Result
}

type javaQuery struct {
	dir, spec string
	wild      bool
}

func (r *javaResolver) resolve(from string, imp *code.Import) Result {
	q := javaQuery{dir: code.Dir(from), spec: strings.TrimSuffix(imp.Spec, ".*")}
	q.wild = q.spec != imp.Spec || len(imp.Names) == 1 && imp.Names[0].Name == "*"
	res, ok := r.memo[q]
	if !ok {
		res = r.find(q)
		r.memo[q] = res
	}
	return res
}

// find tries the prefixes of a name as packages, the longest first. The rest of the name is the type and its members.
func (r *javaResolver) find(q javaQuery) Result {
	segs := strings.Split(q.spec, ".")
	if len(segs) > maxSegments || slices.Contains(segs, "") || strings.Contains(q.spec, "/") {
		return Result{}
	}
	p := &probe{t: r.t}
	if q.wild {
		if res, ok := r.wildcard(p, q); ok {
			return res
		}
	}
	for n := len(segs) - 1; n > 0; n-- {
		if n < len(segs)-1 && !isTypeName(segs[n]) {
			continue
		}
		name := segs[n] + ".java"
		// Which directories are the package's depends on the clauses of all
		// files in them, not only of this one.
		p.note("**/" + name)
		p.note(lang.PackageKey(langJava, strings.Join(segs[:n], ".")))
		dirs := slices.Clone(r.t.PackageDirs(langJava, strings.Join(segs[:n], ".")))
		dirs = slices.DeleteFunc(dirs, func(d string) bool { return !r.t.Has(under(d, name)) })
		if len(dirs) > 0 {
			rankJava(dirs, q.dir)
			return Result{File: under(dirs[0], name), Probes: p.keys}
		}
	}
	if res, ok := r.elsewhere(p, segs, q); ok {
		return res
	}
	pkg := javaPackage(segs, q.wild)
	p.notePackage(pkg)
	if isJavaStd(pkg[0]) {
		return Result{External: strings.Join(pkg, "."), Std: true, Probes: p.keys}
	}
	// The build file that adds a library is not read; Maven groups are most often named like the first two parts of
	// the packages in them.
	return Result{External: strings.Join(pkg[:min(2, len(pkg))], "."), Probes: p.keys}
}

// elsewhere finds a type that no file is named after: a type of Kotlin or Scala, or the second type in a Java file.
func (r *javaResolver) elsewhere(p *probe, segs []string, q javaQuery) (Result, bool) {
	d, ok := declaredIn(p, segs, q.wild)
	if !ok {
		return Result{}, false
	}
	if file, ok := facade(p, d.Package, d.Name, q.dir); ok {
		return Result{File: file, Probes: p.keys}, true
	}
	return Result{Declared: d, Probes: p.keys}, true
}

func isJavaStd(top string) bool { return top == "java" || top == "javax" || top == "jdk" }

// isTypeName reports whether a name is that of a type and not of a package, because it begins with a capital letter.
func isTypeName(s string) bool { return s[0] >= 'A' && s[0] <= 'Z' }

// javaPackage returns the part of a dotted name before its first type.
func javaPackage(segs []string, wild bool) []string {
	if i := slices.IndexFunc(segs, isTypeName); i > 0 {
		return segs[:i]
	}
	if wild || len(segs) == 1 {
		return segs
	}
	return segs[:len(segs)-1]
}

func (p *probe) notePackage(segs []string) {
	p.note("**/" + segs[len(segs)-1] + "/")
	p.note(lang.PackageKey(langJava, strings.Join(segs, ".")))
}

// wildcard resolves a.b.*, which imports a package, or the members of a type if a.b is a type.
func (r *javaResolver) wildcard(p *probe, q javaQuery) (Result, bool) {
	p.notePackage(strings.Split(q.spec, "."))
	dirs := jvmDirs(r.t, q.spec)
	if len(dirs) == 0 {
		return Result{}, false
	}
	rankJava(dirs, q.dir)
	return Result{Dir: dirs[0], IsDir: true, Dirs: dirs, Probes: p.keys}, true
}

// rankJava sorts package directories by how likely a file in dir uses them: main code does not use tests, then the
// nearer directory wins, then main before test, then the name.
func rankJava(dirs []string, dir string) {
	fromTest := isTestSet(dir)
	slices.SortFunc(dirs, func(a, b string) int {
		ta, tb := isTestSet(a), isTestSet(b)
		if ta != tb && !fromTest {
			return boolOrder(ta, tb)
		}
		if n := common(b, dir) - common(a, dir); n != 0 {
			return n
		}
		if ta != tb {
			return boolOrder(ta, tb)
		}
		return strings.Compare(a, b)
	})
}

// boolOrder sorts false before true.
func boolOrder(a, b bool) int {
	switch {
	case a == b:
		return 0
	case b:
		return -1
	}
	return 1
}

// isTestSet reports whether a directory belongs to the tests of a Gradle or Maven project.
func isTestSet(dir string) bool {
	for {
		seg, rest, more := strings.Cut(dir, "/")
		if !more && rest == "" && seg == "" {
			return false
		}
		switch seg {
		case "test", "tests", "androidTest", "integrationTest", "testFixtures":
			return true
		}
		if !more {
			return false
		}
		dir = rest
	}
}

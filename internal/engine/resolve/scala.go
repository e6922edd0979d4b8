package resolve

import (
	"slices"
	"strings"

	"ken/internal/code"
	"ken/internal/lang"
)

// Scala: the first part of a name is sought in the packages around, the innermost first, then at the root; `package a.b`
// opens a.b alone, `package a; package b` both. Whether a part of a name is a package or an object does not follow from
// its case, so that every reading with an existing package is tried, and the engine takes the first with a declaration.

// maxEnclosing is the largest number of enclosing packages that are searched for an import.
const maxEnclosing = 16

// scalaResolver resolves Scala imports.
type scalaResolver struct {
	t    Tree
	memo map[scalaQuery]Result
}

type scalaQuery struct {
	javaQuery
	within string
}

func (r *scalaResolver) resolve(from string, imp *code.Import) Result {
	wild := len(imp.Names) == 1 && imp.Names[0].Name == "*"
	q := scalaQuery{javaQuery{dir: code.Dir(from), spec: imp.Spec, wild: wild}, imp.Within}
	res, ok := r.memo[q]
	if !ok {
		res = r.find(q)
		r.memo[q] = res
	}
	return res
}

func (r *scalaResolver) find(q scalaQuery) Result {
	segs := strings.Split(q.spec, ".")
	if len(segs) > maxSegments || slices.Contains(segs, "") || strings.Contains(q.spec, "/") {
		return Result{}
	}
	p, scopes := &probe{t: r.t}, strings.Fields(q.within)
	var nearer []Declared
	for _, pkg := range scopes[:min(len(scopes), maxEnclosing)] {
		list, dirs, decided := r.below(p, pkg, segs, q.wild)
		nearer = append(nearer, list...)
		if decided {
			return packageResult(nearer, dirs, q.dir, p)
		}
	}
	list, dirs, _ := r.below(p, "", segs, q.wild)
	if nearer = append(nearer, list...); len(dirs) > 0 {
		return packageResult(nearer, dirs, q.dir, p)
	}
	res := findJVM(r.t, q.javaQuery)
	res.Nearer, res.Probes = nearer, append(p.keys, res.Probes...)
	return res
}

// packageResult returns a result that names the package in the directories dirs, the ones nearest to dir first. Without dirs it names the
// declarations nearer alone.
func packageResult(nearer []Declared, dirs []string, dir string, p *probe) Result {
	res := Result{Nearer: nearer, Probes: p.keys}
	if len(dirs) > 0 {
		rankJava(dirs, dir)
		res.Dir, res.IsDir, res.Dirs = dirs[0], true, dirs
	}
	return res
}

// below reads a name relative to a package ("" is the root). It returns the declarations it may mean, the directories of
// the package it names, for a wildcard import, and whether the package contains a package that the name begins with,
// which decides the reading.
func (r *scalaResolver) below(p *probe, pkg string, segs []string, wild bool) (list []Declared, dirs []string, decided bool) {
	prefix := func(n int) string {
		s := strings.Join(segs[:n], ".")
		if pkg == "" || s == "" {
			return pkg + s
		}
		return pkg + "." + s
	}
	if wild {
		p.note(lang.PackageKey(langScala, prefix(len(segs))))
		if dirs := jvmDirs(r.t, prefix(len(segs))); len(dirs) > 0 {
			return nil, dirs, true
		}
	}
	for n := len(segs) - 1; n >= 0; n-- {
		at := prefix(n)
		if at == "" {
			break
		}
		p.note(lang.PackageKey(langScala, at))
		if len(jvmDirs(r.t, at)) > 0 {
			list = append(list, Declared{Package: at, Name: segs[n]})
			decided = decided || n > 0
		}
	}
	return list, nil, decided
}

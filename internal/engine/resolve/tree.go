package resolve

import (
	"path"
	"slices"
	"strings"

	"ken/internal/code"
	"ken/internal/lang"
)

// Tree is the set of indexed files, as resolution needs it. Answers must come from the index, never from the disk.
type Tree interface {
	// Has reports whether a file with exactly this path is indexed.
	Has(path string) bool
	// HasDir reports whether some indexed file lies below dir ("" is the root).
	HasDir(dir string) bool
	// Config returns the content of an indexed configuration file (see ConfigAt).
	Config(path string) ([]byte, bool)
	// Configs returns the sorted paths of all indexed configuration files with this base name ("go.mod"), or with this
	// last extension ("*.gemspec").
	Configs(base string) []string
	// PackageDirs returns the sorted directories that hold files of this declared package (Java, Kotlin, Scala, C#,
	// PHP), or of this name (C, C++).
	PackageDirs(l code.Lang, pkg string) []string
}

// config reads a configuration file. ok is false if it is missing; content is empty if the file is too large.
func config(t Tree, path string) (content []byte, ok bool) {
	content, ok = t.Config(path)
	if len(content) > maxConfig {
		content = nil
	}
	return content, ok
}

// Keys returns the probe keys that depend on the existence of one file. When a file
// is added or deleted, exactly the imports that recorded one of its keys in
// Result.Probes may resolve differently.
//
//	a/b/c.d.ts    the path itself
//	a/b/c.d       the path without its last extension (and without ".d")
//	a/b/c
//	a/b           the directory, for index.*, __init__.*, mod.rs
//	a/b/          a file directly in the directory (Go packages)
//	a/**          some file below the directory, one key per ancestor
//	**/c.java     Java: the file's name wherever it is
//	**/b/         Java: a file in a directory of this name
//	**/c.rb       Ruby: the file's name wherever it is
//
// Java, Kotlin, Scala, C# and PHP files have the keys of PackageKeys as well.
func Keys(p string) []string {
	dir, base := code.Dir(p), path.Base(p)
	keys := append(make([]string, 0, 12), p, dir+"/")
	stem := base
	if i := strings.LastIndexByte(base, '.'); i > 0 {
		stem = base[:i]
		keys = append(keys, under(dir, stem))
	}
	if s, ok := strings.CutSuffix(stem, ".d"); ok && s != "" {
		stem = s
		keys = append(keys, under(dir, stem))
	}
	if stem == "index" || stem == "__init__" || base == "mod.rs" {
		keys = append(keys, dir)
	}
	for d := dir; d != ""; d = code.Dir(d) {
		keys = append(keys, belowKey(d))
	}
	keys = append(keys, belowKey(""))
	if strings.HasSuffix(base, ".java") {
		keys = append(keys, "**/"+base, "**/"+path.Base("/"+dir)+"/")
	}
	if isRubyFile(base) {
		keys = append(keys, "**/"+base)
	}
	return keys
}

// PackageKeys returns the further keys of a file that declares a package whose directory need not follow from its path
// (Java, Kotlin, Scala, C#, PHP; in the last two files without a package share one as well), or of a C file, whose own
// name counts as one. They must be looked up like Keys when such a file is added or deleted, and together with Keys, for
// the old and the new package, when its package clause changes.
func PackageKeys(l code.Lang, pkg string) []string {
	named := l == langC || l == langCPP
	if !named && !HasPackages(l) {
		return nil
	}
	if pkg == "" && named {
		return nil
	}
	return []string{lang.PackageKey(l, pkg)}
}

// HasPackages reports whether files of a language declare their package, so that it need not follow from the directory.
func HasPackages(l code.Lang) bool { return lang.Of(l).Scope.IsDeclared() }

func belowKey(dir string) string { return under(dir, "**") }

// probe reads the tree and records every lookup, so that the keys of a result are complete by construction: nothing else
// may call Has or HasDir.
type probe struct {
	t    Tree
	keys []string
}

func (p *probe) note(key string) {
	if !slices.Contains(p.keys, key) {
		p.keys = append(p.keys, key)
	}
}

// has reports whether a file has exactly this path.
func (p *probe) has(path string) bool {
	p.note(path)
	return p.t.Has(path)
}

// hasExt reports whether stem+ext exists, and records the key of the stem, which all extensions share. ext must be one
// that Keys removes: ".x" or ".d.x", or "/index.x" and the like.
func (p *probe) hasExt(stem, ext string) bool {
	p.note(stem)
	return p.t.Has(stem + ext)
}

// hasBelow reports whether there is a file below dir.
func (p *probe) hasBelow(dir string) bool {
	p.note(belowKey(dir))
	return p.t.HasDir(dir)
}

// between returns the text that the wildcard of a pattern stands for, where before and after are the parts around
// the wildcard. ok is false if s does not match.
func between(s, before, after string) (string, bool) {
	if len(s) < len(before)+len(after) || !strings.HasPrefix(s, before) || !strings.HasSuffix(s, after) {
		return "", false
	}
	return s[len(before) : len(s)-len(after)], true
}

// under joins a directory ("" is the root) and a clean relative path.
func under(dir, rel string) string {
	switch {
	case dir == "":
		return rel
	case rel == "":
		return dir
	}
	return dir + "/" + rel
}

// join resolves rel, which may hold "." and "..", against dir. It returns false if the result would leave the project.
func join(dir, rel string) (string, bool) {
	p := path.Clean("/" + under(dir, rel))[1:]
	if !strings.Contains(rel, "..") {
		return p, true
	}
	depth := 0
	for seg := range strings.SplitSeq(under(dir, rel), "/") {
		switch seg {
		case "", ".":
		case "..":
			if depth--; depth < 0 {
				return "", false
			}
		default:
			depth++
		}
	}
	return p, true
}

// inside reports whether path p is dir or below it.
func inside(dir, p string) bool {
	return dir == "" || p == dir || strings.HasPrefix(p, dir) && p[len(dir)] == '/'
}

// relTo returns p relative to dir, which must contain it, or "" for dir itself.
func relTo(dir, p string) string {
	if dir == "" {
		return p
	}
	return strings.TrimPrefix(strings.TrimPrefix(p, dir), "/")
}

// common returns the number of leading path segments that a and b have in common.
func common(a, b string) int {
	n := 0
	for a != "" && b != "" {
		x, restA, _ := strings.Cut(a, "/")
		y, restB, _ := strings.Cut(b, "/")
		if x != y {
			break
		}
		n++
		a, b = restA, restB
	}
	return n
}

// ancestors calls f for dir and every directory above it, the root last, until
// f returns true.
func ancestors(dir string, f func(dir string) bool) bool {
	for {
		if f(dir) {
			return true
		}
		if dir == "" {
			return false
		}
		dir = code.Dir(dir)
	}
}

// plainLevels is the largest number of directories above a file that are searched.
const plainLevels = 12

// upwards calls f for dir and the directories above it, the root last, until f returns true. From a deep directory it
// visits the nearest ones and the root only.
func upwards(dir string, f func(d string) bool) bool {
	levels := 0
	return ancestors(dir, func(d string) bool {
		levels++
		return (levels <= plainLevels || d == "") && f(d)
	})
}

// relative returns the file at a path relative to dir.
func (p *probe) relative(dir, spec string) Result {
	target, ok := join(dir, spec)
	if ok && target != "" && p.has(target) {
		return Result{File: target}
	}
	return Result{}
}

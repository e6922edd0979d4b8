package resolve

import (
	"regexp"
	"slices"
	"strings"

	"ken/internal/code"
)

// plainResolver resolves the imports of the languages of the symbol tier, where a
// plain rule leads from the name to a file: plain_*.go has one each.
type plainResolver struct {
	t     Tree
	dart  map[string]string // directory of each Dart package, by name
	mix   []string          // directories of Elixir projects
	cabal []string          // source directories of Haskell packages
	memo  map[plainQuery]Result
}

type plainQuery struct {
	lang      code.Lang
	dir, spec string
}

// plainLevels is how many directories above a file are looked at.
const plainLevels = 12

func newPlain(t Tree) *plainResolver {
	return &plainResolver{t: t, memo: map[plainQuery]Result{}}
}

func (r *plainResolver) resolve(from string, lang code.Lang, imp *code.Import) Result {
	q := plainQuery{lang, code.Dir(from), imp.Spec}
	if res, ok := r.memo[q]; ok {
		return res
	}
	p := &probe{t: r.t}
	var res Result
	if strings.Count(imp.Spec, ".")+strings.Count(imp.Spec, "/") <= maxSegments {
		switch lang {
		case langLua:
			res = p.lua(q.dir, q.spec)
		case langShell:
			res = p.shell(q.dir, q.spec)
		case langZig:
			res = p.zig(q.dir, q.spec)
		case langDart:
			res = r.dartURI(p, q.dir, q.spec)
		case langElixir:
			res = r.elixirModule(p, q.dir, q.spec)
		case langHaskell:
			res = r.haskellModule(p, q.dir, q.spec)
		case langOCaml:
			res = p.ocamlModule(q.dir, q.spec)
		}
	}
	res.Probes = p.keys
	r.memo[q] = res
	return res
}

// upwards calls f for dir and the directories above it, the root last, until f
// returns true; from a deep directory only for the nearest and the root.
func upwards(dir string, f func(d string) bool) bool {
	levels := 0
	return ancestors(dir, func(d string) bool {
		levels++
		return (levels <= plainLevels || d == "") && f(d)
	})
}

// relative is the file a path relative to dir names.
func (p *probe) relative(dir, spec string) Result {
	target, ok := join(dir, spec)
	if ok && target != "" && p.has(target) {
		return Result{File: target}
	}
	return Result{}
}

// pubspec is what matters of a pubspec.yaml.
type pubspec struct{ Name string }

func parsePubspec(content []byte) pubspec {
	m := regexp.MustCompile(`(?m)^name:[ \t]*["']?([A-Za-z0-9_]+)`).FindSubmatch(content)
	if m == nil {
		return pubspec{}
	}
	return pubspec{Name: string(m[1])}
}

// cabalFile is what matters of a *.cabal file: where the sources are, as written.
type cabalFile struct{ Dirs []string }

func parseCabal(content []byte) cabalFile {
	var c cabalFile
	re := regexp.MustCompile(`(?mi)^[ \t]*hs-source-dirs[ \t]*:[ \t]*([^\n]*)(?:\n[ \t]+([^:\n]*)$)?`)
	for _, m := range re.FindAllSubmatch(content, maxSegments) {
		for _, d := range strings.FieldsFunc(string(m[1])+" "+string(m[2]), func(r rune) bool { return r == ',' || r <= ' ' }) {
			if !slices.Contains(c.Dirs, d) {
				c.Dirs = append(c.Dirs, d)
			}
		}
	}
	return c
}

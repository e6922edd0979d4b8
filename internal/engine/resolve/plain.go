package resolve

import (
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

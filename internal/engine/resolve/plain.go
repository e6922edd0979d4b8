package resolve

import (
	"strings"

	"ken/internal/code"
)

// plainRule finds the file that spec names, for an importing file in the directory dir.
type plainRule func(r *plainResolver, p *probe, dir, spec string) Result

// plainRules holds the rules of languages in which a simple rule leads from a name to a file. Each plain_*.go has one.
var plainRules = map[code.Lang]plainRule{
	langDart:    (*plainResolver).dartURI,
	langElixir:  (*plainResolver).elixirModule,
	langHaskell: (*plainResolver).haskellModule,
	langLua:     func(_ *plainResolver, p *probe, dir, spec string) Result { return p.lua(dir, spec) },
	langOCaml:   func(_ *plainResolver, p *probe, dir, spec string) Result { return p.ocamlModule(dir, spec) },
	langShell:   func(_ *plainResolver, p *probe, dir, spec string) Result { return p.shell(dir, spec) },
	langZig:     func(_ *plainResolver, p *probe, dir, spec string) Result { return p.zig(dir, spec) },
}

// plainResolver resolves the imports of the languages of plainRules.
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

func (r *plainResolver) resolve(rule plainRule, from string, lang code.Lang, imp *code.Import) Result {
	q := plainQuery{lang, code.Dir(from), imp.Spec}
	if res, ok := r.memo[q]; ok {
		return res
	}
	p := &probe{t: r.t}
	var res Result
	if strings.Count(imp.Spec, ".")+strings.Count(imp.Spec, "/") <= maxSegments {
		res = rule(r, p, q.dir, q.spec)
	}
	res.Probes = p.keys
	r.memo[q] = res
	return res
}

package extract

import (
	"testing"

	"ken/internal/code"
)

// rubyAnswer is what testdata/oracle/ruby prints of a file. A declaration is T (type), M
// (method) or F (field), its qualified name and line; a require its method, path and line.
type rubyAnswer struct {
	Path, Error  string
	Declarations [][3]any
	Requires     [][3]any
}

func rubyAnswers(t *testing.T, files []oracleFile, out []byte) map[string]*oracleAnswer {
	answers := map[string]*oracleAnswer{}
	for _, a := range oracleLines[rubyAnswer](t, out) {
		answer := &oracleAnswer{refused: a.Error}
		for _, d := range a.Declarations {
			answer.decls = append(answer.decls, decl{Path: a.Path, Kind: d[0].(string), Qualified: d[1].(string), Line: offset(d[2])})
		}
		for _, m := range a.Requires {
			spec := m[1].(string)
			if m[0] == "require_relative" && !isRelative(spec) {
				spec = "./" + spec
			}
			answer.decls = append(answer.decls, decl{Path: a.Path, Kind: kindImport, Name: spec, Line: offset(m[2])})
		}
		answers[a.Path] = answer
	}
	return answers
}

func rubyNormal(f *oracleFile, facts *code.Facts) (decls []decl) {
	for _, s := range facts.Symbols {
		kind := "T"
		switch {
		case s.Kind.IsFunction():
			kind = "M"
		case s.Kind == code.KindField:
			kind = "F"
		}
		decls = append(decls, decl{Path: f.path, Kind: kind, Qualified: s.Qualified, Line: s.Span.Line})
	}
	for _, m := range facts.Imports {
		decls = append(decls, decl{Path: f.path, Kind: kindImport, Name: m.Spec, Line: m.Line})
	}
	return decls
}

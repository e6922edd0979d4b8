package extract

import (
	"fmt"
	"testing"

	"ken/internal/code"
)

// scriptAnswer is what testdata/oracle/ts prints of a file: how many syntax errors it
// has, and of each declaration the qualified name, kind, start and end.
type scriptAnswer struct {
	Path         string
	Errors       int
	Declarations [][4]any
}

func scriptAnswers(t *testing.T, files []oracleFile, out []byte) map[string]*oracleAnswer {
	answers := map[string]*oracleAnswer{}
	for _, a := range oracleLines[scriptAnswer](t, out) {
		answer := &oracleAnswer{}
		if a.Errors > 0 {
			answer.refused = fmt.Sprint(a.Errors, " syntax errors")
		}
		for _, d := range a.Declarations {
			answer.decls = append(answer.decls, decl{Path: a.Path, Qualified: d[0].(string), Kind: d[1].(string), Start: offset(d[2]), End: offset(d[3])})
		}
		answers[a.Path] = answer
	}
	return answers
}

func scriptNormal(f *oracleFile, facts *code.Facts) (decls []decl) {
	for _, s := range facts.Symbols {
		decls = append(decls, decl{Path: f.path, Qualified: s.Qualified, Kind: scriptClass(s.Kind), Start: s.Span.Start, End: s.Span.End})
	}
	return decls
}

// scriptClass is the name of a kind on the compiler's side of the comparison, which
// distinguishes neither const from let nor a constructor from a method.
func scriptClass(k code.Kind) string {
	switch k {
	case code.KindConstructor:
		return "method"
	case code.KindConstant:
		return "variable"
	}
	return k.String()
}

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

// scriptNormal leaves out what functions hold, and values of object literals that are
// no functions: which of these is a declaration is a rule of ours, for which testdata
// has tables, and not one of the language, so that the compiler's walk lists none.
func scriptNormal(f *oracleFile, facts *code.Facts) (decls []decl) {
	for i, s := range facts.Symbols {
		if ownRule(facts.Symbols, i) {
			continue
		}
		decls = append(decls, decl{Path: f.path, Qualified: s.Qualified, Kind: scriptClass(s.Kind), Start: s.Span.Start, End: s.Span.End})
	}
	return decls
}

// ownRule reports whether a symbol is inside of a function, or a field of the object
// that a variable holds.
func ownRule(list []code.Symbol, i int) bool {
	for up := list[i].Parent; up >= 0; up = list[up].Parent {
		k := list[up].Kind
		if k.IsFunction() || list[i].Kind == code.KindField && (k == code.KindVariable || k == code.KindConstant) {
			return true
		}
	}
	return false
}

// scriptClass returns the name of a kind on the compiler's side of the comparison, which
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

package extract

import (
	"fmt"
	"strings"
	"testing"

	"ken/internal/code"
)

// pythonAnswer is what testdata/oracle/python prints of a file. A declaration is its
// kind, qualified name, start and end.
type pythonAnswer struct {
	Path, Error  string
	Declarations [][4]any
	Imports      [][]string
}

func pythonAnswers(t *testing.T, files []oracleFile, out []byte) map[string]*oracleAnswer {
	answers := map[string]*oracleAnswer{}
	for _, a := range oracleLines[pythonAnswer](t, out) {
		answer := &oracleAnswer{refused: a.Error}
		for _, d := range a.Declarations {
			answer.decls = append(answer.decls, decl{Path: a.Path, Kind: d[0].(string), Qualified: d[1].(string), Start: offset(d[2]), End: offset(d[3])})
		}
		for _, m := range a.Imports {
			answer.decls = append(answer.decls, decl{Path: a.Path, Kind: kindImport, Name: strings.Join(m, "|")})
		}
		answers[a.Path] = answer
	}
	return answers
}

// offset returns a number as JSON decodes it.
func offset(v any) uint32 { return uint32(v.(float64)) }

func pythonNormal(f *oracleFile, facts *code.Facts) (decls []decl) {
	for _, s := range facts.Symbols {
		kind := "variable"
		switch {
		case s.Kind.IsFunction():
			kind = "function"
		case s.Kind.IsType():
			kind = "class"
		}
		decls = append(decls, decl{Path: f.path, Kind: kind, Qualified: s.Qualified, Start: s.Span.Start, End: s.Span.End})
	}
	for _, m := range facts.Imports {
		decls = append(decls, decl{Path: f.path, Kind: kindImport, Name: pythonImport(m)})
	}
	return decls
}

func pythonImport(m code.Import) string {
	if len(m.Names) == 0 {
		return m.Spec + "|" + m.Alias
	}
	s := m.Spec
	for _, n := range m.Names {
		s += fmt.Sprintf("|%s %s", n.Name, n.Alias)
	}
	return s
}

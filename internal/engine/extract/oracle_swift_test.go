package extract

import (
	"bytes"
	"regexp"
	"strings"
	"testing"

	"ken/internal/code"
)

// No parser of Swift can be installed as an oracle. Instead, declarations are counted
// by their keywords, with strings and comments blanked.
var (
	swiftNoise   = regexp.MustCompile(`(?s)"""(?:\\.|[^\\])*?"""|"(?:\\.|[^"\\\n])*"|//[^\n]*|/\*.*?\*/`)
	swiftKeyword = regexp.MustCompile("(?m)(?:^|[\\s;{}@)])(func|class|struct|enum|protocol|actor|typealias|associatedtype)[ \\t]+(`?[\\pL_][\\pL\\pN_]*`?|[-+*/<>=!&|^~%?.]+)")
)

// swiftAnswers returns the declarations that keywords announce.
func swiftAnswers(_ *testing.T, files []oracleFile, _ []byte) map[string]*oracleAnswer {
	answers := answersFor(files)
	for _, f := range files {
		clean := swiftNoise.ReplaceAllFunc(f.src, func(b []byte) []byte { return []byte(blankText(string(b))) })
		for _, m := range swiftKeyword.FindAllSubmatchIndex(clean, -1) {
			word, name := string(clean[m[2]:m[3]]), strings.Trim(string(clean[m[4]:m[5]]), "`")
			switch name {
			case "func", "var", "let", "subscript", "init", "override", "final":
				continue // a modifier: class func f
			}
			answers[f.path].decls = append(answers[f.path].decls, decl{Path: f.path, Kind: word, Name: name, Line: lineOf(clean, m[4])})
		}
	}
	return answers
}

// lineOf returns the 1-based line of the byte at i.
func lineOf(src []byte, i int) uint32 { return 1 + uint32(bytes.Count(src[:i], []byte("\n"))) }

// swiftMatch finds a declaration by name and line.
func swiftMatch(f *oracleFile, facts *code.Facts) matcher {
	have := map[decl]bool{}
	for _, s := range facts.Symbols {
		if s.Kind != code.KindEnumMember {
			have[decl{Name: s.Name, Line: lineOf(f.src, int(s.NameStart))}] = true
		}
	}
	return matcher{found: func(d decl) bool { return have[decl{Name: d.Name, Line: d.Line}] }}
}

// blankText returns s with everything but its line breaks replaced by blanks.
func blankText(s string) string {
	return strings.Map(func(r rune) rune {
		if r == '\n' {
			return r
		}
		return ' '
	}, s)
}

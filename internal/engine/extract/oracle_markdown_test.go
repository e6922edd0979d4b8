package extract

import (
	"fmt"
	"strings"
	"testing"

	"ken/internal/code"
	"ken/internal/engine/extract/page"
	"ken/internal/engine/extract/plain"
)

// markdownAnswers reads the lines of testdata/oracle/markdown: the path and the headings
// of a document as LINE:LEVEL, separated by tabs.
func markdownAnswers(_ *testing.T, files []oracleFile, out []byte) map[string]*oracleAnswer {
	answers := map[string]*oracleAnswer{}
	for line := range strings.Lines(string(out)) {
		path, rest, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
		headings := strings.FieldsFunc(rest, func(r rune) bool { return r == '\t' })
		answers[path] = &oracleAnswer{decls: inOrder(path, headings)}
	}
	return answers
}

func markdownNormal(f *oracleFile, _ *code.Facts) []decl {
	return inOrder(f.path, markdownHeadings(f.src))
}

// inOrder are findings whose order counts.
func inOrder(path string, names []string) (decls []decl) {
	for i, name := range names {
		decls = append(decls, decl{Path: path, Name: name, Start: uint32(i)})
	}
	return decls
}

// markdownHeadings returns the headings of a document as LINE:LEVEL, including empty ones.
func markdownHeadings(src []byte) []string {
	f := &plain.File{Path: "x.md", Text: strings.TrimPrefix(string(src), "\ufeff"), Facts: &code.Facts{}, Owner: -1}
	var out []string
	page.TraceMarkdown(f, func(level, at int) { out = append(out, fmt.Sprintf("%d:%d", f.LineAt(uint32(at)), level)) })
	return out
}

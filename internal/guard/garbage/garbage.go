// Package garbage says what of a change looks as if it was left behind or never
// asked for: debug prints, commented-out code, notes of work left, tests that
// nobody requested, files that have nothing to do with the rest, and secrets
// that the caller found. It judges values and reads nothing: texts, what was
// asked for and what the index knows are handed in, so that a review, a hook and
// a measurement judge alike. Comments and strings are recognised by the table of
// internal/lang (lines.go); what a finding needs is in tables of rules, each row
// with samples in testdata (debugrules.go, code.go, files.go).
//
// The cost is linear in the texts of the changed files.
package garbage

import (
	"cmp"
	"slices"

	"ken/internal/code"
)

// Finder holds the compiled rules. It is safe for concurrent use.
type Finder struct {
	prints printRules
	code   codeRules
	todo   todoRules
	files  fileRules
}

// New compiles the rules.
func New() *Finder {
	return &Finder{prints: newPrintRules(), code: newCodeRules(), todo: newTodoRules(), files: newFileRules()}
}

// Find judges a change. Findings are ordered by path, line and kind.
func (f *Finder) Find(c *Change) []Finding {
	moved := removedLines(c.Files)
	var out []Finding
	for i := range c.Files {
		file := &c.Files[i]
		if file.Binary || file.Class.Has(code.ClassGenerated|code.ClassVendored) {
			continue
		}
		t := readText(file)
		if t == nil {
			continue
		}
		out = append(out, f.prints.find(file, t, moved)...)
		out = append(out, f.code.find(file, t, moved)...)
		out = append(out, f.todo.find(c.Request, file, t, moved)...)
	}
	out = append(out, f.files.find(c)...)
	for _, s := range c.Secrets {
		out = append(out, Finding{SecretValue, s.Path, s.Line, s.Line, "the rule " + s.Rule + " finds a credential", Likely})
	}
	slices.SortStableFunc(out, func(a, b Finding) int {
		return cmp.Or(cmp.Compare(a.Path, b.Path), cmp.Compare(a.From, b.From), cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.To, b.To))
	})
	return slices.Compact(out)
}

// Package garbage finds the parts of a change that look left over or were never requested: debug prints, commented-out code, notes of
// work left, tests and files without relation to the request, and secrets that the caller found. It judges values and reads nothing:
// texts, the request and facts of the index are arguments, so that a review, a hook and a measurement judge alike. Comments and
// strings are recognised by the table of internal/lang (lines.go). The rules are tables whose rows have samples in testdata
// (debugrules.go, code.go, files.go).
//
// The cost is linear in the size of the changed files.
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

// NewFinder returns a Finder with compiled rules.
func NewFinder() *Finder {
	return &Finder{prints: newPrintRules(), code: newCodeRules(), todo: newTodoRules(), files: newFileRules()}
}

// Find returns the findings of a change, ordered by path, line and kind.
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
		out = append(out, f.prints.findPrints(file, t, moved)...)
		out = append(out, f.code.findCode(file, t, moved)...)
		out = append(out, f.todo.findNotes(c.Request, file, t, moved)...)
	}
	out = append(out, f.files.findFiles(c)...)
	for _, s := range c.Secrets {
		out = append(out, Finding{SecretValue, s.Path, s.Line, s.Line, "the rule " + s.Rule + " finds a credential", Likely})
	}
	slices.SortStableFunc(out, func(a, b Finding) int {
		return cmp.Or(cmp.Compare(a.Path, b.Path), cmp.Compare(a.From, b.From), cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.To, b.To))
	})
	return slices.Compact(out)
}

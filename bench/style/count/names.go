package count

import (
	"go/ast"
	"regexp"
	"slices"
	"strings"
)

var (
	// pastForm matches names of one word that end as a past participle does.
	pastForm = regexp.MustCompile(`^[A-Za-z][a-z]*[a-z]ed$`)
	// ofForm matches names such as kindOf and KindOf.
	ofForm = regexp.MustCompile(`[a-z0-9]Of$`)
)

// irregularParticiples are the past participles without -ed that function names used.
var irregularParticiples = strings.Fields("asked begun bound broken brought built caught chosen done drawn fallen felt found forgotten given gone grown heard held hidden kept known laid " +
	"led left lent lost made meant met paid proven read said seen sent shown shut spelt spent spoken sworn taken taught thought thrown told torn understood undone woken won worn written")

// notParticiples are words that end in -ed and are no participles, and verbs that
// look like participles.
var notParticiples = strings.Fields("embed feed need seed speed exceed proceed read left bound found led lent met won felt")

// Participles returns the functions of a file whose name is a past participle
// alone, as shown and known: such a name hides both the deed and the result.
// Constructors of errors, tests and methods count as all others.
func (f *File) Participles() []Finding {
	return f.functionsByName(func(name string) bool {
		lower := strings.ToLower(name)
		if slices.Contains(notParticiples, lower) {
			return false
		}
		return pastForm.MatchString(name) || slices.Contains(irregularParticiples, lower) && !strings.ContainsFunc(name[1:], isUpper)
	})
}

// OfNames returns the functions of a file whose name ends in Of, as kindOf.
func (f *File) OfNames() []Finding { return f.functionsByName(ofForm.MatchString) }

func isUpper(r rune) bool { return 'A' <= r && r <= 'Z' }

// Functions returns the functions and methods that a file declares.
func (f *File) Functions() []Finding { return f.functionsByName(func(string) bool { return true }) }

func (f *File) functionsByName(want func(name string) bool) []Finding {
	var out []Finding
	for _, d := range f.AST.Decls {
		if fn, ok := d.(*ast.FuncDecl); ok && want(fn.Name.Name) {
			out = append(out, Finding{File: f, Line: f.Line(fn.Pos()), What: fn.Name.Name, N: 1})
		}
	}
	return out
}

// failureWords matches a comment that names the failures of a function.
var failureWords = regexp.MustCompile(`(?i)\b(error|errors|fails?|Err[A-Z]\w*|invalid|refuses|rejects|never fails)\b`)

// Fallible returns the exported functions and methods with an error among their
// results, and those of them whose comment does not mention failure. Methods of
// types that are not exported do not count.
func (f *File) Fallible() (all, silent []Finding) {
	for _, d := range f.AST.Decls {
		fn, ok := d.(*ast.FuncDecl)
		if !ok || !fn.Name.IsExported() || !returnsError(fn.Type) || !exportedReceiver(fn.Recv) {
			continue
		}
		found := Finding{File: f, Line: f.Line(fn.Pos()), What: fn.Name.Name, N: 1}
		all = append(all, found)
		if !failureWords.MatchString(fn.Doc.Text()) {
			silent = append(silent, found)
		}
	}
	return all, silent
}

func returnsError(t *ast.FuncType) bool {
	if t.Results == nil {
		return false
	}
	return slices.ContainsFunc(t.Results.List, func(r *ast.Field) bool {
		id, ok := r.Type.(*ast.Ident)
		return ok && id.Name == "error"
	})
}

// exportedReceiver reports whether a method's type is exported; a function has none.
func exportedReceiver(recv *ast.FieldList) bool {
	if recv == nil {
		return true
	}
	exported := false
	ast.Inspect(recv.List[0].Type, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			exported = exported || id.IsExported()
			return false
		}
		return true
	})
	return exported
}

package count

import (
	"go/ast"
	"go/token"
	"strconv"
	"strings"
)

// LanguageHomes are the packages whose business languages are one by one;
// everywhere else behaviour asks the traits of package lang.
var LanguageHomes = []string{"internal/engine/extract", "internal/engine/resolve", "internal/lang", "internal/engine/lang"}

// LanguageComparisons returns the comparisons with one language in expressions:
// == or != between a language and a literal or constant that names one. An
// expression is a language if its name ends in lang or language or it is
// declared as a code.Lang in the function around it; conversions and changes of
// case are looked through. Comparing the languages of two files, one with "",
// or a language's family or tier, which are traits, names no language and is
// not counted.
func (f *File) LanguageComparisons() []Finding {
	var out []Finding
	l := languageNames{}
	ast.Inspect(f.AST, func(x ast.Node) bool {
		l.recordDeclared(x)
		b, ok := x.(*ast.BinaryExpr)
		if !ok || b.Op != token.EQL && b.Op != token.NEQ {
			return true
		}
		if l.isLanguage(b.X) && isLanguageName(b.Y) || l.isLanguage(b.Y) && isLanguageName(b.X) {
			out = append(out, Finding{File: f, Line: f.Line(b.Pos()), What: "comparison with a language", N: 1})
		}
		return true
	})
	return out
}

// LanguageCases returns the clauses of switches over a language that name
// languages, one for each clause; its N is the number of languages named.
func (f *File) LanguageCases() []Finding {
	var out []Finding
	l := languageNames{}
	ast.Inspect(f.AST, func(x ast.Node) bool {
		l.recordDeclared(x)
		s, ok := x.(*ast.SwitchStmt)
		if !ok || s.Tag == nil || !l.isLanguage(s.Tag) {
			return true
		}
		for _, c := range s.Body.List {
			named := 0
			for _, e := range c.(*ast.CaseClause).List {
				if isLanguageName(e) {
					named++
				}
			}
			if named > 0 {
				out = append(out, Finding{File: f, Line: f.Line(c.Pos()), What: "case of a language", N: named})
			}
		}
		return true
	})
	return out
}

// LanguageTables returns the lists, sets and maps by language written as
// literals, with the number of languages each names. They are no comparisons,
// but comparisons turn into them instead of into traits.
func (f *File) LanguageTables() []Finding {
	var out []Finding
	ast.Inspect(f.AST, func(x ast.Node) bool {
		lit, ok := x.(*ast.CompositeLit)
		if !ok {
			return true
		}
		named := 0
		for _, e := range lit.Elts {
			if kv, ok := e.(*ast.KeyValueExpr); ok {
				e = kv.Key
			}
			if isLanguageName(e) {
				named++
			}
		}
		switch t := lit.Type.(type) {
		case *ast.ArrayType:
			ok = isLangType(t.Elt)
		case *ast.MapType:
			ok = isLangType(t.Key)
		default:
			ok = false
		}
		if ok && named > 0 {
			out = append(out, Finding{File: f, Line: f.Line(lit.Pos()), What: "table by language", N: named})
		}
		return true
	})
	return out
}

// languageNames are the names that hold a language under another name, by
// the function that declares them: its parameters, results and variables.
type languageNames map[string]bool

// recordDeclared records the languages that a node declares. Names of one function
// are forgotten at the next, so that "l" is a language only where it is one.
func (l languageNames) recordDeclared(x ast.Node) {
	switch x := x.(type) {
	case *ast.FuncDecl:
		clear(l)
	case *ast.FuncType:
		l.recordFields(x.Params)
		l.recordFields(x.Results)
	case *ast.ValueSpec:
		if isLangType(x.Type) {
			l.recordNames(x.Names)
		}
	}
}

func (l languageNames) recordFields(list *ast.FieldList) {
	if list == nil {
		return
	}
	for _, p := range list.List {
		if isLangType(p.Type) {
			l.recordNames(p.Names)
		}
	}
}

func (l languageNames) recordNames(names []*ast.Ident) {
	for _, n := range names {
		l[n.Name] = true
	}
}

// isLangType reports whether a type is code.Lang, or Lang within package code.
func isLangType(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.Ident:
		return e.Name == "Lang"
	case *ast.SelectorExpr:
		pkg, ok := e.X.(*ast.Ident)
		return ok && pkg.Name == "code" && e.Sel.Name == "Lang"
	}
	return false
}

// isLanguage reports whether an expression is a language.
func (l languageNames) isLanguage(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.ParenExpr:
		return l.isLanguage(e.X)
	case *ast.Ident:
		return l[e.Name] || endsInLanguage(e.Name)
	case *ast.SelectorExpr:
		return endsInLanguage(e.Sel.Name)
	case *ast.CallExpr:
		if len(e.Args) == 0 { // a method called Lang
			sel, ok := e.Fun.(*ast.SelectorExpr)
			return ok && endsInLanguage(sel.Sel.Name)
		}
		return len(e.Args) == 1 && isLanguagePreserving(e.Fun) && l.isLanguage(e.Args[0])
	}
	return false
}

// isLanguagePreserving reports whether a function or type leaves a language one.
func isLanguagePreserving(fun ast.Expr) bool {
	switch fun := fun.(type) {
	case *ast.Ident:
		return fun.Name == "string"
	case *ast.SelectorExpr:
		return fun.Sel.Name == "ToLower" || isLangType(fun)
	}
	return false
}

func endsInLanguage(name string) bool {
	name = strings.ToLower(name)
	return strings.HasSuffix(name, "lang") || strings.HasSuffix(name, "language")
}

// isLanguageName reports whether an expression is a literal that is not empty,
// or a constant of package lang or code.
func isLanguageName(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.ParenExpr:
		return isLanguageName(e.X)
	case *ast.BasicLit:
		s, err := strconv.Unquote(e.Value)
		return e.Kind == token.STRING && err == nil && s != ""
	case *ast.CallExpr: // code.Lang("go")
		return len(e.Args) == 1 && isLanguagePreserving(e.Fun) && isLanguageName(e.Args[0])
	case *ast.SelectorExpr:
		pkg, ok := e.X.(*ast.Ident)
		return ok && (pkg.Name == "lang" || pkg.Name == "code")
	}
	return false
}

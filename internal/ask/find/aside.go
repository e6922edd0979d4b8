package find

import (
	"path"
	"slices"
	"strings"

	"ken/internal/code"
	"ken/internal/engine/search"
	"ken/internal/lang"
)

// aside describes a sort of files that repeat the words of code and are seldom the place of a change, such as translations. Such
// files come after all others unless the query asks for them.
type aside struct {
	is func(p *asidePath) bool
	// words are words of a query that ask for it, in lower case; one that ends in "*" is a prefix.
	words []string
}

// asidePath is a file with its path in lower case, cut into segments.
type asidePath struct {
	*code.File
	low  string
	segs []string // directories
	base string
}

// asides returns the sorts of files that come last.
func asides() []aside {
	return []aside{
		{isCatalogue, []string{"translat*", "locale*", "locali*", "i18n", "l10n", "internationali*", "language", "languages", "catalogue*", "catalog", "catalogs"}},
		{func(p *asidePath) bool { return p.Class.Has(code.ClassVendored) }, []string{"vendor*", "thirdparty", "bundled", "upstream"}},
		{isMigration, []string{"migrat*"}},
		{isProjectTemplate, []string{"template", "templates", "templating", "scaffold*", "startproject", "startapp", "boilerplate", "starter*", "cookiecutter", "generator*", "skeleton*"}},
		{func(p *asidePath) bool { return p.Class.Has(code.ClassFixture) }, []string{"fixture*", "testdata", "snapshot*", "mock*", "sample*", "golden"}},
	}
}

// Aside reports whether a file is of a sort that comes last, and the query does not ask for it: neither by a word or a path, nor
// by asking for tests if the file belongs to them.
func Aside(q *search.Query, f *code.File) bool {
	return isAside(asides(), q, f)
}

func isAside(list []aside, q *search.Query, f *code.File) bool {
	p := &asidePath{File: f, low: strings.ToLower(f.Path)}
	p.segs = strings.Split(p.low, "/")
	p.base = p.segs[len(p.segs)-1]
	p.segs = p.segs[:len(p.segs)-1]
	for i := range list {
		if list[i].is(p) {
			return !isAskedFor(&list[i], q, p)
		}
	}
	return false
}

func isAskedFor(a *aside, q *search.Query, p *asidePath) bool {
	if q.WantTest && p.Class.Has(code.ClassTest) || len(q.Filters.Paths) > 0 {
		return true
	}
	for i := range q.Paths {
		if path.Base(strings.ToLower(q.Paths[i].Text)) == p.base {
			return true
		}
	}
	return a.isNamed(q)
}

// isNamed reports whether a query has one of the words that ask for a sort.
func (a *aside) isNamed(q *search.Query) bool {
	joined := strings.NewReplacer("-", "", " ", "", "_", "")
	return slices.ContainsFunc(q.Terms, func(t search.Term) bool {
		w := joined.Replace(strings.ToLower(t.Word))
		return slices.ContainsFunc(a.words, func(want string) bool {
			prefix, ok := strings.CutSuffix(want, "*")
			return w == want || ok && strings.HasPrefix(w, prefix)
		})
	})
}

// wantsOther reports whether a query asks for tests, documents or files of a sort that otherwise comes last.
func wantsOther(q *search.Query) bool {
	return q.WantTest || q.WantDoc || slices.ContainsFunc(asides(), func(a aside) bool { return a.isNamed(q) })
}

// isCatalogue recognises lists of translated texts: their formats, and files of data or named for a language in a folder of
// translations. Other code there is code.
func isCatalogue(p *asidePath) bool {
	if !p.Class.Has(code.ClassTranslation) {
		return false
	}
	switch path.Ext(p.base) {
	case ".po", ".pot", ".resx", ".arb", ".xliff", ".xlf":
		return true
	}
	if lang.Of(p.Lang).Settings {
		return true
	}
	stem, _, _ := strings.Cut(p.base, ".")
	return isLanguageCode(stem) || len(p.segs) > 0 && isLanguageCode(p.segs[len(p.segs)-1])
}

// isLanguageCode recognises the form of "de", "pt_br" and "zh-hans-cn".
func isLanguageCode(s string) bool {
	parts := strings.FieldsFunc(s, func(r rune) bool { return r == '_' || r == '-' })
	if len(parts) == 0 || len(parts) > 3 || len(parts[0]) < 2 || len(parts[0]) > 3 {
		return false
	}
	switch parts[0] {
	case "lib", "src", "api", "app", "cli", "cmd", "db", "js", "ts", "ui", "go", "py", "io", "log", "run", "set", "get", "use", "new", "map", "key", "all":
		return false // short words of code, which seldom mean a language
	}
	return !slices.ContainsFunc(parts, func(part string) bool {
		return strings.ContainsFunc(part, func(r rune) bool { return r < 'a' || r > 'z' }) || len(part) > 4
	})
}

// isMigration recognises database migrations that a tool writes and numbers.
func isMigration(p *asidePath) bool {
	digits := len(p.base) - len(strings.TrimLeft(p.base, "0123456789"))
	folder := 0
	for i := len(p.segs) - 1; i >= 0 && i >= len(p.segs)-2; i-- { // Prisma has a numbered folder for each
		switch p.segs[i] {
		case "migrations", "migrate", "versions":
			return digits >= 4 || folder >= 4
		}
		folder = len(p.segs[i]) - len(strings.TrimLeft(p.segs[i], "0123456789"))
	}
	return false
}

// isProjectTemplate recognises the files that generators of new projects copy.
func isProjectTemplate(p *asidePath) bool {
	if strings.HasSuffix(p.base, "-tpl") || strings.Contains(p.low, "{{") {
		return true
	}
	return slices.ContainsFunc(p.segs, func(s string) bool {
		for _, w := range [...]string{"template", "templates"} {
			if strings.HasSuffix(s, "_"+w) || strings.HasSuffix(s, "-"+w) {
				return true
			}
		}
		return strings.HasPrefix(s, "template-")
	})
}

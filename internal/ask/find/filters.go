package find

import (
	"path"
	"slices"
	"strings"

	"ken/internal/code"
	"ken/internal/engine/search"
	"ken/internal/engine/view"
	"ken/internal/lang"
)

// checkFilters rejects values of filters that no file can have, because an empty answer would look as if nothing matched the query.
func checkFilters(q *search.Filters) error {
	languages, extensions := languageNames()
	for _, f := range [...]struct {
		what      string
		given, of []string
		also      map[string]bool
	}{
		{"language", q.Langs, languages, extensions},
		{"type of files", q.Types, lang.NodeTypes(), nil},
		{"kind of declarations", q.Kinds, code.KindNames(), nil},
	} {
		for _, v := range f.given {
			if !slices.Contains(f.of, v) && !f.also[v] {
				return unknownValue(f.what, v, f.of)
			}
		}
	}
	if t := q.Test; t != "" && t != "yes" && t != "no" {
		return unknownValue("answer to test:", t, []string{"yes", "no"})
	}
	return nil
}

// fewValues is the largest number of values that a message lists in full.
const fewValues = 12

func unknownValue(what, v string, of []string) error {
	near := view.NearWords(v, of)
	switch {
	case len(near) > 0:
		return code.Usagef("there is no %s %q; near: %s", what, v, strings.Join(near, ", "))
	case len(of) <= fewValues:
		return code.Usagef("there is no %s %q, only %s", what, v, strings.Join(of, ", "))
	}
	return code.Usagef("there is no %s %q", what, v)
}

// languageNames returns the names of the languages, and their extensions without the dot.
func languageNames() (names []string, extensions map[string]bool) {
	extensions = map[string]bool{}
	for _, l := range lang.All() {
		names = append(names, string(l.Name))
		for _, e := range l.Extensions {
			extensions[strings.TrimPrefix(e, ".")] = true
		}
	}
	return names, extensions
}

// admits reports whether a file passes the filters of a query. writtenType returns the type that the page of a file states, which
// counts instead of that of its path, or ""; it may be nil.
func admits(q *search.Filters, f *code.File, writtenType func(string) string) bool {
	any := func(list []string, ok func(string) bool) bool { return len(list) == 0 || slices.ContainsFunc(list, ok) }
	lower := strings.ToLower(f.Path)
	switch {
	case len(q.Types) > 0 && !slices.Contains(q.Types, fileType(f, writtenType)):
		return false
	case !any(q.Langs, func(l string) bool { return l == string(f.Lang) || "."+l == path.Ext(lower) }):
		return false
	case !any(q.Paths, func(p string) bool {
		p = strings.ToLower(strings.Trim(p, "/"))
		return strings.HasPrefix(lower, p) || strings.Contains(lower, "/"+p)
	}):
		return false
	case q.Test == "":
		return true
	}
	return (q.Test == "yes") == f.Class.Has(code.ClassTest)
}

// fileType returns the type that the page of a file states, else that of its path.
func fileType(f *code.File, written func(string) string) string {
	if written != nil {
		if t := written(f.Path); t != "" {
			return t
		}
	}
	return lang.NodeType(*f)
}

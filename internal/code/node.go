package code

import (
	"path"
	"slices"
	"strings"
	"unicode/utf8"
)

// Slug returns the id of a path in exports (docs/formats.md): without leading slash and
// extension, in lower case, every run of characters other than letters and digits
// replaced by one '-'. "src/lib/db.ts" is "src-lib-db". Two paths can share a slug; the
// store then appends '~' and six hex digits of the path's SHA-256 to both.
func Slug(p string) string {
	p = strings.ToLower(strings.TrimPrefix(p, "/"))
	if ext := path.Ext(p); ext != "" && ext != path.Base(p) {
		p = strings.TrimSuffix(p, ext)
	}
	var b strings.Builder
	dash := false
	for _, r := range p {
		if inSlug(r) {
			if dash && b.Len() > 0 {
				b.WriteByte('-')
			}
			dash = false
			b.WriteRune(r)
			continue
		}
		dash = true
	}
	if b.Len() == 0 {
		return "file"
	}
	return b.String()
}

// inSlug reports whether a character of a path is kept in its slug.
func inSlug(r rune) bool {
	switch {
	case r >= 'a' && r <= 'z', r >= '0' && r <= '9':
		return true
	}
	return r >= utf8.RuneSelf && r != utf8.RuneError
}

// Purpose returns the first sentence of the module's own doc comment, at most 200
// bytes, or "" if it has none.
func Purpose(f File) string {
	doc := strings.Join(strings.Fields(f.Doc), " ")
	doc = doc[:sentenceEnd(doc)]
	if len(doc) > 200 {
		cut := strings.LastIndexByte(doc[:197], ' ')
		if cut < 100 {
			cut = CutLength(doc, 197)
		}
		doc = doc[:cut] + "…"
	}
	return doc
}

// sentenceEnd returns the length of the first sentence of a text without line breaks. A full stop in code or in parentheses ends
// none, unless these are never closed.
func sentenceEnd(doc string) int {
	code, depth, first := false, 0, 0
	for i := 0; i < len(doc); i++ {
		switch doc[i] {
		case '`':
			code = !code
		case '(':
			depth++
		case ')':
			depth = max(depth-1, 0)
		case '.', '!', '?':
			isAbbreviation := func(a string) bool { return strings.HasSuffix(doc[:i], a) }
			lastOfWord := i+1 == len(doc) || doc[i+1] == ' '
			if !lastOfWord || slices.ContainsFunc(abbreviations[:], isAbbreviation) {
				continue
			}
			if !code && depth == 0 {
				return i + 1
			}
			if first == 0 {
				first = i + 1
			}
		}
	}
	if first > 0 && (code || depth > 0) {
		return first
	}
	return len(doc)
}

// abbreviations are followed by a full stop that ends no sentence.
var abbreviations = [...]string{"e.g", "i.e", "etc", "vs", "cf"}

// Complexity returns the grade of a file by its decision points (Facts.Branches): "low"
// below 20, "medium" below 100, "high" from there, and one grade up if at least every
// fourth line has a decision point. It returns "" for files that were not parsed.
func Complexity(f File) string {
	if f.Lines == 0 || f.Problem != "" {
		return ""
	}
	grade := 0
	switch {
	case f.Branches >= 100:
		grade = 2
	case f.Branches >= 20:
		grade = 1
	}
	if f.Branches >= 8 && f.Branches*4 >= f.Lines && grade < 2 {
		grade++
	}
	return [...]string{"low", "medium", "high"}[grade]
}

package extract

import "ken/internal/code"

// reader is how one language is read.
type reader struct {
	lang code.Lang
	// spec is the grammar. A language with its own parser (Go) may leave it to
	// the files that parser refuses.
	spec *spec
	// walk fills f from its tree. f.facts is empty but for ErrorBytes and Branches.
	walk func(f *file)
	// head reads f's imports only, from the beginning of a file cut anywhere; nil
	// if walk is cheap and robust enough to be used instead.
	head func(f *file)
	// direct reads a file without tree-sitter; false leaves it to walk, and
	// nothing in f touched.
	direct func(f *file, src []byte) bool
}

// languages lists every language ken reads in full.
func languages() []reader {
	return []reader{
		goReader(),
		{lang: "typescript", spec: typescriptSpec(), walk: walkScript, head: headScript},
		{lang: "tsx", spec: tsxSpec(), walk: walkScript, head: headScript},
		{lang: "javascript", spec: javascriptSpec(), walk: walkScript, head: headScript},
		{lang: "jsx", spec: javascriptSpec(), walk: walkScript, head: headScript},
	}
}

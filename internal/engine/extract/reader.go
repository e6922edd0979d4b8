package extract

import (
	"ken/internal/code"
	"ken/internal/engine/extract/plain"
	"ken/internal/engine/extract/repair"
)

// reader describes how files of one language, or of one dialect, are read.
type reader struct {
	lang code.Lang
	// ext limits the entry to paths with this ending, for a dialect with a grammar of
	// its own; it must come before the entry without.
	ext string
	// spec is the grammar. A language with its own parser (Go) may leave it to
	// the files that parser refuses.
	spec *spec
	// second is tried on a file in which the first finds errors; the tree with fewer
	// error bytes is read.
	second *spec
	// retries are tried on a file with errors, each on the best source so far.
	retries []retry
	// repairs are tried on a source the grammar finds errors in, each on the result of
	// the one before, as long as errors are left.
	repairs []repair.Source
	// inner blanks everything but the part of a file that the grammar reads, so that
	// offsets stay the same; nil if the grammar reads it all.
	inner func(src []byte) []byte
	// walk fills f from its tree. f.facts is empty but for ErrorBytes and Branches.
	walk func(f *file)
	// head reads only the imports of f, from the beginning of a file cut anywhere; nil
	// if walk is cheap and robust enough to be used instead.
	head func(f *file)
	// direct reads a file without tree-sitter. If it returns false, f is unchanged and
	// walk reads the file.
	direct func(f *file, src []byte) bool
	// mask returns the source as the grammar is to see it, of the same length, with
	// unreadable parts made blank. Facts are read from the source itself.
	mask func(f *file, src []byte) []byte
	// refuse recognises a source on which the grammar would spend seconds without the
	// limits of a parse stopping it in time; nil if there is none.
	refuse func(src []byte) bool
}

// retry returns another source of the same length to read instead of src, whose tree in f has errors, or nil if there is
// none. The source with fewer error bytes is read. It may add to f.masked; that is undone if its source is not read.
type retry func(f *file, src []byte) []byte

// direct makes a reader from a function that scans a file without a grammar.
func direct(lang code.Lang, scan func(f *plain.File)) reader {
	return reader{lang: lang, direct: func(f *file, src []byte) bool {
		plain.Read(f.path, src, f.facts, scan)
		return true
	}}
}

// Package plain is shared by the scanners of documents, data and build files.
//
// Languages of text and data (YAML, Markdown, Dockerfile, …) are read by linear
// scanners of their own, in one pass and without a tree, because a repository can hold
// thousands of such files: the scanners read hundreds of megabytes a second, a grammar
// five. A scanner is a function of a File; it is pure and total, as extraction is.
package plain

import (
	"strings"

	"ken/internal/code"
	"ken/internal/engine/extract/lexical"
)

// File is one file while a scanner reads it.
type File struct {
	Path  string
	Text  string // without byte order mark
	Facts *code.Facts
	// Owner is the innermost symbol around the position of the scanner, -1 at the top:
	// the Parent of new symbols, the Scope of new references.
	Owner      int32
	lines      []uint32 // offset of each line's first byte, made on first use
	containers code.Containers
}

// Read runs scan over src and stores its findings in facts.
func Read(path string, src []byte, facts *code.Facts, scan func(f *File)) {
	text := strings.TrimPrefix(string(src), "\ufeff")
	scan(&File{Path: path, Text: text, Facts: facts, Owner: -1})
	shift(facts, uint32(len(src)-len(text)))
}

// Limits of the facts one such file may add to the index, because it should hold an outline,
// not the content.
const (
	MaxKeys      = 64              // symbols of a data file
	MaxOutline   = 400             // symbols of a page, style sheet or build file
	MaxHeadings  = 200             // symbols of a document, because a change log has thousands
	MaxRefs      = 1000            // references of a file, because a dump has a statement for every row
	MaxName      = 120             // bytes of a name; longer ones are content
	MaxSignature = lexical.MaxLine // bytes of a signature
	MaxDoc       = 240             // bytes of a doc comment
	maxMentions  = 100             // paths named by a file
)

// shift adds the length of the byte order mark, which scanners do not see, to all
// offsets.
func shift(facts *code.Facts, mark uint32) {
	if mark == 0 {
		return
	}
	for i := range facts.Symbols {
		s := &facts.Symbols[i]
		s.Span.Start, s.Span.End, s.NameStart = s.Span.Start+mark, s.Span.End+mark, s.NameStart+mark
	}
	for i := range facts.Refs {
		r := &facts.Refs[i]
		r.Start, r.End = r.Start+mark, r.End+mark
	}
}

// AddSymbol declares a symbol; the positions are offsets. It returns -1 if the name
// is empty or too long, or the file has reached its limit of symbols.
func (f *File) AddSymbol(k code.Kind, name string, nameStart, start, end int, sig string, limit int) int32 {
	if name == "" || len(name) > MaxName || len(f.Facts.Symbols) >= limit {
		return -1
	}
	s := code.Symbol{
		Name: lexical.Valid(name), Kind: k, Span: f.span(uint32(start), uint32(max(end, start))), NameStart: uint32(nameStart),
		Signature: lexical.OneLine(sig), Exported: !k.IsText(), Parent: f.Owner,
	}
	s.Qualified = s.Name
	if f.Owner >= 0 {
		s.Qualified = f.containers.Under(f.Facts.Symbols[f.Owner].Qualified, s.Name, len(f.Text))
	}
	f.Facts.Symbols = append(f.Facts.Symbols, s)
	return int32(len(f.Facts.Symbols) - 1)
}

// Enter makes sym the owner of the symbols that follow, and returns the previous owner, for Leave.
func (f *File) Enter(sym int32) (before int32) {
	before, f.Owner = f.Owner, sym
	return before
}

// Leave restores the owner that Enter returned.
func (f *File) Leave(before int32) { f.Owner = before }

// LineAt returns the 1-based line of the byte at off.
func (f *File) LineAt(off uint32) uint32 {
	if len(f.lines) == 0 {
		f.lines = lexical.AppendLines(f.lines, f.Text)
	}
	return lexical.Line(f.lines, off)
}

// span returns the span of bytes [start, end).
func (f *File) span(start, end uint32) code.Span {
	return code.Span{Start: start, End: end, Line: f.LineAt(start), EndLine: f.LineAt(max(end, start+1) - 1)}
}

// SetEnd moves the end of a symbol.
func (f *File) SetEnd(sym int32, end int) {
	if sym < 0 {
		return
	}
	s := &f.Facts.Symbols[sym].Span
	if e := uint32(end); e > s.Start {
		s.End, s.EndLine = e, f.LineAt(e-1)
	}
}

// ExportTopLevel lists the exported symbols of the top level as exports, each name
// once, and returns those names.
func ExportTopLevel(facts *code.Facts) (listed map[string]bool) {
	listed = map[string]bool{}
	for i := range facts.Symbols {
		if s := &facts.Symbols[i]; s.Parent < 0 && s.Exported && !listed[s.Name] {
			listed[s.Name] = true
			facts.Exports = append(facts.Exports, code.Export{Name: s.Name, Local: s.Name, From: -1, Line: s.Span.Line})
		}
	}
	return listed
}

// Mention records a path that the file names. A repeated path is recorded once.
func (f *File) Mention(spec string, at int) { f.AddImport(code.ImportMention, spec, at) }

// AddImport records the import of a path. A repeated path is recorded once.
func (f *File) AddImport(k code.ImportKind, spec string, at int) {
	if len(f.Facts.Imports) >= maxMentions || !isImportable(spec) {
		return
	}
	for i := range f.Facts.Imports {
		if m := &f.Facts.Imports[i]; m.Spec == spec && m.Kind == k {
			return
		}
	}
	f.Facts.Imports = append(f.Facts.Imports, code.Import{Spec: spec, Kind: k, Line: f.LineAt(uint32(at))})
}

// isImportable reports whether a text can be a path.
func isImportable(spec string) bool {
	return spec != "" && len(spec) <= 512 && strings.IndexByte(spec, 0) < 0
}

// AddRef adds a reference to a plain name that begins at offset start.
func (f *File) AddRef(k code.RefKind, name string, start int) {
	if name == "" || len(name) > MaxName {
		return
	}
	f.Facts.Refs = append(f.Facts.Refs, code.Ref{Name: name, Kind: k, Via: code.ViaBare, Import: -1,
		Start: uint32(start), End: uint32(start + len(name)), Line: f.LineAt(uint32(start)), Scope: f.Owner})
}

// IsPathLike reports whether a word may be the relative path of a file: no
// white space, no scheme, no placeholder, and a dot or slash in it.
func IsPathLike(s string) bool {
	if len(s) < 3 || len(s) > 256 {
		return false
	}
	switch s[0] {
	case '/', '-', '@', '~', '#': // absolute, an option, a package, a home directory, a fragment
		return false
	}
	if strings.ContainsAny(s, " \t\r\n*{}$<>|\"'`,;()=\\\x00") || strings.Contains(s, "://") {
		return false
	}
	return strings.ContainsAny(s, "./") && strings.Trim(s, "./") != ""
}

// isScriptPath reports whether a word of a command is the path of a script in the
// repository.
func isScriptPath(s string) bool {
	if !IsPathLike(s) {
		return false
	}
	for _, ext := range [...]string{".sh", ".bash", ".py", ".js", ".mjs", ".cjs", ".ts", ".rb", ".pl", ".php", ".ps1", ".go"} {
		if strings.HasSuffix(s, ext) {
			return true
		}
	}
	return strings.HasPrefix(s, "./") || strings.HasPrefix(s, "../")
}

// MentionScripts records the scripts that a shell command runs.
func (f *File) MentionScripts(cmd string, at int) {
	for len(cmd) > 0 {
		n := strings.IndexAny(cmd, " \t\n;&|()\"'=")
		word := cmd
		if n >= 0 {
			word = cmd[:n]
		}
		if len(word) > 4 && isScriptPath(word) {
			f.Mention(word, at)
		}
		if n < 0 {
			return
		}
		cmd, at = cmd[n+1:], at+n+1
	}
}

// Words returns the set of the words in s.
func Words(s string) map[string]bool {
	m := map[string]bool{}
	for w := range strings.FieldsSeq(s) {
		m[w] = true
	}
	return m
}

package extract

import (
	"strings"

	"ken/internal/code"
)

// Languages of text and data (YAML, Markdown, Dockerfile, …) are read by linear
// scanners of their own, in one pass and without a tree, because a repository can hold
// thousands of such files: the scanners read hundreds of megabytes a second, a grammar
// five. This file holds what they share.

// Limits of what one such file may add to the index, because it should hold an outline,
// not the content.
const (
	maxKeys      = 64  // symbols of a data file
	maxOutline   = 400 // symbols of a page, style sheet or build file
	maxHeadings  = 200 // symbols of a document, because a change log has thousands
	maxMentions  = 100 // paths named by a file
	maxPlainName = 120 // bytes of a name; longer ones are content
	maxPlainSig  = 100 // bytes of a signature
	maxPlainDoc  = 240 // bytes of a doc comment
)

// unshift adds the length of the byte order mark, which scanners do not see, to all
// offsets.
func (f *file) unshift() {
	if f.bomLength == 0 {
		return
	}
	for i := range f.facts.Symbols {
		s := &f.facts.Symbols[i]
		s.Span.Start, s.Span.End, s.NameStart = s.Span.Start+f.bomLength, s.Span.End+f.bomLength, s.NameStart+f.bomLength
	}
	for i := range f.facts.Refs {
		r := &f.facts.Refs[i]
		r.Start, r.End = r.Start+f.bomLength, r.End+f.bomLength
	}
}

// plainSymbol declares a symbol by offsets. It returns -1 if the name is content rather
// than a name, or the file has as many symbols as it may.
func (f *file) plainSymbol(k code.Kind, name string, nameStart, start, end int, sig string, limit int) int32 {
	if name == "" || len(name) > maxPlainName || len(f.facts.Symbols) >= limit {
		return -1
	}
	return f.declare(code.Symbol{
		Name: valid(name), Kind: k, Span: f.spanOf(uint32(start), uint32(max(end, start))), NameStart: uint32(nameStart),
		Signature: oneLine(sig), Exported: !k.IsText(),
	})
}

// setEnd moves the end of a symbol.
func (f *file) setEnd(sym int32, end int) {
	if sym < 0 {
		return
	}
	s := &f.facts.Symbols[sym].Span
	if e := uint32(end); e > s.Start {
		s.End, s.EndLine = e, f.lineAt(e-1)
	}
}

// exportTopLevel lists the exported symbols of the top level as exports, each name
// once, and returns those names.
func (f *file) exportTopLevel() (listed map[string]bool) {
	listed = map[string]bool{}
	for i := range f.facts.Symbols {
		if s := &f.facts.Symbols[i]; s.Parent < 0 && s.Exported && !listed[s.Name] {
			listed[s.Name] = true
			f.facts.Exports = append(f.facts.Exports, code.Export{Name: s.Name, Local: s.Name, From: -1, Line: s.Span.Line})
		}
	}
	return listed
}

// mention records a path that the file names, once.
func (f *file) mention(spec string, at int) { f.plainImport(code.ImportMention, spec, at) }

// plainImport records an import of a path, once.
func (f *file) plainImport(k code.ImportKind, spec string, at int) {
	if len(f.facts.Imports) >= maxMentions || !isImportable(spec) {
		return
	}
	for i := range f.facts.Imports {
		if m := &f.facts.Imports[i]; m.Spec == spec && m.Kind == k {
			return
		}
	}
	f.facts.Imports = append(f.facts.Imports, code.Import{Spec: spec, Kind: k, Line: f.lineAt(uint32(at))})
}

// isImportable reports whether a text may be a path at all, of whatever form.
func isImportable(spec string) bool {
	return spec != "" && len(spec) <= 512 && strings.IndexByte(spec, 0) < 0
}

// plainRef adds a reference to a plain name by offsets.
func (f *file) plainRef(k code.RefKind, name string, start int) {
	if name == "" || len(name) > maxPlainName {
		return
	}
	f.facts.Refs = append(f.facts.Refs, code.Ref{Name: name, Kind: k, Via: code.ViaBare, Import: -1,
		Start: uint32(start), End: uint32(start + len(name)), Line: f.lineAt(uint32(start)), Scope: f.owner})
}

func valid(s string) string { return strings.ToValidUTF8(s, "\uFFFD") }

// oneLine is s with runs of white space collapsed, cut at maxPlainSig.
func oneLine(s string) string {
	s = cut(s, 4*maxPlainSig)
	if !isOneLine(s) {
		s = strings.Join(strings.Fields(strings.ReplaceAll(s, "\x00", " ")), " ")
	}
	return strings.TrimSpace(cut(valid(s), maxPlainSig))
}

// isPathLike reports whether a word may be the relative path of a file: no
// white space, no scheme, no placeholder, and a dot or slash in it.
func isPathLike(s string) bool {
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
	if !isPathLike(s) {
		return false
	}
	for _, ext := range [...]string{".sh", ".bash", ".py", ".js", ".mjs", ".cjs", ".ts", ".rb", ".pl", ".php", ".ps1", ".go"} {
		if strings.HasSuffix(s, ext) {
			return true
		}
	}
	return strings.HasPrefix(s, "./") || strings.HasPrefix(s, "../")
}

// mentionScripts records the scripts that a shell command runs.
func (f *file) mentionScripts(cmd string, at int) {
	for len(cmd) > 0 {
		n := strings.IndexAny(cmd, " \t\n;&|()\"'=")
		word := cmd
		if n >= 0 {
			word = cmd[:n]
		}
		if len(word) > 4 && isScriptPath(word) {
			f.mention(word, at)
		}
		if n < 0 {
			return
		}
		cmd, at = cmd[n+1:], at+n+1
	}
}

// endsAbove reports whether the comment at bytes doc[0] to doc[1], none if those are
// zero, ends directly above start.
func endsAbove(s string, doc [2]int, start int) bool {
	return doc[1] != 0 && doc[1] <= start && isGap(s[doc[1]:start], false)
}

// lineEnd is the offset of the line break that ends the line at i, or the end.
func lineEnd(s string, i int) int {
	if n := strings.IndexByte(s[i:], '\n'); n >= 0 {
		return i + n
	}
	return len(s)
}

// words is the set of the words in s.
func words(s string) map[string]bool {
	m := map[string]bool{}
	for w := range strings.FieldsSeq(s) {
		m[w] = true
	}
	return m
}

// Package extract reads one file's bytes into facts: its symbols, imports,
// exports and references. It is pure and total: no I/O, no other file, no error;
// broken source yields the facts that can be read and a count of the bytes that cannot.
// It is the only package that uses grammars. Its neighbour lang decides which language
// a file has, and its neighbour resolve which file an import means.
//
// A language is an entry in languages.go and a file of its own: a spec (which
// grammar symbols matter) and a walk over the flat tree. Facts share one string
// copy of the source, so keep them no longer than needed, or clone the strings to keep.
package extract

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"ken/internal/code"
	"ken/internal/engine/extract/crosslang"
)

// Version is the version of extraction. It must grow with every change of the
// extracted facts, because stored facts of an older version are then extracted again.
const Version = 20

// headBytes is the number of bytes that are searched for imports if a file is
// too large to be parsed.
const headBytes = 32 << 10

// Extractor extracts facts from files. It keeps a parser and buffers between files and
// is not safe for concurrent use: make one per worker. Close frees its C memory.
type Extractor struct {
	parser   *treeParser
	readers  []reader
	grammars []*grammar // by reader, resolved on first use because each takes 0.1 ms
	seconds  []*grammar // of the readers' second specs
	limits   limits
	panics   bool // a bug in a reader crashes, for tests
	names    scopes
	buffers  buffers // of the next tree
	spare    buffers // of the tree that the parser has put aside
}

// New returns an Extractor for all languages. Each grammar is loaded when it is first used.
func New() *Extractor {
	readers := languages()
	return &Extractor{readers: readers, grammars: make([]*grammar, len(readers)), seconds: make([]*grammar, len(readers))}
}

// Close frees the parser. The Extractor may be used again: it opens a new one.
func (e *Extractor) Close() {
	if e.parser != nil {
		e.parser.close()
		e.parser = nil
	}
}

// Languages lists the languages that Extract can read.
func (e *Extractor) Languages() []code.Lang {
	var langs []code.Lang
	for i := range e.readers {
		langs = append(langs, e.readers[i].lang)
	}
	return slices.Compact(langs)
}

// Extract returns the facts of a file with the content src: its symbols, imports,
// exports and references. The path only decides between dialects, such as .ts and
// .tsx. For a language that it cannot read the facts are empty. The result is never
// nil.
func (e *Extractor) Extract(path string, lang code.Lang, src []byte) *code.Facts {
	i := e.find(path, lang)
	if i < 0 {
		return &code.Facts{}
	}
	facts := e.read(i, path, src, false)
	if facts.Problem == code.ProblemParseLimit && len(facts.Symbols) == 0 && len(facts.Imports) == 0 {
		facts.Imports = e.read(i, path, src[:min(len(src), headBytes)], true).Imports
	}
	code.BoundNesting(facts.Symbols, len(src))
	if r := &e.readers[i]; r.spec != nil || lang == "go" {
		crosslang.AddImports(path, lang, src, facts)
	}
	return facts
}

// ExtractHead returns the imports in head, the first bytes of a file that is
// too large to be parsed. head may end anywhere.
func (e *Extractor) ExtractHead(path string, lang code.Lang, head []byte) *code.Facts {
	i := e.find(path, lang)
	if i < 0 {
		return &code.Facts{}
	}
	return &code.Facts{Imports: e.read(i, path, head, true).Imports}
}

// find returns the index of the reader for a file, or -1 if there is none.
func (e *Extractor) find(path string, lang code.Lang) int {
	for i := range e.readers {
		if r := &e.readers[i]; r.lang == lang && strings.HasSuffix(path, r.ext) {
			return i
		}
	}
	return -1
}

// read runs the reader of language i over src and recovers from a panic in it, so that
// a bug in a reader costs one file instead of the whole index. If head is set, it reads
// imports alone where the reader can do that, and else everything.
func (e *Extractor) read(i int, path string, src []byte, head bool) (facts *code.Facts) {
	r := &e.readers[i]
	facts = &code.Facts{}
	if len(src) > maxSource {
		facts.Problem = code.ProblemTooLarge
		return facts
	}
	defer func() {
		if p := recover(); p != nil {
			if e.panics {
				panic(fmt.Errorf("extract %s: %v", path, p))
			}
			e.names = scopes{}
			facts = &code.Facts{Problem: code.ProblemUnreadable}
		}
	}()
	src, marks := blankConflicts(src)
	defer func() { facts.ErrorBytes += marks }()
	e.names.reset()
	f := &file{path: path, lang: r.lang, facts: facts, owner: -1, names: e.names}
	if r.direct != nil && r.direct(f, src) {
		if len(f.damage) > 0 {
			f.addUnparsed(string(src))
		}
		f.finish()
		return facts
	}
	if r.inner != nil {
		f.fullText, src = string(src), r.inner(src)
	}
	defer func() {
		if f.repaired != nil {
			f.repaired.close()
		}
	}()
	if e.parse(i, f, src) {
		if head && r.head != nil {
			r.head(f)
		} else {
			r.walk(f)
			f.addUnparsed(f.tree.text)
		}
		f.finish()
	}
	e.keepBuffers(f)
	return facts
}

// blankConflicts returns src with the marks of an unresolved git merge (<<<<<<<,
// |||||||, =======, >>>>>>>) blanked, so that both sides are read, and the number
// of bytes it blanked. src itself is not changed.
func blankConflicts(src []byte) (clean []byte, blanked uint32) {
	if !hasMark(src, "<<<<<<< ") || !hasMark(src, ">>>>>>> ") {
		return src, 0
	}
	clean = bytes.Clone(src)
	for line := range bytes.Lines(clean) {
		for _, mark := range [...]string{"<<<<<<< ", "||||||| ", "=======\n", "=======\r\n", ">>>>>>> "} {
			if text := bytes.TrimRight(line, "\r\n"); bytes.HasPrefix(line, []byte(mark)) {
				blanked += uint32(len(text))
				copy(text, bytes.Repeat([]byte(" "), len(text)))
				break
			}
		}
	}
	return clean, blanked
}

// hasMark reports whether a line of src begins with mark.
func hasMark(src []byte, mark string) bool {
	return bytes.HasPrefix(src, []byte(mark)) || bytes.Contains(src, []byte("\n"+mark))
}

// maxSource is the size of the largest source that a tree can address. Callers skip
// files long before this size.
const maxSource = 1 << 30

// parse sets f's syntax tree and reports whether there is one. If the tree has
// errors, it tries the language's repairs and keeps the tree with fewer error
// bytes.
func (e *Extractor) parse(i int, f *file, src []byte) bool {
	if e.parser == nil {
		p, err := newTreeParser()
		if err != nil {
			f.facts.Problem = code.ProblemUnreadable
			return false
		}
		e.parser = p
	}
	e.parser.trim()
	if refuse := e.readers[i].refuse; refuse != nil && refuse(src) {
		f.facts.Problem, f.facts.ErrorBytes = code.ProblemParseLimit, uint32(len(src))
		return false
	}
	r, text := &e.readers[i], string(src)
	if r.mask != nil {
		src = r.mask(f, src)
	}
	defer e.parser.release()
	if !e.load(f, &e.grammars[i], r.spec, nil, src, text) {
		return false
	}
	e.parser.adopt()
	if f.facts.ErrorBytes == 0 || f.facts.Problem != code.ProblemNone {
		return true
	}
	if len(r.repairs) > 0 {
		src = e.repair(i, f, src, text)
	}
	if r.second != nil && f.facts.ErrorBytes > 0 {
		e.improve(f, &e.seconds[i], r.second, nil, src, text)
	}
	for _, try := range r.retries {
		masked := len(f.masked)
		if f.facts.ErrorBytes == 0 {
			break
		}
		other := try(f, src)
		switch {
		case other == nil:
		case e.improve(f, &e.grammars[i], r.spec, src, other, text):
			src = other
			e.parser.adopt()
		default:
			f.masked = f.masked[:masked]
		}
	}
	return true
}

// improve parses src, another source for the text of f, and reports whether its tree has fewer errors than that of f. The other tree is
// dropped. Both are held meanwhile: 24 bytes a node are cheaper than to parse a source that was the better one again. If before is not
// nil, it is the source of the adopted tree.
func (e *Extractor) improve(f *file, g **grammar, s *spec, before, src []byte, text string) bool {
	held, errors, branches := f.tree, f.facts.ErrorBytes, f.facts.Branches
	e.swap(f)
	f.tree = tree{}
	if e.load(f, g, s, before, src, text) && f.facts.Problem == code.ProblemNone && f.facts.ErrorBytes < errors {
		return true
	}
	e.swap(f)
	f.tree, f.facts.ErrorBytes, f.facts.Branches, f.facts.Problem = held, errors, branches, code.ProblemNone
	return false
}

// swap puts the tree of f aside and makes its buffers the spare ones.
func (e *Extractor) swap(f *file) {
	e.parser.swap()
	e.buffers, e.spare = e.spare, f.tree.buffers()
}

// repair applies the repairs of reader i to src one after the other and parses each
// result. It keeps the tree with the fewest errors, and returns the last source.
func (e *Extractor) repair(i int, f *file, src []byte, text string) []byte {
	broken := func(piece []byte) bool {
		e.parser.swap()
		nodes, _ := e.parser.parse(e.grammars[i], piece, e.limits)
		found := slices.ContainsFunc(nodes, func(n rawNode) bool { return n.flags&(flagError|flagMissing) != 0 })
		e.parser.swap()
		return found
	}
	for _, m := range e.readers[i].repairs {
		next := m(src, broken)
		if bytes.Equal(next, src) {
			continue
		}
		e.improve(f, &e.grammars[i], e.readers[i].spec, nil, next, text)
		if src = next; f.facts.ErrorBytes == 0 {
			break
		}
	}
	f.setRows()
	return src
}

// load parses src with the grammar *g, which is made from s on first use, and
// reports whether f has a tree. If before is not nil, it is the source of the adopted tree.
func (e *Extractor) load(f *file, g **grammar, s *spec, before, src []byte, text string) bool {
	if *g == nil {
		*g, _ = newGrammar(s)
	}
	nodes, status := e.parser.reparse(*g, before, src, e.limits)
	if status != parseOK {
		f.facts.Problem = code.ProblemParseLimit
	}
	if len(nodes) <= int(root) {
		f.facts.ErrorBytes = uint32(len(src))
		return false
	}
	b := &e.buffers
	f.tree = tree{nodes: nodes, text: text, parsed: src, g: *g, comments: b.comments[:0], noted: b.noted[:0], lines: b.lines[:0]}
	f.facts.ErrorBytes, f.facts.Branches = f.survey()
	if len(f.damage) > 0 {
		f.tree.read = make([]bool, len(nodes))
	}
	return true
}

// keepBuffers takes the buffers of f back, which may have grown, so that the next file can use them.
func (e *Extractor) keepBuffers(f *file) {
	e.names, e.buffers = f.names, f.tree.buffers()
}

package data

import (
	"encoding/json"
	"path"
	"strings"

	"ken/internal/engine/extract/lexical"
	"ken/internal/engine/extract/plain"
)

// flow scans JSON and the flow collections of YAML: JSON as people write it, with
// comments, trailing commas, single quotes and bare keys (JSON5), and everything that
// YAML allows between braces. It never fails: a bracket that closes nothing is skipped.
type flow struct {
	src          string
	pos          int
	keys         *keyTree
	hashComments bool // "#" begins a comment (YAML); else "//" and "/*" do
	levels       []flowLevel
}

// flowLevel is a bracket that is not closed yet.
type flowLevel struct {
	object  bool
	keyOpen bool // a key of it is open in keyTree
	inTree  bool // it is open in keyTree itself, as lists are
}

// ScanJSON reads a JSON file.
func ScanJSON(f *plain.File) {
	k := newKeyTree(f)
	switch path.Ext(k.base) {
	case ".jsonl", ".ndjson", ".map", ".ipynb", ".geojson", ".har", ".sarif":
		return // records, not settings
	}
	w := flow{src: f.Text, keys: k}
	w.scanValue()
	k.endDocument(min(w.pos, len(w.src)))
}

// scanValue reads one value with everything in it.
func (w *flow) scanValue() {
	base := len(w.keys.stack)
	for w.pos < len(w.src) {
		c := w.src[w.pos]
		switch {
		case lexical.IsSpace(c):
			w.pos++
			continue
		case c == '{', c == '[':
			w.openBracket(c)
		case c == '}', c == ']':
			w.closeBracket()
		case c == ',':
			w.endItem()
			w.pos++
		case c == '"', c == '\'':
			w.quotedValue()
		case w.skipComment():
			continue
		default:
			w.bareWord()
		}
		if len(w.levels) == 0 {
			break
		}
	}
	for len(w.keys.stack) > base {
		w.keys.close(min(w.pos, len(w.src)))
	}
}

func (w *flow) openBracket(c byte) {
	if !w.keys.wants() {
		w.skipBracket()
		return
	}
	l := flowLevel{object: c == '{'}
	if !l.object {
		w.keys.openList()
		l.inTree = true
	}
	w.levels = append(w.levels, l)
	w.pos++
}

func (w *flow) closeBracket() {
	w.endItem()
	n := len(w.levels)
	w.pos++
	if n == 0 {
		return
	}
	if w.levels[n-1].inTree {
		w.keys.close(w.pos)
	}
	w.levels = w.levels[:n-1]
}

// endItem closes the key whose value ends here.
func (w *flow) endItem() {
	if n := len(w.levels); n > 0 && w.levels[n-1].keyOpen {
		e := w.pos
		for e > 0 && lexical.IsSpace(w.src[e-1]) {
			e--
		}
		w.keys.close(e)
		w.levels[n-1].keyOpen = false
	}
}

// skipBracket skips a bracket and its content.
func (w *flow) skipBracket() {
	depth := 0
	for w.pos < len(w.src) {
		switch c := w.src[w.pos]; c {
		case '{', '[':
			depth++
		case '}', ']':
			if depth--; depth == 0 {
				w.pos++
				return
			}
		case '"':
			w.pos, _ = quotedEnd(w.src, w.pos)
			continue
		case '/', '#':
			if w.skipComment() {
				continue
			}
		}
		w.pos++
	}
}

// skipComment skips the comment at the position and reports whether there is one.
func (w *flow) skipComment() bool {
	rest := w.src[w.pos:]
	switch {
	case w.hashComments:
		if rest[0] != '#' || w.pos > 0 && strings.IndexByte(" \t\n\r\f[{,", w.src[w.pos-1]) < 0 {
			return false
		}
		w.pos = lexical.LineEnd(w.src, w.pos)
	case strings.HasPrefix(rest, "//"):
		w.pos = lexical.LineEnd(w.src, w.pos)
	case strings.HasPrefix(rest, "/*"):
		n := strings.Index(rest[2:], "*/")
		if n < 0 {
			w.pos = len(w.src)
			return true
		}
		w.pos += n + 4
	default:
		return false
	}
	return true
}

// wantsKey reports whether a string at the current position is a key.
func (w *flow) wantsKey() bool {
	n := len(w.levels)
	return n > 0 && w.levels[n-1].object && !w.levels[n-1].keyOpen
}

func (w *flow) quotedValue() {
	start := w.pos
	w.pos, _ = quotedEnd(w.src, start)
	if w.wantsKey() {
		w.openKey(start, unquoteJSON(w.src[start:w.pos]), start+1)
		return
	}
	if w.pos-start < 4096 {
		w.keys.scalar(unquoteJSON(w.src[start:w.pos]), start+1)
	}
}

// bareWord reads a word: a number, a plain scalar of YAML, a bare key of JSON5.
func (w *flow) bareWord() {
	start := w.pos
	for w.pos < len(w.src) && !w.endsWord(start) {
		w.pos++
	}
	if w.pos == start { // a colon or slash that belongs to nothing
		w.pos++
		return
	}
	v := strings.TrimRight(w.src[start:w.pos], " \t\r")
	if w.wantsKey() {
		w.openKey(start, v, start)
		return
	}
	w.keys.scalar(v, start)
}

// endsWord reports whether the byte at the position ends the bare word that begins at
// start. In YAML a word may contain brackets, slashes, and colons and hashes that no
// white space sets apart.
func (w *flow) endsWord(start int) bool {
	switch w.src[w.pos] {
	case ',', ']', '}', '\n':
		return true
	case '[', '{', '/':
		return !w.hashComments
	case ':':
		return !w.hashComments || w.colonEndsKey()
	case '#':
		return w.hashComments && w.pos > start && lexical.IsSpace(w.src[w.pos-1])
	}
	return false
}

// colonEndsKey reports whether the colon at the position separates a key of YAML from
// its value.
func (w *flow) colonEndsKey() bool {
	rest := w.src[w.pos+1:]
	return rest == "" || lexical.IsSpace(rest[0]) || strings.IndexByte(",]}", rest[0]) >= 0
}

// openKey opens the key that begins at start, if a colon follows. YAML has keys without
// a value, and pairs in lists, whose keys are not asked for here.
func (w *flow) openKey(start int, name string, nameStart int) {
	colon := w.pos
	for colon < len(w.src) && lexical.IsSpace(w.src[colon]) {
		colon++
	}
	if lexical.ByteAt(w.src, colon) != ':' {
		return
	}
	w.pos = colon + 1
	sig := ""
	if w.keys.isSymbol(name) {
		sig = w.signature(start, colon)
	}
	w.keys.open(name, nameStart, sig, "")
	if n := len(w.keys.stack) - 1; w.keys.stack[n].sym >= 0 {
		s := &w.keys.Facts.Symbols[w.keys.stack[n].sym]
		s.Span.Start = uint32(start)
		s.Span.Line = w.keys.LineAt(uint32(start))
	}
	w.levels[len(w.levels)-1].keyOpen = true
}

// signature returns the key that begins at start with its value, unless that is a collection.
func (w *flow) signature(start, colon int) string {
	v := colon + 1
	for lexical.IsBlank(lexical.ByteAt(w.src, v)) {
		v++
	}
	if v == len(w.src) {
		return w.src[start : colon+1]
	}
	end := v
	switch w.src[v] {
	case '{', '[', '\n':
		return w.src[start : colon+1]
	case '"', '\'':
		end, _ = quotedEnd(w.src[:min(len(w.src), v+2*plain.MaxSignature)], v)
	default:
		if n := strings.IndexAny(w.src[v:min(len(w.src), v+plain.MaxSignature)], ",}]\n"); n >= 0 {
			end = v + n
		}
	}
	return w.src[start:end]
}

// unquoteJSON returns the text of a quoted string, by JSON's rules if they apply, else by
// YAML's.
func unquoteJSON(s string) string {
	if strings.IndexByte(s, '\\') >= 0 && len(s) < 4096 && s[0] == '"' {
		var v string
		if json.Unmarshal([]byte(s), &v) == nil {
			return v
		}
	}
	return unquoteYAML(s)
}

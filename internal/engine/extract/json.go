package extract

import (
	"encoding/json"
	"path"
	"strings"
)

// flow scans JSON and the flow collections of YAML: JSON as people write it, with
// comments, trailing commas, single quotes and bare keys (JSON5), and whatever
// YAML allows between braces. It never fails; what closes nothing is skipped.
type flow struct {
	s    string
	i    int
	keys *keyTree
	hash bool // "#" begins a comment (YAML); else "//" and "/*" do
	open []flowLevel
}

// flowLevel is an open bracket.
type flowLevel struct {
	object bool
	key    bool // a key of it is open in keyTree
	known  bool // keyTree was told of it
}

func jsonReader() reader { return direct("json", scanJSON) }

func scanJSON(f *file) {
	k := newKeyTree(f)
	switch path.Ext(k.base) {
	case ".jsonl", ".ndjson", ".map", ".ipynb", ".geojson", ".har", ".sarif":
		return // records, not settings
	}
	w := flow{s: f.text, keys: k}
	w.value()
	k.endDocument(min(w.i, len(w.s)))
}

// value reads one value with everything in it.
func (w *flow) value() {
	base := len(w.keys.stack)
	for w.i < len(w.s) {
		c := w.s[w.i]
		switch {
		case isSpace(c):
			w.i++
			continue
		case c == '{' || c == '[':
			w.begin(c)
		case c == '}' || c == ']':
			w.end()
		case c == ',':
			w.endItem()
			w.i++
		case c == '"' || c == '\'':
			w.quoted()
		case w.comment():
			continue
		default:
			w.bare()
		}
		if len(w.open) == 0 {
			break
		}
	}
	for len(w.keys.stack) > base {
		w.keys.close(min(w.i, len(w.s)))
	}
}

func (w *flow) begin(c byte) {
	if !w.keys.wants() {
		w.skip()
		return
	}
	l := flowLevel{object: c == '{'}
	if !l.object {
		w.keys.openList()
		l.known = true
	}
	w.open = append(w.open, l)
	w.i++
}

func (w *flow) end() {
	w.endItem()
	n := len(w.open)
	w.i++
	if n == 0 {
		return
	}
	if w.open[n-1].known {
		w.keys.close(w.i)
	}
	w.open = w.open[:n-1]
}

// endItem closes the key whose value has ended.
func (w *flow) endItem() {
	if n := len(w.open); n > 0 && w.open[n-1].key {
		e := w.i
		for e > 0 && isSpace(w.s[e-1]) {
			e--
		}
		w.keys.close(e)
		w.open[n-1].key = false
	}
}

// skip passes over a bracket and all in it.
func (w *flow) skip() {
	depth := 0
	for w.i < len(w.s) {
		switch c := w.s[w.i]; c {
		case '{', '[':
			depth++
		case '}', ']':
			if depth--; depth == 0 {
				w.i++
				return
			}
		case '"':
			w.i, _ = quotedEnd(w.s, w.i)
			continue
		case '/', '#':
			if w.comment() {
				continue
			}
		}
		w.i++
	}
}

// comment skips a comment at i.
func (w *flow) comment() bool {
	rest := w.s[w.i:]
	switch {
	case w.hash:
		if rest[0] != '#' || w.i > 0 && !isSpace(w.s[w.i-1]) && strings.IndexByte("[{,", w.s[w.i-1]) < 0 {
			return false
		}
		w.i = lineEnd(w.s, w.i)
	case strings.HasPrefix(rest, "//"):
		w.i = lineEnd(w.s, w.i)
	case strings.HasPrefix(rest, "/*"):
		n := strings.Index(rest[2:], "*/")
		if n < 0 {
			w.i = len(w.s)
			return true
		}
		w.i += n + 4
	default:
		return false
	}
	return true
}

// wantsKey reports whether a string here would be a key.
func (w *flow) wantsKey() bool {
	n := len(w.open)
	return n > 0 && w.open[n-1].object && !w.open[n-1].key
}

func (w *flow) quoted() {
	at := w.i
	w.i, _ = quotedEnd(w.s, at)
	if w.wantsKey() {
		w.key(at, unquoteJSON(w.s[at:w.i]), at+1)
		return
	}
	if w.i-at < 4096 {
		w.keys.scalar(unquoteJSON(w.s[at:w.i]), at+1)
	}
}

// bare reads a word: a number, a plain scalar of YAML, a bare key of JSON5.
func (w *flow) bare() {
	at := w.i
	for w.i < len(w.s) {
		c := w.s[w.i]
		if c == ',' || c == ']' || c == '}' || c == '\n' || c == '[' && !w.hash || c == '{' && !w.hash ||
			c == ':' && (!w.hash || w.i+1 == len(w.s) || isSpace(w.s[w.i+1]) || strings.IndexByte(",]}", w.s[w.i+1]) >= 0) ||
			c == '#' && w.hash && w.i > at && isSpace(w.s[w.i-1]) || c == '/' && !w.hash {
			break
		}
		w.i++
	}
	if w.i == at { // a colon or slash that belongs to nothing
		w.i++
		return
	}
	v := strings.TrimRight(w.s[at:w.i], " \t\r")
	if w.wantsKey() {
		w.key(at, v, at)
		return
	}
	w.keys.scalar(v, at)
}

// key opens a key if a colon follows. In YAML a key may stand without a value,
// and a pair in a list; the latter's key is of no interest.
func (w *flow) key(at int, name string, nameAt int) {
	colon := w.i
	for colon < len(w.s) && isSpace(w.s[colon]) {
		colon++
	}
	if colon == len(w.s) || w.s[colon] != ':' {
		return
	}
	w.i = colon + 1
	sig := ""
	if w.keys.isSymbol(name) {
		sig = w.signature(at, colon)
	}
	w.keys.open(name, nameAt, sig, "")
	if n := len(w.keys.stack) - 1; w.keys.stack[n].sym >= 0 {
		s := &w.keys.facts.Symbols[w.keys.stack[n].sym]
		s.Span.Start = uint32(at)
		s.Span.Line = w.keys.lineAt(uint32(at))
	}
	w.open[len(w.open)-1].key = true
}

// signature is a key with its value, if that is no collection.
func (w *flow) signature(at, colon int) string {
	v := colon + 1
	for v < len(w.s) && (w.s[v] == ' ' || w.s[v] == '\t') {
		v++
	}
	if v == len(w.s) || w.s[v] == '{' || w.s[v] == '[' || w.s[v] == '\n' {
		return w.s[at : colon+1]
	}
	end := v
	if w.s[v] == '"' || w.s[v] == '\'' {
		end, _ = quotedEnd(w.s[:min(len(w.s), v+2*maxPlainSig)], v)
	} else if n := strings.IndexAny(w.s[v:min(len(w.s), v+maxPlainSig)], ",}]\n"); n >= 0 {
		end = v + n
	}
	return w.s[at:end]
}

func unquoteJSON(s string) string {
	if strings.IndexByte(s, '\\') >= 0 && len(s) < 4096 && s[0] == '"' {
		var v string
		if json.Unmarshal([]byte(s), &v) == nil {
			return v
		}
	}
	return unquoteYAML(s)
}

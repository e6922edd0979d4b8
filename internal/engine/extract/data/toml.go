package data

import (
	"strings"

	"ken/internal/code"
	"ken/internal/engine/extract/lexical"
	"ken/internal/engine/extract/plain"
)

// toml scans TOML (https://toml.io/en/v1.0.0) statement by statement. A table is a key,
// named by the last part of its header; its own keys are symbols if keyTree's rules for
// nested keys make them so.
type toml struct {
	*keyTree
	s     string
	i     int
	table []string // header of the table being read
	sym   int32    // its symbol
	seen  map[string]int32
	doc   [2]int
}

// ScanTOML reads a TOML file.
func ScanTOML(f *plain.File) {
	t := toml{keyTree: newKeyTree(f), s: f.Text, sym: -1, seen: map[string]int32{}}
	for t.i < len(t.s) {
		t.statement()
	}
	t.endTable(len(t.s))
	t.endDocument(len(t.s))
}

func (t *toml) statement() {
	t.i = lexical.SkipBlanks(t.s, t.i, len(t.s))
	end := lexical.LineEnd(t.s, t.i)
	if t.i == end || t.s[t.i] == '\r' {
		t.i, t.doc = end+1, [2]int{}
		return
	}
	switch t.s[t.i] {
	case '#':
		if t.doc[1] == 0 {
			t.doc[0] = t.i
		}
		t.doc[1] = end
		t.i = end + 1
		return
	case '[':
		t.header(end)
	default:
		t.pair(end)
	}
	t.doc = [2]int{}
}

// header reads [a.b] or [[a.b]]. An array of tables is one symbol.
func (t *toml) header(end int) {
	start := t.i
	t.endTable(start)
	at := start + 1
	if at < end && t.s[at] == '[' {
		at++
	}
	var ok bool
	if t.table, _, ok = t.dottedKey(at, end); !ok || len(t.table) == 0 {
		t.table, t.i = []string{""}, end+1
		return
	}
	t.i = end + 1
	name := t.table[len(t.table)-1]
	t.sym = -1
	q := strings.Join(t.table, ".")
	if _, again := t.seen[q]; !again && !t.lock && len(t.table) <= 4 {
		sig := strings.TrimRight(t.s[start:end], "\r")
		if n := strings.IndexByte(sig, '#'); n > 0 {
			sig = sig[:n]
		}
		t.sym = t.tableSymbol(name, q, start, end, sig)
		t.seen[q] = t.sym
	}
}

func (t *toml) tableSymbol(name, qualified string, start, end int, sig string) int32 {
	parent := int32(-1)
	if i := len(qualified) - len(name) - 1; i > 0 {
		if p, ok := t.seen[qualified[:i]]; ok {
			parent = p
		}
	}
	before := t.Enter(parent)
	sym := t.AddSymbol(code.KindKey, name, start+strings.Index(t.s[start:end], "[")+1, start, end, sig, plain.MaxKeys)
	if sym >= 0 {
		t.Facts.Symbols[sym].Qualified = lexical.Valid(qualified)
		t.Facts.Symbols[sym].Doc = t.docText()
	}
	t.Leave(before)
	return sym
}

func (t *toml) docText() string {
	if t.doc[1] == 0 || t.doc[0] == 0 {
		return ""
	}
	return lexical.Cut(lexical.CleanDoc(t.s[t.doc[0]:min(t.doc[1], t.doc[0]+4*plain.MaxDoc)]), plain.MaxDoc)
}

// endTable ends the current table at offset at.
func (t *toml) endTable(at int) {
	for at > 0 {
		for at > 0 && lexical.IsSpace(t.s[at-1]) {
			at--
		}
		begin := strings.LastIndexByte(t.s[:at], '\n') + 1
		if !strings.HasPrefix(strings.TrimLeft(t.s[begin:at], " \t"), "#") {
			break
		}
		at = begin
	}
	t.SetEnd(t.sym, at)
	t.table, t.sym = nil, -1
}

// dottedKey reads a dotted key.
func (t *toml) dottedKey(at, end int) (parts []string, next int, ok bool) {
	for at < end {
		at = lexical.SkipBlanks(t.s, at, end)
		if at == end {
			return nil, at, false
		}
		from := at
		switch t.s[at] {
		case '"', '\'':
			e, closed := tomlString(t.s[:end], at)
			if !closed {
				return nil, at, false
			}
			parts = append(parts, unquoteTOML(t.s[at:e]))
			at = e
		default:
			for at < end && (lexical.IsWord(t.s[at]) || t.s[at] == '-') {
				at++
			}
			if at == from {
				return nil, at, false
			}
			parts = append(parts, t.s[from:at])
		}
		at = lexical.SkipBlanks(t.s, at, end)
		if at == end || t.s[at] != '.' {
			return parts, at, true
		}
		at++
	}
	return nil, at, false
}

// pair reads key = value.
func (t *toml) pair(end int) {
	start := t.i
	parts, at, ok := t.dottedKey(start, end)
	if !ok || lexical.ByteAt(t.s[:end], at) != '=' {
		t.i = end + 1
		return
	}
	at = lexical.SkipBlanks(t.s, at+1, end)
	for _, part := range [][]string{t.table, parts} {
		for _, name := range part {
			t.stack = append(t.stack, openKey{name: name, sym: -1})
		}
	}
	sym := t.pairSymbol(parts, start, end)
	t.i = at
	t.value(end)
	if sym >= 0 {
		t.SetEnd(sym, min(t.i, len(t.s)))
	}
	t.stack = t.stack[:0]
	t.i = lexical.LineEnd(t.s, min(t.i, len(t.s))) + 1
}

// pairSymbol declares a key as a symbol if it is at the top level, or in a table whose keys name things. It returns -1 otherwise.
func (t *toml) pairSymbol(parts []string, start, end int) int32 {
	name := parts[0]
	q := name
	if n := len(t.table); n > 0 {
		if t.sym < 0 || !nestedKeys[t.table[n-1]] {
			return -1
		}
		q = strings.Join(t.table, ".") + "." + name
	}
	if _, again := t.seen[q]; again || t.lock {
		return -1
	}
	before := t.Enter(t.sym)
	defer t.Leave(before)
	sym := t.AddSymbol(code.KindKey, name, start, start, end, t.s[start:min(end, start+2*plain.MaxSignature)], plain.MaxKeys)
	if sym >= 0 {
		t.Facts.Symbols[sym].Qualified = lexical.Valid(q)
		t.Facts.Symbols[sym].Doc = t.docText()
	}
	t.seen[q] = sym
	return sym
}

// value reads a value, which may take several lines, and reports its strings.
func (t *toml) value(end int) {
	depth := 0
	for t.i < len(t.s) {
		switch c := t.s[t.i]; c {
		case '"', '\'':
			e, _ := tomlString(t.s, t.i)
			if e-t.i < 4096 {
				t.scalar(unquoteTOML(t.s[t.i:e]), t.i+1)
			}
			t.i = e
			continue
		case '[', '{':
			depth++
		case ']', '}':
			depth--
		case '#':
			t.i = lexical.LineEnd(t.s, t.i)
			continue
		case '\n':
			if depth <= 0 {
				return
			}
		}
		t.i++
	}
}

// tomlString returns the offset after the string at at, of any of the four kinds; closed is
// false if it does not end.
func tomlString(s string, at int) (end int, closed bool) {
	q := s[at]
	if triple := strings.Repeat(string(q), 3); strings.HasPrefix(s[at:], triple) {
		for i, close := at+3, -1; i < len(s); {
			if close < i {
				n := strings.Index(s[i:], triple)
				if n < 0 {
					return len(s), false
				}
				close = i + n
			}
			if q == '"' {
				if b := strings.IndexByte(s[i:close], '\\'); b >= 0 {
					i += b + 2
					continue
				}
			}
			end = close + 3
			return end + min(lexical.Run(s[end:], q), 2), true // two more quotes may belong to the text
		}
		return len(s), false
	}
	for i := at + 1; i < len(s) && s[i] != '\n'; i++ {
		switch {
		case s[i] == q:
			return i + 1, true
		case s[i] == '\\' && q == '"':
			i++
		}
	}
	return lexical.LineEnd(s, at), false
}

func unquoteTOML(s string) string {
	for _, q := range [...]string{`"""`, `'''`} {
		if strings.HasPrefix(s, q) && len(s) >= 6 {
			return strings.TrimPrefix(strings.TrimPrefix(s[3:len(s)-3], "\r"), "\n")
		}
	}
	if len(s) < 2 {
		return ""
	}
	if s[0] == '\'' {
		return s[1 : len(s)-1]
	}
	return unquoteJSON(s)
}

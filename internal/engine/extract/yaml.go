package extract

import (
	"strings"
)

// yaml scans YAML (1.2, https://yaml.org/spec/1.2.2/) line by line for the keys
// of its block mappings. It knows what can hide a line or a colon: documents and
// directives, block scalars with their indentation, scalars and flow collections
// over several lines, quotes, anchors, tags, explicit keys, comments. Lines of a
// template ("{{ if }}") are skipped. It reports keys and values to keyTree and
// does not build values.
type yaml struct {
	*keyTree
	s      string
	i      int
	levels []yamlLevel
	doc    [2]int // lines of comment directly above: from, to
	sawKey bool
}

// yamlLevel is an open block collection entry: a key or a list item.
type yamlLevel struct {
	indent int
	list   bool
}

func yamlReader() reader { return direct("yaml", scanYAML) }

func scanYAML(f *file) {
	y := yaml{keyTree: newKeyTree(f), s: f.text}
	y.scan()
}

func (y *yaml) scan() {
	for y.i < len(y.s) {
		y.line()
	}
	y.pop(-1, len(y.s))
	y.endDocument(y.trimEnd(len(y.s)))
}

// line reads the line at i and whatever its value goes on to.
func (y *yaml) line() {
	start := y.i
	at := start
	for at < len(y.s) && y.s[at] == ' ' {
		at++
	}
	end := lineEnd(y.s, at)
	if at == end || y.s[at] == '\r' && at+1 == end {
		y.i, y.doc = end+1, [2]int{}
		return
	}
	switch c := y.s[at]; {
	case c == '#':
		if y.doc[0] == 0 {
			y.doc[0] = at + 1 // one more, so that the first byte differs from none
		}
		y.i, y.doc[1] = end+1, end
		return
	case c == '\t' && strings.TrimLeft(y.s[at:end], " \t\r") == "":
		y.i = end + 1
		return
	case at == start && (c == '-' || c == '.') && y.marker(end):
		return
	case at == start && c == '%' && len(y.levels) == 0 && !y.sawKey, strings.HasPrefix(y.s[at:end], "{{"):
		y.i = end + 1
		return
	}
	y.entry(at, at-start, end)
	y.doc = [2]int{}
}

// marker reads "---" and "..." at the beginning of a line.
func (y *yaml) marker(end int) bool {
	line := y.s[y.i:end]
	if !strings.HasPrefix(line, "---") && !strings.HasPrefix(line, "...") || len(line) > 3 && !isSpace(line[3]) {
		return false
	}
	y.pop(-1, y.i)
	y.endDocument(y.trimEnd(y.i))
	y.doc, y.sawKey = [2]int{}, false
	start := y.i
	y.i = end + 1
	if line[0] == '.' {
		y.docStart = y.i
		return true
	}
	at := start + 3
	for at < end && isSpace(y.s[at]) {
		at++
	}
	if at < end && y.s[at] != '#' {
		y.docStart = start
		y.node(y.properties(at, end), -1, end)
	}
	return true
}

// entry reads list marks and keys at column col of the line.
func (y *yaml) entry(at, col, end int) {
	for {
		c := y.s[at]
		if (c == '-' || c == '?' || c == ':') && (at+1 == end || isSpace(y.s[at+1])) {
			y.push(yamlLevel{col, true}, at)
			y.openList() // an item; a key that is no plain name, or its value
			next := at + 1
			for next < end && isSpace(y.s[next]) {
				next++
			}
			if next == end || y.s[next] == '#' {
				y.i = end + 1
				return
			}
			col += next - at
			at = next
			continue
		}
		break
	}
	first := y.properties(at, end)
	name, colon, ok := y.keyAt(first, end)
	if !ok {
		if first != at && (first == end || y.s[first] == '#') { // properties alone on the line
			y.i = end + 1
			return
		}
		parent := col - 1
		if n := len(y.levels); n > 0 {
			parent = y.levels[n-1].indent
			if !y.levels[n-1].list && parent >= col { // no part of any mapping: broken
				parent = col - 1
			}
		}
		y.node(first, parent, end)
		return
	}
	y.push(yamlLevel{col, false}, at)
	y.sawKey = true
	sig, doc := "", ""
	if y.isSymbol(name) {
		sig, doc = y.s[first:min(end, first+2*maxPlainSig)], y.docText()
	}
	y.open(name, first, sig, doc)
	if c := y.s[first]; c == '"' || c == '\'' {
		y.nameInQuotes()
	}
	value := colon + 1
	for value < end && isSpace(y.s[value]) {
		value++
	}
	value = y.properties(value, end)
	if value == end || y.s[value] == '#' {
		y.i = end + 1
		return
	}
	if y.s[value] == '-' && (value+1 == end || isSpace(y.s[value+1])) { // a list cannot begin here
		y.i = end + 1
		return
	}
	y.node(value, col, end)
}

// docText is the comment directly above.
func (y *yaml) docText() string {
	if y.doc[0] == 0 || y.doc[0] == 1 {
		return "" // none, or the head of the file
	}
	return cut(cleanDoc(y.s[y.doc[0]-1:min(y.doc[1], y.doc[0]+4*maxPlainDoc)]), maxPlainDoc)
}

// push closes what an entry at l ends, and opens it.
func (y *yaml) push(l yamlLevel, at int) {
	n := len(y.levels)
	for n > 0 {
		if top := y.levels[n-1]; top.indent < l.indent || top.indent == l.indent && l.list && !top.list {
			break
		}
		n--
	}
	y.popTo(n, at)
	y.levels = append(y.levels, l)
}

// pop closes the entries at or right of a column.
func (y *yaml) pop(indent, at int) {
	n := len(y.levels)
	for n > 0 && y.levels[n-1].indent > indent {
		n--
	}
	y.popTo(n, at)
}

func (y *yaml) popTo(n, at int) {
	if n == len(y.levels) {
		return
	}
	end := y.trimEnd(at)
	for len(y.levels) > n {
		y.close(end)
		y.levels = y.levels[:len(y.levels)-1]
	}
}

// trimEnd is the end of what stands before at, without blank and comment lines.
func (y *yaml) trimEnd(at int) int {
	for at > 0 {
		e := at
		for e > 0 && isSpace(y.s[e-1]) {
			e--
		}
		begin := strings.LastIndexByte(y.s[:e], '\n') + 1
		if line := strings.TrimLeft(y.s[begin:e], " \t"); line == "" || line[0] != '#' || begin <= y.docStart {
			return e
		}
		at = begin
	}
	return at
}

// properties skips anchors and tags, and an alias's star.
func (y *yaml) properties(at, end int) int {
	for at < end && (y.s[at] == '&' || y.s[at] == '!') {
		for at < end && !isSpace(y.s[at]) {
			at++
		}
		for at < end && (y.s[at] == ' ' || y.s[at] == '\t') {
			at++
		}
	}
	return at
}

// keyAt reads a key on one line; colon is where its ":" stands.
func (y *yaml) keyAt(at, end int) (name string, colon int, ok bool) {
	if at >= end {
		return "", 0, false
	}
	switch c := y.s[at]; c {
	case '"', '\'':
		close, whole := quotedEnd(y.s[:end], at)
		if !whole {
			return "", 0, false
		}
		colon = close
		for colon < end && (y.s[colon] == ' ' || y.s[colon] == '\t') {
			colon++
		}
		if colon < end && y.s[colon] == ':' && (colon+1 == end || isSpace(y.s[colon+1])) {
			return unquoteYAML(y.s[at:close]), colon, true
		}
		return "", 0, false
	case '[', '{', '|', '>', '#', '%', '@', '`':
		return "", 0, false
	}
	for i := at; i < end; i++ {
		switch y.s[i] {
		case ':':
			if i+1 == end || isSpace(y.s[i+1]) {
				return strings.Trim(y.s[at:i], " \t"), i, i > at
			}
		case '#':
			if y.s[i-1] == ' ' || y.s[i-1] == '\t' {
				return "", 0, false
			}
		}
	}
	return "", 0, false
}

// node reads a value that begins at at; indent is its parent's column: lines
// further right belong to it.
func (y *yaml) node(at, indent, end int) {
	if at >= end {
		y.i = end + 1
		return
	}
	switch c := y.s[at]; {
	case c == '|' || c == '>':
		y.block(at, indent, end)
	case c == '"' || c == '\'':
		close, _ := quotedEnd(y.s, at)
		if y.s[at] == '\'' || close-at < 4096 {
			y.scalar(unquoteYAML(y.s[at:close]), at)
		}
		y.i = lineEnd(y.s, close) + 1
	case (c == '[' || c == '{') && !strings.HasPrefix(y.s[at:end], "{{"):
		f := flow{s: y.s, i: at, keys: y.keyTree, hash: true}
		f.value()
		y.i = lineEnd(y.s, min(f.i, len(y.s))) + 1
	default:
		y.plain(at, indent, end)
	}
}

// plain reads a plain scalar, which goes on over all lines further right.
func (y *yaml) plain(at, indent, end int) {
	v := y.s[at:end]
	comment := strings.Index(v, " #")
	if comment >= 0 {
		v = v[:comment]
	}
	y.scalar(strings.TrimRight(v, " \t\r"), at)
	y.i = end + 1
	for comment < 0 && y.i < len(y.s) {
		e := lineEnd(y.s, y.i)
		p := y.i
		for p < e && y.s[p] == ' ' {
			p++
		}
		if p < e && y.s[p] != '\r' {
			if p-y.i <= indent || y.s[p] == '#' || p == y.i && (strings.HasPrefix(y.s[p:e], "---") || strings.HasPrefix(y.s[p:e], "...")) || strings.HasPrefix(y.s[p:e], "{{") {
				return
			}
			if _, _, key := y.keyAt(y.properties(p, e), e); key || y.s[p] == '-' && (p+1 == e || isSpace(y.s[p+1])) {
				return // not what the standard says, but what was meant
			}
		}
		y.i = e + 1
	}
}

// block skips a block scalar: every line that is blank or further right. A
// document's own may begin at the margin.
func (y *yaml) block(at, indent, end int) {
	y.i = end + 1
	begin := y.i
	for y.i < len(y.s) {
		e := lineEnd(y.s, y.i)
		p := y.i
		for p < e && y.s[p] == ' ' {
			p++
		}
		if p < e && y.s[p] != '\r' && (p-y.i <= indent || indent < 0 && (strings.HasPrefix(y.s[p:e], "---") || strings.HasPrefix(y.s[p:e], "..."))) {
			break
		}
		y.i = e + 1
	}
	if commandKeys[y.key()] && begin < y.i {
		y.mentionScripts(y.s[begin:min(y.i, len(y.s), begin+16<<10)], begin)
	}
}

// quotedEnd is the offset behind the quoted string at at; whole is false if it
// does not end.
func quotedEnd(s string, at int) (end int, whole bool) {
	q := s[at]
	i, quote := at+1, -1
	for i < len(s) {
		if quote < i { // each byte is looked at once for quotes and once for escapes
			n := strings.IndexByte(s[i:], q)
			if n < 0 {
				return len(s), false
			}
			quote = i + n
		}
		switch {
		case q == '"':
			b := strings.IndexByte(s[i:quote], '\\')
			if b < 0 {
				return quote + 1, true
			}
			i += b + 2
		case quote+1 < len(s) && s[quote+1] == q:
			i = quote + 2
		default:
			return quote + 1, true
		}
	}
	return len(s), false
}

// unquoteYAML takes the quotes off a scalar. Escapes other than of the quote
// itself stay as they are written: nobody names a key so.
func unquoteYAML(s string) string {
	if len(s) < 2 {
		return ""
	}
	in := s[1 : len(s)-1]
	if s[0] == '\'' {
		return strings.ReplaceAll(in, "''", "'")
	}
	if strings.IndexByte(in, '\\') >= 0 {
		in = strings.NewReplacer(`\"`, `"`, `\\`, `\`, `\/`, `/`).Replace(in)
	}
	return in
}

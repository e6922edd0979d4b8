package secret

import "bytes"

// How the value of an assignment is read: literals in all their quotes, bare words, and calls around them.

// value reads the value at i: a literal, a literal in a call or conversion, or a bare word.
func (a *assignment) value(text []byte, i int) bool {
	if bytes.HasPrefix(text[min(i, len(text)):], []byte("new ")) {
		i += 4
	}
	if at(text, i) == '{' && (a.op == '=' || a.op == ':') { // { value: "v" }
		near := text[i:min(len(text), i+100)]
		if end := bytes.IndexAny(near, "}\n;"); end > 0 {
			near = near[:end]
		}
		for _, word := range [...]string{"value:", "default:"} {
			if j := bytes.Index(near, []byte(word)); j > 0 && (isBlank(near[j-1]) || near[j-1] == '{') {
				i = skipBlank(text, i+j+len(word))
				break
			}
		}
	}
	if at(text, i) == '$' && at(text, i+1) == '{' { // ${NAME:v}, ${NAME:-v}
		j := i + 2
		for j < len(text) && j < i+64 && isNameByte(text[j]) {
			j++
		}
		if at(text, j) != ':' || j == i+2 {
			return a.bare(text, i)
		}
		if j++; at(text, j) == '-' || at(text, j) == '=' {
			j++
		}
		if !a.bare(text, j) || at(text, a.end) != '}' {
			return false
		}
		a.block = true
		return true
	}
	if at(text, i) == '(' && isQuote(at(text, i+1)) {
		i++ // ("v" "w") over lines
	}
	j := i
	for j < len(text) && j < i+32 && (isNameByte(text[j]) || bytes.IndexByte([]byte("[]&*:@$"), text[j]) >= 0) {
		j++
	}
	if j > i && j-i > 2 && at(text, j) == '(' && !converts(text[i:j]) {
		k := skipBlank(text, j+1)
		for n := k; n < len(text) && n < k+32 && !isQuote(at(text, k)); n++ { // f(g("v"))
			if !isNameByte(text[n]) {
				if text[n] == '(' {
					k = n + 1
				}
				break
			}
		}
		if isQuote(at(text, k)) {
			i = k
		}
	} else if j > i && j-i <= 2 && isQuote(at(text, j)) {
		i = j
	}
	if at(text, i) == '\\' && isQuote(at(text, i+1)) {
		return a.escapedLiteral(text, i+2)
	}
	if e := quoteEntity(text, i); e > 0 {
		return a.escapedLiteral(text, i+e)
	}
	if isQuote(at(text, i)) {
		ok := a.literal(text, i)
		a.more = i > j && ok && at(text, skipBlank(text, a.end+1)) == ',' && !hashes(text[j:i])
		return ok
	}
	return a.bare(text, i)
}

// hashes reports a call whose first argument is a password: bcrypt.hashSync("v", 10).
func hashes(callee []byte) bool {
	return headHas(callee, []string{"hash", "crypt", "password"})
}

// converts reports a call whose first argument is no value but says how or where one is had: x.decode("UTF-8"), require("m").
func converts(callee []byte) bool {
	dot := bytes.LastIndexByte(callee, '.')
	if dot < 0 {
		switch string(callee) {
		case "require", "import", "gettext", "i18n", "Symbol", "getenv", "env":
			return true
		}
		return false
	}
	if bytes.EqualFold(callee[:dot], []byte("base64")) {
		return false
	}
	for _, verb := range [...]string{"get", "load", "read", "find", "fetch", "lookup", "has", "check", "verify"} {
		if bytes.HasPrefix(callee[dot+1:], []byte(verb)) {
			return true
		}
	}
	switch string(callee[dot+1:]) {
	case "decode", "encode", "toString", "replace", "split", "join", "format", "digest", "update", "getBytes", "strip", "trim":
		return true
	}
	return false
}

// literal reads to the closing quote on the same line. One that is not closed there is read to the end of the line.
func (a *assignment) literal(text []byte, i int) bool {
	q := text[i]
	a.quote = q
	i++
	if at(text, i) == q && at(text, i+1) == q {
		i += 2
	} else if q == '`' && at(text, i) == q {
		i++ // Markdown's ``v``
	}
	a.start = i
	for ; i < len(text) && i-a.start < maxValue; i++ {
		c := text[i]
		if c == q || c == '\n' || c == '\r' {
			break
		}
		if c == '\\' && i+1 < len(text) && text[i+1] != '\n' && text[i+1] != '\r' {
			i++
		}
	}
	a.end = min(i, len(text))
	if at(text, a.end) != q && a.end > a.start && bytes.IndexByte([]byte("+,;).]}> "), text[a.start]) >= 0 {
		return false // the quote closed a literal: "PWD="+dir
	}
	if a.end-a.start > 8 && text[a.end-2] == '\\' && text[a.end-1] == 'n' && text[a.end-3] != '\\' {
		a.end -= 2 // the line end of base64
	}
	return a.end > a.start
}

// ternary reports that the literal that reaches over hi is a choice: ok ? "pass" : "fail".
func ternary(text []byte, hi int) bool {
	lo := nameStart(text, hi)
	for lo > 0 && (isQuote(text[lo-1]) || isBlank(text[lo-1])) {
		lo--
	}
	return lo > 0 && text[lo-1] == '?'
}

// quoteEntities are quotes as HTML writes them, and JSON in scripts.
var quoteEntities = [...]string{"&quot;", "&#34;", "&#39;", "&apos;", "&#x27;", "&#x22;", `\u0022`, `\u0027`}

// quoteEntity is the length of the quote written as an entity at i, or 0.
func quoteEntity(text []byte, i int) int {
	if c := at(text, i); c != '&' && c != '\\' {
		return 0
	}
	for _, e := range quoteEntities {
		if bytes.HasPrefix(text[i:], []byte(e)) {
			return len(e)
		}
	}
	return 0
}

// escapedLiteral reads a \"value\" inside another literal, or a value in quotes that are entities.
func (a *assignment) escapedLiteral(text []byte, i int) bool {
	a.quote = '"'
	a.start = i
	for i < len(text) && i-a.start < maxValue && text[i] != '\\' && text[i] != '"' && text[i] != '\n' && quoteEntity(text, i) == 0 {
		i++
	}
	a.end = i
	return a.end > a.start
}

// bare reads an unquoted value.
func (a *assignment) bare(text []byte, i int) bool {
	a.start = i
	for i < len(text) && i-a.start < maxValue && text[i] > ' ' && text[i] != 0x7f && !(endsBare(text[i]) && !(text[i] == '|' && a.op == '=' && i > a.start && isAlnum(at(text, i+1)) || closes(text[i]) && (isAlnum(at(text, i+1)) || a.op == ':' && lastOfLine(text, i+1) && !opened(text, a.start)))) && !(text[i] == '\\' && (escaped(text, i+2) || propertyEscape(at(text, i+1)))) && !(text[i] == '%' && at(text, i+1) == '2' && at(text, i+2) == '6') {
		i++
	}
	for i > a.start && (text[i-1] == '.' || text[i-1] == ':' || text[i-1] == '\\') {
		i--
	}
	a.end = i
	return a.end > a.start
}

func endsBare(c byte) bool {
	switch c {
	case '"', '\'', '`', ',', ';', '<', '>', ')', '}', ']', '|', '&':
		return true
	}
	return false
}

func closes(c byte) bool { return c == ')' || c == ']' || c == '}' }

// propertyEscape reports what Java's properties write a backslash before.
func propertyEscape(c byte) bool { return c == '=' || c == ':' || c == '#' || c == '!' }

// last is the end of a value with the escapes of properties in it, of which the part before the first was judged.
func (a *assignment) last(text []byte) int {
	i := a.end
	for a.quote == 0 && i-a.end < maxValue && at(text, i) == '\\' && propertyEscape(at(text, i+1)) {
		for i += 2; i < len(text) && isSecretWord(text[i:i+1]); i++ {
		}
	}
	return i
}

// opened reports a bracket on the line before i.
func opened(text []byte, i int) bool {
	from := lineAt(text, max(0, i-120), i)
	return bytes.IndexAny(text[from:i], "({[") >= 0
}

func skipBlank(text []byte, i int) int {
	for n := 0; i < len(text) && n < 64 && isBlank(text[i]); n++ {
		i++
	}
	return i
}

// at is text[i], or 0 behind the end.
func at(text []byte, i int) byte {
	if i < len(text) {
		return text[i]
	}
	return 0
}

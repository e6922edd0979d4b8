package secret

import "bytes"

// assignment is the value found behind a name. quote is its quote, or 0; flag says it followed a command-line flag and a space.
type assignment struct {
	start, end int
	quote      byte
	op         byte
	more       bool   // a literal that is the first of several arguments
	suffix     [2]int // the rest of the name, behind the keyword
}

const (
	maxName  = 48
	maxValue = 1024
)

// assignedTo reads what follows a keyword that ends at hi: the rest of the name, an operator, and the value on the same line. It
// knows the forms of most languages and configuration files: a = "v", "a": "v", a: T = "v", a => "v", f("v"), ("a", "v"), <a>v</a>,
// key="a" value="v", a=v, --a v, ${a:-v}, set a v, s:1:"a";s:1:"v".
func assignedTo(text []byte, hi int) (assignment, bool) {
	a := assignment{suffix: [2]int{hi, hi}}
	i := hi
	for i < len(text) && i < hi+maxName && isNameByte(text[i]) {
		i++
	}
	for i > hi && (text[i-1] == '-' || text[i-1] == '.') && at(text, i) == '>' {
		i--
	}
	a.suffix[1] = i
	quoted := false
	for n := 0; n < 4 && i < len(text); n++ {
		c := text[i]
		if e := quoteEntity(text, i); e > 0 {
			quoted = true
			i += e
			continue
		}
		if c == '}' && isQuote(at(text, i+1)) { // "${password}" == "v"
			i++
			continue
		}
		if c != '"' && c != '\'' && c != '`' && c != ']' && c != ')' && c != '\\' && c != '?' && c != '!' && c != '*' {
			break
		}
		quoted = quoted || c == '"' || c == '\'' || c == '`'
		i++
	}
	if m := member(text, i); m > 0 && text[i-1] == ')' {
		if i += m; at(text, i) == '(' {
			a.op = '='
			j := skipBlank(text, i+1)
			return a, isQuote(at(text, j)) && a.value(text, j)
		}
	}
	i = skipBlank(text, i)
	i, ok := a.operator(text, i, quoted)
	if !ok {
		return a, false
	}
	return a, a.value(text, skipBlank(text, i))
}

// operator reads the operator at i and returns what follows it.
func (a *assignment) operator(text []byte, i int, quoted bool) (int, bool) {
	a.op = at(text, i)
	switch a.op {
	case ':':
		return a.colon(text, i+1), true
	case '=':
		i++
		for i < len(text) && (text[i] == '=' || text[i] == '>' || text[i] == '~') {
			i++
		}
		return i, true
	case '!', '?', '|', '+':
		if j := orElse(text, i); j > 0 {
			a.op = '='
			return j, quoted
		}
		j := i + 1
		for j < len(text) && j < i+3 && text[j] == a.op {
			j++
		}
		if at(text, j) != '=' {
			return i, false
		}
		for at(text, j) == '=' {
			j++
		}
		return j, true
	case '>':
		return i + 1, !quoted
	case '(':
		j := skipBlank(text, i+1)
		k := j
		for k < len(text) && k < j+32 && isNameByte(text[k]) {
			k++
		}
		if k > j+2 && at(text, k) == '(' && isQuote(at(text, k+1)) && !converts(text[j:k]) {
			return k + 1, true // set(decode("v"))
		}
		return j, isQuote(at(text, j))
	case ',':
		j := skipBlank(text, i+1)
		for _, with := range [...]string{"with: ", ":with => ", "with => "} {
			if bytes.HasPrefix(text[min(j, len(text)):], []byte(with)) && quoted {
				a.op = '=' // fill_in "Password", with: "v"
				j += len(with)
			}
		}
		return j, (quoted || isSymbol(text, a.suffix[0])) && isQuote(at(text, j))
	case '{':
		j := skipBlank(text, i+1)
		if isSymbol(text, a.suffix[0]) && text[i-1] != '{' && isQuote(at(text, j)) {
			a.op = '=' // let(:token) { "v" }
			return j, true
		}
	case '%':
		if at(text, i+1) == '3' && at(text, i+2)|0x20 == 'd' { // ?a=b%26token%3Dv within a URL
			a.op = '='
			return i + 3, true
		}
	case ';':
		a.op = '='
		return serialized(text, i+1, quoted)
	}
	return a.wordOperator(text, i, quoted)
}

// members are what a form's field is filled by, behind the call that names it: find("password").value = "v", .send_keys("v"); and
// what a stub answers: receive(:token).and_return("v").
var members = [...]string{".value", ".val", ".Value", ".Text", ".text", ".send_keys", ".sendKeys", ".type", ".fill", ".set", ".setValue", ".and_return", ".with"}

// member is the length of one of them at i, or 0.
func member(text []byte, i int) int {
	if at(text, i) != '.' {
		return 0
	}
	j := i + 1
	for j < len(text) && j < i+16 && (isLetter(text[j]) || text[j] == '_') {
		j++
	}
	for _, m := range members {
		if string(text[i:j]) == m {
			return j - i
		}
	}
	return 0
}

// colon tells a: value from a: Type = value, a := value and a::b.
func (a *assignment) colon(text []byte, i int) int {
	if c := at(text, i); c == '=' || c == ':' || c == '-' && at(text, i+1) > ' ' && a.inBraces(text) {
		return i + 1
	}
	j := skipBlank(text, i)
	for j < len(text) && j < i+40 && (isNameByte(text[j]) || bytes.IndexByte([]byte("&'<>[]?|"), text[j]) >= 0) {
		j++
	}
	k := skipBlank(text, j)
	if j > i && k > j && at(text, k) == '=' && at(text, k+1) != '=' {
		a.op = '='
		return k + 1
	}
	return i
}

// wordOperator reads the forms where a word or a blank stands between name and value.
func (a *assignment) wordOperator(text []byte, i int, quoted bool) (int, bool) {
	rest := text[i:min(len(text), i+16)]
	if quoted && bytes.HasPrefix(rest, []byte("value=")) {
		a.op = '='
		return i + 6, true
	}
	if j := orElse(text, i); quoted && j > 0 {
		a.op = '='
		return j, true
	}
	if j := tagEnd(text, a.suffix[0], i); !quoted && j > 0 {
		a.op = '>'
		return j, true
	}
	for _, typ := range [...]string{"string =", "string=", "String =", "str =", "NVARCHAR =", "is "} {
		if bytes.HasPrefix(rest, []byte(typ)) {
			a.op = '='
			return i + len(typ), true
		}
	}
	if !quoted && i > a.suffix[1] && (isFlag(text, a.suffix[0]) || isQuote(at(text, i)) || isSet(text, a.suffix[0])) {
		a.op = ' '
		return i, true
	}
	return i, false
}

// orElse is the place of the literal in get("NAME") or "default", or with || or ??, else 0.
func orElse(text []byte, i int) int {
	for _, op := range [...]string{"or ", "|| ", "?? "} {
		if bytes.HasPrefix(text[i:min(len(text), i+4)], []byte(op)) && isQuote(at(text, i+len(op))) {
			return i + len(op)
		}
	}
	return 0
}

// tagEnd is the end of the XML tag <name attribute="…"> whose name reaches over hi, else 0.
func tagEnd(text []byte, hi, i int) int {
	lo := nameStart(text, hi)
	if lo == 0 || text[lo-1] != '<' || i == hi {
		return 0
	}
	tail := text[i:min(len(text), i+64)]
	j := bytes.IndexAny(tail, "<>\n")
	if j < 1 || tail[j] != '>' || tail[j-1] == '/' {
		return 0
	}
	return i + j + 1
}

// serialized reads the length before a value as PHP's serialize writes it: s:8:"password";s:5:"value".
func serialized(text []byte, i int, quoted bool) (int, bool) {
	if !quoted || at(text, i) != 's' || at(text, i+1) != ':' {
		return i, false
	}
	j := i + 2
	for j < len(text) && j < i+8 && '0' <= text[j] && text[j] <= '9' {
		j++
	}
	return j + 1, at(text, j) == ':'
}

// inBraces reports a shell's ${NAME:-default}.
func (a *assignment) inBraces(text []byte) bool {
	lo := nameStart(text, a.suffix[0])
	return lo > 1 && text[lo-1] == '{' && text[lo-2] == '$'
}

// isSet reports that the name that reaches up to hi follows a command that sets it, at the beginning of its line: set NAME value,
// ENV NAME value.
func isSet(text []byte, hi int) bool {
	lo := nameStart(text, hi)
	head := text[max(0, lo-24):lo]
	if i := bytes.LastIndexByte(head, '\n'); i >= 0 {
		head = head[i+1:]
	}
	if head = bytes.TrimLeft(head, " \t>$"); len(head) < 4 || !isBlank(head[len(head)-1]) {
		return false
	}
	switch string(bytes.TrimRight(head, " \t")) {
	case "set", "SET", "setenv", "ENV", "ARG", "\\set", "export", "#define", "%define":
		return true
	}
	return false
}

// isSymbol reports a Ruby symbol, :name, whose name reaches over hi.
func isSymbol(text []byte, hi int) bool {
	lo := nameStart(text, hi)
	return lo > 0 && text[lo-1] == ':' && (lo == 1 || !isAlnum(text[lo-2]))
}

// isFlag reports that the name that reaches up to hi begins with a dash, as in --password.
func isFlag(text []byte, hi int) bool {
	lo := nameStart(text, hi)
	return lo < hi && text[lo] == '-' && (lo == 0 || text[lo-1] <= ' ' || isQuote(text[lo-1]))
}

// value reads the value at i: a literal, a literal in a call or conversion, or a bare word.
func (a *assignment) value(text []byte, i int) bool {
	if bytes.HasPrefix(text[min(i, len(text)):], []byte("new ")) {
		i += 4
	}
	if at(text, i) == '{' && (a.op == '=' || a.op == ':') { // { value: "v" }
		if j := skipBlank(text, i+1); bytes.HasPrefix(text[min(j, len(text)):], []byte("value:")) {
			i = skipBlank(text, j+6)
		}
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
		a.more = i > j && ok && at(text, skipBlank(text, a.end+1)) == ','
		return ok
	}
	return a.bare(text, i)
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
	if a.end-a.start > 8 && text[a.end-2] == '\\' && text[a.end-1] == 'n' && text[a.end-3] != '\\' {
		a.end -= 2 // the line end of base64
	}
	return a.end > a.start
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

// nameStart is where the name begins that reaches up to hi; what is left of an escape (\n, \t, %26) before it is no part of it.
func nameStart(text []byte, hi int) int {
	lo := hi
	for lo > 0 && hi-lo < maxName && isNameByte(text[lo-1]) {
		lo--
	}
	switch {
	case lo < hi && escaped(text, lo+1):
		lo++
	case lo > 0 && text[lo-1] == '%' && lo+2 <= hi && isHex(text[lo]) && isHex(text[lo+1]):
		lo += 2 // ?a=b%26key=v within a URL
	}
	return lo
}

func isBlank(c byte) bool    { return c == ' ' || c == '\t' }
func isQuote(c byte) bool    { return c == '"' || c == '\'' || c == '`' }
func isNameByte(c byte) bool { return isAlnum(c) || c == '_' || c == '-' || c == '.' }

package secret

import "bytes"

// assignment is the value found behind a name. quote is its quote, or 0; flag says it followed a command-line flag and a space.
type assignment struct {
	start, end int
	quote      byte
	op         byte
	block      bool   // a bare value that is a line of its own, or a default in ${NAME:v}
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
	if at(text, i) == '[' { // char password[16] = "v"
		j := i + 1
		for j < len(text) && j < i+6 && '0' <= text[j] && text[j] <= '9' {
			j++
		}
		if at(text, j) == ']' {
			i = j + 1
		}
	}
	quoted := false
	for n := 0; n < 4 && i < len(text); n++ {
		c := text[i]
		if e := quoteEntity(text, i); e > 0 {
			quoted = true
			i += e
			continue
		}
		if c == '%' && at(text, i+1) == '5' && at(text, i+2)|0x20 == 'd' { // user%5Bpassword%5D=v
			i += 3
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
	if j := a.elsewhere(text, i); j > 0 {
		a.op = '='
		ok := a.value(text, j)
		a.block = a.quote == 0
		return a, ok
	}
	i = skipBlank(text, i)
	i, ok := a.operator(text, i, quoted)
	if !ok || quoted && a.op == ':' && ternary(text, a.suffix[0]) {
		return a, false
	}
	return a, a.value(text, a.nextLine(text, skipBlank(text, i)))
}

// oneLine reports that the line on which i is the first character is all of its block.
func oneLine(text []byte, i int) bool {
	indent := i - lineAt(text, max(0, i-80), i)
	n := bytes.IndexByte(text[i:min(len(text), i+maxValue)], '\n')
	if n < 0 {
		return i+maxValue > len(text)
	}
	next := i + n + 1
	for end := skipBlank(text, next); at(text, end) == '\n' && end-i < maxValue; end = skipBlank(text, next) {
		next = end + 1
	}
	return skipBlank(text, next)-next < indent
}

// elsewhere is the place of a value that does not follow its name, whose quotes end at i, else 0.
func (a *assignment) elsewhere(text []byte, i int) int {
	switch c := at(text, i); c {
	case '\n', '\r', ',', ' ', '<':
		if j := namedValue(text, a.suffix[0], i); j > 0 {
			return j
		}
	}
	if c := at(text, i); c == ',' || c == ')' || i > 0 && text[i-1] == ')' {
		return inserted(text, nameStart(text, a.suffix[0]), a.suffix[1])
	}
	return 0
}

// nextLine is where a literal begins that stands on the line behind its operator, else i.
func (a *assignment) nextLine(text []byte, i int) int {
	if c := at(text, i); a.op == ':' && (c == '|' || c == '>') { // a block of YAML
		j := i + 1
		for at(text, j) == '-' || at(text, j) == '+' {
			j++
		}
		if k := skipSpace(text, j); at(text, j) == '\n' && k > j+1 && oneLine(text, k) {
			a.block = true
			return k
		}
	}
	if c := at(text, i); c != '\n' && c != '\r' && c != '\\' || a.op != '=' && a.op != ':' {
		return i
	}
	j := i
	if text[j] == '\\' {
		j++
	}
	if k := skipSpace(text, j); k > j && isQuote(at(text, k)) {
		end := bytes.IndexByte(text[k+1:min(len(text), k+1+maxValue)], text[k])
		if end > 0 && at(text, skipBlank(text, k+2+end)) != ':' {
			return k
		}
	}
	return i
}

// operator reads the operator at i and returns what follows it.
func (a *assignment) operator(text []byte, i int, quoted bool) (int, bool) {
	a.op = at(text, i)
	switch a.op {
	case ':':
		return a.colon(text, i+1), true
	case '=':
		if j := a.tuple(text, i, quoted); j > 0 {
			return j, true
		}
		i++
		for i < len(text) && (text[i] == '=' || text[i] == '>' || text[i] == '~') {
			i++
		}
		return i, true
	case '!', '?', '|', '+':
		if j := orElse(text, i); j > 0 {
			a.op = '='
			return j, true
		}
		if a.op == '|' && at(text, i+1) == ' ' && inTable(text, a.suffix[0]) {
			a.block = true
			return i + 2, true
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
	case '<':
		if at(text, i+1) == '-' && isQuote(at(text, skipBlank(text, i+2))) { // R
			a.op = '='
			return i + 2, true
		}
	case '>':
		return i + 1, !quoted || inElement(text, a.suffix[0], i+1)
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
		if j := a.tuple(text, i, quoted); j > 0 {
			a.op = '='
			return j, true
		}
		j := skipBlank(text, i+1)
		for _, with := range [...]string{"with: ", ":with => ", "with => "} {
			if bytes.HasPrefix(text[min(j, len(text)):], []byte(with)) && (quoted || isSymbol(text, a.suffix[0])) {
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

// inTable reports a row of a table in Markdown: | password | v |.
func inTable(text []byte, hi int) bool {
	from := lineAt(text, max(0, hi-160), hi)
	return at(text, skipBlank(text, from)) == '|'
}

// tuple is the place of the value that a list of names gives the one that ends at i: user, password = "u", "v". It is 0 if there is
// no list, or a value before it is no literal.
func (a *assignment) tuple(text []byte, i int, quoted bool) int {
	before, from := 0, lineAt(text, max(0, a.suffix[0]-80), a.suffix[0])
	for _, c := range text[from:a.suffix[0]] {
		switch {
		case c == ',':
			before++
		case !isNameByte(c) && !isBlank(c) && c != '$' && c != '@':
			return 0
		}
	}
	j := i
	for j < len(text) && j-i < 60 && (isNameByte(text[j]) || isBlank(text[j]) || text[j] == ',' || text[j] == ':' || text[j] == '$') {
		j++
	}
	if quoted || before == 0 && j == i || before > 3 || at(text, j) != '=' {
		return 0
	}
	for j = skipBlank(text, j+1); before > 0; before-- {
		var v assignment
		if !isQuote(at(text, j)) || !v.literal(text, j) {
			return 0
		}
		if j = skipBlank(text, v.end+1); at(text, j) != ',' {
			return 0
		}
		j = skipBlank(text, j+1)
	}
	if !isQuote(at(text, j)) {
		return 0
	}
	return j
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
	if j := valueAttribute(text, i); quoted && j > 0 {
		a.op = '='
		return j, true
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

// valueAttribute is the place of the value in <input name="password" id="x" value="v">, behind its name, else 0.
func valueAttribute(text []byte, i int) int {
	tail := text[i:min(len(text), i+120)]
	if j := bytes.IndexAny(tail, "<>\n;{"); j >= 0 {
		tail = tail[:j]
	}
	if j := bytes.Index(tail, []byte(" value=\"")); j >= 0 && !hasBytes(tail[:j], "hidden") {
		return i + j + 7
	}
	return 0
}

// inElement reports <item name="password">v</item>: text in an element that an attribute names.
func inElement(text []byte, hi, i int) bool {
	from := lineAt(text, max(0, hi-100), hi)
	open := bytes.LastIndexByte(text[from:hi], '<')
	tail := text[i:min(len(text), i+maxValue)]
	end := bytes.IndexAny(tail, "<\n")
	return open >= 0 && bytes.IndexByte(text[from+open:hi], '>') < 0 && end > 0 && end+1 < len(tail) && tail[end] == '<' && tail[end+1] == '/'
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

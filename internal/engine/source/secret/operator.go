package secret

import (
	"bytes"

	"ken/internal/engine/source/secret/look"
)

// How a name is given its value: the operator between them, in most languages and configuration files.

// operator reads the operator at i and returns what follows it. quoted says that the name ended in a quote.
func (a *assignment) operator(text []byte, i int, quoted bool) (int, bool) {
	a.op = look.At(text, i)
	switch a.op {
	case ':':
		return a.colon(text, i+1), true
	case '=':
		return a.equals(text, i, quoted), true
	case '!', '?', '|', '+', '.':
		return a.compound(text, i)
	case '>':
		return i + 1, !quoted || inElement(text, a.suffix[0], i+1)
	case '(':
		return a.call(text, i)
	case ',':
		return a.comma(text, i, quoted)
	case ';':
		a.op = '='
		return serialized(text, i+1, quoted)
	}
	if j := a.rareOperator(text, i); j > 0 {
		a.op = '='
		return j, true
	}
	return a.wordOperator(text, i, quoted)
}

// equals reads = and what languages write with it: ==, =>, =~.
func (a *assignment) equals(text []byte, i int, quoted bool) int {
	if j := a.tuple(text, i, quoted); j > 0 {
		return j
	}
	for i++; look.IsIn(look.At(text, i), "=>~"); {
		i++
	}
	return i
}

// colon distinguishes a: value from a: Type = value, a := value, a ::= value and a::b.
func (a *assignment) colon(text []byte, i int) int {
	switch look.At(text, i) {
	case '=', ':':
		if j := look.RunEnd(text, i, 2, look.Colon); look.At(text, j) == '=' {
			return j + 1
		}
		return i + 1
	case '-':
		if look.At(text, i+1) > ' ' && inBraces(text, a.suffix[0]) {
			return i + 1
		}
	}
	typ := look.SkipBlank(text, i)
	typ = look.RunEnd(text, typ, i+40-typ, look.Name|look.Type)
	j := look.SkipBlank(text, typ)
	if typ > i && j > typ && look.At(text, j) == '=' && look.At(text, j+1) != '=' {
		a.op = '='
		return j + 1
	}
	return i
}

// compound reads ||=, !=, +=, .=, a default behind ||, and the bar between the cells of a table.
func (a *assignment) compound(text []byte, i int) (int, bool) {
	if j := orElse(text, i); j > 0 {
		a.op = '='
		return j, true
	}
	if look.HasAt(text, i, "| ") && inTable(text, a.suffix[0]) {
		a.block = true
		return i + 2, true
	}
	j := i + 1
	for j < i+3 && look.At(text, j) == a.op {
		j++
	}
	end := j
	for look.At(text, end) == '=' {
		end++
	}
	if end == j {
		return i, false
	}
	if a.op == '.' {
		a.op = '='
	}
	return end, true
}

// call reads the bracket of a call whose first argument is the value: set("v"), set(decode("v")), set(x ?: "v").
func (a *assignment) call(text []byte, i int) (int, bool) {
	j := look.SkipBlank(text, i+1)
	if k := alternative(text, j); k > 0 {
		a.op = '='
		return k, true
	}
	inner := look.RunEnd(text, j, 32, look.Name)
	if inner > j+2 && look.At(text, inner) == '(' && look.IsAt(text, inner+1, look.Quote) && !converts(text[j:inner]) {
		return inner + 1, true
	}
	return j, look.IsAt(text, j, look.Quote)
}

// comma reads the comma between two arguments, of which the first is the name: ("a", "v"), :a, "v", "A", with: "v".
func (a *assignment) comma(text []byte, i int, quoted bool) (int, bool) {
	if j := a.tuple(text, i, quoted); j > 0 {
		a.op = '='
		return j, true
	}
	j := look.SkipBlank(text, i+1)
	if !quoted && !isSymbol(text, a.suffix[0]) {
		return j, false
	}
	if n := look.AnyAt(text, j, []string{"with: ", ":with => ", "with => "}); n > 0 {
		a.op = '=' // fill_in "Password", with: "v"
		j += n
	}
	return j, look.IsAt(text, j, look.Quote)
}

// rareOperator is the place of the value behind an operator of few languages, else 0: R's <-, let(:token) { "v" }, %3D in a URL, and
// the dash of a list in prose: token - 'v'.
func (a *assignment) rareOperator(text []byte, i int) int {
	switch a.op {
	case '<':
		if look.At(text, i+1) == '-' && look.IsAt(text, look.SkipBlank(text, i+2), look.Quote) {
			return i + 2
		}
	case '-':
		if text[i-1] == ' ' && look.At(text, i+1) == ' ' && look.IsAt(text, i+2, look.Quote) {
			return i + 2
		}
	case '{':
		j := look.SkipBlank(text, i+1)
		if isSymbol(text, a.suffix[0]) && text[i-1] != '{' && look.IsAt(text, j, look.Quote) {
			return j
		}
	case '%':
		if look.At(text, i+1) == '3' && look.ToLower(look.At(text, i+2)) == 'd' { // ?a=b%26token%3Dv within a URL
			return i + 3
		}
	}
	return 0
}

// wordOperator reads the forms where a word or a blank is between name and value.
func (a *assignment) wordOperator(text []byte, i int, quoted bool) (int, bool) {
	rest := look.Clip(text, i, i+16)
	if !quoted {
		if j := tagEnd(text, a.suffix[0], i); j > 0 {
			a.op = '>'
			return j, true
		}
	} else if j := a.behindQuote(text, i, rest); j > 0 {
		a.op = '='
		return j, true
	}
	if n := look.AnyAt(rest, 0, typeWords[:]); n > 0 {
		a.op = '='
		return i + n, true
	}
	if quoted || i == a.suffix[1] {
		return i, false
	}
	if j := alternative(text, i); j > 0 && look.HasAt(text, j-len("?: "), "?: ") {
		a.op = '='
		return j, true
	}
	if isFlag(text, a.suffix[0]) || look.IsAt(text, i, look.Quote) || isSet(text, a.suffix[0]) {
		a.op = ' '
		return i, true
	}
	return i, false
}

// behindQuote is the place of the value behind a name in quotes in an attribute of XML, or of the default of a lookup, else 0.
func (a *assignment) behindQuote(text []byte, i int, rest []byte) int {
	if look.HasAt(rest, 0, "value=") {
		return i + len("value=")
	}
	if j := valueAttribute(text, i); j > 0 {
		return j
	}
	return orElse(text, i)
}

// alternatives are the operators between an expression and what it is if it has no value.
var alternatives = [...]string{"or ", "|| ", "?? ", "?: "}

// maxAlternative bounds where an expression's default is looked for.
const maxAlternative = 160

// alternative is the place of the literal that an expression at i has for a default, on the same line: x.find("y") ?: "v". It is 0 if
// there is none.
func alternative(text []byte, i int) int {
	if !look.IsAt(text, i, look.Letter|look.Dollar|look.Bracket) {
		return 0
	}
	near := look.Clip(text, i, i+maxAlternative)
	if bytes.IndexByte(near, '?') < 0 && bytes.IndexByte(near, '|') < 0 {
		return 0
	}
	near = near[:look.FindAny(near, 0, len(near), "\n;")]
	for _, operator := range alternatives[1:] {
		if n := bytes.LastIndex(near, []byte(operator)); n > 0 && look.IsAt(near, n+len(operator), look.Quote) {
			return i + n + len(operator)
		}
	}
	return 0
}

// orElse is the place of the literal in get("NAME") or "default", or with ||, ?? or ?:, else 0.
func orElse(text []byte, i int) int {
	n := look.AnyAt(text, i, alternatives[:])
	if n == 0 || !look.IsAt(text, i+n, look.Quote) {
		return 0
	}
	return i + n
}

// tuple is the place of the value that a list of names gives the one that ends at i: user, password = "u", "v". It is 0 if there is
// no list, or a value before it is no literal.
func (a *assignment) tuple(text []byte, i int, quoted bool) int {
	line := text[look.LineStart(text, a.suffix[0], 80):a.suffix[0]]
	before := bytes.Count(line, []byte(","))
	j := look.RunEnd(text, i, 60, look.Name|look.Blank|look.Tuple)
	if quoted || before > 3 || max(before, j-i) == 0 || look.At(text, j) != '=' {
		return 0
	}
	for _, c := range line {
		if !look.Is(c, look.Name|look.Blank) && !look.IsIn(c, ",$@") {
			return 0
		}
	}
	j = look.SkipBlank(text, j+1)
	for ; before > 0; before-- {
		if j = nextElement(text, j); j == 0 {
			return 0
		}
	}
	if !look.IsAt(text, j, look.Quote) {
		return 0
	}
	return j
}

// nextElement is the place of what follows the literal at i and a comma, else 0.
func nextElement(text []byte, i int) int {
	var a assignment
	if !look.IsAt(text, i, look.Quote) || !a.literal(text, i) {
		return 0
	}
	i = look.SkipBlank(text, a.end+1)
	if look.At(text, i) != ',' {
		return 0
	}
	return look.SkipBlank(text, i+1)
}

// member is the length of one of members at i, behind a call, or 0.
func member(text []byte, i int) int {
	if text[i-1] != ')' || look.At(text, i) != '.' {
		return 0
	}
	end := look.RunEnd(text, i+1, 15, look.Letter|look.Underscore)
	if look.EqualsAny(text[i:end], members[:]) {
		return end - i
	}
	return 0
}

// inTable reports a row of a table in Markdown: | password | v |.
func inTable(text []byte, hi int) bool {
	return look.At(text, look.SkipBlank(text, look.LineStart(text, hi, 160))) == '|'
}

// inBraces reports a shell's ${NAME:-default}, whose name reaches over hi.
func inBraces(text []byte, hi int) bool {
	lo := nameStart(text, hi)
	return lo > 1 && look.HasAt(text, lo-2, "${")
}

// valueAttribute is the place of the value in <input name="password" id="x" value="v">, behind its name, else 0.
func valueAttribute(text []byte, i int) int {
	tag := text[i:look.FindAny(text, i, 120, "<>\n;{")]
	if j := bytes.Index(tag, []byte(" value=\"")); j >= 0 && !look.Contains(tag[:j], "hidden") {
		return i + j + len(" value=")
	}
	return 0
}

// inElement reports <item name="password">v</item>: text in an element that an attribute names.
func inElement(text []byte, hi, i int) bool {
	line := text[look.LineStart(text, hi, 100):hi]
	if bytes.LastIndexByte(line, '<') <= bytes.LastIndexByte(line, '>') {
		return false
	}
	i = look.SkipSpace(text, i)
	tail := look.Clip(text, i, i+look.MaxLength)
	end := bytes.IndexAny(tail, "<\n")
	return end > 0 && look.HasAt(tail, look.SkipSpace(tail, end), "</")
}

// tagEnd is the end of the XML tag <name attribute="…"> whose name reaches over hi, else 0.
func tagEnd(text []byte, hi, i int) int {
	if i == hi || look.At(text, nameStart(text, hi)-1) != '<' {
		return 0
	}
	tail := look.Clip(text, i, i+64)
	end := bytes.IndexAny(tail, "<>\n")
	if end < 1 || tail[end] != '>' || tail[end-1] == '/' {
		return 0
	}
	return i + end + 1
}

// serialized reads the length before a value as PHP's serialize writes it: s:8:"password";s:5:"value".
func serialized(text []byte, i int, quoted bool) (int, bool) {
	if !quoted || !look.HasAt(text, i, "s:") {
		return i, false
	}
	j := look.RunEnd(text, i+2, 6, look.Digit)
	return j + 1, look.At(text, j) == ':'
}

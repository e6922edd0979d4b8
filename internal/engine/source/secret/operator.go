package secret

import (
	"bytes"

	"ken/internal/engine/source/secret/look"
)

// The operator between a name and its value, in most languages and configuration files.

// readOperator reads the operator at i and returns the place after it. isQuoted reports whether the name ended in a quote.
func (a *assignment) readOperator(text []byte, i int, isQuoted bool) (int, bool) {
	a.op = look.At(text, i)
	switch a.op {
	case ':':
		return a.readColon(text, i+1), true
	case '=': // and ==, =>, =~
		if j := a.tupleValue(text, i, isQuoted); j > 0 {
			return j, true
		}
		for i++; look.IsIn(look.At(text, i), "=>~"); {
			i++
		}
		return i, true
	case '!', '?', '|', '+', '.':
		return a.readCompoundOperator(text, i)
	case '>':
		return i + 1, !isQuoted || isInElement(text, a.suffix[0], i+1)
	case '(':
		return a.readCallBracket(text, i)
	case ',':
		return a.readComma(text, i, isQuoted)
	case ';': // the length before a value as PHP's serialize writes it: s:8:"password";s:5:"value"
		a.op = '='
		j := look.RunEnd(text, i+len(";s:"), 6, look.Digit)
		return j + 1, isQuoted && look.HasAt(text, i, ";s:") && look.At(text, j) == ':'
	}
	if j := a.rareOperator(text, i); j > 0 {
		a.op = '='
		return j, true
	}
	return a.wordOperator(text, i, isQuoted)
}

// readColon reads the operator of a: value, a: Type = value, a := value and a ::= value; it accepts no a::b.
func (a *assignment) readColon(text []byte, i int) int {
	switch look.At(text, i) {
	case '=', ':':
		if j := look.RunEnd(text, i, 2, look.Colon); look.At(text, j) == '=' {
			return j + 1
		}
		return i + 1
	case '-':
		lo := nameStart(text, a.suffix[0])
		if look.At(text, i+1) > ' ' && bytes.HasSuffix(text[:lo], []byte("${")) { // a shell's ${NAME:-default}
			return i + 1
		}
	}
	typ := look.SkipBlank(text, i)
	typ = look.RunEnd(text, typ, i+40-typ, look.Name|look.Type)
	j := look.SkipBlank(text, typ)
	isAssigned := look.At(text, j) == '=' && look.At(text, j+1) != '='
	if isAssigned && i < typ && typ < j {
		a.op = '='
		return j + 1
	}
	return i
}

// readCompoundOperator reads operators of several characters: ||=, !=, +=, .=, a default after ||, and the bar between the cells of a
// table.
func (a *assignment) readCompoundOperator(text []byte, i int) (int, bool) {
	if j := defaultLiteral(text, i); j > 0 {
		a.op = '='
		return j, true
	}
	if look.HasAt(text, i, "| ") {
		// In a row of a table in Markdown: | password | v |.
		line := look.LineStart(text, a.suffix[0], 160)
		if look.At(text, look.SkipBlank(text, line)) == '|' {
			a.block = true
			return i + 2, true
		}
	}
	j := i + 1
	for j < i+3 && look.At(text, j) == a.op {
		j++
	}
	end := look.RunEnd(text, j, len(text), look.Equal)
	if end == j {
		return i, false
	}
	if a.op == '.' {
		a.op = '='
	}
	return end, true
}

// readCallBracket reads the bracket of a call whose first argument is the value: set("v"), set(decode("v")), set(x ?: "v").
func (a *assignment) readCallBracket(text []byte, i int) (int, bool) {
	j := look.SkipBlank(text, i+1)
	if k := alternativeStart(text, j); k > 0 {
		a.op = '='
		return k, true
	}
	inner := look.RunEnd(text, j, 32, look.Name)
	takesLiteral := look.At(text, inner) == '(' && look.IsAt(text, inner+1, look.Quote)
	if takesLiteral && inner > j+2 && !isConversion(text[j:inner]) {
		return inner + 1, true
	}
	return j, look.IsAt(text, j, look.Quote)
}

// readComma reads the comma between two arguments, of which the first is the name: ("a", "v"), :a, "v", "A", with: "v".
func (a *assignment) readComma(text []byte, i int, isQuoted bool) (int, bool) {
	if j := a.tupleValue(text, i, isQuoted); j > 0 {
		a.op = '='
		return j, true
	}
	j := look.SkipBlank(text, i+1)
	if !isQuoted && !isSymbol(text, a.suffix[0]) {
		return j, false
	}
	if n := look.AnyAt(text, j, []string{"with: ", ":with => ", "with => "}); n > 0 {
		a.op = '=' // fill_in "Password", with: "v"
		j += n
	}
	return j, look.IsAt(text, j, look.Quote)
}

// rareOperator returns the start of the value after an operator of few languages, or 0: R's <-, let(:token) { "v" }, %3D in a URL, and
// the dash of a list in prose: token - 'v'.
func (a *assignment) rareOperator(text []byte, i int) int {
	switch a.op {
	case '<':
		if look.HasAt(text, i, "<-") && look.IsAt(text, look.SkipBlank(text, i+2), look.Quote) {
			return i + 2
		}
	case '-':
		if look.HasAt(text, i-1, " - ") && look.IsAt(text, i+2, look.Quote) {
			return i + 2
		}
	case '{':
		j := look.SkipBlank(text, i+1)
		if text[i-1] != '{' && look.IsAt(text, j, look.Quote) && isSymbol(text, a.suffix[0]) {
			return j
		}
	case '%':
		if n := look.AnyAt(text, i, []string{"%3D", "%3d"}); n > 0 { // ?a=b%26token%3Dv within a URL
			return i + n
		}
	}
	return 0
}

// wordOperator reads the forms that have a word or a blank between name and value.
func (a *assignment) wordOperator(text []byte, i int, isQuoted bool) (int, bool) {
	if !isQuoted {
		if j := tagEnd(text, a.suffix[0], i); j > 0 {
			a.op = '>'
			return j, true
		}
	} else if j := valueAfterQuote(text, i); j > 0 {
		a.op = '='
		return j, true
	}
	if n := look.AnyAt(text, i, typeWords[:]); n > 0 {
		a.op = '='
		return i + n, true
	}
	if isQuoted || i == a.suffix[1] {
		return i, false
	}
	if j := alternativeStart(text, i); j > 0 && look.HasAt(text, j-len("?: "), "?: ") {
		a.op = '='
		return j, true
	}
	switch {
	case isFlag(text, a.suffix[0]), look.IsAt(text, i, look.Quote), followsSetCommand(text, a.suffix[0]):
		a.op = ' '
		return i, true
	}
	return i, false
}

// valueAfterQuote returns the start of the value of a name in quotes that is an attribute of XML, or the default of a lookup, or 0.
func valueAfterQuote(text []byte, i int) int {
	if look.HasAt(text, i, "value=") {
		return i + len("value=")
	}
	tag := text[i:look.FindAny(text, i, 120, "<>\n;{")] // <input name="password" id="x" value="v">
	if j := bytes.Index(tag, []byte(" value=\"")); j >= 0 && !look.Contains(tag[:j], "hidden") {
		return i + j + len(" value=")
	}
	return defaultLiteral(text, i)
}

// alternatives are the operators between an expression and its default.
var alternatives = [...]string{"or ", "|| ", "?? ", "?: "}

// maxAlternative is the maximal number of bytes in which the default of an expression is searched.
const maxAlternative = 160

// alternativeStart returns the start of the literal that is the default of an expression at i, on the same line: x.find("y") ?: "v". It is
// 0 if there is none.
func alternativeStart(text []byte, i int) int {
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

// defaultLiteral returns the start of the literal after get("NAME") or "or", ||, ?? or ?:, which is its default, or 0.
func defaultLiteral(text []byte, i int) int {
	n := look.AnyAt(text, i, alternatives[:])
	if n == 0 || !look.IsAt(text, i+n, look.Quote) {
		return 0
	}
	return i + n
}

// tupleValue returns the start of the value that is assigned to the name that ends at i in a list of names: user, password = "u", "v". It
// is 0 if there is no list, or if a value before it is no literal.
func (a *assignment) tupleValue(text []byte, i int, isQuoted bool) int {
	line := text[look.LineStart(text, a.suffix[0], 80):a.suffix[0]]
	before := bytes.Count(line, []byte(","))
	j := look.RunEnd(text, i, 60, look.Name|look.Blank|look.Tuple)
	isList := before > 0 || j > i
	switch {
	case isQuoted, !isList, before > 3, look.At(text, j) != '=':
		return 0
	}
	for _, c := range line {
		if !look.Is(c, look.Name|look.Blank) && !look.IsIn(c, ",$@") {
			return 0
		}
	}
	j = look.SkipBlank(text, j+1)
	for ; before > 0; before-- {
		var other assignment
		if !other.readQuoted(text, j) {
			return 0
		}
		if j = look.SkipBlank(text, other.end+1); look.At(text, j) != ',' {
			return 0
		}
		j = look.SkipBlank(text, j+1)
	}
	if !look.IsAt(text, j, look.Quote) {
		return 0
	}
	return j
}

// setterLength returns the length of one of setters at i, after a call, or 0.
func setterLength(text []byte, i int) int {
	if !look.HasAt(text, i-1, ").") {
		return 0
	}
	end := look.RunEnd(text, i+1, 15, look.Letter|look.Underscore)
	if look.EqualsAny(text[i:end], setters[:]) {
		return end - i
	}
	return 0
}

// isInElement reports whether the value at i is the text of an XML element which an attribute names: <item name="password">v</item>.
func isInElement(text []byte, hi, i int) bool {
	line := text[look.LineStart(text, hi, 100):hi]
	if bytes.LastIndexByte(line, '<') <= bytes.LastIndexByte(line, '>') {
		return false
	}
	i = look.SkipSpace(text, i)
	tail := look.Clip(text, i, i+look.MaxLength)
	end := bytes.IndexAny(tail, "<\n")
	return end > 0 && look.HasAt(tail, look.SkipSpace(tail, end), "</")
}

// tagEnd returns the end of the XML tag <name attribute="…"> whose name reaches over hi, or 0.
func tagEnd(text []byte, hi, i int) int {
	if i == hi || look.At(text, nameStart(text, hi)-1) != '<' {
		return 0
	}
	tail := look.Clip(text, i, i+64)
	end := bytes.IndexAny(tail, "<>\n")
	if end < 1 || tail[end] != '>' {
		return 0
	}
	if tail[end-1] == '/' {
		return 0 // an element without content
	}
	return i + end + 1
}

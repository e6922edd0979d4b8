package secret

import (
	"bytes"

	"ken/internal/engine/source/secret/chars"
	"ken/internal/engine/source/secret/look"
)

// assignedTo reads what follows a keyword that ends at hi: the rest of the name, an operator, and the value on the same line. It
// knows the forms of most languages and configuration files: a = "v", "a": "v", a: T = "v", a => "v", f("v"), ("a", "v"), <a>v</a>,
// key="a" value="v", a=v, --a v, ${a:-v}, set a v, s:1:"a";s:1:"v".
func assignedTo(text []byte, hi int) (assignment, bool) {
	i := chars.RunEnd(text, hi, maxName, chars.Name)
	if chars.At(text, i) == '>' && chars.Is(text[i-1], chars.Join) {
		i-- // of ->
	}
	a := assignment{suffix: [2]int{hi, i}}
	i, quoted := nameEnd(text, i)
	n := member(text, i)
	if i += n; n > 0 && chars.At(text, i) == '(' {
		a.op = '='
		i = chars.SkipBlank(text, i+1)
		return a, chars.IsAt(text, i, chars.Quote) && a.value(text, i)
	}
	if j := elsewhere(text, a.suffix, i); j > 0 {
		a.op = '='
		ok := a.value(text, j)
		a.block = a.quote == 0
		return a, ok
	}
	i, ok := a.operator(text, chars.SkipBlank(text, i), quoted)
	if !ok || quoted && a.op == ':' && isChoice(text, hi) {
		return a, false
	}
	if i = chars.SkipBlank(text, i); chars.OneOf(a.op, "=:") {
		if j := alternative(text, i); j > 0 {
			a.op = '='
			return a, a.value(text, j)
		}
	}
	return a, a.value(text, a.nextLine(text, i))
}

// nameEnd is where the quotes and brackets behind a name end, and whether a quote is among them: password[16], ["password"].
func nameEnd(text []byte, i int) (end int, quoted bool) {
	if j := chars.RunEnd(text, i+1, 5, chars.Digit); chars.At(text, i) == '[' && chars.At(text, j) == ']' {
		i = j + 1 // char password[16] = "v"
	}
	for range 4 {
		n := quoteEntity(text, i)
		if n == 0 && chars.IsAt(text, i, chars.Quote) {
			n = 1
		}
		if n > 0 {
			quoted = true
		} else if n = bracketLength(text, i); n == 0 {
			break
		}
		i += n
	}
	return i, quoted
}

// bracketLength is the length of a mark at i that may be between a name and its operator, else 0.
func bracketLength(text []byte, i int) int {
	switch chars.At(text, i) {
	case ']', ')', '\\', '?', '!', '*':
		return 1
	case '%':
		if chars.At(text, i+1) == '5' && chars.ToLower(chars.At(text, i+2)) == 'd' { // user%5Bpassword%5D=v
			return 3
		}
	case '}':
		if chars.IsAt(text, i+1, chars.Quote) { // "${password}" == "v"
			return 1
		}
	}
	return 0
}

// isChoice reports that the literal that reaches over hi is the first of two: ok ? "pass" : "fail".
func isChoice(text []byte, hi int) bool {
	lo := nameStart(text, hi)
	return chars.At(text, chars.RunStart(text, lo, lo, chars.Quote|chars.Blank)-1) == '?'
}

// nextLine is where a value begins that is on the line behind its operator, else i.
func (a *assignment) nextLine(text []byte, i int) int {
	if j := yamlBlock(text, i); a.op == ':' && j > 0 {
		a.block = true
		return j
	}
	if a.op == '>' && chars.IsAt(text, i, chars.Line) {
		return lineInElement(text, i)
	}
	if !chars.OneOf(chars.At(text, i), "\n\r\\") || !chars.OneOf(a.op, "=:") {
		return i
	}
	j := i
	if text[j] == '\\' {
		j++
	}
	k := chars.SkipSpace(text, j)
	if k == j || !chars.IsAt(text, k, chars.Quote) {
		return i
	}
	end := bytes.IndexByte(chars.Clip(text, k+1, k+1+look.MaxLength), text[k])
	if end < 1 || chars.At(text, chars.SkipBlank(text, k+2+end)) == ':' {
		return i
	}
	return k
}

// lineInElement is where the only word begins that is on lines of its own in the element that goes on at i, else i.
func lineInElement(text []byte, i int) int {
	start := chars.SkipSpace(text, i)
	end := chars.FindAny(text, start, look.MaxLength, " \t\r\n<")
	if chars.HasAt(text, chars.SkipSpace(text, end), "</") {
		return start
	}
	return i
}

// yamlBlock is where the only line of a block of YAML begins whose mark is at i, else 0.
func yamlBlock(text []byte, i int) int {
	if !chars.OneOf(chars.At(text, i), "|>") {
		return 0
	}
	for i++; chars.OneOf(chars.At(text, i), "-+"); {
		i++
	}
	if j := chars.SkipSpace(text, i); chars.At(text, i) == '\n' && j > i+1 && isOneLine(text, j) {
		return j
	}
	return 0
}

// isOneLine reports that the line on which i is the first character is all of its block.
func isOneLine(text []byte, i int) bool {
	indent := i - chars.LineStart(text, i, 80)
	n := bytes.IndexByte(chars.Clip(text, i, i+look.MaxLength), '\n')
	if n < 0 {
		return i+look.MaxLength > len(text)
	}
	next := i + n + 1
	for end := chars.SkipBlank(text, next); chars.At(text, end) == '\n' && end-i < look.MaxLength; end = chars.SkipBlank(text, next) {
		next = end + 1
	}
	return chars.SkipBlank(text, next)-next < indent
}

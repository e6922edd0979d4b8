package secret

import (
	"bytes"

	"ken/internal/engine/source/secret/look"
)

// assignedTo reads what follows a keyword that ends at hi: the rest of the name, an operator, and the value on the same line. It
// knows the forms of most languages and configuration files: a = "v", "a": "v", a: T = "v", a => "v", f("v"), ("a", "v"), <a>v</a>,
// key="a" value="v", a=v, --a v, ${a:-v}, set a v, s:1:"a";s:1:"v".
func assignedTo(text []byte, hi int) (assignment, bool) {
	i := look.RunEnd(text, hi, maxName, look.Name)
	if look.At(text, i) == '>' && look.Is(text[i-1], look.Join) {
		i-- // of ->
	}
	a := assignment{suffix: [2]int{hi, i}}
	i, quoted := nameEnd(text, i)
	n := member(text, i)
	if i += n; n > 0 && look.At(text, i) == '(' {
		a.op = '='
		i = look.SkipBlank(text, i+1)
		return a, look.IsAt(text, i, look.Quote) && a.value(text, i)
	}
	if j := elsewhere(text, a.suffix, i); j > 0 {
		a.op = '='
		ok := a.value(text, j)
		a.block = a.quote == 0
		return a, ok
	}
	i, ok := a.operator(text, look.SkipBlank(text, i), quoted)
	if !ok || quoted && a.op == ':' && isChoice(text, hi) {
		return a, false
	}
	if i = look.SkipBlank(text, i); look.IsIn(a.op, "=:") {
		if j := alternative(text, i); j > 0 {
			a.op = '='
			return a, a.value(text, j)
		}
	}
	return a, a.value(text, a.nextLine(text, i))
}

// nameEnd is where the quotes and brackets behind a name end, and whether a quote is among them: password[16], ["password"].
func nameEnd(text []byte, i int) (end int, quoted bool) {
	if j := look.RunEnd(text, i+1, 5, look.Digit); look.At(text, i) == '[' && look.At(text, j) == ']' {
		i = j + 1 // char password[16] = "v"
	}
	for range 4 {
		n := quoteEntity(text, i)
		if n == 0 && look.IsAt(text, i, look.Quote) {
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
	switch look.At(text, i) {
	case ']', ')', '\\', '?', '!', '*':
		return 1
	case '%':
		if look.At(text, i+1) == '5' && look.ToLower(look.At(text, i+2)) == 'd' { // user%5Bpassword%5D=v
			return 3
		}
	case '}':
		if look.IsAt(text, i+1, look.Quote) { // "${password}" == "v"
			return 1
		}
	}
	return 0
}

// isChoice reports that the literal that reaches over hi is the first of two: ok ? "pass" : "fail".
func isChoice(text []byte, hi int) bool {
	lo := nameStart(text, hi)
	return look.At(text, look.RunStart(text, lo, lo, look.Quote|look.Blank)-1) == '?'
}

// nextLine is where a value begins that is on the line behind its operator, else i.
func (a *assignment) nextLine(text []byte, i int) int {
	if j := yamlBlock(text, i); a.op == ':' && j > 0 {
		a.block = true
		return j
	}
	if a.op == '>' && look.IsAt(text, i, look.Line) {
		return lineInElement(text, i)
	}
	if !look.IsIn(look.At(text, i), "\n\r\\") || !look.IsIn(a.op, "=:") {
		return i
	}
	j := i
	if text[j] == '\\' {
		j++
	}
	k := look.SkipSpace(text, j)
	if k == j || !look.IsAt(text, k, look.Quote) {
		return i
	}
	end := bytes.IndexByte(look.Clip(text, k+1, k+1+look.MaxLength), text[k])
	if end < 1 || look.At(text, look.SkipBlank(text, k+2+end)) == ':' {
		return i
	}
	return k
}

// lineInElement is where the only word begins that is on lines of its own in the element that goes on at i, else i.
func lineInElement(text []byte, i int) int {
	start := look.SkipSpace(text, i)
	end := look.FindAny(text, start, look.MaxLength, " \t\r\n<")
	if look.HasAt(text, look.SkipSpace(text, end), "</") {
		return start
	}
	return i
}

// yamlBlock is where the only line of a block of YAML begins whose mark is at i, else 0.
func yamlBlock(text []byte, i int) int {
	if !look.IsIn(look.At(text, i), "|>") {
		return 0
	}
	for i++; look.IsIn(look.At(text, i), "-+"); {
		i++
	}
	if j := look.SkipSpace(text, i); look.At(text, i) == '\n' && j > i+1 && isOneLine(text, j) {
		return j
	}
	return 0
}

// isOneLine reports that the line on which i is the first character is all of its block.
func isOneLine(text []byte, i int) bool {
	indent := i - look.LineStart(text, i, 80)
	n := bytes.IndexByte(look.Clip(text, i, i+look.MaxLength), '\n')
	if n < 0 {
		return i+look.MaxLength > len(text)
	}
	next := i + n + 1
	for end := look.SkipBlank(text, next); look.At(text, end) == '\n' && end-i < look.MaxLength; end = look.SkipBlank(text, next) {
		next = end + 1
	}
	return look.SkipBlank(text, next)-next < indent
}

package secret

import (
	"bytes"

	"ken/internal/engine/source/secret/look"
)

// readAssignment reads the text after a keyword that ends at hi: the rest of the name, an operator, and the value on the same line. It
// knows the forms of most languages and configuration files: a = "v", a: "v", "a": "v", a: T = "v", a => "v", f("v"), ("a", "v"), <a>v</a>,
// key="a" value="v", a=v, --a v, ${a:-v}, set a v, s:1:"a";s:1:"v".
func readAssignment(text []byte, hi int) (assignment, bool) {
	i := look.RunEnd(text, hi, maxName, look.Name)
	if look.At(text, i) == '>' && look.Is(text[i-1], look.Join) {
		i-- // of ->
	}
	a := assignment{suffix: [2]int{hi, i}}
	i, isQuoted := nameEnd(text, i)
	setter := setterLength(text, i)
	if i += setter; setter > 0 && look.At(text, i) == '(' {
		a.op = '='
		i = look.SkipBlank(text, i+1)
		return a, look.IsAt(text, i, look.Quote) && a.readValue(text, i)
	}
	if j := detachedValue(text, a.suffix, i); j > 0 {
		a.op = '='
		ok := a.readValue(text, j)
		a.block = a.quote == 0
		return a, ok
	}
	i, ok := a.readOperator(text, look.SkipBlank(text, i), isQuoted)
	if !ok {
		return a, false
	}
	if isQuoted && a.op == ':' {
		lo := nameStart(text, hi)
		before := look.RunStart(text, lo, lo, look.Quote|look.Blank) - 1
		if look.At(text, before) == '?' {
			return a, false // the literal is the first of two: ok ? "pass" : "fail"
		}
	}
	i = look.SkipBlank(text, i)
	if look.IsIn(a.op, "=:") {
		if j := alternativeStart(text, i); j > 0 {
			a.op = '='
			return a, a.readValue(text, j)
		}
	}
	return a, a.readValue(text, a.nextLine(text, i))
}

// nameEnd returns the end of the quotes and brackets that follow a name, and reports whether a quote is among them: password[16],
// ["password"].
func nameEnd(text []byte, i int) (end int, isQuoted bool) {
	if j := look.RunEnd(text, i+1, 5, look.Digit); look.At(text, i) == '[' && look.At(text, j) == ']' {
		i = j + 1 // char password[16] = "v"
	}
	for range 4 {
		n := quoteEntity(text, i)
		if n == 0 && look.IsAt(text, i, look.Quote) {
			n = 1
		}
		if n > 0 {
			isQuoted = true
		} else if n = bracketLength(text, i); n == 0 {
			break
		}
		i += n
	}
	return i, isQuoted
}

// bracketLength returns the length of a bracket or similar mark at i that may be between a name and its operator, or 0.
func bracketLength(text []byte, i int) int {
	switch look.At(text, i) {
	case ']', ')', '\\', '?', '!', '*':
		return 1
	case '%':
		return look.AnyAt(text, i, []string{"%5D", "%5d"}) // user%5Bpassword%5D=v
	case '}':
		if look.IsAt(text, i+1, look.Quote) { // "${password}" == "v"
			return 1
		}
	}
	return 0
}

// nextLine returns the start of a value on the line after its operator, which ends at i, or i if the value is not there.
func (a *assignment) nextLine(text []byte, i int) int {
	if j := yamlBlock(text, i); a.op == ':' && j > 0 {
		a.block = true
		return j
	}
	if a.op == '>' && look.IsAt(text, i, look.Line) {
		// The only word on lines of its own in an element.
		start := look.SkipSpace(text, i)
		end := look.FindAny(text, start, look.MaxLength, " \t\r\n<")
		if look.HasAt(text, look.SkipSpace(text, end), "</") {
			return start
		}
		return i
	}
	if !look.IsIn(look.At(text, i), "\n\r\\") || !look.IsIn(a.op, "=:") {
		return i
	}
	j := look.RunEnd(text, i, 1, look.Escape)
	k := look.SkipSpace(text, j)
	if k == j || !look.IsAt(text, k, look.Quote) {
		return i
	}
	size := bytes.IndexByte(look.Clip(text, k+1, k+1+look.MaxLength), text[k])
	isKey := look.At(text, look.SkipBlank(text, k+2+size)) == ':'
	if size < 1 || isKey {
		return i
	}
	return k
}

// yamlBlock returns the start of the only line of a YAML block scalar whose mark (| or >) is at i, or 0.
func yamlBlock(text []byte, i int) int {
	if !look.IsIn(look.At(text, i), "|>") {
		return 0
	}
	for i++; look.IsIn(look.At(text, i), "-+"); {
		i++
	}
	start := look.SkipSpace(text, i)
	if look.At(text, i) != '\n' || start == i+1 {
		return 0 // not indented
	}
	n := bytes.IndexByte(look.Clip(text, start, start+look.MaxLength), '\n')
	if n < 0 {
		if start+look.MaxLength > len(text) {
			return start
		}
		return 0
	}
	indent := start - look.LineStart(text, start, 80)
	next := start + n + 1
	for end := look.SkipBlank(text, next); look.At(text, end) == '\n' && end-start < look.MaxLength; end = look.SkipBlank(text, next) {
		next = end + 1 // a blank line
	}
	if look.SkipBlank(text, next)-next >= indent {
		return 0 // another line of the block
	}
	return start
}

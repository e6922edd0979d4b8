package secret

import "bytes"

// assignedTo reads what follows a keyword that ends at hi: the rest of the name, an operator, and the value on the same line. It
// knows the forms of most languages and configuration files: a = "v", "a": "v", a: T = "v", a => "v", f("v"), ("a", "v"), <a>v</a>,
// key="a" value="v", a=v, --a v, ${a:-v}, set a v, s:1:"a";s:1:"v".
func assignedTo(text []byte, hi int) (assignment, bool) {
	i := runEnd(text, hi, maxName, nameChar)
	if at(text, i) == '>' && is(text[i-1], joinChar) {
		i-- // of ->
	}
	a := assignment{suffix: [2]int{hi, i}}
	i, quoted := nameEnd(text, i)
	if n := member(text, i); n > 0 && text[i-1] == ')' {
		if i += n; at(text, i) == '(' {
			a.op = '='
			i = skipBlank(text, i+1)
			return a, isAt(text, i, quoteChar) && a.value(text, i)
		}
	}
	if j := elsewhere(text, a.suffix, i); j > 0 {
		a.op = '='
		ok := a.value(text, j)
		a.block = a.quote == 0
		return a, ok
	}
	i, ok := a.operator(text, skipBlank(text, i), quoted)
	if !ok || quoted && a.op == ':' && isChoice(text, hi) {
		return a, false
	}
	return a, a.value(text, a.nextLine(text, skipBlank(text, i)))
}

// nameEnd is where the quotes and brackets behind a name end, and whether a quote is among them: password[16], ["password"].
func nameEnd(text []byte, i int) (end int, quoted bool) {
	if at(text, i) == '[' { // char password[16] = "v"
		if j := runEnd(text, i+1, 5, digitChar); at(text, j) == ']' {
			i = j + 1
		}
	}
	for range 4 {
		n := quoteEntity(text, i)
		if n == 0 && isAt(text, i, quoteChar) {
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
	switch at(text, i) {
	case ']', ')', '\\', '?', '!', '*':
		return 1
	case '%':
		if at(text, i+1) == '5' && lowerCase(at(text, i+2)) == 'd' { // user%5Bpassword%5D=v
			return 3
		}
	case '}':
		if isAt(text, i+1, quoteChar) { // "${password}" == "v"
			return 1
		}
	}
	return 0
}

// isChoice reports that the literal that reaches over hi is the first of two: ok ? "pass" : "fail".
func isChoice(text []byte, hi int) bool {
	lo := nameStart(text, hi)
	return at(text, runStart(text, lo, lo, quoteChar|blankChar)-1) == '?'
}

// nextLine is where a value begins that is on the line behind its operator, else i.
func (a *assignment) nextLine(text []byte, i int) int {
	if a.op == ':' && oneOf(at(text, i), "|>") {
		if j := yamlBlock(text, i); j > 0 {
			a.block = true
			return j
		}
	}
	if !oneOf(at(text, i), "\n\r\\") || !oneOf(a.op, "=:") {
		return i
	}
	j := i
	if text[j] == '\\' {
		j++
	}
	k := skipSpace(text, j)
	if k == j || !isAt(text, k, quoteChar) {
		return i
	}
	end := bytes.IndexByte(clip(text, k+1, k+1+maxValue), text[k])
	if end < 1 || at(text, skipBlank(text, k+2+end)) == ':' {
		return i
	}
	return k
}

// yamlBlock is where the only line of a block of YAML begins whose mark is at i, else 0.
func yamlBlock(text []byte, i int) int {
	for i++; oneOf(at(text, i), "-+"); {
		i++
	}
	if j := skipSpace(text, i); at(text, i) == '\n' && j > i+1 && isOneLine(text, j) {
		return j
	}
	return 0
}

// isOneLine reports that the line on which i is the first character is all of its block.
func isOneLine(text []byte, i int) bool {
	indent := i - lineStart(text, i, 80)
	n := bytes.IndexByte(clip(text, i, i+maxValue), '\n')
	if n < 0 {
		return i+maxValue > len(text)
	}
	next := i + n + 1
	for end := skipBlank(text, next); at(text, end) == '\n' && end-i < maxValue; end = skipBlank(text, next) {
		next = end + 1
	}
	return skipBlank(text, next)-next < indent
}

package secret

import (
	"bytes"

	"ken/internal/engine/source/secret/look"
)

// assignment is the value that is assigned to a name.
type assignment struct {
	start, end int
	quote      byte   // of a literal, 0 if the value has none
	op         byte   // the operator before the value, in the form that most languages write it: = : ( , > | ' '
	block      bool   // a bare value that is a line of its own, or a default in ${NAME:v}
	more       bool   // a literal that is the first of several arguments
	suffix     [2]int // the rest of the name, after the keyword
}

// readValue reads the value at i: a literal, a literal in a call or conversion, or a bare word.
func (a *assignment) readValue(text []byte, i int) bool {
	if look.HasAt(text, i, "new ") {
		i += len("new ")
	}
	if look.At(text, i) == '{' && look.IsIn(a.op, "=:") {
		i = memberValue(text, i)
	}
	if look.HasAt(text, i, "${") {
		return a.readDefault(text, i+len("${"))
	}
	if look.At(text, i) == '(' && look.IsAt(text, i+1, look.Quote) {
		i++ // ("v" "w") over lines
	}
	callee := look.RunEnd(text, i, 32, look.Name|look.Callee)
	i = argumentStart(text, i, callee)
	escapes := escapedQuote(text, i)
	if escapes == 0 {
		escapes = quoteEntity(text, i)
	}
	switch {
	case escapes > 0:
		return a.readEscapedLiteral(text, i+escapes)
	case !look.IsAt(text, i, look.Quote):
		return a.readBare(text, i)
	case !a.readLiteral(text, i):
		return false
	}
	if i > callee && look.At(text, look.SkipBlank(text, a.end+1)) == ',' {
		a.more = !nameContains(look.Clip(text, callee, i), hashVerbs[:])
	}
	return true
}

// memberValue returns the start of the value in { value: "v" }, or i if there is none.
func memberValue(text []byte, i int) int {
	near := text[i:look.FindAny(text, i, 100, "}\n;")]
	for _, word := range [...]string{"value:", "default:"} {
		if j := bytes.Index(near, []byte(word)); j > 0 && look.IsIn(near[j-1], " \t{") {
			return look.SkipBlank(text, i+j+len(word))
		}
	}
	return i
}

// readDefault reads the value in ${NAME:v} and ${NAME:-v}, whose name begins at i. A variable without a default is read as a bare word.
func (a *assignment) readDefault(text []byte, i int) bool {
	j := look.RunEnd(text, i, 62, look.Name)
	if look.At(text, j) != ':' || j == i {
		return a.readBare(text, i-len("${"))
	}
	if j++; look.IsIn(look.At(text, j), "-=") {
		j++
	}
	a.block = a.readBare(text, j) && look.At(text, a.end) == '}'
	return a.block
}

// argumentStart returns the start of the first argument of the call whose name is text[i:callee], or of a call within it, if it is a
// literal that may be the value. After a prefix of one or two letters, u"…", it returns the start of the literal. Otherwise it returns i.
func argumentStart(text []byte, i, callee int) int {
	switch size := callee - i; {
	case size < 1:
		return i
	case size < 3:
		if look.IsAt(text, callee, look.Quote) {
			return callee
		}
		return i
	case look.At(text, callee) != '(', isConversion(text[i:callee]):
		return i
	}
	first := look.SkipBlank(text, callee+1)
	if inner := look.RunEnd(text, first, 31, look.Name); look.At(text, inner) == '(' { // f(g("v"))
		first = inner + 1
	}
	if look.IsAt(text, first, look.Quote) {
		return first
	}
	return i
}

// isConversion reports whether the first argument of a call is no value, but a parameter of a conversion or the name of a thing to load:
// x.decode("UTF-8"), require("m").
func isConversion(callee []byte) bool {
	dot := bytes.LastIndexByte(callee, '.')
	verb := callee[dot+1:]
	switch {
	case dot < 0:
		return look.EqualsAny(verb, lookupCalls[:])
	case look.EqualFold(callee[:dot], "base64"):
		return false
	case look.AnyAt(verb, 0, lookupVerbs[:]) > 0:
		return true
	}
	return look.EqualsAny(verb, conversions[:])
}

// readQuoted reads the literal that must be at i.
func (a *assignment) readQuoted(text []byte, i int) bool {
	return look.IsAt(text, i, look.Quote) && a.readLiteral(text, i)
}

// readLiteral reads the literal whose quote is at i to the closing quote on the same line, or to the end of the line.
func (a *assignment) readLiteral(text []byte, i int) bool {
	q := text[i]
	a.quote = q
	i++
	switch {
	case look.At(text, i) != q:
	case look.At(text, i+1) == q:
		i += 2
	case q == '`':
		i++ // Markdown's ``v``
	}
	a.start, a.end = i, literalEnd(text, i, q, look.MaxLength)
	if a.end <= a.start {
		return false
	}
	if look.At(text, a.end) != q {
		closesOther := text[a.end-1] == ';' && look.Is(text[a.end-2], look.Quote)
		if closesOther || look.IsIn(text[a.start], "+,;).]}> ") {
			return false // the quote closed another literal: "PWD="+dir
		}
	}
	endsInBreak := a.end-a.start > 8 && look.HasAt(text, a.end-2, `\n`)
	if endsInBreak && text[a.end-3] != '\\' {
		a.end -= 2 // the line end of base64
	}
	return true
}

// literalEnd returns the end of the literal that begins at i: the place of its closing quote q, or the end of the line. It looks at most
// most bytes far.
func literalEnd(text []byte, i int, q byte, most int) int {
	for stop := min(len(text), i+most); i < stop; i++ {
		c := text[i]
		if c == q || look.Is(c, look.Line) {
			return i
		}
		if c == '\\' && !look.IsAt(text, i+1, look.Line) {
			i++
		}
	}
	return min(i, len(text))
}

// quoteEntity returns the length of a quote at i that is written as an HTML entity, such as &quot;, or 0.
func quoteEntity(text []byte, i int) int {
	if !look.IsIn(look.At(text, i), `&\`) {
		return 0
	}
	return look.AnyAt(text, i, quoteEntities[:])
}

// escapedQuote returns the length of a quote at i with the backslashes before it, as in JSON inside a string, or 0.
func escapedQuote(text []byte, i int) int {
	end := look.RunEnd(text, i, 7, look.Escape)
	if end == i || !look.IsAt(text, end, look.Quote) {
		return 0
	}
	return end + 1 - i
}

// readEscapedLiteral reads a \"value\" inside another literal, or a value in quotes that are entities.
func (a *assignment) readEscapedLiteral(text []byte, i int) bool {
	a.quote = '"'
	a.start = i
	for stop := min(len(text), i+look.MaxLength); i < stop && !look.IsIn(text[i], "\\\"\n") && quoteEntity(text, i) == 0; {
		i++
	}
	a.end = i
	return a.end > a.start
}

// readBare reads a value without quotes.
func (a *assignment) readBare(text []byte, i int) bool {
	a.start = i
	for stop := min(len(text), i+look.MaxLength); i < stop && !a.endsBare(text, i); {
		if i++; i-a.start == look.MinLong && look.InLongRun(text[a.start:i]) {
			return false // the search of long runs finds it, and reading it at each name in it would take the square of its length
		}
	}
	if a.end = i; i > a.start {
		a.end = a.start + len(bytes.TrimRight(text[a.start:i], `.:\`))
	}
	return a.end > a.start
}

// endsBare reports whether the value without quotes that begins at a.start ends at i.
func (a *assignment) endsBare(text []byte, i int) bool {
	c := text[i]
	switch {
	case look.Is(c, look.Close):
		if a.op == ':' && look.EndsLine(text, i+1) {
			before := text[look.LineStart(text, a.start, 120):a.start]
			if !bytes.ContainsAny(before, "({[") {
				return false // no bracket is open, so this one belongs to the value
			}
		}
		return !look.IsAt(text, i+1, look.Alnum)
	case c == '|' && a.op == '=':
		return i == a.start || !look.IsAt(text, i+1, look.Alnum)
	case c == '\\':
		return followsEscape(text, i+2) || isPropertyEscape(text, i)
	case c == '%':
		return look.HasAt(text, i, "%26")
	}
	return look.Is(c, look.Space|look.Delete|look.BareEnd)
}

// isPropertyEscape reports whether the byte at i is a backslash of the kind that Java's properties files write before some characters.
func isPropertyEscape(text []byte, i int) bool {
	return look.At(text, i) == '\\' && look.IsIn(look.At(text, i+1), "=:#!")
}

// escapedEnd returns the end of a value that contains escapes of properties files. The part before the first escape was judged already.
func (a *assignment) escapedEnd(text []byte) int {
	i := a.end
	if a.quote != 0 {
		return i
	}
	for i-a.end < look.MaxLength && isPropertyEscape(text, i) {
		i = look.RunEnd(text, i+2, len(text), look.Key)
	}
	return i
}

// joinLiterals returns the value joined with the literals that follow it, as in "a" + "b", and moves the value's end to theirs.
func (a *assignment) joinLiterals(text []byte) []byte {
	v := text[a.start:a.end]
	if a.quote == 0 || look.JoinLength(text, a.end) == 0 {
		return v
	}
	p := &look.Pieces{}
	p.Join(text, a.start)
	if p.Len() < 2 {
		return v
	}
	a.end = p.End(text)
	return p.Text()
}

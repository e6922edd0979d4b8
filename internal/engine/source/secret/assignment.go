package secret

import (
	"bytes"

	"ken/internal/engine/source/secret/look"
)

// assignment is the value found behind a name.
type assignment struct {
	start, end int
	quote      byte   // of a literal, 0 if the value has none
	op         byte   // what gives the name its value, in the form that most languages write it: = : ( , > | ' '
	block      bool   // a bare value that is a line of its own, or a default in ${NAME:v}
	more       bool   // a literal that is the first of several arguments
	suffix     [2]int // the rest of the name, behind the keyword
}

// value reads the value at i: a literal, a literal in a call or conversion, or a bare word.
func (a *assignment) value(text []byte, i int) bool {
	if look.HasAt(text, i, "new ") {
		i += len("new ")
	}
	if look.At(text, i) == '{' && look.IsIn(a.op, "=:") {
		i = memberValue(text, i)
	}
	if look.HasAt(text, i, "${") {
		return a.fallback(text, i+len("${"))
	}
	if look.At(text, i) == '(' && look.IsAt(text, i+1, look.Quote) {
		i++ // ("v" "w") over lines
	}
	callee := look.RunEnd(text, i, 32, look.Name|look.Callee)
	i = insideCall(text, i, callee)
	switch {
	case escapedQuote(text, i) > 0:
		return a.escapedLiteral(text, i+escapedQuote(text, i))
	case quoteEntity(text, i) > 0:
		return a.escapedLiteral(text, i+quoteEntity(text, i))
	case !look.IsAt(text, i, look.Quote):
		return a.bare(text, i)
	case !a.literal(text, i):
		return false
	}
	if i > callee && look.At(text, look.SkipBlank(text, a.end+1)) == ',' {
		a.more = !nameHas(look.Clip(text, callee, i), hashVerbs[:])
	}
	return true
}

// memberValue is the place of the value in { value: "v" }, i if there is none.
func memberValue(text []byte, i int) int {
	near := text[i:look.FindAny(text, i, 100, "}\n;")]
	for _, word := range [...]string{"value:", "default:"} {
		if j := bytes.Index(near, []byte(word)); j > 0 && look.IsIn(near[j-1], " \t{") {
			return look.SkipBlank(text, i+j+len(word))
		}
	}
	return i
}

// fallback reads the value in ${NAME:v} and ${NAME:-v}, whose name begins at i; a variable without one is read as a bare word.
func (a *assignment) fallback(text []byte, i int) bool {
	j := look.RunEnd(text, i, 62, look.Name)
	if look.At(text, j) != ':' || j == i {
		return a.bare(text, i-len("${"))
	}
	if j++; look.IsIn(look.At(text, j), "-=") {
		j++
	}
	a.block = a.bare(text, j) && look.At(text, a.end) == '}'
	return a.block
}

// insideCall is where the first argument of the call begins whose name is text[i:callee], or of a call within it, if it is a
// literal that may be the value. Behind a prefix of one or two letters, u"…", it is where the literal begins; else i.
func insideCall(text []byte, i, callee int) int {
	size := callee - i
	switch {
	case size < 1:
		return i
	case size < 3:
		if look.IsAt(text, callee, look.Quote) {
			return callee
		}
		return i
	case look.At(text, callee) != '(' || converts(text[i:callee]):
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

// converts reports a call whose first argument is no value but says how or where one is had: x.decode("UTF-8"), require("m").
func converts(callee []byte) bool {
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

// literal reads to the closing quote on the same line. One that is not closed there is read to the end of the line.
func (a *assignment) literal(text []byte, i int) bool {
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
	a.start, a.end = i, literalEnd(text, i, q)
	if a.end <= a.start {
		return false
	}
	if look.At(text, a.end) != q && look.IsIn(text[a.start], "+,;).]}> ") {
		return false // the quote closed a literal: "PWD="+dir
	}
	if look.At(text, a.end) != q && text[a.end-1] == ';' && look.Is(text[a.end-2], look.Quote) {
		return false // code that closes another quote
	}
	if a.end-a.start > 8 && look.HasAt(text, a.end-2, `\n`) && text[a.end-3] != '\\' {
		a.end -= 2 // the line end of base64
	}
	return true
}

// literalEnd is where the literal ends that begins at i and is closed by q, or its line.
func literalEnd(text []byte, i int, q byte) int {
	for stop := min(len(text), i+look.MaxLength); i < stop; i++ {
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

// quoteEntity is the length of the quote written as an entity at i, or 0.
func quoteEntity(text []byte, i int) int {
	if !look.IsIn(look.At(text, i), `&\`) {
		return 0
	}
	return look.AnyAt(text, i, quoteEntities[:])
}

// escapedQuote is the length of a quote with backslashes at i, as JSON in a string writes it, and JSON in that; 0 if there is none.
func escapedQuote(text []byte, i int) int {
	end := look.RunEnd(text, i, 7, look.Escape)
	if end == i || !look.IsAt(text, end, look.Quote) {
		return 0
	}
	return end + 1 - i
}

// escapedLiteral reads a \"value\" inside another literal, or a value in quotes that are entities.
func (a *assignment) escapedLiteral(text []byte, i int) bool {
	a.quote = '"'
	a.start = i
	for stop := min(len(text), i+look.MaxLength); i < stop && !look.IsIn(text[i], "\\\"\n") && quoteEntity(text, i) == 0; {
		i++
	}
	a.end = i
	return a.end > a.start
}

// bare reads an unquoted value.
func (a *assignment) bare(text []byte, i int) bool {
	a.start = i
	for stop := min(len(text), i+look.MaxLength); i < stop && !a.endsBare(text, i); {
		i++
	}
	if a.end = i; i > a.start {
		a.end = a.start + len(bytes.TrimRight(text[a.start:i], `.:\`))
	}
	return a.end > a.start
}

// endsBare reports that the bare value that begins at a.start ends at i.
func (a *assignment) endsBare(text []byte, i int) bool {
	c := text[i]
	switch {
	case c == '|' && a.op == '=' && i > a.start, look.Is(c, look.Close) && !a.closesLine(text, i):
		return !look.IsAt(text, i+1, look.Alnum)
	case look.Is(c, look.Close):
		return false
	case c == '\\':
		return escaped(text, i+2) || isPropertyEscape(text, i)
	case c == '%':
		return look.HasAt(text, i, "%26")
	}
	return look.Is(c, look.Space|look.Delete|look.BareEnd)
}

// closesLine reports a bracket at i that ends the line, of which none is open: it belongs to the value.
func (a *assignment) closesLine(text []byte, i int) bool {
	return a.op == ':' && look.EndsLine(text, i+1) && !isOpened(text, a.start)
}

// isOpened reports a bracket on the line before i.
func isOpened(text []byte, i int) bool {
	return bytes.ContainsAny(text[look.LineStart(text, i, 120):i], "({[")
}

// isPropertyEscape reports at i the backslash that Java's properties write before some characters.
func isPropertyEscape(text []byte, i int) bool {
	return look.At(text, i) == '\\' && look.IsIn(look.At(text, i+1), "=:#!")
}

// last is the end of a value with the escapes of properties in it, of which the part before the first was judged.
func (a *assignment) last(text []byte) int {
	i := a.end
	if a.quote != 0 {
		return i
	}
	for i-a.end < look.MaxLength && isPropertyEscape(text, i) {
		i = look.RunEnd(text, i+2, len(text), look.Key)
	}
	return i
}

// join is the value with the literals that are joined to it, whose end becomes the value's.
func (a *assignment) join(text []byte) []byte {
	v := text[a.start:a.end]
	if a.quote == 0 || look.Seam(text, a.end) == 0 {
		return v
	}
	p := &look.Pieces{}
	p.Join(text, a.start)
	if p.Len() < 2 {
		return v
	}
	a.end = p.At(len(p.Text()), true)
	return p.Text()
}

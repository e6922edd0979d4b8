package repair

import (
	"bytes"

	"ken/internal/engine/extract/lexical"
)

// Script lists the repairs of JavaScript and TypeScript. The first rewrites what the grammars do not know where it is: words of newer
// versions (`accessor`, `using`, `import defer`, `<in out T>`, attributes of an export), words of the language that are names (`yield`,
// `abstract`, `type`), and patterns with parentheses on the left of an assignment. A word that is a name gets a capital. The second
// rewrites an & in the text of an element.
func Script() []Source { return []Source{repairScript, repairMarkup} }

func repairScript(src []byte, _ func([]byte) bool) []byte {
	m := scriptRepairer{newRewriter(lexer{src: src})}
	for i := range m.tokens {
		switch word := m.text(i); word {
		case "{":
			m.specifiers(i)
		case "]", "}":
			m.pattern(i)
		case "<":
			m.angle(i)
		case "@":
			m.decorator(i)
		default:
			if lexical.IsSmall(word[0]) {
				m.word(i, word)
			}
		}
	}
	return m.out
}

// repairMarkup writes | over each & that is alone, because the grammar takes one in a text or attribute for the beginning of a character
// reference. An operator reads the same.
func repairMarkup(src []byte, _ func([]byte) bool) []byte {
	out := bytes.Clone(src)
	for i := 1; i+1 < len(src); i++ {
		if src[i] == '&' && src[i-1] != '&' && src[i+1] != '&' && src[i+1] != '=' {
			out[i] = '|'
		}
	}
	return out
}

type scriptRepairer struct{ *rewriter }

// endsName reports whether token i, behind a word, shows that the word is a name.
func (m scriptRepairer) endsName(i int) bool {
	return m.breaks(i) || m.is(i, "(", "<", ";", "=", ":", ",", "?", "!", ".", ")", "]", "}", "in", "instanceof", "as", "satisfies")
}

// word repairs word i.
func (m scriptRepairer) word(i int, word string) {
	isName := m.endsName(i + 1)
	switch word {
	case "yield":
		if m.is(i+1, ")", ",", "]", "}", "=", ":", ".") || m.text(i-1) == "new" {
			m.rename(i)
		}
	case "asserts":
		if m.text(i-1) == ":" && !m.isWord(i+1) {
			m.rename(i)
		}
	case "abstract", "accessor":
		m.modifier(i, word, isName)
	case "declare":
		if m.isModifier(i-1) && m.isWord(i+1) {
			m.blank(i, i)
		}
	case "static": // of an index signature
		if m.follows(i+1, "[", "word", ":") || m.follows(i+1, "readonly", "[") {
			m.blank(i, i)
		}
	case "in", "out":
		m.variance(i, word)
	case "type":
		m.typeWord(i)
	case "global":
		if m.text(i+1) == "{" && !m.touches(i+1) && !m.is(i-1, "declare", "module", "namespace") {
			m.out[m.tokens[i].end] = ':' // a label
		}
	case "using":
		m.using(i)
	case "defer", "source":
		switch {
		case m.text(i-1) == "." && m.text(i-2) == "import":
			m.blank(i-1, i)
		case m.text(i-1) == "import" && (m.is(i+1, "*", "{") || m.isWord(i+1) && m.text(i+1) != "from"):
			m.blank(i, i)
		}
	case "with", "assert":
		if m.text(i+1) == "{" && m.isString(i-1) && m.is(i-2, "from", "import") {
			m.write(i, ";+") // the attributes are a statement then
		}
	case "infer":
		m.infer(i)
	case "string", "number", "boolean", "any", "object", "symbol", "unknown", "never", "void", "null", "undefined":
		if isLabel := m.text(i+1) == ":" || m.text(i+1) == "?" && m.text(i+2) == ":"; isLabel && m.around(i) == "[" {
			m.rename(i) // the label of an element
		}
	}
}

func (m scriptRepairer) isModifier(i int) bool {
	return m.is(i, "abstract", "static", "declare", "override", "readonly", "public", "private", "protected")
}

// modifier repairs the words abstract and accessor, which are modifiers unless isName is set.
func (m scriptRepairer) modifier(i int, word string, isName bool) {
	switch {
	case isName:
		m.rename(i)
	case word == "abstract":
		if m.text(i-1) == "default" {
			m.blank(i, i)
		}
	case m.isModifier(i - 1):
		m.blank(i, i)
	}
}

// variance repairs in and out before a type parameter, and the in of a property whose type is left out: `{ [K in T] }`.
func (m scriptRepairer) variance(i int, word string) {
	switch {
	case !m.isWord(i + 1):
	case m.is(i-1, "<", ",") || m.text(i-1) == "const" && m.is(i-2, "<", ","):
		if word == "in" && m.text(i+1) == "out" {
			m.blank(i, i+1)
			copy(m.out[m.tokens[i].start:], "const")
		} else {
			m.blank(i, i)
		}
	case word == "in" && m.text(i-2) == "[":
		m.mapped(i)
	}
}

// mapped makes a tuple of a mapped type without a type of its properties, `{ readonly [K in T] }`, whose in is token i.
func (m scriptRepairer) mapped(i int) {
	open, end := m.tokens[i-2].open, m.shut(i-2)
	shut := m.shut(open)
	if end == i-2 || shut == open || !m.is(end+1, ";", "}", "+", "-") {
		return
	}
	m.write(i, "|")
	m.blank(open, open)
	m.blank(end+1, shut)
	if m.is(open+1, "+", "-") {
		m.blank(open+1, open+1)
	}
}

// typeWord repairs what follows the word type, or the word itself: `export type *`, `import type A = B.C`, `type as = 0`.
func (m scriptRepairer) typeWord(i int) {
	switch isRequired := m.isWord(i+1) && m.text(i+2) == "=" && m.text(i+3) == "require"; {
	case m.text(i-1) == "import" && isRequired && (m.text(i-2) == "export" || m.breaks(i+1)):
		m.blank(i, i)
		m.write(i-1, "   let")
	case m.follows(i-1, "export", "type", "*"), m.follows(i-1, "import", "type", "word", "="):
		m.blank(i, i)
	case m.is(i+1, "as", "satisfies") && m.text(i+2) == "=":
		m.rename(i + 1)
	}
}

// using makes a constant of what is declared with using, and a name of the word elsewhere.
func (m scriptRepairer) using(i int) {
	isName := !m.isWord(i+1) || m.endsName(i+1) || m.text(i+1) == "of" && m.text(i+2) != "="
	switch {
	case m.text(i-1) == ".":
	case isName:
		m.rename(i)
	case m.text(i-1) == "await":
		m.write(i-1, "  let") // the last letters of words stay, so that one of them counts as hidden
		m.blank(i, i)
	default:
		m.write(i, "const")
	}
}

// infer blanks the word before a type that is the condition of another: `(infer U extends A ? U : B)`.
func (m scriptRepairer) infer(i int) {
	if m.text(i+2) != "extends" || m.text(i-1) == "extends" {
		return
	}
	for k := i + 3; k < len(m.tokens) && m.tokens[k].open == m.tokens[i].open; k++ {
		if m.text(k) == "?" {
			m.blank(i, i)
		}
		if m.is(k, "?", ";", ",", ")", "]", "}") {
			return
		}
		k = m.shut(k)
	}
}

// specifiers repairs the names in `export { type as as, type if }` and imports, whose brace is token i.
func (m scriptRepairer) specifiers(i int) {
	end := m.shut(i)
	if !m.is(i-1, "export", "import", "type", ",") || !m.is(i-1, "export") && m.text(end+1) != "from" {
		return
	}
	for first := i + 1; first < end; first++ {
		last := first
		for last < end && m.isWord(last) {
			last++
		}
		switch last - first { // [type] name, [type] name as name
		case 2, 4:
			m.specialName(first + 1)
		case 1, 3:
			m.specialName(first)
		}
		if last-first > 2 {
			m.specialName(last - 1)
		}
		first = last
	}
}

// specialName renames the word i unless it is a plain name or default.
func (m scriptRepairer) specialName(i int) {
	if m.is(i, "type", "as", "if", "from", "in", "of") {
		m.rename(i)
	}
}

// pattern makes a comma of the = behind a pattern with parentheses or assertions, which ends at token i: `[(a)] = b`,
// `({ a: b as T } = c)`.
func (m scriptRepairer) pattern(i int) {
	first := m.tokens[i].open
	if m.text(i+1) != "=" || m.touches(i+2) && m.is(i+2, "=", ">") || first < 0 {
		return
	}
	first = m.tokens[i].open
	if m.isWord(first-1) || m.is(first-1, ")", "]") && !m.breaks(first) {
		return // an index, a body
	}
	for k := first + 1; k < i; k++ {
		if isCast := m.text(k) == "<" && k == first+1; isCast || m.is(k, "as", "satisfies") || m.text(k) == "(" && !m.isWord(k-1) {
			m.write(i+1, ",")
			return
		}
	}
}

// angle repairs what a < begins: a signature on a line of its own, whose member a semicolon ends; and type arguments where the grammar
// has no place for them.
//
//	(a: A): B
//	<T extends C>(b: T): D
//
// The grammar reads on, because it allows type arguments on a line of their own, which the language does not.
func (m scriptRepairer) angle(i int) {
	isEnd := m.isWord(i-1) || m.is(i-1, ">", "]", ")")
	end := m.angleEnd(i)
	isList := m.touches(i+1) || m.breaks(i+1) && end > 0 && m.text(end+1) == "("
	if isEnd && m.breaks(i) && m.isWord(i+1) && isList {
		if c := &m.out[m.tokens[i].start-1]; lexical.IsBlank(*c) {
			*c = ';'
		}
		return
	}
	if m.follows(i-2, "word", "<", "<", "word", ">", "(") {
		m.blank(i, i+2) // f<<T>(a: T) => B>()
		return
	}
	name := i - 1
	for m.text(name-1) == "." && m.isWord(name) {
		name -= 2
	}
	switch {
	case m.text(name-1) == "new" && m.text(i+1) != "<" && (end < 0 || m.text(end+1) != "("): // new A < b
		if m.write(i, "|"); end >= 0 && m.breaks(end+1) {
			m.blank(end, end)
		} else if end >= 0 {
			m.write(end, "|")
		}
	case end == i+1:
		m.blank(i, end)
	case end < 0 || !m.isWord(i-1) && m.text(i-1) != ")":
	case m.text(name-1) == "@":
		m.blank(i, end)
	case m.text(name) == ")" && m.text(m.tokens[name].open-1) == "import": // import("a").B<C, D>
		m.join(i, end, "&", "&", " ")
	case m.text(end+1) != "" && m.text(end + 1)[0] == '`': // a.b<{ c: D }>`…`
		m.join(i, end, "|", "|", "|")
	}
}

// join writes other marks over the brackets and commas of type arguments.
func (m scriptRepairer) join(i, end int, open, between, shut string) {
	m.write(i, open)
	m.write(end, shut)
	for k := i + 1; k < end; k = m.shut(k) + 1 {
		if m.text(k) == "," {
			m.write(k, between)
		}
	}
}

// decorator makes a call of an expression in parentheses that the grammar does not allow in a decorator.
func (m scriptRepairer) decorator(i int) {
	at, end := m.tokens[i].start, m.shut(i+1)
	if m.text(i+1) != "(" || at > 0 && !lexical.IsSpace(m.src[at-1]) {
		return
	}
	for k := i + 2; k < end; k++ {
		isSimple := m.isWord(k) || m.is(k, ".") && m.text(k-1) != ")"
		if m.is(k, "as", "satisfies") || !isSimple && !(m.text(k) == "(" && m.shut(k) == end-1) {
			if m.out[at] = 'D'; at > 0 {
				m.out[at-1] = '@'
			}
			return
		}
		k = m.shut(k)
	}
}

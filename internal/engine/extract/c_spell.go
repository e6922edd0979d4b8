package extract

import (
	"bytes"
	"strings"

	"ken/internal/engine/extract/lexical"
)

// cSpeller respells valid code of a file with errors for which the grammar has no rule. What it
// writes has the length of what was there, and names are read from the original, so that nothing but the tree changes.
type cSpeller struct {
	src, clean []byte
	tokens     []cToken
	masked     []byteRange // macros among the blanked text
	changed    bool
}

// respellC returns src with the parts respelled that the grammar never reads, or nil if there are none.
func respellC(f *file, src []byte) []byte {
	tokens, _ := lexC(src)
	s := cSpeller{src: src, clean: bytes.Clone(src), tokens: tokens}
	enums := 0 // braces open in an enum
	damage := f.damage
	for i := range tokens {
		for len(damage) > 0 && damage[0].start <= tokens[i].start {
			s.damage(i)
			damage = damage[1:]
		}
		switch t := &tokens[i]; t.kind {
		case tokDirective:
			s.condition(t)
		case '{':
			if enums > 0 || s.opensEnum(i) {
				enums++
			}
		case '}':
			enums = max(enums-1, 0)
		case ',':
			s.emptyArgument(i)
		case tokLiteral:
			s.joinedMacro(i)
		case '*':
			s.star(i)
		case '=':
			s.equals(i)
		case '+':
			if s.is(i+1, '+') && s.is(i+2, '=') && !s.is(i+3, '=') { // p++ = x
				s.blank(i, i+1)
			}
		case '~': // p->~T<int>()
			if s.isOneOf(i-1, memberMarks) && s.is(i+1, tokWord) && s.is(i+2, '<') {
				s.blankAngles(i + 2)
			}
		case tokWord:
			if enums == 1 && s.isEnumerators(i) {
				s.enumerators(i)
			} else {
				s.word(i)
			}
		}
	}
	return s.result(f)
}

// result returns the respelled source, or nil if all that was respelled is far from the errors: most of it is read as it is, and to parse
// it again would not help.
func (s *cSpeller) result(f *file) []byte {
	broken := brokenItemsC(f)
	for i := range s.src {
		if s.changed && s.clean[i] != s.src[i] && containsNext(&broken, uint32(i)) {
			f.masked = append(f.masked, s.masked...)
			return s.clean
		}
	}
	return nil
}

// brokenItemsC returns the declarations of a file in which errors are, each with its neighbours, in source order. Those of a class
// are one declaration.
func brokenItemsC(f *file) (broken []byteRange) {
	damage, before, isBroken := f.damage, uint32(0), false
	for n := root + 1; n < f.after(root); {
		switch f.kind(n) {
		case cxPreprocIf, cxPreprocIfdef, cxPreprocElif, cxPreprocElse, cxLinkage, cxNamespace, cxDeclarationList:
			n++
			continue
		}
		start, end := f.start(n), f.end(n)
		for len(damage) > 0 && damage[0].end < start {
			damage = damage[1:]
		}
		switch {
		case len(damage) > 0 && damage[0].start <= end:
			broken, isBroken = append(broken, byteRange{before, end}), true
		case f.isNamed(n) && !f.isExtra(n):
			if isBroken {
				broken[len(broken)-1].end = end
			}
			before, isBroken = start, false
		}
		n = f.after(n)
	}
	return broken
}

func (s *cSpeller) is(i int, kind byte) bool {
	return i >= 0 && i < len(s.tokens) && s.tokens[i].kind == kind
}

// isOneOf reports whether token i has one of the kinds.
func (s *cSpeller) isOneOf(i int, kinds string) bool {
	return i >= 0 && i < len(s.tokens) && strings.IndexByte(kinds, s.tokens[i].kind) >= 0
}

func (s *cSpeller) text(i int) string {
	if !s.is(i, tokWord) {
		return ""
	}
	return string(s.src[s.tokens[i].start:s.tokens[i].end])
}

func (s *cSpeller) isMacro(i int) bool { return s.is(i, tokWord) && isMacroName([]byte(s.text(i))) }

func (s *cSpeller) isString(i int) bool {
	return s.is(i, tokLiteral) && s.src[s.tokens[i].start] == '"'
}

// blank blanks the tokens from first to last.
func (s *cSpeller) blank(first, last int) {
	lexical.BlankBytes(s.clean[s.tokens[first].start:s.tokens[last].end])
	s.changed = true
}

// blankMacro blanks a macro, with its arguments if it has some, and keeps it for references. It returns its last token.
func (s *cSpeller) blankMacro(i int) int {
	last := i
	if s.clean[s.tokens[i].start] == ' ' {
		return last // blanked before
	}
	s.masked = append(s.masked, byteRange{s.tokens[i].start, s.tokens[i].end})
	if s.is(i+1, '(') {
		last = s.groupEnd(i + 1)
		s.masked = append(s.masked, byteRange{s.tokens[i+1].start, s.tokens[last].end})
	}
	s.blank(i, last)
	return last
}

// memberMarks are the kinds of tokens before the name of a member: tokScope, a dot, tokArrow.
const memberMarks = "S.\xbe"

// maxGroup bounds the tokens of a group in parentheses.
const maxGroup = 2000

// groupEnd returns the token that closes the parenthesis at i, or i if it is not near.
func (s *cSpeller) groupEnd(i int) int {
	depth := 0
	for k := i; k < len(s.tokens) && k < i+maxGroup; k++ {
		switch s.tokens[k].kind {
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			if depth--; depth == 0 {
				return k
			}
		}
	}
	return i
}

// groupStart returns the token that opens the parenthesis closed at i, or i if it is not near.
func (s *cSpeller) groupStart(i int) int {
	depth := 0
	for k := i; k >= 0 && k > i-maxGroup; k-- {
		switch s.tokens[k].kind {
		case ')', ']', '}':
			depth++
		case '(', '[', '{':
			if depth--; depth == 0 {
				return k
			}
		}
	}
	return i
}

// condition respells what is no expression in the condition of a directive: `__has_include(<x>)`, `HAS("x")`,
// `__has_cpp_attribute(a::b)`, `a ? b : c`.
func (s *cSpeller) condition(t *cToken) {
	line := s.clean[t.start:t.end]
	if w := bytes.TrimLeft(line[1:], " \t"); !bytes.HasPrefix(w, []byte("if")) && !bytes.HasPrefix(w, []byte("elif")) {
		return
	}
	for i := 0; i < len(line); i++ {
		switch {
		case bytes.HasPrefix(line[i:], []byte("(<")), bytes.HasPrefix(line[i:], []byte(`("`)):
			closing := byte('>')
			if line[i+1] == '"' {
				closing = '"'
			}
			n := bytes.IndexByte(line[i+2:], closing) + 2
			if n < 2 {
				return
			}
			s.masked = append(s.masked, byteRange{t.start + uint32(i+1), t.start + uint32(i+n+1)})
			lexical.BlankBytes(line[i+1 : i+n+1])
			line[i+1], s.changed = '0', true
		case bytes.HasPrefix(line[i:], []byte("::")):
			copy(line[i:], "__")
			s.changed = true
		case line[i] == '?', line[i] == ':':
			line[i], s.changed = '+', true
		}
	}
}

// emptyArgument removes the comma at i from the arguments of a macro if one beside it is empty or an operator: `f(, a)`, `f(a, , b)`,
// `f(a, >)`.
func (s *cSpeller) emptyArgument(i int) {
	last := i
	for last < i+2 && last+1 < len(s.tokens) && bytes.IndexByte([]byte("<>=!+-/%|^"), s.tokens[last+1].kind) >= 0 {
		last++
	}
	if s.is(i-1, '(') || s.is(last+1, ')') || s.is(last+1, ',') {
		s.blank(i, last)
	}
}

// writeBefore writes c over the blank before token i, and reports whether there is one.
func (s *cSpeller) writeBefore(i int, c byte) bool {
	at := s.tokens[i].start - 1
	if !lexical.IsBlank(s.clean[at]) {
		return false
	}
	s.clean[at], s.changed = c, true
	return true
}

// joinedMacro blanks a macro that is joined to the string before it, `"a" MACRO "b"`, and adds a string to a macro before it.
func (s *cSpeller) joinedMacro(i int) {
	word := s.text(i + 1)
	if s.isString(i) && s.is(i-1, ')') { // MACRO(x) "b"
		if before := s.text(s.groupStart(i-1) - 1); before != "" && !lexical.IsCWord(before) {
			s.writeBefore(i, '+')
		}
	}
	if !s.isString(i) || word == "" || lexical.IsCWord(word) || s.tokens[i+1].start == s.tokens[i].end {
		return
	}
	if before := s.text(i - 1); before != "extern" && before != "operator" {
		s.blankMacro(i + 1)
	}
}

// opensEnum reports whether the brace at i opens the list of an enum.
func (s *cSpeller) opensEnum(i int) bool {
	for k := i - 1; k >= 0 && k > i-8; k-- {
		switch {
		case s.text(k) == "enum":
			return true
		case s.is(k, tokWord), s.is(k, ':'), s.is(k, tokScope):
		default:
			return false
		}
	}
	return false
}

// isEnumerators reports whether the word at i, in the list of an enum, is a macro that stands for enumerators.
func (s *cSpeller) isEnumerators(i int) bool {
	begins := s.isOneOf(i-1, "{,") || s.tokens[i].newline && !s.isOneOf(i-1, "=|&+-")
	return begins && s.is(i+1, '(')
}

// enumerators blanks a macro that stands for enumerators, with the comma behind it.
func (s *cSpeller) enumerators(i int) {
	if last := s.blankMacro(i); s.is(last+1, ',') {
		s.blank(last+1, last+1)
	}
}

// word respells the code that begins with the word at i.
func (s *cSpeller) word(i int) {
	switch word := s.text(i); word {
	case "decltype":
		if s.is(i-1, ':') && s.is(i+1, '(') && s.is(s.groupEnd(i+1)+1, '{') { // struct s : decltype(x) {
			s.keepNames(i+1, s.groupEnd(i+1))
			s.blank(i-1, s.groupEnd(i+1))
			return
		}
		s.decltype(i)
	case "using":
		s.usingList(i)
	case "operator":
		s.operator(i)
	case "typeid": // typeid(int), whose argument is read as that of sizeof
		if s.is(i+1, '(') {
			copy(s.clean[s.tokens[i].start:], "sizeof")
			s.changed = true
		}
	case "delete": // delete[] (p)
		if s.is(i+1, '[') && s.is(i+2, ']') && s.is(i+3, '(') {
			s.blank(i+1, i+2)
		}
	case "throw": // a ? b : throw c, MACRO(throw c, d)
		if s.isOneOf(i-1, "?:(,") && !s.tokens[i].newline && s.isOneOf(i+1, "a\"") {
			s.blank(i, i)
		}
	case "default", "case":
		if s.is(i-1, ')') && s.tokens[i].newline {
			s.endMacro(s.groupStart(i-1)-1, i)
		}
	case "const": // va_arg(list, const T *)
		if s.is(i-1, ',') && s.is(i+2, '*') && s.is(i+3, ')') && s.text(i-4) == "va_arg" {
			s.blank(i, i)
			s.blank(i+2, i+2)
		}
	case "this": // (this T&, int)
		if s.is(i-1, '(') && s.is(i+1, tokWord) {
			s.blank(i, i)
		}
	case "friend": // [[nodiscard]] friend
		if start := s.groupStart(i - 1); s.is(start, '[') && s.is(start+1, '[') {
			s.blank(start, i-1)
		}
	case "consteval": // if !consteval {
		s.constantIf(i)
	case "unsigned", "signed", "short", "long":
		s.sizedCast(i)
	case "typename": // f(typename T::type())
		if s.is(i+1, tokWord) && (s.is(i+2, tokScope) || s.is(i+2, '<')) {
			s.blank(i, i)
		}
	case "template": // T::template f<U>(), extern template T f<U>();
		s.conditionsOfTemplate(i)
		if s.isOneOf(i-1, memberMarks) || s.text(i-1) == "extern" && !s.is(i+1, '<') {
			s.blank(i, i)
		}
	case "enum":
		s.underlying(i)
	case "new": // new T*[n]
		k := i + 1
		if s.text(k) == "const" {
			s.blank(k, k)
		}
		for s.is(k, tokWord) || s.is(k, tokScope) {
			k++
		}
		stars := k
		for s.is(k, '*') {
			k++
		}
		if k > stars && stars > i+1 && s.is(k, '[') {
			s.blank(stars, k-1)
		}
	case "typedef":
		s.typedefName(i)
	case "if": // if MACRO (x)
		if s.isMacro(i+1) && s.is(i+2, '(') {
			s.masked = append(s.masked, byteRange{s.tokens[i+1].start, s.tokens[i+1].end})
			s.blank(i+1, i+1)
		}
	case "__declspec", "__attribute__", "__attribute":
		if s.is(i+1, '(') {
			last := s.groupEnd(i + 1)
			s.masked = append(s.masked, byteRange{s.tokens[i].start, s.tokens[last].end})
			s.blank(i, last)
		}
	case "switch": // switch (x) case 1: f();
		if last := s.groupEnd(i + 1); s.text(last+1) == "case" && s.writeBefore(last+1, ';') {
			s.blank(i, i)
		}
	case "__stdcall", "__cdecl", "__fastcall", "__thiscall", "__vectorcall", "__ptr32", "__ptr64":
		s.blank(i, i)
	default:
		s.macro(i)
	}
	if s.is(i+1, ':') && s.is(i+2, tokLiteral) && s.is(i+3, ';') {
		s.bitField(i)
	}
}

// typedefName respells the name of `typedef T ssize_t;`, which the grammar takes for a type of the language.
func (s *cSpeller) typedefName(i int) {
	if headKeyword(s.text(i+2)) == itemBuiltin && s.is(i+1, tokWord) && s.is(i+3, ';') && headKeyword(s.text(i+1)) == itemName {
		s.clean[s.tokens[i+2].start], s.changed = 'X', true
	}
}

// star removes stars for which the grammar has no place: `p->*f`, `MACRO(T *, x)`, `void (C::*f)()`, `template <T* = nullptr>`.
// `p.*(f)` becomes an operation, and `int C::*` a pointer.
func (s *cSpeller) star(i int) {
	adjacent := i > 0 && s.tokens[i-1].end == s.tokens[i].start
	switch {
	case adjacent && (s.is(i-1, tokArrow) || s.is(i-1, '.') && s.is(i+1, tokWord)),
		s.is(i-1, tokWord) && s.is(i-2, '(') && s.is(i+1, ','),
		s.is(i+1, '=') && s.tokens[i+1].start > s.tokens[i].end && s.text(i+2) == "nullptr",
		s.is(i+1, '>') && s.text(i-2) == "const" && s.is(i-3, '='):
		if s.text(i-2) == "const" {
			s.blank(i-2, i-2)
		}
		s.blank(i, i)
	case adjacent && s.is(i-1, '.') && s.is(i+1, '('):
		s.clean[s.tokens[i-1].start], s.clean[s.tokens[i].start], s.changed = ' ', '+', true
	case s.is(i-1, tokScope):
		first := i - 1
		for s.is(first, tokScope) && s.is(first-1, tokWord) && !lexical.IsCWord(s.text(first-1)) {
			first -= 2
		}
		if first++; first < i-1 {
			s.keepNames(first, i-1)
			s.blank(first, i-1)
		}
	}
}

// underlying respells the type of several words behind an enum: `enum : unsigned long {`.
func (s *cSpeller) underlying(i int) {
	colon := i + 1
	for s.is(colon, tokWord) {
		colon++
	}
	last := colon
	for s.is(last+1, tokWord) {
		last++
	}
	if s.is(i+3, ':') && s.is(i+4, tokLiteral) && s.is(i+5, ';') { // enum e field : 8;
		s.blank(i, i)
	}
	if !s.is(colon, ':') || last == colon || !s.is(last+1, '{') {
		return
	}
	if colon == i+1 { // enum : T {
		s.masked = append(s.masked, byteRange{s.tokens[colon+1].start, s.tokens[last].end})
		s.blank(colon, last)
		return
	}
	switch s.text(last) {
	case "unsigned", "signed", "long", "short":
		s.masked = append(s.masked, byteRange{s.tokens[colon+1].start, s.tokens[last].end})
		s.blank(colon+1, last)
		copy(s.clean[s.tokens[last].start:], "int")
	}
}

// decltype respells decltype(auto), which is a type by itself, and the commas in decltype(a, b), where the grammar has no room for them.
func (s *cSpeller) decltype(i int) {
	if !s.is(i+1, '(') {
		return
	}
	if s.text(i+2) == "auto" && s.is(i+3, ')') {
		s.blank(i, i+1)
		s.blank(i+3, i+3)
		return
	}
	end, depth, angles := s.groupEnd(i+1), 0, 0
	for k := i + 1; k < end; k++ {
		switch s.tokens[k].kind {
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			depth--
		case '<':
			if s.is(k+1, '<') || s.is(k-1, '<') {
				continue // an operator
			}
			angles++
		case '>':
			angles--
		case ',':
			if depth == 1 && angles <= 0 {
				s.clean[s.tokens[k].start], s.changed = '+', true
			}
		}
	}
}

// damage respells the code around token i, where an error begins.
func (s *cSpeller) damage(i int) {
	switch {
	case s.isTagArgument(i), // MACRO(x, struct s, y)
		s.is(i-1, ')') && (s.text(i) == "const" || s.text(i) == "volatile"): // int (C::*f)() const
		s.blank(i, i)
	case s.is(i-1, ')') && s.tokens[i].newline: // MACRO(x), alone on the line before
		s.endMacro(s.groupStart(i-1)-1, i)
	case s.isTagArgument(i - 1):
		s.blank(i-1, i-1)
	case s.isMacro(i) && s.is(i+1, '('):
		if last := s.groupEnd(i + 1); s.is(last+1, ';') && last > i+2 {
			s.masked = append(s.masked, byteRange{s.tokens[i+1].start, s.tokens[last].end})
			s.blank(i+2, last-1)
		} else if last+1 < len(s.tokens) && s.tokens[last+1].newline {
			s.blankMacro(i)
		}
	}
}

// isTagArgument reports whether an argument begins with the word struct, union, class or enum at i.
func (s *cSpeller) isTagArgument(i int) bool {
	return headKeyword(s.text(i)) == itemTag && s.isOneOf(i-1, ",(") && s.is(i+1, tokWord)
}

// endMacro writes a semicolon between a macro that stands for a statement, or for the head of a loop, and the statement at next.
func (s *cSpeller) endMacro(macro, next int) {
	isCall := s.is(macro, tokWord) && s.tokens[macro].newline && !lexical.IsCWord(s.text(macro)) && s.is(macro+1, '(')
	if !isCall || next >= len(s.tokens) || !s.tokens[next].newline || s.tokens[next].kind == tokEnd {
		return
	}
	if at := s.tokens[next].start - 1; s.clean[at] == ' ' || s.clean[at] == '\t' {
		s.clean[at], s.changed = ';', true
	}
}

// blankArgumentsC returns src without the arguments of macros in which an error is, or nil if there are none.
func blankArgumentsC(f *file, src []byte) []byte {
	tokens, _ := lexC(src)
	s := cSpeller{src: src, clean: bytes.Clone(src), tokens: tokens}
	damage := f.damage
	for i := 0; i < len(tokens); i++ {
		if !s.isMacro(i) || !s.is(i+1, '(') {
			continue
		}
		last := s.groupEnd(i + 1)
		for len(damage) > 0 && damage[0].start < tokens[i+1].start {
			damage = damage[1:]
		}
		if last > i+2 && len(damage) > 0 && damage[0].end <= tokens[last].end && damage[0].start < tokens[last].end {
			s.masked = append(s.masked, byteRange{tokens[i+1].start, tokens[last].end})
			s.blank(i+2, last-1)
			i = last
		}
	}
	return s.result(f)
}

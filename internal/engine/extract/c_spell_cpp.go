package extract

import (
	"strings"

	"ken/internal/engine/extract/lexical"
)

// usingList blanks all names but the first of `using a::b, c::d;`, and the dots of `using T::f...;`. The reader of using
// declarations takes them from the text.
func (s *cSpeller) usingList(i int) {
	comma := 0
	for k := i + 1; k < len(s.tokens) && k < i+maxGroup; k++ {
		switch t := s.tokens[k]; {
		case t.kind == ';':
			if comma > 0 {
				s.masked = append(s.masked, byteRange{s.tokens[comma].start, s.tokens[k-1].end})
				s.blank(comma, k-1)
			}
			return
		case t.kind == '.':
			s.blank(k, k)
		case t.kind == ',' && comma == 0:
			comma = k
		case !s.isOneOf(k, "aS,()"):
			return
		}
	}
}

// operator makes an identifier of the name of an operator that is called as a function: `p.operator->()`, `x.operator bool()`,
// `operator()(x)`, `operator delete(p)`.
func (s *cSpeller) operator(i int) {
	isMember := s.isOneOf(i-1, ".\xbe")
	isCall := s.isOneOf(i-1, ";{}),=(?:") || s.text(i-1) == "return"
	symbol := s.is(i+1, '(') && s.is(i+2, ')') || s.text(i+1) == "delete" || s.text(i+1) == "new"
	if !isMember && (!isCall || !symbol) {
		return
	}
	last := i + 1
	if s.is(last, '(') || s.is(last, '[') {
		last++
	} else {
		for last+1 < len(s.tokens) && !s.isOneOf(last+1, "(;{}") && last < i+8 {
			last++
		}
	}
	if !s.is(last+1, '(') && !s.is(last+1, '<') {
		return
	}
	for at := s.tokens[i].end; at < s.tokens[last].end; at++ {
		if !lexical.IsWord(s.clean[at]) {
			s.clean[at], s.changed = '_', true
		}
	}
}

// constantIf respells `if consteval {` and `if !consteval {` as conditions.
func (s *cSpeller) constantIf(i int) {
	switch {
	case s.is(i-1, '!') && s.text(i-2) == "if":
		s.blank(i-1, i-1)
	case s.text(i-1) != "if":
		return
	}
	s.blank(i, i)
	copy(s.clean[s.tokens[i].start:], "(1)")
}

// sizedCast gives `unsigned(x)` and `short{x}` the name of a type that the grammar reads in a call.
func (s *cSpeller) sizedCast(i int) {
	if !s.isOneOf(i+1, "({") || s.is(i-1, tokWord) && s.text(i-1) != "return" {
		return
	}
	other := map[string]string{"unsigned": "char16_t", "signed": "double", "short": "float", "long": "char"}
	copy(s.clean[s.tokens[i].start:], other[s.text(i)])
	s.changed = true
}

// bitField blanks the width of a bit-field without a name: `int : 3;`.
func (s *cSpeller) bitField(i int) {
	first := i
	for s.is(first-1, tokWord) {
		first--
	}
	if s.isOneOf(first-1, ";{}") && headKeyword(s.text(i)) == itemBuiltin {
		s.blank(i+1, i+2)
	}
}

// equals respells `= delete` behind the words that can follow parameters, and the default of a parameter of a template
// without a name: `template <class T, enable_if_t<x> = 0>`.
func (s *cSpeller) equals(i int) {
	if word := s.text(i + 1); (word == "delete" || word == "default") && s.is(i+2, ';') {
		k := i - 1
		for s.is(k, '&') || headKeyword(s.text(k)) == itemAfter || s.text(k) == "const" {
			k--
		}
		if s.is(k, ')') {
			s.blank(i, i+1)
		}
		return
	}
	if s.is(i+1, '{') && s.is(i+2, '}') && s.isOneOf(i+3, ",)") { // f(T &x = {})
		s.blank(i, i+2)
		return
	}
	if !s.is(i-1, '>') || s.tokens[i-1].end == s.tokens[i].start {
		return
	}
	last := i
	for s.isOneOf(last+1, "aS\"") {
		last++
	}
	if last > i && s.isOneOf(last+1, ">,") {
		s.keepNames(i, last)
		s.blank(i, last)
	}
}

// keepNames keeps the names among tokens that are to be blanked, so that they become references.
func (s *cSpeller) keepNames(first, last int) {
	for k := first; k <= last; k++ {
		if s.is(k, tokWord) && !lexical.IsCWord(s.text(k)) {
			s.masked = append(s.masked, byteRange{s.tokens[k].start, s.tokens[k].end})
		}
	}
}

// blankAngles blanks template arguments, whose names become references.
func (s *cSpeller) blankAngles(i int) {
	depth := 0
	for k := i; k < len(s.tokens) && k < i+maxAngles; k++ {
		switch s.tokens[k].kind {
		case '<':
			depth++
		case '>':
			if depth--; depth == 0 {
				s.keepNames(i, k)
				s.blank(i, k)
				return
			}
		case ';', '{', '}', tokEnd:
			return
		}
	}
}

// macro blanks the macro at i where the grammar has no place for one.
func (s *cSpeller) macro(i int) {
	if s.isAnnotation(i) {
		if last := i; s.is(i+1, '(') {
			if last = s.groupEnd(i + 1); s.is(last+1, tokWord) {
				s.blankMacro(i)
			}
		} else if s.is(i+1, tokWord) {
			s.blankMacro(i)
		}
		return
	}
	if !s.isMacro(i) {
		return
	}
	switch {
	case s.is(i+1, '{') && (s.isOneOf(i-1, ";{") || s.is(i-1, '}') && s.tokens[i].newline), // MACRO { … }
		s.is(i-1, '(') && s.is(i+1, '*') && s.is(i+3, ')') && s.is(i+4, '('), // int (MACRO *f)(int)
		s.beforeName(i), s.afterName(i), s.isAlone(i):
		s.masked = append(s.masked, byteRange{s.tokens[i].start, s.tokens[i].end})
		s.blank(i, i)
	case s.is(i+1, '('):
		s.macroCall(i)
	}
}

// isAlone reports whether the macro at i is a statement on a line of its own, without a semicolon.
func (s *cSpeller) isAlone(i int) bool {
	if !s.isOneOf(i-1, ";{}") || !s.tokens[i].newline || !s.tokens[i+1].newline {
		return false
	}
	return s.isOneOf(i+1, "{}") || s.is(i+1, tokWord) && headKeyword(s.text(i+1)) == itemOther
}

// beforeName reports whether the macro at i stands for the scope of the name behind it: `f(STD move(x))`, `STD pair<int> p;`.
func (s *cSpeller) beforeName(i int) bool {
	if !s.is(i+1, tokWord) || lexical.IsCWord(s.text(i+1)) || headKeyword(s.text(i+1)) == itemOther {
		return false
	}
	switch before := headKeyword(s.text(i - 1)); {
	case s.isOneOf(i-1, "=&") || s.text(i-1) == "return":
		return true
	case s.isOneOf(i-1, "(,<!|?+-{") && s.isOneOf(i+2, "(<S"):
		return true
	case s.isOneOf(i-1, ";{}(") || s.is(i-1, tokWord) && (before == itemSpec || before == itemDecl):
		return s.isOneOf(i+2, "a<S&*") && !s.tokens[i+1].newline
	}
	return false
}

// conditionsOfTemplate respells the operators between conditions in the arguments of a type, which the grammar reads as the end of
// them: `template <class T, enable_if_t<!is<T>::value && has<T>::value> = 0>`.
func (s *cSpeller) conditionsOfTemplate(i int) {
	if !s.is(i+1, '<') {
		return
	}
	depth := 0
	for k := i + 1; k < len(s.tokens) && k < i+maxAngles; k++ {
		switch c := s.tokens[k].kind; c {
		case '<':
			depth++
		case '>':
			if s.is(k+1, '=') && depth > 1 && s.tokens[k].end == s.tokens[k+1].start {
				s.clean[s.tokens[k].start], s.clean[s.tokens[k+1].start], s.changed = '+', ' ', true
			} else if depth--; depth == 0 {
				return
			}
		case '&', '|':
			if depth > 1 && s.is(k+1, c) && s.isOneOf(k+2, "a!S(") {
				s.clean[s.tokens[k].start], s.clean[s.tokens[k+1].start], s.changed = ',', ' ', true
				k++
			}
		case '(', ';', '{', tokEnd:
			if c != '(' {
				return
			}
			k = max(s.groupEnd(k), k)
		}
	}
}

// macroCall blanks the macro at i if its arguments are no expression, or a declaration follows it on its line.
func (s *cSpeller) macroCall(i int) {
	last := s.groupEnd(i + 1)
	next := last + 1
	switch {
	case s.is(i+2, '=') && !s.is(i+3, '='), s.is(last-1, ';'), // MACRO(= x), MACRO(int x;)
		last == i+2 && s.is(next, tokWord) && !s.tokens[next].newline && !lexical.IsCWord(s.text(next)), // MACRO() name
		last <= i+5 && s.tokens[i].newline && s.isWords(i+2):                                            // MACRO(push x)
		s.blankMacro(i)
	case (s.text(i-1) == "typedef" || s.text(i-1) == "typename") && s.is(next, tokWord) && s.is(next+1, ';'), // typedef MACRO(T) name;
		(s.is(i-1, '=') || s.text(i-1) == "const") && s.isAlias(i): // using name = MACRO(T) *;
		s.masked = append(s.masked, byteRange{s.tokens[i+1].start, s.tokens[last].end})
		s.blank(i+1, last)
	}
}

// isWords reports whether a name and another word or a literal begin at i, as in no expression.
func (s *cSpeller) isWords(i int) bool {
	return s.is(i, tokWord) && !lexical.IsCWord(s.text(i)) && s.isOneOf(i+1, "a\"")
}

// isAlias reports whether the token at i is in the type of `using name = type`.
func (s *cSpeller) isAlias(i int) bool {
	for k := i; k > i-4; k-- {
		if s.is(k, '=') {
			return s.text(k-2) == "using"
		}
	}
	return false
}

// afterName reports whether the macro at i follows the name of a variable or parameter: `T x MACRO;`.
func (s *cSpeller) afterName(i int) bool {
	if !s.isOneOf(i+1, ",);") || !s.is(i-1, tokWord) || headKeyword(s.text(i-1)) != itemName {
		return false
	}
	switch k := headKeyword(s.text(i - 2)); {
	case s.is(i-2, tokWord):
		return (k == itemName || k == itemBuiltin) && s.text(i-2) != "return"
	default:
		return s.isOneOf(i-2, "*&>")
	}
}

// isAnnotation reports whether the word at i has the form of an annotation of Microsoft's headers: `_In_reads_`.
func (s *cSpeller) isAnnotation(i int) bool {
	word := s.text(i)
	return len(word) > 3 && word[0] == '_' && strings.ToLower(word[1:2]) != word[1:2] && strings.HasSuffix(word, "_")
}

package token

// This file holds the pre-tokenisers for any text: each function returns where
// the piece that starts at b[i] ends. They are the published patterns written
// out by hand, alternative by alternative, in their order; ascii.go has the
// common cases of source again, faster.

// nextCL100K follows the pattern of cl100k_base:
//
//	(?i:'s|'t|'re|'ve|'m|'ll|'d)
//	[^\r\n\p{L}\p{N}]?\p{L}+
//	\p{N}{1,3}
//	 ?[^\s\p{L}\p{N}]+[\r\n]*
//	\s*[\r\n]+
//	\s+(?!\S)
//	\s+
func nextCL100K(b []byte, i int) int {
	if end := contraction(b, i); end > i {
		return end
	}
	c, w := classAt(b, i)
	first := i + w
	switch {
	case letters.has(c):
		return run(b, first, letters)
	case c == number:
		return numbers(b, i)
	case prefixes.has(c):
		if end := run(b, first, letters); end > first {
			return end
		}
	}
	if end := symbolRun(b, i); end > i {
		return newlines(b, end, false)
	}
	return spaces(b, i)
}

// nextO200K follows the pattern of o200k_base, with A for
// [\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}] and B for [\p{Ll}\p{Lm}\p{Lo}\p{M}]:
//
//	[^\r\n\p{L}\p{N}]?A*B+(?i:'s|'t|'re|'ve|'m|'ll|'d)?
//	[^\r\n\p{L}\p{N}]?A+B*(?i:'s|'t|'re|'ve|'m|'ll|'d)?
//	\p{N}{1,3}
//	 ?[^\s\p{L}\p{N}]+[\r\n/]*
//	\s*[\r\n]+
//	\s+(?!\S)
//	\s+
func nextO200K(b []byte, i int) int {
	c, w := classAt(b, i)
	if c == number {
		return numbers(b, i)
	}
	if end := wordO200K(b, i, c, w); end > i {
		return contraction(b, end)
	}
	if end := symbolRun(b, i); end > i {
		return newlines(b, end, true)
	}
	return spaces(b, i)
}

// wordO200K matches the first two alternatives of o200k_base without the
// contraction. It returns the end of the match, or i if there is none. Each
// alternative has an optional prefix, so that there are four ways, in this
// order: A*B+ with and without the prefix, A+B* with and without.
func wordO200K(b []byte, i int, c class, w int) int {
	if letters.has(c) {
		end, _ := word(b, i)
		return end
	}
	if !prefixes.has(c) {
		return i
	}
	end, tail := word(b, i+w)
	if c == mark && !tail { // a mark may be the word itself, and always fits B+
		end, _ = word(b, i)
		return end
	}
	if end == i+w {
		return i
	}
	return end
}

// word matches A*B+ at b[i], or else A+B*; see nextO200K. It returns the end
// of the match, or i if there is none, and whether the first form matched.
func word(b []byte, i int) (end int, tail bool) {
	back := i // where A*B+ ends when A* has to give characters back
	for end = i; end < len(b); {
		c, w := classAt(b, end)
		if !wordHead.has(c) {
			if c == lower {
				return run(b, end+w, wordTail), true
			}
			break
		}
		end += w
		if wordTail.has(c) {
			back = end
		}
	}
	if back > i {
		return back, true
	}
	return end, false
}

// run returns the end of the longest run at b[i] of characters whose classes are in the set.
func run(b []byte, i int, set classSet) int {
	for i < len(b) {
		c, w := classAt(b, i)
		if !set.has(c) {
			break
		}
		i += w
	}
	return i
}

// contraction matches (?i:'s|'t|'re|'ve|'m|'ll|'d) at b[i] and returns the end of
// the match, or i if there is none. Without regard to case an s is also U+017F,
// the long s.
func contraction(b []byte, i int) int {
	if i+1 >= len(b) || b[i] != '\'' {
		return i
	}
	second := byte(0)
	if i+2 < len(b) {
		second = b[i+2] | 0x20
	}
	switch b[i+1] | 0x20 {
	case 's', 't', 'm', 'd':
		return i + 2
	case 'r', 'v':
		if second == 'e' {
			return i + 3
		}
	case 'l':
		if second == 'l' {
			return i + 3
		}
	}
	if b[i+1] == 0xc5 && i+2 < len(b) && b[i+2] == 0xbf {
		return i + 3
	}
	return i
}

// numbers returns the end of the match of \p{N}{1,3} at b[i], which is a number.
func numbers(b []byte, i int) int {
	for n := 0; n < 3 && i < len(b); n++ {
		c, w := classAt(b, i)
		if c != number {
			break
		}
		i += w
	}
	return i
}

// symbolRun returns the end of the match of ?[^\s\p{L}\p{N}]+ at b[i], or i if there is none.
func symbolRun(b []byte, i int) int {
	first := i
	if b[i] == ' ' {
		first++
	}
	if end := run(b, first, symbols); end > first {
		return end
	}
	return i
}

// newlines returns the end of the match of [\r\n]* at b[i] or, with slash set, of [\r\n/]*.
func newlines(b []byte, i int, slash bool) int {
	for ; i < len(b); i++ {
		switch c := b[i]; {
		case c == '\n', c == '\r', slash && c == '/':
		default:
			return i
		}
	}
	return i
}

// spaces matches \s*[\r\n]+|\s+(?!\S)|\s+ at b[i], which is white space: up to
// the last newline of the white space; else all of it but the last character,
// which goes with the word that follows; else all of it.
func spaces(b []byte, i int) int {
	newlineEnd, last, end := i, i, i
	for end < len(b) {
		c, w := classAt(b, end)
		if !whitespace.has(c) {
			break
		}
		last = end
		end += w
		if c == newline {
			newlineEnd = end
		}
	}
	switch {
	case newlineEnd > i:
		return newlineEnd
	case end < len(b) && last > i:
		return last
	}
	return end
}

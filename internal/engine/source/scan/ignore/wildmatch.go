package ignore

import "strings"

// Wildmatch reports whether text matches pattern, as git's wildmatch.c does.
// With pathname set, '*', '?' and classes do not match '/', and "**" between
// slashes matches any number of directories. fold ignores the case of ASCII
// letters.
//
// It is git's dowild() with indexes instead of pointers, and returns the same. The
// tests of this package come from git, and the differential test of scan/list
// compares it with git on random trees.
func Wildmatch(pattern, text string, pathname, fold bool) bool {
	m := matcher{pathname: pathname, fold: fold, steps: maxSteps}
	return m.match(pattern, text) == match
}

// maxSteps is the maximal number of steps of one match: nested "**/" can cost
// time exponential in their number. No pattern that people write comes near; one
// that does matches no path.
const maxSteps = 1 << 17

type result int8

const (
	noMatch result = iota
	match
	abortAll        // no text is left: a longer match is impossible too
	abortToStarStar // a '/' stopped a '*': only a "**" further out may continue
)

type matcher struct {
	pathname, fold bool
	steps          int
}

// byteAt returns s[i], or 0 past the end, as p[i] does in C.
func byteAt(s string, i int) byte {
	if i < len(s) {
		return s[i]
	}
	return 0
}

func lowerByte(c byte) byte {
	if c >= 'A' && c <= 'Z' {
		return c + 'a' - 'A'
	}
	return c
}

func (m *matcher) foldByte(c byte) byte {
	if m.fold {
		return lowerByte(c)
	}
	return c
}

func (m *matcher) match(pat, text string) result {
	t := 0
	for p := 0; p < len(pat); p, t = p+1, t+1 {
		if m.steps--; m.steps < 0 {
			return abortAll
		}
		pc, tc := m.foldByte(pat[p]), m.foldByte(byteAt(text, t))
		if t >= len(text) && pc != '*' {
			return abortAll
		}
		switch pc {
		case '\\':
			p++
			if byteAt(pat, p) != tc {
				return noMatch
			}
		case '?':
			if m.pathname && tc == '/' {
				return noMatch
			}
		case '*':
			rest, r, done := m.matchStar(pat, &p, text[t:])
			if done {
				return r
			}
			t = len(text) - len(rest)
		case '[':
			end, ok := m.matchClass(pat, p, tc)
			if end < 0 {
				return abortAll
			}
			if !ok || m.pathname && tc == '/' {
				return noMatch
			}
			p = end
		default:
			if tc != pc {
				return noMatch
			}
		}
	}
	if t < len(text) {
		return noMatch
	}
	return match
}

// matchStar matches one or more asterisks at pat[*p]. Either the match is decided
// (done), or a single "*/" has consumed text up to a slash, with which rest begins
// and which pat[*p] is.
func (m *matcher) matchStar(pat string, p *int, text string) (rest string, r result, done bool) {
	i := *p + 1
	slashes := !m.pathname
	if byteAt(pat, i) == '*' {
		prev := i - 2
		for i++; byteAt(pat, i) == '*'; i++ {
		}
		slashBefore := prev < 0 || pat[prev] == '/'
		slashAfter := i >= len(pat) || pat[i] == '/' || pat[i] == '\\' && byteAt(pat, i+1) == '/'
		if m.pathname && slashBefore && slashAfter {
			// "**/" also matches no directory at all.
			if byteAt(pat, i) == '/' && m.match(pat[i+1:], text) == match {
				return "", match, true
			}
			slashes = true
		}
	}
	*p = i
	if i >= len(pat) {
		if !slashes && strings.IndexByte(text, '/') >= 0 {
			return "", noMatch, true
		}
		return "", match, true
	}
	if !slashes && pat[i] == '/' {
		n := strings.IndexByte(text, '/')
		if n < 0 {
			return "", noMatch, true
		}
		return text[n:], noMatch, false
	}
	return "", m.matchAfterStar(pat[i:], text, slashes), true
}

// matchAfterStar matches pat at every place of text that an asterisk may reach; slashes states that it may reach over slashes.
func (m *matcher) matchAfterStar(pat, text string, slashes bool) result {
	literal := strings.IndexByte(special, pat[0]) < 0
	want := m.foldByte(pat[0])
	for t := 0; t < len(text); t++ {
		if literal {
			for t < len(text) && (slashes || text[t] != '/') && m.foldByte(text[t]) != want {
				t++
			}
			if m.foldByte(byteAt(text, t)) != want || t >= len(text) {
				return noMatch
			}
		}
		r := m.match(pat, text[t:])
		if r != noMatch {
			if !slashes || r != abortToStarStar {
				return r
			}
		} else if !slashes && text[t] == '/' {
			return abortToStarStar
		}
	}
	return abortAll
}

// matchClass matches the character class that begins at pat[p] ('['). end is the
// index of its ']', or -1 if the class is malformed.
func (m *matcher) matchClass(pat string, p int, tc byte) (end int, ok bool) {
	p++
	pc := byteAt(pat, p)
	negated := pc == '!' || pc == '^'
	if negated {
		p++
		pc = byteAt(pat, p)
	}
	matched := false
	for prev := byte(0); ; {
		switch {
		case p >= len(pat):
			return -1, false
		case pc == '\\':
			if p++; p >= len(pat) {
				return -1, false
			}
			pc = pat[p]
			matched = matched || tc == pc
		case pc == '-' && prev != 0 && p+1 < len(pat) && pat[p+1] != ']':
			if p++; pat[p] == '\\' {
				if p++; p >= len(pat) {
					return -1, false
				}
			}
			matched = matched || m.inRange(tc, prev, pat[p])
			pc = 0
		case pc == '[' && byteAt(pat, p+1) == ':':
			n := strings.IndexByte(pat[p+2:], ']')
			if n < 0 {
				return -1, false
			}
			if n == 0 || pat[p+1+n] != ':' { // no ":]": a plain '['
				matched = matched || tc == '['
				break
			}
			known, in := m.matchPOSIXClass(pat[p+2:p+1+n], tc)
			if !known {
				return -1, false
			}
			matched = matched || in
			p, pc = p+2+n, 0
		default:
			matched = matched || tc == pc
		}
		prev = pc
		p++
		if pc = byteAt(pat, p); pc == ']' {
			return p, matched != negated
		}
	}
}

func (m *matcher) inRange(tc, lo, hi byte) bool {
	if tc >= lo && tc <= hi {
		return true
	}
	if m.fold && tc >= 'a' && tc <= 'z' {
		up := tc - 'a' + 'A'
		return up >= lo && up <= hi
	}
	return false
}

// matchPOSIXClass reports whether the named class exists and c is in it. Bytes outside ASCII are in none;
// "space" is as in git, without form feed and vertical tab.
func (m *matcher) matchPOSIXClass(name string, c byte) (known, in bool) {
	isLower, isUpper, digit := c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c >= '0' && c <= '9'
	graph := c > ' ' && c < 0x7f
	switch name {
	case "alnum":
		return true, isLower || isUpper || digit
	case "alpha":
		return true, isLower || isUpper
	case "blank":
		return true, c == ' ' || c == '\t'
	case "cntrl":
		return true, c < ' ' || c == 0x7f
	case "digit":
		return true, digit
	case "graph":
		return true, graph
	case "lower":
		return true, isLower
	case "print":
		return true, graph || c == ' '
	case "punct":
		return true, graph && !isLower && !isUpper && !digit
	case "space":
		return true, c == ' ' || c == '\t' || c == '\n' || c == '\r'
	case "upper":
		return true, isUpper || m.fold && isLower
	case "xdigit":
		hex := lowerByte(c)
		return true, digit || hex >= 'a' && hex <= 'f'
	}
	return false, false
}

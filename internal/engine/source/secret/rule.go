package secret

import "regexp"

// form says how a rule looks at the place of its keyword.
type form uint8

const (
	formToken  form = iota // the expression is anchored at the start of the keyword, or of the word around it
	formNear               // the keyword is in a name, and the value assigned to that name matches the expression as a whole
	formCustom             // a scanner of its own
	formList               // a scanner that finds several values at one keyword
)

// window bounds what an expression may read from its start; longWindow is for the few formats that carry a whole document.
const (
	window     = 320
	longWindow = 4096
)

// rule is one entry of the tables. keys are the lower-case literals that make the engine look.
type rule struct {
	id, kind string
	keys     []string
	form     form
	expr     string                             // the first group that matches is the value, else the whole match
	back     int                                // formToken: how far the match may begin before the keyword
	long     bool                               // formToken: reads longWindow
	pre      func(text []byte, lo, hi int) bool // a cheap look before the expression, for keywords that are common
	check    func(value []byte) bool
	scan     func(text []byte, lo, hi int) (start, end int, ok bool)
	list     func(text []byte, lo, hi int, found func(start, end int))
}

// token is a rule for values with a shape of their own.
func token(id, kind, expr string, keys ...string) rule {
	return rule{id: id, kind: kind, expr: expr, keys: keys, check: plausibleToken}
}

// tokenAround is a token whose keyword stands up to back bytes after its beginning.
func tokenAround(id, kind string, back int, expr string, keys ...string) rule {
	return rule{id: id, kind: kind, expr: expr, keys: keys, back: back, check: plausibleToken}
}

// tokenLong is a token that may be kilobytes long.
func tokenLong(id, kind, expr string, keys ...string) rule {
	r := token(id, kind, expr, keys...)
	r.long = true
	return r
}

// when adds a cheap look.
func (r rule) when(pre func(text []byte, lo, hi int) bool) rule {
	r.pre = pre
	return r
}

// checked replaces the common check of the value.
func (r rule) checked(check func([]byte) bool) rule {
	r.check = check
	return r
}

// hexAfter and its like look at one or two bytes beside the keyword.
func hexAfter(text []byte, _, hi int) bool  { return isHex(at(text, hi)) && isHex(at(text, hi+1)) }
func hexBefore(text []byte, lo, _ int) bool { return lo > 1 && isHex(text[lo-1]) && isHex(text[lo-2]) }

// base32After looks at the six bytes behind the keyword, and at its own.
func base32After(text []byte, lo, hi int) bool {
	for i := lo; i < hi+6; i++ {
		if c := at(text, i); !isUpper(c) && (c < '2' || c > '7') {
			return false
		}
	}
	return true
}

func digitBefore1(text []byte, lo, _ int) bool {
	return lo > 0 && portLike(text[lo-1:lo])
}

func digitBefore(text []byte, lo, _ int) bool {
	return lo > 1 && portLike(text[lo-2:lo])
}

// dotAt looks for a dot n bytes behind the start of the keyword.
func dotAt(n int) func([]byte, int, int) bool {
	return func(text []byte, lo, _ int) bool { return at(text, lo+n) == '.' }
}

// near is a rule for values without a shape of their own, told by the name they are assigned to.
func near(id, kind, expr string, keys ...string) rule {
	return rule{id: id, kind: kind, expr: expr, keys: keys, form: formNear, check: nearValue}
}

// custom is a rule with its own scanner.
func custom(id, kind string, scan func([]byte, int, int) (int, int, bool), keys ...string) rule {
	return rule{id: id, kind: kind, keys: keys, form: formCustom, scan: scan}
}

// list is a rule whose scanner finds any number of values.
func list(id, kind string, scan func([]byte, int, int, func(int, int)), keys ...string) rule {
	return rule{id: id, kind: kind, keys: keys, form: formList, list: scan}
}

// match applies rule i at the keyword text[lo:hi].
func (e *Engine) match(i int, text []byte, lo, hi int) (int, int, bool) {
	r := &e.rules[i]
	switch r.form {
	case formCustom:
		return r.scan(text, lo, hi)
	case formNear:
		return e.matchNear(i, r, text, hi)
	}
	return e.matchToken(i, r, text, lo)
}

func (e *Engine) matchToken(i int, r *rule, text []byte, lo int) (int, int, bool) {
	if r.pre != nil && !r.pre(text, lo, lo+len(r.keys[0])) {
		return 0, 0, false
	}
	for n := 0; n < r.back && lo > 0 && isTokenByte(text[lo-1]); n++ {
		lo--
	}
	if lo > 0 && isAlnum(text[lo]) && isAlnum(text[lo-1]) && r.back == 0 && !escaped(text, lo) && !coloured(text, lo) {
		return 0, 0, false
	}
	size := window
	if r.long {
		size = longWindow
	}
	win := text[lo:min(len(text), lo+size)]
	m := e.expression(i).FindSubmatchIndex(win)
	if m == nil {
		return e.matchJoined(i, r, text, lo)
	}
	start, end := group(m)
	if end < len(win) && isAlnum(win[end]) {
		return 0, 0, false
	}
	if !r.check(win[start:end]) {
		return 0, 0, false
	}
	if end == len(win) {
		end = tokenEnd(text, lo+end) - lo // cut by the window: the rest must not stay readable
	}
	return lo + start, lo + end, true
}

func (e *Engine) matchNear(i int, r *rule, text []byte, hi int) (int, int, bool) {
	a, ok := assignedTo(text, hi)
	if !ok || a.end-a.start < minValue {
		return 0, 0, false
	}
	value := text[a.start:a.end]
	if e.expression(i).FindIndex(value) == nil || !r.check(value) {
		return 0, 0, false
	}
	return a.start, a.end, true
}

// expression compiles on first use. Token expressions are anchored at the start, near expressions at both ends.
func (e *Engine) expression(i int) *regexp.Regexp {
	x := &e.exprs[i]
	x.once.Do(func() {
		if e.rules[i].form == formNear {
			x.re = regexp.MustCompile(`\A(?:` + e.rules[i].expr + `)\z`)
			return
		}
		x.re = regexp.MustCompile(`\A(?:` + e.rules[i].expr + `)`)
	})
	return x.re
}

// group is the span of the first group that matched, else of the whole match.
func group(m []int) (int, int) {
	for i := 2; i < len(m); i += 2 {
		if m[i] >= 0 {
			return m[i], m[i+1]
		}
	}
	return m[0], m[1]
}

// escaped reports that text[at-1] belongs to an escape such as \n, so that a token behind it starts at a boundary after all.
func escaped(text []byte, at int) bool {
	return at >= 2 && at <= len(text) && text[at-2] == '\\' && (text[at-1] == 'n' || text[at-1] == 't' || text[at-1] == 'r')
}

// coloured reports that the escape sequence of a terminal's colour ends before at.
func coloured(text []byte, at int) bool {
	i := at - 2
	for i > 0 && at-i < 12 && ('0' <= text[i] && text[i] <= '9' || text[i] == ';') {
		i--
	}
	return i > 0 && text[at-1] == 'm' && text[i] == '['
}

func tokenEnd(b []byte, at int) int {
	for at < len(b) && isTokenByte(b[at]) {
		at++
	}
	return at
}

func isAlnum(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9'
}

func isTokenByte(c byte) bool {
	return isAlnum(c) || c == '_' || c == '-' || c == '~' || c == '.'
}

package secret

import (
	"bytes"
	"regexp"
	"strings"

	"ken/internal/engine/source/secret/look"
	"ken/internal/engine/source/secret/rules"
)

// window bounds what an expression may read from its start; longWindow is for the few formats that carry a whole document.
const (
	window     = 320
	longWindow = 4096
)

// match applies rule i at the keyword text[lo:hi].
func (e *Engine) match(i int, text []byte, lo, hi int) (int, int, bool) {
	r := &e.rules[i]
	switch r.Form {
	case rules.FormCustom:
		return r.Scan(text, lo, hi)
	case rules.FormNear:
		return e.matchNear(i, r, text, lo, hi)
	}
	return e.matchToken(i, r, text, lo)
}

func (e *Engine) matchToken(i int, r *rules.Rule, text []byte, lo int) (int, int, bool) {
	if r.Pre != nil && !r.Pre(text, lo, lo+len(r.Keys[0])) {
		return 0, 0, false
	}
	lo = look.RunStart(text, lo, r.Back, look.Token)
	if r.Back == 0 && isWithinWord(text, lo) {
		return 0, 0, false
	}
	size := window
	if r.Long {
		size = longWindow
	}
	near := look.Clip(text, lo, lo+size)
	m := e.expression(i).FindSubmatchIndex(near)
	if m == nil {
		return e.matchJoined(i, r, text, lo)
	}
	start, end := group(m)
	if end == m[1] && goesOn(near, end, e.exprs[i].dashes) || !convinces(r, near[start:end]) {
		return 0, 0, false
	}
	if end == len(near) {
		end = look.RunEnd(text, lo+end, len(text), look.Token) - lo // cut by the window: the rest must not stay readable
	}
	return lo + start, lo + end, true
}

// goesOn reports that the word of a token goes on behind its end, which makes it another format, or a part of an identifier. A dash
// divides words, unless tokens of the format have dashes themselves.
func goesOn(text []byte, end int, dashes bool) bool {
	switch look.At(text, end) {
	case '_':
		return look.IsAt(text, end+1, look.Alnum)
	case '-':
		return dashes && look.IsAt(text, end+1, look.Alnum)
	}
	return look.IsAt(text, end, look.Alnum)
}

// isElided reports that the rest of a value was left out: ghp_x1Yz...
func isElided(text []byte, end int) bool {
	return look.HasAt(text, end, "...") || look.HasAt(text, end, "\u2026")
}

// isWithinWord reports that what begins at i goes on a word that began before.
func isWithinWord(text []byte, i int) bool {
	if !look.IsAt(text, i-1, look.Alnum) || !look.Is(text[i], look.Alnum) {
		return false
	}
	return !escaped(text, i) && !isColoured(text, i)
}

// isColoured reports that the escape sequence of a terminal's colour ends before i.
func isColoured(text []byte, i int) bool {
	if look.At(text, i-1) != 'm' {
		return false
	}
	start := look.RunStart(text, i-1, 10, look.Digit|look.Semicolon)
	return start > 1 && text[start-1] == '['
}

// strongWords are the words in keywords that say secret by themselves. A vendor's name does not, so it has to begin a word: okta is no
// part of rookTable.
var strongWords = [...]string{"secret", "token", "key", "auth", "pass", "access"}

func (e *Engine) matchNear(i int, r *rules.Rule, text []byte, lo, hi int) (int, int, bool) {
	if !startsWord(text, lo) && look.IsAt(text, lo-1, look.Letter) && !nameHas(text[lo:hi], strongWords[:]) {
		return 0, 0, false
	}
	a, ok := assignedTo(text, hi)
	if !ok || a.end-a.start < look.MinLength {
		return 0, 0, false
	}
	if r.Plain && namesOtherThing(text, lo, a.suffix) && !isHalf(text, &a) {
		return 0, 0, false
	}
	if nameHasPart(text[a.suffix[0]:a.suffix[1]], digestNames[:]) {
		return 0, 0, false
	}
	v := a.join(text)
	return a.start, a.end, e.expression(i).Match(v) && convinces(r, v)
}

// isHalf reports the identifier of a pair whose other half is the key, as acme_id beside acme_key: a long random value is one of the
// pair's two secrets, because vendors do not agree which of them they call by what name.
func isHalf(text []byte, a *assignment) bool {
	suffix := bytes.ToLower(bytes.TrimLeft(text[a.suffix[0]:a.suffix[1]], "_-."))
	if !look.EqualsAnyFold(suffix, []string{"id", "userid", "user_id", "user", "username", "account"}) {
		return false
	}
	v := look.New(text[a.start:a.end], a.quote != 0)
	return v.Has(look.Part)
}

// matchJoined applies a token rule to the literal at lo joined with those that follow.
func (e *Engine) matchJoined(i int, r *rules.Rule, text []byte, lo int) (int, int, bool) {
	quote := bytes.IndexAny(look.Clip(text, lo, lo+64), "\"'`")
	if quote < 2 || look.Seam(text, lo+quote) == 0 {
		return 0, 0, false
	}
	var p look.Pieces
	p.Join(text, lo)
	m := e.expression(i).FindSubmatchIndex(p.Text())
	if m == nil {
		return 0, 0, false
	}
	start, end := group(m)
	return p.At(start, false), p.At(end, true), convinces(r, p.Text()[start:end])
}

// convinces reports that a value looks like one of the rule.
func convinces(r *rules.Rule, text []byte) bool {
	if r.Check != nil {
		return r.Check(text)
	}
	v := look.New(text, false)
	return v.Has(r.Looks)
}

// expression compiles on first use. Token expressions are anchored at the start, near expressions at both ends.
func (e *Engine) expression(i int) *regexp.Regexp {
	x := &e.exprs[i]
	x.once.Do(func() {
		expr := `\A(?:` + e.rules[i].Expr + `)`
		if e.rules[i].Form == rules.FormNear {
			expr += `\z`
		}
		x.re = regexp.MustCompile(expr)
		x.dashes = endsInDashes(e.rules[i].Expr)
	})
	return x.re
}

// endsInDashes reports that the last class of an expression holds the dash, which is written last in a class.
func endsInDashes(expr string) bool {
	class := expr[strings.LastIndexByte(expr, '[')+1:]
	i := strings.IndexByte(class, ']')
	return i > 0 && class[i-1] == '-'
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

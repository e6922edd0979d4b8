package secret

import (
	"bytes"
	"regexp"
	"strings"

	"ken/internal/engine/source/secret/look"
	"ken/internal/engine/source/secret/rules"
)

// window is the maximal number of bytes that an expression reads from its start: those of a value that is too short for look.FindLong, and
// those of the command around it. longWindow is for the few formats that carry a whole document.
const (
	window     = look.MinLong + 212
	longWindow = 4096
	farWindow  = 128 << 10 // for a value that reaches over the end of the others
)

// matchRule applies rule i at the keyword text[lo:hi]. It returns the span of the value, and reports whether there is one. If there is
// none, a span that is not empty is a text that was judged, which is most of the work.
func (e *Engine) matchRule(i int, text []byte, lo, hi int) (int, int, bool) {
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
	m := e.ruleExpression(i).FindSubmatchIndex(near)
	if m == nil {
		return e.matchJoined(i, r, text, lo)
	}
	start, end := groupSpan(m)
	if end == len(near) && lo+end < len(text) && isSecret(r, near[start:end]) { // cut by the window: the rest must not stay readable
		near = look.Clip(text, lo, lo+farWindow)
		if far := e.ruleExpression(i).FindSubmatchIndex(near); far != nil {
			m = far
			start, end = groupSpan(m)
		}
	}
	if quote := look.At(text, lo-1); look.Is(quote, look.Quote) { // the literal that begins with the match ends with it
		if literal := literalEnd(text, lo+start, quote, end-start) - lo; literal < end {
			return lo + start, lo + literal, literal-start >= minInLiteral && isSecret(r, near[start:min(literal, start+look.MaxLength)])
		}
	}
	isCut := end == m[1] && continuesWord(near, end, e.exprs[i].endsInDashes)
	isToken := !isCut && isSecret(r, near[start:min(end, start+look.MaxLength)])
	return lo + start, lo + end, isToken
}

// minInLiteral is the minimal length of a value that the end of a literal cuts: those of passwords are the shortest that are looked for.
const minInLiteral = 4

// continuesWord reports whether a word continues after the end of a token, which makes it another format, or a part of an identifier. A
// dash ends a word, unless tokens of the format have dashes themselves.
func continuesWord(text []byte, end int, hasDashes bool) bool {
	joints := "_"
	if hasDashes {
		joints = "_-"
	}
	if look.IsIn(look.At(text, end), joints) {
		end++
	}
	return look.IsAt(text, end, look.Alnum)
}

// isWithinWord reports whether the byte at i continues a word that began before it.
func isWithinWord(text []byte, i int) bool {
	switch {
	case !look.IsAt(text, i-1, look.Alnum), !look.Is(text[i], look.Alnum), followsEscape(text, i):
		return false
	case text[i-1] != 'm':
		return true
	}
	start := look.RunStart(text, i-1, 10, look.Digit|look.Semicolon) // of the escape sequence of a terminal's colour
	return start < 2 || text[start-1] != '['
}

// strongWords are those words in keywords that mean a secret by themselves. The name of a vendor does not, so it must begin a word:
// okta is no part of rookTable.
var strongWords = [...]string{"secret", "token", "key", "auth", "pass", "access"}

func (e *Engine) matchNear(i int, r *rules.Rule, text []byte, lo, hi int) (int, int, bool) {
	isWithin := look.IsAt(text, lo-1, look.Letter) && !startsPart(text, lo)
	if isWithin && !nameContains(text[lo:hi], strongWords[:]) {
		return 0, 0, false
	}
	a, ok := readAssignment(text, hi)
	if !ok || a.end-a.start < look.MinLength {
		return 0, 0, false
	}
	if r.Plain && namesOtherThing(text, lo, a.suffix) && !isRandomID(text, &a) {
		return a.start, a.end, false
	}
	if nameContainsPart(text[a.suffix[0]:a.suffix[1]], digestNames[:]) {
		return a.start, a.end, false
	}
	v := a.joinLiterals(text)
	return a.start, a.end, e.ruleExpression(i).Match(v) && isSecret(r, v)
}

// isRandomID reports whether an assignment gives a name such as acme_id a long random value. The name is that of an identifier, whose
// other half is the secret key; but vendors do not agree on the names of the two halves, so that the value counts as a secret, too.
func isRandomID(text []byte, a *assignment) bool {
	suffix := bytes.TrimLeft(text[a.suffix[0]:a.suffix[1]], "_-.")
	if !look.EqualsAnyFold(suffix, []string{"id", "userid", "user_id", "user", "username", "account"}) {
		return false
	}
	v := look.New(text[a.start:a.end], a.quote != 0)
	return v.Has(look.Part)
}

// matchJoined applies a token rule to the literal at lo joined with those that follow.
func (e *Engine) matchJoined(i int, r *rules.Rule, text []byte, lo int) (int, int, bool) {
	quote := bytes.IndexAny(look.Clip(text, lo, lo+64), "\"'`")
	if quote < 2 || look.JoinLength(text, lo+quote) == 0 {
		return lo, lo + 1, false
	}
	var p look.Pieces
	p.Join(text, lo)
	m := e.ruleExpression(i).FindSubmatchIndex(p.Text())
	if m == nil {
		return lo, lo + 1, false
	}
	start, end := groupSpan(m)
	stop := p.At(end, true)
	if end == len(p.Text()) {
		stop = p.End(text)
	}
	return p.At(start, false), stop, isSecret(r, p.Text()[start:end])
}

// isSecret reports whether a value that matches a rule looks like a secret.
func isSecret(r *rules.Rule, text []byte) bool {
	if r.Check != nil {
		return r.Check(text)
	}
	v := look.New(text, false)
	return v.Has(r.Looks)
}

// ruleExpression returns the regular expression of rule i, and compiles it on the first call. Expressions of token rules are anchored
// at the start, those of Near rules at both ends.
func (e *Engine) ruleExpression(i int) *regexp.Regexp {
	x := &e.exprs[i]
	x.once.Do(func() {
		expr := `\A(?:` + e.rules[i].Expr + `)`
		if e.rules[i].Form == rules.FormNear {
			expr += `\z`
		}
		x.re = regexp.MustCompile(expr)
		class := e.rules[i].Expr[strings.LastIndexByte(e.rules[i].Expr, '[')+1:]
		class, _, isClass := strings.Cut(class, "]")
		x.endsInDashes = isClass && strings.HasSuffix(class, "-") // a dash is written last in a class
	})
	return x.re
}

// groupSpan returns the span of the first group that matched, or of the whole match.
func groupSpan(m []int) (int, int) {
	for i := 2; i < len(m); i += 2 {
		if m[i] >= 0 {
			return m[i], m[i+1]
		}
	}
	return m[0], m[1]
}

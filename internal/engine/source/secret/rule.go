package secret

import (
	"ken/internal/engine/source/secret/chars"
	"ken/internal/engine/source/secret/look"
)

// The kinds of a finding.
const (
	KindAPIKey     = "api_key"
	KindPrivateKey = "private_key"
	KindPassword   = "password"
	KindToken      = "token"
	KindSecret     = "secret"
	KindCredential = "credential"
)

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
	looks    look.Property                      // what the value must look like
	check    func(value []byte) bool            // instead of looks
	scan     func(text []byte, lo, hi int) (start, end int, ok bool)
	list     func(text []byte, lo, hi int, found func(start, end int))
}

// token is a rule for values with a shape of their own.
func token(id, kind, expr string, keys ...string) rule {
	return rule{id: id, kind: kind, expr: expr, keys: keys, looks: look.Plausible}
}

// tokenAround is a token whose keyword is up to back bytes behind its beginning.
func tokenAround(id, kind string, back int, expr string, keys ...string) rule {
	return rule{id: id, kind: kind, expr: expr, keys: keys, back: back, looks: look.Plausible}
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

// looking replaces what the value must look like.
func (r rule) looking(looks look.Property) rule {
	r.looks = looks
	return r
}

// checked replaces the check of the value.
func (r rule) checked(check func([]byte) bool) rule {
	r.check = check
	return r
}

// hexAfter, like those below, looks at a few bytes beside the keyword.
func hexAfter(text []byte, _, hi int) bool { return chars.RunEnd(text, hi, 2, chars.Hex) == hi+2 }

func hexBefore(text []byte, lo, _ int) bool { return chars.RunStart(text, lo, 2, chars.Hex) == lo-2 }

// base32After looks at the six bytes behind the keyword, and at its own.
func base32After(text []byte, lo, hi int) bool {
	return chars.RunEnd(text, lo, hi+6-lo, chars.Upper|chars.Base32Digit) == hi+6
}

func digitBefore(text []byte, lo, _ int) bool { return chars.IsAt(text, lo-1, chars.Digit) }

func digitsBefore(text []byte, lo, _ int) bool {
	return chars.RunStart(text, lo, 2, chars.Digit) == lo-2
}

// dotAt looks for a dot n bytes behind the start of the keyword.
func dotAt(n int) func([]byte, int, int) bool {
	return func(text []byte, lo, _ int) bool { return chars.At(text, lo+n) == '.' }
}

// near is a rule for values without a shape of their own, recognised by the name they are assigned to.
func near(id, kind, expr string, keys ...string) rule {
	return rule{id: id, kind: kind, expr: expr, keys: keys, form: formNear, looks: look.Unworded}
}

// custom is a rule with its own scanner.
func custom(id, kind string, scan func([]byte, int, int) (int, int, bool), keys ...string) rule {
	return rule{id: id, kind: kind, keys: keys, form: formCustom, scan: scan}
}

// list is a rule whose scanner finds any number of values.
func list(id, kind string, scan func([]byte, int, int, func(int, int)), keys ...string) rule {
	return rule{id: id, kind: kind, keys: keys, form: formList, list: scan}
}

// Package rules has the rules of package secret as data: the tables of vendors whose values have a format of their own or are recognised by
// the vendor's name, and the rules of private keys, Kubernetes Secrets and tables in CSV with their scanners. It finds the places of
// keywords too (keywords.go, automaton.go). Package secret applies the rules, and adds those that need its readers of names, assignments
// and addresses.
package rules

import (
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

// Form is a way in which a rule reads the text around its keyword.
type Form uint8

// The forms.
const (
	FormToken  Form = iota // the expression is anchored at the start of the keyword, or of the word around it
	FormNear               // the keyword is in a name, and the value assigned to that name matches the expression as a whole
	FormCustom             // a scanner of its own
	FormList               // a scanner that finds several values at one keyword
)

// Rule is one entry of the tables.
type Rule struct {
	ID, Kind string
	Keys     []string // the lower-case literals that make the engine look
	Form     Form
	Expr     string                             // the first group that matches is the value, else the whole match
	Plain    bool                               // FormNear: the name must not go on to another thing, as vendor_url does
	Back     int                                // FormToken: how far the match may begin before the keyword
	Long     bool                               // FormToken: the value may be kilobytes long
	Pre      func(text []byte, lo, hi int) bool // a cheap check before the expression, for keywords that are common
	Looks    look.Property                      // the property that the value must have
	Check    func(value []byte) bool            // instead of Looks
	Scan     func(text []byte, lo, hi int) (start, end int, ok bool)
	List     func(text []byte, lo, hi int, found func(start, end int))
}

// Token returns a rule for values with a format of their own.
func Token(id, kind, expr string, keys ...string) Rule {
	return Rule{ID: id, Kind: kind, Expr: expr, Keys: keys, Looks: look.Plausible}
}

// TokenAround returns a rule for tokens whose keyword begins up to back bytes after their start.
func TokenAround(id, kind string, back int, expr string, keys ...string) Rule {
	return Rule{ID: id, Kind: kind, Expr: expr, Keys: keys, Back: back, Looks: look.Plausible}
}

// TokenLong returns a rule for tokens that may be kilobytes long.
func TokenLong(id, kind, expr string, keys ...string) Rule {
	r := Token(id, kind, expr, keys...)
	r.Long = true
	return r
}

// When returns the rule with a cheap check that is made before its expression is tried.
func (r Rule) When(pre func(text []byte, lo, hi int) bool) Rule {
	r.Pre = pre
	return r
}

// Looking returns the rule with an additional property that the value must have.
func (r Rule) Looking(looks look.Property) Rule {
	r.Looks = looks
	return r
}

// CheckedBy returns the rule with a function, in place of the property, that decides whether a value is a secret.
func (r Rule) CheckedBy(check func([]byte) bool) Rule {
	r.Check = check
	return r
}

// hexAfter and the functions below are cheap checks of a few bytes beside the keyword.
func hexAfter(text []byte, _, hi int) bool { return look.RunEnd(text, hi, 2, look.Hex) == hi+2 }

// noFile reports whether the keyword is not the extension of a file's name.
func noFile(text []byte, lo, _ int) bool { return look.At(text, lo-1) != '.' }

// beginsWord reports whether the keyword begins a word, of which dashes and underscores are parts: vendors put prefixes of their own before
// short keywords.
func beginsWord(text []byte, lo, _ int) bool { return !look.IsAt(text, lo-1, look.Word|look.Dash) }

func hexBefore(text []byte, lo, _ int) bool { return look.RunStart(text, lo, 2, look.Hex) == lo-2 }

// base32After reports whether the keyword and the six bytes after it are base32.
func base32After(text []byte, lo, hi int) bool {
	return look.RunEnd(text, lo, hi+6-lo, look.Upper|look.Base32Digit) == hi+6
}

// inShortRun reports whether the keyword is not in a long run of base64, where a short prefix occurs by chance.
func inShortRun(text []byte, lo, hi int) bool {
	return look.RunEnd(text, hi, maxShortRun, look.Base64)-look.RunStart(text, lo, maxShortRun, look.Base64) < maxShortRun
}

// maxShortRun is longer than any token whose rule uses inShortRun.
const maxShortRun = 110

func digitBefore(text []byte, lo, _ int) bool { return look.IsAt(text, lo-1, look.Digit) }

// DigitsBefore reports whether two digits are before the keyword.
func DigitsBefore(text []byte, lo, _ int) bool {
	return look.RunStart(text, lo, 2, look.Digit) == lo-2
}

// dotAt returns a check for a dot n bytes after the start of the keyword.
func dotAt(n int) func([]byte, int, int) bool {
	return func(text []byte, lo, _ int) bool { return look.At(text, lo+n) == '.' }
}

// Near returns a rule for values without a format of their own, which are recognised by the name they are assigned to.
func Near(id, kind, expr string, keys ...string) Rule {
	return Rule{ID: id, Kind: kind, Expr: expr, Keys: keys, Form: FormNear, Looks: look.Unworded}
}

// Custom returns a rule with a function that finds the value.
func Custom(id, kind string, scan func([]byte, int, int) (int, int, bool), keys ...string) Rule {
	return Rule{ID: id, Kind: kind, Keys: keys, Form: FormCustom, Scan: scan}
}

// List returns a rule with a function that finds any number of values.
func List(id, kind string, scan func([]byte, int, int, func(int, int)), keys ...string) Rule {
	return Rule{ID: id, Kind: kind, Keys: keys, Form: FormList, List: scan}
}

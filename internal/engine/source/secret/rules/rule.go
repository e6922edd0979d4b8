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

// Form says how a rule looks at the place of its keyword.
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
	Pre      func(text []byte, lo, hi int) bool // a cheap look before the expression, for keywords that are common
	Looks    look.Property                      // what the value must look like
	Check    func(value []byte) bool            // instead of Looks
	Scan     func(text []byte, lo, hi int) (start, end int, ok bool)
	List     func(text []byte, lo, hi int, found func(start, end int))
}

// Token is a rule for values with a shape of their own.
func Token(id, kind, expr string, keys ...string) Rule {
	return Rule{ID: id, Kind: kind, Expr: expr, Keys: keys, Looks: look.Plausible}
}

// TokenAround is a token whose keyword is up to back bytes behind its beginning.
func TokenAround(id, kind string, back int, expr string, keys ...string) Rule {
	return Rule{ID: id, Kind: kind, Expr: expr, Keys: keys, Back: back, Looks: look.Plausible}
}

// TokenLong is a token that may be kilobytes long.
func TokenLong(id, kind, expr string, keys ...string) Rule {
	r := Token(id, kind, expr, keys...)
	r.Long = true
	return r
}

// When adds a cheap look.
func (r Rule) When(pre func(text []byte, lo, hi int) bool) Rule {
	r.Pre = pre
	return r
}

// Looking replaces what the value must look like.
func (r Rule) Looking(looks look.Property) Rule {
	r.Looks = looks
	return r
}

// Checked replaces the check of the value.
func (r Rule) Checked(check func([]byte) bool) Rule {
	r.Check = check
	return r
}

// hexAfter, like those below, looks at a few bytes beside the keyword.
func hexAfter(text []byte, _, hi int) bool { return look.RunEnd(text, hi, 2, look.Hex) == hi+2 }

// noFile looks that the keyword is not the end of a file's name.
func noFile(text []byte, lo, _ int) bool { return look.At(text, lo-1) != '.' }

// alone looks that the keyword begins its word, dashes and underscores included: vendors put prefixes of their own before short ones.
func alone(text []byte, lo, _ int) bool { return !look.IsAt(text, lo-1, look.Word|look.Dash) }

func hexBefore(text []byte, lo, _ int) bool { return look.RunStart(text, lo, 2, look.Hex) == lo-2 }

// Base32After looks at the six bytes behind the keyword, and at its own.
func Base32After(text []byte, lo, hi int) bool {
	return look.RunEnd(text, lo, hi+6-lo, look.Upper|look.Base32Digit) == hi+6
}

// inShortRun looks that the keyword is in no long run of base64, where short prefixes are chance.
func inShortRun(text []byte, lo, hi int) bool {
	return look.RunEnd(text, hi, maxShortRun, look.Base64)-look.RunStart(text, lo, maxShortRun, look.Base64) < maxShortRun
}

// maxShortRun is longer than any token that inShortRun is asked about.
const maxShortRun = 110

func digitBefore(text []byte, lo, _ int) bool { return look.IsAt(text, lo-1, look.Digit) }

// DigitsBefore looks for two digits before the keyword.
func DigitsBefore(text []byte, lo, _ int) bool {
	return look.RunStart(text, lo, 2, look.Digit) == lo-2
}

// dotAt looks for a dot n bytes behind the start of the keyword.
func dotAt(n int) func([]byte, int, int) bool {
	return func(text []byte, lo, _ int) bool { return look.At(text, lo+n) == '.' }
}

// Near is a rule for values without a shape of their own, recognised by the name they are assigned to.
func Near(id, kind, expr string, keys ...string) Rule {
	return Rule{ID: id, Kind: kind, Expr: expr, Keys: keys, Form: FormNear, Looks: look.Unworded}
}

// Custom is a rule with its own scanner.
func Custom(id, kind string, scan func([]byte, int, int) (int, int, bool), keys ...string) Rule {
	return Rule{ID: id, Kind: kind, Keys: keys, Form: FormCustom, Scan: scan}
}

// List is a rule whose scanner finds any number of values.
func List(id, kind string, scan func([]byte, int, int, func(int, int)), keys ...string) Rule {
	return Rule{ID: id, Kind: kind, Keys: keys, Form: FormList, List: scan}
}

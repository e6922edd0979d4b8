package secret

import (
	"ken/internal/engine/source/secret/look"
)

// dashedLength bounds how much of a word is read that has a key in it.
const dashedLength = 161

// dashedFormats begin the formats that have the word in their prefix; what is not of their form is none of them.
var dashedFormats = [...]string{"age-secret-key-", "tskey-", "swmkey-", "bedrock-api-key-", "dnkey-"}

// scanDashed finds the key in a word that names it before it: acme-token-V, acme-api-key-V. Such words are also the names of objects
// and of entries of caches, which end in a number, a hash or an identifier, so that the value has to be a longer one.
func scanDashed(text []byte, lo, hi int) (int, int, bool) {
	if !look.IsAt(text, lo-1, look.Alnum|look.Dash|look.Underscore) {
		return 0, 0, false // the word has to say whose key it is
	}
	if look.AnyAt(text, hi, []string{"key-", "token-", "secret-"}) > 0 {
		return 0, 0, false // of acme-access-key-V, the last of the words is looked at
	}
	if nameHas(text[look.RunStart(text, lo, 24, look.Word|look.Dash):hi], dashedFormats[:]) {
		return 0, 0, false
	}
	end := look.RunEnd(text, hi, dashedLength, look.Alnum|look.Dash|look.Underscore)
	if end-hi < 20 || end-hi == dashedLength || look.IsIn(look.At(text, end), "./:$({") {
		return 0, 0, false
	}
	v := look.New(text[hi:end], false)
	return hi, end, v.Has(look.Dashed)
}

package secret

import "ken/internal/engine/source/secret/look"

// dashedLength is the maximal number of bytes that are read of a dashed word with a key in it.
const dashedLength = 301

// dashedFormats are the prefixes of those key formats that contain the keyword. A word with such a prefix is left to the rule of its
// format.
var dashedFormats = [...]string{"age-secret-key-", "tskey-", "swmkey-", "bedrock-api-key-", "dnkey-"}

// scanDashed finds a key at the end of a dashed word whose beginning names it: acme-token-V, acme-api-key-V. Names of objects and of
// cache entries have this form, too, and end in a number, a hash or an identifier, so the key must be longer than these.
func scanDashed(text []byte, lo, hi int) (int, int, bool) {
	switch {
	case !look.IsAt(text, lo-1, look.Word|look.Dash):
		return 0, 0, false // the word must name the owner of the key
	case look.AnyAt(text, hi, []string{"key-", "token-", "secret-"}) > 0:
		return 0, 0, false // the last of the words of acme-access-key-V counts
	case nameContains(text[look.RunStart(text, lo, 24, look.Word|look.Dash):hi], dashedFormats[:]):
		return 0, 0, false
	}
	end := look.RunEnd(text, hi, dashedLength, look.Word|look.Dash)
	if end-hi < 20 || end-hi == dashedLength {
		return 0, 0, false
	}
	if look.IsIn(look.At(text, end), "./:$({") {
		return 0, 0, false // a path, a host or a call
	}
	v := look.New(text[hi:end], false)
	return hi, end, v.Has(look.Dashed)
}

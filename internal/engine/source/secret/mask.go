package secret

import (
	"crypto/hmac"
	"crypto/sha256"

	"ken/internal/engine/source/secret/look"
	"ken/internal/engine/source/secret/rules"
)

// maskByte replaces every byte of a value. A letter was chosen over '*', '#' or '~': it cannot end a comment, open a nested one,
// start a Markdown fence or become an alias, so masked code parses as the original did.
const maskByte = 'x'

// Mask overwrites each finding in place. Length, line breaks and the text outside the findings stay, so lines and spans remain valid.
// Private keys may run over many lines of code, and values may be put together from literals. In both, spaces, quotes, the operators
// between literals, and comment leaders stay too: they are not part of the value, and the code around it must still parse.
func Mask(text []byte, findings []Finding) {
	for _, f := range findings {
		lo, hi := min(int(f.Start), len(text)), min(int(f.End), len(text))
		if lo >= hi {
			continue
		}
		if f.Kind == rules.KindPrivateKey || f.Rule != Unsearched && isJoined(text[lo:hi]) {
			maskBlock(text[lo:hi])
			continue
		}
		maskText(text[lo:hi], f.Rule == numbersRule)
	}
}

// maskText masks all bytes except the ends of lines and the indentation after them, and in a list the commas before them.
func maskText(b []byte, isList bool) {
	for i := 0; i < len(b); i++ {
		if look.Is(b[i], look.Line) {
			i = look.RunEnd(b, i, len(b), look.Line|look.Blank) - 1
			continue
		}
		if isList && b[i] == ',' && look.IsAt(b, i+1, look.Line) {
			continue
		}
		b[i] = maskByte
	}
}

// maxRounds is the maximal number of times that masked text is searched again.
const maxRounds = 8

// MaskAll finds and masks secrets in place, in rounds, until a round finds nothing: once a secret is masked, the remainder of its word
// can itself be a secret. It calls each, if not nil, with each round's findings before they are masked. A text without a finding is
// searched once.
func (e *Engine) MaskAll(buf []Finding, text []byte, each func([]Finding)) []Finding {
	for range maxRounds {
		buf = e.Find(buf[:0], text)
		if len(buf) == 0 {
			break
		}
		if each != nil {
			each(buf)
		}
		Mask(text, buf)
	}
	return buf
}

// isJoined reports whether a value extends over several literals or lines.
func isJoined(b []byte) bool {
	for i := range b {
		if look.JoinLength(b, i) > 0 || look.Continuation(b, i) > 0 {
			return true
		}
	}
	return false
}

// maskBlock masks a private key, but not the source code in which it is written.
func maskBlock(b []byte) {
	lineStart := false
	for i := 0; i < len(b); i++ {
		switch c := b[i]; {
		case look.Is(c, look.Line):
			lineStart = true
			continue
		case look.Is(c, look.Blank):
			continue
		case lineStart && look.CommentLeader(b[i:]) > 0:
			i += look.CommentLeader(b[i:]) - 1
		case c == '\\' && look.Continuation(b, i) > 0:
		case look.Is(c, look.Quote):
			i += joinLength(b[i+1:])
		default:
			b[i] = maskByte
		}
		lineStart = false
	}
}

// joinLength returns the length of the code that joins two literals ("a" +\n "b"), from after a closing quote through the next opening
// one, or 0.
func joinLength(b []byte) int {
	n := look.RunEnd(b, 0, look.MaxSeam-1, look.Splice|look.Joint)
	if look.IsAt(b, n, look.Quote) {
		return n + 1
	}
	return 0
}

// Hash returns a name of a value that does not reveal it: HMAC-SHA-256 under key, cut to 16 bytes. The key must be secret and random,
// because short values could otherwise be found by trying.
func Hash(key, value []byte) [16]byte {
	h := hmac.New(sha256.New, key)
	h.Write(value)
	return [16]byte(h.Sum(nil)[:16])
}

package code

import (
	"strings"
	"unicode/utf8"
)

// Copies of secrets in a text are recognised as a whole when it is printed; see engine/source/known. So a text that is
// shortened before must not end in half of one.

// minSecret and maxSecret are the lengths, in bytes, of runs of characters that may be a secret.
const (
	minSecret = 16
	maxSecret = 128
)

// CutLength returns the length to which to cut s so that at most n bytes are left. It cuts neither inside a character nor inside
// a run of letters, digits and punctuation of keys that may be a secret.
func CutLength(s string, n int) int {
	if len(s) <= n {
		return len(s)
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	lo := n
	for lo > 0 && n-lo < maxSecret && keyCharacter(s[lo-1]) {
		lo--
	}
	if lo == n || n-lo == maxSecret {
		return n
	}
	hi := lo
	for hi < len(s) && hi-lo < maxSecret && keyCharacter(s[hi]) {
		hi++
	}
	run := s[lo:hi]
	if hi > n && len(run) >= minSecret && strings.ContainsAny(run, keyDigits) && strings.ContainsAny(run, keyLetters) {
		return lo
	}
	return n
}

// The characters that keys and tokens consist of.
const (
	keyDigits  = "0123456789"
	keyLetters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
	keyMarks   = "_~.+/=-"
)

func keyCharacter(c byte) bool { return strings.IndexByte(keyDigits+keyLetters+keyMarks, c) >= 0 }

// Cut returns s if it has at most n bytes, else its beginning as CutLength cuts it, without invalid bytes, and "…".
func Cut(s string, n int) string {
	if len(s) <= n {
		return s
	}
	return strings.ToValidUTF8(s[:CutLength(s, n)], "") + "…"
}

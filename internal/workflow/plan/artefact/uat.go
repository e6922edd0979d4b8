package artefact

import (
	"strings"
	"unicode"
)

// Outcome returns the result of a test as one word in lower case, and the remark about it: "pending" and "the server is off" for
// "[pending — the server is off]". A test without a result is pending. Synonyms of a result become the same word.
func (t *Test) Outcome() (word, remark string) {
	s := strings.Trim(t.Result, " *`")
	if inner, ok := strings.CutPrefix(s, "["); ok {
		inner, rest, _ := strings.Cut(inner, "]")
		s = inner + " " + rest
	}
	end := strings.IndexFunc(s, func(r rune) bool { return !unicode.IsLetter(r) && r != '-' && r != '_' })
	if end < 0 {
		end = len(s)
	}
	word = strings.ToLower(strings.Trim(s[:end], "-_"))
	remark = strings.TrimSpace(strings.TrimLeft(s[end:], " —–-:;,.>"))
	if inner, ok := strings.CutPrefix(remark, "("); ok && strings.HasSuffix(inner, ")") {
		remark = inner[:len(inner)-1]
	}
	switch word {
	case "":
		word = "pending"
	case "passed", "ok":
		word = "pass"
	case "skip":
		word = "skipped"
	case "fail", "failed", "issues":
		word = "issue"
	}
	return word, remark
}

// IsClosed reports whether a file of tests needs no more work: its status is final, or its status is unknown and every test passed.
func (u *UAT) IsClosed() bool {
	switch strings.ToLower(u.Status) {
	case "complete", "completed", "resolved":
		return true
	case "testing", "partial", "diagnosed":
		return false
	}
	for i := range u.Tests {
		if word, _ := u.Tests[i].Outcome(); word != "pass" {
			return false
		}
	}
	return len(u.Tests) > 0
}

// Pending returns the number of tests without a result.
func (u *UAT) Pending() (n int) {
	for i := range u.Tests {
		if word, _ := u.Tests[i].Outcome(); word == "pending" {
			n++
		}
	}
	return n
}

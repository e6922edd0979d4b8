package artefact

import (
	"strings"
	"unicode"
)

// Outcome is the result of a test as one word in lower case, with the remark beside it: "pending" and "the server is off" of
// "[pending — the server is off]". A test without a result was not made and is pending; the words that people write for one
// result are one word.
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

// Closed reports whether nothing is left to do in a file of tests: its status says so, or its status is none of those that
// are in use and every test passed.
func (u *UAT) Closed() bool {
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

// Pending is how many tests wait to be made.
func (u *UAT) Pending() (n int) {
	for i := range u.Tests {
		if word, _ := u.Tests[i].Outcome(); word == "pending" {
			n++
		}
	}
	return n
}

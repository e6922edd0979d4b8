package evidence

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Answer is the answer of a verification about one truth.
type Answer string

// The answers.
const (
	Verified   Answer = "verified"
	Failed     Answer = "failed"
	Unanswered Answer = "unanswered"
)

// Words of a cell that answer a truth. A cell with words of both kinds is a failure.
var (
	yes = []string{"verified", "passed", "pass", "holds", "✓", "✅", "[x]", "met", "satisfied"}
	no  = []string{"failed", "fail", "✗", "✘", "❌", "partial", "missing", "pending", "uncertain", "unverified", "unknown", "blocked", "?", "not", "no", "needs"}
)

// Truth returns the answer that the text of a verification gives to a truth: that of a row of a table or an item of a list that has the
// truth, a status, and something that shows it.
func Truth(report, truth string) Answer {
	truth = plain(truth)
	best := Unanswered
	for line := range strings.Lines(report) {
		text := plain(line)
		before, after, ok := strings.Cut(text, truth)
		if !ok || truth == "" || continues(before, after) {
			continue
		}
		switch answer := status(before + " | " + after); answer {
		case Failed:
			return Failed
		case Verified:
			best = Verified
		}
	}
	return best
}

// continues reports whether the words around a truth belong to a longer sentence, which is another truth.
func continues(before, after string) bool {
	before, after = strings.TrimRight(before, " *_`\""), strings.TrimLeft(after, " *_`\"")
	last, _ := utf8.DecodeLastRuneInString(before)
	next, _ := utf8.DecodeRuneInString(after)
	return unicode.IsLetter(last) || unicode.IsLetter(next) || unicode.IsDigit(next)
}

// status returns the answer in what is left of a line without its truth.
func status(rest string) Answer {
	if strings.Contains(rest, "[ ]") {
		return Failed
	}
	words := strings.FieldsFunc(rest, func(r rune) bool { return strings.ContainsRune(" |*_`,;:()—–", r) })
	verdict := Unanswered
	for _, cell := range strings.Split(rest, "|") {
		fields := strings.Fields(strings.Trim(cell, " *_`-"))
		if len(fields) == 0 || len(fields) > 3 || verdict == Failed {
			continue // a longer text is no status
		}
		switch {
		case slices.ContainsFunc(fields, func(w string) bool { return slices.Contains(no, w) }):
			verdict = Failed
		case slices.ContainsFunc(fields, func(w string) bool { return slices.Contains(yes, w) }):
			verdict = Verified
		}
	}
	if verdict == Verified && !hasProof(words) {
		return Unanswered
	}
	return verdict
}

// hasProof reports whether words say more than a number, a status and a placeholder.
func hasProof(words []string) bool {
	return slices.ContainsFunc(words, func(w string) bool {
		w = strings.TrimSuffix(w, ".")
		digits := strings.Trim(w, "0123456789") == ""
		return !digits && !slices.Contains(yes, w) && !slices.Contains(no, w) && !slices.Contains([]string{"x", "[", "]", "#", "[evidence]"}, w)
	})
}

// plain returns a text in lower case with single blanks, without the marks of tables and emphasis inside.
func plain(s string) string {
	s = strings.ReplaceAll(strings.ReplaceAll(s, "\\|", "¦"), "**", "")
	return strings.ToLower(strings.Join(strings.Fields(s), " "))
}

package frame

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// foldedText is a text in the normal form in which a quote and a prompt are compared: composed Unicode (NFKC), one space for each
// run of white space, one style of quotation marks. at has, for each byte, the offset in the original at which its character
// begins.
type foldedText struct {
	text string
	at   []int
}

// quoteStyles replaces the marks that editors, languages and keyboards write for the same quotation by one style.
var quoteStyles = strings.NewReplacer(
	"\u2018", `"`, "\u2019", `"`, "\u201a", `"`, "\u201b", `"`, "\u2032", `"`, "'", `"`, "`", `"`, "\u00b4", `"`,
	"\u201c", `"`, "\u201d", `"`, "\u201e", `"`, "\u201f", `"`, "\u2033", `"`, "\u00ab", `"`, "\u00bb", `"`, "\u2039", `"`, "\u203a", `"`,
	"\u300c", `"`, "\u300d", `"`, "\u300e", `"`, "\u300f", `"`, "\u301d", `"`, "\u301e", `"`, "\u301f", `"`,
)

// invisible are characters without width that editors add between others.
const invisible = "\u200b\ufeff\u00ad\u2060"

// foldText returns the normal form of a text. It drops white space between two characters of a script that is
// written without spaces, such as Chinese, because a line break there is layout. It replaces invalid UTF-8
// first, because the library that composes characters may loop forever on it.
func foldText(s string) foldedText {
	s = strings.ToValidUTF8(s, "\ufffd")
	f := textFolder{}
	var it norm.Iter
	it.InitString(norm.NFKC, s)
	for !it.Done() {
		at := it.Pos()
		for _, r := range string(it.Next()) {
			f.addRune(r, at)
		}
	}
	return foldedText{text: f.b.String(), at: f.at}
}

type textFolder struct {
	b     strings.Builder
	at    []int
	last  rune // last rune written, 0 at the beginning
	space int  // where pending white space began
	wait  bool
}

func (f *textFolder) addRune(r rune, at int) {
	switch {
	case strings.ContainsRune(invisible, r):
		return
	case unicode.IsSpace(r):
		if !f.wait {
			f.wait, f.space = true, at
		}
		return
	}
	if f.wait && f.last != 0 && !(isUnspaced(f.last) && isUnspaced(r)) {
		f.writeString(" ", f.space)
	}
	f.wait = false
	f.writeString(quoteStyles.Replace(string(r)), at)
	f.last = r
}

func (f *textFolder) writeString(s string, at int) {
	f.b.WriteString(s)
	for range len(s) {
		f.at = append(f.at, at)
	}
}

// isUnspaced reports whether a character is of a script without spaces between words.
func isUnspaced(r rune) bool {
	return strings.ContainsRune("ー。、", r) ||
		unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar)
}

// findQuote returns the part of original that quote matches, or false if there is none. A quote that ends inside a word does not
// match: "no error" is not in "no errors".
func findQuote(original, quote string) (string, bool) {
	original = strings.ToValidUTF8(original, "\ufffd") // as fold does, so that offsets agree
	f, q := foldText(original), strings.TrimSpace(foldText(quote).text)
	if len(splitWords(q)) == 0 {
		return "", false
	}
	for from := 0; ; {
		i := strings.Index(f.text[from:], q)
		if i < 0 {
			return "", false
		}
		i += from
		end := i + len(q)
		before, _ := utf8.DecodeLastRuneInString(f.text[:i])
		first, _ := utf8.DecodeRuneInString(f.text[i:])
		last, _ := utf8.DecodeLastRuneInString(f.text[:end])
		after, _ := utf8.DecodeRuneInString(f.text[end:])
		cutsWord := i > 0 && isInOneWord(before, first) || end < len(f.text) && isInOneWord(last, after)
		if !cutsWord {
			to := len(original)
			if end < len(f.at) {
				to = f.at[end]
			}
			return strings.TrimSpace(original[f.at[i]:to]), true
		}
		_, n := utf8.DecodeRuneInString(f.text[i:])
		from = i + n
	}
}

// isInOneWord reports whether two neighbouring characters belong to the same word.
func isInOneWord(a, b rune) bool { return isSpacedWord(a) && isSpacedWord(b) }

// isSpacedWord reports whether a character is of a script that separates words by spaces.
func isSpacedWord(r rune) bool { return isWordRune(r) && !isUnspaced(r) }

func isWordRune(r rune) bool {
	return r == '_' || unicode.In(r, unicode.L, unicode.Nd, unicode.Mn, unicode.Mc)
}

package frame

import (
	"slices"
	"strings"
	"unicode"
)

// splitWords splits a folded text into words in lower case: runs of letters and digits. It splits identifiers into their parts, so that
// "maxLine" is "max" and "line". A script without spaces is split into pairs of neighbouring characters, because that needs no
// dictionary.
func splitWords(folded string) []string {
	var out []string
	run := []rune{}
	dense := false
	flush := func() {
		if len(run) > 0 {
			if dense {
				out = append(out, neighbourPairs(run)...)
			} else {
				out = append(out, strings.ToLower(string(run)))
			}
		}
		run = run[:0]
	}
	for _, r := range folded {
		switch {
		case !isWordRune(r) && r != 'ー', r == '_':
			flush()
			continue
		case len(run) > 0 && isUnspaced(r) != dense, len(run) > 0 && unicode.IsUpper(r) && unicode.IsLower(run[len(run)-1]):
			flush()
		}
		dense = isUnspaced(r)
		run = append(run, r)
	}
	flush()
	return out
}

// neighbourPairs returns each two neighbouring characters of a run. It returns a single character as it is.
func neighbourPairs(run []rune) (out []string) {
	if len(run) == 1 {
		return []string{string(run)}
	}
	for i := range len(run) - 1 {
		out = append(out, string(run[i:i+2]))
	}
	return out
}

// fillers are words without a topic, such as "the". Two texts that share only these have nothing in common.
var fillers = strings.Fields("a an the this that these those it its is are was were be been being do does did has have had will would shall should can could may might must " +
	"i we you he she they me us my our your their of to in on at by for from with as and or but if when then than so not no please let " +
	"する した して され ます です ない こと もの とき てい いる ませ せん")

// common are words that are in every request, so that a quote of them alone does not describe this one.
var common = strings.Fields("add adds added change changes changed fix fixes fixed make makes made update updates implement need needs needed want wants use uses used using " +
	"get gets set code file files function functions method methods class thing things bug bugs issue issues problem problems feature features work works " +
	"new old now here there how what why where which who also just only all any some more most much very can't don't it's into out up about")

// contentWords returns the words of a text that say what it is about, each once: no fillers, none that is in every request, and no marks.
func contentWords(text string) (out []string) {
	for _, w := range splitWords(foldText(text).text) {
		if len(w) > 1 && !slices.Contains(fillers, w) && !slices.Contains(common, w) && !slices.Contains(out, w) {
			out = append(out, w)
		}
	}
	return out
}

// followsFromQuote reports whether a value follows from its quote: at least half of its meaningful words are words of the quote. Words
// are the same if they differ only in their ending.
func followsFromQuote(value, quote string) bool {
	said := splitWords(foldText(quote).text)
	mine := meaningfulWords(splitWords(foldText(value).text))
	hits := 0
	for _, w := range mine {
		if slices.ContainsFunc(said, func(s string) bool { return sameStem(s, w) }) {
			hits++
		}
	}
	return hits > 0 && 2*hits >= len(mine)
}

// meaningfulWords returns each word of a list that is not a filler, once. If all are fillers, it returns the whole list.
func meaningfulWords(list []string) []string {
	var out []string
	for _, w := range list {
		if !slices.Contains(fillers, w) && !slices.Contains(out, w) {
			out = append(out, w)
		}
	}
	if len(out) == 0 {
		return list
	}
	return out
}

// endings are the ends in which two forms of a word may differ after a common stem of at least minStem letters.
var endings = []string{"", "s", "es", "e", "ed", "d", "ing", "er", "ers", "ion", "ions", "ly", "en", "or", "y", "ies", "ied", "al", "ally"}

const minStem = 4

// sameStem reports whether two words differ only in their ending.
func sameStem(a, b string) bool {
	if a == b {
		return true
	}
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return n >= minStem && slices.Contains(endings, a[n:]) && slices.Contains(endings, b[n:])
}

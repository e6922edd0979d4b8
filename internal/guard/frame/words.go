package frame

import (
	"slices"
	"strings"
	"unicode"
)

// words are the words of a folded text, in lower case: runs of letters and digits, the parts of identifiers apart. Of a
// script that is written without spaces they are pairs of neighbouring characters, because no list of
// words is needed to find those.
func words(folded string) []string {
	var out []string
	run := []rune{}
	dense := false
	flush := func() {
		if len(run) > 0 {
			if dense {
				out = append(out, pairs(run)...)
			} else {
				out = append(out, strings.ToLower(string(run)))
			}
		}
		run = run[:0]
	}
	for _, r := range folded {
		switch {
		case !inWord(r) && r != 'ー', r == '_':
			flush()
			continue
		case len(run) > 0 && unspaced(r) != dense, len(run) > 0 && unicode.IsUpper(r) && unicode.IsLower(run[len(run)-1]):
			flush()
		}
		dense = unspaced(r)
		run = append(run, r)
	}
	flush()
	return out
}

// pairs are the neighbouring pairs of a run of characters; a single one is itself.
func pairs(run []rune) (out []string) {
	if len(run) == 1 {
		return []string{string(run)}
	}
	for i := range len(run) - 1 {
		out = append(out, string(run[i:i+2]))
	}
	return out
}

// fillers are words that say nothing of what a text is about, so that sharing them is no sign.
var fillers = strings.Fields("a an the this that these those it its is are was were be been being do does did has have had will would shall should can could may might must " +
	"i we you he she they me us my our your their of to in on at by for from with as and or but if when then than so not no please let " +
	"する した して され ます です ない こと もの とき てい いる ませ せん")

// follows reports whether a value says what its quote says: at least half of its words that mean something are words of the quote.
// Words count as the same if they differ by an ending.
func follows(value, quote string) bool {
	said := words(fold(quote).text)
	mine := telling(words(fold(value).text))
	hits := 0
	for _, w := range mine {
		if slices.ContainsFunc(said, func(s string) bool { return same(s, w) }) {
			hits++
		}
	}
	return hits > 0 && 2*hits >= len(mine)
}

// telling are the words that mean something, each once; all of them if none does.
func telling(list []string) []string {
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

// endings are what may follow the stem of a word of at least minStem letters.
var endings = []string{"", "s", "es", "e", "ed", "d", "ing", "er", "ers", "ion", "ions", "ly", "en", "or", "y", "ies", "ied", "al", "ally"}

const minStem = 4

// same reports whether two words differ by an ending only.
func same(a, b string) bool {
	if a == b {
		return true
	}
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return n >= minStem && slices.Contains(endings, a[n:]) && slices.Contains(endings, b[n:])
}

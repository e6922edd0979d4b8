package session

import (
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"
)

// Bounds of the sentence about finished work.
const (
	maxMessage   = 16 << 10 // bytes of a message that are read
	maxAchieved  = 160      // bytes of the sentence
	leastWords   = 4        // "All done." describes nothing
	maxSentences = 40
)

// doneWords are words with which agents state that work is finished. In other languages any sentence may do so.
const doneWords = " added adds changed changes built converted copied corrected created cut deleted documented dropped " +
	"enabled ended extended extracted fixed fixes implemented implements improved inlined installed introduced made merged migrated moved now " +
	"optimized ported reduced refactored removed removes renamed reordered replaced replaces restored reverted rewrote rewritten simplified " +
	"solved sorted split supports switched tested updated upgraded validated verified wired works wrote "

// openings begin sentences that announce or offer work or talk to the user.
const openings = " i'll i’ll i'd i’d let would should could shall next please if to do can may want feel note "

// The expressions are made when they are first used, because most runs of ken need none.
var (
	sentenceEnd = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`[.!?](?:\s+|$)|[。！？]|\n`) })
	markup      = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^(?:[-*+>#\s]|\d+[.)]\s)+|[*_]{2,}`) })
	fence       = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile("(?s)```.*?(?:```|$)") })
)

func isIn(list, word string) bool { return strings.Contains(list, " "+word+" ") }

// Achievement returns the sentence of an agent's last message of a turn that describes what it has done, "" if there is none. sure reports
// that the sentence has a word for finished work; another one may as well be an answer to a question.
func Achievement(message string) (sentence string, sure bool) {
	rest := fence().ReplaceAllString(strings.ToValidUTF8(message[:min(len(message), maxMessage)], ""), "\n")
	for range maxSentences {
		if rest == "" || sure {
			break
		}
		one, mark := rest, ""
		if end := sentenceEnd().FindStringIndex(rest); end != nil {
			one, mark, rest = rest[:end[0]], strings.TrimSpace(rest[end[0]:end[1]]), rest[end[1]:]
		} else {
			rest = ""
		}
		words, ok := statement(&one, mark)
		if !ok {
			continue
		}
		isDone := slices.ContainsFunc(words, func(w string) bool { return isIn(doneWords, strings.Trim(w, ",;:()`'\"")) })
		if isDone || sentence == "" {
			sentence, sure = clipWords(one), isDone
		}
	}
	return sentence, sure
}

// statement takes the markup out of a sentence and returns its words in lower case. It returns false for a heading, a question, an offer,
// the beginning of a list, and a sentence that is too short to describe work.
func statement(sentence *string, mark string) (words []string, ok bool) {
	text := strings.TrimSpace(*sentence)
	if strings.HasPrefix(text, "#") || mark == "?" || mark == "？" || strings.HasSuffix(text, ":") {
		return nil, false
	}
	*sentence = strings.Join(strings.Fields(markup().ReplaceAllString(text, "")), " ")
	words = strings.Fields(strings.ToLower(*sentence))
	// A language without spaces has one word a sentence.
	if len(words) == 0 || len(words) < leastWords && utf8.RuneCountInString(*sentence) < 4*leastWords {
		return nil, false
	}
	return words, !isIn(openings, words[0])
}

// clipWords cuts a sentence at a space if it is too long.
func clipWords(s string) string {
	if len(s) <= maxAchieved {
		return s
	}
	cut := strings.ToValidUTF8(s[:maxAchieved], "")
	if i := strings.LastIndexByte(cut, ' '); i > maxAchieved/2 {
		cut = cut[:i]
	}
	return cut + " …"
}

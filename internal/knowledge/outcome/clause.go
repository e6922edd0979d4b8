package outcome

import (
	"slices"
	"strings"
	"sync"
	"unicode/utf8"
)

// sign is a set of things that the words of a clause can express.
type sign uint32

const (
	denied     sign = 1 << iota // a verb is negated
	no                          // no, none: of a thing, or of a verb in Romance languages
	faulty                      // what is wrong, or goes wrong
	failures                    // an error, a problem
	troubles                    // an issue: tasks have these words as well
	lasting                     // still
	repeated                    // again, same
	strange                     // weird, somehow
	sworn                       // oaths
	opposed                     // but
	lately                      // now, after
	perceived                   // see, get, shows, seems
	undone                      // revert
	wished                      // should, supposed to
	absent                      // missing, gone
	praised                     // great, thanks
	effect                      // verbs and adjectives of what works
	asked                       // why
	objected                    // no, wait: the first word
	dependent                   // if
	whenever                    // when
	requested                   // please, I want, let us
	linked                      // is, looks
	mild                        // need, sure: what is negated with these is no observation
	ordered                     // begins with an imperative
	questioned                  // ends with a question mark
)

// isRelative reports whether a word begins a clause that describes a thing.
func isRelative(w string) bool { return w == "that" || w == "which" || w == "who" || w == "what" }

// isSpeaker reports whether a word is a person or a group of which the user is one.
func isSpeaker(w string) bool { return w == "i" || w == "we" || w == "you" || w == "they" }

// size is a set of sizes of prompts.
type size uint8

const (
	tiny  size = 1 << iota // up to isTiny characters
	small                  // up to isShort
	middle
	large // more than isLong characters

	anySize = small | middle | large

	isTiny = 40
)

// clauseRule is a complaint that a clause makes: it has all signs of one set, one of another if that is not empty, and none of a third.
type clauseRule struct {
	phrase
	all, any, none sign
	sizes          size
	within         int // the clause is among so many first ones
}

const wrongness = denied | faulty | failures | troubles | absent

var clauseRules = [...]clauseRule{
	{phrase{Malfunction, 0.8, "does not"}, denied, 0, mild | questioned | requested | praised, small, 1},
	{phrase{Malfunction, 0.8, "does not work"}, denied, effect, mild | questioned | requested, small, 4},
	{phrase{Malfunction, 0.75, "it seems not to"}, denied | perceived, 0, mild | questioned | requested, middle, 1},
	{phrase{Malfunction, 0.8, "no longer"}, no, effect | faulty | absent, mild | questioned | requested | praised | wished, small, 2},
	{phrase{Malfunction, 0.75, "does not work"}, denied | effect, 0, mild | questioned | requested | praised | wished, middle, 2},
	{phrase{Bug, 0.8, "wrong"}, faulty, 0, questioned | requested | mild, small, 2},
	{phrase{Bug, 0.75, "get wrong"}, faulty | perceived, 0, questioned | requested | mild | praised | wished, anySize, 5},
	{phrase{Bug, 0.75, "an error"}, failures, 0, questioned | requested | no | mild | praised | wished, middle | large, 2},
	{phrase{Bug, 0.8, "error"}, failures, 0, questioned | requested | no | mild, tiny, 1},
	{phrase{Bug, 0.8, "an error"}, failures, perceived | linked | lasting | repeated | strange | opposed | absent | faulty, questioned | requested | no | mild, small, 2},
	{phrase{Bug, 0.8, "missing"}, absent, 0, questioned | requested, small, 2},
	{phrase{Malfunction, 0.75, "still"}, lasting, perceived | linked | faulty, requested | questioned | mild | praised, small, 2},
	{phrase{Malfunction, 0.8, "still not"}, lasting, wrongness | no, requested | questioned, small | middle, 3},
	{phrase{Malfunction, 0.8, "again not"}, repeated, wrongness, requested | mild | questioned, small | middle, 2},
	{phrase{Malfunction, 0.8, "but not"}, opposed, wrongness, requested | mild | questioned, small, 4},
	{phrase{Malfunction, 0.75, "but no"}, opposed, wrongness, requested | mild | questioned, middle | large, 3},
	{phrase{Bug, 0.8, "strange"}, strange, 0, questioned | requested, small, 4},
	{phrase{Bug, 0.75, "strange"}, strange, wrongness | perceived | linked, questioned | requested | praised | mild, middle, 4},
	{phrase{Bug, 0.75, "strangely"}, strange, wrongness | perceived | linked, questioned | requested, large, 3},
	{phrase{Denial, 0.8, "wtf"}, sworn, 0, praised | requested, anySize, 4},
	{phrase{Malfunction, 0.75, "get an error"}, perceived, failures | troubles, requested | no | mild | questioned | praised, small | middle, 3},
	{phrase{Malfunction, 0.75, "get an error"}, perceived, failures | troubles, requested | no | mild | questioned | praised, large, 2},
	{phrase{Bug, 0.75, "is wrong"}, linked | faulty, 0, questioned | requested | mild, middle | large, 2},
	{phrase{Malfunction, 0.75, "now wrong"}, lately, faulty | absent, requested | mild | praised, anySize, 2},
	{phrase{Bug, 0.75, "looks empty"}, perceived | absent, 0, requested | mild | questioned, small | middle, 3},
	{phrase{Malfunction, 0.75, "why not"}, asked, wrongness | no, requested | mild, small | middle, 2},
	{phrase{Malfunction, 0.75, "why does it fail"}, asked, faulty | failures | troubles | absent, requested | mild, large, 1},
}

// signIndex has the signs by word.
type signIndex struct {
	words  map[string]sign
	stems  map[string]sign
	chains map[string][]chain // by the first word
	orders map[string]bool
}

// chain is an expression of several words.
type chain struct {
	words []string
	sign  sign
}

var signsOfWords = sync.OnceValue(func() *signIndex {
	x := &signIndex{words: map[string]sign{}, stems: map[string]sign{}, chains: map[string][]chain{}, orders: map[string]bool{}}
	for _, list := range signWords {
		for w := range strings.FieldsSeq(list.words) {
			if stem, ok := strings.CutSuffix(w, "*"); ok {
				x.stems[stem] |= list.sign
			} else if parts := strings.Split(w, "_"); len(parts) > 1 {
				x.chains[parts[0]] = append(x.chains[parts[0]], chain{parts, list.sign})
			} else {
				x.words[w] |= list.sign
			}
		}
	}
	for w := range strings.FieldsSeq(orderWords) {
		x.orders[w] = true
	}
	return x
})

// signsAt returns the signs of the word at i of a clause, with those of an expression that begins there.
func (x *signIndex) signsAt(words []string, i int) sign {
	w := words[i]
	s := x.words[w]
	for n := range w {
		if n >= 2 {
			s |= x.stems[w[:n]]
		}
	}
	s |= x.stems[w]
	for _, c := range x.chains[w] {
		if n := len(c.words); i+n <= len(words) && strings.Join(words[i:i+n], " ") == strings.Join(c.words, " ") {
			s |= c.sign
		}
	}
	return s
}

// signs returns what the words of a clause express.
func (x *signIndex) signs(clause string, first bool) (s sign) {
	if before, order, ok := strings.Cut(clause, ": "); ok && first && len(before) <= maxScope {
		if scope, _, _ := strings.Cut(before, "("); x.orders[strings.TrimSuffix(strings.TrimSpace(scope), "!")] {
			return ordered // "fix(parser): …"
		}
		clause = order // "parser: fix …"
	}
	if tag, rest, ok := strings.Cut(strings.TrimSpace(clause), "]"); ok && first && strings.HasPrefix(tag, "[") {
		clause = rest // "[parser] fix …"
	}
	words := strings.FieldsFunc(clause, func(r rune) bool { return !isWordRune(r) && r != '\'' && r != '-' })
	begins := true
	for i, w := range words {
		at := x.signsAt(words, i)
		if at&objected != 0 && (!first || i > 0) {
			at &^= objected
		}
		if begins && isForbidding(words[i:]) {
			return s | ordered
		}
		if begins && x.orders[w] {
			s |= ordered
		}
		if at&denied != 0 && !isDenial(words, i) {
			at &^= denied
		}
		if at&absent != 0 && i > 0 && strings.Contains(attributive, " "+words[i-1]+" ") {
			at &^= absent
		}
		if i > 2 {
			at &^= dependent | whenever // "it fails when I press it" is observed
		}
		if i > 1 && isRelative(words[i-2]) && isSpeaker(words[i-1]) {
			at &^= denied // "the event that we did not get"
		}
		begins = begins && isOpening(w)
		s |= at
	}
	if isQuestion(words) {
		s |= questioned
	}
	if strings.ContainsFunc(clause, func(r rune) bool { return r >= firstWithoutBlanks }) {
		for _, list := range signParts {
			for p := range strings.FieldsSeq(list.parts) {
				if strings.Contains(clause, p) {
					s |= list.sign
					break
				}
			}
		}
		for p := range strings.FieldsSeq(orderParts) {
			if strings.HasPrefix(strings.TrimSpace(clause), p) {
				s |= ordered
			}
		}
	}
	for e := range strings.FieldsSeq(orderEnds) {
		if strings.HasSuffix(strings.TrimRight(clause, " 。.！!"), e) {
			s |= ordered
		}
	}
	if end := strings.TrimSpace(clause); strings.HasSuffix(end, "?") || strings.HasSuffix(end, "？") || strings.HasSuffix(end, "吗") {
		s |= questioned
	}
	return s
}

// attributive are words before an adjective that belongs to a thing: "the missing files" are a task.
const attributive = " the any all these those some with for and or non a an both "

// auxiliaries are the words before a "not" that denies a verb.
const auxiliaries = " is are was were am do does did has have had can could will would it's its that's thats still there's i'm going "

// isDenial reports whether the negation at i denies a verb of something else than the speaker's own doing: "it is not", "I do not see", but
// neither "A and not B" nor "I haven't tried".
func isDenial(words []string, i int) bool {
	auxiliary := i
	if words[i] == "not" && i > 0 {
		if auxiliary = i - 1; !strings.Contains(auxiliaries, " "+words[auxiliary]+" ") {
			return false
		}
	}
	if auxiliary == 0 || words[auxiliary-1] != "i" && words[auxiliary-1] != "we" || strings.HasPrefix(words[auxiliary], "ca") {
		return true
	}
	return i+1 < len(words) && strings.Contains(" see get find hear ", " "+words[i+1]+" ")
}

// isForbidding reports whether words begin with an order not to do something.
func isForbidding(words []string) bool {
	switch words[0] {
	case "don't", "dont", "never":
		return true
	case "do":
		return len(words) > 1 && words[1] == "not"
	}
	return false
}

// isQuestion reports whether words begin a question that does not ask for a reason: "is it", but not "is still" or "what the …".
func isQuestion(words []string) bool {
	if len(words) < 2 || words[1] == "not" || words[1] == "still" || words[1] == "the" {
		return false
	}
	switch words[0] {
	case "is", "are", "do", "does", "did", "can", "could", "would", "will", "what", "how", "where", "which", "who":
		return true
	}
	return false
}

// openings are words before the verb of an order.
const openings = " please somehow and also then now just so ok okay but to can you could kindly bitte por " +
	" favor y e et и ahora agora yes great good perfect thanks sim si oui да let's lets "

// isOpening reports whether a word may be before the verb of an order.
func isOpening(w string) bool {
	if strings.HasSuffix(w, "ly") {
		return true
	}
	return strings.Contains(openings, " "+w+" ")
}

// complaintInClauses returns the complaint in one of the first clauses of a text in lower case; false if it has none.
func complaintInClauses(text string, titled bool) (c Complaint, ok bool) {
	of := middle
	switch length := textLength(text); {
	case length <= isTiny:
		of = tiny | small
	case length <= isShort:
		of = small
	case length > isLong:
		of = large
	}
	x, task := signsOfWords(), false
	for i := 0; i < maxClauses && text != ""; {
		var clause string
		if clause, text = cutClause(text); !strings.ContainsFunc(clause, isWordRune) {
			continue
		}
		s := x.signs(clause, i == 0)
		i++
		if s&ordered != 0 {
			task = task || s&undone == 0
			continue
		}
		if s&dependent != 0 && !isObservation(clause) {
			continue
		}
		if s&whenever != 0 && !isObservation(clause) {
			if next, _ := cutClause(text); x.signs(next, false)&(ordered|requested|wished) != 0 {
				continue // "when it fails, show an error"
			}
		}
		for k := range clauseRules {
			r := &clauseRules[k]
			if titled && r.all&(sworn|lasting) == 0 || task && r.all&(lasting|strange|opposed|sworn|lately) == 0 {
				continue // what is wrong belongs to the task
			}
			if r.matches(s, of, i) && r.weight > c.Confidence {
				c, ok = Complaint{r.kind, r.text, r.weight}, true
			}
		}
	}
	return c, ok
}

// cutClause returns the first clause of a text and the rest: up to a sign of punctuation, or before a word that means "but". A comma after
// "unfortunately" ends none.
func cutClause(text string) (clause, rest string) {
	for i, r := range text {
		_, length := utf8.DecodeRuneInString(text[i:])
		after := text[i+length:]
		switch {
		case r == ' ' && i > 0 && startsContrast(text[i+1:]):
			return text[:i], text[i:]
		case r == ' ' && (strings.HasPrefix(after, "- ") || strings.HasPrefix(after, "– ") || strings.HasPrefix(after, "— ")):
			return text[:i], strings.TrimLeft(after, "-–—")
		case strings.ContainsRune("。！？；，", r), strings.HasPrefix(text[i:], "ので"):
			return text[:len(text)-len(after)], after
		case !strings.ContainsRune(".!?;\n,、", r), after != "" && !strings.ContainsRune(" \n.!?", rune(after[0])):
			continue
		case r == ',' && signsOfWords().words[strings.TrimSpace(text[:i])]&opposed != 0:
			continue
		}
		return text[:len(text)-len(after)], after
	}
	return text, ""
}

// startsContrast reports whether a text begins with a word that means "but".
func startsContrast(text string) bool {
	switch word, _, _ := strings.Cut(text[:min(len(text), 12)], " "); word {
	case "but", "however", "pero", "mais", "mas", "но", "aber":
		return true
	}
	return false
}

// maxScope is the length of what may be before the colon with which the title of a change begins.
const maxScope = 40

// hasTitle reports whether a text begins with a line like the title of an issue or a change, which describes a task.
func hasTitle(prompt string) bool {
	title, rest, _ := strings.Cut(strings.TrimSpace(prompt), "\n")
	title = strings.TrimSpace(title)
	if isError(title) || shareOfMarks(title) >= mostMarks {
		return false
	}
	if len(title) > maxTitle || !strings.Contains(title, " ") || isSpoken(title) {
		return false
	}
	return strings.TrimSpace(rest) != "" && !strings.ContainsAny(title[len(title)-1:], ".!?:,;)")
}

// isSpoken reports whether a line speaks of the people in a conversation, as no title does.
func isSpoken(line string) bool {
	return slices.ContainsFunc(strings.Fields(strings.ToLower(line)), func(w string) bool {
		w, _, _ = strings.Cut(strings.Trim(w, ",.!?"), "'")
		return strings.Contains(" i im ive we you u your my getting still again ", " "+w+" ")
	})
}

// maxTitle is the length of a title in bytes.
const maxTitle = 100

// textLength returns the length of a text in characters, those of languages without blanks counted twice.
func textLength(text string) (n int) {
	for _, r := range text {
		if n++; r >= firstWithoutBlanks {
			n++
		}
	}
	return n
}

// maxClauses is the number of clauses that are read.
const maxClauses = 6

// matches reports whether the rule is about a clause with some signs, the nth of a prompt of a size.
func (r *clauseRule) matches(s sign, of size, nth int) bool {
	if r.sizes&of == 0 || nth > r.within || s&r.all != r.all {
		return false
	}
	return s&r.none == 0 && (r.any == 0 || s&r.any != 0)
}

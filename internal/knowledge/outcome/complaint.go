package outcome

import (
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

// Complaint is a prompt in which a user reports that the work before it failed.
type Complaint struct {
	Kind       Kind
	Phrase     string  // of the table
	Confidence float64 // at least MinConfidence, at most 1
}

// MinConfidence is the least confidence of a complaint.
const MinConfidence = 0.7

// Limits for reading a prompt. People complain at the beginning, and the rest may be a pasted log.
const (
	atBeginning = 0.2 // among the first words, where people judge the last answer
	ofBefore    = 0.2 // its clause refers to the work before
	inLong      = 0.4 // subtracted: a long prompt describes a task, in which such words are common
	inShort     = 0.1 // words of a pattern in a short prompt
	inTask      = 0.4 // subtracted: a question or a task is not a complaint
	alone       = 0.3 // the phrase is the whole prompt
)

// The parts of a prompt that are searched. People write at the beginning that something went
// wrong, and the rest may be a pasted log.
const (
	maxComplaint = 2000 // bytes
	begins       = 24   // characters before a phrase that is at the beginning
	isLong       = 400  // characters
	isShort      = 160  // bytes
)

// FindComplaint returns the complaint in a prompt; false if it has none.
func FindComplaint(prompt string) (c Complaint, ok bool) {
	if isReport(prompt) {
		return c, false
	}
	text, titled := ownWords(prompt), hasTitle(prompt)
	isOver := func(w string) bool { return strings.Contains(text, w) }
	if len(text) <= isShort && slices.ContainsFunc(over[:], isOver) {
		return c, false
	}
	if c, ok = complaintIn(text, titled); ok {
		return c, true
	}
	if plain := withoutAsides(text); plain != text {
		if c, ok = complaintIn(plain, titled); ok {
			return c, true
		}
	}
	text = ownWords(withoutOutput(prompt))
	if _, ok = complaintInClauses(text, titled); ok {
		if c, ok = complaintInClauses(withoutHarmless(text), titled); ok {
			return c, true
		}
	}
	if first, _ := cutClause(text); isShouted(prompt) && signsOfWords().signs(first, true)&(requested|praised|ordered) == 0 {
		return Complaint{Denial, "capitals", MinConfidence}, true
	}
	return pastedError(prompt, titled)
}

// over are wordings of short prompts by which what was wrong is not any more.
var over = [...]string{"all fixed", "works now", "working now", "it works fine", "figured it out", "never mind", "nevermind", "solved it", "i fixed it", "fixed it myself", "ya funciona", "já funciona"}

// isReport reports whether a prompt was written by a client: the output of a command that the user ran, or a diagnostic of its editor.
func isReport(prompt string) bool {
	begins := func(mark string) bool { return strings.HasPrefix(strings.TrimSpace(prompt), mark) }
	return slices.ContainsFunc([]string{"<local-command-", "<bash-", "For the code present, we get this error:"}, begins)
}

// shouted is the number of words in capitals, one after another, by which a prompt is shouted.
const shouted = 6

// shoutedLines is the number of lines that are looked at.
const shoutedLines = 3

// isShouted reports whether a sentence in one of the first lines of a prompt is in capitals.
func isShouted(prompt string) bool {
	lines := 0
	for line := range strings.Lines(prompt) {
		if lines++; lines > shoutedLines {
			return false
		}
		n := 0
		for w := range strings.FieldsSeq(line[:min(len(line), maxComplaint)]) {
			w = strings.Trim(w, ",.!?;:'")
			switch {
			case len(w) > 1 && strings.IndexFunc(w, func(r rune) bool { return r < 'A' || r > 'Z' }) < 0:
				if n++; n == shouted {
					return true
				}
			case len(w) > 1:
				n = 0
			}
		}
	}
	return false
}

// withoutHarmless returns a text without wordings that contain a phrase of a complaint and are none.
func withoutHarmless(text string) string {
	for _, h := range harmless {
		text = strings.ReplaceAll(text, h, " ")
	}
	return text
}

// complaintIn returns the complaint in a text in lower case; false if it has none.
func complaintIn(text string, titled bool) (c Complaint, ok bool) {
	index := phraseIndex()
	if !index.each(text, func(*phrase, int, bool) bool { return false }) {
		return c, false // most prompts have no wording of a complaint
	}
	long := utf8.RuneCountInString(text) > isLong
	bare := withoutCourtesy(text)
	text = withoutHarmless(text)
	lead, byPattern := acknowledgement(text), false
	index.each(text, func(p *phrase, at int, loose bool) bool {
		weight := p.weight
		clause := clauseAt(text, at)
		early := utf8.RuneCountInString(text[:at]) <= begins || loose && !strings.ContainsAny(text[min(lead, at):at], ends)
		if early {
			weight += atBeginning
		}
		if loose && len(text) < isShort {
			weight += inShort
		}
		if loose && refersTo(clause, surely[:]) || !loose && refersTo(clause, before[:]) {
			weight += ofBefore
		}
		if far := !early || loose && at-lead > begins; long && far || titled && loose {
			weight -= inLong
		}
		if isRequest(clause) || isOrdered(text[:at]) {
			weight -= inTask
		}
		if len(bare) <= len(p.text)+1 {
			weight += alone
		}
		weight = min(weight, 1)
		better := weight > c.Confidence
		if ok && loose != byPattern { // the kind of a phrase is surer
			better = !loose
		}
		if weight >= MinConfidence-1e-9 && better {
			c, ok, byPattern = Complaint{p.kind, strings.TrimSuffix(p.text, "*"), weight}, true, loose
		}
		return true
	})
	return c, ok
}

// index finds all phrases in one pass over a text: byWord has those of languages with blanks by their first word, byRune the others by
// their first character, and open those of a single word with any end.
type index struct {
	byWord map[string]*wordEntry
	byRune map[rune][]*phrase
	open   []*phrase
}

// wordEntry is what begins with a word, or can be made with it.
type wordEntry struct {
	phrases []*phrase
	class   class
}

// entry returns the entry of a word, made if there is none.
func (x *index) entry(word string) *wordEntry {
	if x.byWord[word] == nil {
		x.byWord[word] = &wordEntry{}
	}
	return x.byWord[word]
}

var phraseIndex = sync.OnceValue(func() *index {
	x := &index{byWord: map[string]*wordEntry{}, byRune: map[rune][]*phrase{}}
	for i := range wordings {
		w := &wordings[i]
		for k := range w.phrases {
			p := &w.phrases[k]
			first, _ := utf8.DecodeRuneInString(p.text)
			word := p.text[:wordLength(p.text)]
			switch {
			case w.anywhere:
				x.byRune[first] = append(x.byRune[first], p)
			case word+"*" == p.text:
				x.open = append(x.open, p)
			default:
				x.entry(word).phrases = append(x.entry(word).phrases, p)
			}
		}
	}
	eachForm(func(word string, c class) { x.entry(word).class |= c })
	return x
})

// each calls f with every phrase in a text and its offset, until f returns false. It reports whether there was any.
func (x *index) each(text string, f func(p *phrase, at int, loose bool) bool) (any bool) {
	m := matcher{begins: true}
	for at := 0; at < len(text); {
		r, size := utf8.DecodeRuneInString(text[at:])
		list, ends := x.byRune[r], false
		if length := wordLength(text[at:]); length > 0 {
			word := text[at : at+length]
			ends, size = true, length
			entry := x.byWord[word]
			if entry != nil {
				list = entry.phrases
			}
			if whole := contraction(text[at:], length); len(whole) > length {
				entry, size = x.byWord[whole], len(whole)
			}
			matched, more := false, true
			if entry == nil {
				m.skip()
			} else {
				matched, more = m.add(entry.class, at, f)
			}
			if any = any || matched; !more {
				return any
			}
			for _, p := range x.open {
				if strings.HasPrefix(word, strings.TrimSuffix(p.text, "*")) {
					any = true
					if !f(p, at, false) {
						return any
					}
				}
			}
		}
		for _, p := range list {
			stem, isOpen := strings.CutSuffix(p.text, "*")
			if !strings.HasPrefix(text[at:], stem) {
				continue
			}
			if next, _ := utf8.DecodeRuneInString(text[at+len(stem):]); ends && !isOpen && isWordRune(next) {
				continue
			}
			if ends && (m.depends() || strings.HasSuffix(text[:at], "/")) {
				continue
			}
			any = true
			if !f(p, at, false) {
				return any
			}
		}
		switch {
		case isEnd(r):
			m.endClause()
		case r == ',':
			m.count++
		case r == '-':
			m.count += clauseGap // "now-useless" is one word
		}
		at += size
	}
	return any
}

// contraction returns the word of a length with which a text begins, with the rest of a contraction such as "doesn't".
func contraction(text string, length int) string {
	if rest := text[length:]; strings.HasPrefix(rest, "'") {
		length += 1 + wordLength(rest[1:])
	}
	return text[:length]
}

// isEnd reports whether a character ends a clause.
func isEnd(r rune) bool { return strings.ContainsRune(ends, r) }

// wordLength returns the length of the word with which a text begins, 0 if it begins with none. Characters of languages without blanks
// belong to no word.
func wordLength(text string) int {
	for i, r := range text {
		if r >= firstWithoutBlanks || !isWordRune(r) {
			return i
		}
	}
	return len(text)
}

// firstWithoutBlanks is the first character of the blocks with Korean, Japanese and Chinese.
const firstWithoutBlanks = 0x1100

// ownWords returns the beginning of a prompt in lower case, without pasted code, quotes and text in tags.
func ownWords(prompt string) string {
	if len(prompt) > maxComplaint {
		prompt = strings.ToValidUTF8(prompt[:maxComplaint], "")
	}
	prompt = straightQuotes().Replace(strings.ToLower(prompt))
	for _, pair := range [][2]string{{"```", "```"}, {"`", "`"}, {`"`, `"`}, {"「", "」"}, {"«", "»"}, {"<", ">"}, {"(", ")"}} {
		prompt = cutBetween(prompt, pair[0], pair[1])
	}
	var lines []string
	for line := range strings.Lines(prompt) {
		if line = strings.TrimSpace(line); !strings.HasPrefix(line, ">") && !strings.HasPrefix(line, "at ") {
			lines = append(lines, line)
		}
	}
	return strings.TrimSpace(strings.Join(lines, ". "))
}

var straightQuotes = sync.OnceValue(func() *strings.Replacer { return strings.NewReplacer("’", "'", "“", `"`, "”", `"`) })

// cutBetween removes the text between the marks begin and end. A block of code that nothing ends reaches to the end of the text.
func cutBetween(text, begin, end string) string {
	var b strings.Builder
	for {
		head, rest, ok := strings.Cut(text, begin)
		b.WriteString(head)
		if !ok {
			return b.String()
		}
		_, text, ok = strings.Cut(rest, end)
		if !ok {
			if begin != "```" {
				b.WriteString(" " + rest)
			}
			return b.String()
		}
		b.WriteByte(' ')
	}
}

// eachWord calls f with every offset at which a phrase occurs as whole words.
func eachWord(text, phrase string, f func(at int)) {
	stem, open := strings.CutSuffix(phrase, "*")
	for from := 0; ; {
		i := strings.Index(text[from:], stem)
		if i < 0 {
			return
		}
		at := from + i
		from = at + len(stem)
		last, _ := utf8.DecodeLastRuneInString(text[:at])
		next, _ := utf8.DecodeRuneInString(text[from:])
		if !isWordRune(last) && (open || !isWordRune(next)) {
			f(at)
		}
	}
}

func isWordRune(r rune) bool {
	return r != utf8.RuneError && (unicode.IsLetter(r) || unicode.IsDigit(r) || r == '_')
}

// ends are the characters that end a clause.
const ends = ".!?;\n。！？"

// clauseAt returns the clause around an offset, with the character that ends it.
func clauseAt(text string, at int) string {
	begin, end := 0, len(text)
	for i, r := range text {
		n := utf8.RuneLen(r)
		inWord := r == '.' && i+1 < len(text) && isWordRune(rune(text[i+1])) // of a file's name
		if !isEnd(r) || inWord {
			continue
		}
		if i >= at {
			end = i + n
			break
		}
		begin = i + n
	}
	if begin > at {
		begin = at
	}
	return strings.ToValidUTF8(text[begin:end], "")
}

// acknowledgement returns the length of the words with which a text begins that take notice of the work before and do not judge it.
func acknowledgement(text string) (length int) {
	for length < len(text) {
		word := wordLength(text[length:])
		switch {
		case word > 0 && slices.Contains(acknowledgements[:], text[length:length+word]):
			length += word
		case word > 0:
			return length
		default:
			_, size := utf8.DecodeRuneInString(text[length:])
			length += size
		}
	}
	return length
}

// refersTo reports whether a clause has one of some words that refer to the work before the prompt.
func refersTo(clause string, list []string) bool {
	for _, w := range list {
		if w[0] >= utf8.RuneSelf {
			if strings.Contains(clause, w) {
				return true
			}
			continue
		}
		found := false
		if eachWord(clause, w, func(int) { found = true }); found {
			return true
		}
	}
	return false
}

// withoutCourtesy returns a text without words of courtesy, which add nothing to a complaint.
func withoutCourtesy(text string) string {
	words := strings.FieldsFunc(text, func(r rune) bool { return !isWordRune(r) && r != '\'' })
	return strings.Join(slices.DeleteFunc(words, func(w string) bool { return slices.Contains(courtesies[:], w) }), " ")
}

// withoutAsides returns a text without words of courtesy and regret inside its sentences, which part the words of a phrase: "klappt leider
// nicht".
func withoutAsides(text string) string {
	for _, w := range asides {
		for _, form := range [...]string{", " + w + ", ", ", " + w + " ", " " + w + ", ", " " + w + " "} {
			text = strings.ReplaceAll(text, form, " ")
		}
	}
	return text
}

// isOrdered reports whether the words before a phrase order a change of the thing that it names: "fix the wrong …".
func isOrdered(before string) bool {
	words := strings.Fields(before)
	if n := len(words); n > 0 && slices.Contains(articles[:], words[n-1]) {
		words = words[:n-1]
	}
	return len(words) > 0 && slices.Contains(orders[:], words[len(words)-1])
}

// isObservation reports whether a clause tells of what the user saw although it begins with a condition: "if I click it I get".
func isObservation(clause string) bool {
	clause = strings.TrimSpace(clause)
	if strings.HasPrefix(clause, "when i ") || strings.HasPrefix(clause, "when we ") {
		return true
	}
	for _, who := range []string{" i ", " we "} {
		if rest, ok := strings.CutPrefix(clause, "if"+who); ok && strings.Contains(rest, who) {
			return true
		}
	}
	return false
}

// isRequest reports whether a clause is a question or a task.
func isRequest(clause string) bool {
	clause = strings.TrimSpace(clause)
	for _, w := range courtesies {
		clause = strings.TrimLeft(strings.TrimPrefix(clause, w+" "), " ,")
	}
	for _, end := range []string{"?", "？", "か。", "か", "吗"} {
		if strings.HasSuffix(clause, end) {
			return true
		}
	}
	if strings.Contains(clause, " i want you to ") {
		return true
	}
	observed := isObservation(clause)
	for _, w := range tasks {
		if strings.HasPrefix(clause, w) && !observed {
			return true
		}
	}
	first, _, _ := strings.Cut(clause, " ")
	return slices.Contains(orders[:], strings.TrimSuffix(first, ":"))
}

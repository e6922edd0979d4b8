package outcome

import (
	"math/bits"
	"strings"
)

// class is a set of meanings that a word of English can have in a complaint.
type class uint32

const (
	negation   class = 1 << iota // not, never, nothing
	result                       // verbs and adjectives of what works, negated in a complaint
	fault                        // what is wrong, or goes wrong
	trouble                      // issue, bug: tasks have these words as well
	excess                       // too much
	arising                      // what errors do
	persisting                   // still, again
	perception                   // see, get, have: what the user observed
	accused                      // the agent
	misdeed                      // what the agent is accused of
	reverting                    // undo, revert
	earlier                      // the state or the change before
	contrast                     // but, however
	present                      // now
	caused                       // made, causing
	reporting                    // what programs do with errors
	linking                      // is, has, becomes
	condition                    // what follows is no observation
	assumption                   // ensure, should: what follows is none, either
	relative                     // that, which
	speaker                      // I, we: after a relative word a negation describes a thing
	forbidding                   // negations with which an order begins
	opening                      // words before such an order
)

// classWords lists the words of each class; of those with "*" the forms with -s, -ed and -ing belong to it, too.
var classWords = [...]struct {
	class class
	words string
}{
	{negation, "not don't doesn't didn't isn't aren't wasn't weren't can't cannot won't couldn't haven't hasn't dont doesnt didnt isnt arent wasnt cant wont havent hasnt " +
		"never no nothing none neither missing unable"},
	{result, "work* show* shown appear* display* render* load* run* running compile* build* pass* see seeing find open* save* saved start* connect* respond* changed updated " +
		"applied fixed solved resolved help* happen* exist* match* fit correct right good true visible aligned centered clickable there complete completed get got doing " +
		"finished removed deleted added trigger* persist* accurate fully properly correctly joy luck sense look seem handle* allow* let update* return* accept* recognize* " +
		"scroll* stick stay* refresh* reload* redirect* play* animate* execute* launch* submit* populate* reflect* sync* navigate* resize* highlight* focus* respond*"},
	{fault, "broken wrong incorrect incorrectly worse bad terrible horrible horribly horrendous horrendously awful ugly weird off invisible empty blank gone stuck flicker* distort* " +
		"distortion distorted artifact artifacts artefacts duplicate* squashed useless mess messed error errors erros fail* failure failures crash* " +
		"exception freeze* freezes frozen hang hangs hanging lost disappear* misaligned overlap* overlapping dropped nonsense unreadable glitch* laggy confusing warp* hole holes undefined artefact decreased"},
	{trouble, "issue issues problem problems bug bugs"},
	{excess, "too"},
	{arising, "pop pops popped appears appeared occurs occurred comes came happens happened"},
	{persisting, "still again anymore keeps longer"},
	{perception, "see seeing saw get getting got have having there's there seems seem looks look looking feels receiving i'm"},
	{accused, "you you've youre you're u"},
	{misdeed, "broke removed deleted forgot missed misunderstood ignored hardcoded messed screwed fucked skipped duplicated overwrote ruined shouldn't didn't haven't failed lied invented " +
		"literally changed wrecked destroyed misread misinterpreted hallucinated guessed assumed lost wasted borraste eliminaste olvidaste"},
	{reverting, "undo revert rollback restore reverting undoing undid reverted"},
	{earlier, "that this it those these your previous last back before all my everything what change changes"},
	{contrast, "but however except unfortunately although"},
	{present, "now currently suddenly"},
	{caused, "made makes making causes caused causing"},
	{reporting, "reports reporting throws throwing gives giving raises returns pops pop popped hits hit shows causes"},
	{linking, "is are was were has gets become becomes went goes renders looks"},
	{condition, "if whether unless maybe perhaps probably"},
	{assumption, "ensure sure avoid prevent handle case verify assert expect until should users customers let's let lets"},
	{relative, "that which who what"},
	{speaker, "i we you they"},
	{forbidding, "don't dont not never"},
	{opening, "please do and just also but so then ok to"},
}

// pattern is a complaint that words of two classes make in this order in one clause.
type pattern struct {
	phrase
	first, second class
	within        int // words from the first to the second
}

var patterns = [...]pattern{
	{phrase{Malfunction, 0.6, "still … not"}, persisting, negation | fault | trouble | excess, 5},
	{phrase{Malfunction, 0.8, "broken … again"}, fault, persisting, 4},
	{phrase{Malfunction, 0.5, "does not … work"}, negation, result, 2},
	{phrase{Malfunction, 0.5, "see … error"}, perception, fault, 5},
	{phrase{Malfunction, 0.5, "reports … error"}, reporting, fault, 4},
	{phrase{Malfunction, 0.4, "is … broken"}, linking, fault, 2},
	{phrase{Malfunction, 0.5, "error … appears"}, fault, arising, 2},
	{phrase{Malfunction, 0.5, "but … wrong"}, contrast, fault | trouble, 8},
	{phrase{Malfunction, 0.6, "now … wrong"}, present, fault, 6},
	{phrase{Malfunction, 0.6, "wrong … now"}, fault, present, 4},
	{phrase{Denial, 0.8, "you broke"}, accused, misdeed, 2},
	{phrase{Redo, 0.8, "revert that"}, reverting, earlier, 2},
	{phrase{Bug, 0.8, "made it worse"}, caused, fault, 6},
}

// unless returns the classes after which the pattern is no complaint.
func (p *pattern) unless() class {
	if p.first == accused {
		return condition
	}
	return condition | assumption
}

// eachForm calls f with every word of the classes and its forms.
func eachForm(f func(word string, c class)) {
	for _, list := range classWords {
		for w := range strings.FieldsSeq(list.words) {
			stem, inflected := strings.CutSuffix(w, "*")
			f(stem, list.class)
			if !inflected {
				continue
			}
			f(stem+"s", list.class)
			for _, end := range [...]string{"es", "ed", "ing"} {
				f(strings.TrimSuffix(stem, "e")+end, list.class)
			}
		}
	}
}

// matcher finds patterns in the words of a text, which it is given one after another.
type matcher struct {
	begins  bool      // the next word can begin an order
	relates int       // the number of the last speaker after a relative word
	count   int       // of words, and of ends of clauses as many as no pattern spans
	seen    [32]place // by the bit of a class
}

// place is where the last word of a class was.
type place struct {
	word int // its number, from 1
	at   int // its offset
}

// clauseGap is more than the words of any pattern.
const clauseGap = 20

// endClause begins a new clause.
func (m *matcher) endClause() { m.count, m.begins = m.count+clauseGap, true }

// skip takes a word of no class.
func (m *matcher) skip() { m.count, m.begins = m.count+1, false }

// add takes the classes of the next word and calls f with each pattern that it completes and the offset of the pattern's first word. It
// reports whether there was any, and whether f wants more.
func (m *matcher) add(c class, at int, f func(p *phrase, at int, loose bool) bool) (any, more bool) {
	m.count++
	described := m.relates > 0 && m.count-m.relates == 1 // by a negation: "the event that we did not get"
	if m.begins && c&forbidding != 0 || described {
		c &^= negation
	}
	if when := m.last(condition); c&speaker != 0 && m.inClause(when) && m.last(speaker).word > when.word {
		m.seen[bits.TrailingZeros32(uint32(condition))] = place{} // "if I click it I get": what follows was observed
	}
	if that := m.last(relative); c&speaker != 0 && that.word == m.count-1 {
		m.relates = m.count
	}
	m.begins = c&opening != 0
	for i := range patterns {
		p := &patterns[i]
		if p.second&c == 0 {
			continue
		}
		first := m.last(p.first)
		if first.word == 0 || m.count-first.word > p.within {
			continue
		}
		if a := m.last(p.unless()); m.inClause(a) && a.word < first.word {
			continue
		}
		any = true
		if !f(&p.phrase, first.at, true) {
			return any, false
		}
	}
	for rest := c; rest != 0; rest &= rest - 1 {
		m.seen[bits.TrailingZeros32(uint32(rest))] = place{m.count, at}
	}
	return any, true
}

// inClause reports whether a place is in the present clause.
func (m *matcher) inClause(p place) bool { return p.word > 0 && m.count-p.word < clauseGap }

// depends reports whether the present clause has begun with a condition.
func (m *matcher) depends() bool { return m.inClause(m.last(condition)) }

// last returns the place of the last word of any of some classes.
func (m *matcher) last(c class) (out place) {
	for ; c != 0; c &= c - 1 {
		if p := m.seen[bits.TrailingZeros32(uint32(c))]; p.word > out.word {
			out = p
		}
	}
	return out
}

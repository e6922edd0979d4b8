package rules

import (
	"bytes"
	"cmp"
	"slices"
	"sync"
	"sync/atomic"
)

// Keywords are the keywords of rules, to be searched by the automaton or, as long as there are only few short texts, one by one. They are
// safe for concurrent use.
type Keywords struct {
	table []Rule
	auto  func() *Automaton // makes it when it is asked for first
	made  atomic.Bool       // whether it was asked for
	short atomic.Int32      // texts that were searched without it
}

// NewKeywords makes nothing yet.
func NewKeywords(table []Rule) *Keywords {
	k := &Keywords{table: table}
	k.auto = sync.OnceValue(func() *Automaton {
		defer k.made.Store(true)
		return newAutomaton(table)
	})
	return k
}

// maxTexts is how many short texts are searched without the automaton. Making it costs as much as some dozens of them; a hook
// masks a few and ends.
const maxTexts = 40

// Find is what findEach finds in a text, or else the automaton to find it with.
func (k *Keywords) Find(text []byte) (*Automaton, []Occurrence) {
	if len(text) <= MaxShort && !k.made.Load() && k.short.Add(1) <= maxTexts {
		return nil, findEach(k.table, text)
	}
	return k.Automaton(), nil
}

// Automaton is the automaton, made if there is none yet.
func (k *Keywords) Automaton() *Automaton { return k.auto() }

// MaxShort is the longest text that findEach takes, in bytes.
const MaxShort = 256

// Occurrence is a keyword that ends at a place: behind the byte before End.
type Occurrence struct {
	Hit
	End int
}

// findEach are the hits of a short text in the order in which the automaton finds them. It searches the text for each keyword, which for a
// few texts costs a hundredth of making the automaton.
func findEach(table []Rule, text []byte) (out []Occurrence) {
	var folded [MaxShort]byte
	var has [256]bool
	low := folded[:len(text)]
	for i, c := range text {
		if 'A' <= c && c <= 'Z' {
			c += 'a' - 'A'
		}
		low[i], has[c] = c, true
	}
	for r := range table {
		for _, key := range table[r].Keys {
			if !has[key[0]] || !has[key[len(key)-1]] {
				continue
			}
			for at := 0; ; at++ {
				i := bytes.Index(low[at:], []byte(key))
				if i < 0 {
					break
				}
				at += i
				out = append(out, Occurrence{Hit{uint16(r), uint16(len(key))}, at + len(key)})
			}
		}
	}
	slices.SortStableFunc(out, func(a, b Occurrence) int { return cmp.Or(cmp.Compare(a.End, b.End), cmp.Compare(b.Length, a.Length)) })
	return out
}

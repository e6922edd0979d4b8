package rules

import (
	"bytes"
	"cmp"
	"slices"
	"sync"
	"sync/atomic"

	"ken/internal/engine/source/secret/look"
)

// Keywords finds the keywords of rules: by the automaton or, as long as there are only few short texts, one by one. It is safe for
// concurrent use.
type Keywords struct {
	table []Rule
	auto  func() *Automaton // builds it on the first call
	made  atomic.Bool       // whether it is built
	short atomic.Int32      // number of texts that were searched without it
}

// NewKeywords returns the keywords of a table. It does not build the automaton.
func NewKeywords(table []Rule) *Keywords {
	k := &Keywords{table: table}
	k.auto = sync.OnceValue(func() *Automaton {
		defer k.made.Store(true)
		return newAutomaton(table)
	})
	return k
}

// maxTexts is the maximal number of short texts that are searched without the automaton. Building it costs as much as some dozens of
// them, and a hook masks only a few.
const maxTexts = 40

// Find returns the keywords of a short text, or the automaton that finds those of any other.
func (k *Keywords) Find(text []byte) (*Automaton, []Occurrence) {
	if len(text) > MaxShort || k.made.Load() {
		return k.Automaton(), nil
	}
	if k.short.Add(1) > maxTexts {
		return k.Automaton(), nil
	}
	return nil, findEach(k.table, text)
}

// Automaton returns the automaton, and builds it on the first call.
func (k *Keywords) Automaton() *Automaton { return k.auto() }

// MaxShort is the length of the longest text that findEach searches, in bytes.
const MaxShort = 256

// Occurrence is a keyword in a text. End is exclusive.
type Occurrence struct {
	Hit
	End int
}

// findEach returns the keywords of a short text in the order in which the automaton finds them. It searches the text for each keyword,
// which for a few texts costs a hundredth of building the automaton.
func findEach(table []Rule, text []byte) (out []Occurrence) {
	var folded [MaxShort]byte
	var has [256]bool
	low := folded[:len(text)]
	for i, c := range text {
		c = look.ToLower(c)
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

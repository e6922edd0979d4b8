package rules

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// TestHits holds the automaton against a search for each literal at each place.
func TestHits(t *testing.T) {
	rnd := rand.New(rand.NewPCG(5, 6))
	for round := range 50 {
		lists := make([][]string, 1+rnd.IntN(20))
		for i := range lists {
			for range 1 + rnd.IntN(4) {
				lists[i] = append(lists[i], word(rnd, "abc_", 1+rnd.IntN(6)))
			}
		}
		text := word(rnd, "abcABC_x\xff", MaxShort)
		a := automaton(lists)
		state := uint32(0)
		var all []Occurrence
		for i := range len(text) {
			state = a.Next(state, text[i])
			var got, want []string
			for _, h := range a.Hits(state) {
				got = append(got, fmt.Sprint(h.Rule, h.Length))
			}
			for k, list := range lists {
				for _, s := range list {
					if strings.HasSuffix(strings.ToLower(text[:i+1]), s) {
						want = append(want, fmt.Sprint(k, len(s)))
					}
				}
			}
			for _, h := range a.Hits(state) {
				all = append(all, Occurrence{h, i + 1})
			}
			slices.Sort(got)
			slices.Sort(want)
			if !slices.Equal(got, want) {
				t.Fatalf("round %d: %v in %q: %v, not %v", round, lists, text[:i+1], got, want)
			}
		}
		if short := findEach(keywordTable(lists), []byte(text)); !slices.Equal(short, all) {
			t.Fatalf("round %d: %v in %q: searched one by one %v, not %v", round, lists, text, short, all)
		}
	}
}

func word(rnd *rand.Rand, set string, n int) string {
	b := make([]byte, n)
	for i := range b {
		b[i] = set[rnd.IntN(len(set))]
	}
	return string(b)
}

// TestOrder gives the longest literal first, and those of one length in the order of their lists.
func TestOrder(t *testing.T) {
	a := automaton([][]string{{"ab", "b"}, {"cab"}, {"ab"}})
	state := uint32(0)
	for _, c := range []byte("xCAB") {
		state = a.Next(state, c)
	}
	if got := fmt.Sprint(a.Hits(state)); got != "[{1 3} {0 2} {2 2} {0 1}]" {
		t.Error(got)
	}
}

func automaton(lists [][]string) *Automaton { return newAutomaton(keywordTable(lists)) }

func keywordTable(lists [][]string) []Rule {
	table := make([]Rule, len(lists))
	for i := range lists {
		table[i].Keys = lists[i]
	}
	return table
}

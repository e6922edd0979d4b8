package search

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// TestPairs: what stands side by side in the query is found side by side in text,
// in that order, also within one identifier, and nowhere else.
func TestPairs(t *testing.T) {
	q := Parse("Read timeout of the session store\n\nThe session store must honour the read timeout.")
	idf := make([]float32, len(q.Terms))
	for i := range idf {
		idf[i] = 1
	}
	m := NewMatcher(q, idf)
	var all [][]PairHits
	for _, c := range []struct{ text, want string }{
		{"a session store", "session store 1"},
		{"func openSessionStore() { d := readTimeout }\n// the read\n// timeout", "read timeout 2, session store 1"},
		{"store of a session; a timeout was read", ""},
		{"the session has, as all things of this kind, at last a store", ""},
		{"", ""},
	} {
		hits := m.Pairs(m.Hits(nil, []byte(c.text)))
		var got []string
		for _, h := range hits {
			p := q.Pairs[h.Pair]
			if name := strings.ToLower(q.Terms[p.First].Word + " " + q.Terms[p.Then].Word); name == "session store" || name == "read timeout" {
				got = append(got, fmt.Sprint(name, " ", h.Count))
			}
		}
		slices.Sort(got)
		if s := strings.Join(got, ", "); s != c.want {
			t.Errorf("%q: %s, want %s", c.text, s, c.want)
		}
		all = append(all, hits)
	}
	score := RatePairs(q, all)
	if !(score[1] > score[0] && score[0] > 0 && score[2] == 0 && score[4] == 0) {
		t.Errorf("scores %v", score)
	}
	if got := RatePairs(Parse("word"), make([][]PairHits, 2)); len(got) != 2 || got[0] != 0 {
		t.Errorf("no pairs: %v", got)
	}
}

package secret

import "strings"

// automaton is an Aho-Corasick automaton over the rules' keywords, folded to lower case and laid out as one dense table: a byte
// costs two loads. States that end a keyword are numbered last, so that the scan tells them by one comparison.
type automaton struct {
	class      [256]uint8
	shift      uint32
	next       []uint16
	firstMatch uint32
	hits       [][]hit // by state - firstMatch
}

// hit says which rule a keyword belongs to, and how long the keyword is.
type hit struct {
	rule   uint16
	length uint16
}

// newAutomaton builds the table: a trie, then the failure links breadth first, written straight into the transitions.
func newAutomaton(rules []rule) *automaton {
	a := &automaton{}
	classes := a.classify(rules)
	for 1<<a.shift < classes {
		a.shift++
	}
	t := &trie{shift: a.shift, next: make([]uint16, 1<<a.shift), hits: make([][]hit, 1)}
	for i, r := range rules {
		for _, key := range r.keys {
			t.add(a, key, hit{uint16(i), uint16(len(key))})
		}
	}
	order := t.link(classes)
	a.number(t, order)
	return a
}

// classify gives every byte that occurs in a keyword a class of its own, upper and lower case alike; class 0 is all others.
func (a *automaton) classify(rules []rule) int {
	n := 1
	for _, r := range rules {
		for _, key := range r.keys {
			for i := 0; i < len(key); i++ {
				c := key[i]
				if a.class[c] == 0 {
					a.class[c] = uint8(n)
					a.class[strings.ToUpper(string(rune(c)))[0]] = uint8(n)
					n++
				}
			}
		}
	}
	return n
}

type trie struct {
	shift uint32
	next  []uint16
	hits  [][]hit
}

func (t *trie) add(a *automaton, key string, h hit) {
	state := uint32(0)
	for i := 0; i < len(key); i++ {
		at := state<<t.shift | uint32(a.class[key[i]])
		if t.next[at] == 0 {
			t.next[at] = uint16(len(t.hits))
			t.hits = append(t.hits, nil)
			t.next = append(t.next, make([]uint16, 1<<t.shift)...)
		}
		state = uint32(t.next[at])
	}
	t.hits[state] = append(t.hits[state], h)
}

// link completes the transitions and returns the states breadth first.
func (t *trie) link(classes int) []uint16 {
	fail := make([]uint16, len(t.hits))
	order := []uint16{0}
	for q := 0; q < len(order); q++ {
		s := uint32(order[q])
		f := uint32(fail[s])
		for c := uint32(0); c < uint32(classes); c++ {
			child := t.next[s<<t.shift|c]
			fallback := t.next[f<<t.shift|c]
			switch {
			case child == 0:
				if s != 0 {
					t.next[s<<t.shift|c] = fallback
				}
			default:
				if s != 0 {
					fail[child] = fallback
					t.hits[child] = append(t.hits[child], t.hits[fallback]...)
				}
				order = append(order, child)
			}
		}
	}
	return order
}

// number renames the states so that those with hits come last, and keeps the breadth-first order within each group: the states a
// scan lives in stay close together.
func (a *automaton) number(t *trie, order []uint16) {
	names := make([]uint16, len(order))
	n := uint16(0)
	for _, s := range order {
		if len(t.hits[s]) == 0 {
			names[s] = n
			n++
		}
	}
	a.firstMatch = uint32(n)
	for _, s := range order {
		if len(t.hits[s]) > 0 {
			names[s] = n
			n++
			a.hits = append(a.hits, t.hits[s])
		}
	}
	a.next = make([]uint16, len(t.next))
	for s := range names {
		for c := 0; c < 1<<t.shift; c++ {
			a.next[int(names[s])<<t.shift|c] = names[t.next[s<<t.shift|c]]
		}
	}
}

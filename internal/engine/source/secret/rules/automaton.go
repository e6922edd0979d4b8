package rules

import (
	"slices"

	"ken/internal/engine/source/secret/look"
)

// Automaton is an Aho-Corasick automaton over the rules' keywords, folded to lower case and laid out as one dense table, so that a byte
// costs two loads. States that end a keyword are numbered last, so that the scan recognises them by one comparison. It is built anew in
// every process, so building it must be cheap: the trie is kept in lists, and the table is written once, a row copied from another. A
// state is the place of its row in the table, divided by 1<<scale: a scan waits for each state before it can look for the next, and a
// shift by a constant that the processor does while it adds costs nothing there.
type Automaton struct {
	class      [256]uint8 // of each byte
	shift      uint32     // a row of next has 1 << shift entries
	next       []uint16   // by state and class
	firstMatch uint32     // the first of the states that end a keyword
	hits       [][]Hit    // of these states
}

// scale is the binary logarithm of the divisor of states; rows have at least 1<<scale entries.
const scale = 3

// Hit is a keyword that was found: the number of its rule, and its length.
type Hit struct {
	Rule   uint16
	Length uint16
}

// newAutomaton builds the automaton of the keywords of rules. There may be 8,192 states, one for each beginning of a keyword, if they have
// no more than 64 different bytes.
func newAutomaton(table []Rule) *Automaton {
	a := &Automaton{shift: scale}
	classes := a.classifyBytes(table)
	for 1<<a.shift < classes {
		a.shift++
	}
	t := newTrie(table, &a.class)
	order := t.linkFallbacks()
	if len(order)<<(a.shift-scale) > 1<<16 {
		panic("rules: too many keywords")
	}
	names := a.numberStates(t, order)
	a.fillTable(t, order, names)
	return a
}

// Next returns the state that follows a state by a byte; a scan begins with state 0.
func (a *Automaton) Next(state uint32, c byte) uint32 {
	return uint32(a.next[state<<scale+uint32(a.class[c])])
}

// Hits returns the keywords that end where a state is reached, the longest first, those of one length in the order of their rules.
func (a *Automaton) Hits(state uint32) []Hit {
	if state < a.firstMatch {
		return nil
	}
	return a.hits[(state-a.firstMatch)>>(a.shift-scale)]
}

// classifyBytes gives every byte that occurs in a keyword a class of its own, upper and lower case alike; class 0 has all others.
func (a *Automaton) classifyBytes(table []Rule) int {
	n := 1
	for i := range table {
		for _, key := range table[i].Keys {
			for j := 0; j < len(key); j++ {
				c := key[j]
				if a.class[c] != 0 {
					continue
				}
				a.class[c] = uint8(n)
				if look.Is(c, look.Lower) {
					a.class[c-'a'+'A'] = uint8(n)
				}
				n++
			}
		}
	}
	return n
}

// trie holds the keywords. A node's children are a list through sibling.
type trie struct {
	root  [256]uint16 // the children of the root by class, because most steps begin there
	nodes []trieNode
	hits  []trieHit
}

type trieNode struct {
	child, sibling uint16 // 0: none
	fail           uint16
	class          uint8
	own            int32 // first of its own hits in trie.hits plus 1, 0 if none
	total          int32 // number of its hits and those of the nodes it fails to
}

type trieHit struct {
	Hit
	next int32 // as own
}

func newTrie(table []Rule, class *[256]uint8) *trie {
	keys, size := 0, 1
	for i := range table {
		keys += len(table[i].Keys)
		for _, key := range table[i].Keys {
			size += len(key)
		}
	}
	t := &trie{nodes: make([]trieNode, 1, size), hits: make([]trieHit, 0, keys)}
	for i := range table {
		for _, key := range table[i].Keys {
			t.addKeyword(class, key, Hit{uint16(i), uint16(len(key))})
		}
	}
	return t
}

func (t *trie) addKeyword(class *[256]uint8, key string, h Hit) {
	at := uint16(0)
	for i := 0; i < len(key); i++ {
		c := class[key[i]]
		to := t.childNode(at, c)
		if to == 0 {
			to = uint16(len(t.nodes))
			t.nodes = append(t.nodes, trieNode{class: c, sibling: t.nodes[at].child})
			t.nodes[at].child = to
			if at == 0 {
				t.root[c] = to
			}
		}
		at = to
	}
	t.hits = append(t.hits, trieHit{h, t.nodes[at].own})
	t.nodes[at].own = int32(len(t.hits))
	t.nodes[at].total++
}

// childNode returns the child of a node by a class, or 0 if there is none.
func (t *trie) childNode(at uint16, c uint8) uint16 {
	if at == 0 {
		return t.root[c]
	}
	to := t.nodes[at].child
	for to != 0 && t.nodes[to].class != c {
		to = t.nodes[to].sibling
	}
	return to
}

// linkFallbacks sets, for each node, the node with which the search goes on if no child matches, and returns the nodes breadth first.
func (t *trie) linkFallbacks() []uint16 {
	order := make([]uint16, 1, len(t.nodes))
	for q := 0; q < len(order); q++ {
		s := order[q]
		for c := t.nodes[s].child; c != 0; c = t.nodes[c].sibling {
			order = append(order, c)
			if s != 0 {
				t.nodes[c].fail = t.fallback(t.nodes[s].fail, t.nodes[c].class)
			}
			t.nodes[c].total += t.nodes[t.nodes[c].fail].total
		}
	}
	return order
}

func (t *trie) fallback(f uint16, c uint8) uint16 {
	for {
		if to := t.childNode(f, c); to != 0 || f == 0 {
			return to
		}
		f = t.nodes[f].fail
	}
}

// numberStates numbers the states so that those with hits come last, and keeps the breadth-first order within each group: the states that a
// scan is mostly in stay close together.
func (a *Automaton) numberStates(t *trie, order []uint16) []uint16 {
	names := make([]uint16, len(order))
	n, total := uint16(0), 0
	for _, s := range order {
		if t.nodes[s].total == 0 {
			names[s] = n
			n++
		}
		total += int(t.nodes[s].total)
	}
	a.firstMatch = uint32(n) << (a.shift - scale)
	all := make([]Hit, 0, total)
	a.hits = make([][]Hit, 0, len(order)-int(n))
	for _, s := range order {
		if t.nodes[s].total == 0 {
			continue
		}
		names[s] = n
		n++
		from := len(all)
		for f := s; f != 0; f = t.nodes[f].fail {
			at := len(all)
			for h := t.nodes[f].own; h != 0; h = t.hits[h-1].next {
				all = append(all, t.hits[h-1].Hit)
			}
			slices.Reverse(all[at:]) // in the order of rules
		}
		a.hits = append(a.hits, all[from:])
	}
	return names
}

// fillTable writes the table. If a state has no child for a class, its entry is that of the state with which the search goes on, whose
// row is written already.
func (a *Automaton) fillTable(t *trie, order, names []uint16) {
	a.next = make([]uint16, len(order)<<a.shift)
	for _, s := range order {
		row := a.next[int(names[s])<<a.shift : (int(names[s])+1)<<a.shift]
		if s != 0 {
			copy(row, a.next[int(names[t.nodes[s].fail])<<a.shift:])
		}
		for c := t.nodes[s].child; c != 0; c = t.nodes[c].sibling {
			row[t.nodes[c].class] = names[c] << (a.shift - scale)
		}
	}
}

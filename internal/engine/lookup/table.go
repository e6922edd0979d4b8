package lookup

import (
	"math/bits"
	"slices"
)

// table maps hashes of keys to values; the values of one hash keep their order. It is filled first and only then
// read. A map would take two to three times the memory, and a table has no pointers for the garbage collector to
// follow.
type table[V comparable] struct {
	parts  [1 << tableBits]tablePart[V]
	sealed bool
}

const (
	tableBits  = 6   // leading bits of a hash that select its part
	tableChunk = 128 // entries that a part allocates at a time while it is filled
	perStart   = 8   // entries that share a place in starts, about
)

// tablePart holds the entries of some of the hashes. While it is filled, they are in chunks that never move, because
// a growing slice takes up to three times the memory.
type tablePart[V comparable] struct {
	chunks []*tableEntries[V]
	last   int // entries in the last chunk

	keys   []uint64 // ascending
	values []V      // of the keys
	starts []uint32 // first index of the keys with the same leading bits, and at the end the number of keys
	shift  uint     // shift from a hash to an index in starts
}

type tableEntries[V comparable] struct {
	keys   [tableChunk]uint64
	values [tableChunk]V
}

func (t *table[V]) add(key uint64, v V) {
	p := &t.parts[key>>(64-tableBits)]
	if len(p.chunks) == 0 || p.last == tableChunk {
		p.chunks, p.last = append(p.chunks, new(tableEntries[V])), 0
	}
	c := p.chunks[len(p.chunks)-1]
	c.keys[p.last], c.values[p.last] = key, v
	p.last++
}

// find returns the values of a hash, and leaves out a value that equals the one before.
func (t *table[V]) find(key uint64) []V {
	if !t.sealed {
		t.sealed = true
		for i := range t.parts {
			t.parts[i].seal()
		}
	}
	p := &t.parts[key>>(64-tableBits)]
	if len(p.keys) == 0 {
		return nil
	}
	at := key << tableBits >> p.shift
	keys, first := p.keys[:p.starts[at+1]], int(p.starts[at])
	n, _ := slices.BinarySearch(keys[first:], key)
	first += n
	end := first
	for end < len(keys) && keys[end] == key {
		end++
	}
	return p.values[first:end]
}

// seal sorts the entries so that they can be found: first by their leading bits, in one pass because hashes are
// evenly spread, then the few entries with equal leading bits.
func (p *tablePart[V]) seal() {
	if len(p.chunks) == 0 {
		return
	}
	n := (len(p.chunks)-1)*tableChunk + p.last
	width := bits.Len(uint(n / perStart))
	p.shift = 64 - uint(width)
	p.starts = make([]uint32, 1<<width+1)
	for key := range p.entries() {
		p.starts[key<<tableBits>>p.shift+1]++
	}
	for i := range 1 << width {
		p.starts[i+1] += p.starts[i]
	}
	p.keys, p.values = make([]uint64, n), make([]V, n)
	end := append([]uint32(nil), p.starts...)
	for key, v := range p.entries() {
		at := &end[key<<tableBits>>p.shift]
		i := *at
		for ; i > p.starts[key<<tableBits>>p.shift] && p.keys[i-1] > key; i-- {
			p.keys[i], p.values[i] = p.keys[i-1], p.values[i-1]
		}
		p.keys[i], p.values[i] = key, v
		*at++
	}
	p.chunks = nil
	p.compact()
}

// entries yields the added entries in their order.
func (p *tablePart[V]) entries() func(yield func(uint64, V) bool) {
	return func(yield func(uint64, V) bool) {
		for i, c := range p.chunks {
			n := tableChunk
			if i == len(p.chunks)-1 {
				n = p.last
			}
			for k := range n {
				if !yield(c.keys[k], c.values[k]) {
					return
				}
			}
		}
	}
}

// compact leaves out repeated entries.
func (p *tablePart[V]) compact() {
	n := uint32(0)
	for at := range len(p.starts) - 1 {
		from, to := p.starts[at], p.starts[at+1]
		p.starts[at] = n
		for i := from; i < to; i++ {
			if i > from && p.keys[i] == p.keys[n-1] && p.values[i] == p.values[n-1] {
				continue
			}
			p.keys[n], p.values[n] = p.keys[i], p.values[i]
			n++
		}
	}
	p.starts[len(p.starts)-1] = n
	p.keys, p.values = p.keys[:n], p.values[:n]
}

package search

import "slices"

// sorter orders the postings of one part: each holds the rest of the term (32 bits), the place of the document (24) and
// the code (8). Postings come in the order of documents except in a Merge, so that a stable sort by terms alone orders
// nearly all of them: three passes over 11 bits each, a fifth of the time that comparing takes.
type sorter struct {
	list, other []uint64 // kept for the next part
	counts      [digits][1 << digitBits]uint32
}

const (
	digitBits = 11
	digits    = 3 // of 32 bits
)

// sort orders list, which may be s.list, and returns it; it is valid until the next call.
func (s *sorter) sort(list []uint64) []uint64 {
	s.count(list)
	s.other = slices.Grow(s.other[:0], len(list))[:len(list)]
	from, to := list, s.other
	for d := range s.counts {
		at := &s.counts[d]
		shift := 32 + d*digitBits
		for _, v := range from {
			n := &at[v>>shift&(1<<digitBits-1)]
			to[*n] = v
			*n++
		}
		from, to = to, from
	}
	s.list, s.other = from, to
	orderPlaces(s.list)
	return s.list
}

// count turns each digit's counts into the places where its postings begin.
func (s *sorter) count(list []uint64) {
	clear(s.counts[:])
	for _, v := range list {
		for d := range s.counts {
			s.counts[d][v>>(32+d*digitBits)&(1<<digitBits-1)]++
		}
	}
	for d := range s.counts {
		sum := uint32(0)
		for i, n := range s.counts[d] {
			s.counts[d][i] = sum
			sum += n
		}
	}
}

// orderPlaces sorts the postings of those terms whose places did not come in order.
func orderPlaces(list []uint64) {
	for i := 1; i < len(list); i++ {
		if list[i] >= list[i-1] {
			continue
		}
		term := list[i] >> 32
		from, to := i-1, i+1
		for from > 0 && list[from-1]>>32 == term {
			from--
		}
		for to < len(list) && list[to]>>32 == term {
			to++
		}
		slices.Sort(list[from:to])
		i = to
	}
}

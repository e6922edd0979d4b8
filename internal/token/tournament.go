package token

import "ken/internal/token/vocab"

// tournament merges long pieces by byte pair encoding. The parts are a list linked by their
// starts, and a tree over all places has the best pair at its root, so that a join costs
// the height of the tree, while merger.merge compares every pair.
type tournament struct {
	leaves int      // a power of two
	tree   []uint64 // tree[1] is the winner; place p enters at tree[leaves+p]
	next   []int32  // next[p] is where the part after the one at p starts
	prev   []int32  // the inverse
}

// noPair is the tree's entry for a place without a pair; every pair is better.
const noPair = 1<<64 - 1

func newTournament(size int) tournament {
	leaves := 1
	for leaves < size {
		leaves *= 2
	}
	return tournament{leaves, make([]uint64, 2*leaves), make([]int32, size), make([]int32, size)}
}

// merge applies byte pair encoding to buf[:n], and appends the starts of the tokens and n to starts.
func (t *tournament) merge(v *ranker, buf []byte, n int, starts []int32) []int32 {
	t.enter(v, buf, n)
	for t.tree[1] != noPair {
		t.join(v, buf, n, int32(t.tree[1]&(1<<32-1)))
	}
	for p := int32(0); int(p) < n; p = t.next[p] {
		starts = append(starts, p)
	}
	return append(starts, int32(n))
}

// enter fills the tree with the pairs of single bytes.
func (t *tournament) enter(v *ranker, buf []byte, n int) {
	for p := range t.leaves {
		e := uint64(noPair)
		if p < n {
			t.next[p], t.prev[p] = int32(p+1), int32(p-1)
			if p+1 < n {
				e = entrant(v, buf, int32(p), int32(p+2))
			}
		}
		t.tree[t.leaves+p] = e
	}
	for p := t.leaves - 1; p > 0; p-- {
		t.tree[p] = min(t.tree[2*p], t.tree[2*p+1])
	}
}

// join joins the part at p and the one after it.
func (t *tournament) join(v *ranker, buf []byte, n int, p int32) {
	gone := t.next[p]
	end := t.next[gone]
	t.next[p] = end
	t.set(gone, noPair)
	if int(end) < n {
		t.prev[end] = p
		t.set(p, entrant(v, buf, p, t.next[end]))
	} else {
		t.set(p, noPair)
	}
	if before := t.prev[p]; before >= 0 {
		t.set(before, entrant(v, buf, before, end))
	}
}

// entrant returns the number by which the pair buf[p:end] is compared with others;
// smaller is better: first a lower rank, then a place further left.
func entrant(v *ranker, buf []byte, p, end int32) uint64 {
	rank := v.rank(buf[p:], int(end-p))
	if rank == vocab.None {
		return noPair
	}
	return uint64(rank)<<32 | uint64(p)
}

// set changes the entry of a place, and the winners above it in the tree.
func (t *tournament) set(place int32, e uint64) {
	p := t.leaves + int(place)
	t.tree[p] = e
	for p /= 2; p > 0; p /= 2 {
		w := min(t.tree[2*p], t.tree[2*p+1])
		if t.tree[p] == w {
			return
		}
		t.tree[p] = w
	}
}

package search

import "ken/internal/engine/words"

// Bucket is a stored bucket; Data is valid until the next one.
type Bucket struct {
	Number int64
	Data   []byte
}

// Merge puts the base and the fresh documents into one Builder. It returns an error if the postings cannot be read or
// are damaged.
func (x *Index) Merge() (*Builder, error) {
	b := NewBuilder()
	place := make([]int64, len(x.ids))
	for i := range place {
		place[i] = -1
	}
	next := x.base
	add := func(i int) {
		place[i] = int64(len(b.ids))
		b.ids, b.lengths = append(b.ids, x.ids[i]), append(b.lengths, uint32(x.length[i]))
	}
	for i := range x.base { // both runs ascend
		for next < len(x.ids) && x.ids[next] < x.ids[i] {
			add(next)
			next++
		}
		if !x.isReplaced(i) {
			add(i)
		}
	}
	for ; next < len(x.ids); next++ {
		add(next)
	}
	for i, d := range x.fresh {
		for _, t := range d.Terms {
			b.put(t.Term, place[x.base+i], t.Code)
		}
	}
	return b, x.mergeBase(b, place)
}

// mergeBase puts the postings of the base into a Builder, except those of documents whose place is below 0.
func (x *Index) mergeBase(b *Builder, place []int64) error {
	var list []Posting
	for k, err := range x.store.SearchBuckets() {
		if err != nil {
			return err
		}
		r := varints{b: k.Data}
		term := words.Term(k.Number) << x.shift
		for len(r.b) > 0 {
			term += words.Term(r.next())
			size := r.next()
			if r.bad || size > uint64(len(r.b)) || term >= 1<<termBits {
				return errDamaged
			}
			if list, err = x.decode(list[:0], varints{b: r.b[:size]}); err != nil {
				return err
			}
			for _, p := range list {
				if at := place[p.Doc]; at >= 0 {
					b.put(term, at, p.Code)
				}
			}
			r.b = r.b[size:]
		}
	}
	return nil
}

package search

// Carrier copies documents of an index into a Builder whose files have other ids, so that their texts need not be read
// again.
type Carrier struct {
	from  *Index
	to    *Builder
	place []int64 // in the Builder, by document; -1 for those not copied
}

// NewCarrier returns a Carrier; Finish it before the Builder.
func NewCarrier(from *Index, to *Builder) *Carrier {
	c := &Carrier{from: from, to: to, place: make([]int64, len(from.ids))}
	for i := range c.place {
		c.place[i] = -1
	}
	return c
}

// Add copies the document of a file, if it has one. Ids in the Builder must ascend, including those given to its Add.
func (c *Carrier) Add(file, as int64) {
	doc, ok := c.from.Doc(file)
	if !ok || len(c.to.ids) == maxDocs {
		return
	}
	c.place[doc] = int64(len(c.to.ids))
	c.to.ids, c.to.lengths = append(c.to.ids, as), append(c.to.lengths, uint32(c.from.length[doc]))
}

// Finish adds the word lists of the copied documents to the Builder. It returns an error if the index cannot be read or is damaged.
func (c *Carrier) Finish() error {
	for i, d := range c.from.fresh {
		if at := c.place[c.from.base+i]; at >= 0 {
			for _, t := range d.Terms {
				c.to.put(t.Term, at, t.Code)
			}
		}
	}
	return c.from.mergeBase(c.to, c.place)
}

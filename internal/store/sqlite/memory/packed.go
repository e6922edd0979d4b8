package memory

import (
	"encoding/binary"
	"fmt"
	"math"

	"zombiezen.com/go/sqlite"

	"ken/internal/code"
	"ken/internal/knowledge/memory"
)

// A page holds the results of a consolidation for the items whose ids begin with its number:
//
//	edges: of each item, in order: id%256, number of edges, and of each edge: how much smaller the other id is (a zigzag
//	       varint) and a byte, whose highest bit is set if it is similar and whose others are the weight, of 127
//	ranks: of each of the 256 ids: rank (2 bytes, little endian, of 65535) and community (4 bytes)
//
// Other numbers are varints.
const (
	pageItems = 256
	rankSize  = 6
)

// linkedItem is a relation to another item, by its id.
type linkedItem struct {
	to       int64
	relation memory.Relation
	weight   float32
}

func packEdges(out []byte, id int64, edges []linkedItem) []byte {
	out = append(out, byte(id%pageItems))
	out = binary.AppendUvarint(out, uint64(len(edges)))
	for _, e := range edges {
		out = binary.AppendVarint(out, id-e.to)
		b := byte(math.Round(float64(min(max(e.weight, 0), 1)) * 127))
		if e.relation == memory.Similar {
			b |= 0x80
		}
		out = append(out, b)
	}
	return out
}

// unpackEdges calls f with each item of a page and its relations, which are valid until the next call.
func unpackEdges(page int64, blob []byte, f func(id int64, edges []linkedItem)) error {
	damaged := fmt.Errorf("edges of page %d: %w", page, code.ErrDamaged)
	var edges []linkedItem
	for len(blob) > 0 {
		id := page*pageItems + int64(blob[0])
		n, size := binary.Uvarint(blob[1:])
		if size <= 0 || n > uint64(len(blob)) {
			return damaged
		}
		blob, edges = blob[1+size:], edges[:0]
		for range n {
			less, size := binary.Varint(blob)
			if size <= 0 || size >= len(blob) {
				return damaged
			}
			e := linkedItem{to: id - less, relation: memory.Temporal, weight: float32(blob[size]&0x7f) / 127}
			if blob[size]&0x80 != 0 {
				e.relation = memory.Similar
			}
			edges, blob = append(edges, e), blob[size+1:]
		}
		f(id, edges)
	}
	return nil
}

func packRank(page []byte, id int64, rank float64, community int64) {
	at := int(id%pageItems) * rankSize
	binary.LittleEndian.PutUint16(page[at:], uint16(math.Round(min(max(rank, 0), 1)*math.MaxUint16)))
	binary.LittleEndian.PutUint32(page[at+2:], uint32(community))
}

// rankReader reads the ranks of items, and keeps the pages that it has read.
type rankReader struct {
	c     *sqlite.Conn
	pages map[int64][]byte
}

// setRank sets the rank and the community (topic) of an item.
func (r *rankReader) setRank(it *memory.Item) error {
	number := it.ID / pageItems
	page, known := r.pages[number]
	if !known {
		if r.pages == nil {
			r.pages = map[int64][]byte{}
		}
		err := eachRow(r.c, "SELECT ranks FROM item_pages WHERE page=?", func(st *sqlite.Stmt) {
			page = make([]byte, st.ColumnLen(0))
			st.ColumnBytes(0, page)
		}, number)
		if err != nil {
			return err
		}
		if len(page) != pageItems*rankSize {
			page = nil // none, or a damaged one, which is computed again
		}
		r.pages[number] = page
	}
	if len(page) > 0 {
		at := int(it.ID%pageItems) * rankSize
		it.Rank = float64(binary.LittleEndian.Uint16(page[at:])) / math.MaxUint16
		it.Community = int64(binary.LittleEndian.Uint32(page[at+2:]))
	}
	return nil
}

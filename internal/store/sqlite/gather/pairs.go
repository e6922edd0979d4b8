package gather

import (
	"cmp"
	"encoding/binary"
	"iter"
	"slices"
)

// KeyFilePairs is a set of pairs of a key and a file. A pair takes eight to nine bytes.
type KeyFilePairs struct {
	parts [256]pairsPart // by the first byte of the key
}

// pairsPart is a list of pairs in chunks of bytes. For each pair it has the rest of the
// key (seven bytes) and the distance of the file from the one before, as a varint.
type pairsPart struct {
	full [][]byte
	tail []byte
	file int64
}

// Pair is one element of Pairs.
type Pair struct {
	Key  uint64
	File int64
}

const (
	restBytes  = 7
	pairsChunk = 1 << 11
)

// Add adds a pair.
func (p *KeyFilePairs) Add(key uint64, file int64) {
	t := &p.parts[key>>(8*restBytes)]
	if cap(t.tail)-len(t.tail) < restBytes+1+binary.MaxVarintLen64 { // eight bytes of the key are written
		if t.tail != nil {
			t.full = append(t.full, t.tail)
		}
		t.tail = make([]byte, 0, pairsChunk)
	}
	t.tail = binary.LittleEndian.AppendUint64(t.tail, key)[:len(t.tail)+restBytes]
	t.tail = binary.AppendVarint(t.tail, file-t.file)
	t.file = file
}

// Drain yields the distinct pairs by key, then file, and leaves p empty.
func (p *KeyFilePairs) Drain() iter.Seq[Pair] {
	return func(yield func(Pair) bool) {
		var buf []Pair
		for i := range p.parts {
			buf = p.parts[i].sortedPairs(buf[:0], uint64(i)<<(8*restBytes))
			p.parts[i] = pairsPart{}
			for k, x := range buf {
				if k > 0 && x == buf[k-1] {
					continue
				}
				if !yield(x) {
					return
				}
			}
		}
	}
}

func (t *pairsPart) sortedPairs(buf []Pair, first uint64) []Pair {
	file := int64(0)
	for _, chunk := range append(t.full, t.tail) {
		for len(chunk) > 0 {
			var rest [8]byte
			copy(rest[:], chunk[:restBytes])
			step, n := binary.Varint(chunk[restBytes:])
			file += step
			buf = append(buf, Pair{first | binary.LittleEndian.Uint64(rest[:]), file})
			chunk = chunk[restBytes+n:]
		}
	}
	slices.SortFunc(buf, func(x, y Pair) int { return cmp.Or(cmp.Compare(x.Key, y.Key), cmp.Compare(x.File, y.File)) })
	return buf
}

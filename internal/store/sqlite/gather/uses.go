// Package gather keeps the rows that a build of an index writes sorted at its end, packed in
// chunks that never move and hold no pointers: a build has millions of such rows, and
// growing slices of them would take several times the memory.
package gather

import "encoding/binary"

// NameUses records the files that use each of many names, as a list of ascending files for each name. It takes two to three
// bytes for a use, and 24 for a name.
type NameUses struct {
	names []useList
	pages [][]byte
	free  uint32 // place of the first free byte
}

// useList is the list of files of one name. It is a chain of blocks, each twice as large as the one before it up to
// maxBlock; the last four bytes of a block are the place of the next block.
type useList struct {
	last        int64  // file
	first, next uint32 // place of the first block, and of the next byte
	left        uint16 // bytes left in the last block before the place of the one after
	size        uint16 // of the last block; 0: there is none
}

const (
	pageBits = 16
	minBlock = 8
	maxBlock = 512
	link     = 4 // bytes of a place
)

// Grow makes room for n names; only names below n can be added.
func (u *NameUses) Grow(n int) {
	for len(u.names) < n {
		u.names = append(u.names, useList{})
	}
}

// Add records that a file uses a name. The files of each name must ascend.
func (u *NameUses) Add(name int32, file int64) {
	of := &u.names[name]
	var packed [binary.MaxVarintLen64]byte
	for _, b := range binary.AppendUvarint(packed[:0], uint64(file-of.last)) {
		if of.left == 0 {
			u.addBlock(of)
		}
		u.pages[of.next>>pageBits][of.next&(1<<pageBits-1)] = b
		of.next++
		of.left--
	}
	of.last = file
}

// addBlock adds a block to the list of a name.
func (u *NameUses) addBlock(of *useList) {
	had := of.size
	of.size = min(max(2*of.size, minBlock), maxBlock)
	if int(u.free>>pageBits) == len(u.pages) || u.free&(1<<pageBits-1)+uint32(of.size) > 1<<pageBits {
		u.free = uint32(len(u.pages)) << pageBits
		u.pages = append(u.pages, make([]byte, 1<<pageBits))
	}
	if had == 0 {
		of.first = u.free
	} else {
		binary.LittleEndian.PutUint32(u.pages[of.next>>pageBits][of.next&(1<<pageBits-1):], u.free)
	}
	of.next, of.left = u.free, of.size-link
	u.free += uint32(of.size)
}

// Append appends to dst the files that use a name, as varints of their differences.
func (u *NameUses) Append(dst []byte, name int32) []byte {
	of := &u.names[name]
	if of.size == 0 {
		return dst
	}
	at, size := of.first, uint32(minBlock)
	for {
		block := u.pages[at>>pageBits][at&(1<<pageBits-1):][:size]
		if n := of.next - at; n <= size-link { // only the last block holds the place of the next byte
			return append(dst, block[:n]...)
		}
		dst = append(dst, block[:size-link]...)
		at = binary.LittleEndian.Uint32(block[size-link:])
		size = min(2*size, maxBlock)
	}
}

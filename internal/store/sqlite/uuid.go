package sqlite

import (
	"crypto/sha1"
	"encoding/binary"
)

// entitySpace is the namespace of code entities: the URL namespace of RFC 4122,
// Appendix C.
var entitySpace = [16]byte{0x6b, 0xa7, 0xb8, 0x11, 0x9d, 0xad, 0x11, 0xd1, 0x80, 0xb4, 0x00, 0xc0, 0x4f, 0xd4, 0x30, 0xc8}

// entityID is the version 5 UUID (RFC 4122 §4.3) of the nth symbol of its
// qualified name in a file. It stays the same as long as the symbol keeps its
// path, qualified name and order among its namesakes.
func entityID(path, qualified string, nth int) [16]byte {
	h := sha1.New()
	h.Write(entitySpace[:])
	h.Write([]byte(path))
	h.Write([]byte{0})
	h.Write([]byte(qualified))
	h.Write(binary.AppendUvarint([]byte{0}, uint64(nth)))
	var id [16]byte
	copy(id[:], h.Sum(nil))
	id[6] = id[6]&0x0f | 0x50
	id[8] = id[8]&0x3f | 0x80
	return id
}

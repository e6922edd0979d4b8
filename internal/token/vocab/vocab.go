// Package vocab owns the file format of a token vocabulary: the bytes of every
// token, found by value, read in place from a read-only string. Its neighbour,
// package token, splits text into pieces and merges them by the ranks found here.
//
// # Format, version 1
//
// All numbers are little-endian uint32 unless stated otherwise.
//
//	"kentok1\n"                  8 bytes
//	tokens                       number of tokens; ranks are 0 … tokens-1
//	bits                         log2 of the number of slots
//	slots   [1<<bits]            an open-addressing hash table, probed linearly:
//	                             14 bits of the hash above 18 bits of rank; all ones: empty
//	offsets [tokens+1]           where the bytes of a token start, by rank
//	bytes                        all tokens, in rank order
//	padding                      16 zero bytes, so that 16 bytes can be loaded anywhere
//
// Nothing is unpacked when a vocabulary is opened: a table of 200,000 tokens is
// ready at once, and only the pages that are touched are ever read. Tokens are
// entered in rank order, so that the frequent ones (the low ranks) lie in the
// slot they hash to and their bytes lie together.
package vocab

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math/bits"
)

const (
	magic     = "kentok1\n"
	header    = len(magic) + 8
	rankBits  = 18
	rankMask  = 1<<rankBits - 1
	empty     = 1<<32 - 1
	maxTokens = rankMask // the last rank would be taken for an empty slot
)

// Pad is the number of readable bytes that must follow a token in a buffer
// passed to Rank.
const Pad = 16

// None is the rank of bytes that are no token. It is larger than every rank.
const None = empty

// Vocab finds the rank of a token: its number in the vocabulary. It is read-only and safe for concurrent use.
type Vocab struct {
	slots, offsets, bytes string
	shift                 uint // of the hash, down to a slot
	mask                  uint32
}

// Open returns the vocabulary in data, which is kept, not copied. It
// checks only the header, and fails if that or the length is wrong.
func Open(data string) (Vocab, error) {
	if len(data) < header || data[:len(magic)] != magic {
		return Vocab{}, errors.New("open vocabulary: not a vocabulary of version 1")
	}
	n, b := int(u32(data, len(magic))), uint(u32(data, len(magic)+4))
	if n > maxTokens || b > 24 {
		return Vocab{}, fmt.Errorf("open vocabulary: %d tokens in 2^%d slots", n, b)
	}
	offsets := header + 4<<b
	start := offsets + 4*(n+1)
	if len(data) < start+Pad {
		return Vocab{}, errors.New("open vocabulary: cut short")
	}
	return Vocab{
		slots:   data[header:offsets],
		offsets: data[offsets:start],
		bytes:   data[start:],
		shift:   64 - b,
		mask:    1<<b - 1,
	}, nil
}

// Build returns the content of a vocabulary file. tokens[rank] are the bytes of a token; no two are
// equal. Its hash table is between three and six eighths full. It fails if there are too many tokens.
func Build(tokens []string) ([]byte, error) {
	if len(tokens) > maxTokens {
		return nil, fmt.Errorf("build vocabulary: %d tokens, at most %d fit", len(tokens), maxTokens)
	}
	b := bits.Len(uint(len(tokens) + len(tokens)/4))
	slots := place(tokens, uint(b))
	out := append([]byte{}, magic...)
	out = binary.LittleEndian.AppendUint32(out, uint32(len(tokens)))
	out = binary.LittleEndian.AppendUint32(out, uint32(b))
	for _, s := range slots {
		out = binary.LittleEndian.AppendUint32(out, s)
	}
	off := uint32(0)
	for _, t := range tokens {
		out = binary.LittleEndian.AppendUint32(out, off)
		off += uint32(len(t))
	}
	out = binary.LittleEndian.AppendUint32(out, off)
	for _, t := range tokens {
		out = append(out, t...)
	}
	return append(out, make([]byte, Pad)...), nil
}

// place puts every token into a hash table of 1<<b slots.
func place(tokens []string, b uint) []uint32 {
	slots := make([]uint32, 1<<b)
	for i := range slots {
		slots[i] = empty
	}
	mask := uint32(len(slots) - 1)
	for rank, t := range tokens {
		h := hashBytes(append([]byte(t), make([]byte, Pad)...), len(t))
		s := uint32(h >> (64 - b))
		for slots[s] != empty {
			s = (s + 1) & mask
		}
		slots[s] = tag(h) | uint32(rank)
	}
	return slots
}

// Len returns the number of tokens.
func (v *Vocab) Len() int { return len(v.offsets)/4 - 1 }

// Token returns the bytes of the token of a rank below Len.
func (v *Vocab) Token(rank int) string {
	return v.bytes[u32(v.offsets, 4*rank):u32(v.offsets, 4*rank+4)]
}

// Rank returns the rank of the token buf[:n], or None. buf must hold n+Pad
// bytes; the bytes past n may have any value. n must be at least 1.
func (v *Vocab) Rank(buf []byte, n int) uint32 {
	if n > 16 {
		return v.long(buf, n)
	}
	lo, hi := Load(buf, n)
	return v.Short(lo, hi, n)
}

// Short does the same as Rank for 1 to 16 bytes, in the two words that Load returns.
func (v *Vocab) Short(lo, hi uint64, n int) uint32 {
	h := hash16(lo, hi, n)
	want := tag(h)
	for s := uint32(h >> (v.shift & 63)); ; s++ {
		x := u32(v.slots, int(4*(s&v.mask)))
		if x == empty {
			return None
		}
		if (x^want)>>rankBits == 0 && v.is(x&rankMask, lo, hi, n) {
			return x & rankMask
		}
	}
}

// is reports whether the token of a rank is the n bytes in the words lo and hi.
func (v *Vocab) is(rank uint32, lo, hi uint64, n int) bool {
	off := u32(v.offsets, int(4*rank))
	if u32(v.offsets, int(4*rank+4))-off != uint32(n) {
		return false
	}
	return u64(v.bytes, int(off))&maskLo(n) == lo && u64(v.bytes, int(off)+8)&maskHi(n) == hi
}

// long does the same as Rank for more than 16 bytes.
func (v *Vocab) long(buf []byte, n int) uint32 {
	h := hashBytes(buf, n)
	want := tag(h)
	for s := uint32(h >> v.shift); ; s++ {
		x := u32(v.slots, int(4*(s&v.mask)))
		if x == empty {
			return None
		}
		if (x^want)>>rankBits == 0 && v.Token(int(x&rankMask)) == string(buf[:n]) {
			return x & rankMask
		}
	}
}

// Load returns the first n (1 to 16) bytes of buf as two little-endian words,
// zero past n. buf must hold 16 bytes.
func Load(buf []byte, n int) (lo, hi uint64) {
	_ = buf[15]
	return binary.LittleEndian.Uint64(buf) & maskLo(n), binary.LittleEndian.Uint64(buf[8:]) & maskHi(n)
}

// maskLo and maskHi return masks that keep the first n bytes of 16 (a shift
// by 64 leaves nothing, and nothing less one is all ones).
func maskLo(n int) uint64 { return 1<<(8*uint(n)) - 1 }
func maskHi(n int) uint64 { return 1<<(8*uint(max(n, 8)-8)) - 1 }

// Multipliers of the hash: odd numbers with no pattern in their bits.
const (
	k0 = 0x9e3779b97f4a7c15
	k1 = 0xd6e8feb86659fd93
	k2 = 0xa0761d6478bd642f
)

// hash16 returns the hash of the n bytes in two words that Load returned.
func hash16(lo, hi uint64, n int) uint64 {
	a, b := bits.Mul64(lo^k0, hi^k1^uint64(n)<<56)
	return (a ^ b) * k2
}

// hashBytes returns the hash of buf[:n]; buf must hold 16 bytes.
func hashBytes(buf []byte, n int) uint64 {
	if n <= 16 {
		lo, hi := Load(buf, n)
		return hash16(lo, hi, n)
	}
	h := uint64(n)
	for i := 0; i+16 < n; i += 16 {
		h += hash16(binary.LittleEndian.Uint64(buf[i:])^h, binary.LittleEndian.Uint64(buf[i+8:]), 16)
	}
	return h ^ hash16(binary.LittleEndian.Uint64(buf[n-16:])^h, binary.LittleEndian.Uint64(buf[n-8:]), 16)
}

// tag returns the part of a hash that a slot of the table keeps, in its bits of the slot.
func tag(h uint64) uint32 { return uint32(h) << rankBits }

func u32(s string, i int) uint32 {
	_ = s[i+3]
	return uint32(s[i]) | uint32(s[i+1])<<8 | uint32(s[i+2])<<16 | uint32(s[i+3])<<24
}

func u64(s string, i int) uint64 {
	_ = s[i+7]
	return uint64(s[i]) | uint64(s[i+1])<<8 | uint64(s[i+2])<<16 | uint64(s[i+3])<<24 |
		uint64(s[i+4])<<32 | uint64(s[i+5])<<40 | uint64(s[i+6])<<48 | uint64(s[i+7])<<56
}

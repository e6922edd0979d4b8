package main

import "unicode"

// The classes of characters in the patterns of both pre-tokenisers; package token
// declares the same values in class.go.
const (
	other byte = iota
	upper
	lower
	letter
	mark
	number
	space
	newline
)

// block is the number of code points that one block of the class table covers.
const block = 256

// classes returns the table of the class of every code point in two stages: for each block
// of 256 code points the number of a block of 256 classes, then those blocks.
func classes() []byte {
	var index, blocks []byte
	known := map[string]byte{}
	for first := rune(0); first <= unicode.MaxRune; first += block {
		b := make([]byte, block)
		for i := range b {
			b[i] = unicodeClass(first + rune(i))
		}
		n, ok := known[string(b)]
		if !ok {
			n = byte(len(known))
			known[string(b)] = n
			blocks = append(blocks, b...)
		}
		index = append(index, n)
	}
	if len(known) > 256 {
		panic("more distinct blocks than a byte can number")
	}
	return append(index, blocks...)
}

// unicodeClass returns the class of a code point in Unicode 16.
func unicodeClass(r rune) byte {
	switch {
	case r == '\n' || r == '\r':
		return newline
	case unicode.Is(unicode.White_Space, r):
		return space
	case unicode.In(r, unicode.Lu, unicode.Lt):
		return upper
	case unicode.Is(unicode.Ll, r):
		return lower
	case unicode.In(r, unicode.Lm, unicode.Lo):
		return letter
	case unicode.Is(unicode.M, r):
		return mark
	case unicode.Is(unicode.N, r):
		return number
	}
	return newIn16(r)
}

// newIn16 returns the class of the letters, marks and numbers that Unicode 15.1 and
// 16 added to 15.0, the version of Go 1.26. tiktoken's pre-tokenisers are
// compiled with Unicode 16.
func newIn16(r rune) byte {
	for _, a := range additions {
		if a.first <= r && r <= a.last {
			return a.class
		}
	}
	return other
}

var additions = []struct {
	first, last rune
	class       byte
}{
	{0x897, 0x897, mark},
	{0x1c89, 0x1c89, upper},
	{0x1c8a, 0x1c8a, lower},
	{0xa7cb, 0xa7cc, upper},
	{0xa7cd, 0xa7cd, lower},
	{0xa7da, 0xa7da, upper},
	{0xa7db, 0xa7db, lower},
	{0xa7dc, 0xa7dc, upper},
	{0x105c0, 0x105f3, letter},
	{0x10d40, 0x10d49, number},
	{0x10d4a, 0x10d4f, letter},
	{0x10d50, 0x10d65, upper},
	{0x10d69, 0x10d6d, mark},
	{0x10d6f, 0x10d6f, letter},
	{0x10d70, 0x10d85, lower},
	{0x10ec2, 0x10ec4, letter},
	{0x10efc, 0x10efc, mark},
	{0x11380, 0x11389, letter},
	{0x1138b, 0x1138b, letter},
	{0x1138e, 0x1138e, letter},
	{0x11390, 0x113b5, letter},
	{0x113b7, 0x113b7, letter},
	{0x113b8, 0x113c0, mark},
	{0x113c2, 0x113c2, mark},
	{0x113c5, 0x113c5, mark},
	{0x113c7, 0x113ca, mark},
	{0x113cc, 0x113d0, mark},
	{0x113d1, 0x113d1, letter},
	{0x113d2, 0x113d2, mark},
	{0x113d3, 0x113d3, letter},
	{0x113e1, 0x113e2, mark},
	{0x116d0, 0x116e3, number},
	{0x11bc0, 0x11be0, letter},
	{0x11bf0, 0x11bf9, number},
	{0x11f5a, 0x11f5a, mark},
	{0x13460, 0x143fa, letter},
	{0x16100, 0x1611d, letter},
	{0x1611e, 0x1612f, mark},
	{0x16130, 0x16139, number},
	{0x16d40, 0x16d6c, letter},
	{0x16d70, 0x16d79, number},
	{0x18cff, 0x18cff, letter},
	{0x1ccf0, 0x1ccf9, number},
	{0x1e5d0, 0x1e5ed, letter},
	{0x1e5ee, 0x1e5ef, mark},
	{0x1e5f0, 0x1e5f0, letter},
	{0x1e5f1, 0x1e5fa, number},
	{0x2ebf0, 0x2ee5d, letter},
}

package token

import (
	"encoding/binary"
	"math/bits"
)

// kind is the class of a byte of source. It is for the fast functions that handle ASCII only.
type kind uint8

const (
	symbolByte kind = iota
	letterByte
	digitByte
	blankByte // white space but for \r \n
	newlineByte
	highByte // of a character that is not ASCII
)

var kinds = [256]kind{
	'\t': blankByte, '\v': blankByte, '\f': blankByte, ' ': blankByte,
	'\n': newlineByte, '\r': newlineByte,
	'0': digitByte, '1': digitByte, '2': digitByte, '3': digitByte, '4': digitByte, '5': digitByte, '6': digitByte, '7': digitByte, '8': digitByte, '9': digitByte,
	'A': letterByte, 'B': letterByte, 'C': letterByte, 'D': letterByte, 'E': letterByte, 'F': letterByte, 'G': letterByte, 'H': letterByte, 'I': letterByte, 'J': letterByte, 'K': letterByte, 'L': letterByte, 'M': letterByte,
	'N': letterByte, 'O': letterByte, 'P': letterByte, 'Q': letterByte, 'R': letterByte, 'S': letterByte, 'T': letterByte, 'U': letterByte, 'V': letterByte, 'W': letterByte, 'X': letterByte, 'Y': letterByte, 'Z': letterByte,
	'a': letterByte, 'b': letterByte, 'c': letterByte, 'd': letterByte, 'e': letterByte, 'f': letterByte, 'g': letterByte, 'h': letterByte, 'i': letterByte, 'j': letterByte, 'k': letterByte, 'l': letterByte, 'm': letterByte,
	'n': letterByte, 'o': letterByte, 'p': letterByte, 'q': letterByte, 'r': letterByte, 's': letterByte, 't': letterByte, 'u': letterByte, 'v': letterByte, 'w': letterByte, 'x': letterByte, 'y': letterByte, 'z': letterByte,
	0x80: highByte, 0x81: highByte, 0x82: highByte, 0x83: highByte, 0x84: highByte, 0x85: highByte, 0x86: highByte, 0x87: highByte,
	0x88: highByte, 0x89: highByte, 0x8a: highByte, 0x8b: highByte, 0x8c: highByte, 0x8d: highByte, 0x8e: highByte, 0x8f: highByte,
	0x90: highByte, 0x91: highByte, 0x92: highByte, 0x93: highByte, 0x94: highByte, 0x95: highByte, 0x96: highByte, 0x97: highByte,
	0x98: highByte, 0x99: highByte, 0x9a: highByte, 0x9b: highByte, 0x9c: highByte, 0x9d: highByte, 0x9e: highByte, 0x9f: highByte,
	0xa0: highByte, 0xa1: highByte, 0xa2: highByte, 0xa3: highByte, 0xa4: highByte, 0xa5: highByte, 0xa6: highByte, 0xa7: highByte,
	0xa8: highByte, 0xa9: highByte, 0xaa: highByte, 0xab: highByte, 0xac: highByte, 0xad: highByte, 0xae: highByte, 0xaf: highByte,
	0xb0: highByte, 0xb1: highByte, 0xb2: highByte, 0xb3: highByte, 0xb4: highByte, 0xb5: highByte, 0xb6: highByte, 0xb7: highByte,
	0xb8: highByte, 0xb9: highByte, 0xba: highByte, 0xbb: highByte, 0xbc: highByte, 0xbd: highByte, 0xbe: highByte, 0xbf: highByte,
	0xc0: highByte, 0xc1: highByte, 0xc2: highByte, 0xc3: highByte, 0xc4: highByte, 0xc5: highByte, 0xc6: highByte, 0xc7: highByte,
	0xc8: highByte, 0xc9: highByte, 0xca: highByte, 0xcb: highByte, 0xcc: highByte, 0xcd: highByte, 0xce: highByte, 0xcf: highByte,
	0xd0: highByte, 0xd1: highByte, 0xd2: highByte, 0xd3: highByte, 0xd4: highByte, 0xd5: highByte, 0xd6: highByte, 0xd7: highByte,
	0xd8: highByte, 0xd9: highByte, 0xda: highByte, 0xdb: highByte, 0xdc: highByte, 0xdd: highByte, 0xde: highByte, 0xdf: highByte,
	0xe0: highByte, 0xe1: highByte, 0xe2: highByte, 0xe3: highByte, 0xe4: highByte, 0xe5: highByte, 0xe6: highByte, 0xe7: highByte,
	0xe8: highByte, 0xe9: highByte, 0xea: highByte, 0xeb: highByte, 0xec: highByte, 0xed: highByte, 0xee: highByte, 0xef: highByte,
	0xf0: highByte, 0xf1: highByte, 0xf2: highByte, 0xf3: highByte, 0xf4: highByte, 0xf5: highByte, 0xf6: highByte, 0xf7: highByte,
	0xf8: highByte, 0xf9: highByte, 0xfa: highByte, 0xfb: highByte, 0xfc: highByte, 0xfd: highByte, 0xfe: highByte, 0xff: highByte,
}

// reach is the number of bytes of a piece that the ASCII functions read in their
// first step.
const reach = 8

// nextASCII returns where the piece that starts at b[i] ends in the encodings
// cl100k_base and o200k_base. A piece is a part of a text that is encoded alone, such
// as a word. ok is false if the end of the text or a character beyond ASCII is near;
// then the functions of split.go must decide.
func nextASCII(b []byte, i int) (cl, o int, ok bool) {
	if i+reach > len(b) {
		return 0, 0, false
	}
	next := kinds[b[i+1]]
	switch kinds[b[i]] {
	case letterByte:
		return wordASCII(b, i)
	case blankByte:
		switch {
		case next == letterByte:
			return wordASCII(b, i+1)
		case next == symbolByte && b[i] == ' ':
			return symbolsASCII(b, i+1)
		case next == symbolByte, next == digitByte:
			return i + 1, i + 1, true
		}
		return spacesASCII(b, i)
	case symbolByte:
		if next != letterByte {
			return symbolsASCII(b, i)
		}
		if b[i] == '\'' && contraction(b, i) > i {
			return 0, 0, false
		}
		return wordASCII(b, i+1)
	case newlineByte:
		return spacesASCII(b, i)
	case digitByte:
		return digitsASCII(b, i)
	}
	return 0, 0, false
}

// wordASCII returns the ends of a piece that consists of the letters at b[i]. In
// cl100k_base it ends after the last letter, in o200k_base where a capital follows
// a small letter, or else after the contraction that follows, such as 's. It reads
// eight bytes at a time, so that most words cost no branch that depends on their
// letters.
func wordASCII(b []byte, i int) (cl, o int, ok bool) {
	const every, high = 0x0101010101010101, 0x8080808080808080
	turn := 0          // where a capital follows a small letter
	small := uint64(0) // high bit of byte 0: the byte before was a small letter
	for i+8 <= len(b) {
		w := binary.LittleEndian.Uint64(b[i:])
		folded := w&^high | 0x20*every
		letter := (folded + (0x80-'a')*every) &^ (folded + (0x7f-'z')*every) & high &^ w
		lower := letter & (w << 2) // bit 0x20 of every byte
		n := bits.TrailingZeros64(^letter&high) / 8
		if t := letter &^ lower & (lower<<8 | small); t != 0 && turn == 0 {
			if at := bits.TrailingZeros64(t) / 8; at < n {
				turn = i + at
			}
		}
		small = lower >> 56
		i += n
		if n == 8 {
			continue
		}
		switch {
		case b[i] >= 0x80:
			return 0, 0, false
		case turn > 0:
			return i, turn, true
		case b[i] == '\'':
			return i, contraction(b, i), true
		}
		return i, i, true
	}
	return 0, 0, false
}

// symbolsASCII returns the ends of a piece that consists of the symbols at b[i]
// and the newlines after them; in o200k_base slashes among the newlines belong
// to it.
func symbolsASCII(b []byte, i int) (cl, o int, ok bool) {
	for i < len(b) && kinds[b[i]] == symbolByte {
		i++
	}
	if i == len(b) || b[i] >= 0x80 {
		return 0, 0, false
	}
	if kinds[b[i]] != newlineByte {
		return i, i, true
	}
	cl = newlines(b, i, false)
	return cl, newlines(b, cl, true), true
}

// spacesASCII does the same as spaces, for ASCII text only.
func spacesASCII(b []byte, i int) (cl, o int, ok bool) {
	newlineEnd, end := i, i
	for ; end < len(b); end++ {
		k := kinds[b[end]]
		if k == newlineByte {
			newlineEnd = end + 1
		} else if k != blankByte {
			break
		}
	}
	switch {
	case end == len(b) || b[end] >= 0x80:
		return 0, 0, false
	case newlineEnd > i:
		return newlineEnd, newlineEnd, true
	case end > i+1:
		return end - 1, end - 1, true
	}
	return end, end, true
}

// digitsASCII returns the ends of a piece that consists of up to three digits at b[i].
func digitsASCII(b []byte, i int) (cl, o int, ok bool) {
	end := i + 1
	for end < i+3 && kinds[b[end]] == digitByte {
		end++
	}
	return end, end, end == i+3 || b[end] < 0x80
}

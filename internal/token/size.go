package token

import "bytes"

// Size is the exact size of one text.
type Size struct {
	Path   string
	CL100K int
	O200K  int
	Lines  int
	Bytes  int64
}

// CountText returns the size of a text.
func CountText(text []byte) Size {
	c, o := NewPair().Count(text)
	lines := bytes.Count(text, []byte{'\n'})
	if len(text) > 0 && text[len(text)-1] != '\n' {
		lines++
	}
	return Size{CL100K: c, O200K: o, Lines: lines, Bytes: int64(len(text))}
}

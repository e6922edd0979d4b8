package scip

import "unicode/utf8"

// Lines turns positions in a text into bytes and back.
type Lines struct {
	text   []byte
	starts []uint32
}

// NewLines finds the lines of a text: they end with '\n'.
func NewLines(text []byte) *Lines {
	l := &Lines{text: text, starts: []uint32{0}}
	for i, c := range text {
		if c == '\n' {
			l.starts = append(l.starts, uint32(i+1))
		}
	}
	return l
}

// Offset returns the byte of a position, whose unknown encoding counts as UTF32. It reports
// false for one outside of its line or, in UTF16, inside of a character; in UTF8 it does
// not look for that.
func (l *Lines) Offset(p Position, enc Encoding) (uint32, bool) {
	if p.Line < 0 || int(p.Line) >= len(l.starts) || p.Char < 0 {
		return 0, false
	}
	at, end := l.starts[p.Line], uint32(len(l.text))
	if int(p.Line)+1 < len(l.starts) {
		end = l.starts[p.Line+1] - 1
	}
	if enc == UTF8 {
		if uint64(at)+uint64(p.Char) > uint64(end) {
			return 0, false
		}
		return at + uint32(p.Char), true
	}
	for left := p.Char; left > 0; {
		if at >= end {
			return 0, false
		}
		r, n := utf8.DecodeRune(l.text[at:end])
		left--
		if enc == UTF16 && r > 0xFFFF {
			left--
		}
		if left < 0 {
			return 0, false
		}
		at += uint32(n)
	}
	return at, true
}

// Position returns the line and character of a byte offset; the character is counted in bytes.
func (l *Lines) Position(offset uint32) Position {
	lo, hi := 0, len(l.starts)
	for hi-lo > 1 {
		if mid := (lo + hi) / 2; l.starts[mid] <= offset {
			lo = mid
		} else {
			hi = mid
		}
	}
	return Position{int32(lo), int32(offset - l.starts[lo])}
}

// Slice returns the text of a range, nil if it lies outside.
func (l *Lines) Slice(r Range, enc Encoding) []byte {
	from, ok := l.Offset(r.Start, enc)
	to, ok2 := l.Offset(r.End, enc)
	if !ok || !ok2 || from > to {
		return nil
	}
	return l.text[from:to]
}

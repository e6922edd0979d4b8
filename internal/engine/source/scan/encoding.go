package scan

import (
	"bufio"
	"io"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/unicode"
)

// wideDecoder is the decoder of text in UTF-16, told by its byte order mark, the
// only sign that is no guess; nil for any other bytes. A mark of UTF-32 begins
// like one of UTF-16.
func wideDecoder(b []byte) *encoding.Decoder {
	switch {
	case len(b) < 2 || len(b) >= 4 && b[0] == 0xFF && b[1] == 0xFE && b[2] == 0 && b[3] == 0:
		return nil
	case b[0] == 0xFF && b[1] == 0xFE, b[0] == 0xFE && b[1] == 0xFF:
		return unicode.UTF16(unicode.LittleEndian, unicode.ExpectBOM).NewDecoder()
	}
	return nil
}

// Text is what bytes say as text: those in UTF-16 with a byte order mark as
// UTF-8 without one, half characters as U+FFFD; all others as they are.
func Text(b []byte) []byte {
	d := wideDecoder(b)
	if d == nil {
		return b
	}
	out, err := d.Bytes(b)
	if err != nil { // the decoder has none for bytes that begin with a mark
		return b
	}
	return out
}

// TextReader is Text for what is too long to be held.
func TextReader(r io.Reader) io.Reader {
	b := bufio.NewReader(r)
	head, _ := b.Peek(4) // shorter at the end of a short text
	if d := wideDecoder(head); d != nil {
		return d.Reader(b)
	}
	return b
}

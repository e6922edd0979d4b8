package scan

import (
	"bufio"
	"bytes"
	"io"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/unicode"
)

// wideDecoder returns the decoder of text in UTF-16, or nil for any other bytes. Only the byte
// order mark decides, because every other sign would be a guess. The mark of UTF-32
// begins like one of UTF-16.
func wideDecoder(b []byte) *encoding.Decoder {
	switch {
	case bytes.HasPrefix(b, []byte("\xff\xfe\x00\x00")):
		return nil
	case bytes.HasPrefix(b, []byte("\xff\xfe")), bytes.HasPrefix(b, []byte("\xfe\xff")):
		return unicode.UTF16(unicode.LittleEndian, unicode.ExpectBOM).NewDecoder()
	}
	return nil
}

// Text decodes bytes as text: UTF-16 with a byte order mark becomes UTF-8 without
// one, half characters become U+FFFD; other bytes are returned as they are.
func Text(b []byte) []byte {
	d := wideDecoder(b)
	if d == nil {
		return b
	}
	out, err := d.Bytes(b)
	if err != nil { // it never fails for bytes that begin with a mark
		return b
	}
	return out
}

// TextReader does the same as Text for files that are too long for memory.
func TextReader(r io.Reader) io.Reader {
	b := bufio.NewReader(r)
	head, _ := b.Peek(4) // shorter at the end of a short text
	if d := wideDecoder(head); d != nil {
		return d.Reader(b)
	}
	return b
}

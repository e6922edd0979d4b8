package known

import (
	"bytes"
	"io"
)

// Writer writes text with the secrets of a set masked. Until Flush it keeps back a run at the end of the text, because the rest of a value
// may follow.
type Writer struct {
	out io.Writer
	set func() *Set
	// buf is text that was written already, up to done, which is kept as the context of the following text, and text that is
	// not yet written.
	buf  []byte
	done int
}

// NewWriter returns a Writer. It calls set at each write, because an index is read after output has been opened; set may
// return nil.
func NewWriter(out io.Writer, set func() *Set) *Writer { return &Writer{out: out, set: set} }

// Unwrap returns the underlying writer.
func (w *Writer) Unwrap() io.Writer { return w.out }

const (
	// context is the number of written bytes that are kept: enough for an escape.
	context = 16
	// maxHeld bounds the bytes of a run that are kept back. Of a longer run the end is kept, so that a value that ends there stays whole.
	maxHeld = 4 << 10
)

// Write masks and writes p, except for a run at its end. It fails if the underlying writer does.
func (w *Writer) Write(p []byte) (int, error) {
	s := w.set()
	if s.Empty() && w.done == len(w.buf) {
		w.buf, w.done = w.buf[:0], 0
		return w.out.Write(p)
	}
	n := len(p)
	if line := bytes.IndexByte(p, '\n'); line >= 0 { // no run continues over the end of a line
		line++
		if err := w.appendText(s, p[:line]); err != nil {
			return 0, err
		}
		p = p[line:]
		if !s.containsSecret(p, true, false) { // most texts have no secret, and need not be copied
			return n, w.passThrough(s, p)
		}
	}
	return n, w.appendText(s, p)
}

// appendText appends p to the kept text, and writes the complete part.
func (w *Writer) appendText(s *Set, p []byte) error {
	w.buf = append(w.buf, p...)
	s.maskPiece(w.buf, w.done == 0, false)
	return w.writeUpTo(s.completeEnd(w.buf))
}

// passThrough writes the kept text and the complete part of p, which has no secret.
func (w *Writer) passThrough(s *Set, p []byte) error {
	if err := w.writeUpTo(len(w.buf)); err != nil {
		return err
	}
	end := s.completeEnd(p)
	if _, err := w.out.Write(p[:end]); err != nil {
		return err
	}
	from := max(0, end-context)
	w.buf, w.done = append(w.buf[:0], p[from:]...), end-from
	return nil
}

// Flush writes the text that was kept back. It calls set only if there is any, because that can open an index. It fails if the underlying
// writer does.
func (w *Writer) Flush() error {
	var err error
	if w.done < len(w.buf) {
		w.set().maskPiece(w.buf, w.done == 0, true)
		err = w.writeUpTo(len(w.buf))
	}
	w.buf, w.done = w.buf[:0], 0
	return err
}

// writeUpTo writes the kept text up to a place.
func (w *Writer) writeUpTo(to int) error {
	if to <= w.done {
		return nil
	}
	_, err := w.out.Write(w.buf[w.done:to])
	from := max(0, to-context)
	w.buf = w.buf[:copy(w.buf, w.buf[from:])]
	w.done = to - from
	return err
}

// completeEnd returns the end of the part of a text in which no incomplete value can begin.
func (s *Set) completeEnd(text []byte) int {
	if s.Empty() {
		return len(text)
	}
	end := len(text)
	for end > 0 && classes[text[end-1]] != 0 && len(text)-end < maxHeld {
		end--
	}
	if len(text)-end < maxHeld {
		return end
	}
	keep := 2 * MaxLength
	for i := range s.parts {
		keep = max(keep, len(s.parts[i].text))
	}
	return max(0, len(text)-keep)
}

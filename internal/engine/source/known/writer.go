package known

import (
	"bytes"
	"io"
)

// Writer hands on what is written to it with everything masked that a set knows. It keeps back a run at the end of what was
// written, because the rest of a value may be yet to come, until Flush.
type Writer struct {
	out io.Writer
	set func() *Set
	// buf is text that was written already, up to done, which is kept so that what comes next is read in its context, and text
	// that is not yet.
	buf  []byte
	done int
}

// NewWriter makes a Writer. set is asked at each write, because what an index knows is read after output has been opened; it may
// give nil.
func NewWriter(out io.Writer, set func() *Set) *Writer { return &Writer{out: out, set: set} }

// Unwrap is what it writes to.
func (w *Writer) Unwrap() io.Writer { return w.out }

const (
	// context is how much of what was written is kept: enough to see an escape.
	context = 16
	// maxHeld is how much of a run is kept back. Of a longer one the end is, so that a value that ends there is seen whole.
	maxHeld = 4 << 10
)

// Write masks and hands on p, but for a run at its end.
func (w *Writer) Write(p []byte) (int, error) {
	s := w.set()
	if s.Empty() && w.done == len(w.buf) {
		w.buf, w.done = w.buf[:0], 0
		return w.out.Write(p)
	}
	n := len(p)
	if line := bytes.IndexByte(p, '\n'); line >= 0 { // no run goes on over the end of a line
		line++
		if err := w.join(s, p[:line]); err != nil {
			return 0, err
		}
		p = p[line:]
		if !s.holds(p, true, false) { // most have nothing to mask, and need not be copied
			return n, w.pass(s, p)
		}
	}
	return n, w.join(s, p)
}

// join adds p to what was kept, and hands on what is complete.
func (w *Writer) join(s *Set, p []byte) error {
	w.buf = append(w.buf, p...)
	s.mask(w.buf, w.done == 0, false)
	return w.write(s.complete(w.buf))
}

// pass hands on what was kept, and what is complete of p, in which there is nothing to mask.
func (w *Writer) pass(s *Set, p []byte) error {
	if err := w.write(len(w.buf)); err != nil {
		return err
	}
	end := s.complete(p)
	if _, err := w.out.Write(p[:end]); err != nil {
		return err
	}
	from := max(0, end-context)
	w.buf, w.done = append(w.buf[:0], p[from:]...), end-from
	return nil
}

// Flush hands on what was kept back. The set is asked only if something was, because that can open an index.
func (w *Writer) Flush() error {
	var err error
	if w.done < len(w.buf) {
		w.set().mask(w.buf, w.done == 0, true)
		err = w.write(len(w.buf))
	}
	w.buf, w.done = w.buf[:0], 0
	return err
}

// write hands on the text up to a place.
func (w *Writer) write(to int) error {
	if to <= w.done {
		return nil
	}
	_, err := w.out.Write(w.buf[w.done:to])
	from := max(0, to-context)
	w.buf = w.buf[:copy(w.buf, w.buf[from:])]
	w.done = to - from
	return err
}

// complete is the place up to which no value can begin that is not whole.
func (s *Set) complete(text []byte) int {
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

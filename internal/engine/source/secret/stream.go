package secret

import (
	"bytes"
	"io"
)

// The sizes of the windows in which FindIn reads a text.
const (
	windowSize = 1 << 20
	keptAhead  = 64 << 10 // bytes at the end that are left to the next window, so that no value is cut
	keptBefore = 64 << 10 // bytes before them that the next window repeats, for rules that read backwards
)

// FindIn finds the same as Find in a text of any length, of which it keeps about a megabyte. It calls f with each finding and a window of
// the text around it, in which the value is at [lo, hi). As for git, text with a NUL in its first 8,000 bytes is binary and has no
// findings. A finding of the rule Unsearched is the last, whatever follows. It fails if the text cannot be read.
func (e *Engine) FindIn(r io.Reader, f func(fd Finding, window []byte, lo, hi int)) error {
	s := textWindow{r: r, buf: make([]byte, 0, windowSize), line: 1}
	size := 0
	for {
		n, err := io.ReadFull(s.r, s.buf[len(s.buf):cap(s.buf)])
		s.buf = s.buf[:len(s.buf)+n]
		isLast := err == io.EOF || err == io.ErrUnexpectedEOF
		if err != nil && !isLast {
			return err
		}
		if s.base == 0 && bytes.IndexByte(s.buf[:min(len(s.buf), 8000)], 0) >= 0 {
			return nil
		}
		s.budget.extend(len(s.buf) - size)
		s.reportFindings(e, isLast, f)
		if isLast || s.budget.isExhausted() {
			return nil
		}
		s.slideForward()
		size = len(s.buf)
	}
}

// textWindow is the part of a long text that is searched at a time.
type textWindow struct {
	r         io.Reader
	buf       []byte
	base      int64 // place of buf[0] in the text
	done      int64 // findings before it were reported
	line      uint32
	lineStart int64 // start of the line of base
	found     []Finding
	budget    budget
}

// reportFindings calls f with the findings in the window, except for those that begin in the part that the next window has, too.
func (s *textWindow) reportFindings(e *Engine, last bool, f func(Finding, []byte, int, int)) {
	limit := len(s.buf) - keptAhead
	if last {
		limit = len(s.buf)
	}
	s.found = e.find(s.found[:0], s.buf, &s.budget)
	for _, fd := range s.found {
		if fd.Rule == Unsearched {
			limit = len(s.buf) // it is the last one
		}
		lo, hi := int(fd.Start), int(fd.End)
		if lo >= limit {
			break
		}
		if s.base+int64(lo) < s.done {
			continue
		}
		s.done = s.base + int64(hi)
		if fd.Line == 1 {
			fd.Column += uint32(s.base - s.lineStart)
		}
		fd.Line += s.line - 1
		fd.Start, fd.End = uint32(s.base+int64(lo)), uint32(s.base+int64(hi))
		f(fd, s.buf, lo, hi)
	}
	s.done = max(s.done, s.base+int64(limit))
}

// slideForward moves the window forward to the next part of the text.
func (s *textWindow) slideForward() {
	cut := len(s.buf) - keptAhead - keptBefore
	gone := s.buf[:cut]
	if n := bytes.Count(gone, []byte{'\n'}); n > 0 {
		s.line += uint32(n)
		s.lineStart = s.base + int64(bytes.LastIndexByte(gone, '\n')) + 1
	}
	s.base += int64(cut)
	s.buf = s.buf[:copy(s.buf, s.buf[cut:])]
}

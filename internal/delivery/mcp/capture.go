package mcp

import (
	"bytes"
	"errors"
	"strings"
)

// lineCapture keeps the useful lines of an answer: those from the requested first line on, without those
// about items that the caller has already, up to a little more than the budget can hold.
type lineCapture struct {
	common *commonArgs
	most   int // bytes
	rest   []byte
	lines  []string
	kept   int // bytes of lines
	number int // lines that were written, but for those of items left out
	omits  bool
	indent int // of the item that is being left out, below 0 if none is
}

// errFull reports that an answer is longer than the budget can hold, so that the operation can stop.
var errFull = errors.New("more than can be used")

// bytesPerToken is larger than the average in any text of answers.
const bytesPerToken = 16

func newCapture(c *commonArgs) *lineCapture {
	return &lineCapture{common: c, most: c.budget * bytesPerToken, omits: len(c.omit) > 0 && !c.structured, indent: -1}
}

func (w *lineCapture) Write(b []byte) (int, error) {
	w.rest = append(w.rest, b...)
	for {
		i := bytes.IndexByte(w.rest, '\n')
		if i < 0 {
			break
		}
		w.addLine(string(w.rest[:i]))
		w.rest = w.rest[i+1:]
	}
	if w.kept > w.most || len(w.rest) > w.most+maxOneLine {
		return 0, errFull
	}
	return len(b), nil
}

// maxOneLine is the largest number of bytes by which a line may exceed the size that fits.
const maxOneLine = 1 << 20

func (w *lineCapture) addLine(s string) {
	if w.omits && w.isOmitted(s) {
		return
	}
	w.number++
	if w.number < w.common.from && !w.common.structured {
		return
	}
	w.lines = append(w.lines, s)
	w.kept += len(s) + 1
}

// isOmitted reports whether a line is about an item that the caller has already: it begins with the item's
// name, or is indented below such a line.
func (w *lineCapture) isOmitted(s string) bool {
	body := strings.TrimLeft(s, " \t")
	indent := len(s) - len(body)
	if w.indent >= 0 && (indent > w.indent || body == "") {
		return true
	}
	w.indent = -1
	body = strings.TrimLeft(body, "-*`# ")
	for _, id := range w.common.omit {
		if rest, ok := strings.CutPrefix(body, strings.TrimPrefix(id, "./")); ok && id != "" && isNameEnd(rest) {
			w.indent = indent
			return true
		}
	}
	return false
}

// isNameEnd reports whether a name cannot continue with rest.
func isNameEnd(rest string) bool { return rest == "" || strings.ContainsAny(rest[:1], " :`,;(-\t") }

// text returns the captured text.
func (w *lineCapture) text() string {
	if len(w.rest) > 0 {
		w.addLine(string(w.rest))
		w.rest = nil
	}
	return strings.Join(w.lines, "\n")
}

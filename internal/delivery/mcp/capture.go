package mcp

import (
	"bytes"
	"errors"
	"strings"
)

// capture keeps the lines of an answer that can be of use: those from the first that was asked for, without
// those of items that the caller has, up to more than the budget can hold.
type capture struct {
	common *common
	most   int // bytes
	rest   []byte
	lines  []string
	kept   int // bytes of lines
	number int // lines that were written, but for those of items left out
	omits  bool
	indent int // of the item that is being left out, below 0 if none is
}

// errFull reports that an answer holds more than can be used, so that making it can stop.
var errFull = errors.New("more than can be used")

// bytesPerToken is more than any text of answers has on average.
const bytesPerToken = 16

func newCapture(c *common) *capture {
	return &capture{common: c, most: c.budget * bytesPerToken, omits: len(c.omit) > 0 && !c.structured, indent: -1}
}

func (w *capture) Write(b []byte) (int, error) {
	w.rest = append(w.rest, b...)
	for {
		i := bytes.IndexByte(w.rest, '\n')
		if i < 0 {
			break
		}
		w.line(string(w.rest[:i]))
		w.rest = w.rest[i+1:]
	}
	if w.kept > w.most || len(w.rest) > w.most+maxOneLine {
		return 0, errFull
	}
	return len(b), nil
}

// maxOneLine is how long a line may be beyond the size that fits, in bytes.
const maxOneLine = 1 << 20

func (w *capture) line(s string) {
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

// isOmitted reports whether a line is of an item that the caller has: it begins with the item's name, or is
// indented below such a line.
func (w *capture) isOmitted(s string) bool {
	body := strings.TrimLeft(s, " \t")
	indent := len(s) - len(body)
	if w.indent >= 0 && (indent > w.indent || body == "") {
		return true
	}
	w.indent = -1
	body = strings.TrimLeft(body, "-*`# ")
	for _, id := range w.common.omit {
		if rest, ok := strings.CutPrefix(body, strings.TrimPrefix(id, "./")); ok && id != "" && endsName(rest) {
			w.indent = indent
			return true
		}
	}
	return false
}

// endsName reports whether a name ends where a text goes on.
func endsName(rest string) bool { return rest == "" || strings.ContainsAny(rest[:1], " :`,;(-\t") }

// text returns the captured text.
func (w *capture) text() string {
	if len(w.rest) > 0 {
		w.line(string(w.rest))
		w.rest = nil
	}
	return strings.Join(w.lines, "\n")
}

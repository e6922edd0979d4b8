package operation

import (
	"strings"
	"time"
)

// Answered describes an answer that was written, for the log.
type Answered struct {
	Operation string
	Logged    bool     // see Properties
	Arguments string   // as they were given, without flags
	Files     []string // the first that the answer lists
	Found     bool
	Took      time.Duration
	Bytes     int64
}

// ArgumentText returns the positional arguments of a question, joined by blanks.
func (t *Tool[P]) ArgumentText(in any) string {
	var words []string
	for _, f := range t.Input() {
		if !f.Positional {
			continue
		}
		switch v := f.Pointer(in).(type) {
		case *string:
			words = append(words, *v)
		case *[]string:
			words = append(words, *v...)
		}
	}
	return strings.Join(words, " ")
}

package operation

import (
	"strings"
	"time"
)

// Answered is what is known of an answer that was written.
type Answered struct {
	Operation string
	Logged    bool     // see Properties
	Arguments string   // as they were given, without flags
	Files     []string // the first that the answer lists
	Found     bool
	Took      time.Duration
	Bytes     int64
}

// Given are the positional arguments of a question.
func (t *Tool[P]) Given(in any) string {
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

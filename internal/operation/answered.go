package operation

import (
	"strings"
	"time"
)

// Answered describes an answer that was written, for the log.
type Answered struct {
	Operation string
	Logged    bool     // see Properties
	Task      string   // the guarded task that was named, "" for the one that goes on, and for operations of no task
	Arguments string   // as they were given, without flags
	Files     []string // the first that the answer lists
	Found     bool
	Took      time.Duration
	Bytes     int64
}

// TaskArgument returns the task that a question names, "" if it names none.
func (t *Tool[P]) TaskArgument(in any) string {
	for _, f := range t.Input() {
		if id, ok := f.Pointer(in).(*string); ok && f.Key() == "task" {
			return *id
		}
	}
	return ""
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

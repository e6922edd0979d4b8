package planop

import (
	"fmt"
	"strings"

	"ken/internal/code"
)

// Usagef returns a code.UsageError: the operation was called in a way that it does not accept.
func Usagef(format string, args ...any) error { return code.Usagef(format, args...) }

// Fault is something that an operation could not do and that its caller has to know: there is no such phase.
type Fault struct {
	Reason  string // a word for programs: phase_not_found
	Message string
	Near    []string
	// Field and Value are what the message is about, as programs look it up beside the error: path, phase, field.
	Field, Value string
	// Ends: `ken gsd` ends with 1 and writes nothing on standard output, because prompts ask "config-get KEY || echo DEFAULT".
	Ends bool
}

// About is a Fault whose message is about a value, which is a field of its own in the answer.
func About(reason, message, field, value string) *Fault {
	return &Fault{Reason: reason, Message: message, Field: field, Value: value}
}

// Text is the message with the value that it is about.
func (e *Fault) Text() string {
	if e.Field == "" {
		return e.Message
	}
	return e.Message + ": " + e.Value
}

func (e *Fault) Error() string {
	if len(e.Near) == 0 {
		return e.Text()
	}
	return e.Text() + "; near: " + strings.Join(e.Near, ", ")
}

// Faultf makes a Fault.
func Faultf(reason, format string, args ...any) error {
	return &Fault{Reason: reason, Message: fmt.Sprintf(format, args...)}
}

func (e *Fault) isNotFound() bool { return strings.HasSuffix(e.Reason, "not_found") }

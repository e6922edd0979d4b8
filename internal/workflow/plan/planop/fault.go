package planop

import (
	"fmt"
	"strings"

	"ken/internal/code"
)

// Usagef returns a code.UsageError: the operation was called with inputs that it does not accept.
func Usagef(format string, args ...any) error { return code.Usagef(format, args...) }

// Fault is a failure that the caller of an operation has to know: there is no such phase.
type Fault struct {
	Reason  string // a word for programs: phase_not_found
	Message string
	Near    []string
	// Field and Value are the subject of the message, for programs: path, phase, field.
	Field, Value string
	// Ends: `ken gsd` exits with 1 and writes nothing on standard output, because prompts use "config-get KEY || echo DEFAULT".
	Ends bool
}

// NewValueFault returns a Fault about a value, which is a field of its own in the answer.
func NewValueFault(reason, message, field, value string) *Fault {
	return &Fault{Reason: reason, Message: message, Field: field, Value: value}
}

// Text returns the message with its value.
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

// Faultf returns a *Fault as an error.
func Faultf(reason, format string, args ...any) error {
	return &Fault{Reason: reason, Message: fmt.Sprintf(format, args...)}
}

func (e *Fault) isNotFound() bool { return strings.HasSuffix(e.Reason, "not_found") }

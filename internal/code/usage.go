package code

import "fmt"

// UsageError is a mistake in the user's request. All packages share the type, because one
// place, operation.Outcome, maps it to an exit code and an answer.
type UsageError struct{ Reason string }

func (e *UsageError) Error() string { return e.Reason }

// Usagef returns a UsageError with a reason formatted as by fmt.Sprintf.
func Usagef(format string, args ...any) error {
	return &UsageError{Reason: fmt.Sprintf(format, args...)}
}

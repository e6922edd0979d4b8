package code

import "fmt"

// UsageError is a mistake in what the user asked for, whichever package finds
// it. It is one type for all of them because one place, operation.Outcome,
// decides what follows from it.
type UsageError struct{ Reason string }

func (e *UsageError) Error() string { return e.Reason }

// Usagef makes a UsageError with a reason formatted as by fmt.Sprintf.
func Usagef(format string, args ...any) error {
	return &UsageError{Reason: fmt.Sprintf(format, args...)}
}

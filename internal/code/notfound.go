package code

import "fmt"

// NotFoundError is the error for a name that the user gave and that does not exist. It lists similar names.
type NotFoundError struct {
	What string // "file" or "symbol"
	Name string
	Near []string // similar names, best first; may be empty
}

func (e *NotFoundError) Error() string { return fmt.Sprintf("no %s %q", e.What, e.Name) }

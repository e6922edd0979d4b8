package code

import "fmt"

// NotFoundError is the error for a name by the user that does not exist, with similar ones.
type NotFoundError struct {
	What string // "file" or "symbol"
	Name string
	Near []string // similar names, best first; may be empty
}

func (e *NotFoundError) Error() string { return fmt.Sprintf("no %s %q", e.What, e.Name) }

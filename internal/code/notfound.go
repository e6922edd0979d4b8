package code

import "fmt"

// NotFoundError says that a name the user gave does not exist, and what comes near.
type NotFoundError struct {
	What string // "file" or "symbol"
	Name string
	Near []string // near names, best first; may be empty
}

func (e *NotFoundError) Error() string { return fmt.Sprintf("no %s %q", e.What, e.Name) }

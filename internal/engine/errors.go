package engine

import (
	"errors"
	"fmt"
)

// Errors callers branch on.
var (
	ErrNoIndex     = errors.New("no index")
	ErrOldSchema   = errors.New("the index was written by an older ken")
	ErrNewerSchema = errors.New("the index was written by a newer ken; update ken, or delete .ken/index.db to rebuild it")
	ErrReadOnly    = errors.New("the index cannot be written")
	ErrDamaged     = errors.New("the index is damaged")
	ErrWatched     = errors.New("another process watches this project already")
)

// NotFoundError says that a name the user gave does not exist, and what comes near.
type NotFoundError struct {
	What string // "file" or "symbol"
	Name string
	Near []string // near names, best first; may be empty
}

func (e *NotFoundError) Error() string { return fmt.Sprintf("no %s %q", e.What, e.Name) }

// UsageError is a mistake in what the user asked for.
type UsageError struct{ Reason string }

func (e *UsageError) Error() string { return e.Reason }

func usagef(format string, args ...any) error {
	return &UsageError{Reason: fmt.Sprintf(format, args...)}
}

package engine

import (
	"errors"
	"fmt"

	"ken/internal/code"
)

// Errors callers branch on.
var (
	ErrNoIndex     = errors.New("no index")
	ErrOldSchema   = errors.New("the index was written by an older ken")
	ErrNewerSchema = errors.New("the index was written by a newer ken; update ken, or delete .ken/index.db to rebuild it")
	ErrReadOnly    = errors.New("the index cannot be written")
	ErrDamaged     = code.ErrDamaged
	ErrWatched     = errors.New("another process watches this project already")
)

// NotFoundError says that a name the user gave does not exist, and what comes near.
type NotFoundError struct {
	What string // "file" or "symbol"
	Name string
	Near []string // near names, best first; may be empty
}

func (e *NotFoundError) Error() string { return fmt.Sprintf("no %s %q", e.What, e.Name) }

func usagef(format string, args ...any) error { return code.Usagef(format, args...) }

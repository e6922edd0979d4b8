package store

import (
	"errors"
	"ken/internal/code"
)

// The errors of a store that callers handle one by one.
var (
	ErrNoIndex     = errors.New("no index")
	ErrOldSchema   = errors.New("the index was written by an older ken")
	ErrNewerSchema = errors.New("the index was written by a newer ken; update ken, or delete .ken/index.db to rebuild it")
	ErrForeign     = errors.New("the index was not made by your ken for this tree")
	ErrReadOnly    = errors.New("the index cannot be written")
	ErrDamaged     = code.ErrDamaged
	ErrWatched     = errors.New("another process watches this project already")
)

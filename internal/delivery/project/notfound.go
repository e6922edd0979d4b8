package project

import (
	"errors"
	"fmt"

	"ken/internal/code"
	"ken/internal/operation"
)

// AsNotFound returns err as a code.NotFoundError; ok is false if it is none.
func AsNotFound(err error) (*code.NotFoundError, bool) {
	var nf *code.NotFoundError
	return nf, errors.As(err, &nf)
}

// NotFound turns a code.NotFoundError into a NothingError and returns any other error as it is. A NotIndexedError stays, because the
// file exists.
func NotFound(err error) error {
	var un *operation.NotIndexedError
	nf, ok := AsNotFound(err)
	if !ok || errors.As(err, &un) {
		return err
	}
	return &operation.NothingError{Message: fmt.Sprintf("no %s %s", nf.What, operation.Quote(nf.Name)), Near: nf.Near}
}

// MissingFiles collects the requested files that do not exist, so that the
// others are answered and one line names them all.
type MissingFiles struct{ err *operation.NothingError }

// Add collects an error if it reports that a file does not exist, and returns any other.
func (a *MissingFiles) Add(err error) error {
	var n *operation.NothingError
	if !errors.As(NotFound(err), &n) {
		return err
	}
	if a.err != nil {
		n = &operation.NothingError{Message: a.err.Error() + "; " + n.Error()}
	}
	a.err = n
	return nil
}

// Err returns an error that names all collected files, nil if there are none.
func (a *MissingFiles) Err() error {
	if a.err == nil {
		return nil
	}
	return a.err
}

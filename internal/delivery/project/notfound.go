package project

import (
	"errors"
	"fmt"

	"ken/internal/code"
	"ken/internal/operation"
)

// Missing reports whether the engine does not know a name, and which.
func Missing(err error) (*code.NotFoundError, bool) {
	var nf *code.NotFoundError
	return nf, errors.As(err, &nf)
}

// NotFound turns the engine's "not found" into a NothingError. A file that
// exists but is not indexed stays a NotIndexedError, because "there is none" would
// be false.
func NotFound(err error) error {
	var un *operation.NotIndexedError
	nf, ok := Missing(err)
	if !ok || errors.As(err, &un) {
		return err
	}
	return &operation.NothingError{Message: fmt.Sprintf("no %s %s", nf.What, operation.Quote(nf.Name)), Near: nf.Near}
}

// MissingFiles gathers the files of a request that do not exist, so that the
// others are answered and one line names them all.
type MissingFiles struct{ err *operation.NothingError }

// Add takes an error that says a file does not exist; any other it returns.
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

// Err returns an error that names them all, nil if there are none.
func (a *MissingFiles) Err() error {
	if a.err == nil {
		return nil
	}
	return a.err
}

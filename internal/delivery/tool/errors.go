package tool

import (
	"errors"
	"fmt"
	"strings"

	"ken/internal/engine"
)

// NothingError says that an operation was done and found nothing.
type NothingError struct {
	Message string
	Near    []string // names that come near the one that was not found
}

func (e *NothingError) Error() string {
	if len(e.Near) == 0 {
		return e.Message
	}
	near := make([]string, len(e.Near))
	for i, n := range e.Near {
		near[i] = Escape(n)
	}
	return e.Message + "; near: " + strings.Join(near, ", ")
}

// AlarmError says that a check was done and found what should not be there.
type AlarmError struct{ Message string }

func (e *AlarmError) Error() string { return e.Message }

func nothingf(format string, args ...any) error {
	return &NothingError{Message: fmt.Sprintf(format, args...)}
}

// UsageError is a mistake in what was asked for.
type UsageError struct{ Message string }

func (e *UsageError) Error() string { return e.Message }

func usagef(format string, args ...any) error {
	return &UsageError{Message: fmt.Sprintf(format, args...)}
}

// NoIndexError says that a project has no index yet.
type NoIndexError struct{ Dir string }

func (e *NoIndexError) Error() string {
	return fmt.Sprintf("no index in %s or above; run \"ken init\" to make one", Escape(e.Dir))
}

// missing reports whether the engine does not know a name, and which.
func missing(err error) (*engine.NotFoundError, bool) {
	var nf *engine.NotFoundError
	return nf, errors.As(err, &nf)
}

// notFound turns the engine's "not found" into a NothingError. A file that
// exists but is not indexed is another matter and stays what it is.
func notFound(err error) error {
	var un *unindexedError
	nf, ok := missing(err)
	if !ok || errors.As(err, &un) {
		return err
	}
	return &NothingError{Message: fmt.Sprintf("no %s %s", nf.What, Quote(nf.Name)), Near: nf.Near}
}

// finish emits an answer unless it could not be computed: one that found
// nothing, or that is an alarm, is emitted too, then its error is returned.
func finish[Ans any](a *Ans, err error, emit func(*Ans) error) error {
	var nothing *NothingError
	var alarm *AlarmError
	if err != nil && !errors.As(err, &nothing) && !errors.As(err, &alarm) {
		return err
	}
	return errorAfter(emit(a), err)
}

// errorAfter is the error of an operation whose answer was written, if it was.
func errorAfter(written, err error) error {
	if written != nil {
		return written
	}
	return err
}

// absentees gathers the files of a request that do not exist, so that the
// others are answered and one line names them all.
type absentees struct{ err *NothingError }

// add takes an error that says a file does not exist; any other it returns.
func (a *absentees) add(err error) error {
	var n *NothingError
	if !errors.As(notFound(err), &n) {
		return err
	}
	if a.err != nil {
		n = &NothingError{Message: a.err.Error() + "; " + n.Error()}
	}
	a.err = n
	return nil
}

func (a *absentees) error() error {
	if a.err == nil {
		return nil
	}
	return a.err
}

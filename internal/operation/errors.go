package operation

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"ken/internal/code"
)

// NothingError reports that an operation was done and found nothing.
type NothingError struct {
	Message string
	Near    []string // names that come near the one that was not found
	Refused bool     // something was to be done with it, which was refused
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

// Nothingf returns the error NothingError with a message formatted as by fmt.Sprintf.
func Nothingf(format string, args ...any) error {
	return &NothingError{Message: fmt.Sprintf(format, args...)}
}

// UnprovenError reports that an operation found nothing and could not prove that there
// is nothing, or that its answer is not whole because something could not be read.
type UnprovenError struct{ Message string }

func (e *UnprovenError) Error() string { return e.Message }

// AlarmError reports that a check was done and found something that should not be there, or that it refused what was asked for.
type AlarmError struct {
	Message string
	Refused bool
}

func (e *AlarmError) Error() string { return e.Message }

// NoIndexError reports that a project has no index yet.
type NoIndexError struct {
	Dir string
	// Root is the project that is set up and has no index, "" if none is.
	Root  string
	Built bool // another process builds it right now
	// Main is the main work tree of the repository, if Dir is in another one and Main has an index.
	Main string
}

func (e *NoIndexError) Error() string {
	switch {
	case e.Built:
		return fmt.Sprintf("the index of %s is being built by another process; ask again when that is done", Escape(e.Root))
	case e.Root != "":
		return fmt.Sprintf("the index of %s is not finished or was removed; run \"ken index\" to make it", Escape(e.Root))
	}
	if e.Main != "" {
		return fmt.Sprintf("no index in %s, a work tree of %s; run \"ken index\" there, which begins with the index of that", Escape(e.Dir), Escape(e.Main))
	}
	return fmt.Sprintf("no index in %s or above; run \"ken init\" to make one", Escape(e.Dir))
}

// NotIndexedError reports that a file exists but is not in the index.
type NotIndexedError struct {
	Path, Reason string
	Cause        error // the index's "not found": the file may have become indexable since
}

func (e *NotIndexedError) Error() string {
	return Quote(e.Path) + " is not in the index: " + e.Reason
}

// Unwrap returns the error that is the cause, nil if there is none.
func (e *NotIndexedError) Unwrap() error { return e.Cause }

// Finish emits an answer unless it could not be computed. An answer that found nothing,
// proven or not, or that is an alarm, is emitted as well. Finish returns err, or the error of emit.
func Finish[Ans any](a *Ans, err error, emit func(*Ans) error) error {
	switch classifyError(err) {
	case Found, Nothing, Unproven, Alarm:
		if failed := emit(a); failed != nil {
			return failed
		}
	}
	return err
}

// Outcome classifies the end of an operation. Each surface reports it in its own way:
// the command line by an exit code, others by a kind of answer.
type Outcome int

// The outcomes.
const (
	Found       Outcome = iota // done, or found
	Nothing                    // done, and nothing was found
	Unproven                   // done, nothing was found, and it is not proven that there is nothing
	Alarm                      // a check was done and found a problem
	NotIndexed                 // the requested file exists, but is not in the index
	NoIndex                    // there is no index to ask
	Usage                      // the request was a mistake
	Interrupted                // given up before it was done
	Failed                     // could not be done, or could not be checked
)

// Classify is the one mapping from the errors of operations to outcomes. ctx is
// that of the operation: if it has ended, any error is a consequence of that.
func Classify(ctx context.Context, err error) Outcome {
	if err != nil && ctx.Err() != nil {
		return Interrupted
	}
	return classifyError(err)
}

// classifyError distinguishes errors by their types: "nothing was found", "is not
// indexed" and "could not be checked" are different answers.
func classifyError(err error) Outcome {
	var (
		nothing    *NothingError
		unproven   *UnprovenError
		alarm      *AlarmError
		notIndexed *NotIndexedError
		noIndex    *NoIndexError
		usage      *code.UsageError
	)
	switch {
	case err == nil:
		return Found
	case errors.As(err, &notIndexed): // before the error that it wraps
		return NotIndexed
	case errors.As(err, &nothing):
		return Nothing
	case errors.As(err, &unproven):
		return Unproven
	case errors.As(err, &alarm):
		return Alarm
	case errors.As(err, &noIndex):
		return NoIndex
	case errors.As(err, &usage):
		return Usage
	}
	return Failed
}

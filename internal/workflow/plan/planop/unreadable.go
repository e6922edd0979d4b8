package planop

import (
	"errors"
	"path"
	"slices"
	"strings"

	"ken/internal/operation"
	"ken/internal/workflow/plan/change"
	"ken/internal/workflow/plan/folder"
)

// unreadable returns the files that the operation read, or would have, and that cannot be relied on, with the reasons.
func (c *Call) unreadable() (list []string) {
	if c.folder == nil {
		return nil
	}
	for _, err := range c.folder.Unreadable() {
		list = append(list, err.Error())
	}
	return list
}

// UnreadableError is an error of an operation with the files that it could not read and does not name.
type UnreadableError struct {
	Err   error
	Files []string // with the reasons
}

func (e *UnreadableError) Error() string { return e.Err.Error() + "; " + strings.Join(e.Files, "; ") }

// Unwrap returns the error of the operation.
func (e *UnreadableError) Unwrap() error { return e.Err }

// withUnreadable returns an error of planning with its outcome and the files that could not be read. That something is not there is then
// not known.
func withUnreadable(err error, unreadable []string) error {
	out := withOutcome(err)
	if len(unreadable) == 0 {
		return out
	}
	cause := err
	text := err.Error()
	more := slices.DeleteFunc(slices.Clone(unreadable), func(file string) bool {
		name, _, _ := strings.Cut(file, ": ")
		return strings.Contains(text, path.Base(name))
	})
	if len(more) > 0 {
		cause = &UnreadableError{err, more}
	}
	if nothing, ok := errors.AsType[*operation.NothingError](out); ok {
		unproven := &operation.UnprovenError{Message: "could not tell: " + strings.Join(append([]string{nothing.Error()}, more...), "; ")}
		if _, found := errors.AsType[*operation.NothingError](err); found {
			return unproven // an error that wraps both would be one of nothing found
		}
		return &outcomeError{cause, unproven}
	}
	return cause
}

// checkWritable fails with a *Fault if a change would write a file, or another in its place, whose text has a defect: what is not
// understood is not written. Moving it is no such change, nor is replacing it when its bytes are kept in another file.
func checkWritable(read change.Read, files []change.File) error {
	keeps := func(text string) bool {
		for _, f := range files {
			if f.Text != nil && *f.Text == text {
				return true
			}
		}
		return false
	}
	for _, f := range files {
		name := f.Name
		if f.From != "" {
			name = f.From
		}
		if f.Text == nil || strings.HasSuffix(name, "/") {
			continue
		}
		text, there, err := read(name)
		if err != nil || !there || text == *f.Text {
			continue // the writer fails with the error
		}
		if err := folder.Defect(name, text); err != nil && !keeps(text) {
			return Faultf("unreadable_file", "%s: it is not written", err)
		}
	}
	return nil
}

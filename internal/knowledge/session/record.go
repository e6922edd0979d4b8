package session

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

// Duration returns the time from the start of a session to its last event.
func (r *Record) Duration() time.Duration {
	if r.Started.IsZero() || r.Last.Before(r.Started) {
		return 0
	}
	return r.Last.Sub(r.Started)
}

// ChangedFiles returns the paths with a change, sorted.
func (r *Record) ChangedFiles(c Change) (out []string) {
	for _, f := range r.Files {
		if f.Change == c {
			out = append(out, f.Path)
		}
	}
	slices.Sort(out)
	return out
}

// NotesByKind returns the notes of a kind; of things to do those that are open.
func (r *Record) NotesByKind(kind Kind) (out []Note) {
	for _, n := range r.Notes {
		if n.Kind == kind && n.Done.IsZero() {
			out = append(out, n)
		}
	}
	return out
}

// IsEmpty reports whether a session has nothing to report.
func (r *Record) IsEmpty() bool { return len(r.Files)+len(r.Tests)+len(r.Notes) == 0 }

// Summary returns what a session achieved, in the words of its agent, then results that the record does not have, such as commits, and what
// its events were; "" if there is nothing to report.
func (r *Record) Summary(results ...string) string {
	var parts []string
	if r.Achieved != "" {
		parts = append(parts, r.Achieved)
	}
	parts = append(parts, results...)
	for _, c := range []Change{Modified, Created, Deleted} {
		if paths := r.ChangedFiles(c); len(paths) > 0 {
			parts = append(parts, string(c)+" "+joinPaths(paths))
		}
	}
	for _, t := range r.Tests {
		result := "failed"
		if t.Passed {
			result = "passed"
		}
		parts = append(parts, fmt.Sprintf("%s %s", t.Command, result))
	}
	if n := len(r.NotesByKind(Decided)); n > 0 {
		parts = append(parts, plural(n, "decision"))
	}
	if n := len(r.NotesByKind(Planned)); n > 0 {
		parts = append(parts, fmt.Sprintf("%d left to do", n))
	}
	return strings.Join(parts, "; ")
}

// maxNamed is the number of paths that a summary lists.
const maxNamed = 3

func joinPaths(paths []string) string {
	if len(paths) <= maxNamed {
		return strings.Join(paths, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(paths[:maxNamed], ", "), len(paths)-maxNamed)
}

func plural(n int, word string) string {
	if n == 1 {
		return "1 " + word
	}
	return fmt.Sprintf("%d %ss", n, word)
}

// JoinChanges returns the change of a file over two sessions: created and then modified is created, and gone reports that it was
// created and deleted.
func JoinChanges(was, now Change) (c Change, gone bool) {
	switch {
	case was == Created && now == Deleted:
		return "", true
	case was == Created:
		return Created, false
	case was == Deleted && now == Created:
		return Modified, false
	}
	return now, false
}

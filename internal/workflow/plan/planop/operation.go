// Package operation is what the operations of planning are declared with: the words they are called by, what they take, and
// how they are done. An operation is declared once; the command line, its help and completion and the page of reference are
// made of the declaration. Neighbours: the packages beside this one declare operations, delivery/planning lists and runs them.
package planop

import (
	"context"
	"fmt"
	"slices"
	"strings"
)

// Kind is what a flag takes.
type Kind uint8

// The kinds of flags.
const (
	Text   Kind = iota // one text
	Switch             // nothing
	Number             // a whole number
	List               // one or more texts, up to the next flag, or separated by commas
	Words              // one text that may be several words, up to the next flag
	Pairs              // any flags that are not declared, as names with values (state patch)
)

// Flag is a named input.
type Flag struct {
	Name string // without dashes
	Help string
	Kind Kind
	Enum []string // the values it can have; any if empty
}

// Arg is a positional input.
type Arg struct {
	Name     string // as help shows it: PHASE
	Help     string
	Optional bool
	Many     bool // takes all that are left; has to be the last
	Enum     []string
}

// Operation is one thing to ask of a planning folder, or to do with it.
type Operation struct {
	// Name is one to three words, separated by blanks: "state get".
	Name    string
	Also    []string // other names
	Summary string   // one line, lower case, without a full stop
	Args    []Arg
	Flags   []Flag
	// Writes: files of the folder are changed, so that there is --dry-run, and what was changed is shown.
	Writes bool
	// Shared: it is about STATE.md, ROADMAP.md and REQUIREMENTS.md, which a work tree that ken made has in the main tree.
	Shared bool
	// Lasting says why what the operation does cannot be undone: "a commit stays". "" if it can.
	Lasting string
	// Anywhere: no planning folder has to be there.
	Anywhere bool
	// Run does it. The answer is what encoding/json makes of it.
	Run func(ctx context.Context, c *Call) (answer any, err error)
	// Plain is the answer as one plain value, for --raw; nil if that is the JSON.
	Plain func(answer any) string
	// Bare: ken gsd writes the plain value without --raw, too, because prompts take it into a text as it is.
	Bare bool
	// Page is the answer as a page for people; nil if that is made of the JSON.
	Page func(answer any) string
}

// Usage is how the operation is called, without the program: "state get [FIELD]".
func (o *Operation) Usage() string {
	var b strings.Builder
	b.WriteString(o.Name)
	for _, a := range o.Args {
		s := a.Name
		if a.Many {
			s += "…"
		}
		if a.Optional {
			s = "[" + s + "]"
		}
		b.WriteString(" " + s)
	}
	for _, f := range o.Flags {
		switch f.Kind {
		case Switch:
			fmt.Fprintf(&b, " [--%s]", f.Name)
		case Number:
			fmt.Fprintf(&b, " [--%s N]", f.Name)
		case Pairs:
			b.WriteString(" [--NAME VALUE]…")
		default:
			fmt.Fprintf(&b, " [--%s %s]", f.Name, strings.ToUpper(f.Name))
		}
	}
	if o.Writes {
		b.WriteString(" [--dry-run]")
	}
	return b.String()
}

// flag is the flag of a name, nil if there is none.
func (o *Operation) flag(name string) *Flag {
	if i := slices.IndexFunc(o.Flags, func(f Flag) bool { return f.Name == name && f.Kind != Pairs }); i >= 0 {
		return &o.Flags[i]
	}
	return nil
}

// UsageError says that an operation was called in a way that it cannot be.
type UsageError struct {
	Operation *Operation
	Message   string
}

func (e *UsageError) Error() string { return e.Message + "; usage: " + e.Operation.Usage() }

// Usagef makes a UsageError.
func (o *Operation) Usagef(format string, args ...any) error {
	return &UsageError{o, fmt.Sprintf(format, args...)}
}

// Fault is something that an operation could not do and that its caller has to know: there is no such phase.
type Fault struct {
	Reason  string // a word for programs: phase_not_found
	Message string
	Near    []string
	// Field and Value are what the message is about, as programs look it up beside the error: path, phase, field.
	Field, Value string
	// Ends: `ken gsd` ends with 1 and writes nothing on standard output, because prompts ask "config-get KEY || echo DEFAULT".
	Ends bool
}

// About is a Fault whose message is about a value, which is a field of its own in the answer.
func About(reason, message, field, value string) *Fault {
	return &Fault{Reason: reason, Message: message, Field: field, Value: value}
}

// Text is the message with the value that it is about.
func (e *Fault) Text() string {
	if e.Field == "" {
		return e.Message
	}
	return e.Message + ": " + e.Value
}

func (e *Fault) Error() string {
	if len(e.Near) == 0 {
		return e.Text()
	}
	return e.Text() + "; near: " + strings.Join(e.Near, ", ")
}

// Faultf makes a Fault.
func Faultf(reason, format string, args ...any) error {
	return &Fault{Reason: reason, Message: fmt.Sprintf(format, args...)}
}

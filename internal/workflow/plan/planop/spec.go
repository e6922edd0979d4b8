// Package planop declares operations of planning: an operation is a typed Spec, which runs over a Call, a planning folder with its
// environment, and returns an Answer. Package operation is the framework below it; the packages beside this one declare
// operations, delivery/planning lists them.
package planop

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"reflect"
	"strings"

	"ken/internal/operation"
	"ken/internal/workflow/plan/folder"
)

// Operation is an operation of planning.
type Operation = operation.Tool[*Call]

// NoInput is the input of an operation that takes none.
type NoInput struct{}

// Spec declares an operation of planning. In is a struct whose fields carry the tags that operation.Field describes, Ans is encoded by
// encoding/json.
type Spec[In, Ans any] struct {
	Name    string   // one to three words: "state get"
	Also    []string // further names
	Summary string   // one line, lower case, without a full stop
	// Writes: the operation changes files of the folder, so that it takes --dry-run and its answer lists the changes.
	Writes bool
	// Shared: it works on STATE.md, ROADMAP.md and REQUIREMENTS.md, which a work tree made by ken shares with the main tree.
	Shared bool
	// Lasting is the reason why the operation cannot be undone: "a commit stays"; "" if it can.
	Lasting string
	// Anywhere: the operation needs no planning folder.
	Anywhere bool
	// Everyday: people use it, so that help lists it without --all.
	Everyday bool
	// Enums are the values that inputs can have, by their names, where a tag cannot list them.
	Enums map[string][]string
	Run   func(ctx context.Context, c *Call, in *In) (Ans, error)
	// Plain returns the answer as one plain value, for --raw; nil if that is the JSON.
	Plain func(Ans) string
	// Bare: ken gsd writes the plain value without --raw as well, because prompts insert it into a text.
	Bare bool
	// Page returns the answer as a page for people; nil if that is made of the JSON.
	Page func(Ans) string
}

// readInput is the input of an operation that changes nothing.
type readInput[In any] struct {
	Given      In     `inline:"yes"`
	Workstream string `flag:"ws" value:"NAME" help:"the workstream; the active one if not given"`
}

// writeInput is the input of an operation that changes files.
type writeInput[In any] struct {
	Given      In     `inline:"yes"`
	DryRun     bool   `flag:"dry-run" help:"show what would change, and change nothing"`
	Workstream string `flag:"ws" value:"NAME" help:"the workstream; the active one if not given"`
}

// Operation returns the declared operation.
func (s Spec[In, Ans]) Operation() *Operation {
	d := untypedSpec{
		Properties: operation.Properties{
			Name: s.Name, Aliases: s.Also, Group: "plan", Summary: s.Summary, Topic: operation.Plan, Rare: !s.Everyday, Lasting: s.Lasting,
			Lenient: true, Enums: s.Enums, MCP: operation.Offer{Set: "plan"},
		},
		writes: s.Writes, shared: s.Shared, anywhere: s.Anywhere, bare: s.Bare,
		run: func(ctx context.Context, c *Call, in any) (any, error) { return s.Run(ctx, c, in.(*In)) },
	}
	if s.Plain != nil {
		d.plain = func(value any) string { return s.Plain(value.(Ans)) }
	}
	if s.Page != nil {
		d.page = func(value any) string { return s.Page(value.(Ans)) }
	}
	if s.Writes {
		d.Effect = operation.Changes
		return d.newOperation(reflect.TypeFor[writeInput[In]]())
	}
	return d.newOperation(reflect.TypeFor[readInput[In]]())
}

// untypedSpec is a Spec without its types. Whatever needs none of them works on it, because the compiler makes code of its own for
// each of the 210 specs otherwise: that was 6 MB of the program.
type untypedSpec struct {
	operation.Properties
	writes, shared, anywhere, bare bool

	run         func(ctx context.Context, c *Call, in any) (any, error)
	plain, page func(value any) string
}

// newOperation returns the operation whose input is of a type reading[In] or writing[In].
func (d *untypedSpec) newOperation(in reflect.Type) *Operation {
	run := func(ctx context.Context, env *operation.Env[*Call], in any, emit func(any) error) error {
		c, err := env.Open(env.Dir, operation.Anywhere)
		if err != nil {
			return err
		}
		whole := reflect.ValueOf(in).Elem()
		c.Name, c.inMainTree, c.anywhere, c.Ask = d.Name, d.shared, d.anywhere, env.Ask
		c.DryRun = c.DryRun || d.writes && whole.FieldByName("DryRun").Bool()
		if workstream := whole.FieldByName("Workstream").String(); workstream != "" {
			c.Workstream = workstream
		}
		given := whole.FieldByName("Given")
		if d.writes && c.Mask != nil {
			maskTexts(given, c.Mask)
		}
		return d.runAndEmit(ctx, c, given.Addr().Interface(), emit)
	}
	text := func(t *operation.Text, _, a any) error {
		a.(*Answer).writeText(t)
		return nil
	}
	return operation.New(d.Properties, in, reflect.TypeFor[Answer](), run, text)
}

// maskTexts masks the credentials in every text of an input. What an operation writes or shows of what was typed comes from there.
func maskTexts(v reflect.Value, mask func(string) string) {
	switch v.Kind() {
	case reflect.String:
		v.SetString(mask(v.String()))
	case reflect.Pointer:
		if !v.IsNil() {
			maskTexts(v.Elem(), mask)
		}
	case reflect.Slice:
		for i := range v.Len() {
			maskTexts(v.Index(i), mask)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				maskTexts(v.Field(i), mask)
			}
		}
	}
}

// runAndEmit runs an operation and emits its answer, also one that reports that nothing was found.
func (d *untypedSpec) runAndEmit(ctx context.Context, c *Call, in any, emit func(any) error) (err error) {
	defer func() { err = errors.Join(err, c.Close()) }()
	if !d.anywhere {
		if _, err := c.Folder(); err != nil {
			return withOutcome(err)
		}
	}
	value, err := d.run(ctx, c, in)
	unreadable := c.unreadable()
	if fault, ok := errors.AsType[*Fault](err); ok {
		return errors.Join(emit(&Answer{fault: fault, mask: c.Mask, Unreadable: unreadable}), withUnreadable(err, unreadable))
	}
	if err != nil {
		return withUnreadable(err, unreadable)
	}
	a := &Answer{
		Value: value, Bare: d.bare, Results: c.Results, writes: d.writes, dry: c.DryRun, lasting: d.Lasting, isUndo: d.Name == "undo", mask: c.Mask,
		Notes: c.notes, Unreadable: unreadable, spec: d,
	}
	if a.JSON, err = indentedJSON(value); err != nil {
		return err
	}
	if d.plain != nil {
		a.Plain = func() string { return d.plain(value) }
	}
	if err := emit(a); err != nil {
		return err
	}
	err = a.nothingError()
	switch {
	case len(unreadable) == 0:
	case err != nil:
		return withUnreadable(err, unreadable)
	case !a.isChange(): // what was changed is no failure because of what was left alone
		return &operation.UnprovenError{Message: "not everything could be read: " + strings.Join(unreadable, "; ")}
	}
	return err
}

// outcomeError is an error of planning with the error of the framework that decides the exit code.
type outcomeError struct{ cause, outcome error }

func (e *outcomeError) Error() string   { return e.outcome.Error() }
func (e *outcomeError) Unwrap() []error { return []error{e.outcome, e.cause} }

// StartHint is the end of the error about a project without a planning folder.
const StartHint = "ken plan start begins one"

// withOutcome returns an error of planning with its outcome.
func withOutcome(err error) error {
	fault, isFault := errors.AsType[*Fault](err)
	switch {
	case errors.Is(err, folder.ErrNone):
		return &outcomeError{err, fmt.Errorf("there is no plan here: %w; %s", err, StartHint)}
	case isFault && fault.isNotFound():
		return &outcomeError{err, &operation.NothingError{Message: fault.Text(), Near: fault.Near}}
	case !isFault && errors.Is(err, fs.ErrNotExist):
		return &outcomeError{err, operation.Nothingf("%s", err.Error())}
	}
	return err
}

// RunWords runs the operation that words name, with the words after its name as its input. It returns an error if there is no such
// operation, if the words are invalid as its input, or as the operation fails. An answer that reports that nothing was found is no
// failure.
func RunWords(ctx context.Context, list []*Operation, s Surroundings, words []string) (*Answer, error) {
	t, rest := operation.Find(list, words)
	if t == nil {
		return nil, &UnknownError{words}
	}
	in, err := t.Decode(rest)
	if err != nil {
		return nil, err
	}
	var got *Answer
	env := &operation.Env[*Call]{Dir: s.Dir, Stdin: s.Stdin, Getenv: s.Getenv, Open: func(string, operation.Need) (*Call, error) {
		return &Call{Surroundings: s}, nil
	}}
	err = t.Run(ctx, env, in, func(a any) error {
		got = a.(*Answer)
		return nil
	})
	if got != nil && got.fault == nil {
		return got, nil
	}
	if o, ok := errors.AsType[*outcomeError](err); ok {
		err = o.cause
	}
	return nil, err
}

// UnknownError reports that words name no operation.
type UnknownError struct{ Words []string }

func (e *UnknownError) Error() string { return fmt.Sprintf("there is no operation %.200q", e.Words) }

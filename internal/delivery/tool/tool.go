// Package tool declares every operation of ken once: its name, what it takes,
// what it answers, how it is done and how the answer reads as text. All is the
// list. The surfaces (delivery/cli, later MCP and web) derive what they offer
// from it: they decode a request into an input, run the tool and encode the
// answer. Tools ask package engine; they know neither stores nor surfaces.
package tool

import (
	"context"
	"reflect"
	"slices"
)

// Tool is one operation. Surfaces see its input and answer only through
// reflection: Input and Answer describe them.
type Tool struct {
	Name    string
	Summary string // one line, lower case, without a full stop
	Long    string // more help, may be empty
	Example []string

	in, out reflect.Type
	run     func(ctx context.Context, env *Env, in any, emit func(answer any) error) error
	text    func(t *Text, in, answer any) error
}

// All returns every operation, in the order help shows them.
func All() []*Tool {
	return []*Tool{
		initTool(),
		indexTool(),
		statusTool(),
		overviewTool(),
		findTool(),
		briefTool(),
		showTool(),
		outlineTool(),
		defTool(),
		refsTool(),
		depsTool(),
		dependentsTool(),
		impactTool(),
		hotspotsTool(),
		patternTool(),
		grepTool(),
		tokensTool(),
		packTool(),
		mapTool(),
		secretsTool(),
		exportTool(),
		importSCIPTool(),
		watchTool(),
		versionTool(),
	}
}

// spec is how an operation is written down. In is a struct whose fields carry
// the tags fields.go reads; Ans one whose fields are the answer's JSON.
type spec[In, Ans any] struct {
	name, summary, long string
	example             []string
	// run does the work and hands the answer to emit, once. An answer may hold
	// Rows that are only valid inside emit. Having found nothing is emitted too,
	// as an answer with empty lists, and then returned as an error.
	run func(ctx context.Context, env *Env, in *In, emit func(*Ans) error) error
	// text writes the answer for people and agents; of an empty one, nothing.
	text func(t *Text, in *In, a *Ans) error
}

func (s spec[In, Ans]) tool() *Tool {
	return &Tool{
		Name: s.name, Summary: s.summary, Long: s.long, Example: s.example,
		in: reflect.TypeFor[In](), out: reflect.TypeFor[Ans](),
		run: func(ctx context.Context, env *Env, in any, emit func(any) error) error {
			return s.run(ctx, env, in.(*In), func(a *Ans) error { return emit(a) })
		},
		text: func(t *Text, in, a any) error { return s.text(t, in.(*In), a.(*Ans)) },
	}
}

// NewInput returns a pointer to an input that holds the defaults.
func (t *Tool) NewInput() any {
	in := reflect.New(t.in)
	for _, f := range t.Input() {
		f.setDefault(in.Elem())
	}
	return in.Interface()
}

// Run checks the input and does the operation. emit is called at most once; the
// answer must not be kept after it returns.
func (t *Tool) Run(ctx context.Context, env *Env, in any, emit func(answer any) error) error {
	if err := t.check(in); err != nil {
		return err
	}
	return t.run(ctx, env, in, emit)
}

// Text writes an answer that Run emitted for people and agents.
func (t *Tool) Text(w *Text, in, answer any) error {
	if err := t.text(w, in, answer); err != nil {
		return err
	}
	return w.Flush()
}

// SetFormat tells an operation that has formats of its own which one is wanted;
// false if it has no such one.
func (t *Tool) SetFormat(in any, format string) bool {
	for _, f := range t.Input() {
		if f.Name == "format" && !f.Positional && slices.Contains(f.Enum, format) {
			*f.Pointer(in).(*string) = format
			return true
		}
	}
	return false
}

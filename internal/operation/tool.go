// Package operation is the framework operations are declared with: an operation
// names its input, its answer, its function and the text form of the answer
// once, and the flags, schemas, reference pages, JSON and lists of paths are
// derived from that. It knows no operation. Its neighbours are delivery/op,
// which declares all of them, and the surfaces (delivery/cli), which decode a
// request into an input, run the tool and encode the answer.
package operation

import (
	"context"
	"reflect"
	"slices"
)

// Tool is one operation over a project of type P. Surfaces see its input and
// answer only through reflection: Input and Answer describe them.
type Tool[P any] struct {
	Properties
	in, out reflect.Type
	run     func(ctx context.Context, env *Env[P], in any, emit func(answer any) error) error
	text    func(t *Text, in, answer any) error
}

// Properties describe an operation to the surfaces that offer it.
type Properties struct {
	Name    string   // one word, or in a group up to three: "state get"
	Aliases []string // further names
	Group   string   // the command that it belongs to: "task"; "" if it is a command itself
	Summary string   // one line, lower case, without a full stop
	Long    string   // more help, may be empty
	Example []string
	Topic   Topic // where help lists it
	Rare    bool  // help lists it only with --all
	Logged  bool  // its answers are logged, because an agent reads them instead of the source
	MCP     Offer
	Effect  Effect
	Lasting string // the reason why it cannot be undone: "a commit stays"; "" if it can, or changes nothing
	// Lenient: the command line is decoded by Decode, which accepts the spellings of prompts, and an empty value counts as given.
	Lenient bool
	// Enums are the values of fields, by name, where a tag cannot list them.
	Enums map[string][]string
}

// Topic is the group of commands in which help lists an operation.
type Topic string

// The topics, in the order of help.
const (
	SetUp        Topic = "Set up"
	Ask          Topic = "Ask"
	ChangeSafely Topic = "Change safely"
	Remember     Topic = "Remember"
	Plan         Topic = "Plan"
	ForAgents    Topic = "For agents"
)

// Topics returns the topics in the order of help.
func Topics() []Topic { return []Topic{SetUp, Ask, ChangeSafely, Remember, Plan, ForAgents} }

// Offer describes how an operation is offered over MCP, where every session pays for each word of the listing.
type Offer struct {
	Set   string // core, knowledge, full, guard or plan; "" if the operation is not offered
	Place int    // in its set; those without one follow in the order of all operations
	About string // when to use it; "" for the summary
	// Shown are the keys of the listed arguments, each with a description if its name does not explain it: "key=description; key". If it
	// is empty, all arguments are listed with the help of the command line.
	Shown string
	// Input: the operation reads a text from standard input, which the argument "input" gives.
	Input bool
	// Variant has the operation offered by another tool instead, the zero value by none.
	Variant Variant
}

// Variant offers an operation by an argument of another tool: a call of that tool with the argument is one of the operation.
type Variant struct {
	Tool  string            // name of the operation of that tool
	Key   string            // the argument
	About string            // description of the argument
	Names map[string]string // arguments of the operation by the names that they have in such a call, if these are others
}

// Effect classifies an operation by how it changes the project.
type Effect int

// The effects.
const (
	Reads   Effect = iota
	Adds           // it adds something new
	Changes        // it may replace or remove something
)

// Spec is how an operation is written down. In is a struct whose fields carry
// the tags that Field describes; Ans one whose fields are the answer's JSON.
type Spec[P, In, Ans any] struct {
	Name, Summary, Long string
	Aliases             []string
	Group               string
	Example             []string
	Topic               Topic
	Rare, Logged        bool
	MCP                 Offer
	Effect              Effect
	Lasting             string
	Lenient             bool
	Enums               map[string][]string
	// Run does the work and hands the answer to emit, once. An answer may hold
	// Rows that are only valid inside emit. Having found nothing is emitted too,
	// as an answer with empty lists, and then returned as an error.
	Run func(ctx context.Context, env *Env[P], in *In, emit func(*Ans) error) error
	// Text writes the answer for people and agents; of an empty one, nothing.
	Text func(t *Text, in *In, a *Ans) error
}

// Tool makes the operation of its declaration.
func (s Spec[P, In, Ans]) Tool() *Tool[P] {
	return &Tool[P]{
		Properties: Properties{
			Name: s.Name, Aliases: s.Aliases, Group: s.Group, Summary: s.Summary, Long: s.Long, Example: s.Example,
			Topic: s.Topic, Rare: s.Rare, Logged: s.Logged, MCP: s.MCP, Effect: s.Effect, Lasting: s.Lasting, Lenient: s.Lenient, Enums: s.Enums,
		},
		in: reflect.TypeFor[In](), out: reflect.TypeFor[Ans](),
		run: func(ctx context.Context, env *Env[P], in any, emit func(any) error) error {
			return s.Run(ctx, env, in.(*In), func(a *Ans) error { return emit(a) })
		},
		text: func(t *Text, in, a any) error { return s.Text(t, in.(*In), a.(*Ans)) },
	}
}

// New returns an operation whose types are known at run time alone: in and out are the struct types of its input and answer, to which
// run and text are given pointers. A Spec is the way to declare one; New is for frameworks above it.
func New[P any](p Properties, in, out reflect.Type, run func(ctx context.Context, env *Env[P], in any, emit func(answer any) error) error,
	text func(t *Text, in, answer any) error,
) *Tool[P] {
	return &Tool[P]{Properties: p, in: in, out: out, run: run, text: text}
}

// NewInput returns a pointer to an input that holds the defaults.
func (t *Tool[P]) NewInput() any {
	in := reflect.New(t.in)
	for _, f := range t.Input() {
		f.setDefault(in.Elem())
	}
	return in.Interface()
}

// Run checks the input and does the operation. emit is called at most once; the
// answer must not be kept after it returns. It fails if the input is invalid, or with the error of the operation.
func (t *Tool[P]) Run(ctx context.Context, env *Env[P], in any, emit func(answer any) error) error {
	if !t.Lenient {
		if err := t.check(in); err != nil {
			return err
		}
	}
	return t.run(ctx, env, in, emit)
}

// Within returns the operation as one over a project of another type, from whose surroundings open makes a project of its own.
func Within[P, Q any](t *Tool[Q], open func(env *Env[P], dir string) (Q, error)) *Tool[P] {
	return &Tool[P]{
		Properties: t.Properties, in: t.in, out: t.out, text: t.text,
		run: func(ctx context.Context, env *Env[P], in any, emit func(any) error) error {
			inner := &Env[Q]{
				Dir: env.Dir, Stdin: env.Stdin, Terminal: env.Terminal, Getenv: env.Getenv, Ask: env.Ask, Confirm: env.Confirm,
				Progress: env.Progress, AfterSending: env.AfterSending,
				Open: func(dir string, _ Need) (Q, error) { return open(env, dir) },
			}
			return t.run(ctx, inner, in, emit)
		},
	}
}

// Text writes an answer that Run emitted for people and agents. It returns the first error of a write.
func (t *Tool[P]) Text(w *Text, in, answer any) error {
	if err := t.text(w, in, answer); err != nil {
		return err
	}
	return w.Flush()
}

// SetFormat sets the format of an operation that has formats of its own; it
// returns false if the operation has no such one.
func (t *Tool[P]) SetFormat(in any, format string) bool {
	for _, f := range t.Input() {
		if f.Name == "format" && !f.Positional && slices.Contains(f.Enum, format) {
			*f.Pointer(in).(*string) = format
			return true
		}
	}
	return false
}

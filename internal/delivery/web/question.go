package web

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strconv"
	"strings"
	"sync"

	"ken/internal/delivery/project"
	"ken/internal/operation"
)

// question is an operation with the arguments that a view asks it with.
type question struct {
	command string // as the command line names it: "plan waves"
	args    []argument
}

// argument is the value of a field of the operation's input, by the key that protocols use.
type argument struct{ key, value string }

func newQuestion(command string, pairs ...string) question {
	q := question{command: command}
	for i := 0; i+1 < len(pairs); i += 2 {
		if pairs[i+1] != "" {
			q.args = append(q.args, argument{pairs[i], pairs[i+1]})
		}
	}
	return q
}

// answer is the answer of an operation.
type answer struct {
	Command string // that answers the same, to copy
	JSON    []byte
	Outcome operation.Outcome
	Message string // if nothing was found, something is in doubt, or it failed
}

// Failed reports whether there is no answer.
func (a *answer) Failed() bool { return a.Outcome >= operation.NotIndexed }

// errNoOperation is returned for an operation that this server does not offer.
var errNoOperation = errors.New("this ken does not have that command")

// asker asks operations over a project. Several views use it at once.
type asker struct {
	tools  []*project.Tool
	dir    string // the root of the project, where paths begin
	getenv func(string) string
	open   func(dir string, need operation.Need) (*project.Project, error)
	asking chan struct{} // has an entry for each question that runs
}

// maxAsking is the number of questions that run at once.
const maxAsking = 8

// asked is a question with the value that its answer is decoded into.
type asked struct {
	question question
	into     any
}

// askAll asks questions side by side.
func (s *asker) askAll(ctx context.Context, list ...asked) []*answer {
	out := make([]*answer, len(list))
	var all sync.WaitGroup
	for i, one := range list {
		all.Go(func() { out[i] = s.ask(ctx, one.question, one.into) })
	}
	all.Wait()
	return out
}

// ask asks a question and decodes its answer into a value with the JSON names of the operation's answer. A question that finds nothing
// or fails has an answer as well, whose message shows why.
func (s *asker) ask(ctx context.Context, q question, into any) *answer {
	select {
	case s.asking <- struct{}{}:
		defer func() { <-s.asking }()
	case <-ctx.Done():
		return &answer{Outcome: operation.Interrupted, Message: "interrupted"}
	}
	tool := s.tool(q.command)
	if tool == nil {
		return &answer{Command: "ken " + q.command, Outcome: operation.Usage, Message: errNoOperation.Error()}
	}
	a := &answer{Command: commandLine(tool, q.args)}
	in := tool.NewInput()
	err := setArguments(tool, in, q.args)
	var opened *project.Project
	if err == nil {
		env := &project.Env{
			Dir: s.dir, Stdin: strings.NewReader(""), Getenv: s.getenv,
			Open: func(dir string, need operation.Need) (p *project.Project, err error) {
				p, err = s.open(dir, need)
				opened = p
				return p, err
			},
		}
		var out bytes.Buffer
		err = tool.Run(ctx, env, in, func(v any) error { return operation.WriteJSON(&out, v) })
		a.JSON = out.Bytes()
	}
	mask := func(text string) string { return text }
	if opened != nil {
		mask = opened.KnownSecrets().MaskString
	}
	a.JSON = []byte(mask(string(a.JSON)))
	a.Outcome = operation.Classify(ctx, err)
	if err != nil {
		a.Message = escapeLines(mask(err.Error()))
	}
	if opened != nil && opened.Engine.Behind() {
		a.Message = strings.TrimPrefix(a.Message+"; the index cannot be written, so the answer may be older than the tree", "; ")
	}
	if into != nil && len(a.JSON) > 0 {
		if err := json.Unmarshal(a.JSON, into); err != nil {
			a.Outcome, a.Message = operation.Failed, "the answer cannot be read: "+operation.Escape(err.Error())
		}
	}
	return a
}

// tool returns the operation of a command, nil if it is not offered.
func (s *asker) tool(command string) *project.Tool {
	i := slices.IndexFunc(s.tools, func(t *project.Tool) bool { return t.Command() == command })
	if i < 0 {
		return nil
	}
	return s.tools[i]
}

// setArguments decodes arguments into an input. It fails if the operation has no such field or a number is none.
func setArguments(t *project.Tool, in any, args []argument) error {
	fields := t.Input()
	for _, a := range args {
		i := slices.IndexFunc(fields, func(f operation.Field) bool { return f.Key() == a.key })
		if i < 0 {
			return errors.New("ken " + t.Command() + " has no argument " + operation.Quote(a.key))
		}
		if err := setField(fields[i].Pointer(in), a.value); err != nil {
			return errors.New(operation.Quote(a.value) + " is no number for " + a.key)
		}
	}
	return nil
}

// setField sets the field at an address. It fails if a number is none.
func setField(field any, value string) error {
	n, err := 0, error(nil)
	switch v := field.(type) {
	case *string:
		*v = value
	case **string:
		*v = &value
	case *[]string:
		*v = append(*v, value)
	case *bool:
		*v = value == "true"
	case *int:
		*v, err = strconv.Atoi(value)
	case **int:
		n, err = strconv.Atoi(value)
		*v = &n
	}
	return err
}

// escapeLines makes a text safe to show and leaves its lines.
func escapeLines(s string) string {
	lines := strings.Split(s, "\n")
	for i := range lines {
		lines[i] = operation.Escape(lines[i])
	}
	return strings.Join(lines, "\n")
}

// shellWord returns a text as one word of a shell. Characters that cannot be seen are spelled out, as bash and zsh read them.
func shellWord(s string) string {
	if spelled := operation.Escape(s); spelled != s {
		quoted := strings.NewReplacer("\\", "\\\\", "'", "\\'").Replace(s)
		return "$'" + operation.Escape(quoted) + "'"
	}
	return operation.ShellWord(s)
}

// commandLine returns the command that asks an operation with arguments, for a shell in the root of the project.
func commandLine(t *project.Tool, args []argument) string {
	var flags, words []string
	dashed := false
	for _, f := range t.Input() {
		for _, a := range args {
			switch {
			case f.Key() != a.key:
			case f.Positional:
				words = append(words, shellWord(a.value))
				dashed = dashed || strings.HasPrefix(a.value, "-")
			case f.Type == "boolean":
				flags = append(flags, "--"+f.Name)
			case f.Bare != "":
				flags = append(flags, "--"+f.Name+"="+shellWord(a.value))
			default:
				flags = append(flags, "--"+f.Name, shellWord(a.value))
			}
		}
	}
	if dashed {
		words = append([]string{"--"}, words...)
	}
	if dashed {
		return strings.Join(slices.Concat([]string{"ken", t.Command()}, flags, words), " ")
	}
	return strings.Join(slices.Concat([]string{"ken", t.Command()}, words, flags), " ")
}

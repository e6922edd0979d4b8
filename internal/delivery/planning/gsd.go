package planning

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"ken/internal/code"
	"ken/internal/operation"
	"ken/internal/workflow/plan/folder"
	"ken/internal/workflow/plan/planop"
	"ken/internal/workflow/plan/query"
)

// ExitError is returned to end the program with a code when all output has been written.
type ExitError struct{ Code int }

func (e *ExitError) Error() string { return "ended with code " + strconv.Itoa(e.Code) }

// GSD is one run of `ken gsd …`: the operations in the spelling of gsd-tools, `tool group sub args` and `group.sub`, with its flags, its
// JSON and its exit codes. Wrong usage is "Error: …" on standard error and code 1; a failed operation is {"error": …} on standard
// output and code 0, or as wrong usage where gsd-tools ends with 1.
type GSD struct {
	Operations     []*planop.Operation
	In             planop.Surroundings
	Stdout, Stderr io.Writer
}

// gsdFlags are the flags of gsd-tools that every operation has.
type gsdFlags struct {
	json, raw, help, picks bool
	dir, workstream, pick  string
}

// takeFlags removes the flags that every operation has from a command line. Words after -- stay. It fails if a flag lacks its value.
func takeFlags(words []string) (g gsdFlags, rest []string, err error) {
	texts := map[string]*string{"-C": &g.dir, "--cwd": &g.dir, "--ws": &g.workstream, "--pick": &g.pick}
	switches := map[string]*bool{
		"-h": &g.help, "--help": &g.help, "--version": &g.help, "-v": &g.help, "--usage": &g.help, "--raw": &g.raw, "--json": &g.json,
	}
	for i := 0; i < len(words); i++ {
		name, value, joined := strings.Cut(words[i], "=")
		switch text, on := texts[name], switches[name]; {
		case words[i] == "--":
			return g, append(rest, words[i:]...), nil
		case on != nil && !joined:
			*on = true
		case text != nil && joined:
			*text = value
		case text != nil:
			if i++; i == len(words) {
				return g, nil, code.Usagef("%s needs a value", name)
			}
			*text = words[i]
		default:
			rest = append(rest, words[i])
		}
		g.picks = g.picks || name == "--pick"
	}
	return g, rest, nil
}

// Run runs the command line. It fails with an ExitError if the program has to end with a code of gsd-tools.
func (c *GSD) Run(ctx context.Context, words []string) error {
	g, words, err := takeFlags(words)
	switch {
	case err != nil:
		return c.usage(err.Error())
	case g.help:
		return c.usage("flags like --help and --version answer nothing here; \"ken help plan\" lists the operations")
	case len(words) > 0 && words[0] == "query":
		words = words[1:]
	}
	if len(words) == 0 {
		return c.usage("name an operation; \"ken help plan --all\" lists them")
	}
	in := c.In
	if g.dir != "" {
		if in.Dir = g.dir; !filepath.IsAbs(g.dir) {
			in.Dir = filepath.Join(c.In.Dir, g.dir)
		}
	}
	in.Workstream, in.Original = g.workstream, true
	words = originalWords(c.Operations, words)
	name := ""
	if o, _ := operation.Find(c.Operations, words); o != nil {
		name = o.Name
	}
	a, err := planop.RunWords(ctx, c.Operations, in, words)
	for _, n := range besideAnswer(a, err) {
		fmt.Fprintln(c.Stderr, "ken: "+operation.Escape(n))
	}
	switch {
	case err != nil:
		return c.reportError(ctx, name, g.raw, err)
	case g.picks:
		return c.write(pickPart(a.JSON, g.pick))
	case !g.json && (g.raw || a.Bare) && a.Plain != nil:
		return c.write(a.Plain())
	}
	return c.write(string(a.JSON))
}

// besideAnswer returns what is reported beside an answer or an error, which have the form of gsd-tools: notes, and files that could not be
// read.
func besideAnswer(a *planop.Answer, err error) []string {
	if unreadable, ok := errors.AsType[*planop.UnreadableError](err); ok {
		return unreadable.Files
	}
	if err != nil {
		return nil
	}
	return slices.Concat(a.Notes, a.Unreadable)
}

func (c *GSD) write(text string) error {
	if c.In.Mask != nil {
		text = c.In.Mask(text)
	}
	_, err := io.WriteString(c.Stdout, text)
	return err
}

func (c *GSD) usage(message string) error {
	fmt.Fprintln(c.Stderr, "Error: "+operation.Escape(message))
	return &ExitError{1}
}

// reportError writes an error of an operation as gsd-tools does, and returns how the program ends.
func (c *GSD) reportError(ctx context.Context, name string, raw bool, err error) error {
	unknown, isUnknown := errors.AsType[*planop.UnknownError](err)
	usage, isUsage := errors.AsType[*code.UsageError](err)
	fault, isFault := errors.AsType[*planop.Fault](err)
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case isUnknown:
		message := "Unknown command: " + operation.Quote(strings.Join(unknown.Words[:min(2, len(unknown.Words))], " "))
		if near := operation.NearNames(c.Operations, unknown.Words[0]); len(near) > 0 {
			message += "; near: " + strings.Join(near, ", ")
		}
		return c.usage(message)
	case isUsage && slices.Contains(answering, name):
		fault = &planop.Fault{Message: usage.Error()}
	case isUsage:
		return c.usage(usage.Error())
	case isFault && (fault.Ends || slices.Contains(endings[name], fault.Reason)):
		return c.usage(fault.Error())
	case isFault:
	case errors.Is(err, query.ErrNoState) && name == "state get":
		return c.usage(err.Error())
	case errors.Is(err, query.ErrNoRoadmap) && raw:
		return nil
	case errors.Is(err, query.ErrNoRoadmap):
		answer := map[string]any{"error": err.Error(), "milestones": []string{}, "phases": []string{}, "current_phase": nil}
		if name == "roadmap get-phase" {
			answer = map[string]any{"error": err.Error(), "found": false}
		}
		text, err := planop.JSONPart(answer)
		return errors.Join(err, c.write(text))
	case errors.Is(err, query.ErrNoState):
		fault = &planop.Fault{Message: err.Error()}
	case errors.Is(err, folder.ErrNone), errors.Is(err, fs.ErrNotExist):
		fault = &planop.Fault{Message: err.Error()}
	default:
		return err
	}
	text, err := fault.GSD()
	if err != nil {
		return err
	}
	return c.write(text)
}

// pickPart returns the part of a JSON answer at a path such as a.b[0] or a.b[-1]; "" if there is none.
func pickPart(answer []byte, at string) string {
	var v any
	d := json.NewDecoder(strings.NewReader(string(answer)))
	d.UseNumber()
	if d.Decode(&v) != nil {
		return ""
	}
	for _, part := range strings.Split(strings.ReplaceAll(at, "[", ".["), ".") {
		if part == "" {
			continue
		}
		switch w := v.(type) {
		case map[string]any:
			v = w[part]
		case []any:
			n, err := strconv.Atoi(strings.Trim(part, "[]"))
			if n < 0 {
				n += len(w)
			}
			if err != nil || n < 0 || n >= len(w) {
				return ""
			}
			v = w[n]
		default:
			return ""
		}
	}
	switch v := v.(type) {
	case nil:
		return ""
	case string:
		return v
	case map[string]any, []any:
		text, _ := planop.JSONPart(v) // a decoded value can be encoded
		return text
	}
	return fmt.Sprint(v)
}

package planning

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"strconv"
	"strings"

	"ken/internal/operation"
	"ken/internal/workflow/plan/folder"
	"ken/internal/workflow/plan/planop"
)

// ExitError ends the program with a code, when what is to be said was written already.
type ExitError struct{ Code int }

func (e *ExitError) Error() string { return "ended with code " + strconv.Itoa(e.Code) }

// GSD runs `ken gsd …`: the operations in the spelling of gsd-tools, `tool group sub args` and `group.sub`, with its flags,
// its JSON and its exit codes. Wrong usage is "Error: …" on standard error and 1; what could not be done is
// {"error": …} on standard output and 0.
func (c *Command) GSD(ctx context.Context, words []string) error {
	g, words, err := takeGlobals(words, true)
	if err != nil {
		return c.gsdUsage(err.Error())
	}
	if g.help {
		if c.Terminal {
			return c.help(words)
		}
		return c.gsdUsage("flags like --help and --version answer nothing here; \"ken plan help\" lists the operations")
	}
	if len(words) > 0 && words[0] == "query" {
		words = words[1:]
	}
	o, rest := planop.Find(c.list(), words)
	if o == nil {
		if len(words) == 0 {
			return c.gsdUsage("name an operation; \"ken plan help\" lists them")
		}
		near := strings.TrimPrefix(c.unknown(words).Error(), "there is no operation ")
		return c.gsdUsage("Unknown command: " + strings.TrimSuffix(near, ` (see "ken plan help")`))
	}
	d, err := c.run(ctx, o, rest, &g)
	if err != nil {
		return c.gsdFailed(ctx, err)
	}
	switch {
	case g.picks:
		return c.write(picked(d.json, g.pick))
	case !g.json && (g.raw || o.Bare) && o.Plain != nil:
		return c.write(o.Plain(d.answer))
	}
	return c.write(string(d.json))
}

func (c *Command) gsdUsage(message string) error {
	fmt.Fprintln(c.Stderr, "Error: "+operation.Escape(message))
	return &ExitError{1}
}

func (c *Command) gsdFailed(ctx context.Context, err error) error {
	var usage *planop.UsageError
	var fault *planop.Fault
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case errors.As(err, &usage):
		return c.gsdUsage(usage.Error())
	case errors.As(err, &fault) && fault.Ends:
		return c.gsdUsage(fault.Error())
	case errors.As(err, &fault):
		return c.gsdError(fault)
	case errors.Is(err, folder.ErrNone), errors.Is(err, fs.ErrNotExist):
		return c.gsdError(&planop.Fault{Message: err.Error()})
	}
	return err
}

// gsdError writes a fault as an answer. What it is about is a field beside the message, as gsd-tools has it.
func (c *Command) gsdError(fault *planop.Fault) error {
	answer := map[string]any{"error": fault.Message}
	if fault.Reason != "" {
		answer["reason"] = fault.Reason
	}
	if fault.Field != "" {
		answer[fault.Field] = fault.Value
	}
	if len(fault.Near) > 0 {
		answer["near"] = fault.Near
	}
	b, err := marshal(answer)
	if err != nil {
		return err
	}
	return c.write(string(b))
}

// picked is a part of an answer by its path, a.b[0] or a.b[-1]; "" if there is none.
func picked(answer []byte, at string) string {
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
		b, err := marshal(v)
		if err != nil {
			return ""
		}
		return string(b)
	}
	return fmt.Sprint(v)
}

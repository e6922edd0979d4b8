package cli

import (
	"bytes"
	"context"
	"io"
	"time"

	"ken/internal/code"
	"ken/internal/delivery/project"
	"ken/internal/operation"
)

// watchAnswer shows the answer of an operation again whenever it has changed. It fails if the first answer does.
func (c *Command) watchAnswer(ctx context.Context, t *project.Tool, in any, g *globalFlags) error {
	const pause = time.Second
	if t.Effect != operation.Reads || g.json {
		return code.Usagef("--watch shows pages alone: ken plan --watch")
	}
	once := *c
	last := ""
	tick := time.NewTicker(pause)
	defer tick.Stop()
	for {
		var out bytes.Buffer
		once.Stdout = &out
		if err := once.runOperation(ctx, t, in, g); err != nil {
			if last == "" {
				return err
			}
			out.Reset()
			out.WriteString(operation.Escape(err.Error()) + "\n") // a file may be half written at the moment
		}
		if text := out.String(); text != last {
			last = text
			if IsTerminal(c.Stdout) {
				text = "\x1b[H\x1b[2J" + text
			}
			if _, err := io.WriteString(c.Stdout, text); err != nil {
				return err
			}
			if f, ok := c.Stdout.(interface{ Flush() error }); ok {
				if err := f.Flush(); err != nil {
					return err
				}
			}
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-tick.C:
		}
	}
}

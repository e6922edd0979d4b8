package cli

import (
	"context"
	"errors"
	"io"
	"os"
	"time"

	"ken/internal/code"
	"ken/internal/delivery/project"
	"ken/internal/operation"
)

// runOperation runs an operation and writes its answer.
func (c *Command) runOperation(ctx context.Context, t *project.Tool, in any, g *globalFlags) error {
	format, err := g.resolveFormat(t)
	if err != nil {
		return err
	}
	if format == "json" {
		t.SetFormat(in, format)
	}
	dir, err := c.workDir(g)
	if err != nil {
		return err
	}
	color, err := c.useColor(g)
	if err != nil {
		return err
	}
	bar := newProgress(c.Stderr)
	defer bar.finish()
	env := &project.Env{
		Dir: dir, Stdin: c.Stdin, Open: c.Open, Terminal: IsTerminal(c.Stdout), Getenv: c.Getenv, Ask: c.askFunc(ctx), Progress: bar.update(),
		Serve: c.Serve,
	}
	if env.Ask != nil {
		env.Confirm = func(question string) (bool, error) { return confirm(env.Ask, question) }
	}
	var later []func(*operation.Sent) error
	env.AfterSending = func(f func(*operation.Sent) error) { later = append(later, f) }
	note := &operation.Answered{Operation: t.Command(), Logged: t.Logged, Task: t.TaskArgument(in), Arguments: t.ArgumentText(in)}
	out := &countingWriter{w: c.Stdout}
	if t.Group == "task" {
		out.most = maxKept
	}
	began := time.Now()
	err = t.Run(ctx, env, in, func(a any) error {
		bar.finish()
		note.Files = operation.TopPaths(a, maxTop)
		switch format {
		case "json":
			return operation.WriteJSON(out, a)
		case "paths":
			return operation.WritePaths(out, a, g.null)
		}
		return t.Text(operation.NewText(out, color), in, a)
	})
	sent := &operation.Sent{Whole: format != "paths" && !out.failed, Text: string(out.kept), JSON: format == "json"}
	if isDiscarded(c.Stdout) { // an answer that nothing reads has shown nothing
		*sent = operation.Sent{}
	}
	for _, f := range later {
		err = errors.Join(err, f(sent))
	}
	if outcome := operation.Classify(ctx, err); c.Answered != nil && (outcome == operation.Found || outcome == operation.Nothing) {
		note.Found, note.Took, note.Bytes = outcome == operation.Found, time.Since(began), out.n
		c.Answered(note)
	}
	return err
}

// maxTop is the number of files of an answer that are logged.
const maxTop = 20

// maxKept is how much of an answer is kept for an operation that notes what was shown, in bytes.
const maxKept = 1 << 20

// isDiscarded reports whether a writer is the null device.
func isDiscarded(w io.Writer) bool {
	f := openFile(w)
	if f == nil {
		return false
	}
	st, err := f.Stat()
	null, err2 := os.Stat(os.DevNull)
	return err == nil && err2 == nil && os.SameFile(st, null)
}

// openFile returns the file that a writer writes to in the end, nil if that is none.
func openFile(w io.Writer) *os.File {
	if over, ok := w.(interface{ Unwrap() io.Writer }); ok {
		w = over.Unwrap()
	}
	f, _ := w.(*os.File)
	return f
}

// countingWriter counts the bytes written, and keeps the first most of them.
type countingWriter struct {
	w      io.Writer
	n      int64
	most   int
	kept   []byte
	failed bool // something was not written
}

func (c *countingWriter) Write(b []byte) (int, error) {
	n, err := c.w.Write(b)
	c.n += int64(n)
	c.failed = c.failed || n < len(b) || err != nil
	c.kept = append(c.kept, b[:min(n, max(0, c.most-len(c.kept)))]...)
	return n, err
}

// resolveFormat checks the flags for the format of the answer and returns the format.
func (g *globalFlags) resolveFormat(t *project.Tool) (format string, err error) {
	format = g.format
	if g.json {
		if format != "text" && format != "json" {
			return "", code.Usagef("--json and --format %s exclude each other", format)
		}
		format = "json"
	}
	switch {
	case format != "text" && format != "json" && format != "paths":
		return "", code.Usagef("--format is %s; it can be text, json, paths", operation.Quote(format))
	case format == "paths" && !t.ListsPaths():
		return "", code.Usagef("the answer lists no files, so there is no --format paths")
	case g.null && format != "paths":
		return "", code.Usagef("-0 goes with --format paths")
	}
	return format, nil
}

// useColor decides whether text is coloured: --color, then NO_COLOR, then the
// user's setting, then whether a terminal reads it.
func (c *Command) useColor(g *globalFlags) (bool, error) {
	when := g.color
	switch {
	case when != "" && when != "auto" && when != "always" && when != "never":
		return false, code.Usagef("--color is %s; it can be auto, always, never", operation.Quote(when))
	case when == "" && c.Getenv("NO_COLOR") != "":
		return false, nil
	case when == "":
		var err error
		if when, err = c.Color(); err != nil {
			return false, err
		}
	}
	switch when {
	case "always":
		return true, nil
	case "never":
		return false, nil
	}
	return IsTerminal(c.Stdout) && c.Getenv("TERM") != "dumb", nil
}

// IsTerminal reports whether a stream writes to a terminal.
func IsTerminal(w io.Writer) bool {
	f := openFile(w)
	if f == nil {
		return false
	}
	st, err := f.Stat()
	return err == nil && st.Mode()&os.ModeCharDevice != 0
}

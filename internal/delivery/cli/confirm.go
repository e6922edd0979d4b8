package cli

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"strings"
)

// askFunc returns a function that asks the user on standard error, because
// standard output is for the answer. It returns nil unless both standard error and
// standard input are terminals.
func (c *Command) askFunc(ctx context.Context) func(string) (string, error) {
	in, ok := c.Stdin.(*os.File)
	if !ok || !IsTerminal(c.Stderr) || !IsTerminal(in) || isNull(in) {
		return nil
	}
	lines := bufio.NewReaderSize(in, maxReply)
	return func(question string) (string, error) { return ask(ctx, c.Stderr, lines, question) }
}

// maxReply is the number of bytes of a reply that are read.
const maxReply = 1 << 10

// ask shows a question and returns the line that follows in in, without blanks around it. It fails if ctx ends first: what is typed later
// is then lost, because reading from a terminal cannot be ended.
func ask(ctx context.Context, out io.Writer, in *bufio.Reader, question string) (string, error) {
	if _, err := fmt.Fprint(out, question+" "); err != nil {
		return "", err
	}
	type reply struct {
		line string
		err  error
	}
	got := make(chan reply, 1)
	go func() {
		line, err := in.ReadSlice('\n')
		if err == io.EOF || err == bufio.ErrBufferFull {
			err = nil
		}
		got <- reply{strings.TrimSpace(string(line)), err}
	}()
	select {
	case r := <-got:
		return r.line, r.err
	case <-ctx.Done():
		fmt.Fprintln(out)
		return "", ctx.Err()
	}
}

// confirm asks a question that yes or no answers; no answer is a no.
func confirm(ask func(string) (string, error), question string) (bool, error) {
	reply, err := ask(question + " [y/N]")
	if err != nil {
		return false, err
	}
	switch strings.ToLower(reply) {
	case "y", "yes":
		return true, nil
	}
	return false, nil
}

// isNull reports whether a file is the null device, which looks like a
// terminal.
func isNull(f *os.File) bool {
	st, err := f.Stat()
	if err != nil {
		return true
	}
	null, err := os.Stat(os.DevNull)
	return err == nil && os.SameFile(st, null)
}

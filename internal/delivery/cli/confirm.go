package cli

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"strings"
)

// confirmFunc returns a function that asks the user on standard error, because
// standard output is for the answer. It returns nil unless both standard error and
// standard input are terminals.
func (c *Command) confirmFunc() func(string) (bool, error) {
	in, ok := c.Stdin.(*os.File)
	if !ok || !IsTerminal(c.Stderr) || !IsTerminal(in) || isNull(in) {
		return nil
	}
	return func(question string) (bool, error) { return askYesNo(c.Stderr, in, question) }
}

// maxReply is the number of bytes of a reply that are read.
const maxReply = 1 << 10

func askYesNo(out io.Writer, in io.Reader, question string) (bool, error) {
	if _, err := fmt.Fprintf(out, "%s [y/N] ", question); err != nil {
		return false, err
	}
	line, err := bufio.NewReader(io.LimitReader(in, maxReply)).ReadString('\n')
	if err != nil && err != io.EOF {
		return false, err
	}
	switch strings.ToLower(strings.TrimSpace(line)) {
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

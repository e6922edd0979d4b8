package cli

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"ken/internal/code"
	"ken/internal/delivery/project"
	"ken/internal/operation"
)

// Command is a command line to run.
type Command struct {
	Tools          []*project.Tool
	Dir            string // absolute working directory
	Stdin          io.Reader
	Stdout, Stderr io.Writer
	Getenv         func(string) string
	Open           func(dir string, need operation.Need) (*project.Project, error)
	Color          func() (string, error) // the user's colour setting, "" for none
	Serve          func(ctx context.Context, opt *operation.Serving) error
	Answered       func(*operation.Answered) // called after an answer was written; may be nil
	Groups         []Group
	Others         []Other

	words []string // the command line
}

// Group is a command with subcommands that are made only for a command line that names it.
type Group struct {
	Name, Summary string
	// Tools are the operations of the group; Default is the one that runs if no operation is named.
	Tools   func() []*project.Tool
	Default string
}

// Other is a command that parses its own command line, because its arguments are those of another program.
type Other struct {
	Name, Summary string
	// Run is given all words but the name, those before it included.
	Run      func(ctx context.Context, words []string) error
	Complete func(words []string, begun string) []string
}

// globalFlags are the flags that every command has.
type globalFlags struct {
	dir    string
	json   bool
	format string
	null   bool
	color  string
	watch  bool
	all    bool // help lists rare commands too
}

// usageError returns the error for an invalid command line: the problem, and
// the command whose help explains it, "" for the whole program.
func usageError(message, command string) error {
	help := strings.TrimSpace("ken help " + command)
	return code.Usagef("%s (see %q)", strings.TrimRight(message, "\n"), help)
}

// withHelpHint adds to an error of a command line which help explains it.
func withHelpHint(cmd *cobra.Command, err error) error {
	_, name, _ := strings.Cut(cmd.CommandPath(), " ")
	return usageError(operation.Escape(err.Error())+nearestFlag(cmd, err), name)
}

// nearestFlag returns a remark about the flag that an unknown one most likely means, "" if there is none or err is another error.
func nearestFlag(cmd *cobra.Command, err error) string {
	unknown, ok := strings.CutPrefix(err.Error(), "unknown flag: --")
	if !ok {
		return ""
	}
	var names []string
	cmd.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, f.Name) })
	if near := operation.Nearest(unknown, names); near != "" {
		return "; did you mean --" + near + "?"
	}
	return ""
}

// workDir returns the directory the command works in.
func (c *Command) workDir(g *globalFlags) (string, error) {
	dir := c.Dir
	if g.dir != "" {
		dir = g.dir
		if !filepath.IsAbs(dir) {
			dir = filepath.Join(c.Dir, dir)
		}
	}
	st, err := os.Stat(dir)
	switch {
	case err != nil:
		return "", code.Usagef("there is no directory %s", operation.Quote(dir))
	case !st.IsDir():
		return "", code.Usagef("%s is not a directory", operation.Quote(dir))
	}
	return dir, nil
}

// Package cli is ken's command line: it derives a command from every operation
// of delivery/tool, decodes arguments into its input and writes the answer as
// text, JSON or paths. What an operation does and says is not known here;
// package app, its neighbour, turns the errors it returns into exit codes.
package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"ken/internal/delivery/tool"
)

// Command is a command line to run.
type Command struct {
	Tools          []*tool.Tool
	Dir            string // absolute working directory
	Stdin          io.Reader
	Stdout, Stderr io.Writer
	Getenv         func(string) string
	Open           func(dir string, need tool.Need) (*tool.Project, error)
	Color          func() (string, error) // the user's colour setting, "" for none
}

// globals are the flags every command has.
type globals struct {
	dir    string
	json   bool
	format string
	null   bool
	color  string
}

// UsageError is a command line that cannot be understood.
type UsageError struct {
	Message string
	Command string // whose help tells more, "" for the whole program
}

func (e *UsageError) Error() string {
	help := strings.TrimSpace("ken help " + e.Command)
	return fmt.Sprintf("%s (see %q)", strings.TrimRight(e.Message, "\n"), help)
}

// maxArg is the longest argument looked at, in bytes.
const maxArg = 128 << 10

// Run runs the command line.
func (c *Command) Run(ctx context.Context, args []string) error {
	for i, a := range args {
		if len(a) > maxArg {
			return &UsageError{Message: fmt.Sprintf("argument %d is %d bytes long; at most %d are accepted", i+1, len(a), maxArg)}
		}
	}
	root := c.tree(args)
	root.SetArgs(args)
	root.SetIn(c.Stdin)
	root.SetOut(c.Stdout)
	root.SetErr(c.Stderr)
	cmd, err := root.ExecuteContextC(ctx)
	if err != nil && cmd == root && strings.HasPrefix(err.Error(), "unknown command") {
		err = &UsageError{Message: unknownCommand(root, args)}
	}
	return err
}

// unknownCommand says which command does not exist, and what comes near.
func unknownCommand(root *cobra.Command, args []string) string {
	name := ""
	for _, a := range args {
		if !strings.HasPrefix(a, "-") {
			name = a
			if root.SuggestionsFor(name) != nil {
				break
			}
		}
	}
	message := "there is no command " + tool.Quote(name)
	if near := root.SuggestionsFor(name); len(near) > 0 {
		message += "; near: " + strings.Join(near, ", ")
	}
	return message
}

// tree builds the commands. Flags are only made for a command that args may
// mean: making all of them takes longer than most answers.
func (c *Command) tree(args []string) *cobra.Command {
	g := &globals{}
	root := &cobra.Command{
		Use:   "ken",
		Short: "ken answers questions about a repository from an index that stays true",
		Long: "ken indexes a repository and answers questions about it: what is defined where, who uses it,\n" +
			"what depends on it. Begin with \"ken init\" in the repository.\n\n" +
			"Exit status: 0 found or done, 1 nothing found, 2 could not be done, 130 interrupted.",
		SilenceUsage:  true,
		SilenceErrors: true,
		Args:          cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return cmd.Help()
			}
			return fmt.Errorf("unknown command %s", args[0])
		},
	}
	root.SuggestionsMinimumDistance = 2
	c.globalFlags(root, g)
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error { return usage(cmd, err) })
	for _, t := range c.Tools {
		root.AddCommand(c.command(t, g, mentions(args, t.Name)))
	}
	return root
}

// mentions reports whether a command's name is among the arguments.
func mentions(args []string, name string) bool {
	for _, a := range args {
		if a == name {
			return true
		}
	}
	return false
}

func usage(cmd *cobra.Command, err error) error {
	e := &UsageError{Message: tool.Escape(err.Error())}
	if cmd.HasParent() {
		e.Command = cmd.Name()
	}
	return e
}

func (c *Command) globalFlags(root *cobra.Command, g *globals) {
	f := root.PersistentFlags()
	f.StringVarP(&g.dir, "directory", "C", "", "work as if started in `DIR`")
	f.BoolVar(&g.json, "json", false, "answer with one JSON object, as --format json")
	f.StringVar(&g.format, "format", "text", "text, json, or paths: the files of the answer, one a line")
	f.BoolVarP(&g.null, "null", "0", false, "with --format paths: raw bytes, each path ended by NUL")
	f.StringVar(&g.color, "color", "", "`WHEN` to colour text: auto, always, never")
}

// command derives the command of one operation.
func (c *Command) command(t *tool.Tool, g *globals, flags bool) *cobra.Command {
	cmd := &cobra.Command{
		Use:                   t.Usage(),
		Short:                 t.Summary,
		Long:                  long(t),
		Example:               examples(t),
		DisableFlagsInUseLine: true,
		Args:                  cobra.ArbitraryArgs,
	}
	in := any(nil)
	if flags {
		in = t.NewInput()
		addFlags(cmd, t, in)
		completeArgs(cmd, t)
	}
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if in == nil {
			in = t.NewInput()
		}
		if err := decodeArgs(t, in, args); err != nil {
			return usage(cmd, err)
		}
		err := c.answer(cmd.Context(), t, in, g)
		var bad *tool.UsageError
		if errors.As(err, &bad) {
			return usage(cmd, bad)
		}
		return err
	}
	return cmd
}

func long(t *tool.Tool) string {
	s := strings.ToUpper(t.Summary[:1]) + t.Summary[1:] + "."
	if t.Long != "" {
		s += "\n\n" + t.Long
	}
	return s + arguments(t)
}

// arguments explains positional arguments, which cobra's help does not.
func arguments(t *tool.Tool) string {
	var b strings.Builder
	for _, f := range t.Input() {
		if f.Positional {
			fmt.Fprintf(&b, "\n  %-12s %s", f.Name, f.Help)
		}
	}
	if b.Len() == 0 {
		return ""
	}
	return "\n\nArguments:" + b.String()
}

func examples(t *tool.Tool) string {
	var lines []string
	for _, e := range t.Example {
		if !strings.Contains(e, "ken ") {
			e = "ken " + e
		}
		lines = append(lines, "  "+e)
	}
	return strings.Join(lines, "\n")
}

// workDir is the directory the command works in.
func (c *Command) workDir(g *globals) (string, error) {
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
		return "", &tool.UsageError{Message: "there is no directory " + tool.Quote(dir)}
	case !st.IsDir():
		return "", &tool.UsageError{Message: tool.Quote(dir) + " is not a directory"}
	}
	return dir, nil
}

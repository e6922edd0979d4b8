// Package cli is ken's command line: it derives a command from every operation
// that it is given, decodes arguments into its input and writes the answer as
// text, JSON or paths. It contains no operation's work or texts; package app,
// its neighbour, turns the errors it returns into exit codes.
package cli

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"ken/internal/delivery/project"
	"ken/internal/operation"
)

// maxArg is the length of the longest argument that is accepted, in bytes.
const maxArg = 128 << 10

// Run runs the command line. It fails with a code.UsageError if an argument is too long or the command line is invalid, else with the
// error of the operation.
func (c *Command) Run(ctx context.Context, args []string) error {
	for i, a := range args {
		if len(a) > maxArg {
			return usageError(fmt.Sprintf("argument %d is %d bytes long; at most %d are accepted", i+1, len(a), maxArg), "")
		}
	}
	if len(args) > 1 && args[1] == "help" && slices.ContainsFunc(c.Groups, func(g Group) bool { return g.Name == args[0] }) {
		args = append([]string{"help", args[0]}, args[2:]...)
	}
	args = c.contextLines(args)
	c.words = args
	root := c.commandTree(args)
	root.SetArgs(args)
	root.SetIn(c.Stdin)
	root.SetOut(c.Stdout)
	root.SetErr(c.Stderr)
	err := root.ExecuteContext(ctx)
	var unknown unknownError
	if errors.As(err, &unknown) {
		return usageError(unknown.message(root), "")
	}
	return err
}

// contextLines replaces -C N by --context N for a command that shows lines around
// others, because to most people -C N means N lines of context, although for all
// commands -C is a directory. ./N still means a directory whose name is a number.
func (c *Command) contextLines(args []string) []string {
	i := slices.IndexFunc(args, func(a string) bool { return !strings.HasPrefix(a, "-") })
	if i < 0 || !c.hasContext(args[i]) {
		return args
	}
	args = slices.Clone(args)
	for k := i + 1; k < len(args) && args[k] != "--"; k++ {
		rest, ok := strings.CutPrefix(args[k], "-C")
		switch {
		case ok && rest == "" && k+1 < len(args) && isNumber(args[k+1]):
			args[k] = "--context"
		case ok && isNumber(rest):
			args[k] = "--context=" + rest
		}
	}
	return args
}

func (c *Command) hasContext(name string) bool {
	return slices.ContainsFunc(c.Tools, func(t *project.Tool) bool {
		return t.Name == name && slices.ContainsFunc(t.Input(), func(f operation.Field) bool { return !f.Positional && f.Name == "context" })
	})
}

func isNumber(s string) bool {
	return s != "" && !strings.ContainsFunc(s, func(r rune) bool { return r < '0' || r > '9' })
}

// unknownError is the error for a command that does not exist, by its name.
type unknownError string

func (e unknownError) Error() string { return "there is no command " + operation.Quote(string(e)) }

// message returns the error's text with similar command names.
func (e unknownError) message(root *cobra.Command) string {
	if near := root.SuggestionsFor(string(e)); len(near) > 0 {
		return e.Error() + "; near: " + strings.Join(near, ", ")
	}
	return e.Error()
}

// helpCommand returns the command "ken help [COMMAND]".
func helpCommand(root *cobra.Command, g *globalFlags) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "help [COMMAND]",
		Short: "what ken, or one of its commands, can do",
		RunE: func(_ *cobra.Command, args []string) error {
			cmd, rest, err := root.Find(args)
			if err != nil || len(rest) > 0 {
				return unknownError(strings.Join(args, " "))
			}
			return cmd.Help()
		},
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			var names []string
			for _, c := range root.Commands() {
				if c.IsAvailableCommand() {
					names = append(names, c.Name())
				}
			}
			return names, cobra.ShellCompDirectiveNoFileComp
		},
	}
	cmd.Flags().BoolVar(&g.all, "all", false, "list all commands")
	return cmd
}

// commandTree builds the commands. It makes flags only for a command that
// args may name: making all of them takes longer than most answers.
func (c *Command) commandTree(args []string) *cobra.Command {
	g := &globalFlags{}
	root := &cobra.Command{
		Use:   "ken",
		Short: "ken answers questions about a repository from an index that stays true",
		Long: "ken indexes a repository and answers questions about it: what is defined where, who uses it,\n" +
			"what depends on it. Begin with \"ken init\" in the repository.\n" +
			"\"ken hook\" and \"ken statusline\" are called by agents, in whose settings \"ken install\" puts them.\n\n" +
			"Exit status: 0 found or done, 1 nothing found, 2 could not be done, 130 interrupted.",
		SilenceUsage:  true,
		SilenceErrors: true,
		Args:          cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return cmd.Help()
			}
			return unknownError(args[0])
		},
	}
	root.SuggestionsMinimumDistance = 2
	root.SetHelpCommand(helpCommand(root, g))
	setHelp(root, g)
	c.addGlobalFlags(root, g)
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		if words := cmd.Flags().Args(); len(words) > 0 && cmd.HasSubCommands() { // flags of a command that does not exist are no mistake
			return cmd.RunE(cmd, words)
		}
		return withHelpHint(cmd, err)
	})
	groups := map[string]*cobra.Command{}
	for _, t := range c.Tools {
		if t.Group == "" {
			root.AddCommand(c.operationCommand(t, g, slices.Contains(args, t.Name)))
			continue
		}
		if groups[t.Group] == nil {
			groups[t.Group] = groupCommand(t.Group, g)
			annotate(groups[t.Group], operation.ChangeSafely, false)
			groups[t.Group].Annotations[isGroup] = "yes"
			root.AddCommand(groups[t.Group])
		}
		if slices.Contains(args, t.Group) {
			groups[t.Group].AddCommand(c.operationCommand(t, g, slices.Contains(args, t.Name) || slices.Contains(args, operation.Kebab(t.Name))))
		}
	}
	for i := range c.Groups {
		root.AddCommand(c.groupTree(&c.Groups[i], g, args))
	}
	for _, o := range c.Others {
		root.AddCommand(o.newCommand())
	}
	if slices.Contains(args, "completion") {
		completionCommand(root, args)
	}
	return root
}

func (o *Other) newCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use: o.Name, Short: o.Summary, DisableFlagParsing: true, Annotations: map[string]string{topicKey: string(operation.ForAgents)},
		RunE: func(cmd *cobra.Command, args []string) error { return o.Run(cmd.Context(), args) },
		ValidArgsFunction: func(_ *cobra.Command, args []string, begun string) ([]string, cobra.ShellCompDirective) {
			return o.Complete(args, begun), cobra.ShellCompDirectiveDefault
		},
	}
	cmd.SetHelpFunc(func(cmd *cobra.Command, _ []string) {
		if err := o.Run(cmd.Context(), []string{"help"}); err != nil {
			cmd.PrintErrln(err)
		}
	})
	return cmd
}

// groupCommand returns the command that contains the operations of a group. They are made only for a command line that
// names the group: making them for every command takes longer than most answers.
func groupCommand(name string, g *globalFlags) *cobra.Command {
	cmd := &cobra.Command{
		Use: name, Short: operation.GroupSummary(name), Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return cmd.Help()
			}
			message := "there is no command " + operation.Quote(name+" "+args[0])
			if near := cmd.SuggestionsFor(args[0]); len(near) > 0 {
				message += "; near: " + strings.Join(near, ", ")
			}
			return usageError(message, name)
		},
	}
	cmd.Flags().BoolVar(&g.all, "all", false, "list all operations")
	return cmd
}

// completionCommand changes cobra's completion command so that it requires a known shell.
func completionCommand(root *cobra.Command, args []string) {
	root.InitDefaultCompletionCmd(args...)
	for _, c := range root.Commands() {
		if c.Name() == "completion" {
			c.Args = cobra.ArbitraryArgs
			c.RunE = func(*cobra.Command, []string) error {
				return usageError("name a shell: bash, zsh, fish or powershell", "completion")
			}
		}
	}
}

func (c *Command) addGlobalFlags(root *cobra.Command, g *globalFlags) {
	f := root.PersistentFlags()
	f.StringVarP(&g.dir, "directory", "C", "", "work as if started in `DIR`")
	f.BoolVar(&g.json, "json", false, "answer with one JSON object, as --format json")
	f.StringVar(&g.format, "format", "text", "`FORMAT` of the answer: text, json or paths (its files, one a line)")
	f.BoolVarP(&g.null, "null", "0", false, "with --format paths: raw bytes, each path ended by NUL")
	f.StringVar(&g.color, "color", "", "`WHEN` text is coloured: auto, always or never")
}

// operationCommand makes the command of one operation.
func (c *Command) operationCommand(t *project.Tool, g *globalFlags, flags bool) *cobra.Command {
	cmd := &cobra.Command{}
	c.describeCommand(cmd, t, g, flags)
	return cmd
}

// describeCommand sets the help texts, flags and actions of an operation's command.
func (c *Command) describeCommand(cmd *cobra.Command, t *project.Tool, g *globalFlags, flags bool) {
	cmd.Use, cmd.Short, cmd.Long, cmd.Example = t.Usage(), t.Summary, longHelp(t), examplesHelp(t)
	if kebab := operation.Kebab(t.Name); kebab != t.Name {
		cmd.Aliases = []string{t.Name}
	}
	annotate(cmd, t.Topic, t.Rare)
	cmd.DisableFlagsInUseLine, cmd.Args = true, cobra.ArbitraryArgs
	in := any(nil)
	var given func() []string
	if flags {
		in = t.NewInput()
		addFlags(cmd, t, in)
		given = addAliases(cmd, t, in, c.words)
		c.completeArgs(cmd, t, g)
	}
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		var named []string
		if in == nil {
			in = t.NewInput()
		} else {
			named = given()
		}
		if err := decodeArgs(t, in, args, named); err != nil {
			return withHelpHint(cmd, err)
		}
		err := c.runOperation(cmd.Context(), t, in, g)
		if operation.Classify(cmd.Context(), err) == operation.Usage {
			return withHelpHint(cmd, err)
		}
		return err
	}
	if t.Lenient {
		c.setLenient(cmd, t, g)
	}
}

func longHelp(t *project.Tool) string {
	s := strings.ToUpper(t.Summary[:1]) + t.Summary[1:] + "."
	if t.Long != "" {
		s += "\n\n" + t.Long
	}
	return s + argumentsHelp(t)
}

// argumentsHelp explains positional arguments, which cobra's help does not.
func argumentsHelp(t *project.Tool) string {
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

func examplesHelp(t *project.Tool) string {
	var lines []string
	for _, e := range t.Example {
		if !strings.Contains(e, "ken ") {
			e = "ken " + e
		}
		lines = append(lines, "  "+strings.Replace(e, t.Name, operation.Kebab(t.Name), 1))
	}
	return strings.Join(lines, "\n")
}

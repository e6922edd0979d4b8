package cli

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"ken/internal/code"
	"ken/internal/delivery/project"
	"ken/internal/operation"
)

// groupTree makes the command of a group. Its subcommands are made only for a command line that may mean them, because making hundreds
// takes longer than most answers.
func (c *Command) groupTree(group *Group, g *globalFlags, args []string) *cobra.Command {
	top := groupCommand(group.Name, g)
	top.Short = group.Summary
	annotate(top, operation.Plan, false)
	top.Annotations[isGroup] = "yes"
	if !slices.Contains(args, group.Name) {
		return top
	}
	all := slices.ContainsFunc(args, func(a string) bool {
		return slices.Contains([]string{"help", "--help", "-h", "--all"}, a) || strings.HasPrefix(a, cobra.ShellCompRequestCmd)
	})
	for _, t := range group.Tools() {
		if t.Name == group.Default {
			c.describeCommand(top, t, g, true)
			top.Use, top.Short = group.Name, group.Summary
			annotate(top, operation.Plan, false)
		}
		for i, name := range append([]string{t.Name}, t.Aliases...) {
			words := strings.Fields(name)
			if !all && !slices.Contains(args, words[0]) {
				continue
			}
			cmd := subcommand(top, words, g)
			c.describeCommand(cmd, t, g, true)
			delete(cmd.Annotations, isGroup)
			if i > 0 {
				delete(cmd.Annotations, topicKey) // help lists the name, not its aliases
			}
			if cmd.Hidden = i > 0; cmd.HasSubCommands() {
				cmd.Hidden = false
			}
			cmd.Use = words[len(words)-1] + strings.TrimPrefix(t.Usage(), t.Usage()[:strings.IndexByte(t.Usage()+" ", ' ')])
		}
	}
	top.PersistentFlags().BoolVar(&g.watch, "watch", false, "show the answer again whenever it changes")
	return top
}

// subcommand returns the command that words name below parent. It makes it, and the commands between, if they do not exist.
func subcommand(parent *cobra.Command, words []string, g *globalFlags) *cobra.Command {
	for _, word := range words {
		i := slices.IndexFunc(parent.Commands(), func(c *cobra.Command) bool { return c.Name() == word })
		if i >= 0 {
			parent = parent.Commands()[i]
			continue
		}
		path := strings.TrimPrefix(parent.CommandPath()+" "+word, "ken ")
		next := groupCommand(path, g)
		next.Use = word
		next.Annotations = map[string]string{isGroup: "yes"}
		parent.AddCommand(next)
		parent = next
	}
	return parent
}

// setLenient makes a command parse its arguments as prompts spell them, and not as usual flags.
func (c *Command) setLenient(cmd *cobra.Command, t *project.Tool, g *globalFlags) {
	cmd.DisableFlagParsing = true
	positional := slices.ContainsFunc(t.Input(), func(f operation.Field) bool { return f.Positional })
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		args, help, err := takeGlobals(cmd, args)
		switch {
		case err != nil:
			return withHelpHint(cmd, err)
		case help, slices.Equal(args, []string{"--all"}) && cmd.HasSubCommands():
			g.all = g.all || slices.Contains(args, "--all")
			return cmd.Help()
		case len(args) > 0 && cmd.HasParent() && !positional && !strings.HasPrefix(args[0], "-"):
			return c.unknownOperation(cmd, args)
		}
		in, err := t.Decode(args)
		if err != nil {
			return withHelpHint(cmd, err)
		}
		if g.watch {
			err = c.watchAnswer(cmd.Context(), t, in, g)
		} else {
			err = c.runOperation(cmd.Context(), t, in, g)
		}
		if operation.Classify(cmd.Context(), err) == operation.Usage {
			return withHelpHint(cmd, err)
		}
		return err
	}
	cmd.ValidArgsFunction = func(_ *cobra.Command, _ []string, begun string) ([]string, cobra.ShellCompDirective) {
		if !strings.HasPrefix(begun, "-") {
			return nil, cobra.ShellCompDirectiveDefault
		}
		var flags []string
		for _, f := range t.Input() {
			if !f.Positional && !f.Pairs {
				flags = append(flags, "--"+f.Name)
			}
		}
		return flags, cobra.ShellCompDirectiveNoFileComp
	}
}

// takeGlobals sets the flags that every command has and returns the other words. Words after -- stay as they are. It fails if a flag
// lacks its value or has an invalid one.
func takeGlobals(cmd *cobra.Command, words []string) (rest []string, help bool, err error) {
	flags := cmd.InheritedFlags()
	if cmd.PersistentFlags().HasFlags() {
		flags.AddFlagSet(cmd.PersistentFlags())
	}
	for i := 0; i < len(words); i++ {
		name, value, joined := strings.Cut(words[i], "=")
		f := flags.Lookup(strings.TrimPrefix(name, "--"))
		if !strings.HasPrefix(name, "--") {
			f = nil
		}
		if name == "-C" {
			f = flags.Lookup("directory")
		}
		switch {
		case words[i] == "--":
			return append(rest, words[i:]...), help, nil
		case name == "-h", name == "--help":
			help = true
			continue
		case f == nil:
			rest = append(rest, words[i])
			continue
		case joined:
		case f.NoOptDefVal != "":
			value = f.NoOptDefVal
		default:
			if i++; i == len(words) {
				return nil, false, code.Usagef("%s needs a value", name)
			}
			value = words[i]
		}
		if err := f.Value.Set(value); err != nil {
			return nil, false, err
		}
	}
	return rest, help, nil
}

// unknownOperation returns the error for words that name no operation of a group.
func (c *Command) unknownOperation(cmd *cobra.Command, args []string) error {
	top := cmd
	for top.Parent() != nil && top.Parent().HasParent() {
		top = top.Parent()
	}
	words := append(strings.Fields(strings.TrimPrefix(cmd.CommandPath(), top.CommandPath())), args...)
	message := "there is no operation " + operation.Quote(strings.Join(words[:min(2, len(words))], " "))
	for i := range c.Groups {
		if c.Groups[i].Name != top.Name() {
			continue
		}
		if near := operation.NearNames(c.Groups[i].Tools(), words[0]); len(near) > 0 {
			message += "; near: " + strings.Join(near, ", ")
		}
	}
	return usageError(message, top.Name())
}

package cli

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"ken/internal/operation"
)

// Annotations of commands, for help.
const (
	topicKey = "topic" // where help lists the command
	isRare   = "rare"  // help lists the command only with --all
	isGroup  = "group" // help lists the commands below
)

// annotate stores in a command the facts that help needs: its topic, and whether it is rarely used.
func annotate(cmd *cobra.Command, topic operation.Topic, rare bool) {
	if cmd.Annotations == nil {
		cmd.Annotations = map[string]string{}
	}
	cmd.Annotations[topicKey] = string(topic)
	if rare {
		cmd.Annotations[isRare] = "yes"
	} else {
		delete(cmd.Annotations, isRare)
	}
}

// setHelp sets help functions that list commands by topic, and the commands of a group that people use.
func setHelp(root *cobra.Command, g *globalFlags) {
	ofCommand := root.HelpFunc()
	root.SetHelpFunc(func(cmd *cobra.Command, args []string) {
		g.all = g.all || slices.Contains(args, "--all")
		switch {
		case cmd == root:
			rootHelp(cmd, g.all)
		case cmd.Annotations[isGroup] != "":
			groupHelp(cmd, g.all)
		default:
			ofCommand(cmd, args)
		}
	})
}

func rootHelp(root *cobra.Command, all bool) {
	out := root.OutOrStdout()
	fmt.Fprintf(out, "%s\n\nUsage:\n  ken COMMAND [ARGUMENTS]\n  ken help COMMAND   what a command does, and its flags\n  ken help --all     all commands\n", root.Long)
	for _, topic := range operation.Topics() {
		fmt.Fprintf(out, "\n%s:\n", topic)
		for _, c := range root.Commands() {
			if c.Annotations[topicKey] == string(topic) && (all || c.Annotations[isRare] == "") {
				fmt.Fprintf(out, "  %-16s %s\n", c.Name(), c.Short)
			}
		}
	}
	fmt.Fprintf(out, "\nFlags:\n%s", root.PersistentFlags().FlagUsages())
}

func groupHelp(cmd *cobra.Command, all bool) {
	out := cmd.OutOrStdout()
	path := cmd.CommandPath()
	words := strings.TrimPrefix(path, cmd.Root().Name()+" ")
	if cmd.Short != "" {
		fmt.Fprintf(out, "%s: %s.\n\n", path, cmd.Short)
	}
	fmt.Fprintf(out, "Usage:\n  %-40s run an operation\n", path+" OPERATION …")
	if cmd.PersistentFlags().Lookup("watch") != nil {
		fmt.Fprintf(out, "  %-40s show one page, again whenever it changes\n", path+" --watch")
	}
	fmt.Fprintf(out, "  %-40s what an operation does, and its flags\n", "ken help "+words+" OPERATION")
	isTop := cmd.Parent() == cmd.Root()
	if isTop {
		fmt.Fprintf(out, "  %-40s all operations\n", "ken help "+words+" --all")
	}
	fmt.Fprint(out, "\nOperations:\n")
	listBelow(cmd, cmd, all || !isTop)
}

// listBelow lists the commands below top by their names within the group.
func listBelow(top, cmd *cobra.Command, all bool) {
	for _, c := range cmd.Commands() {
		if c.Hidden || c.Name() == "help" {
			continue
		}
		if c.Annotations[topicKey] != "" && (all || c.Annotations[isRare] == "") {
			name := strings.TrimPrefix(c.CommandPath(), top.CommandPath()+" ")
			fmt.Fprintf(top.OutOrStdout(), "  %-28s %s\n", name, c.Short)
		}
		listBelow(top, c, all)
	}
}

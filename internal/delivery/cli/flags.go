package cli

import (
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"ken/internal/delivery/tool"
)

// addFlags makes a flag for every field of an operation's input that is one.
func addFlags(cmd *cobra.Command, t *tool.Tool, in any) {
	fs := cmd.Flags()
	fs.SortFlags = false
	for _, f := range t.Input() {
		if f.Positional {
			continue
		}
		help := f.Help
		if f.Value != "" {
			help = "`" + f.Value + "`: " + help
		}
		if len(f.Enum) > 0 {
			help += " (" + strings.Join(f.Enum, ", ") + ")"
		}
		switch p := f.Pointer(in).(type) {
		case *bool:
			fs.BoolVarP(p, f.Name, f.Short, *p, help)
		case *string:
			fs.StringVarP(p, f.Name, f.Short, *p, help)
		case *[]string:
			fs.StringArrayVarP(p, f.Name, f.Short, *p, help)
		case *int:
			fs.IntVarP(p, f.Name, f.Short, *p, help)
		case **int:
			fs.VarP(optionalInt{p}, f.Name, f.Short, help)
		}
		completeFlag(cmd, f)
	}
}

// optionalInt is a number that may not be given.
type optionalInt struct{ p **int }

func (o optionalInt) String() string {
	if o.p == nil || *o.p == nil {
		return ""
	}
	return strconv.Itoa(**o.p)
}

func (o optionalInt) Set(s string) error {
	n, err := strconv.Atoi(s)
	*o.p = &n
	return err
}

func (o optionalInt) Type() string { return "int" }

// completeFlag offers a flag's values to the shell: those of a fixed set, else none.
func completeFlag(cmd *cobra.Command, f tool.Field) {
	values := cobra.FixedCompletions(f.Enum, cobra.ShellCompDirectiveNoFileComp)
	if err := cmd.RegisterFlagCompletionFunc(f.Name, values); err != nil {
		panic(err) // the flag was made a line above
	}
}

// completeArgs completes positional arguments: those of a fixed set by it,
// files by the shell, names not at all.
func completeArgs(cmd *cobra.Command, t *tool.Tool) {
	var fields []tool.Field
	for _, f := range t.Input() {
		if f.Positional {
			fields = append(fields, f)
		}
	}
	cmd.ValidArgsFunction = func(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
		if len(fields) == 0 {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		f := fields[min(len(args), len(fields)-1)]
		switch {
		case len(args) >= len(fields) && !f.Many:
			return nil, cobra.ShellCompDirectiveNoFileComp
		case len(f.Enum) > 0:
			return f.Enum, cobra.ShellCompDirectiveNoFileComp
		case f.Name == "NAME" || f.Name == "REGEX":
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		return nil, cobra.ShellCompDirectiveDefault
	}
}

// decodeArgs fills the positional fields of an input.
func decodeArgs(t *tool.Tool, in any, args []string) error {
	for _, f := range t.Input() {
		if !f.Positional || len(args) == 0 {
			continue
		}
		switch p := f.Pointer(in).(type) {
		case *string:
			*p, args = args[0], args[1:]
		case *[]string:
			*p, args = args, nil
		}
	}
	if len(args) > 0 {
		return &tool.UsageError{Message: "there is no place for the argument " + tool.Quote(args[0])}
	}
	return nil
}

package cli

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"ken/internal/code"
	"ken/internal/delivery/project"
	"ken/internal/operation"
)

// addFlags adds a flag for each field of an operation's input that is declared as one.
func addFlags(cmd *cobra.Command, t *project.Tool, in any) {
	fs := cmd.Flags()
	fs.SortFlags = false
	for _, f := range t.Input() {
		if f.Positional {
			continue
		}
		help := f.Help
		if len(f.Enum) > 0 {
			help += " (" + strings.Join(f.Enum, ", ") + ")"
		}
		if f.Pairs {
			fs.Var(flagValue{new(string), "VALUE"}, "NAME", help)
			continue
		}
		if p, ok := f.Pointer(in).(*bool); ok {
			fs.BoolVarP(p, f.Name, f.Short, false, help)
			continue
		}
		fs.VarP(flagValue{f.Pointer(in), f.Value}, f.Name, f.Short, help)
		fs.Lookup(f.Name).NoOptDefVal = f.Bare
		completeFlag(cmd, f)
	}
}

// flagValue sets a field of an input to the value of a flag.
type flagValue struct {
	p    any    // *string, **string, *[]string, *int or **int
	name string // the name that help shows for it
}

func (v flagValue) Type() string { return v.name }

func (v flagValue) String() string {
	switch p := v.p.(type) {
	case *string:
		return *p
	case *int:
		return strconv.Itoa(*p)
	}
	return "" // nothing, unless given
}

func (v flagValue) Set(s string) error {
	var n int
	var err error
	switch p := v.p.(type) {
	case *string:
		*p = s
	case **string:
		*p = &s
	case *[]string:
		*p = append(*p, s)
	case *int:
		n, err = strconv.Atoi(s)
		*p = n
	case **int:
		n, err = strconv.Atoi(s)
		*p = &n
	}
	if err != nil {
		return errors.New("it must be a whole number")
	}
	return nil
}

// completeFlag offers a flag's values to the shell: those of a fixed set, else none.
func completeFlag(cmd *cobra.Command, f operation.Field) {
	values := cobra.FixedCompletions(f.Enum, cobra.ShellCompDirectiveNoFileComp)
	if err := cmd.RegisterFlagCompletionFunc(f.Name, values); err != nil {
		panic(err) // the flag was made a line above
	}
}

// completeArgs completes positional arguments: from a fixed set if there
// is one, files by the shell, names of symbols by the index.
func (c *Command) completeArgs(cmd *cobra.Command, t *project.Tool, g *globalFlags) {
	var fields []operation.Field
	for _, f := range t.Input() {
		if f.Positional {
			fields = append(fields, f)
		}
	}
	cmd.ValidArgsFunction = func(cmd *cobra.Command, args []string, begun string) ([]string, cobra.ShellCompDirective) {
		if len(fields) == 0 {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		f := fields[min(len(args), len(fields)-1)]
		switch {
		case len(args) >= len(fields) && !f.Many:
			return nil, cobra.ShellCompDirectiveNoFileComp
		case len(f.Enum) > 0:
			return f.Enum, cobra.ShellCompDirectiveNoFileComp
		case f.Name == "NAME":
			return c.symbolNames(cmd.Context(), g, begun), cobra.ShellCompDirectiveNoFileComp
		case f.Name == "REGEX":
			return nil, cobra.ShellCompDirectiveNoFileComp
		case strings.Contains(f.Name, "TARGET") || strings.Contains(f.Name, "SYMBOL"):
			return c.symbolNames(cmd.Context(), g, begun), cobra.ShellCompDirectiveDefault
		}
		return nil, cobra.ShellCompDirectiveDefault
	}
}

// maxCompleted is the number of names that a shell is offered.
const maxCompleted = 200

// symbolNames returns the symbols' names that begin with the typed letters. It
// returns none for an empty beginning, because there would be too many, and
// none if the project cannot be opened.
func (c *Command) symbolNames(ctx context.Context, g *globalFlags, begun string) []string {
	dir, err := c.workDir(g)
	if err != nil || begun == "" {
		return nil
	}
	p, err := c.Open(dir, operation.Existing)
	if err != nil {
		return nil
	}
	list, err := p.CompleteNames(ctx, begun, maxCompleted)
	if err != nil {
		return nil
	}
	return list
}

// globalNames are the names of the flags that every command has.
var globalNames = []string{"directory", "json", "format", "null", "color", "watch", "all", "help"}

// addAliases adds a hidden flag for each flag of a command line that the operation does not have and that names a field of its input in
// another way, as operation.NamedField has it. given returns the positional fields that were set by such flags; it is called after the
// flags were parsed.
func addAliases(cmd *cobra.Command, t *project.Tool, in any, words []string) (given func() []string) {
	fields := t.Input()
	aliases := map[string]string{} // positional field by flag
	for _, word := range words {
		if word == "--" {
			break
		}
		name, isFlag := strings.CutPrefix(word, "--")
		name, _, _ = strings.Cut(name, "=")
		if t.Lenient || !isFlag || slices.Contains(globalNames, name) || cmd.Flags().Lookup(name) != nil {
			continue
		}
		i := operation.NamedField(fields, name, len(aliases) > 0)
		if i < 0 || fields[i].Pairs || fields[i].Name == name {
			continue
		}
		f := &fields[i]
		if p, ok := f.Pointer(in).(*bool); ok {
			cmd.Flags().BoolVar(p, name, false, "")
		} else {
			cmd.Flags().Var(flagValue{f.Pointer(in), f.Value}, name, "")
		}
		cmd.Flags().Lookup(name).Hidden = true
		if f.Positional {
			aliases[name] = f.Name
		}
	}
	return func() (out []string) {
		for name, field := range aliases {
			if cmd.Flags().Changed(name) {
				out = append(out, field)
			}
		}
		return out
	}
}

// decodeArgs fills the positional fields of an input but for those that were given in another way.
func decodeArgs(t *project.Tool, in any, args, given []string) error {
	for _, f := range t.Input() {
		if !f.Positional || len(args) == 0 || slices.Contains(given, f.Name) {
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
		return code.Usagef("there is no place for the argument %s", operation.Quote(args[0]))
	}
	return nil
}

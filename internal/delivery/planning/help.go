package planning

import (
	"fmt"
	"io"
	"strings"

	"ken/internal/workflow/plan/planop"
)

const intro = `ken plan reads and changes the planning folder of a project, .planning: milestones, phases, plans, and what is next.

Usage:
  ken plan [OPERATION] [ARGUMENTS] [--json] [-C DIR] [--ws WORKSTREAM]
  ken plan --watch        the page again whenever something changed
  ken plan help NAME      what an operation, or those that begin with a word, take

What changes files has --dry-run, and ken plan undo takes it back.
`

// help shows all operations, those that begin with a word, or all about one.
func (c *Command) help(words []string) error {
	name := strings.Join(words, " ")
	if o, rest := planop.Find(c.list(), words); o != nil && len(rest) == 0 && !c.isGroup(name) {
		_, err := io.WriteString(c.Stdout, Explain(o))
		return err
	}
	var b strings.Builder
	if len(words) == 0 {
		b.WriteString(intro + "\nOperations:\n")
	}
	found := false
	for _, o := range c.list() {
		if len(words) == 0 || o.Name == name || strings.HasPrefix(o.Name, name+" ") {
			fmt.Fprintf(&b, "  %-34s %s\n", o.Name, o.Summary)
			found = true
		}
	}
	if !found {
		return c.unknown(words)
	}
	_, err := io.WriteString(c.Stdout, b.String())
	return err
}

func (c *Command) isGroup(name string) bool {
	for _, o := range c.list() {
		if strings.HasPrefix(o.Name, name+" ") {
			return true
		}
	}
	return false
}

// Explain is all about an operation.
func Explain(o *planop.Operation) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s%s.\n\nUsage:\n  ken plan %s\n", strings.ToUpper(o.Summary[:1]), o.Summary[1:], o.Usage())
	if len(o.Also) > 0 {
		fmt.Fprintf(&b, "  also called %s\n", strings.Join(o.Also, ", "))
	}
	if len(o.Args)+len(o.Flags) > 0 {
		b.WriteString("\n")
	}
	for _, a := range o.Args {
		fmt.Fprintf(&b, "  %-22s %s%s\n", a.Name, a.Help, choices(a.Enum))
	}
	for _, f := range o.Flags {
		if f.Kind == planop.Pairs {
			fmt.Fprintf(&b, "  %-22s %s\n", "--NAME VALUE", f.Help)
			continue
		}
		fmt.Fprintf(&b, "  %-22s %s%s\n", "--"+f.Name, f.Help, choices(f.Enum))
	}
	if o.Writes {
		fmt.Fprintf(&b, "  %-22s %s\n", "--dry-run", "show what would change, and change nothing")
	}
	return b.String()
}

func choices(list []string) string {
	if len(list) == 0 {
		return ""
	}
	return " (" + strings.Join(list, ", ") + ")"
}

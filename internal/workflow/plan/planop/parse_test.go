package planop_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"ken/internal/workflow/plan/planop"
)

// TestParse reads command lines as prompts have them.
func TestParse(t *testing.T) {
	list := []*planop.Operation{
		{Name: "state"},
		{Name: "state get", Args: []planop.Arg{{Name: "FIELD", Optional: true}}},
		{Name: "state patch", Flags: []planop.Flag{{Name: "", Kind: planop.Pairs}}, Writes: true},
		{Name: "phase complete", Args: []planop.Arg{{Name: "PHASE"}}, Writes: true},
		{Name: "requirements mark-complete", Args: []planop.Arg{{Name: "IDS", Many: true}}},
		{Name: "commit", Args: []planop.Arg{{Name: "MESSAGE"}}, Flags: []planop.Flag{{Name: "files", Kind: planop.List}, {Name: "amend", Kind: planop.Switch}}},
		{Name: "todos", Also: []string{"list-todos"}, Args: []planop.Arg{{Name: "AREA", Optional: true, Enum: []string{"api", "ui"}}}},
		{Name: "metric", Flags: []planop.Flag{{Name: "tasks", Kind: planop.Number}}},
		{Name: "scaffold", Flags: []planop.Flag{{Name: "name", Kind: planop.Words}, {Name: "phase"}}},
	}
	for _, row := range []struct{ line, want string }{
		{"state", "state"},
		{"state get Status", "state get|FIELD=Status"},
		{"state.get Status", "state get|FIELD=Status"},
		{"state patch --Status Ready --dry-run --Plan=2", "state patch|dry|Plan=2 Status=Ready"},
		{"phase complete", "PHASE is missing; usage: phase complete PHASE [--dry-run]"},
		{"phase complete 1 2", `there is no place for "2"; usage: phase complete PHASE [--dry-run]`},
		{"phase complete 1 --force", "there is no flag --force; usage: phase complete PHASE [--dry-run]"},
		{"requirements mark-complete A-1 A-2", "requirements mark-complete|IDS=A-1 A-2"},
		{"commit m --files a,b c --amend", "commit|MESSAGE=m|files=[a b c]|amend"},
		{"commit --amend --files a -- --b", "MESSAGE=--b"},
		{"commit m --files", "--files needs a value; usage: commit MESSAGE [--files FILES] [--amend]"},
		{"list-todos ui", "todos|AREA=ui"},
		{"todos x", `AREA is "x"; it can be api, ui; usage: todos [AREA]`},
		{"metric --tasks many", `--tasks is "many"; it has to be a whole number; usage: metric [--tasks N]`},
		{"scaffold --name API, and UI --phase 1", "name=[API, and UI]|phase=[1]"},
		{"scaffold --name=API and", `there is no place for "and"`},
		{"stat", "none"},
		{"state nonsense", "none"},
	} {
		if got := parsed(list, strings.Fields(row.line)); !strings.Contains(got, row.want) {
			t.Errorf("%s:\n got %s\nwant %s", row.line, got, row.want)
		}
	}
}

// parsed shows what was understood of a command line.
func parsed(list []*planop.Operation, words []string) string {
	o, rest := planop.Find(list, words)
	if o == nil {
		return "none"
	}
	c, err := o.Parse(rest, planop.Surroundings{})
	if err != nil {
		return err.Error()
	}
	out := o.Name
	for _, a := range o.Args {
		out += "|" + a.Name + "=" + c.Arg(a.Name)
	}
	for _, f := range o.Flags {
		switch {
		case f.Kind == planop.Pairs:
			if c.DryRun {
				out += "|dry"
			}
			var pairs []string
			for k, v := range c.Pairs() {
				pairs = append(pairs, k+"="+v)
			}
			slices.Sort(pairs)
			out += "|" + strings.Join(pairs, " ")
		case f.Kind == planop.Number:
			if _, err := c.Number(f.Name, 0); err != nil {
				return err.Error()
			}
		case c.Switched(f.Name) && f.Kind == planop.Switch:
			out += "|" + f.Name
		case c.Given(f.Name):
			out += fmt.Sprintf("|%s=%v", f.Name, c.Flags(f.Name))
		}
	}
	return out
}

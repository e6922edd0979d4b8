package planop_test

import (
	"context"
	"strings"
	"testing"

	"ken/internal/workflow/plan/planop"
)

// FuzzParse: whatever words an operation is called with, there is a call or an error, and asking the call for anything is safe.
func FuzzParse(f *testing.F) {
	f.Add("state patch\n--Status\nReady\n--dry-run")
	f.Add("commit\na message\n--files\na,b\nc\n--\n--x")
	f.Add("metric\n--tasks=9\n--=\n--")
	list := []*planop.Operation{
		{Name: "state get", Args: []planop.Arg{{Name: "FIELD", Optional: true}}},
		{Name: "state patch", Flags: []planop.Flag{{Name: "", Kind: planop.Pairs}}, Writes: true},
		{
			Name: "commit", Args: []planop.Arg{{Name: "MESSAGE", Many: true}},
			Flags: []planop.Flag{{Name: "files", Kind: planop.List}, {Name: "amend", Kind: planop.Switch}},
		},
		{Name: "metric", Flags: []planop.Flag{{Name: "tasks", Kind: planop.Number}, {Name: "kind", Enum: []string{"a", "b"}}}},
		{Name: "scaffold", Args: []planop.Arg{{Name: "WHAT", Enum: []string{"uat"}}}, Flags: []planop.Flag{{Name: "name", Kind: planop.Words}}},
	}
	for _, o := range list {
		o.Run = func(context.Context, *planop.Call) (any, error) { return nil, nil }
	}
	f.Fuzz(func(t *testing.T, text string) {
		words := strings.Split(text, "\n")
		o, rest := planop.Find(list, words)
		if o == nil {
			return
		}
		c, err := o.Parse(rest, planop.Surroundings{})
		if err != nil {
			if strings.TrimSpace(err.Error()) == "" {
				t.Error("an error without a word")
			}
			return
		}
		for _, a := range o.Args {
			if v := c.Arg(a.Name); !a.Optional && v == "" && len(rest) == 0 {
				t.Errorf("%q: %s is missing and was not asked for", text, a.Name)
			}
		}
		c.Rest()
		c.Pairs()
		for _, fl := range o.Flags {
			c.Flag(fl.Name)
			c.Flags(fl.Name)
			c.Switched(fl.Name)
			if _, err := c.Number(fl.Name, 1); err != nil && fl.Kind == planop.Number && c.Flag(fl.Name) == "1" {
				t.Errorf("%q: %v", text, err)
			}
		}
	})
}

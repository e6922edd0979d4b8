package operation_test

import (
	"context"
	"strings"
	"testing"

	"ken/internal/workflow/plan/operation"
)

// FuzzParse: whatever words an operation is called with, there is a call or an error, and asking the call for anything is safe.
func FuzzParse(f *testing.F) {
	f.Add("state patch\n--Status\nReady\n--dry-run")
	f.Add("commit\na message\n--files\na,b\nc\n--\n--x")
	f.Add("metric\n--tasks=9\n--=\n--")
	list := []*operation.Operation{
		{Name: "state get", Args: []operation.Arg{{Name: "FIELD", Optional: true}}},
		{Name: "state patch", Flags: []operation.Flag{{Name: "", Kind: operation.Pairs}}, Writes: true},
		{
			Name: "commit", Args: []operation.Arg{{Name: "MESSAGE", Many: true}},
			Flags: []operation.Flag{{Name: "files", Kind: operation.List}, {Name: "amend", Kind: operation.Switch}},
		},
		{Name: "metric", Flags: []operation.Flag{{Name: "tasks", Kind: operation.Number}, {Name: "kind", Enum: []string{"a", "b"}}}},
		{Name: "scaffold", Args: []operation.Arg{{Name: "WHAT", Enum: []string{"uat"}}}, Flags: []operation.Flag{{Name: "name", Kind: operation.Words}}},
	}
	for _, o := range list {
		o.Run = func(context.Context, *operation.Call) (any, error) { return nil, nil }
	}
	f.Fuzz(func(t *testing.T, text string) {
		words := strings.Split(text, "\n")
		o, rest := operation.Find(list, words)
		if o == nil {
			return
		}
		c, err := o.Parse(rest, operation.Surroundings{})
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
			if _, err := c.Number(fl.Name, 1); err != nil && fl.Kind == operation.Number && c.Flag(fl.Name) == "1" {
				t.Errorf("%q: %v", text, err)
			}
		}
	})
}

package planning_test

import (
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"ken/internal/delivery/plancode"
	"ken/internal/delivery/planning"
	"ken/internal/workflow/plan/planop"
)

var update = flag.Bool("update", false, "write the page of reference")

// all are the operations of `ken plan`, those that ask the index included.
func all() []*planop.Operation { return slices.Concat(planning.All(), plancode.All(nil)) }

// TestReference holds docs/planning.md to the declarations.
func TestReference(t *testing.T) {
	const page = "../../../docs/planning.md"
	var b strings.Builder
	b.WriteString("# Operations of planning\n\nMade of the declarations by `go test ./internal/delivery/planning -update`. `ken plan OPERATION` answers as text, with `--json` as JSON;\n" +
		"`ken gsd OPERATION` takes the spellings and gives the answers of gsd-tools, see [planning-compat.md](planning-compat.md).\nWhat writes is taken back by `ken plan undo`.\n\n")
	b.WriteString("| operation | what it does | writes |\n|---|---|---|\n")
	for _, o := range all() {
		writes := ""
		if o.Writes {
			writes = "yes"
		}
		if o.Lasting != "" {
			writes = o.Lasting
		}
		usage := strings.ReplaceAll(o.Usage(), "|", "\\|")
		fmt.Fprintf(&b, "| `%s` | %s | %s |\n", usage, o.Summary, writes)
	}
	if *update {
		if err := os.WriteFile(page, []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	have, err := os.ReadFile(page)
	if err != nil || string(have) != b.String() {
		t.Errorf("docs/planning.md is not what is declared: go test ./internal/delivery/planning -update (%v)", err)
	}
}

// TestDeclarations holds every operation to what help and the reader of command lines need.
func TestDeclarations(t *testing.T) {
	var names []string
	for _, o := range all() {
		names = append(append(names, o.Name), o.Also...)
		if o.Run == nil || o.Summary == "" || strings.HasSuffix(o.Summary, ".") || strings.ToLower(o.Summary[:1]) != o.Summary[:1] {
			t.Errorf("%s: needs a function and a summary in lower case without a full stop: %q", o.Name, o.Summary)
		}
		if n := len(strings.Fields(o.Name)); n < 1 || n > 3 {
			t.Errorf("%s: has %d words", o.Name, n)
		}
		optional := false
		for i, a := range o.Args {
			if a.Many && i < len(o.Args)-1 || optional && !a.Optional || a.Help == "" {
				t.Errorf("%s: %s cannot be told from what follows, or has no help", o.Name, a.Name)
			}
			optional = optional || a.Optional
		}
		for _, f := range o.Flags {
			if f.Help == "" {
				t.Errorf("%s: --%s has no help", o.Name, f.Name)
			}
		}
	}
	slices.Sort(names)
	for i := 1; i < len(names); i++ {
		if names[i] == names[i-1] {
			t.Errorf("%s is declared twice", names[i])
		}
	}
}

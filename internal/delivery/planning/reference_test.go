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
	"ken/internal/operation"
	"ken/internal/workflow/plan/planop"
)

var update = flag.Bool("update", false, "write the page of reference")

// all are the operations of `ken plan`, those that ask the index included.
func all() []*planop.Operation { return slices.Concat(planning.All(), plancode.All(nil)) }

// TestReference holds docs/planning.md to the declarations.
func TestReference(t *testing.T) {
	const page = "../../../docs/planning.md"
	var b strings.Builder
	life, err := os.ReadFile("testdata/life.md")
	if err != nil {
		t.Fatal(err)
	}
	b.Write(life)
	b.WriteString("Made of the declarations by `go test ./internal/delivery/planning -update`. `ken plan OPERATION` answers as text, with `--json` as JSON;\n" +
		"`ken gsd OPERATION` takes the spellings and gives the answers of gsd-tools, see [planning-compat.md](planning-compat.md).\nWhat writes is taken back by `ken plan undo`.\n\n")
	b.WriteString("| operation | what it does | writes |\n|---|---|---|\n")
	for _, o := range all() {
		writes := ""
		if o.Effect != operation.Reads {
			writes = "yes"
		}
		if o.Lasting != "" {
			writes = o.Lasting
		}
		usage := strings.ReplaceAll(usage(o), "|", "\\|")
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

// usage shows how an operation is called.
func usage(o *planop.Operation) string {
	var b strings.Builder
	b.WriteString(o.Name)
	for _, f := range o.Input() {
		name := f.Name
		switch {
		case f.Positional && (f.Many || f.Joined):
			name += "…"
		case f.Name == "ws": // every operation has it
			continue
		case f.Pairs:
			name = "[--NAME VALUE]…"
		case f.Type == "boolean":
			name = "[--" + name + "]"
		case f.Type == "integer":
			name = "[--" + name + " N]"
		case !f.Positional:
			name = "[--" + name + " " + strings.ToUpper(name) + "]"
		}
		if f.Positional && !f.Required {
			name = "[" + name + "]"
		}
		b.WriteString(" " + name)
	}
	return b.String()
}

// TestDeclarations checks every operation for the parts that help and the reader of command lines need.
func TestDeclarations(t *testing.T) {
	var names []string
	for _, o := range all() {
		names = append(append(names, o.Name), o.Aliases...)
		if o.Summary == "" || strings.HasSuffix(o.Summary, ".") || strings.ToLower(o.Summary[:1]) != o.Summary[:1] {
			t.Errorf("%s: needs a summary in lower case without a full stop: %q", o.Name, o.Summary)
		}
		if n := len(strings.Fields(o.Name)); n < 1 || n > 3 {
			t.Errorf("%s: has %d words", o.Name, n)
		}
		optional, rest := false, false
		for _, f := range o.Input() {
			if f.Help == "" {
				t.Errorf("%s: %s has no help", o.Name, f.Name)
			}
			if !f.Positional {
				continue
			}
			if rest || optional && f.Required {
				t.Errorf("%s: %s cannot be told from the argument before it", o.Name, f.Name)
			}
			optional, rest = optional || !f.Required, f.Many || f.Joined
		}
	}
	slices.Sort(names)
	for i := 1; i < len(names); i++ {
		if names[i] == names[i-1] {
			t.Errorf("%s is declared twice", names[i])
		}
	}
}

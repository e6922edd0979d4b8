package mcp

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ken/internal/delivery/op"
	"ken/internal/delivery/plancode"
	"ken/internal/delivery/planning"
	"ken/internal/delivery/project"
	"ken/internal/token"
	"ken/internal/workflow/plan/planop"
)

var update = flag.Bool("update", false, "rewrite docs/mcp.md")

// TestReference keeps the generated part of docs/mcp.md equal to what is offered.
func TestReference(t *testing.T) {
	const page, mark = "../../../docs/mcp.md", "<!-- generated from here on: go test ./internal/delivery/mcp -update -->\n"
	got, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	head, rest, ok := strings.Cut(string(got), mark)
	if !ok {
		t.Fatalf("%s has no mark %q", page, mark)
	}
	want := reference(t)
	if *update {
		if err := os.WriteFile(page, []byte(head+mark+want), 0o644); err != nil {
			t.Fatal(err)
		}
		rest = want
	}
	if diff := cmp.Diff(want, rest); diff != "" {
		t.Errorf("docs/mcp.md is out of date; go test ./internal/delivery/mcp -update (-want +got):\n%s", diff)
	}
}

func reference(t *testing.T) string {
	t.Helper()
	c := token.New(token.O200K)
	var b, sets strings.Builder
	for _, set := range setNames() {
		list, err := offeredTools(allTools(), []string{set})
		if err != nil {
			t.Fatal(err)
		}
		all := 0
		costs := make([]int, len(list))
		for i := range list {
			line, err := json.Marshal(list[i].listing())
			if err != nil {
				t.Fatal(err)
			}
			costs[i] = c.Count(line)
			all += costs[i]
		}
		if set == planSet { // its tools are those of planning.md
			fmt.Fprintf(&sets, "| `%s` | %d | about %d,000 |\n", set, len(list), (all+500)/1000)
			continue
		}
		fmt.Fprintf(&sets, "| `%s` | %d | %d |\n", set, len(list), all)
		if set == "full" {
			others := len(toolsInSet(coreSet, allTools())) + len(toolsInSet(knowledgeSet, allTools()))
			list, costs = list[others:], costs[others:]
		}
		fmt.Fprintf(&b, "\n### %s\n\n| tool | tokens | what it is for | arguments |\n|---|---|---|---|\n", map[string]string{"full": "only in full"}[set]+map[bool]string{true: set}[set != "full"])
		for i := range list {
			o := &list[i]
			fmt.Fprintf(&b, "| `%s` | %d | %s | %s |\n", o.name(), costs[i], cell(o.about), cell(arguments(o)))
		}
	}
	return "\n## What a listing costs\n\nName, description, arguments and annotations as they are sent, in tokens (o200k_base). Every session pays for them.\n\n" +
		"| set | tools | tokens |\n|---|---|---|\n" + sets.String() +
		"\n## Tools\n\nArguments in brackets are taken and not listed, because few calls need them. Every tool also takes those of the table above.\n" +
		"The tools of `plan` are the operations of [planning.md](planning.md): `state get` is `plan_state_get`.\n" + b.String()
}

func arguments(o *offeredTool) string {
	var out []string
	if o.tool.MCP.Input {
		out = append(out, "`input`")
	}
	for _, f := range o.fields() {
		name := "`" + f.Key() + "`"
		if _, shown := o.shown[f.Key()]; !shown {
			name = "(" + name + ")"
		}
		if f.Required {
			name = "**" + name + "**"
		}
		out = append(out, name)
	}
	for i := range o.variants {
		v := &o.variants[i]
		out = append(out, "`"+v.key+"` asks `ken "+v.tool.Name+"`, and takes its arguments")
	}
	return strings.Join(out, ", ")
}

func cell(s string) string { return strings.ReplaceAll(s, "|", "\\|") }

// allTools are the operations that a server can offer.
func allTools() []*project.Tool {
	plans := slices.Concat(planning.All(), plancode.All(nil))
	return slices.Concat(op.All(), planning.Tools[*project.Project](plans, planop.Surroundings{}))
}

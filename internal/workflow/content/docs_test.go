package content_test

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"ken/internal/workflow/content"
)

var update = flag.Bool("update", false, "write the page about the workflow")

// TestPage holds docs/workflow.md to the files of this package.
func TestPage(t *testing.T) {
	const page = "../../../docs/workflow.md"
	life, err := os.ReadFile("testdata/workflow.md")
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	b.Write(life)
	b.WriteString("Made of the guides by `go test ./internal/workflow/content -update`.\n\n## Guides\n\n| guide | to … | steps (**agents**) | writes |\n|---|---|---|---|\n")
	for _, name := range content.Names(content.GuideKind) {
		g, err := content.ReadGuide(name)
		if err != nil {
			t.Fatal(err)
		}
		var steps, writes []string
		for _, s := range g.Steps {
			step := s.Name
			if s.Role != "" {
				step += " **" + s.Role + "**"
			}
			if s.Gate != "" {
				step += " (asks)"
			}
			steps, writes = append(steps, step), append(writes, s.Writes...)
		}
		fmt.Fprintf(&b, "| `%s` | %s | %s | %s |\n", strings.Join(append([]string{name}, g.Takes...), " "), g.Purpose, strings.Join(steps, " → "), strings.Join(writes, ", "))
	}
	b.WriteString("\n## Roles\n\n")
	for _, name := range content.Names(content.RoleKind) {
		r, err := content.ReadRole(name)
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&b, "- `%s` %s\n", name, r.Purpose)
	}
	b.WriteString("\n## References\n\n")
	for _, name := range content.Names(content.ReferenceKind) {
		r, err := content.ReadReference(name)
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&b, "- `%s`: %s\n", name, r.Purpose)
	}
	b.WriteString("\n## Commands of get-shit-done\n\n`ken plan guide` knows them by their names, too.\n\n")
	for _, p := range content.Places(content.Purposes) {
		switch {
		case p.Guide == p.Name:
		case p.Guide != "":
			fmt.Fprintf(&b, "- `%s`: the guide `%s`\n", p.Name, p.Guide)
		case p.Call != "":
			fmt.Fprintf(&b, "- `%s`: `%s`\n", p.Name, p.Call)
		default:
			fmt.Fprintf(&b, "- `%s` is left out: %s\n", p.Name, p.Dropped)
		}
	}
	b.WriteString("\nAll others are guides of the same name.\n")
	if *update {
		if err := os.WriteFile(page, []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	have, err := os.ReadFile(page)
	if err != nil || string(have) != b.String() {
		t.Errorf("docs/workflow.md is not what the files have: go test ./internal/workflow/content -update (%v)", err)
	}
}

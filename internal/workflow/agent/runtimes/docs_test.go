package runtimes

import (
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write the page about runtimes")

const pageHead = `# Runtimes of agents

What ken knows of each program in which agents work, and writes into its settings ([install.md](install.md)). Made of the descriptions by
` + "`go test ./internal/workflow/agent/runtimes -update`" + `; a new runtime is one file of data there. "Seen" means that the program itself was run with it,
"documented" that its maker describes it, "third party" that others have run it. What is experimental is written only with ` + "`--experimental`" + `.
Paths of a user begin in the folder of settings, which a variable can move; ` + "`~/`" + ` is the home directory.

`

// cell writes a place as a cell of a table.
func (p Place) cell() string {
	var list []string
	for _, at := range []string{p.Project, p.User} {
		if at == "" {
			at = "–"
		} else {
			at = "`" + at + "`"
		}
		list = append(list, at)
	}
	if p.Project+p.User == "" {
		return "–"
	}
	return strings.Join(list, " · ")
}

// TestPage holds docs/runtimes.md to the descriptions.
func TestPage(t *testing.T) {
	const page = "../../../../docs/runtimes.md"
	var b strings.Builder
	b.WriteString(pageHead + "| runtime | name | facts | folder of a user | MCP server (project · user) | hooks | skills | rules |\n|---|---|---|---|---|---|---|---|\n")
	for _, r := range All() {
		sure := string(r.Sure)
		if r.Experimental {
			sure += ", experimental"
		}
		home := r.Home.Dir
		if r.Home.Conf != "" {
			home = ".config/" + r.Home.Conf
		}
		if home != "" {
			home = "`~/" + home + "`"
		}
		for _, name := range r.Home.Env {
			home += ", `$" + name + "`"
		}
		if r.Home.Windows != "" {
			home += ", on Windows `%APPDATA%/" + r.Home.Windows + "`"
		}
		server, hooks := "–", "–"
		if r.Server != nil {
			server = r.Server.cell()
		}
		switch {
		case r.Plugin != nil:
			hooks = r.Plugin.cell() + " (plugin)"
		case r.Hooks != nil:
			hooks = r.Hooks.cell()
		}
		if r.Name == "claude" {
			server, hooks = "[install.md](install.md)", "[install.md](install.md)"
		}
		fmt.Fprintf(&b, "| %s | `%s` | %s | %s | %s | %s | %s | %s |\n", r.Title, r.Name, sure, home, server, hooks, r.Skills.cell(), r.Rules.cell())
	}
	b.WriteString("\n## What is different\n\n")
	for _, r := range All() {
		fmt.Fprintf(&b, "**%s**\n\n", r.Title)
		if r.Trust != "" {
			fmt.Fprintf(&b, "- yours to do: %s\n", r.Trust)
		}
		if r.Tried != "" {
			fmt.Fprintf(&b, "- how far it was run: %s\n", r.Tried)
		}
		for _, lack := range r.Lacks {
			fmt.Fprintf(&b, "- %s\n", lack)
		}
		if r.Hooks != nil && len(r.Hooks.Events) > 0 {
			var events []string
			for _, e := range r.Hooks.Events {
				if name := "`" + e.Name + "`"; !slices.Contains(events, name) {
					events = append(events, name)
				}
			}
			fmt.Fprintf(&b, "- events: %s\n", strings.Join(events, ", "))
		}
		b.WriteString("\n")
	}
	text := strings.TrimRight(b.String(), "\n") + "\n"
	if *update {
		if err := os.WriteFile(page, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	have, err := os.ReadFile(page)
	if err != nil || string(have) != text {
		t.Errorf("docs/runtimes.md is not what is described: go test ./internal/workflow/agent/runtimes -update (%v)", err)
	}
}

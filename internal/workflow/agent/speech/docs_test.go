package speech

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"ken/internal/workflow/agent"
	"ken/internal/workflow/agent/runtimes"
)

// The table of docs/hooks.md is between these lines.
const (
	tableBegin = "<!-- runtimes:begin, written by go test ./internal/workflow/agent/speech -update -->\n"
	tableEnd   = "<!-- runtimes:end -->\n"
)

// TestPage holds the table of docs/hooks.md to what the replies of each runtime carry.
func TestPage(t *testing.T) {
	const page = "../../../../docs/hooks.md"
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, ok := strings.Cut(string(text), tableBegin)
	_, after, ok2 := strings.Cut(rest, tableEnd)
	if !ok || !ok2 {
		t.Fatal("the table is gone")
	}
	if got := before + tableBegin + table() + tableEnd + after; got != string(text) {
		if !*update {
			t.Fatalf("the table differs (-update writes it):\n%s", table())
		}
		if err := os.WriteFile(page, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// table has a row for each runtime: its events, and how a reply of each sort reaches it.
func table() string {
	var b strings.Builder
	b.WriteString("| RUNTIME | events | facts reach the agent at | a tool is refused by | an agent that stops goes on by |\n|---|---|---|---|---|\n")
	for _, r := range runtimes.All() {
		if r.Hooks == nil || len(r.Hooks.Events) == 0 {
			continue
		}
		var events, facts []string
		refusal, further := "–", "–"
		seen := map[string]bool{}
		for _, e := range r.Hooks.Events {
			m := &Message{Event: &agent.Event{Kind: e.Kind}, Runtime: r, kind: e.Kind, name: e.Name}
			name := "`" + e.Name + "`"
			if !seen[name] {
				events = append(events, name)
			}
			if a := answerTo(m, agent.Reply{Context: "x"}); a != "" && !seen[name] && e.Kind != agent.Stop && e.Kind != agent.StopAsync {
				facts = append(facts, name)
			}
			seen[name] = true
			if a := answerTo(m, agent.Reply{Deny: "…"}); a != "" {
				refusal = a
			}
			if a := answerTo(m, agent.Reply{Continue: agent.Continue{Reason: "…"}}); a != "" && e.Kind == agent.Stop {
				further = a
			}
		}
		if len(facts) == 0 {
			facts = []string{"–"}
		}
		fmt.Fprintf(&b, "| `%s` | %s | %s | %s | %s |\n", r.Name, strings.Join(events, ", "), strings.Join(facts, ", "), refusal, further)
	}
	return b.String()
}

// answerTo writes an answer as a cell of the table, "" if it is that to no reply.
func answerTo(m *Message, r agent.Reply) string {
	a, err := m.Encode(r)
	if err != nil || a.Status == 0 && string(a.Out) == string(Neutral(m.Runtime, m.kind).Out) {
		return ""
	}
	var parts []string
	if a.Status != 0 {
		parts = append(parts, fmt.Sprintf("status %d, standard error", a.Status))
	}
	if len(a.Out) > 0 {
		parts = append(parts, "`"+strings.TrimSpace(string(a.Out))+"`")
	}
	return strings.Join(parts, ", ")
}

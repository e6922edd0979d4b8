package guard

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// golden compares a text with a file of testdata.
func golden(t *testing.T, file, got string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s is out of date; read the difference, then go test ./internal/guard -update (-want +got):\n%s", file, diff)
	}
}

// TestGates enumerates every state, tool, level and intent.
func TestGates(t *testing.T) {
	var b strings.Builder
	b.WriteString("What becomes of a call with nothing in it: + is let through, e lacks evidence, . is blocked by the state.\n")
	b.WriteString("The columns are the states: EXPLORATION SEMANTIC VERIFICATION IMPACT_ANALYSIS READY PRE_COMMIT, and a task that has ended.\n")
	p := DefaultPolicy()
	cells := 0
	for _, l := range Levels() {
		for _, in := range Intents() {
			fmt.Fprintf(&b, "\n%s %s\n", l, in)
			gates := Gates()
			for i := range gates {
				row := ""
				for _, s := range append(States(), "ENDED") {
					task := &Task{Intent: in, Level: l, State: s}
					if s == "ENDED" {
						task.State, task.Ended = Ready, task.Ended.AddDate(2000, 0, 0)
					}
					d := Decide(p, task, &Request{Tool: gates[i].Tool})
					mark := map[string]string{"": "+", EvidenceMissing: "e", PhaseBlocked: "."}[d.Error]
					if d.Allowed != (d.Error == "") || d.Error == PhaseBlocked && (d.Hint == "" || d.Message == "" || len(d.AllowedTools) == 0) {
						t.Errorf("%s %s %s %s: %+v", l, in, s, gates[i].Tool, d)
					}
					row += mark
					cells++
				}
				fmt.Fprintf(&b, "%-26s %s\n", gates[i].Tool, row)
			}
		}
	}
	if want := len(Gates()) * 7 * 2 * 4; cells != want {
		t.Errorf("%d cells, want %d", cells, want)
	}
	golden(t, "testdata/gates.txt", b.String())
}

// TestGateRows holds what every row of the table must say.
func TestGateRows(t *testing.T) {
	seen := map[Tool]bool{}
	for _, g := range Gates() {
		if seen[g.Tool] || g.Why == "" || len(g.Full) == 0 || len(g.Auto) == 0 {
			t.Errorf("%+v", g)
		}
		seen[g.Tool] = true
	}
	for tool := range toolSteps() {
		if !seen[tool] {
			t.Errorf("%s has a step and no gate", tool)
		}
	}
	if d := Decide(DefaultPolicy(), &Task{}, &Request{Tool: "nosuch"}); d.Allowed {
		t.Error("a tool that does not exist is let through")
	}
}

package guard

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// leftOut are tools of the original that ken does not have, and why.
var leftOut = [][2]string{
	{"begin_phase_gate", "it made a branch before anything was known; start_session begins, and a work tree is made on entering READY"},
	{"check_phase_necessity", "it asked the model whether a phase is needed; the index says what is risky"},
	{"submit_quality_review", "it reviewed with a prompt of its own and was completed by force after three rounds; review_changes has rules with samples"},
	{"merge_to_base", "the later name of merge_to_main, which merges to the base that a task started from"},
	{"cleanup_stale_branches", "the later name of cleanup"},
	{"record_verification_failure", "failures are counted where they happen, by submit_verification"},
	{"record_intervention_used", "an intervention is part of the answer and needs no report"},
	{"get_intervention_status", "get_session_status has it"},
	{"fetch_chunk_detail", "get_function_at_line shows the text of a declaration"},
}

// TestPage keeps the generated part of docs/guard.md equal to the tables.
func TestPage(t *testing.T) {
	const page, mark = "../../docs/guard.md", "<!-- generated from here on: go test ./internal/guard -update -->\n"
	got, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	head, rest, ok := strings.Cut(string(got), mark)
	if !ok {
		t.Fatalf("%s has no mark %q", page, mark)
	}
	want := tables()
	if *update {
		if err := os.WriteFile(page, []byte(head+mark+want), 0o644); err != nil {
			t.Fatal(err)
		}
		rest = want
	}
	if diff := cmp.Diff(want, rest); diff != "" {
		t.Errorf("docs/guard.md is out of date; go test ./internal/guard -update (-want +got):\n%s", diff)
	}
	for _, row := range leftOut {
		if _, ok := LookupGate(Tool(row[0])); ok {
			t.Errorf("%s is said to be left out", row[0])
		}
	}
}

func tables() string {
	var b strings.Builder
	b.WriteString("\n## What full demands\n\n| intent | risk | symbols | entry points | files | patterns | slots that must be FACTs | tools that must be used |\n|---|---|---|---|---|---|---|---|\n")
	for _, r := range requirements() {
		intent, risk := "IMPLEMENT, MODIFY", string(r.risk)
		if !r.writes {
			intent, risk = "INVESTIGATE, QUESTION", "any"
		}
		c := r.counts
		fmt.Fprintf(&b, "| %s | %s | %d | %d | %d | %d | %s | %s |\n", intent, risk, c.Symbols, c.EntryPoints, c.Files, c.Patterns, joined(r.slots), joined(r.tools))
	}
	b.WriteString("\n## Gates\n\nA call in another state is answered with `phase_blocked`, what is allowed and the cheapest way forward.\n\n" +
		"| tool | at `full` in | at `auto` in | why |\n|---|---|---|---|\n")
	for _, g := range Gates() {
		why := g.Why
		if g.OnlyWriting {
			why += " Not for INVESTIGATE and QUESTION."
		}
		fmt.Fprintf(&b, "| `%s` | %s | %s | %s |\n", g.Tool, places(g.Full, g.Ended), places(g.Auto, g.Ended), why)
	}
	b.WriteString("\n## Documents\n\nWhat becomes of a document that mentions a target. An obligation is met when the lines were read in the task and " +
		"`submit_impact_analysis` says what becomes of the document.\n\n| the target stands in | becomes | such as | why |\n|---|---|---|---|\n")
	for _, r := range manners() {
		becomes := "a hint"
		if r.binds {
			becomes = "an obligation"
		}
		fmt.Fprintf(&b, "| a %s | %s | %s | %s |\n", r.as, becomes, r.example, r.why)
	}
	b.WriteString("\n## Reasons of submit_semantic\n\n| missing | reasons that fit |\n|---|---|\n")
	for _, k := range []Kind{Symbols, EntryPoints, Files, Patterns, Slots, Ambiguity, Tools} {
		reasons := joined(reasonsFor(k))
		if reasons == "" {
			reasons = "none: the tools have to be used"
		}
		fmt.Fprintf(&b, "| %s | %s |\n", k, reasons)
	}
	b.WriteString("\n## Tools of the original that are left out\n\n| tool | why |\n|---|---|\n")
	for _, row := range leftOut {
		fmt.Fprintf(&b, "| `%s` | %s |\n", row[0], row[1])
	}
	return b.String()
}

func joined[T ~string](list []T) string {
	out := make([]string, len(list))
	for i, s := range list {
		out[i] = string(s)
	}
	return strings.Join(out, ", ")
}

func places(list []State, ended bool) string {
	switch {
	case slices.Equal(list, States()) && ended:
		return "any state, and none"
	case slices.Equal(list, States()):
		return "any state"
	case slices.Equal(list, States()[1:]):
		return "any but EXPLORATION"
	}
	return joined(list)
}

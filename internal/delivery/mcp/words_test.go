package mcp

import "testing"

// TestWords: commands become calls of tools with all their arguments, where there is a tool; a sentence goes on after a command.
func TestWords(t *testing.T) {
	list, err := offeredTools(allTools(), []string{coreSet, planSet})
	if err != nil {
		t.Fatal(err)
	}
	v := newVocabulary(list)
	for text, want := range map[string]string{
		"run `ken plan guide verifier 02` and do it":              "run plan_guide (name: verifier, arg: [02]) and do it",
		"`ken plan guide executor 02 02-01`":                      "plan_guide (name: executor, arg: [02, 02-01])",
		"`ken plan guide ROLE PHASE`":                             "plan_guide (name: …, arg: …)",
		"`ken plan commit 'docs: begin the plan'`":                `plan_commit (message: "docs: begin the plan")`,
		"`ken plan trace PHASE --json`":                           "plan_trace (phase: …, structured: true)",
		"`ken plan run report 02 checked --result 'not yet, no'`": `plan_run_report (phase: 02, event: checked, result: "not yet, no")`,
		"\"ken plan template fill verification --phase %s\"":      "plan_template_fill (kind: verification, phase: %s)",
		"`ken plan validate consistency`":                         "plan_validate_consistency",
		"ken refs NAME lists them":                                "refs (name: …) lists them",
		"ken plan guide ROLE prints each role":                    "plan_guide (name: …) prints each role",
		// No tool does these, so that they stay commands of a shell.
		"`ken install`":                "`ken install`",
		"`ken session list`, and then": "`ken session list`, and then",
		"`ken plan check --nosuch`":    "`ken plan check --nosuch`",
		"`go test ./...` \"quoted\"":   "`go test ./...` \"quoted\"",
	} {
		if got := v.translate(text, nil); got != want {
			t.Errorf("%s\n got %s\nwant %s", text, got, want)
		}
	}
}

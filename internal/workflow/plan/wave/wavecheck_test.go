package wave_test

import (
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"ken/internal/workflow/plan/evidence"
	"ken/internal/workflow/plan/wave"
)

// TestWaveEnd: a wave ends when the exit status of each of its checks is recorded as 0, by a report or a hook.
func TestWaveEnd(t *testing.T) {
	dir := folderWith(t, `config.json: {"workflow": {"plan_check": false, "test_command": "make test"}, "gates": {"confirm_plan": false}}`,
		"../.pre-commit-config.yaml: repos: []\n")
	if err := exec.Command("git", "init", "-q", dir).Run(); err != nil {
		t.Skip("needs git")
	}
	stage(t, dir, "run start 1", wave.Executing)
	put(t, dir, "phases/01-base/01-01-SUMMARY.md: # done\n")
	a := stage(t, dir, "run report 1 executed --plan 01-01", wave.WaveGate)
	if got := strings.Join(a.Next[0].Report, "\n"); got != "run report 01 gate --ran 'EXIT pre-commit run --all-files' --ran 'EXIT make test'" {
		t.Errorf("%s", got)
	}
	refused(t, dir, "run report 1 gate --result passed", "no_evidence")
	refused(t, dir, "run report 1 gate", "no_evidence")
	for _, command := range []string{"make test", "pre-commit run --all-files"} {
		if err := evidence.Note(t.Context(), filepath.Join(dir, "..", "state"), dir, command, 2, time.Now()); err != nil {
			t.Fatal(err)
		}
	}
	a = stage(t, dir, "run next 1", wave.WaveGate)
	if got := wave.Page(a); !strings.Contains(got, "make test  (workflow.test_command; exit 2, seen by a hook: have it mended, and run it again)") {
		t.Error(got)
	}
	if a = stage(t, dir, "run report 1 gate", wave.WaveGate); a.Run.Gates["wave"].State != "failed" {
		t.Errorf("%+v", a.Run.Gates["wave"])
	}
	refused(t, dir, "run report 1 gate --result passed", "no_evidence")
	for _, command := range []string{"make test", "pre-commit run --all-files"} {
		if err := evidence.Note(t.Context(), filepath.Join(dir, "..", "state"), dir, "cd "+dir+" && "+command, 0, time.Now()); err != nil {
			t.Fatal(err)
		}
	}
	a = stage(t, dir, "run next 1", wave.WaveGate)
	if got := strings.Join(a.Next[0].Report, "\n"); got != "run report 01 gate --result passed" {
		t.Errorf("%s", got)
	}
	stage(t, dir, "run report 1 gate --result passed", wave.Executing)
}

// TestUnknownTestsAreNamed: that there are no tests is claimed only where they were looked for.
func TestUnknownTestsAreNamed(t *testing.T) {
	steps, err := wave.ReadSteps()
	if err != nil {
		t.Fatal(err)
	}
	for unknown, want := range map[bool]string{
		true:  "wave 1 is merged, and the project has no checks that ken knows; its tests were not looked for, because there is no index: run those that you know",
		false: "wave 1 is merged, and the project has no checks that ken knows",
	} {
		r := &wave.Run{Phase: "01", Stage: wave.WaveGate, Wave: 1}
		if got := wave.NextActions(r, &wave.Policy{TestsUnknown: unknown}, steps)[0].What; got != want {
			t.Errorf("%s", got)
		}
	}
}

// TestVerificationIsHeldToProof: a verification that passed answers each truth, and the commands of the plans ended with 0.
func TestVerificationIsHeldToProof(t *testing.T) {
	dir := folderWith(t, `config.json: {"workflow": {"plan_check": false}, "gates": {"confirm_plan": false}}`,
		"phases/01-base/01-01-PLAN.md: ---\nmust_haves:\n  truths:\n    - It greets\n---\n<tasks><task><verify><automated>true &amp;&amp; true</automated></verify></task></tasks>\n",
		"phases/01-base/01-01-SUMMARY.md: # done\n", "phases/01-base/01-02-SUMMARY.md: # done\n")
	stage(t, dir, "run next 1", wave.Verifying)
	verification := func(row string) {
		put(t, dir, "phases/01-base/01-VERIFICATION.md: ---\nstatus: passed\n---\n"+row+"\n")
	}
	verification("It greets")
	refused(t, dir, "run report 1 verified --result passed", "no_evidence")
	verification("| It greets | verified | hello.txt |")
	refused(t, dir, "run report 1 verified --result passed", "no_evidence") // the command has no exit status
	for _, ran := range []string{"0x true && true", "0true && true", "true && true", "0"} {
		if _, err := askWords(t, dir, "run", "report", "1", "verified", "--result", "passed", "--ran", ran); err == nil || !strings.Contains(err.Error(), "--ran") {
			t.Errorf("--ran %q: %v", ran, err)
		}
	}
	_, err := askWords(t, dir, "run", "report", "1", "verified", "--result", "passed", "--ran", "1 true && true")
	if err == nil || !strings.Contains(err.Error(), "exit 1, as reported") {
		t.Errorf("%v", err)
	}
	a, err := askWords(t, dir, "run", "report", "1", "verified", "--result", "passed", "--ran", "0 true && true")
	if err != nil || a.Run.Stage != wave.Closing {
		t.Fatalf("%+v %v", a, err)
	}
}

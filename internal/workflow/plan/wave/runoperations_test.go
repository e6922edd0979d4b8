package wave_test

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"ken/internal/git/gittest"
	"ken/internal/workflow/plan/execute"
	"ken/internal/workflow/plan/phases"
	"ken/internal/workflow/plan/planop"
	"ken/internal/workflow/plan/statechange"
	"ken/internal/workflow/plan/wave"
)

// folderWith is a project with a phase of two plans and further files.
func folderWith(t *testing.T, files ...string) string {
	t.Helper()
	dir := t.TempDir()
	files = append([]string{
		"ROADMAP.md: # Roadmap\n\n- [ ] **Phase 1: Base**\n\n### Phase 1: Base\n**Goal**: a base\n",
		"phases/01-base/01-01-PLAN.md: ---\nwave: 1\n---\n", "phases/01-base/01-02-PLAN.md: ---\ndepends_on: [\"01-01\"]\n---\n",
	}, files...)
	for _, f := range files {
		put(t, dir, f)
	}
	return dir
}

var effects = wave.RunEffects{Executed: execute.CheckExecuted, Begin: statechange.Begin, Complete: phases.Complete, Begun: execute.Begun}

func put(t *testing.T, dir, file string) {
	t.Helper()
	name, text, _ := strings.Cut(file, ": ")
	at := filepath.Join(dir, ".planning", name)
	if err := errors.Join(os.MkdirAll(filepath.Dir(at), 0o755), os.WriteFile(at, []byte(text), 0o644)); err != nil {
		t.Fatal(err)
	}
}

func ask(t *testing.T, dir, words string) (*wave.RunAnswer, error) {
	t.Helper()
	return askWords(t, dir, strings.Fields(words)...)
}

func askWords(t *testing.T, dir string, words ...string) (*wave.RunAnswer, error) {
	t.Helper()
	return askWith(t, effects, dir, words...)
}

func askWith(t *testing.T, effects wave.RunEffects, dir string, words ...string) (*wave.RunAnswer, error) {
	t.Helper()
	a, err := planop.RunWords(t.Context(), wave.RunOperations(effects), planop.Surroundings{
		Dir: dir, StateDir: filepath.Join(dir, "..", "state"), Getenv: func(string) string { return "" }, Now: time.Now,
	}, words)
	if err != nil {
		return nil, err
	}
	answer, _ := a.Value.(*wave.RunAnswer)
	return answer, nil
}

func stage(t *testing.T, dir, words string, want wave.Stage) *wave.RunAnswer {
	t.Helper()
	a, err := ask(t, dir, words)
	if err != nil {
		t.Fatalf("%s: %v", words, err)
	}
	if a.Run.Stage != want {
		t.Fatalf("%s: %s, want %s", words, a.Run.Stage, want)
	}
	return a
}

func refused(t *testing.T, dir, words, reason string) {
	t.Helper()
	_, err := ask(t, dir, words)
	fault, ok := errors.AsType[*planop.Fault](err)
	if !ok || fault.Reason != reason {
		t.Fatalf("%s: %v, want the fault %s", words, err, reason)
	}
}

// TestReportsAreHeldToWhatIsThere: a plan without a summary is not executed, a wave that is not merged not checked, and a verification
// says what its file says.
func TestReportsAreHeldToWhatIsThere(t *testing.T) {
	dir := folderWith(t)
	stage(t, dir, "run next 1", wave.Checking)
	refused(t, dir, "run start 7", "phase_not_found")
	stage(t, dir, "run start 1", wave.Checking)
	refused(t, dir, "run start 1", "run_exists")
	stage(t, dir, "run report 1 checked --blockers 0", wave.Approving)
	stage(t, dir, "run report 1 gate --result passed", wave.Executing)
	refused(t, dir, "run report 1 executed --plan 01-01", "no_evidence")
	refused(t, dir, "run report 1 halted --plan 01-01", "no_evidence")
	refused(t, dir, "run report 1 executed --plan 01-09", "no_evidence")
	put(t, dir, "phases/01-base/01-01-SUMMARY.md: # done\n\n## Self-Check: FAILED\n")
	stage(t, dir, "run report 1 executed --plan 01-01", wave.WaveGate)
	refused(t, dir, "run report 1 gate --result passed", "no_evidence")
	put(t, dir, "phases/01-base/01-01-SUMMARY.md: # done\n\n## Self-Check: PASSED\n")
	stage(t, dir, "run report 1 gate --result passed", wave.Executing)
	put(t, dir, "phases/01-base/01-02-SUMMARY.md: ---\nstatus: halted\n---\n")
	stage(t, dir, "run report 1 halted --plan 01-02", wave.Deciding)
	stage(t, dir, "run report 1 decided --result proceed", wave.Verifying)
	refused(t, dir, "run report 1 verified --result passed", "no_evidence")
	put(t, dir, "phases/01-base/01-VERIFICATION.md: ---\nstatus: passed\n---\n")
	stage(t, dir, "run report 1 verified --result passed", wave.Closing)
	stage(t, dir, "run report 1 gate --result passed", wave.Complete)
	refused(t, dir, "run report 1 executed --plan 01-01", "event_refused")
	refused(t, dir, "run report 1 planned", "no_evidence")
	stage(t, dir, "run start 1", wave.Complete)
}

// TestSettings: gates that are off are skipped, with the setting, and in a mode without questions nobody is asked.
func TestSettings(t *testing.T) {
	dir := folderWith(t, `config.json: {"mode": "yolo", "workflow": {"plan_check": false, "test_command": "make test"}, "gates": {"confirm_plan": false}}`)
	a := stage(t, dir, "run start 1", wave.Executing)
	if g := a.Run.Gates["plans"]; g.State != "skipped" || !strings.Contains(g.Why, "gates.confirm_plan") || !a.Run.Auto {
		t.Errorf("%+v", a.Run)
	}
	put(t, dir, "phases/01-base/01-01-SUMMARY.md: # done\n")
	if a := stage(t, dir, "run report 1 executed --plan 01-01", wave.WaveGate); len(a.Next[0].Checks) != 1 || a.Next[0].Checks[0].Command != "make test" {
		t.Errorf("%+v", a.Next)
	}
}

// TestReportsAtTheSameTime: of many processes that report at once none is lost, and what a killed one left does not matter.
func TestReportsAtTheSameTime(t *testing.T) {
	dir := folderWith(t, `config.json: {"workflow": {"plan_check": false}, "gates": {"confirm_plan": false}}`)
	if err := exec.Command("git", "init", "-q", dir).Run(); err != nil {
		t.Skip("needs git")
	}
	stage(t, dir, "run start 1", wave.Executing)
	runs, err := filepath.Glob(filepath.Join(dir, ".git/ken/runs/*"))
	if err != nil || len(runs) != 1 {
		t.Fatal(runs, err)
	}
	if err := os.WriteFile(filepath.Join(runs[0], "new-123"), []byte("{half"), 0o600); err != nil {
		t.Fatal(err)
	}
	const many = 8
	var wg sync.WaitGroup
	errs := make([]error, many)
	for i := range many {
		wg.Go(func() { _, errs[i] = ask(t, dir, "run report 1 deviated --plan 01-01 --kind bug --foreign") })
	}
	wg.Wait()
	if err := errors.Join(errs...); err != nil {
		t.Fatal(err)
	}
	if a := stage(t, dir, "run next 1", wave.Executing); len(a.Run.Later) != many || a.Run.Step != many {
		t.Errorf("%d of %d reports are there, in %d steps", len(a.Run.Later), many, a.Run.Step)
	}
	// A renamed phase is the same phase.
	if err := os.Rename(filepath.Join(dir, ".planning/phases/01-base"), filepath.Join(dir, ".planning/phases/01-ground")); err != nil {
		t.Fatal(err)
	}
	stage(t, dir, "run next 1", wave.Executing)
	for range keptStates + 5 {
		stage(t, dir, "run report 1 deviated --plan 01-01 --kind bug --foreign", wave.Executing)
	}
	if list, err := filepath.Glob(filepath.Join(runs[0], "*.json")); err != nil || len(list) != keptStates {
		t.Errorf("%d states are kept (%v)", len(list), err)
	}
}

// keptStates is the number of states that are kept of a run.
const keptStates = 30

// TestDryRun: what would come is shown, and nothing is kept.
func TestDryRun(t *testing.T) {
	dir := folderWith(t)
	stage(t, dir, "run start 1", wave.Checking)
	stage(t, dir, "run report 1 checked --blockers 2 --issues x --dry-run", wave.Revising)
	stage(t, dir, "run next 1", wave.Checking)
}

// TestPlantedRun: a state without the user's seal is reported, and no agent is named after it.
func TestPlantedRun(t *testing.T) {
	dir := folderWith(t)
	if err := exec.Command("git", "init", "-q", dir).Run(); err != nil {
		t.Skip("needs git")
	}
	stage(t, dir, "run start 1", wave.Checking)
	states, err := filepath.Glob(filepath.Join(dir, ".git/ken/runs/*/000001.json"))
	if err != nil || len(states) != 1 {
		t.Fatal(states, err)
	}
	text, err := os.ReadFile(states[0])
	if err != nil {
		t.Fatal(err)
	}
	for _, planted := range []string{strings.Split(string(text), `,"seal"`)[0] + "}\n", strings.Replace(string(text), "checking", "executing", 1), "{}", ""} {
		if err := os.WriteFile(states[0], []byte(planted), 0o600); err != nil {
			t.Fatal(err)
		}
		refused(t, dir, "run next 1", "not_sealed")
		refused(t, dir, "run report 1 checked --blockers 0", "not_sealed")
	}
}

// TestExitsOfAnExecutor: how a command of a plan ended is recorded with the commit of the work tree in which it ran.
func TestExitsOfAnExecutor(t *testing.T) {
	gittest.IsolateSettings(t)
	dir := folderWith(t, `config.json: {"workflow": {"plan_check": false}, "gates": {"confirm_plan": false}}`)
	gittest.Run(t, dir, "init", "-q")
	gittest.Commit(t, dir, "one")
	tree := filepath.Join(t.TempDir(), "01-01")
	gittest.Run(t, dir, "worktree", "add", "-q", "-b", "plan", tree)
	if err := os.WriteFile(filepath.Join(tree, "a.txt"), []byte("a"), 0o644); err != nil {
		t.Fatal(err)
	}
	gittest.Commit(t, tree, "two")
	with := effects
	with.Executed = func(context.Context, *planop.Call, string, string) error { return nil }
	with.Begun = func(*planop.Call, string) ([]wave.BegunPlan, error) {
		return []wave.BegunPlan{{Plan: "01-01", OwnTree: true, Directory: tree}}, nil
	}
	if _, err := askWith(t, with, dir, "run", "start", "1"); err != nil {
		t.Fatal(err)
	}
	if _, err := askWith(t, with, dir, "run", "report", "1", "executed", "--plan", "01-01", "--ran", "0 make test"); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(dir, ".planning/gates.jsonl"))
	want := strings.TrimSpace(gittest.Run(t, tree, "rev-parse", "HEAD"))
	if err != nil || !strings.Contains(string(text), `"commit":"`+want+`"`) {
		t.Errorf("%v, %s: no commit %s", err, text, want)
	}
}

// TestStartNeedsRequirements: where no phase has begun, a run begins when there are requirements, or without them if that is asked for.
func TestStartNeedsRequirements(t *testing.T) {
	dir := folderWith(t)
	if err := os.RemoveAll(filepath.Join(dir, ".planning", "phases")); err != nil {
		t.Fatal(err)
	}
	refused(t, dir, "run start 1", "no_requirements")
	stage(t, dir, "run start 1 --force", wave.Planning)
	refused(t, dir, "run start 1 --again", "no_requirements")
	put(t, dir, "REQUIREMENTS.md: # R\n")
	stage(t, dir, "run start 1 --again", wave.Planning)
}

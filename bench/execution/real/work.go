package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"ken/internal/delivery/plancode"
	"ken/internal/workflow/plan/execute"
	"ken/internal/workflow/plan/phases"
	"ken/internal/workflow/plan/run"
)

// The plans of the run.
const (
	repaired  = "07-01" // fails, and is repaired
	rejected  = "07-02" // is rejected by the check first
	colliding = "07-03" // changes a line that another does, which its plan does not say
)

// check has the plans checked until nothing is to be mended: one is rejected, and written anew.
func (r *real) check() error {
	for round := range 2 {
		blockers := 0
		for _, id := range []string{repaired, rejected, colliding} {
			var a plancode.CheckAnswer
			if err := r.ask(&a, "check", id); err != nil {
				return err
			}
			r.checkFacts(&a)
			r.fact(a.Passed == (id != rejected || round > 0), "in round %d plan %s passes: %v", round+1, id, a.Passed)
			for _, i := range a.Issues {
				if i.Severity == "blocker" {
					blockers++
				}
			}
		}
		stage := run.Executing // the project's settings have nobody approve the plans
		if round == 0 {
			stage = run.Revising
		}
		if err := r.report(stage, "checked", "--blockers", fmt.Sprint(blockers)); err != nil {
			return err
		}
		if round > 0 {
			return nil
		}
		if err := r.script("revised", r.revise); err != nil {
			return err
		}
		if err := r.report(run.Checking, "planned"); err != nil {
			return err
		}
	}
	return errors.New("the plans were never accepted")
}

func (r *real) revise(name, text string) error {
	for line := range strings.Lines(text) {
		from, to, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " => ")
		if err := edit(filepath.Join(r.folder, name), from, to); err != nil {
			return err
		}
	}
	return nil
}

// add writes text at the end of files of a work tree.
func (r *real) add(step, plan string) error {
	return r.script(step+"/"+plan, func(name, text string) error {
		file := filepath.Join(r.at[plan], name)
		was, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		return os.WriteFile(file, append(was, text...), 0o600)
	})
}

func (r *real) replace(plan string) error {
	return r.script("replace/"+plan, func(name, text string) error {
		from, to, _ := strings.Cut(text, "=>\n")
		return edit(filepath.Join(r.at[plan], name), from, to)
	})
}

// save commits all of a work tree, as an executor does.
func (r *real) save(plan, message string) (string, error) {
	for _, args := range [][]string{{"add", "-A"}, {"commit", "-q", "-m", message}} {
		if out, err := exec.CommandContext(r.ctx, "git", append([]string{"-C", r.at[plan]}, args...)...).CombinedOutput(); err != nil {
			return "", fmt.Errorf("git %v: %w: %s", args, err, out)
		}
	}
	out, err := exec.CommandContext(r.ctx, "git", "-C", r.at[plan], "rev-parse", "--short=10", "HEAD").Output()
	return strings.TrimSpace(string(out)), err
}

// try runs what a plan has to make work in a folder, and records how it ended.
func (r *real) try(plan, dir string) (ok bool, err error) {
	err = r.script("try", func(name, text string) error {
		if name == plan {
			ok = exec.CommandContext(r.ctx, "env", "PYTHONPATH="+dir, "PYTHONDONTWRITEBYTECODE=1", "python3", "-c", text).Run() == nil
		}
		return nil
	})
	if err != nil {
		return ok, err
	}
	exit := "1"
	if ok {
		exit = "0"
	}
	var recorded any
	return ok, r.ask(&recorded, "gate", "record", "--cmd", "python3 try "+plan, "--exit", exit, "--phase", r.phase, "--plan", plan)
}

// executed lets three agents carry the plans out, of which one fails first.
func (r *real) executed() error {
	if err := r.add("half", repaired); err != nil {
		return err
	}
	if ok, err := r.try(repaired, r.at[repaired]); ok || err != nil {
		return fmt.Errorf("%s was to fail (%w)", repaired, err)
	}
	if err := r.report(run.Executing, "failed", "--plan", repaired, "--text", "difflib is not imported"); err != nil {
		return err
	}
	if err := r.report(run.Executing, "repaired", "--plan", repaired, "--result", "retry"); err != nil {
		return err
	}
	for i, id := range []string{rejected, colliding, repaired} {
		if err := errors.Join(r.add("do", id), r.replace(id)); err != nil {
			return err
		}
		if ok, err := r.try(id, r.at[id]); !ok || err != nil {
			return fmt.Errorf("%s does not work (%w)", id, err)
		}
		if err := r.statusFacts(); err != nil {
			return err
		}
		hash, err := r.save(id, "feat("+id+"): what the plan says")
		if err != nil {
			return err
		}
		if err := r.script("summary", func(name, text string) error {
			if name != id {
				return nil
			}
			file := filepath.Join(r.at[id], ".planning", "phases", filepath.Base(r.folder), id+"-SUMMARY.md")
			return os.WriteFile(file, []byte(strings.ReplaceAll(text, "{{commit}}", hash)), 0o600)
		}); err != nil {
			return err
		}
		if _, err := r.save(id, "docs("+id+"): summary"); err != nil {
			return err
		}
		stage := run.Executing
		if i == 2 {
			stage = run.WaveGate
		}
		if err := r.report(stage, "executed", "--plan", id); err != nil {
			return err
		}
	}
	return r.statusFacts()
}

// merged brings the work to the base: one is in conflict, which its executor resolves.
func (r *real) merged() error {
	var a execute.MergeAnswer
	if err := r.ask(&a, "executor", "merge", "--phase", r.phase); err != nil {
		return err
	}
	for _, m := range a.Results {
		r.fact(m.Merged == (m.Plan != colliding), "%s is merged: %v (%s)", m.Plan, m.Merged, m.Message)
		r.mergeFacts(&m)
	}
	file := filepath.Join(r.at[colliding], "cement/core/hook.py")
	if out, err := exec.CommandContext(r.ctx, "git", "-C", r.at[colliding], "merge", "-q", "main").CombinedOutput(); err == nil {
		return fmt.Errorf("the base merges into %s without a conflict: %s", colliding, out)
	}
	if out, err := exec.CommandContext(r.ctx, "git", "-C", r.at[colliding], "checkout", "-q", "--theirs", "--", file).CombinedOutput(); err != nil {
		return fmt.Errorf("%w: %s", err, out)
	}
	if _, err := r.save(colliding, "merge main: the line of the other plan"); err != nil {
		return err
	}
	if err := r.ask(&a, "executor", "merge", "--phase", r.phase); err != nil {
		return err
	}
	for _, m := range a.Results {
		r.fact(m.Merged, "%s is not merged after its conflict was resolved: %s", m.Plan, m.Message)
		r.mergeFacts(&m)
		for _, c := range m.Next {
			var done any
			if err := r.ask(&done, strings.Fields(c)...); err != nil {
				return err
			}
		}
	}
	var cleaned execute.CleanAnswer
	if err := r.ask(&cleaned, "executor", "cleanup", "--phase", r.phase); err != nil {
		return err
	}
	for _, c := range cleaned.Results {
		r.fact(c.Removed && !exists(r.at[c.Plan]), "%s is said to be removed: %v; its folder is there: %v", c.Plan, c.Removed, exists(r.at[c.Plan]))
	}
	for _, id := range []string{repaired, rejected, colliding} {
		if ok, err := r.try(id, r.dir); !ok || err != nil {
			return fmt.Errorf("%s does not work after the merge (%w)", id, err)
		}
	}
	return r.report(run.Verifying, "gate", "--result", "passed")
}

// verified has the phase held against its plans, also with one of them spoiled.
func (r *real) verified() error {
	var a plancode.VerifyAnswer
	if err := r.ask(&a, "verify", "phase", r.phase); err != nil {
		return err
	}
	r.fact(a.Passed, "the phase is there and is not said to be: %+v", a)
	r.verifyFacts(&a)
	hook := filepath.Join(r.dir, "cement/core/hook.py")
	text, err := os.ReadFile(hook)
	if err != nil {
		return err
	}
	if err := edit(hook, "    def count(self", "    def total(self"); err != nil {
		return err
	}
	var spoiled plancode.VerifyAnswer
	if err := r.ask(&spoiled, "verify", "phase", r.phase); err != nil {
		return err
	}
	r.fact(!spoiled.Passed, "a method that a plan promises is gone, and the phase is said to be there")
	if err := os.WriteFile(hook, text, 0o600); err != nil {
		return err
	}
	var t plancode.TraceAnswer
	if err := r.ask(&t, "trace", r.phase); err != nil {
		return err
	}
	r.traceFacts(&t)
	var filled any
	if err := r.ask(&filled, "template", "fill", "verification", "--phase", r.phase); err != nil {
		return err
	}
	file := filepath.Join(r.folder, r.phase+"-VERIFICATION.md")
	if err := edit(file, "status: pending", "status: passed"); err != nil {
		return err
	}
	return r.report(run.Complete, "verified", "--result", "passed") // the project's settings have nobody agree to the end
}

// completed closes the phase, and compares what everybody says of it.
func (r *real) completed() error {
	var done phases.Completed
	if err := r.ask(&done, "phase", "complete", r.phase); err != nil {
		return err
	}
	r.fact(done.Plans == "3/3", "the phase is complete with %s plans", done.Plans)
	roadmap, err := os.ReadFile(filepath.Join(r.dir, ".planning/ROADMAP.md"))
	if err != nil {
		return err
	}
	r.fact(strings.Contains(string(roadmap), "- [x] **Phase 7: "+phaseTitle), "the roadmap does not tick the phase")
	requirements, err := os.ReadFile(filepath.Join(r.dir, ".planning/REQUIREMENTS.md"))
	if err != nil {
		return err
	}
	r.fact(strings.Contains(string(requirements), "- [x] **CNT-01**"), "the requirement is not ticked")
	var committed any
	if err := r.ask(&committed, "commit", "complete phase "+r.phase); err != nil {
		return err
	}
	left, err := r.git("status", "--porcelain", "--untracked-files=all", "--", ":!.ken")
	r.fact(err == nil && left == "", "git status: %s (%v)", left, err)
	return errors.Join(r.pageFacts(), r.oracleFacts())
}

func exists(file string) bool {
	_, err := os.Lstat(file)
	return err == nil
}

// same reports whether two lists have the same elements.
func same(a, b []string) bool {
	a, b = slices.Sorted(slices.Values(a)), slices.Sorted(slices.Values(b))
	return slices.Equal(a, b)
}

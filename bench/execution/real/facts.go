package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"ken/internal/delivery/plancode"
	"ken/internal/delivery/plancode/check"
	"ken/internal/delivery/plancode/verify"
	"ken/internal/workflow/plan/execute"
	"ken/internal/workflow/plan/payload"
	"ken/internal/workflow/plan/wave"
)

// has reports whether a file of the project has a text.
func (r *real) has(file, text string) bool {
	b, err := os.ReadFile(filepath.Join(r.dir, file))
	return err == nil && strings.Contains(string(b), text)
}

func last(name string) string { return name[strings.LastIndexByte(name, '.')+1:] }

// checkFacts compares what the check of a plan says with the files.
func (r *real) checkFacts(a *plancode.CheckAnswer) {
	r.fact(a.Index.Used, "%s was checked without the index: %s", a.Plan, a.Index.Note)
	for _, c := range a.Files {
		there := exists(filepath.Join(r.dir, c.Name))
		r.fact(there == (c.Verdict == check.Exists), "%s: the file %s is said to be %s, and it is there: %v", a.Plan, c.Name, c.Verdict, there)
		for _, n := range c.Near {
			r.fact(exists(filepath.Join(r.dir, n)), "%s: %s is said to be near, and is not there", a.Plan, n)
		}
	}
	for _, c := range a.Symbols {
		switch c.Verdict {
		case check.Exists:
			r.fact(r.has(c.Is, "def "+last(c.Name)+"(") || r.has(c.Is, "class "+last(c.Name)), "%s: %s is not in %s", a.Plan, c.Name, c.Is)
		case check.New, check.Missing:
			out, _ := r.git("grep", "-l", "-w", "-e", "def "+last(c.Name), "--", "cement")
			r.fact(out == "", "%s: %s is said to be %s, and is in %s", a.Plan, c.Name, c.Verdict, out)
		}
	}
	for _, b := range a.Breaks {
		r.fact(exists(filepath.Join(r.dir, b.Path)), "%s: %s is said to break, and is not there", a.Plan, b.Path)
	}
	sum := a.Reading.Plan
	for _, f := range a.Reading.Files {
		r.fact(exists(filepath.Join(r.dir, f.Path)), "%s: %s is to be read, and is not there", a.Plan, f.Path)
		sum += f.Tokens
	}
	r.fact(sum == a.Reading.Tokens, "%s: the files to read have %d tokens together, not %d", a.Plan, sum, a.Reading.Tokens)
}

// waves compares the waves with the plans, which need nothing and have no file in common.
func (r *real) waves() error {
	var a wave.Answer
	if err := r.ask(&a, "waves", r.phase); err != nil {
		return err
	}
	r.fact(same(a.Ready, []string{repaired, rejected, colliding}), "what can begin now is %v", a.Ready)
	r.fact(len(a.Waves) == 1 && len(a.Waves[0].Batches) == 1, "the waves are %+v", a.Waves)
	var w plancode.WritesAnswer
	if err := r.ask(&w, "writes", r.phase); err != nil {
		return err
	}
	r.fact(w.Index.Used && len(w.Apart) == 0, "plans are set apart: %+v", w.Apart)
	for _, p := range w.Plans {
		for _, f := range append(p.Writes, p.May...) {
			r.fact(exists(filepath.Join(r.dir, f.Path)) == f.Exists, "%s: %s is said to be there: %v", p.ID, f.Path, f.Exists)
		}
	}
	return nil
}

// payload compares what an executor reads first with the files it is of.
func (r *real) payload(plan string) error {
	var a payload.Answer
	if err := r.ask(&a, "payload", r.phase, plan, "--text"); err != nil {
		return err
	}
	r.fact(a.Tokens <= a.Budget && a.Budget <= a.Window*3/10, "%s: %d tokens of %d in a window of %d", plan, a.Tokens, a.Budget, a.Window)
	for _, p := range a.Parts {
		if p.File == "" {
			continue
		}
		b, err := os.ReadFile(filepath.Join(r.dir, p.File))
		r.fact(err == nil, "%s: the payload has %s, which is not there", plan, p.File)
		whole := strings.Contains(a.Text, strings.TrimSpace(string(b)))
		r.fact(p.Form != payload.Whole || whole, "%s: the payload is said to have all of %s", plan, p.File)
	}
	for _, l := range a.Left {
		r.fact(l.Name != "code" || l.File != "", "%s: code is left out: %s", plan, l.Reason)
	}
	return nil
}

// statusFacts compares what is said of executors with git.
func (r *real) statusFacts() error {
	var a execute.StatusAnswer
	if err := r.ask(&a, "executor", "status", "--phase", r.phase); err != nil {
		return err
	}
	for _, e := range a.Executors {
		in := func(args ...string) []string {
			out, err := exec.CommandContext(r.ctx, "git", append([]string{"-C", e.Directory}, args...)...).Output()
			if err != nil {
				r.fact(false, "git %v: %v", args, err)
			}
			return strings.Fields(string(out))
		}
		count := in("rev-list", "--count", e.Base+"..HEAD")
		r.fact(len(count) == 1 && count[0] == fmt.Sprint(e.Commits), "%s is said to have %d commits, git says %v", e.Plan, e.Commits, count)
		changed := slices.Concat(in("diff", "--name-only", e.Base), in("ls-files", "--others", "--exclude-standard"))
		r.fact(same(changed, e.Changed), "%s is said to have changed %v, git says %v", e.Plan, e.Changed, changed)
		open := slices.Concat(in("diff", "--name-only", "HEAD"), in("ls-files", "--others", "--exclude-standard"))
		r.fact(same(open, e.Uncommitted), "%s is said not to have committed %v, git says %v", e.Plan, e.Uncommitted, open)
		undeclared := e.Plan == colliding && slices.Contains(e.Changed, "cement/core/hook.py")
		r.fact(slices.Contains(e.Undeclared, "cement/core/hook.py") == undeclared, "%s is said to write what its plan does not name: %v", e.Plan, e.Undeclared)
	}
	return nil
}

// mergeFacts compares what is said of a merge with git.
func (r *real) mergeFacts(m *execute.MergedPlan) {
	tip, err := r.git("rev-parse", m.Branch)
	if err != nil {
		r.fact(false, "%s: %v", m.Plan, err)
		return
	}
	_, err = r.git("merge-base", "--is-ancestor", tip, "main")
	r.fact((err == nil) == m.Merged, "%s is said to be merged: %v, and main has it: %v", m.Plan, m.Merged, err == nil)
	if m.Merged {
		return
	}
	out, _ := exec.CommandContext(r.ctx, "git", "-C", r.dir, "merge-tree", "--write-tree", "--name-only", "--no-messages", "main", tip).Output()
	lines := strings.Split(strings.TrimSpace(string(out)), "\n")
	var said []string
	for _, c := range m.Conflicts {
		said = append(said, c.Path)
	}
	r.fact(same(said, lines[1:]), "%s is said to be in conflict in %v, git says %v", m.Plan, said, lines[1:])
}

// verifyFacts compares what is said of the must-haves with the files.
func (r *real) verifyFacts(a *plancode.VerifyAnswer) {
	r.fact(a.Index.Used && len(a.Undone) == 0, "index %v, without summary %v", a.Index, a.Undone)
	for _, f := range a.Artifacts {
		r.fact(f.Exists == exists(filepath.Join(r.dir, f.Path)), "%s is said to be there: %v", f.Path, f.Exists)
		if f.Reach != "" && exists(filepath.Join(r.dir, f.Reach)) {
			module := strings.TrimSuffix(filepath.Base(f.Path), ".py")
			r.fact(r.has(f.Reach, module), "%s is said to be reached by %s, which does not name %s", f.Path, f.Reach, module)
		}
	}
	for _, l := range a.Links {
		r.fact(l.State == verify.Verified, "the link from %s to %s is said to be %s", l.From, l.To, l.State)
	}
	for _, c := range a.Claims {
		if c.Kind == "commit" && c.State == verify.Verified {
			_, err := r.git("cat-file", "-e", c.Name+"^{commit}")
			r.fact(err == nil, "the commit %s of a summary is said to be there", c.Name)
		}
	}
}

// traceFacts compares the way from requirement to test with git and the files.
func (r *real) traceFacts(a *plancode.TraceAnswer) {
	for _, p := range a.Plans {
		var files []string
		for _, c := range p.Commits {
			out, err := r.git("show", "--name-only", "--format=", c, "--", ":!.planning")
			r.fact(err == nil, "the commit %s of %s is not there", c, p.ID)
			for f := range strings.FieldsSeq(out) {
				if !slices.Contains(files, f) {
					files = append(files, f)
				}
			}
		}
		r.fact(len(p.Commits) > 0 && same(files, p.Files), "%s changed %v, git says %v", p.ID, p.Files, files)
	}
	for _, f := range a.Files {
		r.fact(f.Exists == exists(filepath.Join(r.dir, f.Path)), "%s is said to be there: %v", f.Path, f.Exists)
		for _, s := range f.Symbols {
			r.fact(r.has(f.Path, last(s)), "%s is said to offer %s", f.Path, s)
		}
		for _, t := range f.Tests {
			module := strings.TrimSuffix(filepath.Base(f.Path), ".py")
			r.fact(r.has(t, module), "%s is said to test %s, which it does not name", t, f.Path)
		}
	}
}

// pageFacts looks at what the page and the doctor say at the end.
func (r *real) pageFacts() error {
	page, err := exec.CommandContext(r.ctx, r.ken, "plan", "-C", r.dir).Output()
	if err != nil {
		return err
	}
	r.fact(strings.Contains(string(page), "3/3 "+phaseTitle), "the page is\n%s", page)
	doctor, err := exec.CommandContext(r.ctx, r.ken, "plan", "-C", r.dir, "doctor").Output()
	if err != nil {
		return err
	}
	r.fact(!strings.Contains(string(doctor), "phase 7") && !strings.Contains(string(doctor), "phase 07"), "the doctor finds in what ken wrote:\n%s", doctor)
	return nil
}

// oracleFacts asks gsd-tools whether it can still work with the folder, and what it says of the phase.
func (r *real) oracleFacts() error {
	if r.oracle == "" {
		fmt.Println("without -oracle: whether gsd-tools can still work with the folder was not looked at")
		return nil
	}
	tools := func(into any, args ...string) error {
		cmd := exec.CommandContext(r.ctx, "node", append([]string{r.oracle}, args...)...)
		cmd.Dir = r.dir
		out, err := cmd.Output()
		if err != nil {
			return fmt.Errorf("gsd-tools %v: %w", args, err)
		}
		return json.Unmarshal(out, into)
	}
	var health struct {
		Status   string
		Errors   []any
		Warnings []any
	}
	var plans struct {
		Incomplete []string
		Plans      []any
	}
	var found struct {
		Found     bool
		Summaries []string
	}
	if err := tools(&health, "validate", "health"); err != nil {
		return err
	}
	r.fact(len(health.Errors) == 0 && health.Status != "broken", "gsd-tools says of the folder: %+v", health)
	if err := tools(&plans, "phase-plan-index", "7"); err != nil {
		return err
	}
	r.fact(len(plans.Plans) == 3 && len(plans.Incomplete) == 0, "gsd-tools says of the plans: %+v", plans)
	if err := tools(&found, "find-phase", "7"); err != nil {
		return err
	}
	r.fact(found.Found && len(found.Summaries) == 3, "gsd-tools says of the phase: %+v", found)
	return nil
}

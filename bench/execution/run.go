package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"ken/bench/world"
	"ken/internal/workflow/plan/execute"
)

// phaseDir is where the plans of a run are.
const phaseDir = ".planning/phases/01-base"

// executionRun is one repository with its executors.
type executionRun struct {
	ctx  context.Context
	seed uint64
	r    *rand.Rand
	top  string // of everything
	dir  string // of the project
	ken  string // the program
	workTotals
	faults []string
	plans  []*plan
	state  string // STATE.md as the orchestrator has it
}

// plan is a plan with the progress of its executor.
type plan struct {
	id        string
	file      string // that it names
	deletes   string // that it names as a file to delete, "" for none
	dir       string // of its executor
	branch    string
	commits   []string
	summary   string // its text
	ignores   string // a file that it deletes and names nowhere
	allowed   bool   // and may delete
	abandoned bool
}

func newRun(ctx context.Context, ken string, seed uint64) (*executionRun, error) {
	top, _, err := world.Scratch("ken-execution")
	if err != nil {
		return nil, err
	}
	r := &executionRun{ctx: ctx, seed: seed, r: rand.New(rand.NewPCG(seed, 7)), top: top, dir: filepath.Join(top, "project"), ken: ken}
	if seed%4 == 0 { // below the top of the repository
		r.dir = filepath.Join(top, "project", "below")
	}
	return r, nil
}

func (r *executionRun) recordFault(format string, args ...any) {
	r.faults = append(r.faults, fmt.Sprintf(format, args...))
}

// isDrawn returns true in percent of a hundred cases.
func (r *executionRun) isDrawn(percent int) bool { return r.r.IntN(100) < percent }

func (r *executionRun) git(dir string, args ...string) (string, error) {
	return world.Git(r.ctx, dir, args...)
}

func write(dir, name, text string) error {
	return world.WriteFiles(dir, map[string]string{name: text})
}

// commitAll commits everything in a tree and returns the commit.
func (r *executionRun) commitAll(dir, message string) (string, error) {
	if _, err := r.git(dir, "add", "-A", "."); err != nil {
		return "", err
	}
	if _, err := r.git(dir, "commit", "-q", "--allow-empty", "-m", message); err != nil {
		return "", err
	}
	return r.git(dir, "rev-parse", "HEAD")
}

// runKen runs an operation of `ken plan`. The process may be killed at any moment, alone or with the git that it started; then the
// operation is run again, as an orchestrator does.
func (r *executionRun) runKen(into any, words ...string) error {
	for kills := 0; ; kills++ {
		cmd := exec.CommandContext(r.ctx, r.ken, append([]string{"-C", r.dir, "plan", "--json"}, words...)...)
		var out, errs bytes.Buffer
		cmd.Stdout, cmd.Stderr = &out, &errs
		cmd.Env = world.Environment(r.top, "GIT_AUTHOR_NAME=t", "GIT_AUTHOR_EMAIL=t@example.com", "GIT_COMMITTER_NAME=t", "GIT_COMMITTER_EMAIL=t@example.com")
		cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
		if err := cmd.Start(); err != nil {
			return err
		}
		kill := kills < 3 && r.isDrawn(60)
		if kill {
			time.Sleep(time.Duration(r.r.IntN(160_000)) * time.Microsecond)
			who := cmd.Process.Pid
			if r.isDrawn(50) {
				who = -who
			}
			kill = syscall.Kill(who, syscall.SIGKILL) == nil
		}
		err := cmd.Wait()
		if (err == nil || !kill) && json.Unmarshal(out.Bytes(), into) == nil {
			return nil // a plan that is refused makes the exit status 1, too
		}
		if !kill || err == nil {
			return fmt.Errorf("ken %v: %w: %s", words, err, errs.String())
		}
		r.kills++
	}
}

// makeRepository makes the repository and its plans.
func (r *executionRun) makeRepository() error {
	repo := filepath.Join(r.top, "project")
	if err := os.MkdirAll(r.dir, 0o755); err != nil {
		return err
	}
	if _, err := r.git(repo, "init", "-q", "-b", "main"); err != nil {
		return err
	}
	r.state = "# State\n\nStatus: executing\n"
	files := map[string]string{
		".planning/STATE.md":        r.state,
		".planning/ROADMAP.md":      "# Roadmap\n\n- [ ] **Phase 1: Base**\n\n### Phase 1: Base\n**Goal**: x\n",
		".planning/REQUIREMENTS.md": "# Requirements\n",
		".planning/config.json":     `{"parallelization": {"max_concurrent_agents": 9}}`,
		"src/shared.txt":            numberedLines("shared", 40),
	}
	for i := range 2 + r.r.IntN(5) {
		p := &plan{id: fmt.Sprintf("01-%02d", i+1)}
		p.file = "src/" + p.id + ".txt"
		text := "---\nwave: 1\ndepends_on: []\nfiles_modified: [" + p.file + "]\n"
		if r.isDrawn(30) {
			p.deletes = "src/gone-" + p.id + ".txt"
			text += "files_deleted: [" + p.deletes + "]\n"
			files[p.deletes] = numberedLines("gone "+p.id, 5)
		}
		files[phaseDir+"/"+p.id+"-PLAN.md"] = text + "---\n"
		files[p.file] = numberedLines(p.id, 20)
		files["keep/"+p.id+".txt"] = numberedLines("keep "+p.id, 9)
		r.plans = append(r.plans, p)
	}
	if err := world.WriteFiles(r.dir, files); err != nil {
		return err
	}
	r.executors = len(r.plans)
	_, err := r.commitAll(repo, "first")
	return err
}

func numberedLines(what string, n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "%s line %d\n", what, i)
	}
	return b.String()
}

// execute runs the whole test in one repository.
func (r *executionRun) execute() error {
	if err := r.makeRepository(); err != nil {
		return err
	}
	var created execute.CreateAnswer
	if err := r.runKen(&created, "executor", "create", "1"); err != nil {
		return err
	}
	for _, e := range created.Executors {
		p := r.plans[slices.IndexFunc(r.plans, func(p *plan) bool { return p.id == e.Plan })]
		p.dir, p.branch = e.Directory, e.Branch
		if e.Refused != "" || p.dir == "" {
			return fmt.Errorf("%s has no executor: %s", e.Plan, e.Message)
		}
	}
	if len(created.Executors) != len(r.plans) {
		return fmt.Errorf("%d executors of %d", len(created.Executors), len(r.plans))
	}
	for _, p := range r.plans {
		if err := r.workOnPlan(p); err != nil {
			return err
		}
	}
	if r.isDrawn(50) {
		r.state += "Last activity: now\n"
		if err := errors.Join(write(r.dir, ".planning/STATE.md", r.state), write(r.dir, "src/later.txt", "later\n")); err != nil {
			return err
		}
		if _, err := r.commitAll(r.dir, "the orchestrator goes on"); err != nil {
			return err
		}
	}
	return r.mergeAll()
}

// workOnPlan does the work of an executor until it is done or dies at random.
func (r *executionRun) workOnPlan(p *plan) error {
	changes := []func() error{func() error { return write(p.dir, p.file, numberedLines(p.id+" new", 20)) }}
	add := func(percent int, f func() error) {
		if r.isDrawn(percent) {
			changes = append(changes, f)
		}
	}
	add(40, func() error { // comes in the way of others, or not
		text := strings.Replace(numberedLines("shared", 40), fmt.Sprintf("line %d\n", r.r.IntN(12)), "line of "+p.id+"\n", 1)
		return write(p.dir, "src/shared.txt", text)
	})
	add(30, func() error {
		r.renames++
		return os.Rename(filepath.Join(p.dir, "keep", p.id+".txt"), filepath.Join(p.dir, "src", "moved-"+p.id+".txt"))
	})
	add(40, func() error { return write(p.dir, ".planning/STATE.md", "# State of "+p.id+"\n") })
	add(20, func() error { return write(p.dir, ".planning/ROADMAP.md", "# No roadmap\n") })
	add(15, func() error {
		p.ignores = "keep/" + r.plans[0].id + ".txt"
		if p == r.plans[0] {
			p.ignores = "src/shared.txt"
		}
		err := os.Remove(filepath.Join(p.dir, p.ignores))
		if errors.Is(err, os.ErrNotExist) {
			return nil
		}
		return err
	})
	if p.deletes != "" {
		add(80, func() error { r.deletions++; return os.Remove(filepath.Join(p.dir, p.deletes)) })
	}
	for _, change := range changes {
		if err := change(); err != nil {
			return err
		}
		if err := r.commitWork(p); err != nil {
			return err
		}
	}
	if r.isDrawn(20) { // killed in the midst of it
		return write(p.dir, "src/half-"+p.id+".txt", "half\n")
	}
	p.summary = fmt.Sprintf("---\nplan: %s\n---\n# Summary of %s, run %d\n", p.id, p.id, r.seed)
	r.summaries++
	if err := write(p.dir, phaseDir+"/"+p.id+"-SUMMARY.md", p.summary); err != nil || r.isDrawn(40) {
		return err // and not committed
	}
	if err := r.commitWork(p); err != nil || !r.isDrawn(15) {
		return err
	}
	return r.loseFolder(p)
}

// loseFolder removes the folder of an executor, as products do that clean up after an agent, and has it made again.
func (r *executionRun) loseFolder(p *plan) error {
	if err := os.RemoveAll(p.dir); err != nil {
		return err
	}
	var a execute.CreateAnswer
	if err := r.runKen(&a, "executor", "create", "1", p.id); err != nil {
		return err
	}
	r.restored++
	if got, err := r.git(p.dir, "status", "--porcelain"); err != nil || got != "" || len(a.Executors) != 1 || a.Executors[0].Directory != p.dir {
		r.recordFault("%s: its folder was not made again: %q, %v, %+v", p.id, got, err, a.Executors)
	}
	return nil
}

// commitWork commits the changes of an executor.
func (r *executionRun) commitWork(p *plan) error {
	id, err := r.commitAll(p.dir, "feat("+p.id+"): work")
	p.commits = append(p.commits, id)
	r.commits++
	return err
}

package execute_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"ken/internal/git/gittest"
	"ken/internal/workflow/plan/execute"
	"ken/internal/workflow/plan/planop"
)

// project is a repository with a planning folder.
type project struct {
	*testing.T
	dir string
	now time.Time

	state string // the user's
}

// newProject has a phase of three plans: 01-01 and 01-02 side by side, 01-03 after both.
func newProject(t *testing.T) *project {
	t.Helper()
	gittest.IsolateSettings(t)
	gittest.SetUser(t, "T")
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	p := &project{T: t, dir: dir, state: filepath.Join(t.TempDir(), "state"), now: time.Now()}
	gittest.Run(t, dir, "init", "-q")
	gittest.Write(t, dir, "src/a.go", "package src\n\nfunc A() {}\n\n// one\n// two\n// three\n")
	gittest.Write(t, dir, "src/b.go", "package src\n\nfunc B() {}\n")
	gittest.Write(t, dir, "src/old.go", "package src\n\nfunc Old() {}\n")
	gittest.Write(t, dir, ".planning/STATE.md", "# State\n\nPlan: 1 of 3\n")
	gittest.Write(t, dir, ".planning/ROADMAP.md", "# Roadmap\n\n- [ ] **Phase 1: Base**\n\n### Phase 1: Base\n**Goal**: a base\n")
	gittest.Write(t, dir, ".planning/REQUIREMENTS.md", "# Requirements\n")
	p.plan("01-01", "files_modified: [src/a.go]")
	p.plan("01-02", "files_modified: [src/b.go]")
	p.plan("01-03", `depends_on: ["01-01", "01-02"]`)
	p.commit("first")
	return p
}

func (p *project) plan(id, more string) {
	p.Helper()
	gittest.Write(p, p.dir, ".planning/phases/01-base/"+id+"-PLAN.md", "---\nplan: "+id+"\n"+more+"\n---\n")
}

func (p *project) commit(message string) {
	p.Helper()
	gittest.Commit(p, p.dir, message)
}

// commitStaged commits the index alone.
func (p *project) commitStaged(message string) {
	p.Helper()
	gittest.Run(p, p.dir, "commit", "-qm", message)
}

// try runs an operation as the command line does.
func (p *project) try(words string) (any, error) {
	p.Helper()
	a, err := planop.RunWords(p.Context(), execute.All(), planop.Surroundings{
		Dir: p.dir, StateDir: p.state, Getenv: func(string) string { return "" },
		Now: func() time.Time { return p.now },
	}, strings.Fields(words))
	if err != nil {
		return nil, err
	}
	return a.Value, nil
}

func must[A any](p *project, words string) A {
	p.Helper()
	a, err := p.try(words)
	if err != nil {
		p.Fatalf("%s: %v", words, err)
	}
	return a.(A)
}

// create makes the executors of phase 1 and returns where each works, by plan.
func (p *project) create(words ...string) map[string]string {
	p.Helper()
	a := must[*execute.CreateAnswer](p, "executor create 1 "+strings.Join(words, " "))
	dirs := map[string]string{}
	for _, e := range a.Executors {
		if e.Refused != "" {
			p.Fatalf("%s: %s", e.Plan, e.Message)
		}
		dirs[e.Plan] = e.Directory
	}
	return dirs
}

// summary writes the summary of a plan into a tree.
func (p *project) summary(dir, id string) string {
	p.Helper()
	at := ".planning/phases/01-base/" + id + "-SUMMARY.md"
	gittest.Write(p, dir, at, "---\nplan: "+id+"\n---\n# done\n")
	return at
}

// work commits in the work tree of an executor.
func (p *project) work(dir, path, text string) {
	p.Helper()
	gittest.Write(p, dir, path, text)
	gittest.Run(p, dir, "add", "-A")
	gittest.Run(p, dir, "commit", "-qm", "feat: "+path)
}

// finish commits some work and the summary.
func (p *project) finish(dir, id, path, text string) {
	p.Helper()
	p.work(dir, path, text)
	p.work(dir, p.summary(dir, id), gittest.Read(p, dir, p.summary(dir, id)))
}

func (p *project) merge(words string) map[string]execute.MergedPlan {
	p.Helper()
	a := must[*execute.MergeAnswer](p, "executor merge "+words)
	rows := map[string]execute.MergedPlan{}
	for _, r := range a.Results {
		rows[r.Plan] = r
	}
	return rows
}

// merged fails unless a plan was merged.
func (p *project) merged(r execute.MergedPlan) {
	p.Helper()
	if !r.Merged {
		p.Fatalf("%s was not merged: %s: %s", r.Plan, r.Reason, r.Message)
	}
}

// blocked fails unless a plan was refused for a reason, and its branch is as it was.
func (p *project) blocked(r execute.MergedPlan, reason string) {
	p.Helper()
	if r.Merged || r.Reason != reason || r.Message == "" {
		p.Fatalf("%s: merged %v, reason %q, want %q: %s", r.Plan, r.Merged, r.Reason, reason, r.Message)
	}
}

func (p *project) status(words string) map[string]execute.Status {
	p.Helper()
	a := must[*execute.StatusAnswer](p, "executor status "+words)
	rows := map[string]execute.Status{}
	for _, s := range a.Executors {
		rows[s.Plan] = s
	}
	return rows
}

// clean fails unless nothing of executors is left and git sees no change.
func (p *project) clean() {
	p.Helper()
	for _, gone := range []string{".ken/worktrees", ".git/worktrees", ".git/index.lock"} {
		if _, err := os.Lstat(filepath.Join(p.dir, gone)); err == nil {
			p.Errorf("%s is left", gone)
		}
	}
	if out := gittest.Run(p, p.dir, "for-each-ref", "--format=%(refname:short)", "refs/heads/ken-plan-*"); out != "" {
		p.Errorf("branches are left: %s", out)
	}
	if out := gittest.Run(p, p.dir, "status", "--porcelain", "--untracked-files=all"); out != "" {
		p.Errorf("git status:\n%s", out)
	}
	if left, _ := os.ReadDir(filepath.Join(p.dir, ".git/ken/executors")); len(left) > 0 {
		p.Errorf("records are left: %v", left)
	}
}

// fault fails unless an operation ends with a fault of a reason.
func (p *project) fault(words, reason string) {
	p.Helper()
	_, err := p.try(words)
	fault, ok := errors.AsType[*planop.Fault](err)
	if !ok || fault.Reason != reason {
		p.Fatalf("%s: %v, want the fault %s", words, err, reason)
	}
}

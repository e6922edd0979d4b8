package execute_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"ken/internal/git/gittest"
	"ken/internal/statefile"
	"ken/internal/workflow/plan/execute"
)

// TestSideBySide: a wave from its beginning to its end.
func TestSideBySide(t *testing.T) {
	p := newProject(t)
	head := gittest.Run(t, p.dir, "rev-parse", "HEAD")
	dirs := p.create("--base", head)
	if len(dirs) != 2 || dirs["01-01"] == dirs["01-02"] {
		t.Fatalf("executors in %v", dirs)
	}
	again := p.create()
	if again["01-01"] != dirs["01-01"] {
		t.Errorf("creating again gave %v", again)
	}
	p.fault("executor create 1 01-03", "plan_waiting")
	p.fault("executor create 1 01-09", "plan_not_found")
	p.fault("executor create 1 --base HEAD~0^{tree}", "base_moved")
	p.finish(dirs["01-01"], "01-01", "src/a.go", "package src\n\nfunc A2() {}\n")
	p.finish(dirs["01-02"], "01-02", "src/b.go", "package src\n\nfunc B2() {}\n")
	for id, s := range p.status("") {
		if s.State != execute.Finished || s.Commits != 2 || len(s.Uncommitted)+len(s.Unintended)+len(s.Undeclared) > 0 {
			t.Errorf("%s: %+v", id, s)
		}
	}
	for _, r := range p.merge("") {
		p.merged(r)
		if parents := gittest.Run(t, p.dir, "rev-list", "--parents", "-1", r.Into); strings.Count(parents, " ") != 2 {
			t.Errorf("%s is no merge commit: %s", r.Plan, parents)
		}
		if !slices.Contains(r.Next, "roadmap update-plan-progress 01") {
			t.Errorf("next: %v", r.Next)
		}
	}
	if got := p.status("01-01")["01-01"].State; got != execute.Merged {
		t.Errorf("state %s", got)
	}
	if a := must[*execute.CleanAnswer](p, "executor cleanup"); !a.OK || len(a.Results) != 2 {
		t.Errorf("%+v", a)
	}
	p.clean()
	if dirs := p.create(); len(dirs) != 1 || dirs["01-03"] == "" {
		t.Errorf("the next wave: %v", dirs)
	}
}

// TestOneAfterAnother: repositories that have no work trees are worked on in the main tree, one plan at a time, and the reason is named.
// TestRequirementsAreMetOnce: a requirement that several plans of a phase have is named when the last of them is merged.
func TestRequirementsAreMetOnce(t *testing.T) {
	p := newProject(t)
	p.plan("01-01", "files_modified: [src/a.go]\nrequirements: [A-1, B-1]")
	p.plan("01-02", "files_modified: [src/b.go]\nrequirements: [A-1]")
	p.plan("01-03", "files_modified: [src/c.go]\nrequirements: [C-1]")
	p.commit("plans")
	dirs := p.create()
	p.finish(dirs["01-01"], "01-01", "src/a.go", "package src\n\nfunc A2() {}\n")
	if r := p.merge("01-01")["01-01"]; !slices.Contains(r.Next, "requirements mark-complete B-1") {
		t.Errorf("next of the first: %v", r.Next)
	}
	p.finish(dirs["01-02"], "01-02", "src/b.go", "package src\n\nfunc B2() {}\n")
	if r := p.merge("01-02")["01-02"]; !slices.Contains(r.Next, "requirements mark-complete A-1") {
		t.Errorf("next of the second: %v", r.Next)
	}
}

func TestOneAfterAnother(t *testing.T) {
	for _, test := range []struct {
		name, reason string
		prepare      func(p *project)
	}{
		{"use_worktrees off", "use_worktrees is off", func(p *project) {
			gittest.Write(p, p.dir, ".planning/config.json", `{"workflow": {"use_worktrees": false}}`)
		}},
		{"no work side by side", "parallelization is off", func(p *project) {
			gittest.Write(p, p.dir, ".planning/config.json", `{"parallelization": false}`)
		}},
		{"repositories inside", "sub_repos", func(p *project) {
			gittest.Write(p, p.dir, ".planning/config.json", `{"planning": {"sub_repos": ["api"]}}`)
		}},
		{"submodules", "submodules", func(p *project) {
			inner := filepath.Join(p.dir, "..", "inner")
			if err := os.MkdirAll(inner, 0o755); err != nil {
				p.Fatal(err)
			}
			gittest.Run(p, inner, "init", "-q")
			gittest.Run(p, inner, "commit", "-qm", "x", "--allow-empty")
			gittest.Run(p, p.dir, "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", inner, "lib")
			p.commit("submodule")
		}},
		{"filters", "filter program", func(p *project) {
			gittest.Run(p, p.dir, "config", "filter.x.clean", "cat")
			gittest.Write(p, p.dir, ".gitattributes", "*.go filter=x\n")
			p.commit("filter")
		}},
		{"no branch", "on no branch", func(p *project) { gittest.Run(p, p.dir, "checkout", "-q", "--detach") }},
		{"no repository", "not in a git repository", func(p *project) {
			if err := os.RemoveAll(filepath.Join(p.dir, ".git")); err != nil {
				p.Fatal(err)
			}
		}},
	} {
		t.Run(test.name, func(t *testing.T) {
			p := newProject(t)
			test.prepare(p)
			a := must[*execute.CreateAnswer](p, "executor create 1 01-01 01-02")
			if len(a.Executors) == 1 {
				e := a.Executors[0]
				if e.Mode != execute.Sequential || !strings.Contains(e.Reason, test.reason) || e.Directory != p.dir {
					t.Fatalf("%+v", e)
				}
			}
			if len(a.Executors) == 0 {
				t.Fatalf("%+v", a)
			}
			p.blocked(p.merge("01-01")["01-01"], "unfinished")
			p.summary(p.dir, "01-01")
			p.merged(p.merge("01-01")["01-01"])
			if len(p.status("")) != 0 {
				t.Error("the executor is still there")
			}
			if a := must[*execute.CreateAnswer](p, "executor create 1 01-02"); a.Executors[0].Plan != "01-02" || !a.Executors[0].New {
				t.Errorf("%+v", a)
			}
		})
	}
}

// TestConflictsStayWhole: nothing of a plan that does not fit is merged, the files are named, and going on from there ends well.
func TestConflictsStayWhole(t *testing.T) {
	p := newProject(t)
	dirs := p.create()
	p.finish(dirs["01-01"], "01-01", "src/shared.go", "package src // one\n")
	p.finish(dirs["01-02"], "01-02", "src/shared.go", "package src // two\n")
	rows := p.merge("")
	p.merged(rows["01-01"])
	p.blocked(rows["01-02"], "conflict")
	if c := rows["01-02"].Conflicts; len(c) != 1 || c[0] != (execute.MergeConflict{Path: "src/shared.go", Base: "added", Executor: "added"}) {
		t.Errorf("conflicts: %+v", c)
	}
	if s := p.status("01-02")["01-02"]; s.State != execute.Finished || s.Commits != 2 || !slices.Contains(s.Undeclared, "src/shared.go") {
		t.Errorf("%+v", s)
	}
	a := must[*execute.CleanAnswer](p, "executor cleanup")
	if a.OK || !a.Results[0].Removed || a.Results[1].Reason != "unmerged" {
		t.Errorf("%+v", a)
	}
	// An agent resolves it where it is.
	gittest.Run(t, dirs["01-02"], "merge", "-q", "-X", "ours", "main")
	w := must[*execute.WaveAnswer](p, "worktree cleanup-wave")
	if !w.OK || gittest.Read(p, p.dir, "src/shared.go") != "package src // two\n" {
		t.Errorf("%+v", w)
	}
	p.clean()
}

// TestExecutorsThatWriteStateThemselves: the files of the one writer stay as the base has them, changed or not, and no conflict comes
// of it.
func TestExecutorsThatWriteStateThemselves(t *testing.T) {
	p := newProject(t)
	dirs := p.create()
	for id, dir := range dirs {
		gittest.Write(t, dir, ".planning/STATE.md", "# State\n\nPlan: "+id+" says so\n")
		gittest.Write(t, dir, ".planning/ROADMAP.md", "gone\n")
		gittest.Write(t, dir, ".planning/workstreams/x/STATE.md", "new\n")
		p.finish(dir, id, "src/"+id+".go", "package src\n")
	}
	gittest.Write(t, p.dir, ".planning/STATE.md", "# State\n\nPlan: 2 of 3\n")
	p.commit("the orchestrator goes on")
	for _, r := range p.merge("") {
		p.merged(r)
		if !slices.Contains(r.LeftOut, ".planning/STATE.md") || !slices.Contains(r.LeftOut, ".planning/ROADMAP.md") {
			t.Errorf("left out: %v", r.LeftOut)
		}
	}
	if got := gittest.Read(p, p.dir, ".planning/STATE.md"); got != "# State\n\nPlan: 2 of 3\n" {
		t.Errorf("STATE.md: %q", got)
	}
	if got := gittest.Read(p, p.dir, ".planning/ROADMAP.md"); !strings.Contains(got, "Phase 1") || gittest.Read(p, p.dir, ".planning/workstreams/x/STATE.md") != "<none>" {
		t.Errorf("ROADMAP.md: %q", got)
	}
	must[*execute.CleanAnswer](p, "executor cleanup")
	p.clean()
}

// TestBaseThatMoved: a base that went on is merged into; one that has lost the commit that an executor began from is not, unless wanted.
func TestBaseThatMoved(t *testing.T) {
	p := newProject(t)
	p.work(p.dir, "src/wrong.go", "package src\n")
	dirs := p.create()
	p.finish(dirs["01-01"], "01-01", "src/a.go", "package src\n")
	p.finish(dirs["01-02"], "01-02", "src/b.go", "package src\n")
	p.work(p.dir, "src/later.go", "package src\n")
	p.merged(p.merge("01-01")["01-01"])
	gittest.Run(t, p.dir, "reset", "-q", "--hard", "HEAD~3")
	p.blocked(p.merge("01-02")["01-02"], "base_moved")
	if !p.status("01-02")["01-02"].Moved || gittest.Read(p, p.dir, "src/wrong.go") != "<none>" {
		t.Error("the base was not seen to have moved")
	}
	p.merged(p.merge("01-02 --accept-moved-base")["01-02"])
}

// TestMergeIntoADirtyTree: files of the main tree that are not committed are never overwritten, and others are in nobody's way.
func TestMergeIntoADirtyTree(t *testing.T) {
	p := newProject(t)
	dirs := p.create()
	p.finish(dirs["01-01"], "01-01", "src/a.go", "package src\n")
	p.finish(dirs["01-02"], "01-02", "src/b.go", "package src\n")
	gittest.Write(t, p.dir, "src/a.go", "not committed\n")
	gittest.Write(t, p.dir, ".planning/STATE.md", "the orchestrator writes\n")
	rows := p.merge("")
	p.blocked(rows["01-01"], "uncommitted")
	p.merged(rows["01-02"])
	if gittest.Read(p, p.dir, "src/a.go") != "not committed\n" || !slices.Equal(rows["01-01"].Paths, []string{"src/a.go"}) {
		t.Errorf("%+v", rows["01-01"])
	}
	gittest.Run(t, p.dir, "checkout", "-q", "src/a.go")
	p.merged(p.merge("01-01")["01-01"])
	if gittest.Read(p, p.dir, ".planning/STATE.md") != "the orchestrator writes\n" {
		t.Error("STATE.md was overwritten")
	}
	// What a plan changes has to be committed before its executor begins.
	gittest.Write(t, p.dir, ".planning/phases/01-base/01-03-PLAN.md", "---\nplan: 3\n---\nchanged\n")
	p.fault("executor create 1 01-03", "uncommitted")
}

// TestPhaseRenamedWhileItRuns: a summary goes to the folder that its phase has by now.
func TestPhaseRenamedWhileItRuns(t *testing.T) {
	p := newProject(t)
	dirs := p.create("01-01")
	p.finish(dirs["01-01"], "01-01", "src/a.go", "package src\n")
	gittest.Run(t, p.dir, "mv", ".planning/phases/01-base", ".planning/phases/01-ground")
	p.blocked(p.merge("")["01-01"], "phase_renamed")
	p.commit("rename")
	if got := p.status("")["01-01"].Renamed; got != ".planning/phases/01-ground/01-01-SUMMARY.md" {
		t.Errorf("renamed to %q", got)
	}
	p.merged(p.merge("")["01-01"])
	if gittest.Read(p, p.dir, ".planning/phases/01-ground/01-01-SUMMARY.md") == "<none>" || gittest.Read(p, p.dir, ".planning/phases/01-base/01-01-SUMMARY.md") != "<none>" {
		t.Error("the summary is not where its plan is")
	}
	must[*execute.CleanAnswer](p, "executor cleanup")
	p.clean()
}

// TestPhaseRemovedWhileItRuns: the summary of a plan that is gone belongs to nothing.
func TestPhaseRemovedWhileItRuns(t *testing.T) {
	p := newProject(t)
	dirs := p.create("01-01")
	p.finish(dirs["01-01"], "01-01", "src/a.go", "package src\n")
	gittest.Run(t, p.dir, "rm", "-rq", ".planning/phases/01-base")
	p.commit("gone")
	p.blocked(p.merge("")["01-01"], "plan_gone")
}

// TestPathsOutside: a plan that names paths outside the project has no executor.
func TestPathsOutside(t *testing.T) {
	p := newProject(t)
	p.plan("01-01", "files_modified: [../elsewhere.go, /etc/passwd]")
	p.commit("outside")
	p.fault("executor create 1 01-01", "outside_project")
	if a := must[*execute.CreateAnswer](p, "executor create 1 01-01 --outside"); !a.Executors[0].New {
		t.Errorf("%+v", a)
	}
	must[*execute.CleanAnswer](p, "executor cleanup 01-01")
	p.plan("01-01", `depends_on: ["01-03"]`)
	p.commit("cycle")
	p.fault("executor create 1", "dependency_cycle")
}

// TestStalls: timers are data, and what an executor does sets them back.
func TestStalls(t *testing.T) {
	p := newProject(t)
	dirs := p.create("01-01")
	if s := p.status("")["01-01"]; s.Stalled || s.TimedOut || s.State != execute.Running {
		t.Errorf("%+v", s)
	}
	p.now = p.now.Add(6 * time.Minute)
	if s := p.status("")["01-01"]; s.Stalled || !s.TimedOut || s.Idle != 6 {
		t.Errorf("%+v", s)
	}
	p.now = p.now.Add(5 * time.Minute)
	if s := p.status("")["01-01"]; !s.Stalled {
		t.Errorf("%+v", s)
	}
	gittest.Write(t, dirs["01-01"], "src/new.go", "package src\n")
	if err := os.Chtimes(filepath.Join(dirs["01-01"], "src/new.go"), p.now, p.now); err != nil {
		t.Fatal(err)
	}
	if s := p.status("")["01-01"]; s.Stalled || s.Idle != 0 || !slices.Equal(s.Uncommitted, []string{"src/new.go"}) {
		t.Errorf("%+v", s)
	}
	a := must[*execute.StatusAnswer](p, "executor status")
	if a.Limits != (execute.Limits{Timeout: 300000, Interval: 5, Threshold: 10}) {
		t.Errorf("%+v", a.Limits)
	}
}

// TestAbandon: work that nobody wants any more stays on a branch, and the plan can be begun anew.
func TestAbandon(t *testing.T) {
	p := newProject(t)
	dirs := p.create("01-01")
	p.work(dirs["01-01"], "src/a.go", "package src // half\n")
	gittest.Write(t, dirs["01-01"], "src/c.go", "package src // not committed\n")
	a := must[*execute.CleanAnswer](p, "executor cleanup 01-01")
	if a.OK || a.Results[0].Reason != "unmerged" {
		t.Fatalf("%+v", a)
	}
	p.fault("executor cleanup --abandon", "plan_missing")
	a = must[*execute.CleanAnswer](p, "executor cleanup 01-01 --abandon")
	if !a.OK || a.Results[0].Kept != "ken-abandoned-01-01" {
		t.Fatalf("%+v", a)
	}
	if got := gittest.Run(t, p.dir, "show", "ken-abandoned-01-01:src/c.go"); got != "package src // not committed" {
		t.Errorf("src/c.go: %q", got)
	}
	p.clean()
	if dirs := p.create("01-01"); gittest.Read(p, dirs["01-01"], "src/c.go") != "<none>" {
		t.Error("the new executor has the work of the old one")
	}
	a = must[*execute.CleanAnswer](p, "executor cleanup 01-01 --abandon")
	if !a.OK || a.Results[0].Kept != "" {
		t.Errorf("a branch for no work: %+v", a)
	}
	p.clean()
}

// TestPlanningThatGitIgnores: without the plan in a commit a work tree would not have it, so the plan is carried out on the main tree.
func TestPlanningThatGitIgnores(t *testing.T) {
	ignore := func(p *project) {
		gittest.Run(p, p.dir, "rm", "-rq", "--cached", ".planning")
		gittest.Write(p, p.dir, ".gitignore", ".planning/\n")
		p.commit("planning is private")
	}
	for name, c := range map[string]struct {
		make   func(p *project)
		reason string
	}{
		"ignored": {ignore, "git ignores .planning, so a work tree would not have the plan"},
		"commit_docs off": {
			func(p *project) { gittest.Write(p, p.dir, ".planning/config.json", `{"commit_docs": false}`) },
			"commit_docs is off in config.json, so a work tree would not have the plan",
		},
	} {
		t.Run(name, func(t *testing.T) {
			p := newProject(t)
			c.make(p)
			a := must[*execute.CreateAnswer](p, "executor create 1")
			if len(a.Executors) != 1 || a.Executors[0].Mode != execute.Sequential || a.Executors[0].Reason != c.reason || !slices.Equal(a.Pending, []string{"01-02"}) {
				t.Errorf("%+v", a)
			}
		})
	}
}

// TestPlansThatAreNotCommitted: an executor begins with the text of the plan that the main tree has, or not at all.
func TestPlansThatAreNotCommitted(t *testing.T) {
	const at = ".planning/phases/01-base/01-01-PLAN.md"
	for name, change := range map[string]func(p *project){
		"changed":       func(p *project) { gittest.Write(p, p.dir, at, gittest.Read(p, p.dir, at)+"more\n") },
		"staged":        func(p *project) { gittest.Write(p, p.dir, at, "---\n---\n"); gittest.Run(p, p.dir, "add", at) },
		"never tracked": func(p *project) { gittest.Run(p, p.dir, "rm", "-q", "--cached", at); p.commitStaged("forget") },
		"no planning file tracked": func(p *project) {
			gittest.Run(p, p.dir, "rm", "-rq", "--cached", ".planning")
			p.commitStaged("forget")
		},
	} {
		t.Run(name, func(t *testing.T) {
			p := newProject(t)
			change(p)
			p.fault("executor create 1 01-01", "uncommitted")
			p.commit("the plan")
			p.create("01-01")
		})
	}
}

// TestHiddenSummary: a summary that git ignores is in no commit, and is copied before its work tree goes.
func TestHiddenSummary(t *testing.T) {
	p := newProject(t)
	gittest.Write(t, p.dir, ".gitignore", "*-SUMMARY.md\n")
	p.commit("no summaries")
	dirs := p.create("01-01")
	p.work(dirs["01-01"], "src/a.go", "package src\n")
	p.blocked(p.merge("")["01-01"], "unfinished")
	at := p.summary(dirs["01-01"], "01-01")
	r := p.merge("")["01-01"]
	p.merged(r)
	if !slices.Equal(r.Rescued, []string{at}) || gittest.Read(p, p.dir, at) != gittest.Read(p, dirs["01-01"], at) {
		t.Errorf("rescued %v", r.Rescued)
	}
	must[*execute.CleanAnswer](p, "executor cleanup")
	p.clean()
}

// TestExistingExecutors: what is known of an executor that exists is in the answer, and a folder that is gone is made again.
func TestExistingExecutors(t *testing.T) {
	p := newProject(t)
	dirs := p.create("01-01", "01-02")
	p.work(dirs["01-01"], "src/a.go", "package src // half\n")
	p.plan("01-02", "files_modified: [src/b.go]\nmore: text")
	p.commit("another text")
	if err := os.RemoveAll(dirs["01-01"]); err != nil {
		t.Fatal(err)
	}
	a := must[*execute.CreateAnswer](p, "executor create 1 01-01 01-02")
	gone, stale := a.Executors[0], a.Executors[1]
	if gone.New || !gone.Restored || gone.Directory != dirs["01-01"] || gittest.Read(t, gone.Directory, "src/a.go") != "package src // half\n" {
		t.Errorf("%+v", gone)
	}
	if stale.New || stale.State != execute.Running || !slices.Equal(stale.Stale, []string{".planning/phases/01-base/01-02-PLAN.md"}) {
		t.Errorf("%+v", stale)
	}
	if s := p.status("")["01-02"]; !slices.Equal(s.Stale, stale.Stale) {
		t.Errorf("%+v", s)
	}
	gittest.Run(t, dirs["01-02"], "merge", "-q", "main")
	if s := p.status("")["01-02"]; len(s.Stale) != 0 {
		t.Errorf("%+v", s)
	}
}

// TestInsideAnExecutor: an executor does not merge itself.
func TestInsideAnExecutor(t *testing.T) {
	p := newProject(t)
	dirs := p.create("01-01")
	inside := *p
	inside.dir = dirs["01-01"]
	inside.fault("executor merge", "inside_executor")
	inside.fault("executor create 1", "inside_executor")
}

// TestBaseCheck: an agent sees whether its work tree is of the commit that it should be of.
func TestBaseCheck(t *testing.T) {
	p := newProject(t)
	dirs := p.create("01-01")
	p.work(p.dir, "src/later.go", "package src\n")
	later := gittest.Run(t, p.dir, "rev-parse", "HEAD")
	p.fault("worktree base-check", "expected_missing")
	inside := *p
	inside.dir = dirs["01-01"]
	for words, ok := range map[string]bool{"": true, "--expected main": false, "--expected main~1": true, "--expected nothing": false} {
		a := must[*execute.BaseAnswer](&inside, "worktree base-check "+words)
		if a.OK != ok || !ok && a.Reason == "" || a.Branch != "ken-plan-01-01" || a.Head == later {
			t.Errorf("%q: %+v", words, a)
		}
	}
}

func TestRecordAgent(t *testing.T) {
	p := newProject(t)
	p.create("01-01")
	p.fault("worktree record-agent 01-02 a1", "executor_not_found")
	if a := must[execute.AgentAnswer](p, "worktree record-agent 01-01 agent-7"); !a.Recorded {
		t.Errorf("%+v", a)
	}
	if s := p.status("")["01-01"]; s.Agent != "agent-7" {
		t.Errorf("%+v", s)
	}
}

// TestPlansAboutTheFilesOfTheOrchestrator: what a plan was made to change is merged if that is wanted, and nothing else of these files.
func TestPlansAboutTheFilesOfTheOrchestrator(t *testing.T) {
	p := newProject(t)
	p.plan("01-01", "files_modified: [.planning/REQUIREMENTS.md]")
	p.plan("01-02", "files_modified: [.planning/REQUIREMENTS.md]")
	p.commit("plans")
	dirs := p.create() // they are not set apart by it
	for _, id := range []string{"01-01", "01-02"} {
		gittest.Write(t, dirs[id], ".planning/STATE.md", "mine\n")
		p.finish(dirs[id], id, ".planning/REQUIREMENTS.md", "# Requirements of "+id+"\n")
	}
	p.merged(p.merge("01-01 --owned")["01-01"])
	r := p.merge("01-02")["01-02"]
	p.merged(r)
	if got := gittest.Read(p, p.dir, ".planning/REQUIREMENTS.md"); got != "# Requirements of 01-01\n" || !strings.Contains(gittest.Read(p, p.dir, ".planning/STATE.md"), "1 of 3") {
		t.Errorf("REQUIREMENTS.md: %q", got)
	}
	if !slices.Equal(r.LeftOut, []string{".planning/REQUIREMENTS.md", ".planning/STATE.md"}) {
		t.Errorf("left out: %v", r.LeftOut)
	}
}

// TestPlantedRecords: a record without the user's seal is reported, and nothing is merged or removed.
func TestPlantedRecords(t *testing.T) {
	for _, end := range []string{".json", ".tree.json"} {
		p := newProject(t)
		dirs := p.create("01-01")
		p.finish(dirs["01-01"], "01-01", "src/a.go", "package src\n")
		at := filepath.Join(p.dir, ".git", "ken", "executors", "01-01"+end)
		text, err := os.ReadFile(at)
		if err != nil {
			t.Fatal(err)
		}
		head := gittest.Run(t, p.dir, "rev-parse", "HEAD")
		for _, planted := range []string{
			strings.Split(string(text), `,"seal"`)[0] + "}\n", strings.Replace(string(text), "01-01", "01-02", 1), "{}", "",
			string(statefile.LineSeal("another's").Make([]byte(strings.Split(string(text), `,"seal"`)[0] + "}"))),
		} {
			if err := os.WriteFile(at, []byte(planted), 0o600); err != nil {
				t.Fatal(err)
			}
			for _, words := range []string{"executor merge", "executor cleanup 01-01 --abandon", "worktree cleanup-wave"} {
				if _, err := p.try(words); err == nil || !strings.Contains(err.Error(), at+" has no seal of yours") {
					t.Errorf("%s with %.60q: %v", words, planted, err)
				}
			}
			if _, err := os.Stat(dirs["01-01"]); err != nil || gittest.Run(t, p.dir, "rev-parse", "HEAD") != head {
				t.Errorf("with %.60q: something was done, %v", planted, err)
			}
		}
		if err := os.WriteFile(at, text, 0o600); err != nil {
			t.Fatal(err)
		}
		p.merged(p.merge("")["01-01"])
	}
}

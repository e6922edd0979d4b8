package execute_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"ken/internal/git/gittest"
	"ken/internal/workflow/plan/execute"
	"ken/internal/workflow/plan/planop"
)

// The tests of this file are named after what is known to have gone wrong in programs that merge work trees of executors.

// TestIncidentPriorWavesDeleted: an executor that cleaned its tree commits the deletion of files of earlier waves.
func TestIncidentPriorWavesDeleted(t *testing.T) {
	p := newProject(t)
	dirs := p.create()
	gittest.Run(t, dirs["01-01"], "rm", "-q", ".planning/phases/01-base/01-02-PLAN.md", "src/b.go")
	p.finish(dirs["01-01"], "01-01", "src/a.go", "package src\n")
	p.finish(dirs["01-02"], "01-02", "src/b.go", "package src\n")
	rows := p.merge("")
	p.blocked(rows["01-01"], "unintended_deletions")
	if want := []string{".planning/phases/01-base/01-02-PLAN.md", "src/b.go"}; !slices.Equal(rows["01-01"].Paths, want) {
		t.Errorf("paths %v", rows["01-01"].Paths)
	}
	p.merged(rows["01-02"])
	if gittest.Read(p, p.dir, ".planning/phases/01-base/01-02-PLAN.md") == "<none>" || gittest.Read(p, p.dir, "src/b.go") == "<none>" {
		t.Error("a file is gone")
	}
}

// TestIncidentFilesOfTheBaseCountedAsDeleted: what came to the base after an executor began is no deletion of its branch.
func TestIncidentFilesOfTheBaseCountedAsDeleted(t *testing.T) {
	p := newProject(t)
	dirs := p.create()
	p.finish(dirs["01-01"], "01-01", "src/a.go", "package src\n")
	p.finish(dirs["01-02"], "01-02", "src/b.go", "package src\n")
	p.work(p.dir, "src/later.go", "package src\n")
	for _, r := range p.merge("") {
		p.merged(r)
	}
	for _, f := range []string{"src/later.go", ".planning/phases/01-base/01-01-SUMMARY.md", ".planning/phases/01-base/01-02-SUMMARY.md"} {
		if gittest.Read(p, p.dir, f) == "<none>" {
			t.Errorf("%s is gone", f)
		}
	}
}

// TestIncidentNewSummariesDeleted: a check for files that come back took new summaries for such.
func TestIncidentNewSummariesDeleted(t *testing.T) {
	p := newProject(t)
	dirs := p.create()
	for id, dir := range dirs {
		p.finish(dir, id, "src/"+id+".go", "package src\n")
	}
	p.merge("")
	must[*execute.CleanAnswer](p, "executor cleanup")
	for id := range dirs {
		if gittest.Read(p, p.dir, ".planning/phases/01-base/"+id+"-SUMMARY.md") == "<none>" {
			t.Errorf("the summary of %s is gone", id)
		}
	}
	p.clean()
}

// TestIncidentDeletedFilesComeBack: what the base deleted while an executor ran stays deleted.
func TestIncidentDeletedFilesComeBack(t *testing.T) {
	p := newProject(t)
	gittest.Write(t, p.dir, ".planning/todos/pending/x.md", "todo\n")
	p.commit("todo")
	dirs := p.create("01-01")
	p.finish(dirs["01-01"], "01-01", "src/a.go", "package src\n")
	gittest.Run(t, p.dir, "rm", "-q", ".planning/todos/pending/x.md", "src/old.go")
	p.commit("done")
	p.merged(p.merge("")["01-01"])
	if gittest.Read(p, p.dir, ".planning/todos/pending/x.md") != "<none>" || gittest.Read(p, p.dir, "src/old.go") != "<none>" {
		t.Error("a deleted file is back")
	}
}

// TestIncidentUncommittedSummaryDestroyed: a summary that an executor wrote and did not commit went with its work tree.
func TestIncidentUncommittedSummaryDestroyed(t *testing.T) {
	p := newProject(t)
	dirs := p.create("01-01")
	p.work(dirs["01-01"], "src/a.go", "package src\n")
	at := p.summary(dirs["01-01"], "01-01")
	if s := p.status("")["01-01"]; s.State != execute.Unfinished {
		t.Errorf("%+v", s)
	}
	r := p.merge("")["01-01"]
	p.merged(r)
	if !slices.Equal(r.Rescued, []string{at}) || gittest.Read(p, p.dir, at) == "<none>" {
		t.Errorf("rescued %v", r.Rescued)
	}
	must[*execute.CleanAnswer](p, "executor cleanup")
	p.clean()
}

// TestIncidentRescueBlocksItsOwnMerge: the copy of a summary in the main tree kept its merge from ever going through.
func TestIncidentRescueBlocksItsOwnMerge(t *testing.T) {
	p := newProject(t)
	dirs := p.create()
	for id, dir := range dirs {
		p.finish(dir, id, "src/"+id+".go", "package src\n")
		p.summary(p.dir, id) // another program rescued it
	}
	for _, r := range p.merge("") {
		p.merged(r)
		if len(r.Rescued) > 0 {
			t.Errorf("a summary that is committed was rescued: %v", r.Rescued)
		}
	}
	must[*execute.CleanAnswer](p, "executor cleanup")
	p.clean()
}

// TestIncidentOneDeletionBlocksTheWave: a deletion that a plan means is merged, and one that it does not mean holds no other plan up.
func TestIncidentOneDeletionBlocksTheWave(t *testing.T) {
	p := newProject(t)
	p.plan("01-01", "files_modified: [src/a.go]\nfiles_deleted: [src/old.go, .planning/REQUIREMENTS-old.md]")
	gittest.Write(t, p.dir, ".planning/REQUIREMENTS-old.md", "old\n")
	gittest.Write(t, p.dir, "src/extra.go", "package src // extra\n\nfunc Extra() {}\n")
	p.commit("plans")
	dirs := p.create()
	gittest.Run(t, dirs["01-01"], "rm", "-q", "src/old.go", ".planning/REQUIREMENTS-old.md")
	p.finish(dirs["01-01"], "01-01", "src/a.go", "package src\n")
	gittest.Run(t, dirs["01-02"], "rm", "-q", "src/extra.go")
	p.finish(dirs["01-02"], "01-02", "src/b.go", "package src\n")
	rows := p.merge("")
	p.merged(rows["01-01"])
	p.blocked(rows["01-02"], "unintended_deletions")
	p.blocked(p.merge("01-02 --delete src/other.go")["01-02"], "unintended_deletions")
	p.merged(p.merge("01-02 --delete ./src/extra.go")["01-02"])
	if gittest.Read(p, p.dir, "src/old.go") != "<none>" || gittest.Read(p, p.dir, "src/extra.go") != "<none>" {
		t.Error("a file that was to be deleted is there")
	}
}

// TestIncidentDeletedOnBothSides: a deletion that the base has, too, brings nothing that anybody could mind.
func TestIncidentDeletedOnBothSides(t *testing.T) {
	p := newProject(t)
	dirs := p.create("01-01")
	gittest.Run(t, dirs["01-01"], "rm", "-q", "src/old.go")
	p.finish(dirs["01-01"], "01-01", "src/a.go", "package src\n")
	p.blocked(p.merge("")["01-01"], "unintended_deletions")
	gittest.Run(t, p.dir, "rm", "-q", "src/old.go")
	p.commit("gone here, too")
	p.merged(p.merge("")["01-01"])
}

// TestIncidentRenameIsNoDeletion: a file that moved is still there.
func TestIncidentRenameIsNoDeletion(t *testing.T) {
	p := newProject(t)
	dirs := p.create("01-01")
	gittest.Run(t, dirs["01-01"], "mv", "src/old.go", "src/renamed.go")
	p.finish(dirs["01-01"], "01-01", "src/a.go", "package src\n")
	p.merged(p.merge("")["01-01"])
	if gittest.Read(p, p.dir, "src/renamed.go") == "<none>" || gittest.Read(p, p.dir, "src/old.go") != "<none>" {
		t.Error("the file did not move")
	}
}

// TestIncidentOwnedFileUnderAnotherName: a file that took the name of one that is left out of the merge would be nowhere.
func TestIncidentOwnedFileUnderAnotherName(t *testing.T) {
	p := newProject(t)
	gittest.Write(t, p.dir, "src/notes.md", strings.Repeat("a line of notes\n", 20))
	p.commit("notes")
	dirs := p.create("01-01")
	if err := os.Remove(filepath.Join(dirs["01-01"], ".planning/REQUIREMENTS.md")); err != nil {
		t.Fatal(err)
	}
	gittest.Run(t, dirs["01-01"], "add", "-A")
	gittest.Run(t, dirs["01-01"], "mv", "src/notes.md", ".planning/REQUIREMENTS.md")
	p.finish(dirs["01-01"], "01-01", "src/a.go", "package src\n")
	p.blocked(p.merge("")["01-01"], "unintended_deletions")
}

// TestIncidentWorkTreeOfAnotherBranch: a work tree is made of what HEAD is, and not of a default branch, so that it has the plan.
func TestIncidentWorkTreeOfAnotherBranch(t *testing.T) {
	p := newProject(t)
	gittest.Run(t, p.dir, "checkout", "-qb", "feature")
	p.plan("01-01", "files_modified: [src/feature.go]")
	p.work(p.dir, "src/feature.go", "package src\n")
	dirs := p.create("01-01")
	if gittest.Read(p, dirs["01-01"], "src/feature.go") == "<none>" {
		t.Fatal("the work tree is not of the branch that is checked out")
	}
	p.finish(dirs["01-01"], "01-01", "src/feature.go", "package src // more\n")
	gittest.Run(t, p.dir, "checkout", "-q", "main")
	r := p.merge("")["01-01"]
	p.merged(r)
	if r.Base != "feature" || gittest.Read(p, p.dir, "src/feature.go") != "<none>" {
		t.Errorf("merged into %s", r.Base)
	}
	if got := gittest.Run(t, p.dir, "show", "feature:src/feature.go"); got != "package src // more" {
		t.Errorf("feature: %q", got)
	}
}

// TestIncidentWorkTreeRemovedByItsAgent: a product that removes the work tree of an agent when that ends leaves its commits.
func TestIncidentWorkTreeRemovedByItsAgent(t *testing.T) {
	p := newProject(t)
	dirs := p.create()
	for id, dir := range dirs {
		p.finish(dir, id, "src/"+id+".go", "package src\n")
	}
	if err := os.RemoveAll(dirs["01-01"]); err != nil {
		t.Fatal(err)
	}
	gittest.Run(t, p.dir, "worktree", "remove", "--force", dirs["01-02"])
	if s := p.status(""); s["01-01"].State != execute.Gone || s["01-02"].State != execute.Gone || s["01-01"].Commits != 2 {
		t.Errorf("%+v", s)
	}
	w := must[*execute.WaveAnswer](p, "worktree cleanup-wave")
	if !w.OK || gittest.Read(p, p.dir, "src/01-01.go") == "<none>" || gittest.Read(p, p.dir, "src/01-02.go") == "<none>" {
		t.Errorf("%+v", w)
	}
	p.clean()
}

// TestIncidentRemovalCutOff: a wave is closed by repeating the command that was killed while it removed a merged work tree.
func TestIncidentRemovalCutOff(t *testing.T) {
	p := newProject(t)
	dirs := p.create("01-01")
	p.finish(dirs["01-01"], "01-01", "src/a.go", "package src\n")
	p.merged(p.merge("01-01")["01-01"])
	record := filepath.Join(p.dir, ".git", "ken", "executors", filepath.Base(dirs["01-01"])+".json")
	kept, err := os.ReadFile(record)
	if err != nil {
		t.Fatal(err)
	}
	must[*execute.CleanAnswer](p, "executor cleanup 01-01")
	if err := os.WriteFile(record, kept, 0o600); err != nil { // the kill came before its record was removed
		t.Fatal(err)
	}
	trees := p.leaveTreesFolder()
	w := must[*execute.WaveAnswer](p, "worktree cleanup-wave")
	if !w.OK || len(w.Merged) != 1 || !w.Merged[0].Merged || !w.Merged[0].Already || len(w.Cleaned) != 1 || !w.Cleaned[0].Removed {
		t.Errorf("%+v", w)
	}
	if _, err := os.Lstat(trees); err == nil {
		t.Error("cleanup-wave left .ken/worktrees")
	}
	p.leaveTreesFolder()
	must[*execute.CleanAnswer](p, "worktree reap-orphans")
	if _, err := os.Lstat(trees); err == nil {
		t.Error("reap-orphans left .ken/worktrees")
	}
	p.clean()
}

// leaveTreesFolder makes the folder of all work trees as a process leaves it that is killed after it removed the last of them.
func (p *project) leaveTreesFolder() string {
	trees := filepath.Join(p.dir, ".ken", "worktrees")
	if err := os.MkdirAll(trees, 0o700); err != nil {
		p.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(trees, ".gitignore"), []byte("*\n"), 0o600); err != nil {
		p.Fatal(err)
	}
	return trees
}

// TestIncidentOtherWorkTreesRemoved: only what the records name is cleaned up, also where the orchestrator is in a linked work tree.
func TestIncidentOtherWorkTreesRemoved(t *testing.T) {
	p := newProject(t)
	other := filepath.Join(p.dir, "..", "other")
	gittest.Run(t, p.dir, "worktree", "add", "-q", "-b", "workspace", other)
	main := p.create("01-01")
	linked := *p
	linked.dir = other
	dirs := linked.create("01-01")
	if dirs["01-01"] == main["01-01"] || !strings.HasPrefix(dirs["01-01"], mustEval(t, other)) {
		t.Fatalf("executors in %v and %v", main, dirs)
	}
	linked.finish(dirs["01-01"], "01-01", "src/a.go", "package src\n")
	w := must[*execute.WaveAnswer](&linked, "worktree cleanup-wave")
	if !w.OK || gittest.Read(p, other, "src/a.go") != "package src\n" {
		t.Errorf("%+v", w)
	}
	must[*execute.CleanAnswer](&linked, "worktree reap-orphans")
	if gittest.Read(p, other, ".git") == "<none>" || gittest.Read(p, main["01-01"], ".git") == "<none>" {
		t.Error("a work tree that was not asked for is gone")
	}
}

func mustEval(t *testing.T, dir string) string {
	t.Helper()
	real, err := filepath.EvalSymlinks(dir)
	if err != nil {
		t.Fatal(err)
	}
	return real
}

// TestIncidentOrphanWorkTrees: what is merged, or was never used, is reaped; what has work is not.
func TestIncidentOrphanWorkTrees(t *testing.T) {
	p := newProject(t)
	p.plan("01-04", "files_modified: [src/d.go]")
	p.commit("a fourth plan")
	dirs := p.create()
	if len(dirs) != 3 {
		t.Fatal(dirs)
	}
	p.finish(dirs["01-01"], "01-01", "src/a.go", "package src\n")
	p.merged(p.merge("01-01")["01-01"])
	p.work(dirs["01-02"], "src/b.go", "package src // half\n")
	if a := must[*execute.CleanAnswer](p, "worktree reap-orphans"); len(a.Results) != 1 || a.Results[0].Plan != "01-01" {
		t.Errorf("%+v", a)
	}
	p.now = p.now.Add(time.Hour)
	if a := must[*execute.CleanAnswer](p, "worktree reap-orphans"); len(a.Results) != 1 || a.Results[0].Plan != "01-04" {
		t.Errorf("%+v", a)
	}
	if s := p.status(""); len(s) != 1 || s["01-02"].Commits != 1 {
		t.Errorf("%+v", s)
	}
}

// TestIncidentUndeclaredEdits: plans that write a file which only a task names do not run side by side, and what nobody named is shown.
func TestIncidentUndeclaredEdits(t *testing.T) {
	p := newProject(t)
	p.plan("01-02", "files_modified: [src/b.go]\n---\n<task type=\"auto\"><name>x</name><files>src/a.go</files></task>\n")
	p.commit("plans")
	dirs := p.create()
	if len(dirs) != 1 || dirs["01-01"] == "" {
		t.Fatalf("side by side: %v", dirs)
	}
	p.fault("executor create 1 01-02", "set_apart")
	gittest.Write(t, dirs["01-01"], "src/early.go", "package src\n") // before it is committed
	if s := p.status("")["01-01"]; !slices.Equal(s.Undeclared, []string{"src/early.go"}) {
		t.Errorf("undeclared before it is committed: %v", s.Undeclared)
	}
	if err := os.Remove(filepath.Join(dirs["01-01"], "src/early.go")); err != nil {
		t.Fatal(err)
	}
	p.finish(dirs["01-01"], "01-01", "src/surprise.go", "package src\n")
	if s := p.status("")["01-01"]; !slices.Equal(s.Undeclared, []string{"src/surprise.go"}) {
		t.Errorf("undeclared: %v", s.Undeclared)
	}
}

// TestIncidentInventedSuccess: without a summary, or with work that is not committed, a plan does not count as merged and cleaned up.
func TestIncidentInventedSuccess(t *testing.T) {
	p := newProject(t)
	dirs := p.create("01-01")
	gittest.Write(t, dirs["01-01"], "src/new.go", "package src\n")
	r := p.merge("")["01-01"]
	p.blocked(r, "unfinished")
	if !slices.Equal(r.Paths, []string{"src/new.go"}) {
		t.Errorf("paths %v", r.Paths)
	}
	p.summary(dirs["01-01"], "01-01")
	r = p.merge("")["01-01"]
	p.merged(r)
	if !slices.Equal(r.Remaining, []string{"src/new.go"}) || gittest.Read(p, p.dir, "src/new.go") != "<none>" {
		t.Errorf("remaining %v", r.Remaining)
	}
	a := must[*execute.CleanAnswer](p, "executor cleanup")
	if a.OK || a.Results[0].Reason != "uncommitted" || gittest.Read(p, dirs["01-01"], "src/new.go") == "<none>" {
		t.Errorf("%+v", a)
	}
}

// TestIncidentSummaryAlone: a summary without a commit is no evidence for a plan that changes files.
func TestIncidentSummaryAlone(t *testing.T) {
	p := newProject(t)
	dirs := p.create("01-01")
	gittest.Write(t, dirs["01-01"], ".planning/phases/01-base/01-01-SUMMARY.md", "# Done\n\n## Self-Check: PASSED\n")
	c := &planop.Call{Surroundings: planop.Surroundings{Dir: p.dir, StateDir: p.state, Now: time.Now, Getenv: func(string) string { return "" }}}
	if err := execute.CheckExecuted(t.Context(), c, "01", "01-01"); err == nil || !strings.Contains(err.Error(), "no commit") {
		t.Errorf("a summary alone: %v", err)
	}
}

// TestIncidentBranchAlreadyThere: a branch of an earlier attempt is neither reused nor deleted.
func TestIncidentBranchAlreadyThere(t *testing.T) {
	p := newProject(t)
	gittest.Run(t, p.dir, "branch", "ken-plan-01-01")
	a := must[*execute.CreateAnswer](p, "executor create 1 01-01")
	if a.Executors[0].Branch != "ken-plan-01-01-2" {
		t.Errorf("%+v", a.Executors[0])
	}
}

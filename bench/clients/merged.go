package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"ken/bench/world"
)

// The real repository that a guarded task is done in, from the question to the commit on its branch: a module that ken is built with,
// so that every machine that builds ken has it.
const (
	mergedBase   = "trunk"
	mergedTarget = "args.go:NoArgs"
	mergedCaller = "completions.go" // uses it
	mergedDoc    = "site/content/user_guide.md"
	mergedStray  = "debug_args.txt" // a leftover in the work tree
	mergedSaid   = "args: say which argument NoArgs names"
)

// The change of the task, in the code and in the document that describes it.
var (
	mergedCode = [2]string{"// NoArgs returns an error if any args are included.", "// NoArgs returns an error that names the first argument if any args are included."}
	mergedText = [2]string{"`NoArgs` - report an error if there are any positional args.", "`NoArgs` - report an error that names the first one if there are any positional args."}
)

// mergeTrial runs a guarded task in a real repository and merges its result.
type mergeTrial struct {
	stage
	root   string // of the work tree
	before string // commit of the base
	shown  map[string]string
	mine   map[string]string // the user's uncommitted files, by path
}

// turnBegun is the turn in which the task begins, turnMerged that of the question, turnMerge that of the word to merge.
const (
	turnBegun  = "begun"
	turnMerged = "merged"
	turnMerge  = "merge"
)

// runMerging has the client do a guarded task in a real repository, and compares each answer with git.
func (w *stage) runMerging(ctx context.Context) error {
	dirs, err := realRepositories("")
	if err != nil {
		return err
	}
	m := &mergeTrial{stage: *w, shown: map[string]string{}, mine: map[string]string{"README.md": "", "notes/mine.txt": "of the user\n"}}
	m.project = filepath.Join(w.home, "merged")
	m.client.Dir = m.project
	m.client.Env = append(slices.Clone(w.client.Env), "KEN_MCP_TOOLS=guard")
	m.client.Args = []string{"--debug-file", filepath.Join(w.keep, "merged.log"), "--allowedTools", "Read,Edit,Write,Grep,mcp__ken,ToolSearch"}
	began := time.Now()
	fmt.Println("a guarded task in a real repository:", filepath.Base(dirs[0]))
	err = m.mergeInRepository(ctx, dirs[0])
	w.sessions, w.checks, w.faults = m.sessions, m.checks, m.faults
	fmt.Printf("from the question to the merged commit: %.1f s\n", time.Since(began).Seconds())
	return err
}

// mergeInRepository sets the repository up, has the session run and checks the result.
func (m *mergeTrial) mergeInRepository(ctx context.Context, dir string) error {
	if err := m.prepareRepository(ctx, dir); err != nil {
		return err
	}
	m.model.addTurns(modelScript{
		turnBegun:  m.beginSteps(),
		turnMerged: slices.Concat(m.exploreSteps(), m.writeSteps(), m.reviewSteps()), // from the question to the commit on the task's branch
		turnMerge:  m.mergeTurn(),
	})
	user := filepath.Join(m.home, ".claude", "settings.json")
	if err := os.WriteFile(user, []byte(approval), 0o600); err != nil {
		return err
	}
	defer os.Remove(user)
	before, err := snapshot(m.project)
	if err != nil {
		return err
	}
	m.sessions++
	question := " The documentation of NoArgs does not say that the error names the first argument. Please say so wherever NoArgs is described."
	if _, err := m.client.RunSession(ctx, nil, turnMark(turnBegun)+" Begin a task about NoArgs.", turnMark(turnMerged)+question, turnMark(turnMerge)+" Good, merge it."); err != nil {
		return err
	}
	all := m.model.requestsSoFar()
	last := all[len(all)-1]
	m.checkThat(last.Turn == turnMerge && last.Step == len(m.mergeTurn())-1, "the session came to its end: step %d of turn %s", last.Step, last.Turn)
	return m.checkResult(before)
}

// prepareRepository makes a repository of the module, with work of the user's own that is not committed.
func (m *mergeTrial) prepareRepository(ctx context.Context, dir string) error {
	if err := os.CopyFS(m.project, os.DirFS(dir)); err != nil {
		return err
	}
	if err := m.beginRepository(ctx, mergedBase); err != nil {
		return err
	}
	if err := world.Commit(ctx, m.project, "Begin"); err != nil {
		return err
	}
	if err := m.installKen(); err != nil {
		return err
	}
	if err := world.Commit(ctx, m.project, "Use ken"); err != nil {
		return err
	}
	readme, err := os.ReadFile(m.absolutePath("README.md"))
	if err != nil {
		return err
	}
	m.mine["README.md"] = string(readme) + "\nA line of the user's that is not committed.\n"
	if err := world.WriteFiles(m.project, m.mine); err != nil {
		return err
	}
	m.before = m.git("rev-parse", mergedBase)
	return nil
}

// git returns the output of git without the final line end.
func (m *mergeTrial) git(args ...string) string {
	out, err := m.runCommand("git", args...)
	if err != nil {
		m.checkThat(false, "git %s: %v", strings.Join(args, " "), err)
	}
	return strings.TrimSpace(out)
}

// serverUse is a use of a tool of the server.
func serverUse(name string, input map[string]any) toolUse {
	if input == nil {
		input = map[string]any{}
	}
	return toolUse{serverPrefix + name, input}
}

// oneUseStep returns a step with one tool use; check examines the answer to the step before.
func oneUseStep(u func(q *request) toolUse, check func(q *request)) modelStep {
	return modelStep{then: func(q *request) []toolUse { return []toolUse{u(q)} }, check: check}
}

// fixedUse returns a function that returns the same tool use for any request.
func fixedUse(u toolUse) func(*request) toolUse { return func(*request) toolUse { return u } }

// editInTree returns an edit of a file below the root of the work tree.
func (m *mergeTrial) editInTree(name string, change [2]string) toolUse {
	return toolUse{"Edit", map[string]any{"file_path": filepath.Join(m.root, filepath.FromSlash(name)), "old_string": change[0], "new_string": change[1]}}
}

// expectAnswer returns a check that the last answer has some texts and is, or is not, an error.
func (m *mergeTrial) expectAnswer(failed bool, what string, parts ...string) func(*request) {
	return func(q *request) {
		text, is := lastResult(q)
		m.checkContains(text, what, parts...)
		m.checkThat(is == failed, "that is an error: %t", failed)
	}
}

var editRoot = regexp.MustCompile(`edit below: (\S+)`)

// beginSteps returns the first turn: prompts are recorded from then on, so that quotes can be looked for in them.
func (m *mergeTrial) beginSteps() []modelStep {
	names := []string{"start_session", "set_query_frame", "find_definitions", "check_write_target", "analyze_impact", "submit_impact_analysis",
		"submit_for_review", "review_changes", "finalize_changes", "merge_to_main", "cleanup"}
	find := map[string]any{"query": "select:" + serverPrefix + strings.Join(names, ","+serverPrefix), "max_results": len(names)}
	start := map[string]any{"query": "say that NoArgs names the first argument", "intent": "MODIFY", "enable_overlay": true}
	return []modelStep{
		{uses: []toolUse{{"ToolSearch", find}}},
		oneUseStep(fixedUse(serverUse("start_session", start)), nil),
		{text: "The task goes on.", check: m.expectAnswer(false, "a guarded task begins", "EXPLORATION")},
	}
}

// exploreSteps returns the steps until a write is let through.
func (m *mergeTrial) exploreSteps() []modelStep {
	frame := map[string]any{
		"target_feature": map[string]any{"value": "documentation of NoArgs", "quote": "The documentation of NoArgs"},
		"observed_issue": map[string]any{"value": "does not say the first argument", "quote": "does not say that the error names the first argument"},
		"desired_action": map[string]any{"value": "say so wherever NoArgs is described", "quote": "say so wherever NoArgs is described"},
	}
	target := serverUse("check_write_target", map[string]any{"file_path": mergedTarget})
	return []modelStep{
		oneUseStep(fixedUse(serverUse("set_query_frame", frame)), nil),
		oneUseStep(fixedUse(serverUse("find_definitions", map[string]any{"name": "NoArgs"})), func(q *request) {
			text, _ := lastResult(q)
			m.checkContains(text, "three slots are facts, quoted from the prompt", "target_feature  FACT", "observed_issue  FACT", "desired_action  FACT")
			m.checkWithout(text, "as the hook recorded it", "unverified")
		}),
		oneUseStep(fixedUse(m.readUse("args.go")), m.expectAnswer(false, "the declaration is found", "args.go:42")),
		oneUseStep(fixedUse(m.editUse("args.go", mergedCode[0], mergedCode[1])), nil),
		oneUseStep(fixedUse(target), func(q *request) {
			text, failed := lastResult(q)
			m.checkThat(failed, "a write in the project is stopped")
			m.checkContains(text, "because what uses it was not read, and the client says which", "args.go", mergedCaller)
			m.checkThat(!m.fileContains("args.go", mergedCode[1]), "the file is as it was")
		}),
		oneUseStep(fixedUse(m.readUse(mergedCaller)), func(q *request) {
			text, _ := lastResult(q)
			m.checkContains(text, "announced it is refused, too, with the use that was not read", "evidence_missing", "1 of 1 files that use args.go:NoArgs were not read",
				"with places \""+mergedCaller+":775\"")
			m.checkThat(m.git("branch", "--list", "llm_task_*") == "", "and there is no branch of the task yet")
		}),
		oneUseStep(fixedUse(target), nil),
	}
}

// writeSteps returns the steps in the work tree, up to the confirmed and written change.
func (m *mergeTrial) writeSteps() []modelStep {
	verified := func(list ...map[string]any) toolUse {
		return serverUse("submit_impact_analysis", map[string]any{"verified_files": list})
	}
	caller := map[string]any{"file": mergedCaller, "status": "no_change_needed", "reason": "it passes NoArgs on and says nothing of its error"}
	doc := map[string]any{"file": mergedDoc, "status": "will_modify"}
	return []modelStep{
		oneUseStep(fixedUse(m.editUse("args.go", mergedCode[0], mergedCode[1])), m.takeTreeRoot),
		oneUseStep(func(*request) toolUse { return m.editInTree("args.go", mergedCode) }, func(q *request) {
			_, failed := lastResult(q)
			m.checkThat(failed && !m.fileContains("args.go", mergedCode[1]), "a write beside the work tree is stopped")
		}),
		oneUseStep(fixedUse(serverUse("analyze_impact", map[string]any{"target_files": []string{mergedTarget}})), func(q *request) {
			_, failed := lastResult(q)
			m.checkThat(!failed && m.treeHolds("args.go", mergedCode[1]), "one in the work tree is let through")
			m.checkThat(!m.fileContains("args.go", mergedCode[1]), "and the project is as it was")
		}),
		oneUseStep(fixedUse(verified(caller)), m.expectAnswer(false, "the document that describes it has to be confirmed", "must be confirmed: "+mergedDoc+"  describes NoArgs", "  "+mergedDoc+":442  ")),
		oneUseStep(fixedUse(verified(caller, doc)), m.expectAnswer(true, "without a word on it the analysis is refused", "evidence_missing",
			"no status was given for "+mergedDoc)),
		oneUseStep(func(*request) toolUse {
			return toolUse{"Read", map[string]any{"file_path": filepath.Join(m.root, filepath.FromSlash(mergedDoc))}}
		}, m.expectAnswer(false, "with one it is taken, because the analysis has shown its line", "READY")),
		oneUseStep(func(*request) toolUse { return m.editInTree(mergedDoc, mergedText) }, nil),
		oneUseStep(func(*request) toolUse {
			return toolUse{"Write", map[string]any{"file_path": filepath.Join(m.root, mergedStray), "content": "NoArgs was called\n"}}
		}, func(*request) {
			m.checkThat(m.treeHolds(mergedDoc, mergedText[1]), "and the document may be written")
		}),
	}
}

// reviewSteps returns the steps from the end of writing to the commit on the task's branch.
func (m *mergeTrial) reviewSteps() []modelStep {
	return []modelStep{
		oneUseStep(fixedUse(serverUse("submit_for_review", nil)), nil),
		oneUseStep(fixedUse(serverUse("review_changes", map[string]any{"structured": true, "budget": 10000})), m.expectAnswer(false, "the writing ends", "PRE_COMMIT")),
		oneUseStep(func(q *request) toolUse {
			var list []map[string]any
			for _, p := range []string{"args.go", mergedDoc, mergedStray} {
				decision := "keep"
				if p == mergedStray {
					decision = "discard"
				}
				list = append(list, map[string]any{"path": p, "decision": decision, "id": m.shown[p]})
			}
			return serverUse("finalize_changes", map[string]any{"reviewed_files": list, "commit_message": mergedSaid})
		}, m.checkReview),
		{text: "It is ready to be merged.", check: func(q *request) {
			m.expectAnswer(false, "two files are committed and one is discarded", "2 files committed, 1 file discarded")(q)
			m.checkThat(m.git("rev-parse", mergedBase) == m.before, "the base is where it was")
			m.checkThat(m.changedFiles(mergedBase+"..."+m.taskBranch()) == "args.go "+mergedDoc, "the branch has these two files changed, and no other")
			text, _ := lastResult(q)
			m.checkContains(text, "and the answer names its commit", m.git("rev-parse", m.taskBranch()))
		}},
	}
}

// mergeTurn is the third turn, after the word of the user.
func (m *mergeTrial) mergeTurn() []modelStep {
	return []modelStep{
		oneUseStep(fixedUse(serverUse("merge_to_main", nil)), nil),
		oneUseStep(fixedUse(serverUse("cleanup", nil)), func(q *request) {
			m.expectAnswer(false, "the branch is merged into the base", "is merged into "+mergedBase)(q)
			text, _ := lastResult(q)
			m.checkContains(text, "and the answer names the commit that the base is at", "commit "+m.git("rev-parse", mergedBase))
		}),
		{text: "Merged.", check: m.expectAnswer(false, "the work tree is removed", "removed")},
	}
}

// takeTreeRoot stores the root of the work tree from the answer that created it.
func (m *mergeTrial) takeTreeRoot(q *request) {
	text, failed := lastResult(q)
	found := editRoot.FindStringSubmatch(text)
	m.checkContains(text, "after the use was read it is let through, into a work tree of its own", "READY", "edit below: ")
	m.checkThat(!failed && found != nil, "which the answer names")
	if found != nil {
		m.root = found[1]
		m.checkThat(strings.HasPrefix(m.root, filepath.Join(m.project, ".ken", "worktrees")), "it is below .ken: %s", m.root)
		m.checkThat(m.git("rev-parse", m.taskBranch()) == m.before, "its branch is at the commit of the base")
	}
}

// taskBranch returns the branch of the task, which has the same name as its work tree.
func (m *mergeTrial) taskBranch() string {
	if m.root == "" {
		return "HEAD"
	}
	rel, _ := filepath.Rel(filepath.Join(m.project, ".ken", "worktrees"), m.root)
	return "llm_task_" + strings.Split(filepath.ToSlash(rel), "/")[0]
}

// changedFiles returns the files that differ between commits.
func (m *mergeTrial) changedFiles(commits string) string {
	return strings.Join(strings.Fields(m.git("diff", "--name-only", commits)), " ")
}

func (m *mergeTrial) treeHolds(path, text string) bool {
	data, err := os.ReadFile(filepath.Join(m.root, filepath.FromSlash(path)))
	return err == nil && strings.Contains(string(data), text)
}

// checkReview checks the answer of review_changes: it has every change as git has it.
func (m *mergeTrial) checkReview(q *request) {
	text, _ := lastResult(q)
	var answer struct {
		Changes []struct {
			Path, Kind, ID, Diff string
			Findings             []struct{ Kind string }
		}
	}
	if begin := strings.IndexByte(text, '{'); begin < 0 || json.Unmarshal([]byte(text[begin:]), &answer) != nil {
		m.checkThat(false, "review_changes is answered with what changed: %.600s", text)
		return
	}
	var paths []string
	for _, c := range answer.Changes {
		paths = append(paths, c.Path+" "+c.Kind)
		m.shown[c.Path] = c.ID
		want := map[string]string{"args.go": mergedCode[1], mergedDoc: mergedText[1], mergedStray: "NoArgs was called"}[c.Path]
		m.checkContains(c.Diff, "the diff of "+c.Path+" is what was written", "+", want)
		marked := len(c.Findings) == 1 && c.Findings[0].Kind == "unrelated-file"
		m.checkThat(marked == (c.Path == mergedStray) && len(c.Findings) <= 1, "as what looks left behind it is marked: %t", marked)
	}
	slices.Sort(paths)
	m.checkThat(strings.Join(paths, ", ") == "args.go modified, "+mergedStray+" added, "+mergedDoc+" modified", "every change is shown, and no other: %s", paths)
}

// checkResult compares the repository with the answers.
func (m *mergeTrial) checkResult(before map[string]string) error {
	m.checkThat(m.changedFiles(m.before+".."+mergedBase) == "args.go "+mergedDoc, "on the base these two files are changed since, and nothing else")
	m.checkThat(m.git("log", "--format=%s", "--no-merges", m.before+".."+mergedBase) == mergedSaid, "by one commit, with the message that was given")
	m.checkThat(m.git("rev-list", "--count", "--merges", m.before+".."+mergedBase) == "1", "that one merge brings")
	trees := strings.Count(m.git("worktree", "list", "--porcelain"), "worktree ")
	_, err := os.Stat(m.root)
	m.checkThat(m.git("branch", "--list", "llm_task_*") == "", "no branch of the task is left")
	m.checkThat(trees == 1 && m.root != "" && errors.Is(err, os.ErrNotExist), "and no work tree")
	for name, text := range m.mine {
		data, err := os.ReadFile(m.absolutePath(name))
		m.checkThat(err == nil && string(data) == text, "what the user had not committed is as it was: %s", name)
	}
	status := m.git("status", "--porcelain", "--untracked-files=all")
	m.checkThat(status == "M README.md\n?? notes/mine.txt", "git sees nothing else: %q", status)
	after, err := snapshot(m.project)
	if err != nil {
		return err
	}
	for _, path := range differingPaths(before, after) {
		inGit := strings.HasPrefix(filepath.ToSlash(path), ".git/")
		if slash := filepath.ToSlash(path); !inGit && slash != "args.go" && slash != mergedDoc {
			m.checkThat(false, "%s is as it was before", path)
		}
	}
	m.checkThat(m.fileContains("args.go", mergedCode[1]) && m.fileContains(mergedDoc, mergedText[1]), "the files in the project are those of the commit")
	return nil
}

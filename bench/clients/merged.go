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

// merger does such a task.
type merger struct {
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

// merging has the client do a guarded task in a real repository, and compares each answer with git.
func (w *stage) merging(ctx context.Context) error {
	dirs, err := realRepositories("")
	if err != nil {
		return err
	}
	m := &merger{stage: *w, shown: map[string]string{}, mine: map[string]string{"README.md": "", "notes/mine.txt": "of the user\n"}}
	m.project = filepath.Join(w.home, "merged")
	m.client.dir = m.project
	m.client.env = append(slices.Clone(w.client.env), "KEN_MCP_TOOLS=guard")
	m.client.args = []string{"--debug-file", filepath.Join(w.keep, "merged.log"), "--allowedTools", "Read,Edit,Write,Grep,mcp__ken,ToolSearch"}
	began := time.Now()
	fmt.Println("a guarded task in a real repository:", filepath.Base(dirs[0]))
	err = m.merge(ctx, dirs[0])
	w.sessions, w.checks, w.faults = m.sessions, m.checks, m.faults
	fmt.Printf("from the question to the merged commit: %.1f s\n", time.Since(began).Seconds())
	return err
}

// merge sets the repository up, has the session run and checks the result.
func (m *merger) merge(ctx context.Context, dir string) error {
	if err := m.prepare(ctx, dir); err != nil {
		return err
	}
	m.model.add(script{
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
	if _, err := m.client.session(ctx, nil, mark(turnBegun)+" Begin a task about NoArgs.", mark(turnMerged)+question, mark(turnMerge)+" Good, merge it."); err != nil {
		return err
	}
	all := m.model.received()
	last := all[len(all)-1]
	m.expect(last.Turn == turnMerge && last.Step == len(m.mergeTurn())-1, "the session came to its end: step %d of turn %s", last.Step, last.Turn)
	return m.result(before)
}

// prepare makes a repository of the module, with work of the user's own that is not committed.
func (m *merger) prepare(ctx context.Context, dir string) error {
	if err := os.CopyFS(m.project, os.DirFS(dir)); err != nil {
		return err
	}
	for _, args := range [][]string{{"init", "-q", "-b", mergedBase}, {"config", "user.name", "dev"}, {"config", "user.email", "dev@example.com"}} {
		if _, err := world.Git(ctx, m.project, args...); err != nil {
			return err
		}
	}
	if err := world.Commit(ctx, m.project, "Begin"); err != nil {
		return err
	}
	for _, args := range [][]string{{"init"}, {"install", "claude", "--project", "--yes"}} {
		if _, err := m.command("ken", args...); err != nil {
			return err
		}
	}
	if err := world.Commit(ctx, m.project, "Use ken"); err != nil {
		return err
	}
	readme, err := os.ReadFile(m.path("README.md"))
	if err != nil {
		return err
	}
	m.mine["README.md"] = string(readme) + "\nA line of the user's that is not committed.\n"
	if err := world.Write(m.project, m.mine); err != nil {
		return err
	}
	m.before = m.git("rev-parse", mergedBase)
	return nil
}

// git returns the output of git without the final line end.
func (m *merger) git(args ...string) string {
	out, err := m.command("git", args...)
	if err != nil {
		m.expect(false, "git %s: %v", strings.Join(args, " "), err)
	}
	return strings.TrimSpace(out)
}

// tool is a use of a tool of the server.
func tool(name string, input map[string]any) use {
	if input == nil {
		input = map[string]any{}
	}
	return use{serverPrefix + name, input}
}

// one is a step with one use; check looks at the answer to the step before.
func one(u func(q *request) use, check func(q *request)) step {
	return step{then: func(q *request) []use { return []use{u(q)} }, check: check}
}

// always is a use that depends on nothing.
func always(u use) func(*request) use { return func(*request) use { return u } }

// inTree is an edit below the root of the work tree.
func (m *merger) inTree(name string, change [2]string) use {
	return use{"Edit", map[string]any{"file_path": filepath.Join(m.root, filepath.FromSlash(name)), "old_string": change[0], "new_string": change[1]}}
}

// expectAnswer returns a check that the last answer holds some texts, and is an error or none.
func (m *merger) expectAnswer(failed bool, what string, parts ...string) func(*request) {
	return func(q *request) {
		text, is := lastResult(q.Raw)
		m.contains(text, what, parts...)
		m.expect(is == failed, "that is an error: %t", failed)
	}
}

var editRoot = regexp.MustCompile(`edit below: (\S+)`)

// beginSteps returns the first turn: prompts are recorded from then on, so that quotes can be looked for in them.
func (m *merger) beginSteps() []step {
	names := []string{"start_session", "set_query_frame", "find_definitions", "check_write_target", "analyze_impact", "submit_impact_analysis",
		"submit_for_review", "review_changes", "finalize_changes", "merge_to_main", "cleanup"}
	find := map[string]any{"query": "select:" + serverPrefix + strings.Join(names, ","+serverPrefix), "max_results": len(names)}
	start := map[string]any{"query": "say that NoArgs names the first argument", "intent": "MODIFY", "enable_overlay": true}
	return []step{
		{uses: []use{{"ToolSearch", find}}},
		one(always(tool("start_session", start)), nil),
		{text: "The task goes on.", check: m.expectAnswer(false, "a guarded task begins", "EXPLORATION")},
	}
}

// exploreSteps returns the steps until a write is let through.
func (m *merger) exploreSteps() []step {
	frame := map[string]any{
		"target_feature": map[string]any{"value": "documentation of NoArgs", "quote": "The documentation of NoArgs"},
		"observed_issue": map[string]any{"value": "does not say the first argument", "quote": "does not say that the error names the first argument"},
		"desired_action": map[string]any{"value": "say so wherever NoArgs is described", "quote": "say so wherever NoArgs is described"},
	}
	target := tool("check_write_target", map[string]any{"file_path": mergedTarget})
	return []step{
		one(always(tool("set_query_frame", frame)), nil),
		one(always(tool("find_definitions", map[string]any{"name": "NoArgs"})), func(q *request) {
			text, _ := lastResult(q.Raw)
			m.contains(text, "three slots are facts, quoted from the prompt", "target_feature  FACT", "observed_issue  FACT", "desired_action  FACT")
			m.without(text, "as the hook recorded it", "unverified")
		}),
		one(always(m.read("args.go")), m.expectAnswer(false, "the declaration is found", "args.go:42")),
		one(always(m.edit("args.go", mergedCode[0], mergedCode[1])), nil),
		one(always(target), func(q *request) {
			text, failed := lastResult(q.Raw)
			m.expect(failed, "a write in the project is stopped")
			m.contains(text, "because what uses it was not read, and the client says which", "args.go", mergedCaller)
			m.expect(!m.holds("args.go", mergedCode[1]), "the file is as it was")
		}),
		one(always(m.read(mergedCaller)), func(q *request) {
			text, _ := lastResult(q.Raw)
			m.contains(text, "announced it is refused, too, with the use that was not read", "evidence_missing", "1 of 1 files that use args.go:NoArgs were not read",
				"next: read "+mergedCaller+":775")
			m.expect(m.git("branch", "--list", "llm_task_*") == "", "and there is no branch of the task yet")
		}),
		one(always(target), nil),
	}
}

// writeSteps returns the steps in the work tree, up to the confirmed and written change.
func (m *merger) writeSteps() []step {
	verified := func(list ...map[string]any) use {
		return tool("submit_impact_analysis", map[string]any{"verified_files": list})
	}
	caller := map[string]any{"file": mergedCaller, "status": "no_change_needed", "reason": "it passes NoArgs on and says nothing of its error"}
	doc := map[string]any{"file": mergedDoc, "status": "will_modify"}
	return []step{
		one(always(m.edit("args.go", mergedCode[0], mergedCode[1])), m.takeRoot),
		one(func(*request) use { return m.inTree("args.go", mergedCode) }, func(q *request) {
			_, failed := lastResult(q.Raw)
			m.expect(failed && !m.holds("args.go", mergedCode[1]), "a write beside the work tree is stopped")
		}),
		one(always(tool("analyze_impact", map[string]any{"target_files": []string{mergedTarget}})), func(q *request) {
			_, failed := lastResult(q.Raw)
			m.expect(!failed && m.treeHolds("args.go", mergedCode[1]), "one in the work tree is let through")
			m.expect(!m.holds("args.go", mergedCode[1]), "and the project is as it was")
		}),
		one(always(verified(caller)), m.expectAnswer(false, "the document that describes it has to be confirmed", "must be confirmed: "+mergedDoc+":442  describes NoArgs")),
		one(always(verified(caller, doc)), m.expectAnswer(false, "without a word on it the analysis is refused", "evidence_missing",
			mergedDoc+" describes NoArgs and was neither read in this task nor answered")),
		one(func(*request) use {
			return use{"Read", map[string]any{"file_path": filepath.Join(m.root, filepath.FromSlash(mergedDoc))}}
		}, m.expectAnswer(false, "a word without reading does not do", "evidence_missing", "answered, but not read in this task")),
		one(always(verified(caller, doc)), nil),
		one(func(*request) use { return m.inTree(mergedDoc, mergedText) }, m.expectAnswer(false, "once it was read the word is taken", "READY")),
		one(func(*request) use {
			return use{"Write", map[string]any{"file_path": filepath.Join(m.root, mergedStray), "content": "NoArgs was called\n"}}
		}, func(*request) {
			m.expect(m.treeHolds(mergedDoc, mergedText[1]), "and the document may be written")
		}),
	}
}

// reviewSteps returns the steps from the end of writing to the commit on the task's branch.
func (m *merger) reviewSteps() []step {
	return []step{
		one(always(tool("submit_for_review", nil)), nil),
		one(always(tool("review_changes", map[string]any{"structured": true, "budget": 10000})), m.expectAnswer(false, "the writing ends", "PRE_COMMIT")),
		one(func(q *request) use {
			var list []map[string]any
			for _, p := range []string{"args.go", mergedDoc, mergedStray} {
				decision := "keep"
				if p == mergedStray {
					decision = "discard"
				}
				list = append(list, map[string]any{"path": p, "decision": decision, "id": m.shown[p]})
			}
			return tool("finalize_changes", map[string]any{"reviewed_files": list, "commit_message": mergedSaid})
		}, m.reviews),
		{text: "It is ready to be merged.", check: func(q *request) {
			m.expectAnswer(false, "two files are committed and one is discarded", "2 files committed, 1 file discarded")(q)
			m.expect(m.git("rev-parse", mergedBase) == m.before, "the base is where it was")
			m.expect(m.changedFiles(mergedBase+"..."+m.branch()) == "args.go "+mergedDoc, "the branch has these two files changed, and no other")
			text, _ := lastResult(q.Raw)
			m.contains(text, "and the answer names its commit", m.git("rev-parse", m.branch()))
		}},
	}
}

// mergeTurn is the third turn, after the word of the user.
func (m *merger) mergeTurn() []step {
	return []step{
		one(always(tool("merge_to_main", nil)), nil),
		one(always(tool("cleanup", nil)), func(q *request) {
			m.expectAnswer(false, "the branch is merged into the base", "is merged into "+mergedBase)(q)
			text, _ := lastResult(q.Raw)
			m.contains(text, "and the answer names the commit that the base is at", "commit "+m.git("rev-parse", mergedBase))
		}),
		{text: "Merged.", check: m.expectAnswer(false, "the work tree is removed", "removed")},
	}
}

// takeRoot takes the root of the work tree from the answer that made it.
func (m *merger) takeRoot(q *request) {
	text, failed := lastResult(q.Raw)
	found := editRoot.FindStringSubmatch(text)
	m.contains(text, "after the use was read it is let through, into a work tree of its own", "READY", "edit below: ")
	m.expect(!failed && found != nil, "which the answer names")
	if found != nil {
		m.root = found[1]
		m.expect(strings.HasPrefix(m.root, filepath.Join(m.project, ".ken", "worktrees")), "it is below .ken: %s", m.root)
		m.expect(m.git("rev-parse", m.branch()) == m.before, "its branch is at the commit of the base")
	}
}

// branch is the branch of the task, whose work tree is called as the task.
func (m *merger) branch() string {
	if m.root == "" {
		return "HEAD"
	}
	rel, _ := filepath.Rel(filepath.Join(m.project, ".ken", "worktrees"), m.root)
	return "llm_task_" + strings.Split(filepath.ToSlash(rel), "/")[0]
}

// changedFiles returns the files that differ between commits.
func (m *merger) changedFiles(commits string) string {
	return strings.Join(strings.Fields(m.git("diff", "--name-only", commits)), " ")
}

func (m *merger) treeHolds(path, text string) bool {
	data, err := os.ReadFile(filepath.Join(m.root, filepath.FromSlash(path)))
	return err == nil && strings.Contains(string(data), text)
}

// reviews checks the answer of review_changes: it has every change as git has it.
func (m *merger) reviews(q *request) {
	text, _ := lastResult(q.Raw)
	var answer struct {
		Changes []struct {
			Path, Kind, ID, Diff string
			Findings             []struct{ Kind string }
		}
	}
	if begin := strings.IndexByte(text, '{'); begin < 0 || json.Unmarshal([]byte(text[begin:]), &answer) != nil {
		m.expect(false, "review_changes is answered with what changed: %.600s", text)
		return
	}
	var paths []string
	for _, c := range answer.Changes {
		paths = append(paths, c.Path+" "+c.Kind)
		m.shown[c.Path] = c.ID
		want := map[string]string{"args.go": mergedCode[1], mergedDoc: mergedText[1], mergedStray: "NoArgs was called"}[c.Path]
		m.contains(c.Diff, "the diff of "+c.Path+" is what was written", "+", want)
		marked := len(c.Findings) == 1 && c.Findings[0].Kind == "unrelated-file"
		m.expect(marked == (c.Path == mergedStray) && len(c.Findings) <= 1, "as what looks left behind it is marked: %t", marked)
	}
	slices.Sort(paths)
	m.expect(strings.Join(paths, ", ") == "args.go modified, "+mergedStray+" added, "+mergedDoc+" modified", "every change is shown, and no other: %s", paths)
}

// result compares the repository with the answers.
func (m *merger) result(before map[string]string) error {
	m.expect(m.changedFiles(m.before+".."+mergedBase) == "args.go "+mergedDoc, "on the base these two files are changed since, and nothing else")
	m.expect(m.git("log", "--format=%s", "--no-merges", m.before+".."+mergedBase) == mergedSaid, "by one commit, with the message that was given")
	m.expect(m.git("rev-list", "--count", "--merges", m.before+".."+mergedBase) == "1", "that one merge brings")
	trees := strings.Count(m.git("worktree", "list", "--porcelain"), "worktree ")
	_, err := os.Stat(m.root)
	m.expect(m.git("branch", "--list", "llm_task_*") == "", "no branch of the task is left")
	m.expect(trees == 1 && m.root != "" && errors.Is(err, os.ErrNotExist), "and no work tree")
	for name, text := range m.mine {
		data, err := os.ReadFile(m.path(name))
		m.expect(err == nil && string(data) == text, "what the user had not committed is as it was: %s", name)
	}
	status := m.git("status", "--porcelain", "--untracked-files=all")
	m.expect(status == "M README.md\n?? notes/mine.txt", "git sees nothing else: %q", status)
	after, err := snapshot(m.project)
	if err != nil {
		return err
	}
	for _, path := range differences(before, after) {
		inGit := strings.HasPrefix(filepath.ToSlash(path), ".git/")
		if slash := filepath.ToSlash(path); !inGit && slash != "args.go" && slash != mergedDoc {
			m.expect(false, "%s is as it was before", path)
		}
	}
	m.expect(m.holds("args.go", mergedCode[1]) && m.holds(mergedDoc, mergedText[1]), "the files in the project are those of the commit")
	return nil
}

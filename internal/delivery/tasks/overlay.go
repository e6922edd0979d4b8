package tasks

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"ken/internal/code"
	"ken/internal/delivery/tasks/inspect"
	"ken/internal/engine"
	"ken/internal/guard"
	"ken/internal/guard/review"
	"ken/internal/operation"
	"ken/internal/worktree"
)

// enterWorkTree makes the work tree of a task before its first write. If it cannot be made the task returns to the state before.
func (w *taskCall) enterWorkTree(ctx context.Context, before guard.State) error {
	t := w.task
	if !t.Overlay || t.State != guard.Ready || t.Root != "" || !t.Intent.Writes() {
		return nil
	}
	trees, err := openTrees(w.p)
	if err != nil {
		return err
	}
	opt := worktree.CreateOptions{ID: t.ID, Branch: "llm_task_" + t.ID, Purpose: "task", Targets: existingTargets(t)}
	tree, err := trees.Create(ctx, opt)
	if err != nil {
		back := w.changeTask(ctx, func(t *guard.Task) { t.State = before })
		return errors.Join(w.treeRefusal(err, "commit or put away what is not committed, or begin a task without enable_overlay"), back)
	}
	if err := w.changeTask(ctx, func(t *guard.Task) { t.Root = tree.Root }); err != nil {
		return err
	}
	w.a.Root = tree.Root
	w.a.Hint = "edit below " + tree.Root + ", nowhere else"
	if err := w.indexWorkTree(ctx, tree); err != nil {
		w.a.Warnings = append(w.a.Warnings, "the work tree has no index yet ("+err.Error()+"): run ken init there")
	}
	if lacks, err := trees.MissingFiles(ctx); err == nil {
		for _, f := range append(lacks.Folders, lacks.Files...) {
			w.a.Warnings = append(w.a.Warnings, f+" is ignored by git, so the work tree does not have it: make it again there if it is needed")
		}
	}
	return nil
}

// indexWorkTree makes the index of the work tree, beginning with a copy of the project's: hooks need it before a write, and have no time
// to make it.
func (w *taskCall) indexWorkTree(ctx context.Context, tree *worktree.Tree) error {
	if err := os.MkdirAll(filepath.Join(tree.Root, ".ken"), 0o755); err != nil {
		return err
	}
	p, err := w.env.Open(tree.Root, operation.Existing)
	if err != nil {
		return err
	}
	_, err = p.Engine.Update(ctx, engine.Request{Create: true, Progress: w.env.Progress})
	return err
}

// existingTargets returns the targets that exist, because only their uncommitted changes could be missing in the work tree.
func existingTargets(t *guard.Task) (out []string) {
	for _, g := range t.Targets {
		if g.Path != "" && !g.New {
			out = append(out, g.Path)
		}
	}
	return out
}

// treeRefusal turns an error of a work tree into a refusal, and returns any other error.
func (w *taskCall) treeRefusal(err error, hint string) error {
	var conflict *worktree.ConflictError
	var invalid *review.InvalidError
	var no *worktree.RefusedError
	if !errors.As(err, &conflict) && !errors.As(err, &invalid) && !errors.As(err, &no) && !errors.Is(err, worktree.ErrUnknown) {
		return err
	}
	w.a.setTaskFields(w.task)
	w.a.Allowed, w.a.Error, w.a.Message, w.a.Hint = false, refusedTree, err.Error(), hint
	if conflict != nil {
		w.a.Error = "merge_conflict"
	}
	return &operation.AlarmError{Message: w.a.Error, Refused: true}
}

// projectPath returns the project's path of a file that may be in the task's work tree.
func (w *taskCall) projectPath(name string) string {
	if rest, ok := strings.CutPrefix(name, w.task.Root+string(filepath.Separator)); ok && w.task.Root != "" {
		return rest
	}
	return name
}

// taskTree returns all work trees and that of the task, for a call of a tool. It fails if the task does not allow the tool now, or has no
// work tree.
func (w *taskCall) taskTree(ctx context.Context, by guard.Tool) (*worktree.Trees, *worktree.Tree, error) {
	d, err := w.decide(ctx, &guard.Request{Tool: by})
	if err != nil || !d.Allowed {
		return nil, nil, firstError(err, &d)
	}
	if w.task.Root == "" {
		w.a.Allowed, w.a.Error = false, refusedTree
		w.a.Message = "the task has no work tree of its own: its changes are in the project, and nothing is committed for them"
		w.a.Hint = "review them with git diff, commit what is wanted, and record_outcome; enable_overlay of start_session makes a work tree"
		return nil, nil, &operation.AlarmError{Message: w.a.Error, Refused: true}
	}
	trees, err := openTrees(w.p)
	if err != nil {
		return nil, nil, err
	}
	if w.treeIsLost() {
		return nil, nil, w.refuseLostTree()
	}
	t, err := trees.Tree(ctx, w.task.ID)
	if err != nil {
		return nil, nil, w.treeRefusal(err, "cleanup")
	}
	return trees, t, nil
}

// forgetLostTree has the task make a new work tree before its next write, if its work tree is gone. It refuses if a branch has commits of
// the old one that no other branch has.
func (w *taskCall) forgetLostTree(ctx context.Context) error {
	if !w.treeIsLost() {
		return nil
	}
	trees, err := openTrees(w.p)
	if err != nil {
		return err
	}
	done, err := trees.Clean(ctx, worktree.CleanOptions{IDs: []string{w.task.ID}})
	if err != nil && !errors.Is(err, worktree.ErrUnknown) {
		return w.treeRefusal(err, "cleanup")
	}
	for i := range done {
		if !done[i].Removed {
			return w.treeRefusal(&worktree.RefusedError{Why: done[i].Why, Text: done[i].Text, Paths: done[i].Paths},
				"merge or put away its branch with git, or cleanup with the id of the task and force, then revert_to_exploration")
		}
	}
	return w.changeTask(ctx, func(t *guard.Task) { t.Root, t.Reviewed, t.Final, t.Kept = "", nil, "", nil })
}

func reviewChangesTool() *tool {
	return spec[taskInput, answer]{
		Name: string(guard.ReviewChanges), Group: group, Topic: operation.ChangeSafely, MCP: offer(), Summary: "every change of the task's work tree, with its diff",
		Long: "Files that are no target and that no analysis said would be modified are marked: they are often left behind by accident. So is what looks like garbage:\n" +
			"debug prints, commented-out code, notes of work left, tests and files that nobody asked for, secrets. What was asked for is the request of the task and\n" +
			"the prompts of its session. Nothing is taken out: whether it is meant is for the reader to say.",
		Example: []string{"task review_changes"},
		Run: func(ctx context.Context, e *env, in *taskInput, emit func(*answer) error) error {
			return withTask(ctx, e, in.Task, emit, func(w *taskCall, ctx context.Context) error {
				_, tree, err := w.taskTree(ctx, guard.ReviewChanges)
				if err != nil {
					return err
				}
				r, err := review.ReadChanges(ctx, tree)
				if err != nil {
					return w.treeRefusal(err, "")
				}
				request, err := w.requestText(ctx)
				if err != nil {
					return err
				}
				ignored, err := tree.Ignored(ctx)
				if err != nil {
					return err
				}
				w.a.Changes, err = inspect.Rows(w.s, w.task, tree, r, request, ignored)
				if err != nil {
					return err
				}
				if err := e.WhenSent(func(s *operation.Sent) error { return w.noteReviewed(context.WithoutCancel(ctx), s) }); err != nil {
					return err
				}
				w.a.Hint = "finalize_changes with keep, discard or part for each file, and a commit message"
				if slices.ContainsFunc(w.a.Changes, func(c inspect.Row) bool { return len(c.Findings) > 0 }) {
					w.a.Hint = "what is marked as garbage: take it out in the work tree and review_changes again, or " + w.a.Hint
				}
				return nil
			})
		},
		Text: text[taskInput],
	}.Tool()
}

// noteReviewed stores in the task which changes the answer has shown.
func (w *taskCall) noteReviewed(ctx context.Context, sent *operation.Sent) error {
	return w.changeTask(ctx, func(t *guard.Task) {
		shown := map[string]guard.Reviewed{}
		for i := range w.a.Changes {
			c := &w.a.Changes[i]
			path := string(c.Path)
			was, ok := t.Reviewed[path]
			same := ok && was.ID == c.ID
			if left, begun := c.LeftOut(sent, same, was.Left); begun || same {
				shown[path] = guard.Reviewed{ID: c.ID, Confirm: c.Confirm, Left: left}
			}
		}
		t.Reviewed = shown
	})
}

// requestText returns the user's request: the one that the task began with, and the later prompts of its session.
func (w *taskCall) requestText(ctx context.Context) (string, error) {
	prompts, err := w.prompts(ctx)
	if err != nil {
		return "", err
	}
	out := w.task.Query
	for _, p := range prompts {
		out += "\n" + p.Text
	}
	return out, nil
}

type finalizeInput struct {
	Files   []string `flag:"reviewed-files" required:"yes" value:"JSON" objects:"yes" help:"{path, decision: keep, discard or part, hunks: ids kept of a part, id: of the change as it was reviewed} of each; may be repeated"`
	Message string   `flag:"commit-message" required:"yes" value:"TEXT" help:"of the commit"`
	Confirm []string `flag:"confirm" value:"PATH" help:"a kept file that review_changes wants confirmed: written without leave, a link, ignored, a credential or deleted; may be repeated"`
	Task    string   `flag:"task" value:"ID" help:"the task; default: the one that goes on"`
}

func finalizeTool() *tool {
	return spec[finalizeInput, answer]{
		Name: string(guard.FinalizeChanges), Group: group, Topic: operation.ChangeSafely, MCP: offer(), Effect: operation.Changes, Summary: "commit what was decided to keep to the task's branch, put back the rest",
		Long: "Only files that are named are committed; those discarded become what they were. No hook runs, because hooks are programs: those that git would have run\n" +
			"are named.",
		Example: []string{`task finalize_changes --reviewed-files '{"path":"a.go","decision":"keep"}' --commit-message "a: say why"`},
		Run:     runFinalize,
		Text:    text[finalizeInput],
	}.Tool()
}

func runFinalize(ctx context.Context, e *env, in *finalizeInput, emit func(*answer) error) error {
	id, err := taskToEnd(ctx, e, guard.FinalizeChanges, in.Task)
	if err != nil {
		return err
	}
	return withTask(ctx, e, id, emit, func(w *taskCall, ctx context.Context) error {
		var decisions []review.Decision
		for _, s := range in.Files {
			var f struct {
				Path, Decision, ID string
				Hunks              []string
			}
			if json.Unmarshal([]byte(s), &f) != nil || f.Path == "" {
				return code.Usagef("a reviewed file is no object with path and decision")
			}
			decisions = append(decisions, review.Decision{Path: f.Path, Verdict: review.Verdict(f.Decision), Hunks: f.Hunks, Seen: f.ID})
		}
		if strings.TrimSpace(in.Message) == "" {
			return code.Usagef("--commit-message is empty")
		}
		_, tree, err := w.taskTree(ctx, guard.FinalizeChanges)
		if err != nil {
			return err
		}
		before, err := review.ReadChanges(ctx, tree)
		if err != nil {
			return w.treeRefusal(err, "review_changes")
		}
		if refused := w.refuseUnreviewed(before, decisions, in.Confirm); refused != nil {
			return refused
		}
		made, err := review.Finalize(ctx, tree, decisions, w.p.Engine.Hide(in.Message))
		if err != nil {
			return w.treeRefusal(err, "review_changes")
		}
		head := made.ID
		if head == "" {
			head = before.Head
		}
		if err := w.changeTask(ctx, func(t *guard.Task) { t.Final, t.Kept = head, addMissing(t.Kept, made.Committed) }); err != nil {
			return err
		}
		w.a.Commit = made.ID
		w.a.Message = fmt.Sprintf("%s committed, %s discarded", operation.Plural(len(made.Committed), "file"), operation.Plural(len(made.Discarded), "file"))
		for _, p := range made.Left {
			w.a.Warnings = append(w.a.Warnings, "nothing was decided of "+p+"; it stays changed in the work tree")
		}
		w.reportSkippedHooks(made.NotRun, made.Unsigned)
		w.a.Hint = "merge_to_main"
		return nil
	})
}

// refuseUnreviewed refuses decisions about changes that no review has shown as they are now, those that have to be confirmed and were
// not, and a commit made by hand of which something is undecided. It sets the ids of the decisions to those reviewed, and returns nil if
// there is nothing to refuse.
func (w *taskCall) refuseUnreviewed(r *review.Review, decisions []review.Decision, confirmed []string) error {
	refuse := func(format string, args ...any) error {
		w.a.Allowed, w.a.Error, w.a.Message = false, guard.EvidenceMissing, fmt.Sprintf(format, args...)
		return &operation.AlarmError{Message: w.a.Error, Refused: true}
	}
	var unseen, open []string
	decided := map[string]bool{}
	for i := range decisions {
		d := &decisions[i]
		decided[d.Path] = true
		seen, ok := w.task.Reviewed[d.Path]
		if !r.Has(d.Path) {
			continue // review reports it
		}
		other := d.Seen != "" && d.Seen != seen.ID || seen.Left > 0
		if !ok || other || !r.IsAt(d.Path, seen.ID) {
			unseen = append(unseen, d.Path)
			continue
		}
		d.Seen = seen.ID
		if d.Verdict != review.Discard && len(seen.Confirm) > 0 && !slices.Contains(confirmed, d.Path) {
			open = append(open, d.Path+" ("+strings.Join(seen.Confirm, ", ")+")")
		}
	}
	switch {
	case len(unseen) > 0:
		w.a.Hint = "review_changes, then finalize_changes"
		return refuse("not as review_changes has shown it: %s", strings.Join(unseen, ", "))
	case len(open) > 0:
		w.a.Hint = "finalize_changes with confirm: each of these paths, if the user wants them; or discard them"
		return refuse("to be confirmed by name: %s", strings.Join(open, ", "))
	}
	if byHand := r.CommittedPaths(); r.Head != r.Start && r.Head != w.task.Final {
		byHand = slices.DeleteFunc(byHand, func(p string) bool { return decided[p] })
		if len(byHand) > 0 {
			w.a.Hint = "review_changes, then finalize_changes with a decision about each of them, too"
			return refuse("the branch has commits that ken did not make, and nothing was decided of %s", strings.Join(byHand, ", "))
		}
	}
	return nil
}

// reportSkippedHooks names in the answer the user's git hooks that ken did not run.
func (w *taskCall) reportSkippedHooks(names []string, unsigned bool) {
	for _, h := range names {
		w.a.Warnings = append(w.a.Warnings, "the hook "+h+" was not run: run what it checks")
	}
	if unsigned {
		w.a.Warnings = append(w.a.Warnings, "the settings have commits signed, and this one is not")
	}
}

// merged is the outcome of a task that a merge has ended and of which no other is recorded.
const merged = "merged"

func mergeTool() *tool {
	return spec[taskInput, answer]{
		Name: string(guard.MergeToMain), Group: group, Topic: operation.ChangeSafely, MCP: offer(), Effect: operation.Changes, Summary: "merge the task's branch into the one it came from: ends the task",
		Long: "It is merged into the branch that was checked out when the work tree was made, whatever its name. On a conflict nothing is done, and it is said how to go on.\n" +
			"Where the branch is checked out and has local changes to the same files, it is refused.",
		Example: []string{"task merge_to_main"},
		Run: func(ctx context.Context, e *env, in *taskInput, emit func(*answer) error) error {
			id, err := taskToEnd(ctx, e, guard.MergeToMain, in.Task)
			if err != nil {
				return err
			}
			return withTask(ctx, e, id, emit, func(w *taskCall, ctx context.Context) error {
				trees, tree, err := w.taskTree(ctx, guard.MergeToMain)
				if err != nil {
					return err
				}
				r, err := review.ReadChanges(ctx, tree)
				if err != nil {
					return w.treeRefusal(err, "")
				}
				if r.Head != r.Start && r.Head != w.task.Final {
					w.a.Allowed, w.a.Error, w.a.Message = false, guard.EvidenceMissing, "the branch has commits that were not reviewed: its last one is "+r.Head[:12]
					w.a.Hint = "review_changes, then finalize_changes with a decision about each change"
					return &operation.AlarmError{Message: w.a.Error, Refused: true}
				}
				made, err := trees.Merge(ctx, tree.ID, worktree.MergeOptions{NoFastForward: true, Tip: r.Head})
				if err != nil {
					return w.treeRefusal(err, "resolve what is said, then merge_to_main again")
				}
				if made.Already && len(made.Uncommitted) > 0 {
					w.a.Allowed, w.a.Error, w.a.Message = false, guard.EvidenceMissing, "nothing of the work tree is committed: "+strings.Join(made.Uncommitted, ", ")
					w.a.Hint = "review_changes, then finalize_changes"
					return &operation.AlarmError{Message: w.a.Error, Refused: true}
				}
				if len(made.Uncommitted) > 0 {
					w.a.Warnings = append(w.a.Warnings, fmt.Sprintf("not committed and not merged: %s", strings.Join(made.Uncommitted, ", ")))
				}
				for _, b := range made.Finished {
					w.a.Warnings = append(w.a.Warnings, "the merge of "+b+" had been broken off and was finished first")
				}
				w.reportSkippedHooks(made.NotRun, made.Unsigned)
				w.a.Commit, w.a.Message = made.Into, fmt.Sprintf("%s is merged into %s", made.Branch, made.Base)
				if made.Already {
					w.a.Message = made.Base + " has everything already"
				}
				w.a.Hint = "cleanup removes the work tree and its branch"
				return w.changeTask(ctx, func(t *guard.Task) { t.End(merged, w.now) })
			})
		},
		Text: text[taskInput],
	}.Tool()
}

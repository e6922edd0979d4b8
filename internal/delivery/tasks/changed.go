package tasks

import (
	"context"
	"errors"
	"io/fs"
	"ken/internal/delivery/tasks/content"
	"path/filepath"
	"slices"
	"strings"

	"ken/internal/ask/declared"
	"ken/internal/git"
	"ken/internal/guard"
	"ken/internal/statefile"
	"ken/internal/worktree"
)

// Edit replaces a text in a file, at its first place or at all.
type Edit struct {
	Old, New string
	All      bool
}

// Written is what a write makes of a file: edits of the text that is there, or a new text. Neither is known of some tools.
type Written struct {
	Edits []Edit
	Text  *string
}

// apply returns the text after a write; false if it is not known, or an edit finds nothing or several places, so that the tool will fail.
func (w *Written) apply(old string) (string, bool) {
	if w.Text != nil {
		return *w.Text, true
	}
	old = strings.ReplaceAll(old, "\r\n", "\n") // as agents are shown it
	for _, e := range w.Edits {
		if e.Old == "" || !strings.Contains(old, e.Old) {
			return "", false
		}
		if !e.All && strings.Count(old, e.Old) > 1 {
			return "", false
		}
		old = strings.ReplaceAll(old, e.Old, e.New)
	}
	return old, len(w.Edits) > 0
}

// compareWritten finds which declarations a write changes, where the task gives leave for some of its file alone.
func (w *taskCall) compareWritten(g *guard.Target, written *Written) {
	if !w.task.LimitsTo(g) {
		return
	}
	old, ok := w.textOnDisk(g.Path)
	if !ok {
		return
	}
	if now, ok := written.apply(old); ok {
		w.compare(g, old, now)
	}
}

// compareWithCommit finds which declarations of a file differ from a commit.
func (w *taskCall) compareWithCommit(ctx context.Context, g *guard.Target, commit string) {
	if !w.task.LimitsTo(g) {
		return
	}
	now, ok := w.textOnDisk(g.Path)
	if !ok {
		return
	}
	repo, err := git.Find(w.p.Root)
	if err != nil {
		return
	}
	rel, err := filepath.Rel(repo.Root, w.p.Absolute(g.Path))
	if err != nil {
		return
	}
	if old, err := (git.Git{}).Blob(ctx, repo, commit, filepath.ToSlash(rel)); err == nil {
		w.compare(g, string(old), now)
	}
}

func (w *taskCall) compare(g *guard.Target, old, now string) {
	f, _, err := w.s.Index.FileByPath(g.Path)
	if err != nil {
		return
	}
	g.Compared = true
	for _, c := range declared.Changes(g.Path, f.Lang, []byte(old), []byte(now)) {
		g.Changed = append(g.Changed, guard.Change(c))
	}
}

// textOnDisk returns the text of a file where the task writes it; of one that is not there, nothing.
func (w *taskCall) textOnDisk(rel string) (string, bool) {
	data, err := statefile.ReadFollow(treeFile(w.p, w.task.Root, rel), content.MaxFile)
	return string(data), err == nil || errors.Is(err, fs.ErrNotExist)
}

// changedFiles returns the files that changed while the task went on: of a task with a work tree those that were kept of it or, before
// that, that differ in it; else those that differ from the commit that it began with or, without git, from how they were before they might
// be written. Who changed a file is not known. It fails if git or the work tree cannot be read.
func (w *taskCall) changedFiles(ctx context.Context) (out []string, err error) {
	t := w.task
	switch {
	case t.Overlay && t.Final != "":
		return t.Kept, nil
	case t.Overlay && t.Root != "" && !w.treeIsLost():
		trees, err := openTrees(w.p)
		if err != nil {
			return nil, err
		}
		tree, err := trees.Tree(ctx, t.ID)
		if err == nil {
			var d *worktree.Differences
			if d, err = worktree.ChangedSince(ctx, git.Git{}, t.Root, tree.Start); err == nil {
				out = d.Changed
			}
		}
		if worktree.RefusalReason(err) != "" || errors.Is(err, worktree.ErrUnknown) {
			err = nil // nothing is known of it
		}
		return out, err
	case t.Overlay:
		return nil, nil
	case t.Start.Head == "":
		for path, was := range t.Before {
			if content.Fingerprint(w.p.Root, path) != was {
				out = append(out, path)
			}
		}
		slices.Sort(out)
		return out, nil
	}
	d, err := worktree.ChangedSince(ctx, git.Git{}, w.p.Root, t.Start.Head)
	if err != nil {
		return nil, err
	}
	for _, path := range d.Changed {
		if was, dirty := t.Start.Dirty[path]; !dirty || was != content.Fingerprint(w.p.Root, path) {
			out = append(out, path)
		}
	}
	return out, nil
}

// addMissing returns list with those of more that it does not have.
func addMissing(list, more []string) []string {
	for _, s := range more {
		if !slices.Contains(list, s) {
			list = append(list, s)
		}
	}
	return list
}

// changedWithoutLeave returns the files of the tree that changed since the task began and that it gives no leave for, also those whose
// change no hook has seen, and those that may be written and that were not asked about. A file that git ignores since then counts as a new
// one. It fails if git or the index cannot be read.
func (w *taskCall) changedWithoutLeave(ctx context.Context) (out, unasked []string, err error) {
	t := w.task
	if t.Overlay {
		return nil, nil, nil
	}
	d, err := worktree.ChangedSince(ctx, git.Git{}, w.p.Root, t.Start.Head)
	if errors.Is(err, git.ErrNoRepository) && t.Start.Head == "" {
		return nil, nil, nil
	}
	if err != nil || d.Head == "" {
		return nil, nil, err
	}
	ignored, err := d.Ignored(ctx, t.Start.Rules != "" && d.Rules != t.Start.Rules)
	if err != nil {
		return nil, nil, err
	}
	judged := 0
	for _, path := range append(d.Changed, ignored...) {
		was, dirty := t.Start.Dirty[path]
		asBefore := dirty && was == content.Fingerprint(w.p.Root, path)
		unknown := t.Start.ManyNew && !dirty && slices.Contains(d.New, path)
		whole, symbols := t.Leave(path)
		if asBefore || unknown || whole {
			continue
		}
		leave := strings.HasSuffix(path, "/") // a folder that git ignores has no file of which the index knows anything
		if judged++; judged <= maxJudged && !leave {
			if leave, err = w.mayHaveChanged(ctx, path, dirty || t.Start.Head == ""); err != nil {
				return nil, nil, err
			}
		}
		switch {
		case !leave && len(out) < maxUnruly:
			out = append(out, path)
		case leave && len(symbols) == 0:
			unasked = append(unasked, path)
		}
	}
	return out, unasked, nil
}

// mayHaveChanged reports whether the task gives leave for what has changed in a file since it began. What one had that was dirty is not
// known.
func (w *taskCall) mayHaveChanged(ctx context.Context, path string, dirty bool) (bool, error) {
	targets, err := w.writeTargets(ctx, []string{w.p.Absolute(path)})
	if err != nil {
		return false, ignoreNotFound(err)
	}
	for i := range targets {
		if targets[i].Name = path; !dirty {
			w.compareWithCommit(ctx, &targets[i], w.task.Start.Head)
		}
	}
	d := guard.Decide(w.policy, w.task, &guard.Request{Tool: guard.Write, Targets: targets})
	return d.Allowed, nil
}

// maxJudged is the number of changed files up to which each is judged on its own. If a command changed more files, all count as changed
// without permission.
const maxJudged = 30

// maxUnruly is the number of files changed without permission that a task stores.
const maxUnruly = 200

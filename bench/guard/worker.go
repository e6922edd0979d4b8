package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"ken/bench/world"
	"ken/internal/git"
	"ken/internal/guard/review"
	"ken/internal/store/sqlite/memory"
	"ken/internal/worktree"
)

// The parts of a worker's life. Between them nothing may have reached the base.
const (
	makePart  = "make"  // a work tree with a commit
	mergePart = "merge" // into the base, and clean up
)

// worker does the work of one guarded task. It may be killed at any moment and is started again, so it first finds out what it has done
// already.
type worker struct {
	id, dir, part string
}

// openTrees are the work trees of a project, as ken has them.
func openTrees(dir string) (*worktree.Trees, error) {
	return worktree.New(dir, git.Git{}, memory.New(filepath.Join(dir, ".ken", "memory.db"), "bench"), time.Now)
}

func (w *worker) runPart(ctx context.Context) error {
	t, err := openTrees(w.dir)
	if err != nil {
		return err
	}
	if w.part == makePart {
		return w.makeTree(ctx, t)
	}
	return w.mergeTree(ctx, t)
}

// ownFile returns the name of the file that only this worker writes.
func (w *worker) ownFile() string { return "work/" + w.id + ".txt" }

// makeTree makes the work tree, if there is none, and commits a part of the changes that it writes.
func (w *worker) makeTree(ctx context.Context, t *worktree.Trees) error {
	tree, err := t.Tree(ctx, w.id)
	if worktree.RefusalReason(err) == worktree.Interrupted {
		if _, err := t.Clean(ctx, worktree.CleanOptions{IDs: []string{w.id}}); err != nil {
			return err
		}
		tree, err = t.Tree(ctx, w.id)
	}
	if errors.Is(err, worktree.ErrUnknown) {
		tree, err = t.Create(ctx, worktree.CreateOptions{ID: w.id, Branch: "llm_task_" + w.id, Purpose: "task", Targets: []string{w.ownFile()}})
	}
	if err != nil {
		return err
	}
	fmt.Println("made")
	if err := w.writeChanges(tree.Dir); err != nil {
		return err
	}
	r, err := review.ReadChanges(ctx, tree)
	if err != nil {
		return err
	}
	fmt.Println("reviewed")
	var decisions []review.Decision
	for _, c := range r.Changes {
		d := review.Decision{Path: c.Path, Verdict: review.Keep, Seen: c.ID}
		switch {
		case strings.HasPrefix(c.Path, "junk"):
			d.Verdict = review.Discard
		case c.Path == "shared.txt":
			d.Verdict, d.Hunks = review.Part, nil
			for _, h := range c.Hunks {
				if !strings.Contains(c.New[:lineOffset(c.New, h.NewFrom-1+h.NewLines)][lineOffset(c.New, h.NewFrom-1):], "junk") {
					d.Hunks = append(d.Hunks, h.ID)
				}
			}
		}
		decisions = append(decisions, d)
	}
	done, err := review.Finalize(ctx, tree, decisions, "work of "+w.id)
	if err != nil {
		return err
	}
	if done.ID != "" {
		fmt.Println("committed", done.ID)
	}
	return nil
}

// lineOffset returns the offset at which a line begins.
func lineOffset(text string, line int) int {
	pos := 0
	for range line {
		n := strings.IndexByte(text[pos:], '\n')
		if n < 0 {
			return len(text)
		}
		pos += n + 1
	}
	return pos
}

// sharedText returns the file in which every worker changes one line.
func sharedText() string {
	text := "head\n"
	for i := range atOnce {
		text += fmt.Sprintf("\n\n\nplace of w%d\n\n\n", i)
	}
	return text
}

// writeChanges changes files as an agent would: its own, a line of one that all change, and junk.
func (w *worker) writeChanges(dir string) error {
	// Not as it is on disk, where a worker that was killed while it wrote may have left half of it.
	lines := strings.Split(sharedText(), "\n")
	for i, l := range lines {
		if strings.HasPrefix(l, "place of "+w.id) {
			lines[i] = "place of " + w.id + ", taken"
		}
	}
	lines[0] = "junk of " + w.id
	err := world.WriteFiles(dir, map[string]string{
		w.ownFile():              strings.Repeat("work of "+w.id+"\n", 50),
		"shared.txt":             strings.Join(lines, "\n"),
		"junk-" + w.id + "/deep": "junk\n",
		"executable-" + w.id:     "#!/bin/sh\n",
	})
	gone := os.Remove(filepath.Join(dir, "gone-"+w.id+".txt"))
	if errors.Is(gone, os.ErrNotExist) {
		gone = nil
	}
	return errors.Join(err, gone, os.Chmod(filepath.Join(dir, "executable-"+w.id), 0o755))
}

// mergeTree merges the work tree and removes it. One that is gone was merged before.
func (w *worker) mergeTree(ctx context.Context, t *worktree.Trees) error {
	tree, err := t.Tree(ctx, w.id)
	switch {
	case errors.Is(err, worktree.ErrUnknown):
		return nil
	case worktree.RefusalReason(err) == worktree.Interrupted:
	case err != nil:
		return err
	default:
		r, err := t.Merge(ctx, tree.ID, worktree.MergeOptions{NoFastForward: strings.HasSuffix(w.id, "1")})
		if err != nil {
			return err
		}
		fmt.Println("merged", r.Into)
	}
	done, err := t.Clean(ctx, worktree.CleanOptions{IDs: []string{w.id}})
	if err == nil && !done[0].Removed {
		err = fmt.Errorf("not cleaned up: %s", done[0].Text)
	}
	return err
}

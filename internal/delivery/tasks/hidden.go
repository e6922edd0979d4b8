package tasks

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"

	"ken/internal/delivery/project"
	"ken/internal/delivery/tasks/content"
	"ken/internal/engine/view"
	"ken/internal/git"
	"ken/internal/guard"
	"ken/internal/operation"
	"ken/internal/worktree"
)

// noteTree notes how the tree is when a task begins, so that what changes in it is seen when it is reviewed, whoever changes it. It returns
// lines about what will not be seen.
func noteTree(ctx context.Context, p *project.Project, s *view.Snapshot, t *guard.Task) (unseen []string) {
	t.Start = guard.Start{}
	if !t.Intent.Writes() {
		return nil
	}
	now, err := worktree.ChangedSince(ctx, git.Git{}, p.Root, "")
	if err != nil || now.Head == "" {
		return []string{"there is no commit to compare with, so what changes in the tree without being announced is not seen"}
	}
	start := guard.Start{Head: now.Head, Rules: now.Rules}
	known := len(now.Changed) - len(now.New)
	if start.ManyNew = len(now.Changed) > maxDirty; start.ManyNew {
		unseen = append(unseen, fmt.Sprintf("git does not know %d files, so a new one that is not announced is not seen", len(now.New)))
	}
	if !t.Overlay && known <= maxDirty {
		start.Dirty = map[string]string{}
		for _, path := range now.Changed {
			if !start.ManyNew || !slices.Contains(now.New, path) {
				start.Dirty[path] = content.Fingerprint(p.Root, path)
			}
		}
	}
	if all, err := s.LeftOut(); err == nil {
		start.LeftOut = fingerprintOf(all)
		start.Hidden, _ = hiddenFiles(ctx, p, all, &start) // without git's answer everything that is left out later counts as hidden
	}
	if n := len(start.Hidden); n > 0 {
		unseen = append(unseen, fmt.Sprintf("the index leaves out %s that the commit has, so uses there are not seen: %s",
			operation.Plural(n, "path"), strings.Join(start.Hidden[:min(n, maxOpen)], ", ")))
	}
	if !t.Overlay && known > maxDirty {
		start = guard.Start{}
		unseen = append(unseen, fmt.Sprintf("%d files have changes that are not committed, so what changes without being announced is not seen", known))
	}
	t.Start = start
	return unseen
}

// maxHidden is the number of files and folders that the index left out when a task began and that are remembered.
const maxHidden = 1000

// hiddenFiles returns those of the files and folders that the index leaves out that the commit with which a task began has, or that had
// changes then. It fails if git does.
func hiddenFiles(ctx context.Context, p *project.Project, leftOut []string, start *guard.Start) (out []string, err error) {
	if len(leftOut) == 0 || start.Head == "" {
		return nil, nil
	}
	if out, err = worktree.Held(ctx, git.Git{}, p.Root, start.Head, leftOut); err != nil {
		return nil, err
	}
	for _, path := range leftOut {
		if _, dirty := start.Dirty[path]; dirty && !slices.Contains(out, path) {
			out = append(out, path)
		}
	}
	return out[:min(len(out), maxHidden)], nil
}

// hiddenSince returns the files and folders that the index had when a task began and leaves out now. It fails if git does, or the index
// cannot be read.
func hiddenSince(ctx context.Context, p *project.Project, s *view.Snapshot, start *guard.Start) ([]string, error) {
	if s == nil || start.LeftOut == "" {
		return nil, nil
	}
	all, err := s.LeftOut()
	if err != nil || fingerprintOf(all) == start.LeftOut {
		return nil, err
	}
	now, err := hiddenFiles(ctx, p, all, start)
	return slices.DeleteFunc(now, func(path string) bool { return slices.Contains(start.Hidden, path) }), err
}

// fingerprintOf returns a short hash of a list.
func fingerprintOf(list []string) string {
	sum := sha256.Sum256([]byte(strings.Join(list, "\x00")))
	return hex.EncodeToString(sum[:8])
}

package worktree

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"ken/internal/git"
	"ken/internal/git/plumbing"
)

// Choice is the user's decision whether to commit or to discard a change.
type Choice struct {
	Change Change // as the caller saw it; if it differs by now, the commit is refused
	// Keep commits the file as it is. Otherwise the file is restored, or becomes Text if that is not nil: some of its lines are
	// kept then, and others are not.
	Keep bool
	Text []byte
}

// Commit is the result of Tree.Commit.
type Commit struct {
	ID        string   // "" if the branch had every kept change already
	Committed []string // paths that the commit changed
	Discarded []string // paths that were restored, as a whole or in part
	Left      []string // paths with changes for which there was no choice; they stay as they are
	NotRun    []string // names of hooks that `git commit` would have run; ken runs none, because they are programs
	Unsigned  bool     // the user's settings have commits signed, and this one is not
}

// Commit commits the choices, and no other change, to the work tree's branch, and restores the discarded files on disk. The commit is on
// its branch before the first file is touched. After a crash it can be repeated with a new Look. It refuses an empty message and choices
// that exclude each other with Mixed, a tree in which a merge or rebase has begun with Unfinished, choices that no longer match the files
// with Changed, nested repositories with Submodules, and a branch that moved with Moved. It fails if git or the disk does.
func (t *Tree) Commit(ctx context.Context, choices []Choice, message string) (*Commit, error) {
	if strings.TrimSpace(message) == "" {
		return nil, newRefused(Mixed, "a commit needs a message")
	}
	release, err := t.lockTree(ctx)
	if err != nil {
		return nil, err
	}
	defer release()
	if t.repo.IsMerging() {
		return nil, newRefused(Unfinished, "a merge, rebase or the like has begun in %s; finish it with `git commit` or abort it", t.Dir)
	}
	removeScratch(t.repo.GitDir)
	scratch, err := os.MkdirTemp(t.repo.GitDir, workName)
	if err != nil {
		return nil, fmt.Errorf("commit: %w", err)
	}
	defer os.RemoveAll(scratch)
	c := &commitRun{Tree: t, choices: choices, scratch: scratch, live: t.git.WithIndex(filepath.Join(scratch, "live"))}
	if err := c.checkChoices(ctx); err != nil {
		return nil, err
	}
	return c.runCommit(ctx, message)
}

// workName is the prefix of the names of temporary folders in which a commit or merge is made. A process that makes one holds a lock, so
// folders that another holder of the lock finds belong to processes that ended.
const workName = "ken-work-"

// commitRun is a commit in progress.
type commitRun struct {
	*Tree
	choices []Choice
	scratch string
	live    git.Git // with an index of the files in the work tree
	head    string
	now     string // tree of the files in the work tree
	left    []string
}

// checkChoices compares the choices with the current changes.
func (c *commitRun) checkChoices(ctx context.Context) (err error) {
	if c.head, err = plumbing.RefCommit(ctx, c.git, c.repo, c.Branch); err != nil {
		return err
	}
	if c.now, err = c.writeSnapshot(ctx, c.git, filepath.Join(c.scratch, "live")); err != nil {
		return err
	}
	start, err := c.workStart(ctx, c.head)
	if err != nil {
		return err
	}
	diff, err := c.git.Differences(ctx, c.repo, start, c.now)
	if err != nil {
		return err
	}
	now := map[string]Change{}
	for _, d := range diff {
		now[d.Path] = newChange(&d, false)
	}
	var stale, nested []string
	chosen := map[string]bool{}
	for _, ch := range c.choices {
		is, seen := now[ch.Change.Path], ch.Change
		if is.Old != seen.Old || is.New != seen.New || chosen[seen.Path] {
			stale = append(stale, seen.Path)
		}
		if ch.Keep && seen.IsNested() {
			nested = append(nested, seen.Path)
		}
		chosen[seen.Path] = true
	}
	for _, d := range c.trees.withoutKenFile(diff) {
		if !chosen[d.Path] {
			c.left = append(c.left, d.Path)
		}
	}
	switch {
	case len(stale) > 0:
		return newRefusedPaths(Changed, stale, "these have changed since they were read, or are chosen twice; look again")
	case len(nested) > 0:
		return newRefusedPaths(Submodules, nested, "these are separate repositories, whose files cannot be committed")
	}
	return nil
}

// indexEntry returns the entry of git's index that a choice puts into the commit.
func (c *commitRun) indexEntry(ctx context.Context, ch *Choice) (plumbing.IndexEntry, error) {
	e := plumbing.IndexEntry{Path: ch.Change.Path, Mode: ch.Change.Old.Mode, ID: ch.Change.Old.ID}
	switch {
	case ch.Keep:
		e.Mode, e.ID = ch.Change.New.Mode, ch.Change.New.ID
	case ch.Text != nil:
		id, err := plumbing.PutBlob(ctx, c.git, c.repo, ch.Text)
		if err != nil {
			return e, err
		}
		if e.ID = id; ch.Change.New.Mode != 0 {
			e.Mode = ch.Change.New.Mode
		}
	}
	if e.ID == "" {
		e.ID = plumbing.ZeroID(c.head)
	}
	return e, nil
}

// runCommit makes the commit, moves the branch to it, and then updates the files on disk and the index.
func (c *commitRun) runCommit(ctx context.Context, message string) (*Commit, error) {
	var entries, back []plumbing.IndexEntry
	done := &Commit{Left: c.left}
	for _, ch := range c.choices {
		e, err := c.indexEntry(ctx, &ch)
		if err != nil {
			return nil, err
		}
		entries = append(entries, e)
		if !ch.Keep {
			back = append(back, e)
			done.Discarded = append(done.Discarded, e.Path)
		}
	}
	tree, err := c.writeTree(ctx, "commit", c.head, entries)
	if err != nil {
		return nil, err
	}
	after, err := c.writeTree(ctx, "disk", c.now, back)
	if err != nil {
		return nil, err
	}
	// The files are checked before the branch moves.
	m := &fileMover{git: c.live, repo: c.repo, from: c.now, to: after, scratch: c.scratch}
	if err := m.prepareMove(ctx); err != nil {
		return nil, err
	}
	if err := c.advanceBranch(ctx, tree, message, done); err != nil {
		return nil, err
	}
	if err := m.placeFiles(); err != nil {
		return done, fmt.Errorf("%s is committed, and the discarded files are still on disk; free space or mend what is wrong, and finalize again: %w",
			cmp.Or(done.ID, "nothing new"), err)
	}
	if err := c.writeIndex(ctx, entries); err != nil {
		return done, fmt.Errorf("%s is committed, but the index is not yet updated; finalize again: %w", cmp.Or(done.ID, "nothing new"), err)
	}
	if done.ID != "" {
		c.Tip = done.ID
	}
	return done, c.trees.store.KeepWorktree(ctx, c.Record)
}

// writeIndex writes the chosen entries to the work tree's index, and keeps all other entries.
func (c *commitRun) writeIndex(ctx context.Context, entries []plumbing.IndexEntry) error {
	free, err := lockIndex(ctx, c.ID, c.repo)
	if err != nil {
		return err
	}
	defer free()
	index, next := filepath.Join(c.repo.GitDir, "index"), filepath.Join(c.scratch, "next")
	if err := copyFile(index, next); err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	g := c.git.WithIndex(next)
	if err := plumbing.PutEntries(ctx, g, c.repo, entries); err != nil {
		return err
	}
	if err := plumbing.RefreshIndex(ctx, g, c.repo); err != nil {
		return err
	}
	return os.Rename(next, index)
}

// writeTree writes a copy of the tree from with some entries replaced, and returns the ID of the copy. It refuses entries that exclude each
// other.
func (c *commitRun) writeTree(ctx context.Context, name, from string, entries []plumbing.IndexEntry) (string, error) {
	g := c.git.WithIndex(filepath.Join(c.scratch, name))
	if err := plumbing.SetIndex(ctx, g, c.repo, from); err != nil {
		return "", err
	}
	if err := plumbing.PutEntries(ctx, g, c.repo, entries); err != nil {
		return "", err
	}
	tree, err := plumbing.WriteTree(ctx, g, c.repo)
	if err != nil {
		return "", err
	}
	return tree, c.checkEntries(ctx, from, tree, entries)
}

// checkEntries refuses with Mixed choices that exclude each other, such as a file and a file in a folder of its name.
func (c *commitRun) checkEntries(ctx context.Context, from, tree string, entries []plumbing.IndexEntry) error {
	diff, err := c.git.Differences(ctx, c.repo, from, tree)
	if err != nil {
		return err
	}
	wanted := map[string]plumbing.IndexEntry{}
	for _, e := range entries {
		wanted[e.Path] = e
	}
	var wrong []string
	for _, d := range diff {
		e, ok := wanted[d.Path]
		if !ok || e.Mode != d.NewMode || e.Mode != 0 && e.ID != d.NewID {
			wrong = append(wrong, d.Path)
		}
		delete(wanted, d.Path)
	}
	// An entry that does not differ was so before, unless a file and a folder of its name exclude each other.
	for path, e := range wanted {
		if e.Mode == 0 {
			continue
		}
		for other, o := range wanted {
			if o.Mode != 0 && strings.HasPrefix(other, path+"/") {
				wrong = append(wrong, other)
			}
		}
	}
	if len(wrong) > 0 {
		slices.Sort(wrong)
		return newRefusedPaths(Mixed, slices.Compact(wrong), "a file and a folder have the same name, so both must be kept or discarded")
	}
	return nil
}

// advanceBranch commits a tree to the branch, unless it equals the tree that the branch already has.
func (c *commitRun) advanceBranch(ctx context.Context, tree, message string, done *Commit) error {
	diff, err := c.git.Differences(ctx, c.repo, c.head, tree)
	if err != nil || len(diff) == 0 {
		return err
	}
	id, err := plumbing.CommitTree(ctx, c.git, c.repo, tree, []string{c.head}, message)
	if err != nil {
		return err
	}
	advanced := plumbing.RefUpdate{Name: c.Branch, New: id, Old: c.head}
	if err := plumbing.UpdateRefs(ctx, c.git, c.repo, "ken: finalize "+c.ID, advanced); err != nil {
		return errors.Join(newRefused(Moved, "%s has moved meanwhile; look again", c.Branch), err)
	}
	done.ID = id
	for _, d := range diff {
		done.Committed = append(done.Committed, d.Path)
	}
	done.NotRun = c.repo.CommitHooks(git.ReadConfig(c.repo))
	done.Unsigned = git.ReadConfig(c.repo).Bool("commit.gpgsign")
	return nil
}

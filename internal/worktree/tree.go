package worktree

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"ken/internal/git"
	"ken/internal/statefile"
)

// Tree is a work tree whose folder exists.
type Tree struct {
	Record
	Dir  string // its top folder
	Root string // the project's root in it; an agent that works in it uses paths relative to this

	trees *Trees
	repo  *git.Repo
	git   git.Git // disarmed for it

	locked bool // this process has the lock of the work tree
}

// Records returns the records of all work trees, oldest first. It fails if the store does.
func (t *Trees) Records(ctx context.Context) ([]Record, error) { return t.store.Worktrees(ctx) }

// Tree opens the work tree of an ID. It returns ErrUnknown if there is none. It refuses a work tree whose creation or removal was
// interrupted, whose branch is not checked out in it, or whose folder is gone, a link, or of another repository or user.
func (t *Trees) Tree(ctx context.Context, id string) (*Tree, error) {
	if !ValidID(id) {
		return nil, ErrUnknown
	}
	r, err := t.store.Worktree(ctx, id)
	if err != nil {
		return nil, err
	}
	switch r.State {
	case Creating, Removing:
		return nil, newRefused(Interrupted, "%s the work tree %s was broken off; clean up, and begin again if it is still wanted", r.State, id)
	}
	return t.openRecord(ctx, r)
}

// openRecord returns the work tree of a record, after finding its folder and git's folder for it.
func (t *Trees) openRecord(ctx context.Context, r Record) (*Tree, error) {
	if err := t.checkFolders(false); err != nil {
		return nil, err
	}
	dir := t.treeFolder(r.ID)
	st, err := os.Lstat(dir)
	switch {
	case r.State == Restoring:
		return nil, newRefused(Gone, "making the folder of the work tree %s again was broken off; its commits are on %s", r.ID, r.Branch)
	case errors.Is(err, os.ErrNotExist):
		return nil, newRefused(Gone, "the folder of the work tree %s is gone; its commits are on %s", r.ID, r.Branch)
	case err != nil:
		return nil, err
	case !st.IsDir():
		return nil, newRefused(Occupied, "%s is a link or file in the place of a folder", dir)
	case !statefile.IsOwn(st):
		return nil, newRefused(Occupied, "%s belongs to another user", dir)
	}
	admin, err := t.gitFolder(r.ID)
	if err != nil {
		return nil, err
	}
	link, err := os.Lstat(filepath.Join(dir, ".git"))
	linked, ok := git.LocateGitDir(dir)
	if err != nil || !link.Mode().IsRegular() || !ok || !sameDir(linked, admin) {
		return nil, newRefused(Occupied, "%s does not lead to %s, so the folder is not used; `git worktree repair` mends a tree that was moved",
			filepath.Join(dir, ".git"), admin)
	}
	repo := &git.Repo{Root: dir, GitDir: admin, CommonDir: t.repo.CommonDir}
	tree := &Tree{Record: r, Dir: dir, Root: filepath.Join(dir, t.below), trees: t, repo: repo}
	head, err := t.git.Head(ctx, tree.repo)
	if err != nil {
		return nil, err
	}
	if head.Ref != r.Branch {
		on := head.Ref
		if on == "" {
			on = "no branch"
		}
		return nil, newRefused(Moved, "the work tree %s is on %s and not on its own branch %s; check that out in %s", r.ID, on, r.Branch, dir)
	}
	tree.git, err = t.git.WithoutPrograms(ctx, tree.repo)
	return tree, err
}

// gitFolder returns the folder in which git keeps its data about a work tree. It finds it by the path of the work tree, because the
// folder's name may differ from the ID. It refuses with Gone if there is none.
func (t *Trees) gitFolder(id string) (string, error) {
	top := filepath.Join(t.repo.CommonDir, "worktrees")
	want := filepath.Join(t.treeFolder(id), ".git")
	leads := func(name string) bool {
		data, err := statefile.ReadFollow(filepath.Join(top, name, "gitdir"), 1<<16)
		if err != nil {
			return false
		}
		to := strings.TrimRight(string(data), "\n")
		if !filepath.IsAbs(to) {
			to = filepath.Join(top, name, to)
		}
		return filepath.Clean(to) == want
	}
	if leads(id) {
		return filepath.Join(top, id), nil
	}
	entries, err := os.ReadDir(top)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return "", fmt.Errorf("list the work trees: %w", err)
	}
	for _, e := range entries {
		if leads(e.Name()) {
			return filepath.Join(top, e.Name()), nil
		}
	}
	return "", newRefused(Gone, "git has no work tree at %s any more", t.treeFolder(id))
}

func sameDir(a, b string) bool {
	x, err := os.Stat(a)
	if err != nil {
		return false
	}
	y, err := os.Stat(b)
	return err == nil && os.SameFile(x, y)
}

// treeLock is the lock file of one work tree, in git's folder for it. A process that writes in the work tree takes the lock
// exclusively, and one that only reads shares it, so that no file is removed while git reads it.
const treeLock = "ken.lock"

// lockTree takes the exclusive lock of this work tree, for changes that touch no other. It fails if ctx ends or the lock cannot be opened.
func (t *Tree) lockTree(ctx context.Context) (release func(), err error) {
	file, free, err := takeLock(ctx, filepath.Join(t.repo.GitDir, treeLock), false)
	if err != nil {
		return nil, err
	}
	before := t.git
	t.git, t.locked = t.git.KeepingOpen(file), true
	return func() {
		t.git, t.locked = before, false
		free()
	}, nil
}

package workspace

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"ken/internal/git"
	"ken/internal/git/plumbing"
)

// ChildRepo is a repository directly in a folder.
type ChildRepo struct {
	Name string `json:"name"`
	Path string `json:"path"`
	// Uncommitted is nil if git could not determine it.
	Uncommitted *bool  `json:"has_uncommitted"`
	Problem     string `json:"problem,omitempty"`
}

// Children returns the repositories directly in a folder, without hidden ones. It returns an error if the folder cannot be read.
func Children(ctx context.Context, dir string) ([]ChildRepo, error) {
	names, _, err := listFolders(dir)
	if err != nil {
		return nil, err
	}
	list := []ChildRepo{}
	for _, name := range names {
		at := filepath.Join(dir, name)
		if _, ok := git.LocateGitDir(at); strings.HasPrefix(name, ".") || !ok {
			continue
		}
		c := ChildRepo{Name: name, Path: at}
		r, err := topRepo(at)
		n := 0
		if err == nil {
			n, err = countUncommitted(ctx, r)
		}
		switch {
		case ctx.Err() != nil:
			return nil, ctx.Err()
		case err != nil:
			c.Problem = err.Error()
		default:
			c.Uncommitted = new(n > 0)
		}
		list = append(list, c)
	}
	return list, nil
}

// topRepo returns the repository whose working tree begins at the folder dir.
func topRepo(dir string) (*git.Repo, error) {
	st, err := os.Lstat(dir)
	switch {
	case err != nil:
		return nil, err
	case !st.IsDir():
		return nil, errors.New("is not a folder, or a link to one")
	}
	real, err := filepath.EvalSymlinks(dir)
	if err != nil {
		return nil, err
	}
	r, err := git.Find(real)
	if err == nil && r.Root != real {
		err = errors.New("is not a repository")
	}
	return r, err
}

// countUncommitted returns the number of files that differ from the last commit. New files count, too.
func countUncommitted(ctx context.Context, r *git.Repo) (int, error) {
	entries, err := git.Git{}.Entries(ctx, r)
	if err != nil {
		return 0, err
	}
	for i := range entries {
		if e := &entries[i]; e.IsSubmodule() {
			// git would read a submodule with the submodule's own settings, which may name programs to run.
			if _, err := os.Lstat(filepath.Join(r.Root, filepath.FromSlash(e.Path), ".git")); err == nil {
				return 0, fmt.Errorf("has the submodule %.80q, which ken does not enter; ask git status", e.Path)
			}
		}
	}
	g, err := git.Git{}.WithoutPrograms(ctx, r)
	if err != nil {
		return 0, err
	}
	list, err := plumbing.Status(ctx, g, r, git.ReadConfig(r).ExcludesFile(r), false)
	return len(list), err
}

// Loss is the reason why a repository of a workspace cannot be removed without a loss.
type Loss struct {
	Repo   string `json:"repo"`
	Reason string `json:"reason"`
}

// Losses returns the repositories in which removing the workspace would lose, or might lose, uncommitted work or commits that exist
// nowhere else. unlisted are repositories in the workspace that its manifest does not list. A repository that cannot be checked
// counts, because a removal cannot be undone. It returns an error if ctx is done.
func (w *Workspace) Losses(ctx context.Context, unlisted []string) ([]Loss, error) {
	names := []string{}
	for _, r := range w.Repos {
		names = append(names, r.Name)
	}
	list := []Loss{}
	for _, name := range append(names, unlisted...) {
		switch reason, err := w.describeLoss(ctx, name); {
		case ctx.Err() != nil:
			return nil, ctx.Err()
		case err != nil:
			list = append(list, Loss{name, "it cannot be told: " + err.Error()})
		case reason != "":
			list = append(list, Loss{name, reason})
		}
	}
	return list, nil
}

// describeLoss describes the work in a repository that would be lost, or returns "" if there is none.
func (w *Workspace) describeLoss(ctx context.Context, name string) (string, error) {
	if !ValidName(name) {
		return "", errors.New("the name is not a folder of the workspace")
	}
	r, err := topRepo(filepath.Join(w.Path, name))
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil // the repository has been removed already
	}
	if err != nil {
		return "", err
	}
	n, err := countUncommitted(ctx, r)
	switch {
	case err != nil:
		return "", err
	case r.IsMerging():
		return "a merge, rebase or the like has begun", nil
	case n > 0:
		return fmt.Sprintf("%d files are not committed", n), nil
	}
	return w.describeUniqueCommits(ctx, r)
}

// describeUniqueCommits describes the commits that exist nowhere else, or returns "". The commits of a work tree remain in its repository
// if they are on a branch. A clone is lost with all its commits and stashes.
func (w *Workspace) describeUniqueCommits(ctx context.Context, r *git.Repo) (string, error) {
	g := git.Git{}
	head, err := g.Head(ctx, r)
	if err != nil {
		return "", err
	}
	own, err := isBelow(w.Path, r.CommonDir)
	if err != nil {
		return "", err
	}
	if !own {
		lone, err := plumbing.HasUniqueCommit(ctx, g, r, head.Commit, false)
		if lone {
			return "the commit it is at is in no branch", err
		}
		return "", err
	}
	switch _, err := plumbing.RefCommit(ctx, g, r, "refs/stash"); {
	case err == nil:
		return "changes are stashed in the clone", nil
	case !errors.Is(err, git.ErrNotFound):
		return "", err
	}
	lone, err := plumbing.HasUniqueCommit(ctx, g, r, head.Commit, true)
	if lone {
		return "commits were not pushed", err
	}
	return "", err
}

// isBelow reports whether the folder at is in the folder dir.
func isBelow(dir, at string) (bool, error) {
	real, err := filepath.EvalSymlinks(dir)
	if err != nil {
		return false, err
	}
	if at, err = filepath.EvalSymlinks(at); err != nil {
		return false, err
	}
	rel, err := filepath.Rel(real, at)
	return err == nil && filepath.IsLocal(rel), nil
}

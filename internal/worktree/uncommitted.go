package worktree

import (
	"context"
	"path/filepath"
	"slices"
	"strings"

	"ken/internal/git"
	"ken/internal/git/plumbing"
)

// ChangedSince returns the commit that is checked out in the tree of a project, and the paths, from the root of the project, of the files
// that differ from the commit since, committed or not; with since "" those that are not committed. It fails with git.ErrNoRepository
// outside of a repository, and if git fails.
func ChangedSince(ctx context.Context, g git.Git, root, since string) (head string, paths []string, err error) {
	repo, err := git.Find(root)
	if err != nil {
		return "", nil, err
	}
	at, err := g.Head(ctx, repo)
	if err != nil {
		return "", nil, err
	}
	list, err := plumbing.Status(ctx, g, repo, git.ReadConfig(repo).ExcludesFile(repo), false)
	if err != nil {
		return "", nil, err
	}
	for _, c := range list {
		paths = append(paths, c.Path)
	}
	if since != "" && since != at.Commit {
		diff, err := g.Differences(ctx, repo, since, at.Commit)
		if err != nil {
			return "", nil, err
		}
		for _, c := range diff {
			paths = append(paths, c.Path)
		}
	}
	below, err := filepath.Rel(repo.Root, root)
	if err != nil {
		return "", nil, err
	}
	var out []string
	for _, p := range paths {
		if below != "." {
			rest, ok := strings.CutPrefix(p, filepath.ToSlash(below)+"/")
			if !ok {
				continue
			}
			p = rest
		}
		if !strings.HasPrefix(p, ".ken/") {
			out = append(out, p)
		}
	}
	slices.Sort(out)
	return at.Commit, slices.Compact(out), nil
}

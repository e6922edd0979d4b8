package plumbing

import (
	"context"
	"errors"
	"strings"

	"ken/internal/git"
)

// Remotes returns the names of the remote repositories in the configuration, without contacting them. It fails if git does.
func Remotes(ctx context.Context, g git.Git, r *git.Repo) ([]string, error) {
	out, err := g.Run(ctx, r, nil, nil, "remote")
	return strings.Fields(string(out)), err
}

// RemoteHead returns the default branch of a remote repository at the time of cloning, "" if it is unknown. It fails if git
// does.
func RemoteHead(ctx context.Context, g git.Git, r *git.Repo, remote string) (string, error) {
	ref := "refs/remotes/" + remote + "/"
	if !git.ValidRef(ref + "HEAD") {
		return "", nil
	}
	out, err := g.Run(ctx, r, nil, nil, "symbolic-ref", "--quiet", ref+"HEAD")
	if git.HasExitStatus(err, 1) {
		return "", nil // there is none, or it does not name a ref
	}
	return strings.TrimPrefix(strings.TrimSpace(string(out)), ref), err
}

// BaseBranch returns the branch from which others begin: the configured one, else the default of a remote repository, else main
// or master. The upstream of the current branch does not count, because it is mostly the same branch. It returns
// "" if none is known, and fails if git does.
func BaseBranch(ctx context.Context, g git.Git, r *git.Repo, configured string, remotes []string) (string, error) {
	if configured != "" {
		return configured, nil
	}
	for _, remote := range remotes {
		if remote == "origin" || len(remotes) == 1 {
			if head, err := RemoteHead(ctx, g, r, remote); head != "" || err != nil {
				return head, err
			}
		}
	}
	for _, name := range []string{"main", "master"} {
		_, err := RefCommit(ctx, g, r, "refs/heads/"+name)
		if err == nil {
			return name, nil
		}
		if !errors.Is(err, git.ErrNotFound) {
			return "", err
		}
	}
	return "", nil
}

package plumbing

import (
	"context"
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

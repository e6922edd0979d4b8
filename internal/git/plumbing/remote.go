package plumbing

import (
	"context"
	"strings"

	"ken/internal/git"
)

// Remotes are the names of the remote repositories that the configuration knows. None of them is asked anything.
func Remotes(ctx context.Context, g git.Git, r *git.Repo) ([]string, error) {
	out, err := g.Run(ctx, r, nil, nil, "remote")
	return strings.Fields(string(out)), err
}

// RemoteHead is the branch that a remote repository begins with, as far as is known here from when it was cloned; "" if it is not.
func RemoteHead(ctx context.Context, g git.Git, r *git.Repo, remote string) (string, error) {
	ref := "refs/remotes/" + remote + "/"
	if !git.ValidRef(ref + "HEAD") {
		return "", nil
	}
	out, err := g.Run(ctx, r, nil, nil, "symbolic-ref", "--quiet", ref+"HEAD")
	if git.Exited(err, 1) {
		return "", nil // there is none, or it names no ref
	}
	return strings.TrimPrefix(strings.TrimSpace(string(out)), ref), err
}

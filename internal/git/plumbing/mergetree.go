package plumbing

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"ken/internal/git"
)

// Merged is the result of a merge that is only made in git's object database and touches neither files nor refs.
type Merged struct {
	Tree      string // of the result; with conflicts it has their marks
	Conflicts []MergeConflict
}

// MergeConflict is a path that two sides changed incompatibly.
type MergeConflict struct {
	Path               string
	Base, Ours, Theirs string   // ids of the contents, "" if there is none
	Notes              []string // the messages of git
}

// MergeTree merges two commits in the object database. It fails if git does, or is older than neededGit.
func MergeTree(ctx context.Context, g git.Git, r *git.Repo, ours, theirs string) (*Merged, error) {
	if !git.IsID(ours) || !git.IsID(theirs) {
		return nil, fmt.Errorf("git merge-tree: %w: no object id", git.ErrNotFound)
	}
	out, err := g.Run(ctx, r, nil, nil, "merge-tree", "--write-tree", "-z", "--messages", ours, theirs)
	if err != nil && !git.HasExitStatus(err, 1) {
		if git.HasExitStatus(err, 129) {
			return nil, tooOld("merge-tree")
		}
		return nil, err
	}
	m, perr := parseMergeTree(out)
	if perr == nil && err != nil && len(m.Conflicts) == 0 {
		return nil, err
	}
	return m, perr
}

// parseMergeTree reads the output of git merge-tree: the id of the tree; "MODE ID STAGE\tPATH" of conflicts; an empty
// field; and messages, each a number of paths, the paths, a kind and a text. All fields end with NUL.
func parseMergeTree(out []byte) (*Merged, error) {
	fields := strings.Split(strings.TrimSuffix(string(out), "\x00"), "\x00")
	m := &Merged{Tree: fields[0]}
	if !git.IsID(m.Tree) {
		return nil, fmt.Errorf("read merge-tree: %w: %.120q", git.ErrUnsupported, out)
	}
	at := map[string]int{}
	conflict := func(path string) *MergeConflict {
		i, ok := at[path]
		if !ok {
			i = len(m.Conflicts)
			at[path] = i
			m.Conflicts = append(m.Conflicts, MergeConflict{Path: path})
		}
		return &m.Conflicts[i]
	}
	fields = fields[1:]
	for len(fields) > 0 && fields[0] != "" {
		head, path, ok := strings.Cut(fields[0], "\t")
		f := strings.Fields(head)
		if !ok || len(f) != 3 {
			return nil, fmt.Errorf("read merge-tree: %w: record %q", git.ErrUnsupported, fields[0])
		}
		c := conflict(path)
		switch f[2] {
		case "1":
			c.Base = f[1]
		case "2":
			c.Ours = f[1]
		case "3":
			c.Theirs = f[1]
		}
		fields = fields[1:]
	}
	if len(fields) > 0 {
		fields = fields[1:]
	}
	for len(fields) > 0 {
		n, err := strconv.Atoi(fields[0])
		if err != nil || n < 0 || len(fields) < n+3 {
			break // notes help a reader and decide nothing
		}
		paths, kind, text := fields[1:n+1], fields[n+1], strings.TrimSpace(fields[n+2])
		fields = fields[n+3:]
		if !strings.HasPrefix(kind, "CONFLICT") {
			continue
		}
		for _, p := range paths {
			if i, ok := at[p]; ok && !slices.Contains(m.Conflicts[i].Notes, text) {
				m.Conflicts[i].Notes = append(m.Conflicts[i].Notes, text)
			}
		}
	}
	return m, nil
}

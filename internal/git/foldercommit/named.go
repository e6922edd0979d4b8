package foldercommit

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"ken/internal/git"
)

// maxNames is the maximal number of named paths, because they become arguments of git.
const maxNames = 2000

// MakeNamedPlan does the same as Make for named files and folders, relative to the top of the working tree. It reads only
// these. A named file that is staged in another version is committed as it is in the working tree, as `git commit --
// FILE` does. A branch without a commit gets its first one. It fails if paths is empty, with ErrRefused if there are
// too many or ken must not commit in this state, or if git does.
func MakeNamedPlan(ctx context.Context, r *git.Repo, paths []string) (*Plan, error) {
	switch {
	case len(paths) == 0:
		return nil, errors.New("no file is named")
	case len(paths) > maxNames:
		return nil, refusedError("%d names are more than the %d of one commit; name their folders", len(paths), maxNames)
	}
	return (&Plan{repo: r, paths: paths}).computePlan(ctx)
}

// listNamed lists the named files of a commit, and those below named folders.
func (p *Plan) listNamed(ctx context.Context, commit string) (map[string]TreeFile, error) {
	files := map[string]TreeFile{}
	if commit == "" {
		return files, nil
	}
	out, err := p.git(ctx, nil, append([]string{"ls-tree", "-z", "-r", "--full-tree", commit, "--"}, p.paths...)...)
	if err != nil {
		return nil, err
	}
	for _, rec := range splitNUL(out) {
		head, name, ok := strings.Cut(rec, "\t")
		f := strings.Fields(head)
		if !ok || len(f) != 3 {
			return nil, fmt.Errorf("read ls-tree: %w: record %.80q", git.ErrUnsupported, rec)
		}
		files[name] = TreeFile{f[0], f[2]}
	}
	return files, nil
}

// graftChanges returns the id of a copy of tree with the changes applied. The first skip bytes of each path of a change lead to
// the tree. The id is "" if no entry is left.
func (p *Plan) graftChanges(ctx context.Context, tree string, changes []Change, skip int) (string, error) {
	var list []treeEntry
	if tree != "" {
		var err error
		if list, err = p.listTree(ctx, tree, false); err != nil {
			return "", err
		}
	}
	entries := map[string]treeEntry{}
	for _, e := range list {
		entries[e.name] = e
	}
	below := map[string][]Change{}
	for _, c := range changes { // a removed file makes room for a new folder
		name, _, deeper := strings.Cut(c.Path[skip:], "/")
		if deeper {
			below[name] = append(below[name], c)
		} else if c.New.ID == "" {
			delete(entries, name)
		}
	}
	for name, list := range below {
		old := ""
		if entries[name].kind == "tree" {
			old = entries[name].id
		}
		id, err := p.graftChanges(ctx, old, list, skip+len(name)+1)
		switch {
		case err != nil:
			return "", err
		case id != "":
			entries[name] = treeEntry{"040000", "tree", id, name}
		case entries[name].kind == "tree":
			delete(entries, name)
		}
	}
	for _, c := range changes {
		if name := c.Path[skip:]; !strings.Contains(name, "/") && c.New.ID != "" {
			entries[name] = treeEntry{c.New.Mode, "blob", c.New.ID, name}
		}
	}
	if len(entries) == 0 {
		return "", nil
	}
	list = list[:0]
	for _, e := range entries {
		list = append(list, e)
	}
	ids, err := p.makeTrees(ctx, [][]treeEntry{list})
	if err != nil {
		return "", err
	}
	return ids[0], nil
}

// Amend replaces HEAD's commit by one with the changes of the plan. Its message, author and parents stay; a signature
// does not, because the bytes differ. It fails with ErrRefused if there is no commit yet, with ErrMoved, or if git
// does.
func (p *Plan) Amend(ctx context.Context) (string, error) {
	if p.Head.Commit == "" {
		return "", refusedError("there is no commit yet that could be amended")
	}
	if err := p.writeBlobs(ctx); err != nil {
		return "", err
	}
	tree, err := p.writeTrees(ctx)
	if err != nil {
		return "", err
	}
	old, err := p.git(ctx, nil, "cat-file", "commit", p.Head.Commit)
	if err != nil {
		return "", err
	}
	who, err := p.git(ctx, nil, "var", "GIT_COMMITTER_IDENT")
	if err != nil {
		return "", explainUnknownUser(err)
	}
	text, err := amendCommit(string(old), tree, strings.TrimSpace(string(who)))
	if err != nil {
		return "", err
	}
	out, err := p.git(ctx, []byte(text), "hash-object", "-t", "commit", "-w", "--stdin")
	if err != nil {
		return "", err
	}
	commit := strings.TrimSpace(string(out))
	subject, _, _ := strings.Cut(text[strings.Index(text, "\n\n")+2:], "\n")
	return commit, p.moveBranch(ctx, tree, commit, "commit (amend): "+subject)
}

// amendCommit returns the bytes of a commit object that differs from old in its tree and its committer, and has no
// signature. It fails if old has no message.
func amendCommit(old, tree, committer string) (string, error) {
	head, message, ok := strings.Cut(old, "\n\n")
	if !ok {
		return "", fmt.Errorf("amend: %w: a commit without a message", git.ErrUnsupported)
	}
	var b strings.Builder
	dropped := false
	for line := range strings.SplitSeq(head, "\n") {
		name, _, _ := strings.Cut(line, " ")
		if name != "" { // a line that begins with a blank continues the header above it
			dropped = strings.HasPrefix(name, "gpgsig")
		}
		switch {
		case dropped:
			continue
		case name == "tree":
			line = "tree " + tree
		case name == "committer":
			line = "committer " + committer
		}
		b.WriteString(line + "\n")
	}
	return b.String() + "\n" + message, nil
}

// ShortID returns the abbreviated id of a commit.
func (p *Plan) ShortID(ctx context.Context, id string) string {
	out, err := p.git(ctx, nil, "rev-parse", "--short", id)
	if err != nil {
		return id
	}
	return strings.TrimSpace(string(out))
}

// StagedPaths returns the paths below a folder of which the index and HEAD have different versions. It fails if git does.
func StagedPaths(ctx context.Context, r *git.Repo, dir string) ([]string, error) {
	p := &Plan{repo: r, paths: []string{dir}}
	head, err := git.Git{}.Head(ctx, r)
	if err != nil {
		return nil, err
	}
	if head.Commit == "" {
		out, err := p.git(ctx, nil, "ls-files", "-z", "--", dir)
		return splitNUL(out), err
	}
	out, err := p.git(ctx, nil, "diff-index", "--cached", "--name-only", "--no-ext-diff", "-z", head.Commit, "--", dir)
	return splitNUL(out), err
}

// IsIgnored reports whether ignore rules keep a folder and all its content out of git. Files that were added in spite of the
// rules make no difference. It fails if git does.
func IsIgnored(ctx context.Context, r *git.Repo, dir string) (bool, error) {
	p := &Plan{repo: r}
	out, err := p.git(ctx, nil, "ls-files", "-z", "-o", "-i", "--exclude-standard", "--directory", "--", dir)
	if err != nil {
		return false, err
	}
	if slices.Contains(splitNUL(out), dir+"/") {
		return true, nil
	}
	known, err := p.git(ctx, nil, "ls-files", "-z", "--", dir)
	if err != nil || len(known) == 0 {
		return false, err
	}
	ignored, err := p.git(ctx, nil, "ls-files", "-z", "-c", "-i", "--exclude-standard", "--", dir)
	return len(ignored) == len(known), err
}

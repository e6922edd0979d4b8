package plumbing

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strings"

	"ken/internal/git"
)

// Without is a copy of commits that changes nothing below a folder.
type Without struct {
	Base    string // the commit from which the copied ones branch off
	Head    string // of the copy; Base if no commit is left
	Kept    []CopiedCommit
	Dropped []CopiedCommit // they change the folder alone
}

// CopiedCommit is a commit and its copy, "" if it has none.
type CopiedCommit struct{ ID, Copy, Subject string }

// copier copies commits.
type copier struct {
	ctx    context.Context
	g      git.Git
	r      *git.Repo
	folder []string          // the parts of its path
	copies map[string]string // by the commits copied; a dropped one has that of its parent
	trees  map[string]string // of commits
}

// original is a commit to be copied.
type original struct {
	id, tree string
	parents  []string
	subject  string
}

// CopyWithout copies the commits that head has and base has not, with their messages, authors and dates, so that what is below a folder
// stays as it was in base. Commits that change nothing else are left out, as are signatures of what is no longer the same. It makes objects
// alone and moves no branch. It fails with git.ErrNotFound if the two have no commit in common, or if git does.
func CopyWithout(ctx context.Context, g git.Git, r *git.Repo, base, head, folder string) (*Without, error) {
	if !git.IsID(base) || !git.IsID(head) {
		return nil, fmt.Errorf("copy commits: %w: no object id", git.ErrNotFound)
	}
	from, err := runForID(ctx, g, r, nil, "merge-base", base, head)
	if git.HasExitStatus(err, 1) {
		return nil, fmt.Errorf("copy commits: %w: no commit in common", git.ErrNotFound)
	}
	if err != nil {
		return nil, err
	}
	out, err := g.Run(ctx, r, nil, nil, "log", "--no-show-signature", "--reverse", "--topo-order", "-z", "--format=%H%x01%T%x01%P%x01%s",
		base+".."+head)
	if err != nil {
		return nil, err
	}
	c := &copier{ctx, g, r, strings.Split(folder, "/"), map[string]string{}, map[string]string{}}
	w := &Without{Base: from}
	for _, row := range strings.Split(strings.Trim(string(out), "\x00"), "\x00") {
		f := strings.SplitN(row, "\x01", 4)
		if len(f) != 4 {
			continue // none
		}
		o := original{f[0], f[1], strings.Fields(f[2]), f[3]}
		c.trees[o.id] = o.tree
		next, err := c.copy(&o)
		if err != nil {
			return nil, err
		}
		if next == "" {
			w.Dropped = append(w.Dropped, CopiedCommit{o.id, "", o.subject})
		} else {
			w.Kept = append(w.Kept, CopiedCommit{o.id, next, o.subject})
		}
	}
	w.Head = c.placed(head)
	return w, nil
}

// placed returns the copy of a commit, or the commit if it is one of the base's.
func (c *copier) placed(id string) string {
	if to, ok := c.copies[id]; ok {
		return to
	}
	return id
}

// copy copies a commit whose parents were copied. It returns "" if nothing is left of it, and fails if git does.
func (c *copier) copy(o *original) (string, error) {
	var parents []string
	source := "" // has the folder as it stays
	for _, p := range o.parents {
		to := c.placed(p)
		if _, copied := c.copies[p]; !copied || source == "" {
			source = to
		}
		if !slices.Contains(parents, to) {
			parents = append(parents, to)
		}
	}
	parents, err := c.withoutAncestors(parents)
	if err != nil {
		return "", err
	}
	keep := ""
	if source != "" {
		if keep, err = c.treeOf(source); err != nil {
			return "", err
		}
	}
	tree, err := c.replace(o.tree, keep, c.folder)
	if err != nil {
		return "", err
	}
	if len(parents) == 1 {
		before, err := c.treeOf(parents[0])
		if err != nil {
			return "", err
		}
		was, err := c.treeOf(o.parents[0])
		if err != nil {
			return "", err
		}
		if tree == before && (o.tree != was || len(o.parents) > 1) { // an empty commit stays
			c.copies[o.id] = parents[0]
			return "", nil
		}
	}
	to := o.id
	if tree != o.tree || !slices.Equal(parents, o.parents) {
		if to, err = c.write(o.id, tree, parents); err != nil {
			return "", err
		}
	}
	c.copies[o.id], c.trees[to] = to, tree
	return to, nil
}

// withoutAncestors removes parents of a merge that are ancestors of others, because all of their side was left out.
func (c *copier) withoutAncestors(parents []string) (list []string, err error) {
	for i, p := range parents {
		covered := false
		for j, other := range parents {
			if i == j || covered {
				continue
			}
			if covered, err = IsAncestor(c.ctx, c.g, c.r, p, other); err != nil {
				return nil, err
			}
		}
		if !covered {
			list = append(list, p)
		}
	}
	return list, nil
}

func (c *copier) treeOf(commit string) (string, error) {
	if tree, ok := c.trees[commit]; ok {
		return tree, nil
	}
	tree, err := runForID(c.ctx, c.g, c.r, nil, "rev-parse", "--verify", "--end-of-options", commit+"^{tree}")
	if err == nil {
		c.trees[commit] = tree
	}
	return tree, err
}

// entries returns the entries of a tree by their names, as git prints them; none for "".
func (c *copier) entries(tree string) (map[string]string, error) {
	list := map[string]string{}
	if tree == "" {
		return list, nil
	}
	out, err := c.g.Run(c.ctx, c.r, nil, nil, "ls-tree", "-z", tree)
	for row := range bytes.SplitSeq(bytes.TrimSuffix(out, []byte{0}), []byte{0}) {
		if _, name, ok := bytes.Cut(row, []byte{'\t'}); ok {
			list[string(name)] = string(row)
		}
	}
	return list, err
}

// subtree returns the id of an entry that is a tree, else "".
func subtree(entry string) string {
	if f := strings.Fields(entry); len(f) > 2 && f[1] == "tree" {
		return f[2]
	}
	return ""
}

// replace returns a tree with what another one, "" for none, has at a path. An empty tree below the top is left out.
func (c *copier) replace(tree, from string, at []string) (string, error) {
	list, err := c.entries(tree)
	if err != nil {
		return "", err
	}
	others, err := c.entries(from)
	if err != nil {
		return "", err
	}
	name, was, now := at[0], list[at[0]], others[at[0]]
	if len(at) > 1 {
		below, err := c.replace(subtree(was), subtree(now), at[1:])
		if err != nil {
			return "", err
		}
		if now = ""; below != "" {
			now = "040000 tree " + below + "\t" + name
		} else if subtree(was) == "" {
			now = was // a file with the name of the folder's parent
		}
	}
	if now == was {
		return tree, nil
	}
	if delete(list, name); now != "" {
		list[name] = now
	}
	if len(list) == 0 && tree != "" && len(at) < len(c.folder) {
		return "", nil
	}
	var in bytes.Buffer
	for _, entry := range list {
		in.WriteString(entry + "\x00")
	}
	return runForID(c.ctx, c.g, c.r, in.Bytes(), "mktree", "-z", "--missing")
}

// write writes a commit with another tree and other parents, and without its signature.
func (c *copier) write(id, tree string, parents []string) (string, error) {
	out, err := c.g.Run(c.ctx, c.r, nil, nil, "cat-file", "commit", id)
	if err != nil {
		return "", err
	}
	head, message, _ := bytes.Cut(out, []byte("\n\n"))
	var next bytes.Buffer
	next.WriteString("tree " + tree + "\n")
	for _, p := range parents {
		next.WriteString("parent " + p + "\n")
	}
	dropping := false
	for line := range bytes.SplitSeq(head, []byte("\n")) {
		word, _, _ := bytes.Cut(line, []byte(" "))
		if len(word) > 0 { // else it goes on with the one before
			dropping = slices.Contains([]string{"tree", "parent", "gpgsig", "gpgsig-sha256", "mergetag"}, string(word))
		}
		if !dropping {
			next.Write(append(line, '\n'))
		}
	}
	next.WriteString("\n")
	next.Write(message)
	return runForID(c.ctx, c.g, c.r, next.Bytes(), "hash-object", "-t", "commit", "-w", "--stdin")
}

// Difference is what two commits that should differ below a folder alone differ in.
type Difference struct {
	Outside []string // paths that differ outside the folder between the two
	Inside  []string // paths below the folder that differ between base and the copy
	Commits []string // of the copy that change the folder
}

// entryID returns the id of what a commit has at a path, or "" if that is nothing. It fails if git does.
func entryID(ctx context.Context, g git.Git, r *git.Repo, commit, path string) (string, error) {
	out, err := g.Run(ctx, r, nil, nil, "rev-parse", "--verify", "--quiet", "--end-of-options", commit+":"+path)
	if git.HasExitStatus(err, 1) {
		return "", nil
	}
	return strings.TrimSpace(string(out)), err
}

// changesEntry reports whether what a commit has at a path differs from what each of its parents has there: a merge may take it from one.
func changesEntry(ctx context.Context, g git.Git, r *git.Repo, commit string, parents []string, path string) (bool, error) {
	now, err := entryID(ctx, g, r, commit, path)
	if err != nil {
		return false, err
	}
	for _, p := range parents {
		was, err := entryID(ctx, g, r, p, path)
		if err != nil || was == now {
			return false, err
		}
	}
	return true, nil
}

// CompareWithout returns how a copy of the commits that head has and base has not differs from what CopyWithout promises, asking git anew.
// It fails if git does.
func CompareWithout(ctx context.Context, g git.Git, r *git.Repo, w *Without, base, head, folder string) (*Difference, error) {
	lines := func(args ...string) ([]string, error) {
		out, err := g.Run(ctx, r, nil, nil, args...)
		return strings.Split(string(out), "\x00"), err
	}
	d := &Difference{}
	outside, err := lines("diff-tree", "-r", "--no-renames", "--name-only", "-z", head, w.Head)
	if err != nil {
		return nil, err
	}
	inside, err := lines("diff-tree", "-r", "--no-renames", "--name-only", "-z", w.Base, w.Head)
	if err != nil {
		return nil, err
	}
	commits, err := lines("log", "--no-show-signature", "--full-history", "-z", "--format=%H %P", base+".."+w.Head, "--", folder)
	if err != nil {
		return nil, err
	}
	isBelow := func(path string) bool { return path == folder || strings.HasPrefix(path, folder+"/") }
	d.Outside = slices.DeleteFunc(outside, func(p string) bool { return p == "" || isBelow(p) })
	d.Inside = slices.DeleteFunc(inside, func(p string) bool { return !isBelow(p) })
	for _, c := range commits {
		ids := strings.Fields(c)
		if len(ids) == 0 {
			continue
		}
		changes, err := changesEntry(ctx, g, r, ids[0], ids[1:], folder)
		if err != nil {
			return nil, err
		}
		if changes {
			d.Commits = append(d.Commits, ids[0])
		}
	}
	return d, nil
}

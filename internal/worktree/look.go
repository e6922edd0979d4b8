package worktree

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"slices"

	"ken/internal/git"
	"ken/internal/git/plumbing"
)

// Side is the state of a file before or after a change.
type Side struct {
	Mode uint32 // of git: 0100644, 0100755 (may be run), 0120000 (link), 0160000 (a repository); 0: there is no file
	ID   string // of the content
}

// Change is a path that differs from the commit at which the work began. A file that moved has two changes: of its old and its new path.
type Change struct {
	Path     string // from the top of the repository
	Old, New Side
	// Committed is set if the branch has the change already.
	Committed bool
}

// IsNew reports whether the file is new.
func (c *Change) IsNew() bool { return c.Old.Mode == 0 }

// IsDeleted reports whether the file is gone.
func (c *Change) IsDeleted() bool { return c.New.Mode == 0 }

// IsNested reports whether a repository inside the work tree changed, which cannot be committed as files.
func (c *Change) IsNested() bool {
	return c.Old.Mode == git.ModeGitlink || c.New.Mode == git.ModeGitlink
}

// TreeLook is the state of a work tree at one moment: every file that git does not ignore, committed or not. The caller must close it.
type TreeLook struct {
	Start   string // the commit from which changes are counted
	Head    string // the commit of its branch
	Changes []Change

	tree    *Tree
	git     git.Git // also reads the objects of the look
	scratch string
	now     string // the work tree as a tree
}

// scratchName is the prefix of the names of temporary folders. They are in git's folder of a work tree, and are removed with it.
const scratchName = "ken-look-"

// Look records the state of the work tree. It changes neither the work tree nor the repository: git writes the objects that it
// compares to a temporary folder. It fails if the branch is gone, ctx ends, or git fails.
func (t *Tree) Look(ctx context.Context) (*TreeLook, error) {
	sees := t.git
	if !t.locked {
		file, release, err := takeLock(ctx, filepath.Join(t.repo.GitDir, treeLock), true)
		if err != nil {
			return nil, err
		}
		defer release()
		sees = sees.KeepingOpen(file)
	}
	scratch, err := os.MkdirTemp(t.repo.GitDir, scratchName)
	if err != nil {
		return nil, fmt.Errorf("look at the work tree: %w", err)
	}
	objects := filepath.Join(scratch, "objects")
	if err := os.Mkdir(objects, 0o700); err != nil {
		os.RemoveAll(scratch)
		return nil, fmt.Errorf("look at the work tree: %w", err)
	}
	l := &TreeLook{tree: t, scratch: scratch, git: sees.WithObjects(t.repo, objects)}
	if err := l.setFields(ctx, filepath.Join(scratch, "index")); err != nil {
		l.Close()
		return nil, err
	}
	l.git = t.git.WithObjects(t.repo, objects) // without the lock
	return l, nil
}

// Close removes the temporary folder.
func (l *TreeLook) Close() { os.RemoveAll(l.scratch) }

// setFields sets the fields of the look; index is the path of the work tree's index.
func (l *TreeLook) setFields(ctx context.Context, index string) error {
	t := l.tree
	head, err := plumbing.RefCommit(ctx, l.git, t.repo, t.Branch)
	if err != nil {
		return err
	}
	l.Head = head
	if l.now, err = t.writeSnapshot(ctx, l.git, index); err != nil {
		return err
	}
	if l.Start, err = t.workStart(ctx, head); err != nil {
		return err
	}
	diff, err := l.git.Differences(ctx, t.repo, l.Start, l.now)
	if err != nil {
		return err
	}
	left, err := l.git.Differences(ctx, t.repo, l.Head, l.now)
	if err != nil {
		return err
	}
	open := map[string]bool{}
	for _, c := range left {
		open[c.Path] = true
	}
	for _, c := range t.trees.withoutKenFile(diff) {
		l.Changes = append(l.Changes, newChange(&c, !open[c.Path]))
	}
	return nil
}

// withoutKenFile returns list without the file by which ken keeps its index out of git. That file comes with the index of a work tree and
// is no part of the work.
func (t *Trees) withoutKenFile(list []git.Compared) []git.Compared {
	own := path.Join(filepath.ToSlash(t.below), ".ken/.gitignore")
	return slices.DeleteFunc(list, func(c git.Compared) bool { return c.OldMode == 0 && c.Path == own })
}

func newChange(c *git.Compared, committed bool) Change {
	return Change{Path: c.Path, Old: newSide(c.OldMode, c.OldID), New: newSide(c.NewMode, c.NewID), Committed: committed}
}

func newSide(mode uint32, id string) Side {
	if mode == 0 {
		return Side{}
	}
	return Side{Mode: mode, ID: id}
}

// uncommittedChanges returns the changes that are not committed to the branch.
func (l *TreeLook) uncommittedChanges(ctx context.Context) ([]Change, error) {
	diff, err := l.git.Differences(ctx, l.tree.repo, l.Head, l.now)
	if err != nil {
		return nil, err
	}
	var list []Change
	for _, c := range l.tree.trees.withoutKenFile(diff) {
		list = append(list, newChange(&c, false))
	}
	return list, nil
}

// writeSnapshot writes the files of the work tree as a tree object and returns its ID. It uses a copy of the index, so that staged changes
// stay staged.
func (t *Tree) writeSnapshot(ctx context.Context, g git.Git, index string) (string, error) {
	if err := copyFile(filepath.Join(t.repo.GitDir, "index"), index); err != nil && !errors.Is(err, os.ErrNotExist) {
		return "", fmt.Errorf("look at the work tree: %w", err)
	}
	g = g.WithIndex(index)
	if err := plumbing.UnhideChanges(ctx, g, t.repo, git.ReadConfig(t.repo).Bool("core.sparsecheckout")); err != nil {
		return "", fmt.Errorf("look at the work tree: %w", err)
	}
	if err := plumbing.StageAll(ctx, g, t.repo, git.ReadConfig(t.repo).ExcludesFile(t.repo)); err != nil {
		return "", fmt.Errorf("look at the work tree: %w", err)
	}
	return plumbing.WriteTree(ctx, g, t.repo)
}

// workStart returns the commit with which the work tree is compared: the commit at which the work began or, if its branch has since
// merged commits of its base, the last of those.
func (t *Tree) workStart(ctx context.Context, head string) (string, error) {
	base, err := plumbing.RefCommit(ctx, t.git, t.repo, t.Base)
	if errors.Is(err, git.ErrNotFound) {
		return t.Start, nil
	}
	if err != nil {
		return "", err
	}
	shared, err := t.git.MergeBase(ctx, t.repo, head, base)
	if errors.Is(err, git.ErrNotFound) {
		return t.Start, nil
	}
	if err != nil || shared == t.Start {
		return shared, err
	}
	mine, err := plumbing.IsAncestor(ctx, t.git, t.repo, t.Start, head)
	if err != nil {
		return "", err
	}
	later, err := plumbing.IsAncestor(ctx, t.git, t.repo, t.Start, shared)
	if mine && !later && err == nil {
		return t.Start, nil
	}
	return shared, err
}

// LineChange is a range of lines that were replaced by others, and IDPair names the old and the new content of a file.
type (
	LineChange = git.LineChange
	IDPair     = git.IDPair
)

// MaxText is the length of the longest text whose lines are compared.
const MaxText = 4 << 20

// Texts holds the contents of files by their object IDs.
type Texts struct {
	Known  map[string][]byte
	Binary map[string]bool // those that are no text
	Large  map[string]bool // those longer than MaxText
}

// Texts reads the contents with some object IDs. It fails if git does.
func (l *TreeLook) Texts(ctx context.Context, ids []string) (*Texts, error) {
	t := &Texts{Known: map[string][]byte{}, Binary: map[string]bool{}, Large: map[string]bool{}}
	list := make([]git.Staged, 0, len(ids))
	seen := map[string]bool{}
	for _, id := range ids {
		if id != "" && !seen[id] {
			seen[id] = true
			list = append(list, git.Staged{ID: id})
		}
	}
	if len(list) == 0 {
		return t, nil
	}
	return t, l.git.Blobs(ctx, l.tree.repo, list, func(b git.Blob, r io.Reader) error {
		if b.Size > MaxText {
			t.Large[b.ID] = true
			return nil
		}
		data, err := io.ReadAll(r)
		if bytes.IndexByte(data, 0) >= 0 {
			t.Binary[b.ID] = true
		} else {
			t.Known[b.ID] = data
		}
		return err
	})
}

// ContentPair returns the IDs of the contents before and after a change, which are the keys of the result of Lines.
func ContentPair(c Change) IDPair {
	none := plumbing.ZeroID(c.Old.ID + c.New.ID) // one of them is empty, if a file came or went
	pair := IDPair{Old: c.Old.ID, New: c.New.ID}
	if c.IsNew() {
		pair.Old = none
	}
	if c.IsDeleted() {
		pair.New = none
	}
	return pair
}

// Lines returns the changed lines of each changed file, by the IDs of its old and new content. It skips changes whose contents are not
// both in texts. It fails if git does.
func (l *TreeLook) Lines(ctx context.Context, changes []Change, texts map[string][]byte) (map[IDPair][]LineChange, error) {
	var paths []string
	for _, c := range changes {
		_, old := texts[c.Old.ID]
		_, now := texts[c.New.ID]
		if (old || c.IsNew()) && (now || c.IsDeleted()) {
			paths = append(paths, c.Path)
		}
	}
	return l.git.LineChanges(ctx, l.tree.repo, l.Start, l.now, paths)
}

// copyFile copies a regular file with its modification time. Git compares the time of an index with the times of its entries, because a
// file with the same time may have been written again.
func copyFile(from, to string) error {
	st, err := os.Lstat(from)
	if err != nil {
		return err
	}
	if !st.Mode().IsRegular() {
		return fmt.Errorf("%s is no regular file", from)
	}
	src, err := os.Open(from)
	if err != nil {
		return err
	}
	defer src.Close()
	dst, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return err
	}
	_, err = io.Copy(dst, src)
	if err = errors.Join(err, dst.Close()); err != nil {
		return err
	}
	return os.Chtimes(to, st.ModTime(), st.ModTime())
}

// Ignored returns the files of the work tree's index that git would ignore if they had not been added, from the top of the repository. It
// fails if git does.
func (t *Tree) Ignored(ctx context.Context) (map[string]bool, error) {
	list, err := plumbing.IgnoredTracked(ctx, t.git, t.repo, git.ReadConfig(t.repo).ExcludesFile(t.repo))
	ignored := map[string]bool{}
	for _, p := range list {
		ignored[p] = true
	}
	return ignored, err
}

// Package plumbing has the commands of git for work trees: those that write refs, trees, indexes and files, and in read.go
// those that read the state of a work tree. Each is for a Git that was Disarmed, because
// such commands start programs that a configuration names freely. Its parent reads and runs git; its neighbour foldercommit
// commits one folder; worktree is built of these commands.
package plumbing

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"ken/internal/git"
)

// RefUpdate sets a ref to a new value if it has the expected old value.
type RefUpdate struct {
	Name string // in full
	New  string // object id; ZeroID deletes
	Old  string // object id; ZeroID: it must not exist
}

// UpdateRefs makes all updates or none; why is the message in git's log of the refs. It fails if a ref does not have the expected value,
// or if git does.
func UpdateRefs(ctx context.Context, g git.Git, r *git.Repo, why string, updates ...RefUpdate) error {
	var in bytes.Buffer
	for _, u := range updates {
		if !git.ValidRef(u.Name) || !git.IsID(u.New) || !git.IsID(u.Old) {
			return fmt.Errorf("git update-ref: %w: %q", git.ErrNotFound, u.Name)
		}
		fmt.Fprintf(&in, "update %s\x00%s\x00%s\x00", u.Name, u.New, u.Old)
	}
	_, err := g.Run(ctx, r, nil, in.Bytes(), "update-ref", "-m", why, "--no-deref", "--stdin", "-z")
	if err != nil && strings.Contains(err.Error(), ".lock': File exists") {
		return fmt.Errorf("%w git is at work there, or was killed: if none is running, remove the file", err)
	}
	return err
}

// SetHeadBranch makes HEAD name a branch. Files and index stay, so the branch has to be at HEAD's commit, or not exist yet. It
// fails if git does.
func SetHeadBranch(ctx context.Context, g git.Git, r *git.Repo, ref string) error {
	_, err := g.Run(ctx, r, nil, nil, "symbolic-ref", "-m", "checkout: moving to "+strings.TrimPrefix(ref, "refs/heads/"), "HEAD", ref)
	return err
}

// AddWorktree links a new work tree without files at a path to an existing branch. It fails if git does.
func AddWorktree(ctx context.Context, g git.Git, r *git.Repo, path, branch string) error {
	_, err := g.Run(ctx, r, nil, nil, "worktree", "add", "--quiet", "--no-checkout", "--", path, branch)
	return err
}

// StageAll makes the index equal to the work tree: changed, new and deleted files. Ignored files are left out. It fails if
// git does.
func StageAll(ctx context.Context, g git.Git, r *git.Repo, excludesFile string) error {
	_, err := g.Run(ctx, r, excludesSetting(excludesFile), nil, "add", "--all", "--", ".")
	return err
}

// WriteTree writes the index as a tree and returns its id. It fails if git does, for example because of conflicts.
func WriteTree(ctx context.Context, g git.Git, r *git.Repo) (string, error) {
	return runForID(ctx, g, r, nil, "write-tree")
}

// SetIndex makes the index equal to a tree and does not change the files. It keeps the recorded stats of unchanged
// entries. It fails if git does.
func SetIndex(ctx context.Context, g git.Git, r *git.Repo, tree string) error {
	_, err := g.Run(ctx, r, nil, nil, "read-tree", "--reset", tree)
	return err
}

// FillTree writes the files of a commit into an empty work tree. It fails if git does.
func FillTree(ctx context.Context, g git.Git, r *git.Repo, commit string) error {
	_, err := g.Run(ctx, r, nil, nil, "read-tree", "--reset", "-u", commit)
	return err
}

// MoveIndex changes the index from the tree from to the tree to. It touches only paths that differ between the two
// trees. It changes nothing and fails if the index entry of such a path matches neither tree.
func MoveIndex(ctx context.Context, g git.Git, r *git.Repo, from, to string) error {
	_, err := g.Run(ctx, r, nil, nil, "read-tree", "-i", "-m", from, to)
	return err
}

// CheckMovable fails if a path that differs between two trees matches neither of them, in the index or on disk, or if an
// untracked file is in the way.
func CheckMovable(ctx context.Context, g git.Git, r *git.Repo, from, to string) error {
	_, err := g.Run(ctx, r, nil, nil, "read-tree", "-n", "-m", "-u", from, to)
	return err
}

// ExportFiles writes files of the index below a folder, with line ends as in the work tree. It fails if git does.
func ExportFiles(ctx context.Context, g git.Git, r *git.Repo, dir string, paths []string) error {
	if len(paths) == 0 {
		return nil
	}
	_, err := g.Run(ctx, r, nil, []byte(strings.Join(paths, "\x00")+"\x00"), "checkout-index", "-z", "--stdin", "-q", "--prefix="+dir+"/")
	return err
}

// RefreshIndex updates the recorded stats of unchanged files in the index. It fails if git does.
func RefreshIndex(ctx context.Context, g git.Git, r *git.Repo) error {
	_, err := g.Run(ctx, r, nil, nil, "update-index", "-q", "--refresh")
	if git.HasExitStatus(err, 1) { // some differ, which is not an error
		return nil
	}
	return err
}

// isMissing reports whether there is no file at a path of the work tree.
func isMissing(r *git.Repo, path string) bool {
	_, err := os.Lstat(filepath.Join(r.Root, filepath.FromSlash(path)))
	return err != nil
}

// UnhideChanges makes git notice changes of files that were hidden by --assume-unchanged or by --skip-worktree. If the work tree
// is sparse, it keeps the second mark of files that are missing. It fails if git does.
func UnhideChanges(ctx context.Context, g git.Git, r *git.Repo, sparse bool) error {
	out, err := g.Run(ctx, r, nil, nil, "ls-files", "-v", "-z")
	if err != nil {
		return err
	}
	var assumed, skipped []byte
	for rec := range strings.SplitSeq(string(out), "\x00") {
		if len(rec) < 3 {
			continue
		}
		if tag := rec[0]; tag >= 'a' && tag <= 'z' {
			assumed = append(append(assumed, rec[2:]...), 0)
		}
		if tag := rec[0]; (tag == 'S' || tag == 's') && !(sparse && isMissing(r, rec[2:])) {
			skipped = append(append(skipped, rec[2:]...), 0)
		}
	}
	if len(skipped) > 0 {
		_, err = g.Run(ctx, r, nil, skipped, "update-index", "--no-skip-worktree", "-z", "--stdin")
	}
	if len(assumed) > 0 && err == nil {
		_, err = g.Run(ctx, r, nil, assumed, "update-index", "--no-assume-unchanged", "-z", "--stdin")
	}
	return err
}

// IndexEntry is a path with the new value of its entry in the index.
type IndexEntry struct {
	Path string
	Mode uint32 // 0 removes the path
	ID   string
}

// PutEntries puts entries into the index, independent of the files on disk. It fails with git.ErrUnsupported for a path
// that git would ignore, or if git does.
func PutEntries(ctx context.Context, g git.Git, r *git.Repo, entries []IndexEntry) error {
	var in bytes.Buffer
	for _, e := range entries {
		if !isEntry(e.Path) {
			return fmt.Errorf("git update-index: %w: path %q", git.ErrUnsupported, e.Path)
		}
		if e.Mode == 0 {
			fmt.Fprintf(&in, "0 %s\t%s\x00", ZeroID(e.ID), e.Path)
		} else {
			fmt.Fprintf(&in, "%o %s\t%s\x00", e.Mode, e.ID, e.Path)
		}
	}
	_, err := g.Run(ctx, r, nil, in.Bytes(), "update-index", "-z", "--index-info")
	return err
}

// isEntry reports whether a path may be in an index. Git silently ignores those that may not.
func isEntry(path string) bool {
	for part := range strings.SplitSeq(path, "/") {
		if strings.EqualFold(part, ".git") {
			return false
		}
	}
	return filepath.IsLocal(filepath.FromSlash(path)) && !strings.ContainsRune(path, 0)
}

// PutBlob writes content as an object without applying filters, and returns its id. It fails if git does.
func PutBlob(ctx context.Context, g git.Git, r *git.Repo, content []byte) (string, error) {
	return runForID(ctx, g, r, content, "hash-object", "-w", "--no-filters", "--stdin")
}

// CommitTree writes a commit by the user of git's settings and returns its id. It runs no hook and signs nothing. It fails
// if git does.
func CommitTree(ctx context.Context, g git.Git, r *git.Repo, tree string, parents []string, message string) (string, error) {
	args := []string{"commit-tree", tree}
	for _, p := range parents {
		args = append(args, "-p", p)
	}
	commit, err := runForID(ctx, g, r, []byte(message), append(args, "-F", "-")...)
	if err == nil {
		return commit, nil
	}
	for _, s := range [...]string{"identity unknown", "empty ident", "no email was given", "no name was given", "auto-detect email"} {
		if strings.Contains(err.Error(), s) {
			return "", fmt.Errorf("git does not know who you are; set user.name and user.email with git config: %w", err)
		}
	}
	return "", err
}

// runForID runs a git command that prints the id of an object, and returns the id.
func runForID(ctx context.Context, g git.Git, r *git.Repo, in []byte, args ...string) (string, error) {
	out, err := g.Run(ctx, r, nil, in, args...)
	if err != nil {
		return "", err
	}
	id := strings.TrimSpace(string(out))
	if !git.IsID(id) {
		return "", fmt.Errorf("git %s: %w: %.120q is no object id", args[0], git.ErrUnsupported, out)
	}
	return id, nil
}

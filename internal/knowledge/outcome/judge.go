package outcome

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"time"

	"ken/internal/git"
	"ken/internal/statefile"
)

// Work is the changes of a session to files, which git can show to be kept or reverted.
type Work struct {
	Session, Phase string
	Commit         string // HEAD when it began
	Began          time.Time
	Changes        []Change
}

// Change is one file that a session changed.
type Change struct {
	Path             string // in the project
	Created, Deleted bool
}

// Intent returns the purpose of the session.
func (w *Work) Intent() Intent {
	intent := Investigate
	for _, c := range w.Changes {
		if c.Created {
			return Implement
		}
		intent = Modify
	}
	return intent
}

// Files returns the paths of the changes.
func (w *Work) Files() (out []string) {
	for _, c := range w.Changes {
		out = append(out, c.Path)
	}
	return out
}

// The reasons of a judgement.
const (
	reasonKept     = "kept"     // all were committed
	reasonReverted = "reverted" // all are as they were before
	reasonMixed    = "mixed"
)

// Judge returns whether the edits of a session were kept, that is committed, or reverted. ok is false if git cannot
// decide: while some edits are neither, during a merge, and if another branch is checked out, because the edits may
// be on the first. ok is false, too, without git, a repository or a commit of the session that git still has, and
// for a form of git's data that ken does not read. It fails if git does for another reason. The edit of a file that
// cannot be read is neither.
func Judge(ctx context.Context, root string, w *Work, now time.Time) (o Outcome, ok bool, err error) {
	repo, err := git.Find(root)
	if err != nil || w.Commit == "" || len(w.Changes) == 0 {
		return o, false, nil
	}
	if repo.IsMerging() || repo.BranchSwitched(w.Began) {
		return o, false, nil
	}
	prefix, err := filepath.Rel(repo.Root, root)
	if err != nil || strings.HasPrefix(prefix, "..") {
		return o, false, nil
	}
	j := gitJudge{repo: repo, prefix: filepath.ToSlash(prefix)}
	if err := j.readRepository(ctx, w); err != nil {
		if errors.Is(err, git.ErrNotFound) || errors.Is(err, git.ErrUnsupported) || errors.Is(err, git.ErrNoGit) {
			return o, false, nil // as a commit that was dropped
		}
		return o, false, err
	}
	if j.open || len(j.kept)+len(j.reverted) == 0 {
		return o, false, nil
	}
	o = Outcome{At: now, Session: w.Session, Source: FromGit, Phase: w.Phase, Intent: w.Intent(), Files: append(j.reverted, j.kept...)}
	switch {
	case len(j.reverted) == 0:
		o.Result, o.Reason = Success, reasonKept
	case len(j.kept) == 0:
		o.Result, o.Reason = Failure, reasonReverted
	default:
		o.Result, o.Reason = Partial, reasonMixed
	}
	return o, true, nil
}

type gitJudge struct {
	git            git.Git
	repo           *git.Repo
	prefix         string
	kept, reverted []string
	open           bool // some changes are neither committed nor gone
}

func (j *gitJudge) readRepository(ctx context.Context, w *Work) error {
	head, err := j.git.Head(ctx, j.repo)
	if err != nil || head.Commit == "" {
		return errors.Join(err, git.ErrNotFound)
	}
	since, err := j.changedPaths(ctx, w.Commit, head.Commit)
	if err != nil {
		return err
	}
	staged, err := j.changedPaths(ctx, head.Commit, "")
	if err != nil {
		return err
	}
	entries, err := j.git.Entries(ctx, j.repo)
	if err != nil {
		return err
	}
	tracked := map[string]*git.Entry{}
	for i := range entries {
		tracked[entries[i].Path] = &entries[i]
	}
	for _, c := range w.Changes {
		path := c.Path
		if j.prefix != "." {
			path = j.prefix + "/" + path
		}
		switch {
		case staged[path]:
			j.open = true
		case since[path]:
			j.kept = append(j.kept, c.Path)
		case j.isClean(path, tracked[path]):
			j.reverted = append(j.reverted, c.Path)
		default:
			j.open = true
		}
	}
	return nil
}

// changedPaths returns the paths that differ between two commits, or between a commit and git's index.
func (j *gitJudge) changedPaths(ctx context.Context, from, to string) (map[string]bool, error) {
	out := map[string]bool{}
	if from == to {
		return out, nil
	}
	list, err := j.git.Compare(ctx, j.repo, from, to)
	for i := range list {
		out[list[i].Path], out[list[i].Old] = true, true
	}
	return out, err
}

// maxHashed is the size of the largest file that is hashed, in bytes.
const maxHashed = 1 << 20

// isClean reports whether a file equals its entry in git's index: by its stat, as git does it, and by its hash if the stat
// is too recent to prove it. A file that is not in the index must not exist.
func (j *gitJudge) isClean(path string, e *git.Entry) bool {
	st, err := os.Lstat(filepath.Join(j.repo.Root, filepath.FromSlash(path)))
	if e == nil {
		return errors.Is(err, os.ErrNotExist)
	}
	switch {
	case err != nil || !st.Mode().IsRegular() || e.Stage != 0 || uint32(st.Size()) != e.Size:
		return false
	case e.MTime != 0:
		return st.ModTime().UnixNano() == e.MTime
	}
	text, err := statefile.ReadFollow(filepath.Join(j.repo.Root, filepath.FromSlash(path)), maxHashed)
	if err != nil {
		return false
	}
	id, err := git.BlobID(bytes.NewReader(text), int64(len(text)), e.ID)
	return err == nil && id == e.ID
}

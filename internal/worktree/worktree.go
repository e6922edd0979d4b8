// Package worktree makes isolated work trees of a project and merges the work in them back: it creates a work tree of HEAD on a branch
// of its own, lists the changes in it, commits the chosen ones, merges into the branch it came from, and cleans up. Guarded
// tasks work in such trees, so that they do not touch the user's files before they are done.
//
// The purpose, origin and state of a work tree are in a Record that a Store keeps. Names of branches and folders carry no meaning. Each
// step is recorded before it begins, and can be repeated after a crash: objects are written before refs, refs are moved only from their
// expected commit, and files of the user are replaced whole.
//
// It writes through package git, which runs no hook, filter or merge driver. Its neighbour guard/review shows changes by ranges of lines
// and decides about them; store/sqlite/memory is a Store.
package worktree

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"time"

	"ken/internal/git"
)

// State is the state of a work tree.
type State string

// The states of a work tree. After a crash a work tree may remain in Creating, Restoring, Merging or Removing.
const (
	Creating  State = "creating"
	Open      State = "open"
	Restoring State = "restoring" // its folder was gone and is being made again
	Merging   State = "merging"
	Merged    State = "merged"
	Removing  State = "removing"
)

// Record is the stored description of a work tree.
type Record struct {
	ID      string // name of its folder
	Purpose string // the caller's word for its use
	Branch  string // full name of its branch
	Base    string // full name of the branch that it came from
	Start   string // the commit that it came from
	Tip     string // the last known commit of its branch
	State   State
	From    string // the commit of Base before the merge, while merging and after
	Into    string // the commit of Base after the merge
	Began   time.Time
}

// Store keeps records. Its methods are safe for use by many processes.
type Store interface {
	// KeepWorktree adds a record, or replaces the one of the same ID.
	KeepWorktree(ctx context.Context, r Record) error
	// Worktree returns the record of an ID, or ErrUnknown if there is none.
	Worktree(ctx context.Context, id string) (Record, error)
	// Worktrees returns all records, oldest first.
	Worktrees(ctx context.Context) ([]Record, error)
	// ForgetWorktree deletes a record. A record that does not exist is no error.
	ForgetWorktree(ctx context.Context, id string) error
}

// ErrUnknown is the error for an ID that no work tree has.
var ErrUnknown = errors.New("no work tree has this id")

// Reason classifies a refusal.
type Reason string

// The reasons of refusals.
const (
	NoRepository Reason = "no_repository"
	Bare         Reason = "bare"
	Unborn       Reason = "unborn"      // the branch has no commit
	Detached     Reason = "detached"    // HEAD names no branch
	Unfinished   Reason = "unfinished"  // a merge, rebase or the like has begun
	Filters      Reason = "filters"     // programs change files between disk and repository
	Submodules   Reason = "submodules"  // other repositories inside
	Uncommitted  Reason = "uncommitted" // changes that would be missed or lost
	Exists       Reason = "exists"
	Occupied     Reason = "occupied" // the place of a folder is taken
	Moved        Reason = "moved"    // a ref is at another commit than expected
	Gone         Reason = "gone"     // a branch or folder does not exist
	Changed      Reason = "changed"  // since the caller saw it
	Mixed        Reason = "mixed"    // choices that exclude each other
	Busy         Reason = "busy"
	Unmerged     Reason = "unmerged"
	InUse        Reason = "in_use" // work goes on in it
	Interrupted  Reason = "interrupted"
	Sparse       Reason = "sparse"
)

// RefusedError is the error of an operation that ken refused and that changed nothing.
type RefusedError struct {
	Why   Reason
	Text  string
	Paths []string // of the refusal, at most MaxNamed
	More  int      // number of paths that are not named
}

// MaxNamed is the maximal number of paths that the message of a refusal lists.
const MaxNamed = 20

func (r *RefusedError) Error() string {
	if len(r.Paths) == 0 {
		return r.Text
	}
	text := r.Text + ": " + strings.Join(quotePaths(r.Paths), ", ")
	if r.More > 0 {
		text += fmt.Sprintf(" and %d more", r.More)
	}
	return text
}

// quotePaths returns paths with control characters escaped, so that each stays on its line.
func quotePaths(paths []string) []string {
	out := make([]string, len(paths))
	for i, p := range paths {
		out[i] = p
		if strings.ContainsFunc(p, func(c rune) bool { return c < ' ' || c == 0x7f || c == '\ufffd' }) {
			out[i] = fmt.Sprintf("%q", p)
		}
	}
	return out
}

func newRefused(why Reason, format string, args ...any) error {
	return &RefusedError{Why: why, Text: fmt.Sprintf(format, args...)}
}

func newRefusedPaths(why Reason, paths []string, format string, args ...any) error {
	n := min(len(paths), MaxNamed)
	return &RefusedError{Why: why, Text: fmt.Sprintf(format, args...), Paths: paths[:n:n], More: len(paths) - n}
}

// RefusalReason returns the reason of a Refused, or "" if err is another error.
func RefusalReason(err error) Reason {
	var r *RefusedError
	if errors.As(err, &r) {
		return r.Why
	}
	return ""
}

// Folder is the folder of a project's work trees, below its root.
const Folder = ".ken/worktrees"

// Trees are the work trees of one project. It is safe for concurrent use, by many processes too.
type Trees struct {
	git   git.Git
	repo  *git.Repo // the user's tree
	root  string    // of the project
	below string    // of the project in the tree; "." at its top
	store Store
	now   func() time.Time
}

// New returns the work trees of the project at root, which may be below the top of its repository. root must be in the user's own
// tree, see MainRoot. It refuses with NoRepository a root that is in no git repository, and fails if root cannot be read.
func New(root string, g git.Git, store Store, now func() time.Time) (*Trees, error) {
	real, err := filepath.EvalSymlinks(root)
	if err != nil {
		return nil, fmt.Errorf("find the project: %w", err)
	}
	repo, err := git.Find(real)
	if errors.Is(err, git.ErrNoRepository) {
		return nil, newRefused(NoRepository, "%s is in no git repository with files, and a work tree is one of git's", real)
	}
	if err != nil {
		return nil, err
	}
	below, err := filepath.Rel(repo.Root, real)
	if err != nil {
		return nil, err
	}
	return &Trees{git: g, repo: repo, root: real, below: below, store: store, now: now}, nil
}

// treeFolder returns the folder of the work tree of an ID.
func (t *Trees) treeFolder(id string) string {
	return filepath.Join(t.root, filepath.FromSlash(Folder), id)
}

// MainRoot returns the root of the project that owns the work tree in which root lies, and the ID of the work tree. It reports false if
// root is in no work tree of ken: its path has no folder of work trees, or the work tree belongs to a different git repository than the
// project.
func MainRoot(root string) (project, id string, ok bool) {
	slash := filepath.ToSlash(root)
	at := strings.LastIndex(slash, "/"+Folder+"/")
	if at < 0 {
		return "", "", false
	}
	project = filepath.FromSlash(slash[:at])
	id, _, _ = strings.Cut(slash[at+len(Folder)+2:], "/")
	own, err := git.Find(root)
	if err != nil || own.Root != filepath.Join(project, filepath.FromSlash(Folder), id) || !own.OwnsTree() {
		return "", "", false
	}
	outer, err := git.Find(project)
	if err != nil || outer.CommonDir != own.CommonDir || own.GitDir == own.CommonDir {
		return "", "", false
	}
	return project, id, true
}

// idPattern matches a valid ID, which becomes the name of a folder. It does not limit the length, because a repeat of eighty would
// be compiled to eighty copies; see maxID.
var idPattern = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9_-]*$`) })

// maxID is the maximal length of an ID.
const maxID = 80

// ValidID reports whether a text can be an ID.
func ValidID(id string) bool { return len(id) <= maxID && idPattern().MatchString(id) }

// repoPath converts a path relative to the project into one relative to the top of its repository. It refuses a path that leaves the
// project.
func (t *Trees) repoPath(p string) (string, error) {
	clean := path.Join(filepath.ToSlash(t.below), filepath.ToSlash(p))
	if p == "" || !filepath.IsLocal(filepath.FromSlash(p)) || strings.ContainsRune(p, 0) {
		return "", newRefusedPaths(Occupied, []string{p}, "this is no path in the project")
	}
	return clean, nil
}

// checkFolders checks that the folders of work trees are real folders, because a link would lead elsewhere, and makes them if create is
// set. It refuses with Occupied a link or file.
func (t *Trees) checkFolders(create bool) error {
	dir := t.root
	for part := range strings.SplitSeq(Folder, "/") {
		dir = filepath.Join(dir, part)
		if create {
			if err := os.Mkdir(dir, 0o755); err != nil && !errors.Is(err, os.ErrExist) {
				return fmt.Errorf("make the folder of work trees: %w", err)
			}
		}
		st, err := os.Lstat(dir)
		if errors.Is(err, os.ErrNotExist) && !create {
			return nil
		}
		if err != nil {
			return err
		}
		if !st.IsDir() {
			return newRefused(Occupied, "%s is a link or file, so no work tree can be kept there", dir)
		}
	}
	if !create {
		return nil
	}
	// The files of a work tree must never count as files of the user's tree, whatever else is ignored there.
	ignore := filepath.Join(dir, ".gitignore")
	if _, err := os.Lstat(ignore); errors.Is(err, os.ErrNotExist) {
		return os.WriteFile(ignore, []byte("*\n"), 0o644)
	}
	return nil
}

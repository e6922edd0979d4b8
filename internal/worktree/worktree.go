// Package worktree makes isolated work trees of a project and brings what was done in them back: it creates one of HEAD on a branch
// of its own, says what was changed, commits what was chosen, merges into the branch it came from, and cleans up. Guarded
// tasks work in such trees, and so can whatever else must not touch the user's files before it is done.
//
// What a work tree is for, where it came from and how far it is, is in a Record that a Store keeps. Nothing is read from names of
// branches or folders. Each step is recorded before it begins, and done so that whoever comes after a crash can do it
// again: objects are written before refs, refs are moved only from where they were, and files of the user are replaced whole.
//
// It writes through package git, which runs no hook, filter or merge driver. Its neighbour guard/review shows changes by stretches
// of lines and decides about them; store/sqlite/memory is a Store.
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

// State is how far a work tree is.
type State string

// The states. Creating, Merging and Removing are states in which a crash may have left it.
const (
	Creating State = "creating"
	Open     State = "open"
	Merging  State = "merging"
	Merged   State = "merged"
	Removing State = "removing"
)

// Record is what is kept of a work tree.
type Record struct {
	ID      string // name of its folder
	Purpose string // what it was made for, in a word of the caller's
	Branch  string // its branch, in full
	Base    string // the branch that it came from, in full
	Start   string // the commit that it came from
	Tip     string // the last commit of its branch that is known
	State   State
	From    string // the commit that Base was at before the merge, while merging and after
	Into    string // the commit that the merge made of it
	Began   time.Time
}

// Store keeps records. Its methods are safe for use by many processes.
type Store interface {
	// KeepWorktree adds a record or replaces the one of the same ID.
	KeepWorktree(ctx context.Context, r Record) error
	// Worktree is the record of an ID; ErrUnknown if there is none.
	Worktree(ctx context.Context, id string) (Record, error)
	// Worktrees are all records, oldest first.
	Worktrees(ctx context.Context) ([]Record, error)
	// ForgetWorktree drops a record, if there is one.
	ForgetWorktree(ctx context.Context, id string) error
}

// ErrUnknown says that no work tree has an ID.
var ErrUnknown = errors.New("no work tree is known by this id")

// Reason says in a word why something is refused.
type Reason string

// The reasons.
const (
	NoRepository Reason = "no_repository"
	Bare         Reason = "bare"
	Unborn       Reason = "unborn"      // the branch has no commit
	Detached     Reason = "detached"    // HEAD names no branch
	Unfinished   Reason = "unfinished"  // a merge, rebase or the like has begun
	Filters      Reason = "filters"     // programs change files between disk and repository
	Submodules   Reason = "submodules"  // other repositories inside
	Uncommitted  Reason = "uncommitted" // changes that would be passed by or lost
	Exists       Reason = "exists"
	Occupied     Reason = "occupied" // something else is where a folder has to be
	Moved        Reason = "moved"    // a ref is not where it was
	Gone         Reason = "gone"     // a branch or folder is not there
	Changed      Reason = "changed"  // since it was looked at
	Mixed        Reason = "mixed"    // choices that cannot be met together
	Busy         Reason = "busy"
	Unmerged     Reason = "unmerged"
	Interrupted  Reason = "interrupted"
	Sparse       Reason = "sparse"
)

// Refused says that something was not done, and that nothing was changed.
type Refused struct {
	Why   Reason
	Text  string
	Paths []string // that it is about, at most MaxNamed
	More  int      // paths that are not named
}

// MaxNamed is how many paths a refusal names.
const MaxNamed = 20

func (r *Refused) Error() string {
	if len(r.Paths) == 0 {
		return r.Text
	}
	text := r.Text + ": " + strings.Join(quoted(r.Paths), ", ")
	if r.More > 0 {
		text += fmt.Sprintf(" and %d more", r.More)
	}
	return text
}

// quoted shows paths with control characters so that each stays on its line.
func quoted(paths []string) []string {
	out := make([]string, len(paths))
	for i, p := range paths {
		out[i] = p
		if strings.ContainsFunc(p, func(c rune) bool { return c < ' ' || c == 0x7f || c == '\ufffd' }) {
			out[i] = fmt.Sprintf("%q", p)
		}
	}
	return out
}

func refuse(why Reason, format string, args ...any) error {
	return &Refused{Why: why, Text: fmt.Sprintf(format, args...)}
}

func refusePaths(why Reason, paths []string, format string, args ...any) error {
	n := min(len(paths), MaxNamed)
	return &Refused{Why: why, Text: fmt.Sprintf(format, args...), Paths: paths[:n:n], More: len(paths) - n}
}

// ReasonOf is why something was refused, "" if the error is no refusal.
func ReasonOf(err error) Reason {
	var r *Refused
	if errors.As(err, &r) {
		return r.Why
	}
	return ""
}

// Folder is where the work trees of a project are, below its root.
const Folder = ".ken/worktrees"

// Trees are the work trees of one project. It is safe for concurrent use, by many processes too.
type Trees struct {
	git   git.Git
	repo  *git.Repo // the tree of the user's
	root  string    // of the project
	below string    // of the project in the tree; "." at its top
	store Store
	now   func() time.Time
}

// New are the work trees of the project at root, which may be below the top of its repository. It is the root of the user's own
// tree, see MainRoot.
func New(root string, g git.Git, store Store, now func() time.Time) (*Trees, error) {
	real, err := filepath.EvalSymlinks(root)
	if err != nil {
		return nil, fmt.Errorf("find the project: %w", err)
	}
	repo, err := git.Find(real)
	if errors.Is(err, git.ErrNoRepository) {
		return nil, refuse(NoRepository, "%s is in no git repository with files, and a work tree is one of git's", real)
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

// dir is where the work tree of an ID is.
func (t *Trees) dir(id string) string { return filepath.Join(t.root, filepath.FromSlash(Folder), id) }

// MainRoot returns the root of the project whose work tree holds root, and the work tree's ID. It reports false if root is in none: if
// its path does not say so, or the repository of the work tree is another than the project's.
func MainRoot(root string) (project, id string, ok bool) {
	slash := filepath.ToSlash(root)
	at := strings.LastIndex(slash, "/"+Folder+"/")
	if at < 0 {
		return "", "", false
	}
	project = filepath.FromSlash(slash[:at])
	id, _, _ = strings.Cut(slash[at+len(Folder)+2:], "/")
	own, err := git.Find(root)
	if err != nil || own.Root != filepath.Join(project, filepath.FromSlash(Folder), id) || !own.Known() {
		return "", "", false
	}
	outer, err := git.Find(project)
	if err != nil || outer.CommonDir != own.CommonDir || own.GitDir == own.CommonDir {
		return "", "", false
	}
	return project, id, true
}

// goodID is what an ID may be, because it becomes the name of a folder.
// A repeat of eighty would be compiled to eighty copies, at each start of ken.
var goodID = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9_-]*$`) })

// maxID is how long an ID may be.
const maxID = 80

// ValidID reports whether a text may be an ID.
func ValidID(id string) bool { return len(id) <= maxID && goodID().MatchString(id) }

// inTree turns a path of the project into one from the top of its repository.
func (t *Trees) inTree(p string) (string, error) {
	clean := path.Join(filepath.ToSlash(t.below), filepath.ToSlash(p))
	if p == "" || !filepath.IsLocal(filepath.FromSlash(p)) || strings.ContainsRune(p, 0) {
		return "", refusePaths(Occupied, []string{p}, "this is no path in the project")
	}
	return clean, nil
}

// folders makes sure that the folders which hold work trees are there and real, because a link would lead elsewhere.
func (t *Trees) folders(create bool) error {
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
			return refuse(Occupied, "%s is no folder of its own, so no work tree is kept there", dir)
		}
	}
	if !create {
		return nil
	}
	// What is in a work tree must never be taken for a file of the user's tree, whatever else is ignored there.
	ignore := filepath.Join(dir, ".gitignore")
	if _, err := os.Lstat(ignore); errors.Is(err, os.ErrNotExist) {
		return os.WriteFile(ignore, []byte("*\n"), 0o644)
	}
	return nil
}

package plumbing

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"strings"

	"ken/internal/git"
)

// excluding is the setting of the user's own ignore file. ken reads it itself, because it must see that the file is no pipe
// before git opens it.
func excluding(excludesFile string) []string {
	if excludesFile == "" {
		excludesFile = os.DevNull
	}
	return []string{"core.excludesFile=" + excludesFile}
}

// Changed is a path of the work tree that is not as in HEAD.
type Changed struct {
	Path string
	// Code is git's two letters for the index and the work tree, "??" for a file that is not tracked and "!!" for one
	// that is ignored.
	Code string
}

// Status lists what is not as in HEAD among paths, or in all of the work tree if there are none. Renames are shown as two changes.
func Status(ctx context.Context, g git.Git, r *git.Repo, excludesFile string, ignored bool, paths ...string) ([]Changed, error) {
	args := []string{"status", "--porcelain=v1", "-z", "--no-renames", "--untracked-files=all", "--ignore-submodules=none"}
	if ignored {
		args = append(args, "--ignored=matching")
	}
	out, err := g.Run(ctx, r, excluding(excludesFile), nil, append(append(args, "--"), paths...)...)
	if err != nil {
		return nil, err
	}
	var list []Changed
	for rec := range strings.SplitSeq(strings.TrimSuffix(string(out), "\x00"), "\x00") {
		if rec == "" {
			continue
		}
		if len(rec) < 4 || rec[2] != ' ' {
			return nil, fmt.Errorf("read status: %w: record %q", git.ErrUnsupported, rec[:min(len(rec), 120)])
		}
		list = append(list, Changed{Path: rec[3:], Code: rec[:2]})
	}
	return list, nil
}

// Ignored lists what is on disk and ignored; a folder that is ignored as a whole is named once, with a trailing slash.
func Ignored(ctx context.Context, g git.Git, r *git.Repo, excludesFile string) ([]string, error) {
	out, err := g.Run(ctx, r, excluding(excludesFile), nil, "ls-files", "-z", "--others", "--ignored", "--exclude-standard", "--directory")
	if err != nil || len(out) == 0 {
		return nil, err
	}
	return strings.Split(strings.TrimSuffix(string(out), "\x00"), "\x00"), nil
}

// Attribute is the value that a path has for an attribute.
type Attribute struct{ Path, Name, Value string }

// Filters lists the paths for which the attribute filter is set, of those given.
func Filters(ctx context.Context, g git.Git, r *git.Repo, paths []string) ([]Attribute, error) {
	if len(paths) == 0 {
		return nil, nil
	}
	out, err := g.Run(ctx, r, nil, []byte(strings.Join(paths, "\x00")+"\x00"), "check-attr", "-z", "--stdin", "filter")
	if err != nil {
		return nil, err
	}
	var list []Attribute
	fields := strings.Split(string(out), "\x00")
	for ; len(fields) >= 3; fields = fields[3:] {
		a := Attribute{fields[0], fields[1], fields[2]}
		if a.Value != "unspecified" && a.Value != "unset" && a.Value != "set" && a.Value != "" {
			list = append(list, a)
		}
	}
	return list, nil
}

// Defined reports whether a configuration has a setting of a section with a name, such as filter "lfs".
func Defined(ctx context.Context, g git.Git, r *git.Repo, section, name string) (bool, error) {
	out, err := g.Run(ctx, r, nil, nil, "config", "--list", "--name-only", "-z")
	if err != nil {
		return false, err
	}
	return bytes.Contains(append([]byte{0}, out...), []byte("\x00"+section+"."+name+".")), nil
}

// LinkedTree is a work tree of a repository, as the repository lists it.
type LinkedTree struct {
	Path   string
	Ref    string // "" if HEAD is detached
	Commit string
	Locked bool // it may be on a disk that is away
	Gone   bool // its folder is not there
}

// Linked lists all work trees of a repository, the main one first. It needs git 2.36, and merging 2.38.
func Linked(ctx context.Context, g git.Git, r *git.Repo) ([]LinkedTree, error) {
	out, err := g.Run(ctx, r, nil, nil, "worktree", "list", "--porcelain", "-z")
	if git.Exited(err, 129) {
		return nil, fmt.Errorf("git worktree list: %w: this needs git 2.38 or newer", git.ErrUnsupported)
	}
	return parseLinked(string(out)), err
}

// parseLinked reads "KEY VALUE" fields, each ended by NUL, with an empty field after each work tree.
func parseLinked(out string) []LinkedTree {
	var list []LinkedTree
	for field := range strings.SplitSeq(out, "\x00") {
		key, value, _ := strings.Cut(field, " ")
		if key == "worktree" {
			list = append(list, LinkedTree{Path: value})
			continue
		}
		if len(list) == 0 {
			continue
		}
		l := &list[len(list)-1]
		switch key {
		case "HEAD":
			l.Commit = value
		case "branch":
			l.Ref = value
		case "locked":
			l.Locked = true
		case "prunable":
			l.Gone = true
		}
	}
	return list
}

// Ref is the commit that a ref names; git.ErrNotFound if there is no such ref.
func Ref(ctx context.Context, g git.Git, r *git.Repo, name string) (string, error) {
	if !git.ValidRef(name) {
		return "", fmt.Errorf("find ref: %w: %q", git.ErrNotFound, name)
	}
	out, err := g.Run(ctx, r, nil, nil, "rev-parse", "--verify", "--quiet", "--end-of-options", name+"^{commit}")
	if git.Exited(err, 1) { // whatever else goes wrong says nothing of the ref
		return "", fmt.Errorf("find ref: %w: %q", git.ErrNotFound, name)
	}
	return strings.TrimSpace(string(out)), err
}

// ValidBranch reports whether git takes a name for a branch.
func ValidBranch(ctx context.Context, g git.Git, r *git.Repo, name string) bool {
	if !git.ValidRef("refs/heads/" + name) {
		return false
	}
	_, err := g.Run(ctx, r, nil, nil, "check-ref-format", "refs/heads/"+name)
	return err == nil && !strings.HasPrefix(name, "-") && name != "HEAD"
}

// Differing lists the entries of the index whose files on disk are others, or missing.
func Differing(ctx context.Context, g git.Git, r *git.Repo) ([]string, error) {
	out, err := g.Run(ctx, r, nil, nil, "diff-files", "-z", "--name-only")
	if err != nil || len(out) == 0 {
		return nil, err
	}
	return strings.Split(strings.TrimSuffix(string(out), "\x00"), "\x00"), nil
}

// NoID returns the id that stands for "does not exist", in the form of another.
func NoID(like string) string { return strings.Repeat("0", max(len(like), 40)) }

// IsAncestor reports whether a commit is another or one that it came from.
func IsAncestor(ctx context.Context, g git.Git, r *git.Repo, ancestor, of string) (bool, error) {
	if !git.IsID(ancestor) || !git.IsID(of) {
		return false, fmt.Errorf("git merge-base: %w: no object id", git.ErrNotFound)
	}
	_, err := g.Run(ctx, r, nil, nil, "merge-base", "--is-ancestor", ancestor, of)
	if git.Exited(err, 1) {
		return false, nil
	}
	return err == nil, err
}

// BranchesWith lists the branches from which a commit can be reached.
func BranchesWith(ctx context.Context, g git.Git, r *git.Repo, commit string) ([]string, error) {
	if !git.IsID(commit) {
		return nil, fmt.Errorf("git for-each-ref: %w: no object id", git.ErrNotFound)
	}
	out, err := g.Run(ctx, r, nil, nil, "for-each-ref", "--format=%(refname)", "--contains", commit, "refs/heads/")
	if err != nil {
		return nil, err
	}
	return strings.Fields(string(bytes.TrimSpace(out))), nil
}

// Unreached reports whether there is a commit that only this repository has as it is now. If own, it is a repository for itself: any
// branch of it counts, and only what is known of others keeps a commit. Else only head counts, which any branch keeps. head may be "".
func Unreached(ctx context.Context, g git.Git, r *git.Repo, head string, own bool) (bool, error) {
	args := []string{"rev-list", "-n", "1"}
	if head != "" {
		if !git.IsID(head) {
			return false, fmt.Errorf("git rev-list: %w: no object id", git.ErrNotFound)
		}
		args = append(args, head)
	}
	kept := []string{"--not", "--branches", "--tags", "--remotes"}
	if own {
		args, kept = append(args, "--branches"), []string{"--not", "--remotes"}
	} else if head == "" {
		return false, nil
	}
	out, err := g.Run(ctx, r, nil, nil, append(args, kept...)...)
	return len(bytes.TrimSpace(out)) > 0, err
}

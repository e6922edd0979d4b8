package plumbing

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"slices"
	"strings"

	"ken/internal/git"
)

// excludesSetting returns the setting that names the user's own ignore file. ken reads that setting itself, because it must
// check that the file is not a pipe before git opens it.
func excludesSetting(excludesFile string) []string {
	if excludesFile == "" {
		excludesFile = os.DevNull
	}
	return []string{"core.excludesFile=" + excludesFile}
}

// Changed is a path of the work tree that differs from HEAD.
type Changed struct {
	Path string
	// Code is git's two letters for the index and the work tree, "??" for an untracked file and "!!" for an ignored one.
	Code string
}

// Status returns the differences from HEAD among paths, or in all of the work tree if there are none. A rename is two
// changes. It fails if git does or its output is invalid.
func Status(ctx context.Context, g git.Git, r *git.Repo, excludesFile string, ignored bool, paths ...string) ([]Changed, error) {
	args := []string{"status", "--porcelain=v1", "-z", "--no-renames", "--untracked-files=all", "--ignore-submodules=none"}
	if ignored {
		args = append(args, "--ignored=matching")
	}
	settings := append(excludesSetting(excludesFile), "core.trustctime=true", "core.checkStat=default") // what is looked at to see a change
	out, err := g.Run(ctx, r, settings, nil, append(append(args, "--"), paths...)...)
	if err != nil {
		return nil, err
	}
	var list []Changed
	for rec := range strings.SplitSeq(strings.TrimSuffix(string(out), "\x00"), "\x00") {
		if rec == "" {
			continue
		}
		if len(rec) < 4 || rec[2] != ' ' {
			return nil, fmt.Errorf("read status: %w: record %.120q", git.ErrUnsupported, rec)
		}
		list = append(list, Changed{Path: rec[3:], Code: rec[:2]})
	}
	return list, nil
}

// IgnoredPaths returns the ignored files on disk; a folder that is ignored as a whole occurs once, with a trailing slash. It
// fails if git does.
func IgnoredPaths(ctx context.Context, g git.Git, r *git.Repo, excludesFile string) ([]string, error) {
	out, err := g.Run(ctx, r, excludesSetting(excludesFile), nil, "ls-files", "-z", "--others", "--ignored", "--exclude-standard", "--directory")
	if err != nil || len(out) == 0 {
		return nil, err
	}
	return strings.Split(strings.TrimSuffix(string(out), "\x00"), "\x00"), nil
}

// IgnoredTracked returns the files of the index that git would ignore if they were not in it. It fails if git does.
func IgnoredTracked(ctx context.Context, g git.Git, r *git.Repo, excludesFile string) ([]string, error) {
	out, err := g.Run(ctx, r, excludesSetting(excludesFile), nil, "ls-files", "-z", "--cached", "--ignored", "--exclude-standard")
	if err != nil || len(out) == 0 {
		return nil, err
	}
	return strings.Split(strings.TrimSuffix(string(out), "\x00"), "\x00"), nil
}

// IgnoreSources returns, by path, the file with the rule by which git ignores each of some paths. It fails if git does.
func IgnoreSources(ctx context.Context, g git.Git, r *git.Repo, excludesFile string, paths []string) (map[string]string, error) {
	if len(paths) == 0 {
		return nil, nil
	}
	out, err := g.WithPatterns().Run(ctx, r, excludesSetting(excludesFile), []byte(strings.Join(paths, "\x00")+"\x00"), "check-ignore", "-v", "-z", "--stdin")
	if git.HasExitStatus(err, 1) { // none of them is ignored any more
		err = nil
	}
	if err != nil {
		return nil, err
	}
	sources := map[string]string{}
	fields := strings.Split(string(out), "\x00") // SOURCE LINE PATTERN PATH
	for ; len(fields) >= 4; fields = fields[4:] {
		sources[fields[3]] = fields[0]
	}
	return sources, nil
}

// PathsOf returns the files of a commit, sorted. It fails if git does.
func PathsOf(ctx context.Context, g git.Git, r *git.Repo, commit string) ([]string, error) {
	if !git.IsID(commit) {
		return nil, fmt.Errorf("list a commit: %w: no object id", git.ErrNotFound)
	}
	out, err := g.Run(ctx, r, nil, nil, "ls-tree", "-r", "-z", "--full-tree", "--name-only", commit)
	if err != nil {
		return nil, err
	}
	list := strings.Split(strings.TrimSuffix(string(out), "\x00"), "\x00")
	slices.Sort(list)
	return list, nil
}

// Attribute is the value of an attribute of a path.
type Attribute struct{ Path, Name, Value string }

// FilterAttributes returns the values of the attribute "filter" for those of the paths that have it. It fails if git does.
func FilterAttributes(ctx context.Context, g git.Git, r *git.Repo, paths []string) ([]Attribute, error) {
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

// HasSection reports whether the configuration has a section with a subsection name, such as filter "lfs". It fails if git does.
func HasSection(ctx context.Context, g git.Git, r *git.Repo, section, name string) (bool, error) {
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
	Locked bool // it may be on a disk that is not mounted
	Gone   bool // its folder is missing
}

// neededGit is the oldest git with all that this package uses: merge-tree --write-tree is of 2.38, worktree list -z of 2.36.
const neededGit = "2.38"

// tooOld returns the error of a command of git that does not know its flags.
func tooOld(command string) error {
	return fmt.Errorf("git %s: %w: this needs git %s or newer", command, git.ErrUnsupported, neededGit)
}

// LinkedTrees returns all work trees of a repository, the main one first. It fails if git does, or is older than neededGit.
func LinkedTrees(ctx context.Context, g git.Git, r *git.Repo) ([]LinkedTree, error) {
	out, err := g.Run(ctx, r, nil, nil, "worktree", "list", "--porcelain", "-z")
	if git.HasExitStatus(err, 129) {
		return nil, tooOld("worktree list")
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

// RefCommit returns the commit of a ref. It fails with git.ErrNotFound if there is no such ref, or if git does.
func RefCommit(ctx context.Context, g git.Git, r *git.Repo, name string) (string, error) {
	if !git.ValidRef(name) {
		return "", fmt.Errorf("find ref: %w: %q", git.ErrNotFound, name)
	}
	out, err := g.Run(ctx, r, nil, nil, "rev-parse", "--verify", "--quiet", "--end-of-options", name+"^{commit}")
	if git.HasExitStatus(err, 1) { // other failures do not mean that the ref is missing
		return "", fmt.Errorf("find ref: %w: %q", git.ErrNotFound, name)
	}
	return strings.TrimSpace(string(out)), err
}

// ValidBranch reports whether git accepts the name of a branch.
func ValidBranch(ctx context.Context, g git.Git, r *git.Repo, name string) bool {
	if !git.ValidRef("refs/heads/" + name) {
		return false
	}
	_, err := g.Run(ctx, r, nil, nil, "check-ref-format", "refs/heads/"+name)
	return err == nil && !strings.HasPrefix(name, "-") && name != "HEAD"
}

// DifferingFiles returns the entries of the index whose files on disk differ or are missing. It fails if git does.
func DifferingFiles(ctx context.Context, g git.Git, r *git.Repo) ([]string, error) {
	out, err := g.Run(ctx, r, nil, nil, "diff-files", "-z", "--name-only")
	if err != nil || len(out) == 0 {
		return nil, err
	}
	return strings.Split(strings.TrimSuffix(string(out), "\x00"), "\x00"), nil
}

// ZeroID returns the id of zeros by which git means "does not exist", as long as the id like.
func ZeroID(like string) string { return strings.Repeat("0", max(len(like), 40)) }

// IsAncestor reports whether the commit ancestor equals the commit of or is one of its ancestors. It fails if git does.
func IsAncestor(ctx context.Context, g git.Git, r *git.Repo, ancestor, of string) (bool, error) {
	if !git.IsID(ancestor) || !git.IsID(of) {
		return false, fmt.Errorf("git merge-base: %w: no object id", git.ErrNotFound)
	}
	_, err := g.Run(ctx, r, nil, nil, "merge-base", "--is-ancestor", ancestor, of)
	if git.HasExitStatus(err, 1) {
		return false, nil
	}
	return err == nil, err
}

// BranchesWith returns the branches from which a commit can be reached. It fails if git does.
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

// HasUniqueCommit reports whether this repository has a commit that no other has. If own is set, it has a git
// directory of its own: all its branches count, and only remote-tracking refs prove that others have a commit.
// Otherwise only head counts, and any branch or tag proves it. head may be "". It fails if git does.
func HasUniqueCommit(ctx context.Context, g git.Git, r *git.Repo, head string, own bool) (bool, error) {
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

// Package foldercommit commits one folder of a working tree, or named files, and nothing else, whatever is staged: plan.go
// compares them with HEAD, commit.go makes the commit, named.go has the differences for named files. It alone writes to a
// repository; git is run by package git, disarmed.
package foldercommit

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"ken/internal/git"
)

// ErrRefused is returned if a repository is in a state in which ken does not commit.
var ErrRefused = errors.New("nothing is committed")

func refusedError(format string, args ...any) error {
	return fmt.Errorf("%w: %s", ErrRefused, fmt.Sprintf(format, args...))
}

// TreeFile is a file in a tree or the index; the zero value is none.
type TreeFile struct {
	Mode string // "100644", "100755" or "120000"
	ID   string
}

func (f TreeFile) isFile() bool { return f.ID != "" && f.Mode != "160000" }

// Change is a path that differs between HEAD and the files to be committed.
type Change struct {
	Path     string   // relative to the top of the working tree
	Old, New TreeFile // in HEAD and in the working tree
	index    TreeFile // in the index
}

// LeftOut is a path that a commit leaves out, with the reason.
type LeftOut struct{ Path, Why string }

// Plan is the content of a commit of one folder or of named paths. Making a plan writes nothing.
type Plan struct {
	Head    git.Head
	Changes []Change  // by path
	LeftOut []LeftOut // by path
	Ignored []string  // files of the folder that ignore rules keep out of git
	Hooks   []string  // hooks that git would run for a commit, and ken does not
	Signs   bool      // git would sign the commit

	repo     *git.Repo
	dir      string              // "" for named files
	paths    []string            // the folder, or the names
	head     map[string]TreeFile // all files of the folder in HEAD
	shown    []string            // arguments of ls-files that overrule Hide
	skipped  map[string]bool     // paths that stay as they are in HEAD
	settings []string
}

// MakePlan compares dir, relative to the top of the working tree, with HEAD. It follows no link and runs no filter: files that
// have one are left out. So are files that are staged in another version than that of the working tree, because the user is
// in the middle of something there. With only, it compares these folders and files below dir alone. A folder that Hide keeps out of git
// is committed nevertheless. It fails with ErrRefused if ken must not commit in this state, or if git does.
func MakePlan(ctx context.Context, r *git.Repo, dir string, only ...string) (*Plan, error) {
	p := &Plan{repo: r, dir: dir, paths: only}
	if len(only) == 0 {
		p.paths = []string{dir}
	}
	if isHidden(r, dir) {
		p.shown = []string{"-x", "!" + excludePattern(dir)}
	}
	return p.computePlan(ctx)
}

// computePlan fills in a plan by comparing the files of its folder or its names with HEAD.
func (p *Plan) computePlan(ctx context.Context) (*Plan, error) {
	cfg := git.ReadConfig(p.repo)
	p.skipped, p.Hooks, p.Signs = map[string]bool{}, p.repo.CommitHooks(cfg), cfg.Bool("commit.gpgsign")
	var err error
	if p.Head, err = p.checkCommittable(ctx, cfg); err != nil {
		return nil, err
	}
	if p.dir != "" {
		if err := isRealDir(p.repo.Root, p.dir); err != nil {
			return nil, err
		}
	}
	names, err := p.optionNames(ctx)
	if err != nil {
		return nil, err
	}
	if p.settings, err = disarmNames(names); err != nil {
		return nil, err
	}
	p.settings = append(p.settings, "core.attributesFile="+git.ReadConfig(nil).AttributesFile())
	if p.head, err = p.listFiles(ctx, p.Head.Commit); err != nil {
		return nil, err
	}
	for name := range p.head {
		p.skipped[name] = p.dir != "" && !slices.ContainsFunc(p.paths, func(d string) bool { return name == d || strings.HasPrefix(name, d+"/") })
	}
	return p, p.compareFiles(ctx, cfg, names)
}

// checkCommittable returns HEAD if ken may commit. Otherwise it fails with ErrRefused: for repositories in which a commit
// could be lost, be in the way or belong to another operation.
func (p *Plan) checkCommittable(ctx context.Context, cfg *git.Config) (git.Head, error) {
	switch {
	case !p.repo.OwnsTreeBy(cfg):
		return git.Head{}, refusedError("%s does not name this working tree as its own; commit with git", p.repo.GitDir)
	case p.repo.GitDir == p.repo.CommonDir && cfg.Bool("core.bare"):
		return git.Head{}, refusedError("the repository is bare (core.bare)")
	case p.repo.IsMerging():
		return git.Head{}, refusedError("a merge, rebase, cherry-pick, revert or bisection is under way; end it first")
	}
	head, err := git.Git{}.Head(ctx, p.repo)
	switch {
	case err != nil:
		return head, err
	case head.Ref == "":
		return head, refusedError("HEAD is detached, a commit would be on no branch; switch to one")
	case head.Commit == "" && p.dir != "":
		return head, refusedError("the branch has no commit yet; make the first one")
	}
	return head, nil
}

// isRealDir fails unless dir and all its parents up to root are real directories, because a link
// could lead out of the working tree. It returns a distinct error if one does not exist.
func isRealDir(root, dir string) error {
	at := root
	for part := range strings.SplitSeq(dir, "/") {
		at = filepath.Join(at, part)
		st, err := os.Lstat(at)
		if err != nil {
			return err
		}
		if !st.IsDir() {
			return refusedError("%s is no folder", at)
		}
	}
	return nil
}

// optionNames returns the names of all options that git sees, through every include.
func (p *Plan) optionNames(ctx context.Context) ([]string, error) {
	out, err := p.git(ctx, nil, "config", "--list", "-z", "--name-only")
	return splitNUL(out), err
}

// disarmNames returns settings that turn off the filters and hooks whose names the configuration itself chooses; names are those of its
// options.
func disarmNames(names []string) ([]string, error) {
	var out []string
	off := func(section, name string, settings ...string) error {
		if strings.ContainsAny(name, "=\n") { // no option of such a name can be set on a command line
			return refusedError("the configuration has a %s of the name %q", section, name)
		}
		for _, s := range settings {
			out = append(out, section+"."+name+"."+s)
		}
		return nil
	}
	seen := map[string]bool{}
	for _, n := range names {
		section, rest, _ := strings.Cut(n, ".")
		i := strings.LastIndexByte(rest, '.')
		if i < 0 || seen[section+"."+rest[:i]] {
			continue
		}
		name, err := rest[:i], error(nil)
		seen[section+"."+name] = true
		switch section {
		case "filter":
			err = off(section, name, "clean=", "smudge=", "process=", "required=false")
		case "hook":
			err = off(section, name, "enabled=false")
		}
		if err != nil {
			return nil, err
		}
	}
	return out, nil
}

// treeEntry is an entry of a tree as git lists it.
type treeEntry struct{ mode, kind, id, name string }

// listTree lists the entries of a tree, or of a commit's tree. With below set it also lists the files of its subtrees.
func (p *Plan) listTree(ctx context.Context, id string, below bool) (list []treeEntry, err error) {
	args := []string{"ls-tree", "-z", "--full-tree"}
	if below {
		args = append(args, "-r")
	}
	out, err := p.git(ctx, nil, append(args, id)...)
	if err != nil {
		return nil, err
	}
	for _, rec := range splitNUL(out) {
		head, name, ok := strings.Cut(rec, "\t")
		f := strings.Fields(head)
		if !ok || len(f) != 3 {
			return nil, fmt.Errorf("read ls-tree: %w: record %.80q", git.ErrUnsupported, rec)
		}
		list = append(list, treeEntry{f[0], f[1], f[2], name})
	}
	return list, nil
}

// listFiles lists the files of the folder, or the named ones, in a commit, by path.
func (p *Plan) listFiles(ctx context.Context, commit string) (map[string]TreeFile, error) {
	if p.dir == "" {
		return p.listNamed(ctx, commit)
	}
	return p.listFolder(ctx, commit, p.dir)
}

// listFolder lists the files of a folder in a commit, by path. It goes down folder by folder, so that a missing object is an
// error and not a missing folder.
func (p *Plan) listFolder(ctx context.Context, commit, dir string) (map[string]TreeFile, error) {
	at := commit
	for part := range strings.SplitSeq(dir, "/") {
		list, err := p.listTree(ctx, at, false)
		if err != nil {
			return nil, err
		}
		i := slices.IndexFunc(list, func(e treeEntry) bool { return e.name == part })
		switch {
		case i < 0:
			return nil, nil
		case list[i].kind != "tree":
			return nil, refusedError("in HEAD, %s of %s is no folder", part, dir)
		}
		at = list[i].id
	}
	list, err := p.listTree(ctx, at, true)
	files := make(map[string]TreeFile, len(list))
	for _, e := range list {
		files[dir+"/"+e.name] = TreeFile{e.mode, e.id}
	}
	return files, err
}

// stagedEntry is the entry of a path in git's index.
type stagedEntry struct {
	TreeFile
	absent    bool // the file need not be in the working tree (skip-worktree)
	unchanged bool // git was asked not to look at it (assume-unchanged)
	conflict  bool
}

// listIndex lists the entries of the index for the folder, or for the names.
func (p *Plan) listIndex(ctx context.Context) (map[string]stagedEntry, error) {
	out, err := p.git(ctx, nil, append([]string{"ls-files", "-z", "-s", "-v", "--"}, p.paths...)...)
	if err != nil {
		return nil, err
	}
	files := map[string]stagedEntry{}
	for _, rec := range splitNUL(out) {
		head, name, ok := strings.Cut(rec, "\t")
		f := strings.Fields(head)
		if !ok || len(f) != 4 {
			return nil, fmt.Errorf("read ls-files: %w: entry %.80q", git.ErrUnsupported, rec)
		}
		files[name] = stagedEntry{TreeFile: TreeFile{f[1], f[2]}, absent: strings.EqualFold(f[0], "s"),
			unchanged: strings.ToLower(f[0]) == f[0], conflict: f[3] != "0"}
	}
	return files, nil
}

// compareFiles fills in the changes and the omissions of the plan.
func (p *Plan) compareFiles(ctx context.Context, cfg *git.Config, names []string) error {
	index, err := p.listIndex(ctx)
	if err != nil {
		return err
	}
	others, err := p.git(ctx, nil, slices.Concat([]string{"ls-files", "-z", "-o", "--exclude-standard"}, p.shown, []string{"--"}, p.paths)...)
	if err != nil {
		return err
	}
	ignored, err := p.git(ctx, nil, slices.Concat([]string{"ls-files", "-z", "-o", "-i", "--exclude-standard"}, p.shown, []string{"--"}, p.paths)...)
	if err != nil {
		return err
	}
	p.Ignored = splitNUL(ignored)
	here, err := p.presentFiles(index, splitNUL(others))
	if err != nil {
		return err
	}
	if here, err = p.dropFiltered(ctx, here, names); err != nil {
		return err
	}
	ids, err := p.hashFiles(ctx, here, false)
	if err != nil {
		return err
	}
	now := make(map[string]TreeFile, len(here))
	for i, name := range here {
		now[name] = TreeFile{p.fileMode(cfg, name, p.head[name].Mode), ids[i]}
	}
	p.recordChanges(index, now)
	slices.SortFunc(p.LeftOut, func(a, b LeftOut) int { return strings.Compare(a.Path, b.Path) })
	return nil
}

// presentFiles returns those regular files of the folder that are in HEAD or in the index, or that git would add (others).
func (p *Plan) presentFiles(index map[string]stagedEntry, others []string) ([]string, error) {
	names := slices.Collect(maps.Keys(p.head))
	names = append(slices.AppendSeq(names, maps.Keys(index)), others...)
	slices.Sort(names)
	var out []string
	for _, name := range slices.Compact(names) {
		if p.skipped[name] {
			continue
		}
		if strings.HasSuffix(name, "/") {
			p.leaveOut(strings.TrimSuffix(name, "/"), "it is a repository of its own")
			continue
		}
		st, err := os.Lstat(filepath.Join(p.repo.Root, filepath.FromSlash(name)))
		switch {
		case errors.Is(err, fs.ErrNotExist), isNotDir(err):
		case err != nil:
			return nil, err
		case path.Dir(name) != "." && isRealDir(p.repo.Root, path.Dir(name)) != nil:
			p.leaveOut(name, "it is behind a link")
		case st.IsDir() && p.head[name].isFile():
			// a folder has taken the place of the file, which is gone
		case !st.Mode().IsRegular():
			p.leaveOutIfKnown(name, "it is no regular file")
		case strings.HasPrefix(path.Base(name), ".new-") && p.head[name].ID == "":
			// left behind by a process that was killed
		default:
			out = append(out, name)
		}
	}
	return out, nil
}

// isNotDir reports whether an error is that of a path below a file.
func isNotDir(err error) bool { return err != nil && strings.Contains(err.Error(), "not a directory") }

// leaveOut records that the commit leaves out a path, with the reason.
func (p *Plan) leaveOut(name, why string) {
	p.skipped[name] = true
	p.LeftOut = append(p.LeftOut, LeftOut{name, why})
}

// LeaveOut leaves out of the plan the changed files for whose content reason returns one. It fails if a file cannot be read.
// Commit fails with ErrMoved if a file has changed since the plan was made.
func (p *Plan) LeaveOut(reason func(content []byte) string) error {
	var kept []Change
	for _, c := range p.Changes {
		if c.New.ID != "" {
			content, err := os.ReadFile(filepath.Join(p.repo.Root, filepath.FromSlash(c.Path)))
			if err != nil {
				return err
			}
			if why := reason(content); why != "" {
				p.leaveOut(c.Path, why)
				continue
			}
		}
		kept = append(kept, c)
	}
	p.Changes = kept
	return nil
}

// leaveOutIfKnown leaves a path out, as leave does, but records it only if it is not in HEAD: for a path in HEAD, finding out whether
// it has changed would mean following a link.
func (p *Plan) leaveOutIfKnown(name, why string) {
	if p.skipped[name] = true; p.head[name].ID == "" {
		p.leaveOut(name, why)
	}
}

// dropFiltered returns names without the files for which git would run a filter program, and leaves these out.
func (p *Plan) dropFiltered(ctx context.Context, names, options []string) (out []string, err error) {
	if len(names) == 0 {
		return nil, nil
	}
	text, err := p.git(ctx, []byte(strings.Join(names, "\x00")+"\x00"), "check-attr", "-z", "--stdin", "filter")
	if err != nil {
		return nil, err
	}
	list := splitNUL(text)
	if len(list) != 3*len(names) {
		return nil, fmt.Errorf("read check-attr: %w: %d records for %d files", git.ErrUnsupported, len(list), len(names))
	}
	for i, name := range names {
		filter := list[3*i+2]
		if slices.Contains(options, "filter."+filter+".clean") || slices.Contains(options, "filter."+filter+".process") {
			p.leaveOut(name, fmt.Sprintf("it has the filter %q, a program that ken does not run; commit it with git", filter))
			continue
		}
		out = append(out, name)
	}
	return out, nil
}

// recordChanges records the differences that can be committed, from the files' present states in now.
func (p *Plan) recordChanges(index map[string]stagedEntry, now map[string]TreeFile) {
	names := slices.AppendSeq(slices.Collect(maps.Keys(p.head)), maps.Keys(now))
	slices.Sort(names)
	for _, name := range slices.Compact(names) {
		was, is, in := p.head[name], now[name], index[name]
		switch {
		case was == is || p.skipped[name]:
		case is.ID == "" && in.absent:
		case in.unchanged:
			p.leaveOut(name, "git was asked to assume that it is unchanged")
		case in.conflict:
			p.leaveOut(name, "it is in conflict")
		case p.dir != "" && in.TreeFile != was && in.TreeFile != is && !isIntentToAdd(in.TreeFile, was):
			p.leaveOut(name, "another version of it is staged; commit that with git")
		default:
			p.Changes = append(p.Changes, Change{name, was, is, in.TreeFile})
		}
	}
}

// isIntentToAdd reports whether the index entry in is only the announcement of a new file without content, as `git add -N` makes it.
func isIntentToAdd(in, was TreeFile) bool {
	return was.ID == "" && (in.ID == "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391" ||
		in.ID == "473a0f4c3be8a93681a267e3b1e9a7dcda1185436fe141f7749120a303721813")
}

// fileMode returns the mode that git would record for a file; was is its recorded mode.
func (p *Plan) fileMode(cfg *git.Config, name, was string) string {
	if cfg.Get("core.filemode") != "" && !cfg.Bool("core.filemode") {
		if was == "100755" {
			return was
		}
		return "100644"
	}
	if st, err := os.Lstat(filepath.Join(p.repo.Root, filepath.FromSlash(name))); err == nil && st.Mode()&0o100 != 0 {
		return "100755"
	}
	return "100644"
}

// hashFiles returns the object ids of files, after converting line ends as git stores them. With write set it also writes the objects.
func (p *Plan) hashFiles(ctx context.Context, names []string, write bool) (ids []string, err error) {
	if len(names) == 0 {
		return nil, nil
	}
	args := []string{"hash-object", "--stdin-paths"}
	if write {
		args = append(args, "-w")
	}
	var in bytes.Buffer
	for _, name := range names {
		in.WriteString(quotedPath(name) + "\n")
	}
	text, err := p.git(ctx, in.Bytes(), args...)
	if err != nil {
		return nil, err
	}
	ids = strings.Fields(string(text))
	if len(ids) != len(names) {
		return nil, fmt.Errorf("read hash-object: %w: %d ids for %d files", git.ErrUnsupported, len(ids), len(names))
	}
	return ids, nil
}

// quotedPath returns a path in quotes for git, whatever bytes it has.
func quotedPath(name string) string {
	var b strings.Builder
	b.WriteByte('"')
	for i := range len(name) {
		switch c := name[i]; {
		case c == '"' || c == '\\':
			b.WriteByte('\\')
			b.WriteByte(c)
		case c < ' ' || c >= 0x7f:
			fmt.Fprintf(&b, `\%03o`, c)
		default:
			b.WriteByte(c)
		}
	}
	b.WriteByte('"')
	return b.String()
}

// splitNUL splits an output into its records, each of which ends with NUL.
func splitNUL(out []byte) []string {
	text := strings.TrimSuffix(string(out), "\x00")
	if text == "" {
		return nil
	}
	return strings.Split(text, "\x00")
}

// git runs git with the input in.
func (p *Plan) git(ctx context.Context, in []byte, args ...string) ([]byte, error) {
	return git.Git{}.Run(ctx, p.repo, p.settings, in, args...)
}

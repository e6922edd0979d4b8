package worktree

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"ken/internal/git"
	"ken/internal/git/plumbing"
	"ken/internal/statefile"
)

// Differences are those of the tree of a project from a commit. Paths are relative to the root of the project and sorted.
type Differences struct {
	Head    string   // the commit that is checked out, "" without one
	Changed []string // files that differ, committed or not; ken's own are left out
	New     []string // those of Changed that git does not know
	// Rules is a fingerprint of the rules outside of the tree by which git ignores files.
	Rules string

	git   git.Git
	repo  *git.Repo
	below string // from the top of the repository to the project, "" or ending in "/"
}

// ChangedSince returns how the tree of a project differs from the commit since; with since "" what is not committed. Marks in the index by
// which git is made to overlook changes count for nothing. It fails with git.ErrNoRepository outside of a repository, and if git fails.
func ChangedSince(ctx context.Context, g git.Git, root, since string) (*Differences, error) {
	repo, err := git.Find(root)
	if err != nil {
		return nil, err
	}
	at, err := g.Head(ctx, repo)
	if err != nil {
		return nil, err
	}
	d := &Differences{Head: at.Commit, git: g, repo: repo}
	below, err := filepath.Rel(repo.Root, root)
	if err != nil {
		return nil, err
	}
	if below != "." {
		d.below = filepath.ToSlash(below) + "/"
	}
	list, err := d.status(ctx)
	if err != nil {
		return nil, err
	}
	for _, c := range list {
		if p, ok := d.own(c.Path); ok && c.Code == "??" {
			d.New = append(d.New, p)
		} else if ok {
			d.Changed = append(d.Changed, p)
		}
	}
	if since != "" && since != at.Commit {
		diff, err := g.Differences(ctx, repo, since, at.Commit)
		if err != nil {
			return nil, err
		}
		for _, c := range diff {
			if p, ok := d.own(c.Path); ok {
				d.Changed = append(d.Changed, p)
			}
		}
	}
	d.Changed = append(d.Changed, d.New...)
	slices.Sort(d.Changed)
	slices.Sort(d.New)
	d.Changed = slices.Compact(d.Changed)
	d.Rules = d.outerRules()
	return d, nil
}

// own returns a path of the repository as one of the project; false for one outside of it, and for ken's own files.
func (d *Differences) own(path string) (string, bool) {
	p, ok := strings.CutPrefix(path, d.below)
	return p, ok && p != "" && !strings.HasPrefix(p, ".ken/")
}

// status returns what is not committed, read with a copy of the index in which no file is marked as unchanged.
func (d *Differences) status(ctx context.Context) ([]plumbing.Changed, error) {
	dir, err := os.MkdirTemp("", scratchName)
	if err != nil {
		return nil, fmt.Errorf("compare the tree: %w", err)
	}
	defer os.RemoveAll(dir)
	index := filepath.Join(dir, "index")
	if err := copyFile(filepath.Join(d.repo.GitDir, "index"), index); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("compare the tree: %w", err)
	}
	g, cfg := d.git.WithIndex(index), git.ReadConfig(d.repo)
	if err := plumbing.UnhideChanges(ctx, g, d.repo, cfg.Bool("core.sparsecheckout")); err != nil {
		return nil, fmt.Errorf("compare the tree: %w", err)
	}
	return plumbing.Status(ctx, g, d.repo, cfg.ExcludesFile(d.repo), false)
}

// excludeFile is the file of rules in git's folder.
const excludeFile = "info/exclude"

// maxRules is the largest file of rules that is read, in bytes.
const maxRules = 1 << 20

// outerRules returns the fingerprint of the rules outside of the tree. A file that cannot be read counts as none.
func (d *Differences) outerRules() string {
	h := sha256.New()
	for _, file := range []string{filepath.Join(d.repo.CommonDir, excludeFile), git.ReadConfig(d.repo).ExcludesFile(d.repo)} {
		data, _ := statefile.ReadFollow(file, maxRules)
		fmt.Fprintf(h, "%s %d %s\n", file, len(data), data)
	}
	return hex.EncodeToString(h.Sum(nil)[:8])
}

// Ignored returns the files, and the folders, which end in "/", that git ignores because of rules that have changed: those of the files of
// Changed and, if outer is set, those outside of the tree. It fails if git does.
func (d *Differences) Ignored(ctx context.Context, outer bool) (out []string, err error) {
	rules := map[string]bool{}
	for _, p := range d.Changed {
		if path.Base(p) == ".gitignore" {
			rules[d.below+p] = true
		}
	}
	if len(rules) == 0 && !outer {
		return nil, nil
	}
	user := git.ReadConfig(d.repo).ExcludesFile(d.repo)
	list, err := plumbing.IgnoredPaths(ctx, d.git, d.repo, user)
	if err != nil {
		return nil, err
	}
	sources, err := plumbing.IgnoreSources(ctx, d.git, d.repo, user, list)
	if err != nil {
		return nil, err
	}
	for _, p := range list {
		own, ok := d.own(p)
		source := sources[p]
		isOuter := source == user || strings.HasSuffix(source, excludeFile)
		if ok && (rules[source] || outer && isOuter) {
			out = append(out, own)
		}
	}
	return out, nil
}

// Held returns those of some paths of a project, files or folders that end in "/", that a commit has or has something below. It fails as
// ChangedSince does.
func Held(ctx context.Context, g git.Git, root, commit string, paths []string) (out []string, err error) {
	repo, err := git.Find(root)
	if err != nil {
		return nil, err
	}
	below, err := filepath.Rel(repo.Root, root)
	if err != nil {
		return nil, err
	}
	has, err := plumbing.PathsOf(ctx, g, repo, commit)
	if err != nil {
		return nil, err
	}
	for _, p := range paths {
		full := path.Join(filepath.ToSlash(below), p)
		i, found := slices.BinarySearch(has, full)
		if found || i < len(has) && strings.HasPrefix(has[i], full+"/") {
			out = append(out, p)
		}
	}
	return out, nil
}

package git

import (
	"cmp"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// maxWorktrees is the maximal number of working trees that are read, because their list is a directory that anyone can fill.
const maxWorktrees = 256

// Worktrees returns the top directories of the other working trees of r's repository, the last used first, without starting
// git. It leaves out a path unless the tree there names the repository in turn.
func Worktrees(r *Repo) []string {
	var list []string
	if filepath.Base(r.CommonDir) == ".git" {
		list = append(list, filepath.Dir(r.CommonDir))
	}
	admin := filepath.Join(r.CommonDir, "worktrees")
	entries, _ := os.ReadDir(admin)
	for _, e := range entries[:min(len(entries), maxWorktrees)] {
		data, err := readSmall(filepath.Join(admin, e.Name(), "gitdir"))
		if err != nil {
			continue
		}
		to := strings.TrimRight(string(data), "\r\n")
		if !filepath.IsAbs(to) {
			to = filepath.Join(admin, e.Name(), to)
		}
		list = append(list, filepath.Dir(to))
	}
	list = slices.DeleteFunc(list, func(dir string) bool { return !r.sharesRepository(dir) })
	used := map[string]time.Time{}
	for _, dir := range list {
		if gitDir, ok := LocateGitDir(dir); ok {
			if st, err := os.Stat(filepath.Join(gitDir, "index")); err == nil {
				used[dir] = st.ModTime()
			}
		}
	}
	slices.SortStableFunc(list, func(a, b string) int { return cmp.Or(used[b].Compare(used[a]), strings.Compare(a, b)) })
	return slices.Compact(list)
}

// OwnsTree reports whether the repository confirms that r's working tree is its own: the repository lies in the tree, or
// lists it. Without that check anyone could write a file .git that names the repository of another user.
func (r *Repo) OwnsTree() bool {
	if r.GitDir == filepath.Join(r.Root, ".git") && r.CommonDir == r.GitDir {
		st, err := os.Lstat(r.GitDir)
		return err == nil && st.IsDir()
	}
	if !sameFile(filepath.Dir(r.GitDir), filepath.Join(r.CommonDir, "worktrees")) {
		return false
	}
	data, err := readSmall(filepath.Join(r.GitDir, "gitdir"))
	if err != nil {
		return false
	}
	to := strings.TrimRight(string(data), "\r\n")
	if !filepath.IsAbs(to) {
		to = filepath.Join(r.GitDir, to)
	}
	return sameFile(to, filepath.Join(r.Root, ".git"))
}

// OwnsTreeBy does the same as OwnsTree, and also accepts a working tree that the repository's settings name, as those of a submodule do.
func (r *Repo) OwnsTreeBy(cfg *Config) bool {
	to := cfg.Get("core.worktree")
	if to != "" && !filepath.IsAbs(to) {
		to = filepath.Join(r.GitDir, to)
	}
	return r.OwnsTree() || to != "" && sameFile(to, r.Root)
}

// sharesRepository reports whether dir is the top of another working tree of the repository.
func (r *Repo) sharesRepository(dir string) bool {
	gitDir, ok := LocateGitDir(dir)
	return ok && !sameFile(dir, r.Root) && sameFile(commonDir(gitDir), r.CommonDir)
}

func sameFile(a, b string) bool {
	x, err := os.Stat(a)
	if err != nil {
		return false
	}
	y, err := os.Stat(b)
	return err == nil && os.SameFile(x, y)
}

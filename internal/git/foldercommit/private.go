package foldercommit

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"ken/internal/git"
	"ken/internal/statefile"
)

// maxExclude is the largest info/exclude that is changed, in bytes.
const maxExclude = 1 << 20

// excludePattern returns the line of info/exclude that keeps a folder out of git.
func excludePattern(dir string) string {
	return "/" + strings.NewReplacer(`\`, `\\`, "*", `\*`, "?", `\?`, "[", `\[`, " ", `\ `).Replace(dir) + "/"
}

// Hide keeps a folder, relative to the top of the working tree, out of git by a line in info/exclude of the repository, which is never
// committed. It fails with ErrRefused if the repository does not name the working tree as its own or the file is a link, and if the file
// cannot be written.
func Hide(r *git.Repo, dir string) error {
	return changeExclude(r, func(lines []string) []string {
		if slices.Contains(lines, excludePattern(dir)) {
			return lines
		}
		return append(lines, excludePattern(dir))
	})
}

// Show takes the line that Hide wrote out again. It fails as Hide does.
func Show(r *git.Repo, dir string) error {
	return changeExclude(r, func(lines []string) []string {
		return slices.DeleteFunc(lines, func(l string) bool { return l == excludePattern(dir) })
	})
}

// isHidden reports whether Hide has kept a folder out of git.
func isHidden(r *git.Repo, dir string) bool {
	text, err := statefile.Read(filepath.Join(r.CommonDir, "info", "exclude"), maxExclude)
	return err == nil && slices.Contains(strings.Split(string(text), "\n"), excludePattern(dir))
}

func changeExclude(r *git.Repo, change func(lines []string) []string) error {
	if !r.OwnsTreeBy(git.ReadConfig(r)) {
		return refusedError("%s does not name this working tree as its own", r.GitDir)
	}
	info := filepath.Join(r.CommonDir, "info")
	if err := os.Mkdir(info, 0o777); err != nil && !errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("write info/exclude: %w", err)
	}
	if st, err := os.Lstat(info); err != nil || !st.IsDir() {
		return refusedError("%s is no folder", info)
	}
	path := filepath.Join(info, "exclude")
	text, err := statefile.Read(path, maxExclude)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("read info/exclude: %w", err)
	}
	lines := strings.Split(strings.TrimSuffix(string(text), "\n"), "\n")
	if len(text) == 0 {
		lines = nil
	}
	changed := change(slices.Clone(lines))
	if slices.Equal(lines, changed) {
		return nil
	}
	now := strings.Join(append(changed, ""), "\n")
	return statefile.Replace(path, []byte(now), statefile.Options{Perm: 0o644, Sync: true})
}

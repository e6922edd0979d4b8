package git

import (
	"os"
	"path/filepath"
)

// IsMerging reports whether a merge, rebase, cherry-pick, revert or bisection has begun in the work tree and not ended.
// Meanwhile files can appear and disappear that belong to neither side.
func (r *Repo) IsMerging() bool {
	for _, name := range [...]string{"MERGE_HEAD", "rebase-merge", "rebase-apply", "CHERRY_PICK_HEAD", "REVERT_HEAD", "BISECT_LOG"} {
		if _, err := os.Lstat(filepath.Join(r.GitDir, name)); err == nil {
			return true
		}
	}
	return false
}

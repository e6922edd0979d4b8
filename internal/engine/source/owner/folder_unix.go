//go:build unix

package owner

import (
	"fmt"
	"os"
	"syscall"
)

// recordName returns the name of a folder's record, which stays the same when the tree is
// moved or its disk is mounted elsewhere, and differs for a copy. It fails if dir is no directory.
func recordName(dir string) (string, error) {
	st, err := os.Lstat(dir)
	if err != nil {
		return "", err
	}
	sys, ok := st.Sys().(*syscall.Stat_t)
	if !ok || !st.IsDir() {
		return "", fmt.Errorf("%s: %w", dir, errNotFolder)
	}
	return fmt.Sprintf("%d-%d", sys.Ino, sys.Uid), nil
}

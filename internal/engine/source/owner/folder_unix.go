//go:build unix

package owner

import (
	"fmt"
	"io/fs"
	"os"
	"syscall"
)

// recordName names the record of a folder: what stays the same when the tree is
// moved or its disk is mounted elsewhere, and is another for a copy.
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

// isOwn reports whether a file belongs to the user ken runs as.
func isOwn(st fs.FileInfo) bool {
	sys, ok := st.Sys().(*syscall.Stat_t)
	return ok && int(sys.Uid) == os.Geteuid()
}

// isPrivate reports whether a file belongs to the user and nobody else can use it.
func isPrivate(st fs.FileInfo) bool { return isOwn(st) && st.Mode().Perm()&0o077 == 0 }

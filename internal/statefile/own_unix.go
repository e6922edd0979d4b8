//go:build unix

package statefile

import (
	"io/fs"
	"os"
	"syscall"
)

// IsOwn reports whether a file belongs to the user that ken runs as.
func IsOwn(st fs.FileInfo) bool {
	sys, ok := st.Sys().(*syscall.Stat_t)
	return ok && int(sys.Uid) == os.Geteuid()
}

// IsPrivate reports whether a file belongs to the user and no other user can access it.
func IsPrivate(st fs.FileInfo) bool { return IsOwn(st) && st.Mode().Perm()&0o077 == 0 }

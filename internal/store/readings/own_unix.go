//go:build unix

package readings

import (
	"io/fs"
	"os"
	"syscall"
)

// isOwn reports whether a directory belongs to the user ken runs as.
func isOwn(st fs.FileInfo) bool {
	sys, ok := st.Sys().(*syscall.Stat_t)
	return ok && int(sys.Uid) == os.Geteuid()
}

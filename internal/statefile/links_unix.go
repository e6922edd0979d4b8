//go:build unix

package statefile

import (
	"io/fs"
	"syscall"
)

// HasOtherNames reports whether a regular file has more than one name, so that a change by one of them is a change of all.
func HasOtherNames(st fs.FileInfo) bool {
	sys, ok := st.Sys().(*syscall.Stat_t)
	return ok && st.Mode().IsRegular() && sys.Nlink > 1
}

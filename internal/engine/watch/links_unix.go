//go:build unix

package watch

import (
	"os"
	"path/filepath"
	"syscall"
)

// HardLinked returns those of the files (relative to root) that have more than one name: a change through another name is
// not notified.
func HardLinked(root string, files []string) (out []string) {
	for _, p := range files {
		st, err := os.Lstat(filepath.Join(root, filepath.FromSlash(p)))
		if err != nil || !st.Mode().IsRegular() {
			continue
		}
		if sys, ok := st.Sys().(*syscall.Stat_t); ok && sys.Nlink > 1 {
			out = append(out, p)
		}
	}
	return out
}

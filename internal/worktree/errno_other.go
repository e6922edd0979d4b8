//go:build !unix

package worktree

func isNotFolder(error) bool { return false }

// isOtherDisk would report whether an error means that two paths are on different disks. Here it always returns true, because errors on
// these systems do not show that, and trying a copy does no harm.
func isOtherDisk(error) bool { return true }

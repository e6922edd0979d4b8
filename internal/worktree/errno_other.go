//go:build !unix

package worktree

func isNotFolder(error) bool { return false }

// isOtherDisk is always worth the try where errors do not say so.
func isOtherDisk(error) bool { return true }

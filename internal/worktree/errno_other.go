//go:build !unix

package worktree

func isNotFolder(error) bool { return false }

// isOtherDisk returns true, because here errors do not show the reason and a copy is worth a try.
func isOtherDisk(error) bool { return true }

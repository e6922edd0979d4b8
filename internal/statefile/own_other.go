//go:build !unix

package statefile

import "io/fs"

// IsOwn and IsPrivate always return true here, because modes of files have no meaning on these systems; the permissions of the user's
// profile protect the files.
func IsOwn(fs.FileInfo) bool { return true }

func IsPrivate(fs.FileInfo) bool { return true }

//go:build !unix

package statefile

import "io/fs"

// HasOtherNames reports whether a regular file has more than one name, so that a change by one of them is a change of all. Elsewhere than
// on Unix a look at a file does not tell, and it returns false.
func HasOtherNames(fs.FileInfo) bool { return false }

// Package nofollow opens and stats files below one directory without following
// a symbolic link in any element of a path, because a link in a repository could lead
// anywhere. Paths are relative to that directory and separated by '/'. Package
// scan reads contents through it, scan/list directories.
package nofollow

import "strings"

// Kind is the type of a file.
type Kind uint8

// The types of files. Special are devices, sockets and pipes.
const (
	Missing Kind = iota
	Regular
	Directory
	Link
	Special
)

// Inside reports whether path names a file below the root, without "." and "..".
func Inside(path string) bool {
	if path == "" || path[0] == '/' || strings.IndexByte(path, 0) >= 0 {
		return false
	}
	for seg := range strings.SplitSeq(path, "/") {
		if seg == "" || seg == "." || seg == ".." {
			return false
		}
	}
	return true
}

// Join returns the path of a name in a directory; "" is the root.
func Join(dir, name string) string {
	if dir == "" {
		return name
	}
	return dir + "/" + name
}

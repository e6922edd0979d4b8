package code

import (
	"path"
	"strings"
)

// Dir returns the directory of a path, "" for the root.
func Dir(path string) string {
	if i := strings.LastIndexByte(path, '/'); i >= 0 {
		return path[:i]
	}
	return ""
}

// LastSegment returns the last segment of a dotted name: "Inner" of "Outer.Inner".
func LastSegment(dotted string) string {
	if i := strings.LastIndexByte(dotted, '.'); i >= 0 {
		return dotted[i+1:]
	}
	return dotted
}

// IsBelow reports whether a path has the form of those in the index, relative to the root
// and below it: no element is empty, "." or "..", and it has no NUL byte.
func IsBelow(path string) bool {
	if path == "" || path[0] == '/' || strings.IndexByte(path, 0) >= 0 {
		return false
	}
	// Most paths have no element that begins with a dot, and need no check of each element.
	if path[0] != '.' && path[len(path)-1] != '/' && !strings.Contains(path, "/.") && !strings.Contains(path, "//") {
		return true
	}
	for element := range strings.SplitSeq(path, "/") {
		if element == "" || element == "." || element == ".." {
			return false
		}
	}
	return true
}

// IsUnder reports whether a path is one of roots or below one, or there are no roots.
func IsUnder(p string, roots []string) bool {
	for _, r := range roots {
		r = path.Clean(r)
		if r == "." || p == r || strings.HasPrefix(p, r+"/") {
			return true
		}
	}
	return len(roots) == 0
}

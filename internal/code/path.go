package code

import "strings"

// Dir is the directory of a path, "" for the root.
func Dir(path string) string {
	if i := strings.LastIndexByte(path, '/'); i >= 0 {
		return path[:i]
	}
	return ""
}

// LastSegment is the last segment of a dotted name: "Inner" of "Outer.Inner".
func LastSegment(dotted string) string {
	if i := strings.LastIndexByte(dotted, '.'); i >= 0 {
		return dotted[i+1:]
	}
	return dotted
}

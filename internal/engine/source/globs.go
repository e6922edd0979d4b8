package source

import (
	"strings"

	"ken/internal/engine/source/scan/ignore"
)

// Globs are patterns as in a .gitignore file at the root. They are immutable.
type Globs struct{ list *ignore.List }

// NewGlobs returns the Globs of patterns. A pattern that is invalid for git matches no path.
func NewGlobs(patterns []string) *Globs {
	return &Globs{ignore.Parse("", []byte(strings.Join(patterns, "\n")), false)}
}

// Match reports whether the patterns select a path: the last pattern that matches the
// path, or a directory above it, is one without "!".
func (g *Globs) Match(path string) bool {
	matched := false
	for base, end := 0, 0; base <= len(path); base = end + 1 {
		isDir := true
		if end = strings.IndexByte(path[base:], '/'); end < 0 {
			end, isDir = len(path), false
		} else {
			end += base
		}
		switch g.list.Match(path[:end], base, isDir) {
		case ignore.Ignored:
			matched = true
		case ignore.Included:
			matched = false
		}
	}
	return matched
}

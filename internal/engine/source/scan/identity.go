package scan

import (
	"os"
	"path/filepath"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"ken/internal/engine/source/scan/nofollow"
)

// Path identity is decided only here: inside ken a path is the bytes
// of the directory's entry, and two paths are the same file if their bytes are equal.
// Canonical converts other spellings by users, agents and git (SRC/App.ts on a file system
// that ignores case, é as one character or two on one that normalises) to those bytes,
// once, when they come in.

// Canonical returns the path in the spelling of the tree's directories, for a path that names an
// existing file in another spelling. It returns other paths unchanged. On file systems where
// case and form count it costs a stat for each element.
func (s *Scanner) Canonical(path string) string {
	return canonicalPath(path, diskNames{s.root})
}

// fileNames is the part of a file system that spelling needs.
type fileNames interface {
	exists(path string) bool
	list(dir string) []string
	same(a, b string) bool // whether both name one file
}

func canonicalPath(path string, fs fileNames) string {
	if !nofollow.Inside(path) {
		return path
	}
	done := ""
	rest := path
	for rest != "" {
		elem, after, _ := strings.Cut(rest, "/")
		if !fs.exists(nofollow.Join(done, elem)) {
			return nofollow.Join(done, rest)
		}
		done = nofollow.Join(done, diskSpelling(done, elem, fs))
		rest = after
	}
	return done
}

// diskSpelling returns the name in the directory dir that is elem in another spelling; elem exists.
func diskSpelling(dir, elem string, fs fileNames) string {
	other := swapCase(elem)
	if isASCII(elem) && (other == elem || !fs.exists(nofollow.Join(dir, other))) {
		return elem // case counts here
	}
	found := elem
	for _, name := range fs.list(dir) {
		if name == elem {
			return elem
		}
		if strings.EqualFold(norm.NFC.String(name), norm.NFC.String(elem)) && fs.same(nofollow.Join(dir, name), nofollow.Join(dir, elem)) {
			found = name
		}
	}
	return found
}

func isASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= 0x80 {
			return false
		}
	}
	return true
}

func swapCase(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsUpper(r) {
			return unicode.ToLower(r)
		}
		return unicode.ToUpper(r)
	}, s)
}

// diskNames implements names for a directory on disk.
type diskNames struct{ root string }

func (d diskNames) pathAt(path string) string { return filepath.Join(d.root, filepath.FromSlash(path)) }

func (d diskNames) exists(path string) bool {
	_, err := os.Lstat(d.pathAt(path))
	return err == nil
}

func (d diskNames) list(dir string) []string {
	entries, _ := os.ReadDir(d.pathAt(dir))
	out := make([]string, len(entries))
	for i, e := range entries {
		out[i] = e.Name()
	}
	return out
}

func (d diskNames) same(a, b string) bool {
	x, err := os.Lstat(d.pathAt(a))
	if err != nil {
		return false
	}
	y, err := os.Lstat(d.pathAt(b))
	return err == nil && os.SameFile(x, y)
}

// Package content binds what was read of files in a guarded task to their contents, so that a line that has changed since has to be read
// again. Its parent decides what counts as read.
package content

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"hash/fnv"
	"io/fs"
	"path/filepath"
	"strings"

	"ken/internal/knowledge/task"
	"ken/internal/statefile"
)

// maxMarked is the number of lines up to which the lines of a file are marked.
const maxMarked = 20_000

// file is the content of a file, by its hash, and the marks of its lines.
type file struct {
	hash  string
	marks []string
}

// readContent reads a file below root; false if it cannot be read. The mark of a line is a hash of it and of the lines beside it, so that a
// line that moved keeps its mark and one that is alike elsewhere has another.
func readContent(root, path string) (c file, ok bool) {
	data, err := statefile.ReadFollow(filepath.Join(root, filepath.FromSlash(path)), MaxFile)
	if err != nil {
		return c, false
	}
	sum := sha256.Sum256(data)
	c.hash = hex.EncodeToString(sum[:])
	lines := strings.Split(strings.TrimSuffix(string(data), "\n"), "\n")
	if len(lines) > maxMarked {
		return c, true
	}
	at := func(i int) string {
		if i < 0 || i >= len(lines) {
			return ""
		}
		return strings.TrimSuffix(lines[i], "\r")
	}
	for i := range lines {
		h := fnv.New32a()
		h.Write([]byte(at(i-1) + "\n" + at(i) + "\n" + at(i+1)))
		c.marks = append(c.marks, string(h.Sum(nil)))
	}
	return c, true
}

// BindLooks binds looks that showed text to the content of their files: the file as it is now, and each line that was shown.
func BindLooks(root string, looks []task.ReadPart) {
	read := map[string]*file{}
	for i := range looks {
		l := &looks[i]
		if l.Depth < task.Read || l.Path == "" {
			continue
		}
		c := read[l.Path]
		if c == nil {
			c = &file{}
			if now, ok := readContent(root, l.Path); ok {
				c = &now
			}
			read[l.Path] = c
		}
		first, last := max(l.First, 1), l.Last
		if l.First == 0 {
			last = len(c.marks)
		}
		l.Hash = c.hash
		if first <= last {
			l.Marks = strings.Join(c.marks[min(first-1, len(c.marks)):min(last, len(c.marks))], "")
		}
	}
}

// markSize is the length of a mark, in bytes.
const markSize = 4

// FreshLooks returns looks as they are of the files now: of a file that has changed since, the lines that are still as they were shown.
// hash returns the hash of a file's content; false for a file that is not known, whose looks stay as they are.
func FreshLooks(root string, looks []task.ReadPart, hash func(path string) (string, bool)) (out []task.ReadPart) {
	read := map[string]*file{}
	for _, l := range looks {
		now, known := "", false
		if l.Depth >= task.Read && l.Path != "" {
			now, known = hash(l.Path)
		}
		if !known || now == l.Hash {
			out = append(out, l)
			continue
		}
		c := read[l.Path]
		if c == nil {
			c = &file{}
			if now, ok := readContent(root, l.Path); ok {
				c = &now
			}
			read[l.Path] = c
		}
		out = append(out, stillShown(l, c)...)
	}
	return out
}

// stillShown returns the lines of a file that a look showed and that are as they were, wherever they are now.
func stillShown(l task.ReadPart, c *file) (out []task.ReadPart) {
	shown := map[string]bool{}
	for i := 0; i+markSize <= len(l.Marks); i += markSize {
		shown[l.Marks[i:i+markSize]] = true
	}
	for i := 0; i < len(c.marks); i++ {
		first := i
		for i < len(c.marks) && shown[c.marks[i]] {
			i++
		}
		if i > first {
			part := l
			part.First, part.Last = first+1, i
			out = append(out, part)
		}
	}
	return out
}

// noFile is the fingerprint of a file that is not there, such as one that will be made.
const noFile = "none"

// Fingerprint returns the hash of a file's content, noFile if there is none, or "" if it is outside of root, cannot be read or is
// larger than MaxFile.
func Fingerprint(root, path string) string {
	if !filepath.IsLocal(filepath.FromSlash(path)) {
		return ""
	}
	data, err := statefile.ReadFollow(filepath.Join(root, filepath.FromSlash(path)), MaxFile)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return noFile
	case err != nil:
		return ""
	}
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

// MaxFile is the largest file, in bytes, that is hashed to see whether it was modified as promised.
const MaxFile = 16 << 20

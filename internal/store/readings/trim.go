package readings

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// foundSegment is a segment file that was found on disk.
type foundSegment struct {
	path string
	size int64
	used time.Time
}

// listSegments returns the segments in a directory, the least recently used first. It deletes the files of writers that were
// killed.
func listSegments(dir string) []foundSegment {
	entries, _ := os.ReadDir(dir)
	var list []foundSegment
	for _, e := range entries {
		st, err := e.Info()
		if err != nil || !st.Mode().IsRegular() {
			continue
		}
		path := filepath.Join(dir, e.Name())
		switch {
		case strings.HasSuffix(e.Name(), suffix):
			list = append(list, foundSegment{path, st.Size(), st.ModTime()})
		case strings.HasPrefix(e.Name(), unfinished) && time.Since(st.ModTime()) > abandoned:
			os.Remove(path)
		}
	}
	slices.SortFunc(list, compareUse)
	return list
}

func compareUse(a, b foundSegment) int {
	if c := a.used.Compare(b.used); c != 0 {
		return c
	}
	return strings.Compare(a.path, b.path)
}

// deleteLeastUsed deletes the least recently used segments: those of dir while it has too
// many, and those of all directories while they are too large together.
func (c *Cache) deleteLeastUsed(dir string) {
	list := listSegments(dir)
	for len(list) > maxSegments {
		os.Remove(list[0].path)
		list = list[1:]
	}
	dirs, _ := os.ReadDir(c.dir)
	var all []foundSegment
	var size int64
	for _, d := range dirs {
		if d.IsDir() {
			all = append(all, listSegments(filepath.Join(c.dir, d.Name()))...)
		}
	}
	for _, s := range all {
		size += s.size
	}
	slices.SortFunc(all, compareUse)
	for _, s := range all {
		if size <= c.maxSize {
			return
		}
		if os.Remove(s.path) == nil {
			size -= s.size
		}
		os.Remove(filepath.Dir(s.path)) // if it is empty now
	}
}

package readings

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// found is a segment file that was found on disk.
type found struct {
	path string
	size int64
	used time.Time
}

// segments returns the segments in a directory, the least recently used first. It deletes the files of writers that were
// killed.
func segments(dir string) []found {
	entries, _ := os.ReadDir(dir)
	var list []found
	for _, e := range entries {
		st, err := e.Info()
		if err != nil || !st.Mode().IsRegular() {
			continue
		}
		path := filepath.Join(dir, e.Name())
		switch {
		case strings.HasSuffix(e.Name(), suffix):
			list = append(list, found{path, st.Size(), st.ModTime()})
		case strings.HasPrefix(e.Name(), unfinished) && time.Since(st.ModTime()) > abandoned:
			os.Remove(path)
		}
	}
	slices.SortFunc(list, byUse)
	return list
}

func byUse(a, b found) int {
	if c := a.used.Compare(b.used); c != 0 {
		return c
	}
	return strings.Compare(a.path, b.path)
}

// trim deletes the least recently used segments: those of dir while it has too
// many, and those of all directories while they are too large together.
func (c *Cache) trim(dir string) {
	list := segments(dir)
	for len(list) > maxSegments {
		os.Remove(list[0].path)
		list = list[1:]
	}
	dirs, _ := os.ReadDir(c.dir)
	var all []found
	var size int64
	for _, d := range dirs {
		if d.IsDir() {
			all = append(all, segments(filepath.Join(c.dir, d.Name()))...)
		}
	}
	for _, s := range all {
		size += s.size
	}
	slices.SortFunc(all, byUse)
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

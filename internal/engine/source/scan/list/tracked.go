package list

import (
	"crypto/sha256"
	"encoding/binary"
	"slices"
	"sort"
	"strings"

	"ken/internal/code"
	"ken/internal/git"
)

// trackedPaths is git's index as far as listing needs it: paths relative to the top
// of the working tree, sorted. It is immutable.
type trackedPaths struct {
	list []git.Tracked
	// With core.ignorecase, paths on disk match entries of other case.
	folded map[string]int
	dirs   map[string]bool
}

func newTrackedPaths(list []git.Tracked, fold bool) *trackedPaths {
	byPath := func(a, b git.Tracked) int { return strings.Compare(a.Path, b.Path) }
	if !slices.IsSortedFunc(list, byPath) {
		slices.SortFunc(list, byPath)
	}
	t := &trackedPaths{list: list}
	if !fold {
		return t
	}
	t.folded, t.dirs = make(map[string]int, len(list)), make(map[string]bool)
	for i, e := range list {
		key := foldPath(e.Path)
		t.folded[key] = i
		for d := code.Dir(key); d != "" && !t.dirs[d]; d = code.Dir(d) {
			t.dirs[d] = true
		}
	}
	return t
}

// foldPath returns the path with ASCII letters in lower case, as git's name hash has it.
func foldPath(p string) string {
	b := []byte(p)
	for i, c := range b {
		if c >= 'A' && c <= 'Z' {
			b[i] = c + 'a' - 'A'
		}
	}
	return string(b)
}

// findTracked returns the entry of a path among the entries [lo, hi), and reports whether there is one.
func (t *trackedPaths) findTracked(path string, lo, hi int) (git.Tracked, bool) {
	if t.folded != nil {
		if i, ok := t.folded[foldPath(path)]; ok {
			return t.list[i], true
		}
		return git.Tracked{}, false
	}
	i := lo + sort.Search(hi-lo, func(i int) bool { return t.list[lo+i].Path >= path })
	if i < hi && t.list[i].Path == path {
		return t.list[i], true
	}
	return git.Tracked{}, false
}

// rangeBelow returns the range of the entries in directory dir, which ends in '/'.
func (t *trackedPaths) rangeBelow(dir string, lo, hi int) (int, int) {
	if dir == "" || t.folded != nil {
		return 0, len(t.list)
	}
	from := lo + sort.Search(hi-lo, func(i int) bool { return t.list[lo+i].Path >= dir })
	to := from + sort.Search(hi-from, func(i int) bool { return !strings.HasPrefix(t.list[from+i].Path, dir) })
	return from, to
}

// hasEntryBelow reports whether directory dir, whose range is [lo, hi), has an entry.
func (t *trackedPaths) hasEntryBelow(dir string, lo, hi int) bool {
	if t.folded != nil {
		return t.dirs[strings.TrimSuffix(foldPath(dir), "/")]
	}
	return lo < hi
}

// pathsHash returns a hash that changes when a path becomes tracked or untracked, or a submodule.
// The stats that git refreshes in its index all the time are not part of it.
func (t *trackedPaths) pathsHash() (sum [32]byte) {
	h := sha256.New()
	buf := make([]byte, 0, 32<<10)
	for _, e := range t.list {
		if buf = append(append(buf, e.Path...), 0, byte(e.Mode>>12)); len(buf) > 31<<10 {
			h.Write(buf)
			buf = buf[:0]
		}
	}
	h.Write(binary.BigEndian.AppendUint64(buf, uint64(len(t.list))))
	h.Sum(sum[:0])
	return sum
}

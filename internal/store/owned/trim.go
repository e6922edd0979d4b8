package owned

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"ken/internal/store/filelock"
)

// maxBeside is the maximal number of indexes beside index.db. A container that is made again each day would otherwise leave one a day.
const maxBeside = 2

// dropOldest deletes, while there are too many, the index beside index.db that was not written for longest, with its salt
// and vectors. It keeps the index made and one that is being written. It keeps the memory databases, because they cannot
// be computed again.
func dropOldest(dir, made string) {
	type beside struct {
		path string
		used time.Time
	}
	var list []beside
	entries, _ := os.ReadDir(dir)
	for _, e := range entries {
		path := filepath.Join(dir, e.Name())
		if indexID(e.Name()) == "" || path == made || !e.Type().IsRegular() {
			continue
		}
		list = append(list, beside{path, lastUse(path)})
	}
	slices.SortFunc(list, func(a, b beside) int { return a.used.Compare(b.used) })
	for len(list) >= maxBeside {
		if !filelock.Held(list[0].path + ".lock") {
			deleteIndex(dir, indexID(filepath.Base(list[0].path)))
		}
		list = list[1:]
	}
}

// indexID returns the part ID of a file name index-ID.db, or "" for another name.
func indexID(name string) string {
	id, ok := strings.CutPrefix(name, "index-")
	if !ok {
		return ""
	}
	id, ok = strings.CutSuffix(id, ".db")
	if !ok {
		return ""
	}
	return id
}

// lastUse returns the time of the last write to an index or its log.
func lastUse(path string) (at time.Time) {
	for _, suffix := range sideFiles {
		if st, err := os.Lstat(path + suffix); err == nil && st.ModTime().After(at) {
			at = st.ModTime()
		}
	}
	return at
}

// deleteIndex deletes those files of an index's id that can be computed again.
func deleteIndex(dir, id string) {
	for _, what := range []string{"index-" + id + ".db", "vectors-" + id + ".db"} {
		for _, suffix := range append(slices.Clone(sideFiles), ".lock", ".watch", ".new") {
			os.Remove(filepath.Join(dir, what+suffix))
		}
	}
	os.Remove(filepath.Join(dir, "salt-"+id))
}

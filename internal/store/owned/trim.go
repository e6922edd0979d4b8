package owned

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"ken/internal/store/filelock"
)

// maxBeside is how many indexes there are beside index.db at most. A container that
// is made anew each day would otherwise leave one a day.
const maxBeside = 2

// dropOldest deletes the indexes beside index.db that were not written for longest,
// with their salts and vectors, while there are too many. The one that was made now
// stays, and so does one that somebody writes at the moment. Memory is not touched,
// because nobody could make it again.
func dropOldest(dir, made string) {
	type beside struct {
		path string
		used time.Time
	}
	var list []beside
	entries, _ := os.ReadDir(dir)
	for _, e := range entries {
		path := filepath.Join(dir, e.Name())
		if idOf(e.Name()) == "" || path == made || !e.Type().IsRegular() {
			continue
		}
		list = append(list, beside{path, lastUse(path)})
	}
	slices.SortFunc(list, func(a, b beside) int { return a.used.Compare(b.used) })
	for len(list) >= maxBeside {
		if !filelock.Held(list[0].path + ".lock") {
			drop(dir, idOf(filepath.Base(list[0].path)))
		}
		list = list[1:]
	}
}

// idOf is ID of the name index-ID.db, "" if it is another name.
func idOf(name string) string {
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

// lastUse is when an index or its log was written last.
func lastUse(path string) (at time.Time) {
	for _, suffix := range sideFiles {
		if st, err := os.Lstat(path + suffix); err == nil && st.ModTime().After(at) {
			at = st.ModTime()
		}
	}
	return at
}

// drop deletes what belongs to an id and can be made again.
func drop(dir, id string) {
	for _, what := range []string{"index-" + id + ".db", "vectors-" + id + ".db"} {
		for _, suffix := range append(slices.Clone(sideFiles), ".lock", ".watch", ".new") {
			os.Remove(filepath.Join(dir, what+suffix))
		}
	}
	os.Remove(filepath.Join(dir, "salt-"+id))
}

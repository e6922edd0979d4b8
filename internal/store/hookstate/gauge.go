// Package hookstate keeps small facts that hooks read and write at every event of an agent's runtime: how full the context of a
// session is, when events came last, and which guarded task a session works on. Each fact has a small file in the user's state
// directory, because opening a database takes too long for a hook, and because the facts stay known when the memory of a project
// cannot be read. store/spool keeps what hooks record for the memory; delivery/agentevent asks.
package hookstate

import (
	"os"
	"path/filepath"
	"time"

	"ken/internal/knowledge/session"
	"ken/internal/statefile"
)

// Gauge stores one reading for each session: how much of its context is left, as the status line of its agent program reports it,
// and whether the agent was warned. The readings are files in Dir; if Dir is "", nothing is stored.
type Gauge struct{ Dir string }

// Limits of the directory, because sessions that have ended leave their files.
const (
	maxReadings = 200
	maxReading  = 4 << 10
)

func (g Gauge) file(id string) statefile.JSON[session.Reading] {
	return statefile.JSON[session.Reading]{Path: filepath.Join(g.Dir, statefile.Name(id)+".json"), Max: maxReading}
}

// Get returns the reading of a session; false if there is none.
func (g Gauge) Get(id string) (r session.Reading, ok bool) {
	if g.Dir == "" || id == "" {
		return r, false
	}
	return g.file(id).Get()
}

// Put replaces the reading of a session. It does nothing without a folder or a session. It fails if the file cannot be
// written.
func (g Gauge) Put(id string, r session.Reading) error {
	if g.Dir == "" || id == "" {
		return nil
	}
	f := g.file(id)
	if _, err := os.Lstat(f.Path); err != nil {
		g.deleteOldReadings()
	}
	return f.Put(r)
}

// deleteOldReadings deletes the readings that are older than a day if there are too many.
func (g Gauge) deleteOldReadings() {
	list, err := os.ReadDir(g.Dir)
	if err != nil || len(list) < maxReadings {
		return
	}
	old := time.Now().Add(-24 * time.Hour)
	for _, e := range list {
		if st, err := e.Info(); err == nil && st.ModTime().Before(old) {
			os.Remove(filepath.Join(g.Dir, e.Name()))
		}
	}
}

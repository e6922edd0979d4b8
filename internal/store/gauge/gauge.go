// Package gauge keeps how much of its context each session has left, as the status line of
// its runtime says, and what the agent was warned of. Each session has a small file in a
// directory of the user's, because hooks read it at every use of a tool and must not open a
// database for that. Its neighbour is delivery/agentevent, which warns.
package gauge

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"time"

	"ken/internal/knowledge/session"
)

// Gauge is a directory of readings; "" keeps none.
type Gauge struct{ Dir string }

// Limits of the directory. Sessions that are over leave their files.
const (
	maxFiles = 200
	maxSize  = 4 << 10
)

func (g Gauge) path(id string) string {
	sum := sha256.Sum256([]byte(id))
	return filepath.Join(g.Dir, hex.EncodeToString(sum[:12])+".json")
}

// Get is the reading of a session; false if there is none.
func (g Gauge) Get(id string) (r session.Reading, ok bool) {
	if g.Dir == "" || id == "" {
		return r, false
	}
	p := g.path(id)
	st, err := os.Lstat(p)
	if err != nil || !st.Mode().IsRegular() || st.Size() > maxSize {
		return r, false
	}
	b, err := os.ReadFile(p)
	return r, err == nil && json.Unmarshal(b, &r) == nil
}

// Put keeps the reading of a session.
func (g Gauge) Put(id string, r session.Reading) error {
	if g.Dir == "" || id == "" {
		return nil
	}
	if err := os.MkdirAll(g.Dir, 0o700); err != nil {
		return err
	}
	b, err := json.Marshal(r)
	if err != nil {
		return err
	}
	p := g.path(id)
	if _, err := os.Lstat(p); err != nil {
		g.trim()
	}
	f, err := os.CreateTemp(g.Dir, "new-*") // renamed, so that a hook never reads half of it
	if err != nil {
		return err
	}
	defer os.Remove(f.Name())
	_, err = f.Write(b)
	if err = errors.Join(err, f.Close()); err != nil {
		return err
	}
	return os.Rename(f.Name(), p)
}

// trim deletes files while there are too many, the oldest first as the directory lists them.
func (g Gauge) trim() {
	list, err := os.ReadDir(g.Dir)
	if err != nil || len(list) < maxFiles {
		return
	}
	old := time.Now().Add(-24 * time.Hour)
	for _, e := range list {
		if st, err := e.Info(); err == nil && st.ModTime().Before(old) {
			os.Remove(filepath.Join(g.Dir, e.Name()))
		}
	}
}

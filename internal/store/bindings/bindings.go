// Package bindings keeps which session of an agent works on which guarded task. Each binding is a small file in a directory of
// the user's, because hooks look for one at every use of a tool and must not open a database for that, and because a session
// stays known as bound when the memory of its project cannot be read. Its neighbour is store/gauge, which is kept as cheaply;
// delivery/agentevent asks.
package bindings

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// Bindings are those of one project.
type Bindings struct{ dir string }

// New are the bindings of the project at root, kept below a directory; "" keeps none.
func New(dir, root string) Bindings {
	if dir == "" {
		return Bindings{}
	}
	return Bindings{filepath.Join(dir, name(root))}
}

// Limits of what is kept.
const (
	maxTask = 64 // of the id of a task, in bytes
	kept    = 30 * 24 * time.Hour
	whole   = "session" // the file of a session as a whole; those of agents are named by a hash
)

// errNone says that no binding can be kept.
var errNone = errors.New("there is no directory to keep it in")

func name(s string) string {
	sum := sha256.Sum256([]byte(s))
	return hex.EncodeToString(sum[:12])
}

func (b Bindings) session(id string) string { return filepath.Join(b.dir, name(id)) }

func agentFile(agent string) string {
	if agent == "" {
		return whole
	}
	return name(agent)
}

// Task is the task that an agent of a session is bound to: its own, else that of the session.
func (b Bindings) Task(session, agent string) (id string, ok bool) {
	if b.dir == "" || session == "" {
		return "", false
	}
	dir := b.session(session)
	if agent != "" {
		if id, ok := read(filepath.Join(dir, agentFile(agent))); ok {
			return id, true
		}
	}
	return read(filepath.Join(dir, whole))
}

func read(path string) (string, bool) {
	st, err := os.Lstat(path)
	if err != nil || !st.Mode().IsRegular() || st.Size() > maxTask {
		return "", false
	}
	text, err := os.ReadFile(path)
	id := strings.TrimSpace(string(text))
	return id, err == nil && id != ""
}

// Bind binds an agent of a session to a task; "" is the main one. What is bound first binds the session, and with it all
// agents that start no task of their own.
func (b Bindings) Bind(session, agent, task string) error {
	if b.dir == "" || session == "" || task == "" || len(task) > maxTask {
		return errNone
	}
	dir := b.session(session)
	if _, err := os.Lstat(dir); err != nil {
		b.trim()
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	files := []string{agentFile(agent)}
	if _, bound := b.Task(session, ""); !bound && agent != "" {
		files = append(files, whole)
	}
	for _, f := range files {
		if err := write(dir, filepath.Join(dir, f), task); err != nil {
			return err
		}
	}
	return nil
}

// write replaces a file, so that a hook never reads half of it.
func write(dir, path, text string) error {
	f, err := os.CreateTemp(dir, "new-*")
	if err != nil {
		return err
	}
	defer os.Remove(f.Name())
	_, err = f.WriteString(text)
	if err = errors.Join(err, f.Close()); err != nil {
		return err
	}
	return os.Rename(f.Name(), path)
}

// Free ends what binds a session to a task. An agent whose own task has ended goes on with that of the session.
func (b Bindings) Free(session, task string) error {
	if b.dir == "" || session == "" {
		return nil
	}
	dir := b.session(session)
	list, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	for _, e := range list {
		path := filepath.Join(dir, e.Name())
		if id, ok := read(path); ok && id == task {
			err = errors.Join(err, os.Remove(path))
		}
	}
	return err
}

// Used reports whether a session was bound lately.
func (b Bindings) Used(now time.Time) bool {
	if b.dir == "" {
		return false
	}
	st, err := os.Lstat(b.dir)
	return err == nil && st.IsDir() && now.Sub(st.ModTime()) < kept
}

// trim deletes what sessions that are long over have left.
func (b Bindings) trim() {
	list, err := os.ReadDir(b.dir)
	if err != nil {
		return
	}
	for _, e := range list {
		if st, err := e.Info(); err == nil && time.Since(st.ModTime()) > kept {
			os.RemoveAll(filepath.Join(b.dir, e.Name()))
		}
	}
}

package hookstate

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"ken/internal/statefile"
)

// Bindings record which session of an agent works on which guarded task of a project, and how strict each open task is (opentasks.go).
// For each session there is a folder with a file for the session and one for each agent that has a separate task.
type Bindings struct{ dir, tasks, key string }

// NewBindings returns the bindings of the project at root, which are stored below state, the user's state directory.
func NewBindings(state, root string) Bindings { return bindingsIn(state, statefile.Name(root)) }

func bindingsIn(state, name string) Bindings {
	return Bindings{filepath.Join(state, "bound", name), filepath.Join(state, "tasks", name), filepath.Join(state, "key")}
}

// Limits of the directory.
const (
	maxTask      = 64 // of the id of a task, in bytes
	keptBindings = 30 * 24 * time.Hour
)

// sessionFile is the name of the file of a session as a whole; the files of its agents are named by a hash.
const sessionFile = "session"

var errNoBinding = errors.New("a session or a task without a usable id cannot be bound")

func (b Bindings) sessionDir(id string) string { return filepath.Join(b.dir, statefile.Name(id)) }

func agentFile(agent string) string {
	if agent == "" {
		return sessionFile
	}
	return statefile.Name(agent)
}

// Task returns the task to which an agent of a session is bound: its own, else that of the session. It returns false if there is none.
func (b Bindings) Task(session, agent string) (id string, ok bool) {
	if session == "" {
		return "", false
	}
	dir := b.sessionDir(session)
	if agent != "" {
		if id, ok := readTask(filepath.Join(dir, agentFile(agent))); ok {
			return id, true
		}
	}
	return readTask(filepath.Join(dir, sessionFile))
}

func readTask(path string) (id string, ok bool) {
	text, err := statefile.Read(path, maxTask)
	id = strings.TrimSpace(string(text))
	return id, err == nil && id != ""
}

// Bind assigns an agent of a session to a task; the main agent is "". The first task is also that of the session, and
// so of all agents that start no task of their own. It fails if session or task is empty, if task is too long, or if a
// file cannot be written.
func (b Bindings) Bind(session, agent, task string) error {
	if session == "" || task == "" || len(task) > maxTask {
		return errNoBinding
	}
	dir := b.sessionDir(session)
	if _, err := os.Lstat(dir); err != nil {
		b.deleteOldSessions()
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	files := []string{agentFile(agent)}
	if _, bound := b.Task(session, ""); !bound && agent != "" {
		files = append(files, sessionFile)
	}
	for _, f := range files {
		if err := statefile.Replace(filepath.Join(dir, f), []byte(task), statefile.Options{}); err != nil {
			return err
		}
	}
	return nil
}

// Unbind removes the bindings of a session to a task. An agent whose own task has ended goes on with that of the session. It fails
// if the files cannot be listed or removed.
func (b Bindings) Unbind(session, task string) error {
	if session == "" {
		return nil
	}
	dir := b.sessionDir(session)
	list, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	for _, e := range list {
		path := filepath.Join(dir, e.Name())
		if id, ok := readTask(path); ok && id == task {
			err = errors.Join(err, os.Remove(path))
		}
	}
	return err
}

// WasUsedLately reports whether a session was bound to a task lately.
func (b Bindings) WasUsedLately(now time.Time) bool {
	st, err := os.Lstat(b.dir)
	return err == nil && st.IsDir() && now.Sub(st.ModTime()) < keptBindings
}

// deleteOldSessions deletes the folders of sessions that ended long ago.
func (b Bindings) deleteOldSessions() {
	list, err := os.ReadDir(b.dir)
	if err != nil {
		return
	}
	for _, e := range list {
		if st, err := e.Info(); err == nil && time.Since(st.ModTime()) > keptBindings {
			os.RemoveAll(filepath.Join(b.dir, e.Name()))
		}
	}
}

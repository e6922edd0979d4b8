package hookstate

import (
	"bytes"
	"crypto/hmac"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"ken/internal/knowledge/task"
	"ken/internal/statefile"
)

// A copy of an open task is a file with its seal in hex, a line feed, and the copy in JSON. It says how a write is judged when the memory
// or the settings of the project cannot be read, so a file without a valid seal counts as none.
const maxCopy = 16 << 10

func (b Bindings) copyFile(id string) string { return filepath.Join(b.tasks, statefile.Name(id)) }

func (b Bindings) seal(data []byte) ([]byte, error) {
	key, err := statefile.Key(b.key)
	if err != nil {
		return nil, err
	}
	return hex.AppendEncode(nil, statefile.Seal(key, []byte("open task"), data)), nil
}

// KeepOpen keeps a copy of an open task. It fails if that cannot be written.
func (b Bindings) KeepOpen(o task.OpenTask) error {
	data, err := json.Marshal(o)
	if err != nil {
		return err
	}
	seal, err := b.seal(data)
	if err == nil {
		err = os.MkdirAll(b.tasks, 0o700)
	}
	if err != nil {
		return fmt.Errorf("keep a copy of the task: %w", err)
	}
	b.deleteOldCopies()
	return statefile.Replace(b.copyFile(o.ID), append(append(seal, '\n'), data...), statefile.Options{Sync: true})
}

// OpenTask returns the copy of an open task; false if there is none with a valid seal.
func (b Bindings) OpenTask(id string) (o task.OpenTask, ok bool) {
	text, err := statefile.Read(b.copyFile(id), maxCopy)
	if err != nil {
		return o, false
	}
	seal, data, _ := bytes.Cut(text, []byte("\n"))
	want, err := b.seal(data)
	if err != nil || !hmac.Equal(seal, want) || json.Unmarshal(data, &o) != nil || o.ID != id {
		return task.OpenTask{}, false
	}
	return o, true
}

// OpenTasks returns the tasks to which an agent of a session is bound in any project whose state is below state. One without a valid copy
// has an ID and nothing else.
func OpenTasks(state, session, agent string) (out []task.OpenTask) {
	list, err := os.ReadDir(filepath.Join(state, "bound"))
	if err != nil || session == "" {
		return nil
	}
	for _, e := range list {
		b := bindingsIn(state, e.Name())
		if id, ok := b.Task(session, agent); ok {
			o, _ := b.OpenTask(id)
			o.ID = id
			out = append(out, o)
		}
	}
	return out
}

// DropOpen deletes the copy of a task that has ended. It fails if it cannot be deleted.
func (b Bindings) DropOpen(id string) error {
	if err := os.Remove(b.copyFile(id)); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// deleteOldCopies deletes the copies of tasks that were not ended and whose sessions are over for long.
func (b Bindings) deleteOldCopies() {
	list, err := os.ReadDir(b.tasks)
	if err != nil {
		return
	}
	for _, e := range list {
		if st, err := e.Info(); err == nil && time.Since(st.ModTime()) > 2*keptBindings {
			os.Remove(filepath.Join(b.tasks, e.Name()))
		}
	}
}

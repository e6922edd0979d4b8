package change

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/gofrs/flock"

	"ken/internal/statefile"
	"ken/internal/workflow/plan/folder"
)

// foreignLock is a lock file of another program: it is held from its creation until it is removed or older than stale, by that program's
// rules.
type foreignLock struct {
	name  string
	stale time.Duration
	text  string // the text that ken writes into it
}

// foreignLocks returns the lock files of other programs. Those made by ken name it and the kernel lock above them, so that its next
// holder can tell that they were left by a killed ken.
func (w *Writer) foreignLocks() []foreignLock {
	whole, _ := json.Marshal(map[string]any{"pid": os.Getpid(), "cwd": w.project, "acquired": w.opt.Now().UTC().Format(time.RFC3339), "ken": w.private})
	return []foreignLock{
		{filepath.Join(filepath.FromSlash(w.opt.Below), "STATE.md.lock"), 10 * time.Second, strconv.Itoa(os.Getpid()) + w.lockText()},
		{filepath.Join(filepath.FromSlash(w.opt.Below), ".lock"), 30 * time.Second, string(whole)},
	}
}

func (w *Writer) lockText() string { return "\nken " + w.private }

// LockError reports that a lock was not free in time.
type LockError struct {
	Path   string
	Waited time.Duration
}

func (e *LockError) Error() string {
	return fmt.Sprintf("another program is changing the planning folder: %s was held for %v; try again", e.Path, e.Waited.Round(time.Millisecond))
}

const poll = 20 * time.Millisecond

// lockAll takes all locks.
func (w *Writer) lockAll(ctx context.Context, root *os.Root) (unlock func(), err error) {
	start := time.Now()
	at := filepath.Join(w.private, "lock")
	if err := statefile.CheckFiles(at); err != nil {
		return nil, err
	}
	kernel := flock.New(at, flock.SetPermissions(0o600))
	limited, cancel := context.WithTimeout(ctx, w.opt.Budget)
	defer cancel()
	switch ok, err := kernel.TryLockContext(limited, poll); {
	case errors.Is(err, context.DeadlineExceeded) && ctx.Err() == nil, err == nil && !ok:
		return nil, &LockError{at, time.Since(start)}
	case err != nil:
		return nil, fmt.Errorf("lock %s: %w", at, err)
	}
	var held []string
	unlock = func() {
		for _, name := range held {
			root.Remove(name)
			removeEmptyAbove(root, filepath.ToSlash(name)) // a workstream folder with nothing but the lock
		}
		kernel.Unlock()
	}
	for _, f := range w.foreignLocks() {
		if _, err := root.Lstat(filepath.Dir(f.name)); errors.Is(err, fs.ErrNotExist) {
			continue // no other program works in a folder that does not exist
		}
		if err := w.takeForeignLock(limited, root, f); err != nil {
			unlock()
			if errors.Is(err, context.DeadlineExceeded) && ctx.Err() == nil {
				return nil, &LockError{filepath.Join(w.project, folder.Name, f.name), time.Since(start)}
			}
			return nil, err
		}
		held = append(held, f.name)
	}
	return unlock, nil
}

// takeForeignLock makes the lock file of another program when it is free: it does not exist, is older than that program itself respects,
// or was left by a killed ken. It waits until then and fails if ctx ends first.
func (w *Writer) takeForeignLock(ctx context.Context, root *os.Root, f foreignLock) error {
	for {
		if err := makeLock(root, f); !errors.Is(err, fs.ErrExist) {
			return err
		}
		st, err := root.Lstat(f.name)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			continue
		case err != nil:
			return err
		case !st.Mode().IsRegular():
			return &folder.Error{File: filepath.ToSlash(filepath.Join(folder.Name, f.name)), Err: errors.New("is not a regular file")}
		case w.opt.Now().Sub(st.ModTime()) > f.stale || w.isLeftByKen(root, f.name):
			if err := root.Remove(f.name); err != nil && !errors.Is(err, fs.ErrNotExist) {
				return err
			}
			continue
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(poll):
		}
	}
}

// makeLock makes a lock file together with its text, because one left empty by a killed process would have no owner. It fails with
// fs.ErrExist if the file exists.
func makeLock(root *os.Root, f foreignLock) error {
	temp := filepath.Join(filepath.Dir(f.name), ".ken-lock.tmp")
	root.Remove(temp) // of a killed process
	if err := writeNew(root, temp, f.text); err != nil {
		return err
	}
	err := root.Link(temp, f.name)
	if err != nil && !errors.Is(err, fs.ErrExist) {
		// A file system without hard links.
		err = writeNew(root, f.name, f.text)
	}
	return errors.Join(err, root.Remove(temp))
}

// writeNew writes a file that must not exist. None is left if it fails, as on a full disk.
func writeNew(root *os.Root, name, text string) error {
	file, err := root.OpenFile(name, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	_, err = file.WriteString(text)
	if err = errors.Join(err, file.Close()); err != nil {
		root.Remove(name)
	}
	return err
}

// isLeftByKen reports whether a lock file was made by a ken that held this kernel lock.
func (w *Writer) isLeftByKen(root *os.Root, name string) bool {
	b, err := root.ReadFile(name)
	if err != nil {
		return false
	}
	if strings.HasSuffix(string(b), w.lockText()) {
		return true
	}
	var whole struct{ Ken string }
	return json.Unmarshal(b, &whole) == nil && whole.Ken == w.private
}

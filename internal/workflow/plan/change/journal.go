package change

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"ken/internal/statefile"
	"ken/internal/workflow/plan/folder"
)

// The journal is a folder with a file for each change, NUMBER.json:
//
//	{"version":1,"what":…,"project":…,"time":…,"dirs":[…],"gone":[…],
//	 "files":[{"name":…,"mode":420,"there":true,"before":BASE64,"will":true,"after":BASE64}]}
//
// While a change is made or undone, its file is called NUMBER.open: if the process dies, recover restores the files. Only the newest
// entries are kept.
const (
	journalVersion = 1
	maxEntries     = 50
	maxJournal     = 64 << 20
)

// entry is a recorded change.
type entry struct {
	Version int         `json:"version"`
	What    string      `json:"what"`
	Project string      `json:"project"`
	Time    time.Time   `json:"time"`
	Dirs    []string    `json:"dirs,omitempty"` // that were made
	Gone    []string    `json:"gone,omitempty"` // removed folders
	Files   []entryFile `json:"files"`
}

// entryFile is a file before and after a change.
type entryFile struct {
	Name   string      `json:"name"`
	Mode   fs.FileMode `json:"mode"`
	There  bool        `json:"there"` // it existed before
	Before []byte      `json:"before,omitempty"`
	Will   bool        `json:"will"` // it exists afterwards
	After  []byte      `json:"after,omitempty"`
}

// Entry is a change that can be undone, for display.
type Entry struct {
	ID, What string
	Time     time.Time
	Files    []string
}

// ErrNothing reports that there is no change to undo.
var ErrNothing = errors.New("there is no change to undo")

// ChangedError reports that a file differs from the result of the change, so that undoing would destroy a later change.
type ChangedError struct{ File string }

func (e *ChangedError) Error() string {
	return e.File + " was changed since: nothing was undone"
}

// The suffixes of entry names.
const (
	done = ".json"
	open = ".open"
)

// entryIDs returns the numbers of all entries in a state, done or open, oldest first.
func (w *Writer) entryIDs(state string) ([]string, error) {
	list, err := os.ReadDir(w.private)
	if err != nil {
		return nil, fmt.Errorf("read the journal of changes: %w", err)
	}
	var ids []string
	for _, e := range list {
		if id, ok := strings.CutSuffix(e.Name(), state); ok && e.Type().IsRegular() && strings.Trim(id, "0123456789") == "" {
			ids = append(ids, id)
		}
	}
	slices.Sort(ids)
	return ids, nil
}

func (w *Writer) entryPath(id, state string) string { return filepath.Join(w.private, id+state) }

func (w *Writer) loadEntry(id, state string) (*entry, error) {
	b, err := os.ReadFile(w.entryPath(id, state))
	if err != nil {
		return nil, err
	}
	var e entry
	if err := json.Unmarshal(b, &e); err != nil {
		return nil, fmt.Errorf("entry %s of the journal cannot be read: %w", id, err)
	}
	if e.Version != journalVersion {
		return nil, fmt.Errorf("entry %s of the journal has version %d, newer than this ken", id, e.Version)
	}
	return &e, nil
}

// saveEntry writes an open entry whole and syncs it before anything depends on it.
func (w *Writer) saveEntry(id string, e *entry) error {
	b, err := json.Marshal(e)
	if err != nil {
		return err
	}
	if err := statefile.Replace(w.entryPath(id, open), b, statefile.Options{Sync: true}); err != nil {
		return fmt.Errorf("write the journal of changes: %w", err)
	}
	return nil
}

// commitChange records a change, makes it and marks it as done. If a file cannot be written, those before it are restored.
func (w *Writer) commitChange(root *os.Root, what string, r *Result, modes map[string]fs.FileMode) (id string, err error) {
	ids, err := w.entryIDs(done)
	if err != nil {
		return "", err
	}
	next := 1
	if len(ids) > 0 {
		if next, err = strconv.Atoi(ids[len(ids)-1]); err != nil {
			return "", err
		}
		next++
	}
	id = fmt.Sprintf("%010d", next)
	e := &entry{Version: journalVersion, What: what, Project: w.project, Time: w.opt.Now().UTC(), Gone: r.Folders}
	for _, c := range r.Changed {
		f := entryFile{Name: c.Name, Mode: fileMode(root, c.Name), There: c.Before != nil, Will: c.After != nil}
		if mode, ok := modes[c.Name]; ok && !f.There {
			f.Mode = mode
		}
		if f.There {
			f.Before = []byte(*c.Before)
		}
		if f.Will {
			f.After = []byte(*c.After)
		}
		e.Files = append(e.Files, f)
	}
	if e.Dirs, err = dirsToMake(root, r.Changed); err != nil {
		return "", err
	}
	if err := w.saveEntry(id, e); err != nil {
		return "", err
	}
	if err := applyEntry(root, e); err != nil {
		return "", errors.Join(err, w.putBack(root, id, e))
	}
	if err := os.Rename(w.entryPath(id, open), w.entryPath(id, done)); err != nil {
		return "", errors.Join(err, w.putBack(root, id, e))
	}
	w.pruneJournal(append(ids, id))
	return id, nil
}

// dirsToMake returns the folders that a change will make, so that they are known before it begins.
func dirsToMake(root *os.Root, list []Changed) ([]string, error) {
	var dirs []string
	for _, c := range list {
		if c.After == nil {
			continue
		}
		for dir := path.Dir(c.Name); dir != "."; dir = path.Dir(dir) {
			switch st, err := root.Lstat(filepath.FromSlash(dir)); {
			case errors.Is(err, fs.ErrNotExist):
				dirs = append(dirs, dir)
			case err != nil:
				return nil, err
			case !st.IsDir():
				return nil, &folder.Error{File: path.Join(folder.Name, dir), Err: errors.New("is not a folder: nothing is written below it")}
			}
		}
	}
	slices.Sort(dirs)
	return slices.Compact(dirs), nil
}

func applyEntry(root *os.Root, e *entry) error {
	for _, f := range e.Files {
		var text *string
		if f.Will {
			if _, err := makeDirs(root, f.Name); err != nil {
				return err
			}
			s := string(f.After)
			text = &s
		}
		if err := replaceFile(root, f.Name, text, f.Mode); err != nil {
			return &folder.Error{File: path.Join(folder.Name, f.Name), Err: err}
		}
	}
	removeEmpty(root, e.Gone)
	for _, f := range e.Files {
		if !f.Will {
			removeEmptyAbove(root, f.Name)
		}
	}
	return nil
}

// putBack restores the files of an unfinished change and removes its entry. A file that is neither in the old nor in the new state
// belongs to another program and stays.
func (w *Writer) putBack(root *os.Root, id string, e *entry) error {
	var errs []error
	for _, f := range e.Files {
		now, err := readFile(root, f.Name)
		if err != nil {
			errs = append(errs, err)
			continue
		}
		if equalsBytes(now, f.After, f.Will) && !equalsBytes(now, f.Before, f.There) {
			errs = append(errs, restoreFile(root, f))
		}
	}
	for _, f := range e.Files {
		root.Remove(tempBeside(f.Name)) // an unfinished write of a killed process
	}
	removeEmpty(root, e.Dirs)
	for _, dir := range e.Gone {
		if _, err := makeDirs(root, path.Join(dir, "x")); err != nil {
			errs = append(errs, err)
		}
	}
	if err := errors.Join(errs...); err != nil {
		return err
	}
	return os.Remove(w.entryPath(id, open))
}

func restoreFile(root *os.Root, f entryFile) error {
	if !f.There {
		return replaceFile(root, f.Name, nil, f.Mode)
	}
	if _, err := makeDirs(root, f.Name); err != nil {
		return err
	}
	s := string(f.Before)
	return replaceFile(root, f.Name, &s, f.Mode)
}

// recoverUnfinished restores the files of changes left unfinished by killed processes. It is called under the lock.
func (w *Writer) recoverUnfinished(root *os.Root) error {
	ids, err := w.entryIDs(open)
	if err != nil {
		return err
	}
	for _, id := range slices.Backward(ids) {
		e, err := w.loadEntry(id, open)
		if err != nil {
			return err
		}
		if err := w.recoverOne(root, id, e); err != nil {
			return fmt.Errorf("put back what was left half done: %w", err)
		}
	}
	return nil
}

func (w *Writer) recoverOne(root *os.Root, id string, e *entry) error {
	if e.Project == w.project {
		return w.putBack(root, id, e)
	}
	// It was made in another work tree, which may no longer exist.
	other, err := (&Writer{project: e.Project}).openRoot()
	if err != nil {
		return os.Remove(w.entryPath(id, open))
	}
	defer other.Close()
	return w.putBack(other, id, e)
}

// pruneJournal removes the oldest entries. Failed removals are tried again by the next change.
func (w *Writer) pruneJournal(ids []string) {
	size := int64(0)
	for i := len(ids) - 1; i >= 0; i-- {
		if st, err := os.Stat(w.entryPath(ids[i], done)); err == nil {
			size += st.Size()
		}
		if keep := len(ids) - i; keep > 1 && (keep > maxEntries || size > maxJournal) {
			os.Remove(w.entryPath(ids[i], done))
		}
	}
}

// List returns the changes of this work tree that can be undone, newest first. It returns an error if the journal cannot be read.
func (w *Writer) List() ([]Entry, error) {
	ids, err := w.entryIDs(done)
	if err != nil {
		return nil, err
	}
	var list []Entry
	for _, id := range slices.Backward(ids) {
		e, err := w.loadEntry(id, done)
		if err != nil {
			return list, err
		}
		if e.Project != w.project {
			continue
		}
		listed := Entry{ID: id, What: e.What, Time: e.Time}
		for _, f := range e.Files {
			listed.Files = append(listed.Files, path.Join(folder.Name, f.Name))
		}
		list = append(list, listed)
	}
	return list, nil
}

// Undo reverts the last change of this work tree: every file gets its old bytes. It changes nothing and fails with ErrNothing if there is
// no change, with a *ChangedError if a file differs from the result of the change, and with a *LockError if a lock is not free in time.
func (w *Writer) Undo(ctx context.Context, dry bool) (Entry, Result, error) {
	root, err := w.openRoot()
	if err != nil {
		return Entry{}, Result{}, err
	}
	defer root.Close()
	unlock, err := w.lockAll(ctx, root)
	if err != nil {
		return Entry{}, Result{}, err
	}
	defer unlock()
	if err := w.recoverUnfinished(root); err != nil {
		return Entry{}, Result{}, err
	}
	list, err := w.List()
	if err != nil {
		return Entry{}, Result{}, err
	}
	if len(list) == 0 {
		return Entry{}, Result{}, ErrNothing
	}
	e, err := w.loadEntry(list[0].ID, done)
	if err != nil {
		return Entry{}, Result{}, err
	}
	r := Result{ID: list[0].ID}
	for _, f := range e.Files {
		now, err := readFile(root, f.Name)
		if err != nil {
			return Entry{}, Result{}, err
		}
		if !equalsBytes(now, f.After, f.Will) {
			return Entry{}, Result{}, &ChangedError{path.Join(folder.Name, f.Name)}
		}
		c := Changed{Name: f.Name, Before: now}
		if f.There {
			s := string(f.Before)
			c.After = &s
		}
		r.Changed = append(r.Changed, c)
	}
	if dry {
		return list[0], r, nil
	}
	// From here on it is an unfinished change: if this process is killed, the next writer finishes the undoing.
	if err := os.Rename(w.entryPath(r.ID, done), w.entryPath(r.ID, open)); err != nil {
		return Entry{}, Result{}, err
	}
	return list[0], r, w.putBack(root, r.ID, e)
}

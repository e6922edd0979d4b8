package change

import (
	"context"
	"crypto/rand"
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

// The journal is a folder with a file for each change, NUMBER.json, a line with a statefile.LineSeal:
//
//	{"version":2,"what":…,"tree":…,"time":…,"dirs":[…],"gone":[…],
//	 "files":[{"name":…,"mode":420,"there":true,"before":BASE64,"will":true,"after":BASE64}],"seal":…}
//
// Names are below the planning folder of the work tree, and tree is git's name of that and the project's path in it, so that an entry
// leads nowhere else and a repository that is moved keeps its journal. While a change is made or undone, its file is called NUMBER.open: if
// the process dies, Recover restores the files. Only the newest entries are kept. Files without the user's seal stay as they are: see
// Strange.
const (
	journalVersion = 2
	maxEntries     = 50
	maxJournal     = 64 << 20
)

// entry is a recorded change.
type entry struct {
	Version int         `json:"version"`
	What    string      `json:"what"`
	Tree    string      `json:"tree"`
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
		if id, ok := strings.CutSuffix(e.Name(), state); ok && strings.Trim(id, "0123456789") == "" {
			ids = append(ids, id)
		}
	}
	slices.Sort(ids)
	return ids, nil
}

func (w *Writer) entryPath(id, state string) string { return filepath.Join(w.private, id+state) }

// maxEntry is the size of the largest entry that is read, in bytes.
const maxEntry = 1 << 30

// loadEntry returns an entry. It fails with errStrange if it does not have the user's seal.
func (w *Writer) loadEntry(id, state string) (*entry, error) {
	b, err := statefile.Read(w.entryPath(id, state), maxEntry)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, err
	case errors.Is(err, statefile.ErrNotRegular), errors.As(err, new(*statefile.SizeError)):
		return nil, errStrange
	case err != nil:
		return nil, fmt.Errorf("read the journal of changes: %w", err)
	}
	record, err := w.readSeal().Check(b)
	if err != nil {
		return nil, errStrange
	}
	var e entry
	if err := json.Unmarshal(record, &e); err != nil {
		return nil, fmt.Errorf("entry %s of the journal cannot be read: %w", id, err)
	}
	if e.Version != journalVersion {
		return nil, fmt.Errorf("entry %s of the journal has version %d, newer than this ken", id, e.Version)
	}
	return &e, nil
}

var errStrange = errors.New("the entry has no seal of this user")

// loadEntries returns the IDs in a state that have the user's seal, oldest first, with their entries, and the IDs of the others.
func (w *Writer) loadEntries(state string) (ids []string, list []*entry, strange []string, err error) {
	all, err := w.entryIDs(state)
	if err != nil {
		return nil, nil, nil, err
	}
	for _, id := range all {
		e, err := w.loadEntry(id, state)
		switch {
		case errors.Is(err, errStrange):
			strange = append(strange, id)
		case errors.Is(err, fs.ErrNotExist): // removed since
		case err != nil:
			return nil, nil, nil, err
		default:
			ids, list = append(ids, id), append(list, e)
		}
	}
	return ids, list, strange, nil
}

const sealKind = "planning"

// readSeal returns the user's seal, nil if there is no key yet, which another process may be making.
func (w *Writer) readSeal() statefile.LineSeal {
	if w.seal == nil {
		w.seal = w.userSeal(false)
	}
	return w.seal
}

// userSeal returns the user's seal, or nil. Where the state directory cannot keep a key, as without a home directory, a folder of the
// user's below the one for temporary files keeps it, so that the next process can put back what a killed one left half done.
func (w *Writer) userSeal(create bool) statefile.LineSeal {
	if seal, err := statefile.UserSeal(w.opt.StateDir, sealKind, create); err == nil && seal != nil {
		return seal
	}
	dir := filepath.Join(os.TempDir(), fmt.Sprintf("ken-state-%d", os.Getuid()))
	if create {
		_ = os.Mkdir(dir, 0o700)
	}
	if st, err := os.Lstat(dir); err != nil || !st.IsDir() || !statefile.IsOwn(st) || !statefile.IsPrivate(st) {
		return nil // another user can make a folder of this name
	}
	seal, _ := statefile.UserSeal(dir, sealKind, create)
	return seal
}

// ownIDs returns the IDs of changes that can be undone, oldest first. It decodes none.
func (w *Writer) ownIDs() ([]string, error) {
	ids, err := w.entryIDs(done)
	return slices.DeleteFunc(ids, func(id string) bool {
		b, err := statefile.Read(w.entryPath(id, done), maxEntry)
		if err == nil {
			_, err = w.readSeal().Check(b)
		}
		return err != nil
	}), err
}

// saveEntry writes an open entry whole and syncs it before anything depends on it.
func (w *Writer) saveEntry(id string, e *entry) error {
	if seal := w.userSeal(true); seal != nil { // also where only the folder for temporary files had a key until now
		w.seal = seal
	} else if w.readSeal() == nil {
		w.seal = make(statefile.LineSeal, 32) // no key can be kept: the change is made, and cannot be undone later
		rand.Read(w.seal)
	}
	b, err := json.Marshal(e)
	if err != nil {
		return err
	}
	if err := statefile.Replace(w.entryPath(id, open), w.seal.Make(b), statefile.Options{Sync: true}); err != nil {
		return fmt.Errorf("write the journal of changes: %w", err)
	}
	return nil
}

// nextID returns the number of the next entry: the one after the last of the user's that has no file.
func (w *Writer) nextID(ids []string) (string, error) {
	next := 1
	if len(ids) > 0 {
		last, err := strconv.Atoi(ids[len(ids)-1])
		if err != nil {
			return "", err
		}
		next = last + 1
	}
	for ; ; next++ {
		id := fmt.Sprintf("%010d", next)
		_, err := os.Lstat(w.entryPath(id, open))
		_, err2 := os.Lstat(w.entryPath(id, done))
		if err != nil && err2 != nil {
			return id, nil
		}
	}
}

// commitChange records a change, makes it and marks it as done. If a file cannot be written, those before it are restored.
func (w *Writer) commitChange(root *os.Root, what string, r *Result, modes map[string]fs.FileMode) (id string, err error) {
	ids, err := w.ownIDs()
	if err != nil {
		return "", err
	}
	if id, err = w.nextID(ids); err != nil {
		return "", err
	}
	e := &entry{Version: journalVersion, What: what, Tree: w.tree, Time: w.opt.Now().UTC(), Gone: r.Folders}
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
	ids, list, _, err := w.loadEntries(open)
	if err != nil {
		return err
	}
	for i, e := range slices.Backward(list) {
		switch {
		case e.Tree == w.tree:
			err = w.putBack(root, ids[i], e)
		case w.isTreeGone(e.Tree):
			err = os.Remove(w.entryPath(ids[i], open))
		}
		if err != nil {
			return fmt.Errorf("put back what was left half done: %w", err)
		}
	}
	return nil
}

// isTreeGone reports whether the work tree of an entry does not exist any more. Those that do restore their files themselves.
func (w *Writer) isTreeGone(tree string) bool {
	at := tree
	if w.shared != "" {
		admin, _, _ := strings.Cut(tree, ":")
		at = filepath.Join(w.shared, filepath.FromSlash(admin))
	}
	_, err := os.Lstat(at)
	return errors.Is(err, fs.ErrNotExist)
}

// readBudget is how long a reader waits for the lock.
const readBudget = 5 * time.Second

// Recover restores the files of a project that a killed process left half changed, so that readers, too, see the state before, and
// returns a line for the user about entries without the user's seal, which are not acted on. It writes nothing if there are none, and
// waits for a writer that is at work. It fails if the files cannot be restored.
func Recover(ctx context.Context, project string, opt Options) (note string, err error) {
	opt.Budget = readBudget
	w, err := locate(project, opt)
	if err != nil {
		return "", nil // there is no place for a journal
	}
	ids, err := w.entryIDs(open)
	if err != nil || len(ids) == 0 {
		return "", nil
	}
	_, list, strange, err := w.loadEntries(open)
	if err != nil {
		return "", err
	}
	if len(strange) > 0 {
		note = fmt.Sprintf("%s holds unfinished changes (%d) without your seal: they are not applied, and files are shown as they are; "+
			"\"ken plan changes\" lists them", w.private, len(strange))
	}
	if !slices.ContainsFunc(list, func(e *entry) bool { return e.Tree == w.tree }) {
		return note, nil
	}
	root, err := w.openRoot()
	if err != nil {
		return note, err
	}
	defer root.Close()
	unlock, err := w.lockAll(ctx, root)
	if _, busy := errors.AsType[*LockError](err); busy {
		return note, nil // a writer is at work
	}
	if err != nil {
		return note, err
	}
	defer unlock()
	return note, w.recoverUnfinished(root)
}

// Strange is a file in the place of an entry that does not have the user's seal: it was made under another state directory, or came with
// the repository. Its content is only a claim.
type Strange struct {
	Path, What string
	Open       bool // it claims to be unfinished
	Files      []string
}

// StrangeEntries returns the files in the places of entries that do not have the user's seal. It fails if the journal cannot be read.
func (w *Writer) StrangeEntries() (list []Strange, err error) {
	for _, state := range []string{open, done} {
		_, _, ids, err := w.loadEntries(state)
		if err != nil {
			return nil, err
		}
		for _, id := range ids {
			s := Strange{Path: w.entryPath(id, state), Open: state == open}
			var claim entry
			if b, err := statefile.Read(s.Path, maxJournal); err == nil && json.Unmarshal(b, &claim) == nil {
				s.What = claim.What
				for _, f := range claim.Files {
					s.Files = append(s.Files, f.Name)
				}
			}
			list = append(list, s)
		}
	}
	return list, nil
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
	ids, all, _, err := w.loadEntries(done)
	if err != nil {
		return nil, err
	}
	var list []Entry
	for i, e := range slices.Backward(all) {
		if e.Tree != w.tree {
			continue
		}
		listed := Entry{ID: ids[i], What: e.What, Time: e.Time}
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
	if err := w.putBack(root, r.ID, e); err != nil {
		return Entry{}, Result{}, errors.Join(err, w.redo(root, r.ID, e))
	}
	return list[0], r, nil
}

// redo makes a change again of which undoing has failed, so that nothing is undone. The disk may be full, but it had room for these files.
func (w *Writer) redo(root *os.Root, id string, e *entry) error {
	rest := *e
	rest.Files = nil
	for _, f := range e.Files {
		if now, err := readFile(root, f.Name); err == nil && equalsBytes(now, f.Before, f.There) {
			rest.Files = append(rest.Files, f)
		}
	}
	if err := applyEntry(root, &rest); err != nil {
		return err
	}
	return os.Rename(w.entryPath(id, open), w.entryPath(id, done))
}

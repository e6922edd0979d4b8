// Package change writes files of a planning folder, so that nothing is lost: one writer at a
// time, files read anew under the lock, each replaced whole, and everything undone byte for byte
// if somebody wants it.
//
// A kernel lock in the git directory that all work trees share keeps writers apart and is gone
// when its holder dies. Other programs have lock files of their own, STATE.md.lock and .lock:
// while one is fresh it is waited for, and both are made for the moment of writing, so that
// those programs wait, too. Waiting has an end, which is an error: no lock is ever taken from
// who holds it.
//
// A change is written down before the first file is touched. What a process that was killed has left
// half done is put back by the next writer. All writing stays below the folder; a link is not
// written through.
package change

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"ken/internal/git"
	"ken/internal/workflow/plan/folder"
)

// Options say where things are and how long a lock is waited for.
type Options struct {
	// StateDir is where lock and journal are of a project that has no git directory.
	StateDir string
	// Budget is how long locks are waited for; 30 s if zero.
	Budget time.Duration
	// Below is the part of the folder that is written, "" or that of a workstream: other programs
	// have their lock files there.
	Below string
	// Now is the clock, time.Now if nil.
	Now func() time.Time
}

const budget = 30 * time.Second

// Writer writes the planning folder of one project.
type Writer struct {
	project string // absolute, without links
	private string // where lock and journal are
	opt     Options
}

// Open prepares to write. The project has to have a planning folder.
func Open(project string, opt Options) (*Writer, error) {
	project, err := filepath.Abs(project)
	if err != nil {
		return nil, err
	}
	if project, err = filepath.EvalSymlinks(project); err != nil {
		return nil, err
	}
	if opt.Budget <= 0 {
		opt.Budget = budget
	}
	if opt.Below != "" {
		if err := checkName(opt.Below); err != nil {
			return nil, err
		}
	}
	if opt.Now == nil {
		opt.Now = time.Now
	}
	w := &Writer{project: project, opt: opt}
	// A .git that its repository does not know could name any folder.
	if repo, err := git.Find(project); err == nil && repo.Known() {
		w.private = filepath.Join(repo.CommonDir, "ken", "planning")
	} else if opt.StateDir != "" {
		w.private = filepath.Join(opt.StateDir, "planning")
	} else {
		return nil, errors.New("there is no git directory and no other place for the journal of changes")
	}
	if err := os.MkdirAll(w.private, 0o700); err != nil {
		return nil, fmt.Errorf("make the journal of changes: %w", err)
	}
	st, err := os.Lstat(w.private)
	if err != nil || !st.IsDir() {
		return nil, fmt.Errorf("%s is no folder", w.private)
	}
	return w, nil
}

// File is what a file of the planning folder is to be. Text is nil of one that is to go. A name with a slash at its end is a
// folder that is to go, once it is empty: what somebody else puts into it meanwhile stays.
type File struct {
	Name string // with slashes, below .planning
	Text *string
	From string // the file that it was until now, if it is renamed: whose mode it has; that one has to go by an entry of its own
}

// Changed is a file that was changed. Before and After are nil of one that was not there.
type Changed struct {
	Name          string
	Before, After *string
}

// Result is what a change did, or would do.
type Result struct {
	ID      string // of its entry in the journal; "" if nothing was changed
	Changed []Changed
	Folders []string // that went
}

// Read reads a file as it is under the lock; ok is false if there is none.
type Read func(name string) (text string, ok bool, err error)

// Do makes one change: what is to be is computed from what files are under the lock, so that two writers
// never lose each other's work. A file that is to be what it is already is not written. dry
// computes and writes nothing.
func (w *Writer) Do(ctx context.Context, what string, dry bool, plan func(Read) ([]File, error)) (Result, error) {
	root, err := w.root()
	if err != nil {
		return Result{}, err
	}
	defer root.Close()
	unlock, err := w.lock(ctx, root)
	if err != nil {
		return Result{}, err
	}
	defer unlock()
	if err := w.recover(root); err != nil {
		return Result{}, err
	}
	files, err := plan(func(name string) (string, bool, error) {
		text, err := readFile(root, name)
		if text == nil || err != nil {
			return "", false, err
		}
		return *text, true, nil
	})
	if err != nil {
		return Result{}, err
	}
	r, modes, err := compare(root, files)
	if err != nil || dry || len(r.Changed)+len(r.Folders) == 0 {
		return r, err
	}
	r.ID, err = w.commit(root, what, &r, modes)
	if err != nil {
		return Result{}, err
	}
	return r, nil
}

// compare are the files that are to be something else than they are, the folders that are to go, and the modes of files that are
// renamed.
func compare(root *os.Root, files []File) (r Result, modes map[string]fs.FileMode, err error) {
	modes = map[string]fs.FileMode{}
	for _, f := range files {
		name, isFolder := strings.CutSuffix(f.Name, "/")
		if err := checkName(name); err != nil {
			return Result{}, nil, err
		}
		if isFolder {
			if st, err := root.Lstat(filepath.FromSlash(name)); err == nil && st.IsDir() {
				r.Folders = append(r.Folders, name)
			}
			continue
		}
		before, err := readFile(root, f.Name)
		if err != nil {
			return Result{}, nil, err
		}
		if f.From != "" {
			modes[f.Name] = modeOf(root, f.From)
		}
		if !same(before, f.Text) {
			r.Changed = append(r.Changed, Changed{f.Name, before, f.Text})
		}
	}
	slices.Sort(r.Folders)
	return r, modes, nil
}

func (w *Writer) root() (*os.Root, error) {
	project, err := os.OpenRoot(w.project)
	if err != nil {
		return nil, err
	}
	defer project.Close()
	root, err := project.OpenRoot(folder.Name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%w in %s", folder.ErrNone, w.project)
	}
	return root, err
}

func same(a, b *string) bool {
	if a == nil || b == nil {
		return a == b
	}
	return *a == *b
}

// checkName refuses what is no name of a file below the folder.
func checkName(name string) error {
	if !fs.ValidPath(name) || name == "." || strings.IndexFunc(name, unprintable) >= 0 {
		return fmt.Errorf("%.80q is no name of a file below %s", name, folder.Name)
	}
	return nil
}

func unprintable(r rune) bool { return unicode.IsControl(r) || r == utf8.RuneError }

// readFile is the text of a file, nil if there is none.
func readFile(root *os.Root, name string) (*string, error) {
	if err := checkName(name); err != nil {
		return nil, err
	}
	local := filepath.FromSlash(name)
	switch st, err := root.Lstat(local); {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case err != nil:
		return nil, err
	case !st.Mode().IsRegular():
		return nil, &folder.Error{File: path.Join(folder.Name, name), Err: errors.New("is no regular file: it is not written")}
	case st.Size() > folder.MaxBytes:
		return nil, &folder.Error{File: path.Join(folder.Name, name), Err: fmt.Errorf("%d bytes are more than are read", st.Size())}
	}
	b, err := root.ReadFile(local)
	if err != nil {
		return nil, err
	}
	text := string(b)
	return &text, nil
}

// tempBeside is where the new text of a file is written before it is renamed.
func tempBeside(name string) string {
	return filepath.Join(filepath.FromSlash(path.Dir(name)), ".ken-new.tmp")
}

// replace makes a file another text, or takes it away. The new text is written beside it, brought to the
// disk and renamed, so that a reader sees the old file or the new one.
func replace(root *os.Root, name string, text *string, mode fs.FileMode) error {
	local := filepath.FromSlash(name)
	if text == nil {
		if err := root.Remove(local); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		return nil
	}
	temp := tempBeside(name)
	f, err := root.OpenFile(temp, os.O_CREATE|os.O_EXCL|os.O_WRONLY, mode)
	if errors.Is(err, fs.ErrExist) {
		// Left by a process that was killed: nobody else writes under the lock.
		if err = root.Remove(temp); err == nil {
			f, err = root.OpenFile(temp, os.O_CREATE|os.O_EXCL|os.O_WRONLY, mode)
		}
	}
	if err != nil {
		return err
	}
	_, err = f.WriteString(*text)
	err = errors.Join(err, f.Chmod(mode), f.Sync(), f.Close())
	if err == nil {
		err = root.Rename(temp, local)
	}
	if err != nil {
		return errors.Join(err, root.Remove(temp))
	}
	return nil
}

// modeOf is the mode of a file, or that of a new one.
func modeOf(root *os.Root, name string) fs.FileMode {
	if st, err := root.Lstat(filepath.FromSlash(name)); err == nil {
		return st.Mode().Perm()
	}
	return 0o644
}

// makeDirs makes the folders above a file and returns those that it made, the outermost first.
func makeDirs(root *os.Root, name string) (made []string, err error) {
	dir := path.Dir(name)
	if dir == "." {
		return nil, nil
	}
	at := ""
	for part := range strings.SplitSeq(dir, "/") {
		at = path.Join(at, part)
		err := root.Mkdir(filepath.FromSlash(at), 0o755)
		if err == nil {
			made = append(made, at)
		} else if !errors.Is(err, fs.ErrExist) {
			return made, err
		}
	}
	return made, nil
}

// removeEmpty takes folders away that are empty, the innermost first.
func removeEmpty(root *os.Root, dirs []string) {
	for i := len(dirs) - 1; i >= 0; i-- {
		root.Remove(filepath.FromSlash(dirs[i])) // one that is not empty stays
	}
}

// removeEmptyAbove takes the folders away that a file was the last one in, because nobody could by writing files: git keeps none,
// and an empty folder of a phase would be a phase. Undoing makes them again.
func removeEmptyAbove(root *os.Root, name string) {
	for dir := path.Dir(name); dir != "."; dir = path.Dir(dir) {
		st, err := root.Lstat(filepath.FromSlash(dir))
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err == nil && !st.IsDir() {
			return // a link
		}
		if err != nil || root.Remove(filepath.FromSlash(dir)) != nil {
			return // one that is not empty stays
		}
	}
}

func equal(a *string, b []byte, there bool) bool {
	if a == nil {
		return !there
	}
	return there && bytes.Equal([]byte(*a), b)
}

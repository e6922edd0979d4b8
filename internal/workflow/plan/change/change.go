// Package change writes files of a planning folder without losing anything: one writer at a time, files read anew under the lock, each
// replaced whole, and every change undoable byte for byte.
//
// A kernel lock in the git directory shared by all work trees keeps writers apart and disappears when its holder dies. Other programs
// have lock files of their own, STATE.md.lock and .lock: a fresh one is waited for, and both are made while writing, so that those
// programs wait, too. Waiting ends with an error: a lock is never taken from its holder.
//
// A change is recorded before the first file is touched. If a process is killed half way, the next one that opens the folder restores
// the files. Only records with the user's seal are acted on, and only those of this work tree, so that none that came with an archive
// moves a file. All writing stays below the folder; a link is not written through.
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
	"ken/internal/statefile"
	"ken/internal/workflow/plan/folder"
)

// Options set the folders that a Writer uses and how long it waits for locks.
type Options struct {
	// StateDir is the user's state directory: it has the key of seals, and lock and journal of a project without a git directory. Without
	// it changes are made, and cannot be undone.
	StateDir string
	// Budget is the maximal time to wait for locks. 0 means 30 s.
	Budget time.Duration
	// Below is the workstream's folder to write, or "". Other programs have their lock files there.
	Below string
	// Now is the clock, time.Now if nil.
	Now func() time.Time
}

const budget = 30 * time.Second

// Writer changes the planning folder of a project.
type Writer struct {
	project string // absolute, without links
	private string // the folder of lock and journal
	tree    string // the work tree in its repository, in entries of the journal
	shared  string // git's folder of the repository, "" without one
	opt     Options
	seal    statefile.LineSeal // nil if there is no key yet
}

// Open returns the writer of a project's planning folder. It returns an error if there is neither a git directory nor opt.StateDir for
// the journal, if its folder cannot be made, or if opt.Below is not a valid name.
func Open(project string, opt Options) (*Writer, error) {
	w, err := locate(project, opt)
	if err != nil {
		return nil, err
	}
	if err := os.MkdirAll(w.private, 0o700); err != nil {
		return nil, fmt.Errorf("make the journal of changes: %w", err)
	}
	st, err := os.Lstat(w.private)
	if err != nil || !st.IsDir() {
		return nil, fmt.Errorf("%s is not a folder", w.private)
	}
	return w, nil
}

// locate returns the writer of a project, whose folder for lock and journal need not exist.
func locate(project string, opt Options) (*Writer, error) {
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
	// A .git unknown to its repository could name any folder.
	if repo, err := git.Find(project); err == nil && repo.OwnsTree() {
		w.private, w.shared = filepath.Join(repo.CommonDir, "ken", "planning"), repo.CommonDir
		admin, err := filepath.Rel(repo.CommonDir, repo.GitDir)
		below, err2 := filepath.Rel(repo.Root, project)
		w.tree = filepath.ToSlash(admin) + ":" + filepath.ToSlash(below)
		return w, errors.Join(err, err2)
	}
	if opt.StateDir == "" {
		return nil, errors.New("there is no git directory and no other place for the journal of changes")
	}
	w.private, w.tree = filepath.Join(opt.StateDir, "planning"), project // all projects share this folder, which is the user's
	return w, nil
}

// File is the wanted content of a file of the planning folder. Text is nil for a file to remove. A name with a trailing slash is a folder
// to remove once it is empty: files put there meanwhile stay.
type File struct {
	Name string // with slashes, below .planning
	Text *string
	From string // the former name if the file is renamed, whose mode it keeps; the removal of that name is an entry of its own
}

// Changed is a file that was changed. Before and After are nil for a missing file.
type Changed struct {
	Name          string
	Before, After *string
}

// Result is the effect of a change, or of its dry run.
type Result struct {
	ID      string // of its entry in the journal; "" if nothing was changed
	Changed []Changed
	Folders []string // removed folders
}

// Read returns the text of a file while the lock is held, and false if there is no such file. It fails if the file cannot be read.
type Read func(name string) (text string, ok bool, err error)

// Do makes one change. plan computes it from the files while the lock is held, so that two writers never lose each other's work. A file
// that already has the wanted text is not written. With dry nothing is written. It fails with a *LockError if a lock is not free in
// time, and if plan fails or a file cannot be read or written; files already written are then restored.
func (w *Writer) Do(ctx context.Context, what string, dry bool, plan func(Read) ([]File, error)) (Result, error) {
	root, err := w.openRoot()
	if err != nil {
		return Result{}, err
	}
	defer root.Close()
	unlock, err := w.lockAll(ctx, root)
	if err != nil {
		return Result{}, err
	}
	defer unlock()
	if err := w.recoverUnfinished(root); err != nil {
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
	r, modes, err := compareFiles(root, files)
	if err != nil || dry || len(r.Changed)+len(r.Folders) == 0 {
		return r, err
	}
	r.ID, err = w.commitChange(root, what, &r, modes)
	if err != nil {
		return Result{}, err
	}
	return r, nil
}

// compareFiles returns the files that differ from the wanted ones, the folders to remove, and the modes of renamed files.
func compareFiles(root *os.Root, files []File) (r Result, modes map[string]fs.FileMode, err error) {
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
			modes[f.Name] = fileMode(root, f.From)
		}
		if !sameText(before, f.Text) {
			r.Changed = append(r.Changed, Changed{f.Name, before, f.Text})
		}
	}
	slices.Sort(r.Folders)
	return r, modes, nil
}

func (w *Writer) openRoot() (*os.Root, error) {
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

func sameText(a, b *string) bool {
	if a == nil || b == nil {
		return a == b
	}
	return *a == *b
}

// checkName returns an error unless a name is a path below the planning folder.
func checkName(name string) error {
	if !fs.ValidPath(name) || name == "." || strings.IndexFunc(name, unprintable) >= 0 {
		return fmt.Errorf("%.80q is not the name of a file below %s", name, folder.Name)
	}
	return nil
}

func unprintable(r rune) bool { return unicode.IsControl(r) || r == utf8.RuneError }

// readFile returns the text of a file, or nil if there is none.
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
		return nil, &folder.Error{File: path.Join(folder.Name, name), Err: errors.New("is not a regular file: it is not written")}
	case st.Size() > folder.MaxBytes:
		return nil, &folder.Error{File: path.Join(folder.Name, name), Err: fmt.Errorf("%d bytes exceed the limit", st.Size())}
	}
	b, err := root.ReadFile(local)
	if err != nil {
		return nil, err
	}
	text := string(b)
	return &text, nil
}

// tempBeside returns the name of the temporary file with the new text of a file, which is then renamed.
func tempBeside(name string) string {
	return filepath.Join(filepath.FromSlash(path.Dir(name)), ".ken-new.tmp")
}

// replaceFile gives a file another text, or removes it. The new text is written beside it, synced and renamed, so that a reader sees the
// old file or the new one.
func replaceFile(root *os.Root, name string, text *string, mode fs.FileMode) error {
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
		// The temporary file is from a killed process, because the lock excludes other writers.
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

// fileMode returns the mode of a file, or the mode for a new one.
func fileMode(root *os.Root, name string) fs.FileMode {
	if st, err := root.Lstat(filepath.FromSlash(name)); err == nil {
		return st.Mode().Perm()
	}
	return 0o644
}

// makeDirs makes the folders above a file and returns the new ones, the outermost first.
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

// removeEmpty removes those of dirs that are empty, the innermost first.
func removeEmpty(root *os.Root, dirs []string) {
	for i := len(dirs) - 1; i >= 0; i-- {
		root.Remove(filepath.FromSlash(dirs[i])) // a folder with files stays
	}
}

// removeEmptyAbove removes the folders that are empty after a file was removed from them. git keeps no empty folder, and an empty phase
// folder would count as a phase. Undoing makes them again.
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
			return // a folder with files stays
		}
	}
}

func equalsBytes(a *string, b []byte, there bool) bool {
	if a == nil {
		return !there
	}
	return there && bytes.Equal([]byte(*a), b)
}

// Package folder is the only access to the files of a planning folder, .planning in the root of a project. Its content is untrusted, so
// these are never read: files outside it reached through a link, anything but regular files, files above a size limit, names that would
// break a line of an answer. An error names its file. The package only reads; package change writes.
package folder

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"ken/internal/statefile"
)

// Name is the folder in the root of a project.
const Name = ".planning"

// The limits of reading: no real planning file has 16 MiB, and no real folder so many entries.
const (
	MaxBytes   = 16 << 20
	MaxEntries = 20000
)

// Folder is an open planning folder. Close it after use.
type Folder struct {
	Project    string // the root of the project, absolute
	Base       string // the folder of roadmap, state and phases, with slashes: .planning or below it
	Workstream string // "" if none is chosen
	Problems   []error
	root       *os.Root           // of .planning
	below      string             // Base without .planning
	after      map[string]*string // see After
	seen       *seen
}

// Options choose the part of a planning folder to open.
type Options struct {
	Workstream string // the name of a workstream, "" for the active one
	Sub        string // a folder below .planning that has everything, as set by $GSD_PROJECT
	Flat       bool   // no workstream, even if one is active
	// Pointer is the file with the workstream that an agent's session has chosen, or "". See SessionPointer.
	Pointer string
}

// ErrNone reports that a project has no planning folder.
var ErrNone = errors.New("there is no folder " + Name)

// Error is an error about a file.
type Error struct {
	File string // with slashes, from the root of the project
	Err  error
}

func (e *Error) Error() string { return e.File + ": " + e.Err.Error() }

// Unwrap returns the error without the name of the file.
func (e *Error) Unwrap() error { return e.Err }

// Open opens the planning folder of a project. It fails with ErrNone if there is none, and if the folder cannot be opened or the
// workstream of opt does not exist.
func Open(project string, opt Options) (*Folder, error) {
	project, err := filepath.Abs(project)
	if err != nil {
		return nil, err
	}
	in, err := os.OpenRoot(project)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	switch st, err := in.Stat(Name); {
	case errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Errorf("%w in %s", ErrNone, project)
	case err != nil:
		return nil, &Error{Name, linkError(err)}
	case !st.IsDir():
		return nil, &Error{Name, errors.New("is not a folder")}
	}
	root, err := in.OpenRoot(Name)
	if err != nil {
		return nil, &Error{Name, linkError(err)}
	}
	f := &Folder{Project: project, Base: Name, root: root, seen: newSeen()}
	if err := f.chooseWorkstream(opt); err != nil {
		root.Close()
		return nil, err
	}
	return f, nil
}

// linkError replaces the error about a path that leads out of the folder by one that explains it.
func linkError(err error) error {
	if pe, ok := errors.AsType[*fs.PathError](err); ok && strings.Contains(pe.Err.Error(), "escapes") {
		return errors.New("is a link that leads out of the folder: it is not followed")
	}
	return err
}

// chooseWorkstream finds the folder of the workstream.
func (f *Folder) chooseWorkstream(opt Options) error {
	if opt.Sub != "" {
		if !ValidName(opt.Sub) {
			return fmt.Errorf("%q is not a valid project name: letters, digits, - and _", opt.Sub)
		}
		f.below = opt.Sub
	}
	ws := opt.Workstream
	if ws == "" && !opt.Flat {
		ws = f.activeWorkstream(opt.Pointer)
	}
	if ws != "" {
		if !ValidName(ws) {
			return fmt.Errorf("%q is not a valid workstream name: letters, digits, - and _", ws)
		}
		f.Workstream = ws
		f.below = path.Join(f.below, "workstreams", ws)
		if st, err := f.root.Stat(filepath.FromSlash(f.below)); err != nil || !st.IsDir() {
			known := ""
			if names, _ := f.Workstreams(); len(names) > 0 {
				known = ": there is " + strings.Join(names[:min(len(names), 8)], ", ")
			}
			return fmt.Errorf("there is no workstream %s%s", ws, known)
		}
	}
	f.Base = path.Join(Name, f.below)
	return nil
}

// activeWorkstream returns the workstream that the session has chosen, else the one that a file of the planning folder names. An invalid
// name, or that of a missing workstream, becomes a problem and chooses nothing.
func (f *Folder) activeWorkstream(pointer string) string {
	if name, ok := ReadPointer(pointer); ok && (name == "" || f.isWorkstream(name)) {
		return name
	} else if ok {
		f.Problems = append(f.Problems, fmt.Errorf("the session has chosen a workstream that does not exist: %.60q", name))
	}
	text, err := f.readFile("active-workstream", 4096)
	if err != nil {
		if !errors.Is(err, fs.ErrNotExist) {
			f.Problems = append(f.Problems, err)
		}
		return ""
	}
	name := strings.TrimSpace(text)
	if name == "" {
		return ""
	}
	if !f.isWorkstream(name) {
		f.Problems = append(f.Problems, &Error{path.Join(Name, "active-workstream"), fmt.Errorf("names no workstream: %.60q", name)})
		return ""
	}
	return name
}

func (f *Folder) isWorkstream(name string) bool {
	if !ValidName(name) {
		return false
	}
	st, err := f.root.Stat(filepath.FromSlash(path.Join(f.below, "workstreams", name)))
	return err == nil && st.IsDir()
}

// Workstreams returns the names of all workstreams. It returns an error if their folder cannot be listed.
func (f *Folder) Workstreams() ([]string, error) {
	below, _, _ := strings.Cut(f.below, "workstreams")
	entries, err := f.listFolder(path.Join(below, "workstreams"))
	if err != nil {
		return nil, err
	}
	var names []string
	for _, e := range entries {
		if e.Dir && ValidName(e.Name) {
			names = append(names, e.Name)
		}
	}
	return names, nil
}

// ValidName reports whether a text can be the name of a workstream.
func ValidName(s string) bool {
	const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
	return s != "" && strings.Trim(s, letters+"0123456789-_") == ""
}

// ModTime returns the time of the last change of a file in Base. It returns false if there is no such file.
func (f *Folder) ModTime(name string) (at time.Time, ok bool) {
	name = path.Join(f.below, name)
	if checkPath(name) != nil {
		return at, false
	}
	st, err := f.root.Stat(filepath.FromSlash(name))
	if err != nil {
		f.Note(name, "", &Error{path.Join(Name, name), linkError(err)})
		return at, false
	}
	return st.ModTime(), true
}

// Close closes the folder. It fails as closing a file does.
func (f *Folder) Close() error { return f.root.Close() }

// Path returns the path of a file in Base, from the root of the project.
func (f *Folder) Path(name string) string { return path.Join(f.Base, name) }

// Read returns the text of a file in Base. The error wraps fs.ErrNotExist if there is no such file; it also fails if the file is not
// regular, too large, or outside the planning folder.
func (f *Folder) Read(name string) (string, error) {
	return f.readFile(path.Join(f.below, name), MaxBytes)
}

// ReadRoot returns the text of a file that all workstreams share, such as PROJECT.md. It fails as Read does.
func (f *Folder) ReadRoot(name string) (string, error) { return f.readFile(path.Clean(name), MaxBytes) }

// After returns the folder as a change leaves it. The change has the new texts of files by their paths below .planning, nil for one that
// is removed, and a path that ends with a slash for a removed folder. Only f is closed.
func (f *Folder) After(change map[string]*string) *Folder {
	g := *f
	g.Problems, g.after = nil, change
	return &g
}

// changedEntries returns the entries of a folder after the change.
func (f *Folder) changedEntries(dir string, list []Entry) []Entry {
	if len(f.after) == 0 {
		return list
	}
	list = slices.DeleteFunc(list, func(e Entry) bool {
		name := path.Join(dir, e.Name)
		if e.Dir {
			name += "/"
		}
		text, changed := f.after[name]
		return changed && text == nil
	})
	for name, text := range f.after {
		rest, ok := strings.CutPrefix(name, strings.TrimPrefix(path.Clean(dir)+"/", "./"))
		if !ok || text == nil || rest == "" {
			continue
		}
		first, _, isDir := strings.Cut(rest, "/")
		e := Entry{first, isDir}
		if !slices.Contains(list, e) {
			list = append(list, e)
		}
	}
	slices.SortFunc(list, func(a, b Entry) int { return strings.Compare(a.Name, b.Name) })
	return list
}

func (f *Folder) readFile(name string, most int64) (string, error) {
	if text, ok := f.after[name]; ok {
		if text == nil {
			return "", &Error{path.Join(Name, name), fs.ErrNotExist}
		}
		return *text, nil
	}
	fail := func(err error) (string, error) {
		err = &Error{path.Join(Name, name), linkError(err)}
		f.Note(name, "", err)
		return "", err
	}
	if err := checkPath(name); err != nil {
		return fail(err)
	}
	b, err := statefile.ReadIn(f.root, filepath.FromSlash(name), most)
	if errors.Is(err, fs.ErrNotExist) {
		if st, lerr := f.root.Lstat(filepath.FromSlash(name)); lerr == nil && st.Mode()&fs.ModeSymlink != 0 {
			err = errDangling
		}
	}
	if err != nil {
		return fail(err)
	}
	text := string(b)
	f.Note(name, text, nil)
	return text, nil
}

// checkPath returns an error unless a name is a path below the planning folder.
func checkPath(name string) error {
	if name != "." && !fs.ValidPath(name) {
		return errors.New("is not a path below the folder")
	}
	if strings.IndexFunc(name, unprintable) >= 0 {
		return errors.New("has a control character in its name")
	}
	return nil
}

func unprintable(r rune) bool { return unicode.IsControl(r) || r == utf8.RuneError }

// Entry is a file or folder.
type Entry struct {
	Name string
	Dir  bool
}

// List returns the entries of a folder in Base, by name. It returns none for a folder that does not exist. It leaves out links that lead
// out of the planning folder and names with a control character, and adds a problem for each. It returns an error if the folder cannot be
// read or has more than MaxEntries entries.
func (f *Folder) List(dir string) ([]Entry, error) { return f.listFolder(path.Join(f.below, dir)) }

// ListRoot returns the entries of a folder that all workstreams share, such as milestones. It fails as List does.
func (f *Folder) ListRoot(dir string) ([]Entry, error) { return f.listFolder(path.Clean(dir)) }

func (f *Folder) listFolder(dir string) ([]Entry, error) {
	list, err := f.listPresent(dir)
	return f.changedEntries(dir, list), err
}

// listPresent returns the entries of a folder before the change.
func (f *Folder) listPresent(dir string) ([]Entry, error) {
	fail := func(err error) ([]Entry, error) { return nil, &Error{path.Join(Name, dir), linkError(err)} }
	if dir == "" {
		dir = "."
	}
	if err := checkPath(dir); err != nil {
		return fail(err)
	}
	// Stat before opening, because opening a pipe waits for a writer.
	switch st, err := f.root.Stat(filepath.FromSlash(dir)); {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case err != nil:
		return fail(err)
	case !st.IsDir() && !st.Mode().IsRegular():
		return fail(errors.New("is not a folder"))
	}
	d, err := f.root.Open(filepath.FromSlash(dir))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return fail(err)
	}
	defer d.Close()
	found, err := d.ReadDir(MaxEntries + 1)
	if err != nil && err != io.EOF {
		return fail(err)
	}
	if len(found) > MaxEntries {
		return fail(fmt.Errorf("more than %d entries", MaxEntries))
	}
	list := make([]Entry, 0, len(found))
	for _, e := range found {
		if entry, ok := f.newEntry(dir, e); ok {
			list = append(list, entry)
		}
	}
	slices.SortFunc(list, func(a, b Entry) int { return strings.Compare(a.Name, b.Name) })
	return list, nil
}

func (f *Folder) newEntry(dir string, e fs.DirEntry) (Entry, bool) {
	at := path.Join(dir, e.Name())
	if strings.IndexFunc(e.Name(), unprintable) >= 0 {
		f.Problems = append(f.Problems, &Error{path.Join(Name, dir), fmt.Errorf("the name %.80q has a control character or is not UTF-8: it is left out", e.Name())})
		return Entry{}, false
	}
	if e.Type()&fs.ModeSymlink == 0 {
		return Entry{e.Name(), e.IsDir()}, true
	}
	st, err := f.root.Stat(filepath.FromSlash(at))
	if err != nil {
		err = &Error{path.Join(Name, at), linkError(err)}
		f.Problems = append(f.Problems, err)
		if errors.Is(err, fs.ErrNotExist) {
			err = &Error{path.Join(Name, at), errDangling}
		}
		f.Note(at, "", err)
		return Entry{}, false
	}
	return Entry{e.Name(), st.IsDir()}, true
}

// Exists reports whether Base has a file or folder with this name.
func (f *Folder) Exists(name string) bool { return f.exists(path.Join(f.below, name)) }

// ExistsRoot reports whether there is a file or folder that all workstreams share.
func (f *Folder) ExistsRoot(name string) bool { return f.exists(path.Clean(name)) }

func (f *Folder) exists(name string) bool {
	if checkPath(name) != nil {
		return false
	}
	if text, ok := f.after[name]; ok {
		return text != nil
	}
	_, err := f.root.Stat(filepath.FromSlash(name))
	if err != nil {
		f.Note(name, "", &Error{path.Join(Name, name), linkError(err)})
	}
	return err == nil
}

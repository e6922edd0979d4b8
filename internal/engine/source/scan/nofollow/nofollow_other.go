//go:build !unix

package nofollow

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"ken/internal/code"
)

// Root is the root directory, kept by os.Root, which lets no path out of it.
type Root struct{ r *os.Root }

// Open opens the root directory itself, whose own path may hold links.
func Open(path string) (*Root, error) {
	r, err := os.OpenRoot(path)
	if err != nil {
		return nil, err
	}
	return &Root{r}, nil
}

// Close closes it; what was opened below stays open.
func (r *Root) Close() { _ = r.r.Close() }

// Open opens a regular file; a link as its last element is refused.
func (r *Root) Open(path string) (File, error) {
	st, err := r.r.Lstat(filepath.FromSlash(path))
	if err == nil && !st.Mode().IsRegular() {
		err = &fs.PathError{Op: "open", Path: path, Err: errNotRegular}
	}
	if err != nil {
		return File{}, err
	}
	f, err := r.r.Open(filepath.FromSlash(path))
	return File{f}, err
}

var errNotRegular = errors.New("not a regular file")

// File is an open file.
type File struct{ f *os.File }

// Close closes the file.
func (f File) Close() { _ = f.f.Close() }

// Read is io.Reader's.
func (f File) Read(p []byte) (int, error) { return f.f.Read(p) }

// Stat looks at the open file.
func (f File) Stat() (code.Stat, Kind, error) {
	st, err := f.f.Stat()
	if err != nil {
		return code.Stat{}, Missing, err
	}
	s, k := statOf(st)
	return s, k, nil
}

// Looker stats paths relative to a directory.
type Looker struct {
	r   *os.Root
	dir string
}

// Looker makes one for the root.
func (r *Root) Looker() *Looker { return &Looker{r: r.r} }

// Lstat looks at dir/name (dir may be ""); a missing file is Missing, other errors
// are returned.
func (l *Looker) Lstat(dir, name string) (code.Stat, Kind, error) {
	st, err := l.r.Lstat(filepath.Join(filepath.FromSlash(l.dir), filepath.FromSlash(dir), filepath.FromSlash(name)))
	switch {
	case err == nil:
		s, k := statOf(st)
		return s, k, nil
	case Gone(err):
		return code.Stat{}, Missing, nil
	}
	return code.Stat{}, Missing, err
}

// statOf has neither ctime nor inode here: size and mtime must do.
func statOf(st fs.FileInfo) (code.Stat, Kind) {
	s := code.Stat{Size: st.Size(), MTime: st.ModTime().UnixNano()}
	switch m := st.Mode(); {
	case m.IsRegular():
		return s, Regular
	case m.IsDir():
		return s, Directory
	case m&(fs.ModeSymlink|fs.ModeIrregular) != 0:
		return s, Link
	}
	return s, Special
}

// StatPath stats a file outside the tree, following links, because users link their
// configuration. A missing file has the zero Stat.
func StatPath(path string) (code.Stat, Kind) {
	st, err := os.Stat(path)
	if err != nil {
		return code.Stat{}, Missing
	}
	return statOf(st)
}

// Dir is a directory being read.
type Dir struct {
	Looker
	f *os.File
}

// OpenDir opens a directory below the root; "" is the root.
func (r *Root) OpenDir(path string) (*Dir, error) {
	name := filepath.FromSlash(path)
	if name == "" {
		name = "."
	}
	f, err := r.r.Open(name)
	if err != nil {
		return nil, err
	}
	return &Dir{Looker{r.r, name}, f}, nil
}

// Close closes the directory.
func (d *Dir) Close() { _ = d.f.Close() }

// Stat looks at the directory itself.
func (d *Dir) Stat() (code.Stat, error) {
	st, err := d.f.Stat()
	if err != nil {
		return code.Stat{}, err
	}
	s, _ := statOf(st)
	return s, nil
}

// Names lists the directory, in the file system's order.
func (d *Dir) Names([]byte) ([]string, error) { return d.f.Readdirnames(-1) }

// Open opens a file of the directory.
func (d *Dir) Open(name string) (File, error) {
	return (&Root{d.r}).Open(filepath.ToSlash(filepath.Join(d.dir, name)))
}

// Gone reports whether an error means that the path was removed while we looked.
func Gone(err error) bool { return errors.Is(err, fs.ErrNotExist) }

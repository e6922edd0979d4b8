//go:build !unix

package nofollow

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"ken/internal/code"
)

// Root is an open root directory. os.Root keeps every path inside it.
type Root struct{ r *os.Root }

// Open opens the root directory itself, whose own path may have links. It fails if it is no directory.
func Open(path string) (*Root, error) {
	r, err := os.OpenRoot(path)
	if err != nil {
		return nil, err
	}
	return &Root{r}, nil
}

// Close closes the root directory. Files that were opened below it stay open.
func (r *Root) Close() { _ = r.r.Close() }

// Open opens a regular file. It fails for a link as the last element.
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

// Read reads as io.Reader specifies. It returns io.EOF at the end, or the error of the system call.
func (f File) Read(p []byte) (int, error) { return f.f.Read(p) }

// Stat returns the stat and the kind of the open file. It fails if the system call does.
func (f File) Stat() (code.Stat, Kind, error) {
	st, err := f.f.Stat()
	if err != nil {
		return code.Stat{}, Missing, err
	}
	s, k := fileStat(st)
	return s, k, nil
}

// StatReader returns the stats of paths relative to a directory.
type StatReader struct {
	r   *os.Root
	dir string
}

// NewStatReader returns a StatReader for the root.
func (r *Root) NewStatReader() *StatReader { return &StatReader{r: r.r} }

// Lstat returns the stat and the kind of dir/name (dir may be ""). A missing file is Missing and no error; it
// returns other errors.
func (l *StatReader) Lstat(dir, name string) (code.Stat, Kind, error) {
	st, err := l.r.Lstat(filepath.Join(filepath.FromSlash(l.dir), filepath.FromSlash(dir), filepath.FromSlash(name)))
	switch {
	case err == nil:
		s, k := fileStat(st)
		return s, k, nil
	case IsGone(err):
		return code.Stat{}, Missing, nil
	}
	return code.Stat{}, Missing, err
}

// fileStat returns a stat with size and mtime alone, because there is neither ctime nor inode here.
func fileStat(st fs.FileInfo) (code.Stat, Kind) {
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

// StatPath returns the stat of a file outside the tree. It follows links, because users link their
// configuration. A missing file has the zero Stat.
func StatPath(path string) (code.Stat, Kind) {
	st, err := os.Stat(path)
	if err != nil {
		return code.Stat{}, Missing
	}
	return fileStat(st)
}

// Dir is a directory being read.
type Dir struct {
	StatReader
	f *os.File
}

// OpenDir opens a directory below the root; "" is the root. It fails if there is none or a link is on the way.
func (r *Root) OpenDir(path string) (*Dir, error) {
	name := filepath.FromSlash(path)
	if name == "" {
		name = "."
	}
	f, err := r.r.Open(name)
	if err != nil {
		return nil, err
	}
	return &Dir{StatReader{r.r, name}, f}, nil
}

// Close closes the directory.
func (d *Dir) Close() { _ = d.f.Close() }

// Stat returns the stat of the directory itself. It fails if the system call does.
func (d *Dir) Stat() (code.Stat, error) {
	st, err := d.f.Stat()
	if err != nil {
		return code.Stat{}, err
	}
	s, _ := fileStat(st)
	return s, nil
}

// Names returns the names in the directory, in the file system's order. It fails if the directory cannot be read.
func (d *Dir) Names([]byte) ([]string, error) { return d.f.Readdirnames(-1) }

// Open opens a file of the directory. It fails as Root.Open does.
func (d *Dir) Open(name string) (File, error) {
	return (&Root{d.r}).Open(filepath.ToSlash(filepath.Join(d.dir, name)))
}

// IsGone reports whether an error means that the path was removed meanwhile.
func IsGone(err error) bool { return errors.Is(err, fs.ErrNotExist) }

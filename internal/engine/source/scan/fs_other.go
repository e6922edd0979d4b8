//go:build !unix

package scan

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"ken/internal/code"
)

// root is the root directory, kept by os.Root, which lets no path out of it.
type root struct{ r *os.Root }

func openRoot(path string) (*root, error) {
	r, err := os.OpenRoot(path)
	if err != nil {
		return nil, err
	}
	return &root{r}, nil
}

func (r *root) close() { _ = r.r.Close() }

// open opens a regular file; a link as its last element is refused.
func (r *root) open(path string) (file, error) {
	st, err := r.r.Lstat(filepath.FromSlash(path))
	if err == nil && !st.Mode().IsRegular() {
		err = &fs.PathError{Op: "open", Path: path, Err: errNotRegular}
	}
	if err != nil {
		return file{}, err
	}
	f, err := r.r.Open(filepath.FromSlash(path))
	return file{f}, err
}

var errNotRegular = errors.New("not a regular file")

type file struct{ f *os.File }

func (f file) close()                     { _ = f.f.Close() }
func (f file) Read(p []byte) (int, error) { return f.f.Read(p) }

func (f file) stat() (code.Stat, kind, error) {
	st, err := f.f.Stat()
	if err != nil {
		return code.Stat{}, kindMissing, err
	}
	s, k := statOf(st)
	return s, k, nil
}

// looker stats paths relative to a directory.
type looker struct {
	r   *os.Root
	dir string
}

func (r *root) looker() *looker { return &looker{r: r.r} }

func (l *looker) lstat(dir, name string) (code.Stat, kind, error) {
	st, err := l.r.Lstat(filepath.Join(filepath.FromSlash(l.dir), filepath.FromSlash(dir), filepath.FromSlash(name)))
	switch {
	case err == nil:
		s, k := statOf(st)
		return s, k, nil
	case gone(err):
		return code.Stat{}, kindMissing, nil
	}
	return code.Stat{}, kindMissing, err
}

// statOf has neither ctime nor inode here: size and mtime must do.
func statOf(st fs.FileInfo) (code.Stat, kind) {
	s := code.Stat{Size: st.Size(), MTime: st.ModTime().UnixNano()}
	switch m := st.Mode(); {
	case m.IsRegular():
		return s, kindFile
	case m.IsDir():
		return s, kindDir
	case m&(fs.ModeSymlink|fs.ModeIrregular) != 0:
		return s, kindLink
	}
	return s, kindSpecial
}

// statPath stats a file outside the tree, following links; the zero Stat stands
// for a missing file.
func statPath(path string) (code.Stat, kind) {
	st, err := os.Stat(path)
	if err != nil {
		return code.Stat{}, kindMissing
	}
	return statOf(st)
}

type openDir struct {
	looker
	f *os.File
}

func (r *root) openDir(path string) (*openDir, error) {
	name := filepath.FromSlash(path)
	if name == "" {
		name = "."
	}
	f, err := r.r.Open(name)
	if err != nil {
		return nil, err
	}
	return &openDir{looker{r.r, name}, f}, nil
}

func (d *openDir) close() { _ = d.f.Close() }

func (d *openDir) stat() (code.Stat, error) {
	st, err := d.f.Stat()
	if err != nil {
		return code.Stat{}, err
	}
	s, _ := statOf(st)
	return s, nil
}

func (d *openDir) names([]byte) ([]string, error) { return d.f.Readdirnames(-1) }

func (d *openDir) open(name string) (file, error) {
	return (&root{d.r}).open(filepath.ToSlash(filepath.Join(d.dir, name)))
}

func gone(err error) bool { return errors.Is(err, fs.ErrNotExist) }

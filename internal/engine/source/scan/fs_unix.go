//go:build unix

package scan

import (
	"io"
	"os"
	"strings"

	"golang.org/x/sys/unix"

	"ken/internal/code"
)

// root is an open root directory. Everything below it is named relative to it,
// so that no component of a path is looked up twice.
type root struct{ fd int }

func openRoot(path string) (*root, error) {
	fd, err := retry(func() (int, error) {
		return unix.Open(path, unix.O_RDONLY|unix.O_DIRECTORY|unix.O_CLOEXEC, 0)
	})
	if err != nil {
		return nil, &os.PathError{Op: "open", Path: path, Err: err}
	}
	return &root{fd}, nil
}

func (r *root) close() { _ = unix.Close(r.fd) }

// open opens path for reading without following any link on the way. A pipe
// does not block it.
func (r *root) open(path string) (file, error) {
	fd, err := r.openFD(path, 0)
	if err != nil {
		return file{}, &os.PathError{Op: "open", Path: path, Err: err}
	}
	return file{fd}, nil
}

// file is an open file. os.File would add each to the poller, a system call
// that fails for regular files.
type file struct{ fd int }

func (f file) close() { _ = unix.Close(f.fd) }

// Read is io.Reader's.
func (f file) Read(p []byte) (int, error) {
	n, err := retry(func() (int, error) { return unix.Read(f.fd, p) })
	switch {
	case err != nil:
		return 0, err
	case n == 0 && len(p) > 0:
		return 0, io.EOF
	}
	return n, nil
}

func (f file) stat() (code.Stat, kind, error) {
	var st unix.Stat_t
	if err := unix.Fstat(f.fd, &st); err != nil {
		return code.Stat{}, kindMissing, err
	}
	return statOf(&st), kindOf(&st), nil
}

// openFD opens path relative to the root; "" is the root itself.
func (r *root) openFD(path string, flags int) (int, error) {
	flags |= unix.O_RDONLY | unix.O_NOFOLLOW | unix.O_NONBLOCK | unix.O_CLOEXEC
	if path == "" {
		path = "."
	}
	return retry(func() (int, error) { return openBeneath(r.fd, path, flags) })
}

// openSteps opens path one element at a time, following no link: the way where
// the kernel cannot do it in one call.
func openSteps(dir int, path string, flags int) (int, error) {
	at := dir
	for {
		name, rest, more := strings.Cut(path, "/")
		if name == ".." || name == "" {
			return -1, unix.EINVAL
		}
		f := flags
		if more {
			f = unix.O_RDONLY | unix.O_NOFOLLOW | unix.O_DIRECTORY | unix.O_CLOEXEC
		}
		fd, err := unix.Openat(at, name, f, 0)
		if at != dir {
			_ = unix.Close(at)
		}
		if err != nil || !more {
			return fd, err
		}
		at, path = fd, rest
	}
}

func retry(f func() (int, error)) (int, error) {
	for {
		fd, err := f()
		if err != unix.EINTR {
			return fd, err
		}
	}
}

// looker stats paths relative to a directory, reusing one buffer. It belongs to
// one goroutine.
type looker struct {
	fd  int
	buf []byte
	st  unix.Stat_t
}

func (r *root) looker() *looker { return &looker{fd: r.fd, buf: make([]byte, 0, 512)} }

// lstat looks at dir/name (dir may be ""); a missing file is kindMissing, other
// errors are returned.
func (l *looker) lstat(dir, name string) (code.Stat, kind, error) {
	l.buf = l.buf[:0]
	if dir != "" {
		l.buf = append(append(l.buf, dir...), '/')
	}
	l.buf = append(l.buf, name...)
	if len(l.buf) == 0 {
		l.buf = append(l.buf, '.')
	}
	l.buf = append(l.buf, 0)
	switch err := lstatat(l.fd, l.buf, &l.st); err {
	case nil:
		return statOf(&l.st), kindOf(&l.st), nil
	case unix.ENOENT, unix.ENOTDIR:
		return code.Stat{}, kindMissing, nil
	default:
		return code.Stat{}, kindMissing, err
	}
}

func statOf(st *unix.Stat_t) code.Stat {
	return code.Stat{Size: st.Size, MTime: st.Mtim.Nano(), CTime: st.Ctim.Nano(), Inode: uint64(st.Ino)}
}

// statPath stats a file outside the tree. It follows links: users link their
// configuration. The zero Stat stands for a missing file.
func statPath(path string) (code.Stat, kind) {
	var st unix.Stat_t
	if unix.Stat(path, &st) != nil {
		return code.Stat{}, kindMissing
	}
	return statOf(&st), kindOf(&st)
}

func kindOf(st *unix.Stat_t) kind {
	switch uint32(st.Mode) & unix.S_IFMT {
	case unix.S_IFREG:
		return kindFile
	case unix.S_IFDIR:
		return kindDir
	case unix.S_IFLNK:
		return kindLink
	}
	return kindSpecial
}

// openDir is a directory being read.
type openDir struct{ looker }

// openDir opens a directory below the root; "" is the root.
func (r *root) openDir(path string) (*openDir, error) {
	fd, err := r.openFD(path, unix.O_DIRECTORY)
	if err != nil {
		return nil, err
	}
	return &openDir{looker{fd: fd, buf: make([]byte, 0, 256)}}, nil
}

func (d *openDir) close() { _ = unix.Close(d.fd) }

func (d *openDir) stat() (code.Stat, error) {
	if err := unix.Fstat(d.fd, &d.st); err != nil {
		return code.Stat{}, err
	}
	return statOf(&d.st), nil
}

// names lists the directory, in the file system's order.
func (d *openDir) names(buf []byte) ([]string, error) {
	var names []string
	for {
		n, err := unix.ReadDirent(d.fd, buf)
		if err == unix.EINTR {
			continue
		}
		if err != nil || n <= 0 {
			return names, err
		}
		_, _, names = unix.ParseDirent(buf[:n], -1, names)
	}
}

// open opens a file of the directory.
func (d *openDir) open(name string) (file, error) {
	return (&root{d.fd}).open(name)
}

// gone reports an error that says that the path is not what it was: removed, or
// a directory replaced by a link or file, while we looked.
func gone(err error) bool {
	return err == unix.ENOENT || err == unix.ENOTDIR || err == unix.ELOOP
}

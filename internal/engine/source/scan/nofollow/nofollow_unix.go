//go:build unix

package nofollow

import (
	"io"
	"os"
	"strings"

	"golang.org/x/sys/unix"

	"ken/internal/code"
)

// Root is an open root directory. Everything below it is named relative to it,
// so that no component of a path is looked up twice.
type Root struct{ fd int }

// Open opens the root directory itself, whose own path may hold links.
func Open(path string) (*Root, error) {
	fd, err := retry(func() (int, error) {
		return unix.Open(path, unix.O_RDONLY|unix.O_DIRECTORY|unix.O_CLOEXEC, 0)
	})
	if err != nil {
		return nil, &os.PathError{Op: "open", Path: path, Err: err}
	}
	return &Root{fd}, nil
}

// Close closes it; what was opened below stays open.
func (r *Root) Close() { _ = unix.Close(r.fd) }

// Open opens path for reading without following any link on the way. A pipe
// does not block it.
func (r *Root) Open(path string) (File, error) {
	fd, err := r.openFD(path, 0)
	if err != nil {
		return File{}, &os.PathError{Op: "open", Path: path, Err: err}
	}
	return File{fd}, nil
}

// File is an open file. os.File would add each to the poller, a system call
// that fails for regular files.
type File struct{ fd int }

// Close closes the file.
func (f File) Close() { _ = unix.Close(f.fd) }

// Read is io.Reader's.
func (f File) Read(p []byte) (int, error) {
	n, err := retry(func() (int, error) { return unix.Read(f.fd, p) })
	switch {
	case err != nil:
		return 0, err
	case n == 0 && len(p) > 0:
		return 0, io.EOF
	}
	return n, nil
}

// Stat looks at the open file.
func (f File) Stat() (code.Stat, Kind, error) {
	var st unix.Stat_t
	if err := unix.Fstat(f.fd, &st); err != nil {
		return code.Stat{}, Missing, err
	}
	return statOf(&st), kindOf(&st), nil
}

// openFD opens path relative to the root; "" is the root itself.
func (r *Root) openFD(path string, flags int) (int, error) {
	flags |= unix.O_RDONLY | unix.O_NOFOLLOW | unix.O_NONBLOCK | unix.O_CLOEXEC
	if path == "" {
		path = "."
	}
	return retry(func() (int, error) { return openBeneath(r.fd, path, flags) })
}

// openSteps opens path one element at a time, following no link. It is for kernels
// that cannot do that in one call.
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

// Looker stats paths relative to a directory, reusing one buffer. It belongs to
// one goroutine.
type Looker struct {
	fd  int
	buf []byte
	st  unix.Stat_t
}

// Looker makes one for the root.
func (r *Root) Looker() *Looker { return &Looker{fd: r.fd, buf: make([]byte, 0, 512)} }

// Lstat looks at dir/name (dir may be ""); a missing file is Missing, other
// errors are returned.
func (l *Looker) Lstat(dir, name string) (code.Stat, Kind, error) {
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
		return code.Stat{}, Missing, nil
	default:
		return code.Stat{}, Missing, err
	}
}

func statOf(st *unix.Stat_t) code.Stat {
	return code.Stat{Size: st.Size, MTime: st.Mtim.Nano(), CTime: st.Ctim.Nano(), Inode: uint64(st.Ino)}
}

// StatPath stats a file outside the tree. It follows links, because users link their
// configuration. A missing file has the zero Stat.
func StatPath(path string) (code.Stat, Kind) {
	var st unix.Stat_t
	if unix.Stat(path, &st) != nil {
		return code.Stat{}, Missing
	}
	return statOf(&st), kindOf(&st)
}

func kindOf(st *unix.Stat_t) Kind {
	switch uint32(st.Mode) & unix.S_IFMT {
	case unix.S_IFREG:
		return Regular
	case unix.S_IFDIR:
		return Directory
	case unix.S_IFLNK:
		return Link
	}
	return Special
}

// Dir is a directory being read.
type Dir struct{ Looker }

// OpenDir opens a directory below the root; "" is the root.
func (r *Root) OpenDir(path string) (*Dir, error) {
	fd, err := r.openFD(path, unix.O_DIRECTORY)
	if err != nil {
		return nil, err
	}
	return &Dir{Looker{fd: fd, buf: make([]byte, 0, 256)}}, nil
}

// Close closes the directory.
func (d *Dir) Close() { _ = unix.Close(d.fd) }

// Stat looks at the directory itself.
func (d *Dir) Stat() (code.Stat, error) {
	if err := unix.Fstat(d.fd, &d.st); err != nil {
		return code.Stat{}, err
	}
	return statOf(&d.st), nil
}

// Names lists the directory, in the file system's order.
func (d *Dir) Names(buf []byte) ([]string, error) {
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

// Open opens a file of the directory.
func (d *Dir) Open(name string) (File, error) {
	return (&Root{d.fd}).Open(name)
}

// Gone reports whether an error means that the path changed while we looked: it was
// removed, or a directory was replaced by a link or file.
func Gone(err error) bool {
	return err == unix.ENOENT || err == unix.ENOTDIR || err == unix.ELOOP
}

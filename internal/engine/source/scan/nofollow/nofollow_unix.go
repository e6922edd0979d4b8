//go:build unix

package nofollow

import (
	"io"
	"os"
	"strings"

	"golang.org/x/sys/unix"

	"ken/internal/code"
)

// Root is an open root directory. Paths below it are relative to it,
// so that no component of a path is looked up twice.
type Root struct{ fd int }

// Open opens the root directory itself, whose own path may have links. It fails if it is no directory.
func Open(path string) (*Root, error) {
	fd, err := retryInterrupted(func() (int, error) {
		return unix.Open(path, unix.O_RDONLY|unix.O_DIRECTORY|unix.O_CLOEXEC, 0)
	})
	if err != nil {
		return nil, &os.PathError{Op: "open", Path: path, Err: err}
	}
	return &Root{fd}, nil
}

// Close closes the root directory. Files that were opened below it stay open.
func (r *Root) Close() { _ = unix.Close(r.fd) }

// Open opens path for reading without following any link on the way. A pipe
// does not block it. It fails with ELOOP if there is a link, and with the error of the system call otherwise.
func (r *Root) Open(path string) (File, error) {
	fd, err := r.openFD(path, 0)
	if err != nil {
		return File{}, &os.PathError{Op: "open", Path: path, Err: err}
	}
	return File{fd}, nil
}

// File is an open file. An os.File would add each file to the poller, with
// a system call that fails for regular files.
type File struct{ fd int }

// Close closes the file.
func (f File) Close() { _ = unix.Close(f.fd) }

// Read reads as io.Reader specifies. It returns io.EOF at the end, or the error of the system call.
func (f File) Read(p []byte) (int, error) {
	n, err := retryInterrupted(func() (int, error) { return unix.Read(f.fd, p) })
	switch {
	case err != nil:
		return 0, err
	case n == 0 && len(p) > 0:
		return 0, io.EOF
	}
	return n, nil
}

// Stat returns the stat and the kind of the open file. It fails if the system call does.
func (f File) Stat() (code.Stat, Kind, error) {
	var st unix.Stat_t
	if err := unix.Fstat(f.fd, &st); err != nil {
		return code.Stat{}, Missing, err
	}
	return fileStat(&st), fileKind(&st), nil
}

// openFD opens path relative to the root; "" is the root itself.
func (r *Root) openFD(path string, flags int) (int, error) {
	flags |= unix.O_RDONLY | unix.O_NOFOLLOW | unix.O_NONBLOCK | unix.O_CLOEXEC
	if path == "" {
		path = "."
	}
	return retryInterrupted(func() (int, error) { return openBeneath(r.fd, path, flags) })
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

func retryInterrupted(f func() (int, error)) (int, error) {
	for {
		fd, err := f()
		if err != unix.EINTR {
			return fd, err
		}
	}
}

// StatReader returns the stats of paths relative to a directory, reusing one
// buffer. It belongs to one goroutine.
type StatReader struct {
	fd  int
	buf []byte
	st  unix.Stat_t
}

// NewStatReader returns a StatReader for the root.
func (r *Root) NewStatReader() *StatReader { return &StatReader{fd: r.fd, buf: make([]byte, 0, 512)} }

// Lstat returns the stat and the kind of dir/name (dir may be ""). A missing file is Missing and no error; it
// returns other errors.
func (l *StatReader) Lstat(dir, name string) (code.Stat, Kind, error) {
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
		return fileStat(&l.st), fileKind(&l.st), nil
	case unix.ENOENT, unix.ENOTDIR:
		return code.Stat{}, Missing, nil
	default:
		return code.Stat{}, Missing, err
	}
}

func fileStat(st *unix.Stat_t) code.Stat {
	return code.Stat{Size: st.Size, MTime: st.Mtim.Nano(), CTime: st.Ctim.Nano(), Inode: uint64(st.Ino)}
}

// StatPath returns the stat of a file outside the tree. It follows links, because users link their
// configuration. A missing file has the zero Stat.
func StatPath(path string) (code.Stat, Kind) {
	var st unix.Stat_t
	if unix.Stat(path, &st) != nil {
		return code.Stat{}, Missing
	}
	return fileStat(&st), fileKind(&st)
}

func fileKind(st *unix.Stat_t) Kind {
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
type Dir struct{ StatReader }

// OpenDir opens a directory below the root; "" is the root. It fails if there is none or a link is on the way.
func (r *Root) OpenDir(path string) (*Dir, error) {
	fd, err := r.openFD(path, unix.O_DIRECTORY)
	if err != nil {
		return nil, err
	}
	return &Dir{StatReader{fd: fd, buf: make([]byte, 0, 256)}}, nil
}

// Close closes the directory.
func (d *Dir) Close() { _ = unix.Close(d.fd) }

// Stat returns the stat of the directory itself. It fails if the system call does.
func (d *Dir) Stat() (code.Stat, error) {
	if err := unix.Fstat(d.fd, &d.st); err != nil {
		return code.Stat{}, err
	}
	return fileStat(&d.st), nil
}

// Names returns the names in the directory, in the file system's order. It fails if the directory cannot be read.
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

// Open opens a file of the directory. It fails as Root.Open does.
func (d *Dir) Open(name string) (File, error) {
	return (&Root{d.fd}).Open(name)
}

// IsGone reports whether an error means that the path changed meanwhile: it was
// removed, or a directory was replaced by a link or file.
func IsGone(err error) bool {
	return err == unix.ENOENT || err == unix.ENOTDIR || err == unix.ELOOP
}

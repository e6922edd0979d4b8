//go:build unix

package install

import (
	"errors"
	"io/fs"
	"os"
	"syscall"

	"golang.org/x/sys/unix"
)

// checkOwner fails for a file of another user, because its replacement would be ours.
func checkOwner(st fs.FileInfo) error {
	sys, ok := st.Sys().(*syscall.Stat_t)
	if ok && os.Geteuid() != 0 && int(sys.Uid) != os.Geteuid() {
		return errors.New("it belongs to another user")
	}
	return nil
}

// checkFolder fails if no file can be made in a folder: it is read-only, or on a disk that is.
func checkFolder(dir string) error { return unix.Access(dir, unix.W_OK|unix.X_OK) }

// keepOwner gives a file the owner and group of another.
func keepOwner(f *os.File, like fs.FileInfo) error {
	want, ok := like.Sys().(*syscall.Stat_t)
	if !ok {
		return nil
	}
	st, err := f.Stat()
	if err != nil {
		return err
	}
	if is, ok := st.Sys().(*syscall.Stat_t); ok && is.Uid == want.Uid && is.Gid == want.Gid {
		return nil
	}
	return f.Chown(int(want.Uid), int(want.Gid))
}

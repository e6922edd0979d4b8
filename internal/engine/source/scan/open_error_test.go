package scan

import (
	"errors"
	"io/fs"
	"syscall"
	"testing"

	"ken/internal/code"
	"ken/internal/engine/source/scan/nofollow"
)

// One file that cannot be opened never ends a look at the tree.
func TestOpenError(t *testing.T) {
	r, err := nofollow.Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	for _, c := range []struct {
		errno   syscall.Errno
		problem code.Problem
		gone    bool
	}{
		{errno: syscall.EACCES, problem: code.ProblemUnreadable},
		{errno: syscall.EIO, problem: code.ProblemUnreadable},
		{errno: syscall.ESTALE, problem: code.ProblemUnreadable},
		{errno: syscall.EINVAL, problem: code.ProblemUnreadable},
		{errno: syscall.ENXIO, problem: code.ProblemSpecial},
		{errno: syscall.ELOOP, problem: code.ProblemSymlink},
		{errno: syscall.ESRCH, gone: true},
		{errno: syscall.ENOTDIR, gone: true},
	} {
		got := Content{Path: "x"}
		err := got.openError(r, &fs.PathError{Op: "open", Path: "x", Err: c.errno})
		if got.Problem != c.problem || errors.Is(err, fs.ErrNotExist) != c.gone || !c.gone && err != nil {
			t.Errorf("%v: problem %q, error %v", c.errno, got.Problem, err)
		}
	}
	if err := new(Content).openError(r, syscall.EMFILE); err == nil {
		t.Error("too many open files passed for a property of the file")
	}
}

// Package regular refuses what lies in place of a file that ken keeps and is no
// regular file. A repository or an archive can hold a symbolic link that makes ken
// write to a file elsewhere, or a pipe whose opening waits for ever, inside a library
// that no signal reaches. store/sqlite and store/filelock ask before they open.
package regular

import (
	"fmt"
	"io/fs"
	"os"
)

// Error says what lies where a regular file or a directory should.
type Error struct {
	Path string
	Mode fs.FileMode // what it is
	Want string      // what it should be
}

func (e *Error) Error() string {
	if e.Mode&fs.ModeSymlink != 0 {
		return e.Path + " is a symbolic link, which ken does not follow; remove it"
	}
	return fmt.Sprintf("%s is %s, not %s; remove it", e.Path, kind(e.Mode), e.Want)
}

// kind names what a file is.
func kind(m fs.FileMode) string {
	switch {
	case m&fs.ModeNamedPipe != 0:
		return "a named pipe"
	case m&fs.ModeSocket != 0:
		return "a socket"
	case m&(fs.ModeDevice|fs.ModeCharDevice) != 0:
		return "a device"
	case m.IsDir():
		return "a directory"
	case m.IsRegular():
		return "a file"
	}
	return "a special file"
}

// Files fails if one of the paths exists and is no regular file. What cannot be
// looked at is left to whoever opens it.
func Files(paths ...string) error {
	for _, p := range paths {
		if st, err := os.Lstat(p); err == nil && !st.Mode().IsRegular() {
			return &Error{Path: p, Mode: st.Mode(), Want: "a regular file"}
		}
	}
	return nil
}

// Folder fails if path exists and is no directory.
func Folder(path string) error {
	if st, err := os.Lstat(path); err == nil && !st.IsDir() {
		return &Error{Path: path, Mode: st.Mode(), Want: "a directory"}
	}
	return nil
}

package statefile

import (
	"fmt"
	"io/fs"
	"os"
)

// KindError reports that a path is not a regular file, or not a directory, where one is needed.
type KindError struct {
	Path string
	Mode fs.FileMode
	Want string // "a regular file" or "a directory"
}

func (e *KindError) Error() string {
	if e.Mode&fs.ModeSymlink != 0 {
		return e.Path + " is a symbolic link, which ken does not follow; remove it"
	}
	return fmt.Sprintf("%s is %s, not %s; remove it", e.Path, kind(e.Mode), e.Want)
}

// kind returns the name of a file's kind, such as "a directory".
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

// CheckFiles fails with a KindError if one of the paths exists and is no regular file. It is for files that a library opens. A path
// that cannot be examined is no error, because opening it will be one.
func CheckFiles(paths ...string) error {
	for _, p := range paths {
		if st, err := os.Lstat(p); err == nil && !st.Mode().IsRegular() {
			return &KindError{Path: p, Mode: st.Mode(), Want: "a regular file"}
		}
	}
	return nil
}

// CheckLogs does the same as CheckFiles for files that SQLite makes beside a database, and fails with a LinkedError if one of them has
// another name, because SQLite writes into them as they are. It never makes such a name, and an archive can.
func CheckLogs(paths ...string) error {
	if err := CheckFiles(paths...); err != nil {
		return err
	}
	for _, p := range paths {
		if st, err := os.Lstat(p); err == nil && HasOtherNames(st) {
			return &LinkedError{p}
		}
	}
	return nil
}

// LinkedError reports that a file has another name, by which something else would be written.
type LinkedError struct{ Path string }

func (e *LinkedError) Error() string {
	return e.Path + " is a hard link to another file, which ken does not write; remove it"
}

// CheckFolder fails with a KindError if path exists and is no directory.
func CheckFolder(path string) error {
	if st, err := os.Lstat(path); err == nil && !st.IsDir() {
		return &KindError{Path: path, Mode: st.Mode(), Want: "a directory"}
	}
	return nil
}

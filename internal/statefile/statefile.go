// Package statefile reads and replaces small files whole. A repository or an archive can put a symbolic link in the place of a
// file, so that ken would read or write elsewhere, a pipe whose opening waits for ever, or a file too large for memory: so a
// file is looked at before it is opened, and read up to a limit. A file is written beside the one that it replaces and renamed,
// so that a reader sees the old text or the new one. JSON is a file with one value. It imports nothing of ours, because every
// layer has such files.
package statefile

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// ErrNotRegular is the reason why a directory, a pipe, a device or, for Read, a link is not read.
var ErrNotRegular = errors.New("not a regular file")

// SizeError is the reason why a file that is too large is not read.
type SizeError struct{ Size, Max int64 }

func (e *SizeError) Error() string {
	return fmt.Sprintf("%d bytes exceed the limit of %d", e.Size, e.Max)
}

// IsRegular reports whether there is a regular file at path. A link is not one.
func IsRegular(path string) bool {
	st, err := os.Lstat(path)
	return err == nil && st.Mode().IsRegular()
}

// Read returns the content of the regular file at path. It fails with ErrNotRegular, also for a link, with a SizeError if the
// file is larger than limit bytes, or with the error of opening or reading it.
func Read(path string, limit int64) ([]byte, error) { return readPath(path, limit, os.Lstat) }

// ReadFollow does the same as Read, but follows a link at path. It is for files such as the user's own settings or one that the user has
// named.
func ReadFollow(path string, limit int64) ([]byte, error) { return readPath(path, limit, os.Stat) }

func readPath(path string, limit int64, stat func(string) (fs.FileInfo, error)) ([]byte, error) {
	b, err := read(path, limit, stat, os.Open)
	if errors.As(err, new(*SizeError)) || errors.Is(err, ErrNotRegular) {
		err = &fs.PathError{Op: "read", Path: path, Err: err}
	}
	return b, err
}

// ReadIn returns the content of a regular file below root, through links that stay below it. It fails with ErrNotRegular, with a
// SizeError if the file is larger than limit bytes, or with the error of opening or reading it. The first two do not name the
// file, because callers name it from the root of the project.
func ReadIn(root *os.Root, name string, limit int64) ([]byte, error) {
	return read(name, limit, root.Stat, root.Open)
}

func read(path string, limit int64, stat func(string) (fs.FileInfo, error), open func(string) (*os.File, error)) ([]byte, error) {
	st, err := stat(path)
	switch {
	case err != nil:
		return nil, err
	case !st.Mode().IsRegular():
		return nil, ErrNotRegular
	case st.Size() > limit:
		return nil, &SizeError{st.Size(), limit}
	}
	f, err := open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	buf := bytes.NewBuffer(make([]byte, 0, st.Size()+bytes.MinRead))
	n, err := buf.ReadFrom(io.LimitReader(f, limit+1)) // it may have grown
	switch {
	case err != nil:
		return nil, err
	case n > limit:
		return nil, &SizeError{n, limit}
	}
	return buf.Bytes(), nil
}

// Options describe how a file is written. The zero value is for a private file that may be lost in a crash of the machine.
type Options struct {
	Perm fs.FileMode // 0600 if it is 0
	Sync bool        // bring it to the disk before its name, because something that follows depends on it
}

// Replace writes a temporary file beside path and renames it to path, so that no reader sees a part of it. A link at
// path is replaced, not followed. It fails if the folder cannot be written; the old file then remains.
func Replace(path string, data []byte, o Options) error {
	beside, err := WriteTemp(filepath.Dir(path), data, o)
	if err != nil {
		return err
	}
	if err := os.Rename(beside, path); err != nil {
		os.Remove(beside)
		return err
	}
	return nil
}

// TempPrefix is the prefix of the names of files that are not renamed to their final names yet. One that a killed process has left may be
// removed.
const TempPrefix = ".ken-new-"

// WriteTemp writes a new file with a unique name in dir and returns its path, for a caller that links or renames it. It
// fails if the file cannot be made or written; none is left then.
func WriteTemp(dir string, data []byte, o Options) (path string, err error) {
	f, err := os.CreateTemp(dir, TempPrefix+"*")
	if err != nil {
		return "", err
	}
	_, err = f.Write(data)
	if o.Perm != 0 {
		err = errors.Join(err, f.Chmod(o.Perm))
	}
	if o.Sync {
		err = errors.Join(err, f.Sync())
	}
	if err = errors.Join(err, f.Close()); err != nil {
		os.Remove(f.Name())
		return "", err
	}
	return f.Name(), nil
}

// Name returns a valid file name for a key, such as a path or the id of a session, which may hold any character.
func Name(key string) string {
	sum := sha256.Sum256([]byte(key))
	return hex.EncodeToString(sum[:12])
}

// JSON is a private file that holds one value of type T in JSON. The file may be lost.
type JSON[T any] struct {
	Path string
	Max  int64 // the size of the largest that is read, in bytes
}

// Get returns the value. It reports false if the file is missing or cannot be read.
func (j JSON[T]) Get() (value T, ok bool) {
	b, err := Read(j.Path, j.Max)
	if err != nil {
		return value, false
	}
	if err := json.Unmarshal(b, &value); err != nil {
		return *new(T), false
	}
	return value, true
}

// Put replaces the value and makes the folder of the file. It does not write a value that is too large for Get to read. It
// fails if the file cannot be written.
func (j JSON[T]) Put(value T) error {
	b, err := json.Marshal(value)
	if err != nil || int64(len(b)) > j.Max {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(j.Path), 0o700); err != nil {
		return err
	}
	return Replace(j.Path, b, Options{})
}

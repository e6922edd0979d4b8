// Package linelog appends records to files of lines, which people and other programs can read, too. Its neighbour
// store/spool keeps records until they are applied; here they stay until the file is full.
//
// Each record is a line with a statefile.LineSeal, so a torn line, a line that a person wrote and one that came with a repository are not
// records.
//
// A line is appended with one write, so that lines of several processes do not mix and a process that is killed leaves a
// whole line or none. A full file is renamed to FILE.1, which replaces the one before; FILE and FILE.1 together are the log.
package linelog

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/gofrs/flock"

	"ken/internal/knowledge/outcome"
	"ken/internal/statefile"
)

// MaxRecord is the longest record, in bytes.
const MaxRecord = 16 << 10

// Log is a log in a file, which need not exist. Any number of processes may use it at once.
type Log struct {
	path string
	seal statefile.LineSeal
	most int64 // bytes of one file
}

var _ outcome.Log = (*Log)(nil)

// New returns the log in the file at path. key is the key of the MACs that prove that ken wrote a record. A file of more than most bytes
// is full and is renamed.
func New(path string, key []byte, most int64) *Log { return &Log{path, key, most} }

// Append adds a record, a JSON object with at least one key. Once it returns nil the record survives unless the machine
// fails. It fails if the record is too long or not an object, or if the file or its folder is not a regular one or cannot be
// written.
func (l *Log) Append(record []byte) error {
	if len(record) > MaxRecord || len(record) < 3 || record[len(record)-1] != '}' || bytes.IndexByte(record, '\n') >= 0 {
		return fmt.Errorf("append to %s: this is no record", filepath.Base(l.path))
	}
	if err := l.appendLine(l.seal.Make(record)); err != nil {
		return fmt.Errorf("append to %s: %w", filepath.Base(l.path), err)
	}
	return nil
}

func (l *Log) appendLine(line []byte) error {
	dir := filepath.Dir(l.path)
	if err := os.Mkdir(dir, 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	if err := errors.Join(statefile.CheckFolder(dir), statefile.CheckFiles(l.path, l.path+".lock", l.path+".1")); err != nil {
		return err
	}
	f, size, err := l.openFile()
	if err == nil && size > l.most {
		f.Close()
		l.renameFull()
		f, size, err = l.openFile()
	}
	if err != nil {
		return err
	}
	if isTorn(f, size) {
		line = append([]byte{'\n'}, line...)
	}
	n, err := f.Write(line)
	if n == len(line)-1 {
		err = nil // the record is complete: the next one begins with a line end
	}
	return errors.Join(err, f.Close())
}

func (l *Log) openFile() (*os.File, int64, error) {
	f, err := os.OpenFile(l.path, os.O_RDWR|os.O_CREATE|os.O_APPEND, 0o600)
	if err != nil {
		return nil, 0, err
	}
	st, err := f.Stat()
	if err != nil {
		f.Close()
		return nil, 0, err
	}
	return f, st.Size(), nil
}

// isTorn reports whether the last line is incomplete, for example because the disk was full.
func isTorn(f *os.File, size int64) bool {
	last := []byte{'\n'}
	if size > 0 {
		f.ReadAt(last, size-1)
	}
	return last[0] != '\n'
}

// renameFull renames a full file. Of several processes that find it full only one renames it; the others check again first,
// because a second renaming would replace the full file by one that has just begun. A process that has the file open still
// appends to it under its new name.
func (l *Log) renameFull() {
	lock := flock.New(l.path+".lock", flock.SetPermissions(0o600))
	if got, err := lock.TryLock(); err != nil || !got {
		return
	}
	defer lock.Unlock()
	if st, err := os.Lstat(l.path); err == nil && st.Size() > l.most {
		os.Rename(l.path, l.path+".1")
	}
}

// Read passes the records to f, oldest first, and returns the lines that are not records. It fails if a file is not regular
// or cannot be read.
func (l *Log) Read(f func(record []byte)) (bad []outcome.BadLine, err error) {
	if err := statefile.CheckFolder(filepath.Dir(l.path)); err != nil {
		return nil, err
	}
	for _, path := range []string{l.path + ".1", l.path} {
		more, err := l.readFile(path, f)
		if err != nil {
			return bad, fmt.Errorf("read %s: %w", filepath.Base(path), err)
		}
		bad = append(bad, more...)
	}
	return bad, nil
}

// readFile passes the records of one file to f. It reads only the first part of a file that is too large.
func (l *Log) readFile(path string, f func([]byte)) (bad []outcome.BadLine, err error) {
	if err := statefile.CheckFiles(path); err != nil {
		return nil, err
	}
	file, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer file.Close()
	text, err := io.ReadAll(io.LimitReader(file, 2*l.most))
	if err != nil {
		return nil, err
	}
	number := 0
	for line := range bytes.Lines(text) {
		number++
		if len(bytes.TrimSpace(line)) == 0 {
			continue
		}
		record, err := l.seal.Check(line)
		if err != nil {
			why := err.Error()
			if errors.Is(err, statefile.ErrSealed) {
				why += " for this tree"
			}
			bad = append(bad, outcome.BadLine{File: filepath.Base(path), Line: number, Why: why})
			continue
		}
		f(record)
	}
	return bad, nil
}

// Package spool keeps records in a file until they are applied, so that a process that
// is killed loses none that it has acknowledged. A record is appended with one write; the
// process that applies them takes all. store/sqlite/memory applies the records
// of events.
//
// Each record is a line:
//
//	MAC " " DATA "\n"
//
// where DATA is JSON without line feeds and MAC the first 16 bytes, in hex, of the
// HMAC-SHA-256 of DATA with a secret key of the user's ken. So a record that was
// torn by a full disk, or that came with a repository, is ignored.
//
// Appending holds a shared lock. To apply, the file is renamed under an exclusive one before
// reading it, so that no process still writes to it, and further records go into
// a new file.
package spool

import (
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"github.com/gofrs/flock"

	"ken/internal/statefile"
)

// MaxRecord is the longest record, in bytes.
const MaxRecord = 64 << 10

// maxTaken is the maximal number of bytes of records that are applied at a time, so that a spool that was not applied for
// long does not fill the memory.
const maxTaken = 8 << 20

// Spool is a file of records that wait to be applied, for example events of hooks. Any number of processes may use it.
type Spool struct {
	path string
	key  []byte
}

// New returns the spool in a file, which need not exist. key is the key of the MACs that prove that ken wrote a record.
func New(path string, key []byte) *Spool { return &Spool{path, key} }

// takenPath returns the path of the file with the records that are being applied.
func (s *Spool) takenPath() string { return s.path + ".taken" }

var errTooLong = errors.New("the record is too long")

// Append writes a record. Once it returns nil the record survives unless the machine fails. It fails if the record is too
// long, or if a file is not regular or cannot be written.
func (s *Spool) Append(data []byte) error {
	if len(data) > MaxRecord || bytes.IndexByte(data, '\n') >= 0 {
		return fmt.Errorf("append to the spool: %w", errTooLong)
	}
	line := append([]byte{'\n'}, s.mac(data)...) // a full disk can have torn the line before
	line = append(append(append(line, ' '), data...), '\n')
	if err := s.appendLine(line); err != nil {
		return fmt.Errorf("append to the spool: %w", err)
	}
	return nil
}

func (s *Spool) appendLine(line []byte) error {
	if err := statefile.CheckFiles(s.path, s.path+".lock"); err != nil {
		return err
	}
	l := flock.New(s.path+".lock", flock.SetPermissions(0o600))
	if err := l.RLock(); err != nil {
		return err
	}
	defer l.Unlock()
	f, err := os.OpenFile(s.path, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o600)
	if err != nil {
		return err
	}
	n, err := f.Write(line)
	if n == len(line)-1 {
		err = nil // the record is complete: the next one begins with a line end
	}
	return errors.Join(err, f.Close())
}

func (s *Spool) mac(data []byte) []byte {
	h := hmac.New(sha256.New, s.key)
	h.Write(data)
	return hex.AppendEncode(nil, h.Sum(nil)[:16])
}

// Waiting reports whether there may be records that are not applied yet.
func (s *Spool) Waiting() bool {
	for _, p := range []string{s.path, s.takenPath()} {
		if st, err := os.Lstat(p); err == nil && st.Size() > 0 {
			return true
		}
	}
	return false
}

// Apply passes the records to f, oldest first, and deletes them once f returns nil. It calls f again for the rest if there
// are many. f may get a record again if the process is killed before it is deleted. Apply fails with the error of f or ctx,
// or if the files cannot be locked or read.
func (s *Spool) Apply(ctx context.Context, f func(records [][]byte) error) error {
	if err := statefile.CheckFiles(s.path, s.takenPath(), s.path+".lock", s.path+".applying"); err != nil {
		return err
	}
	if !s.Waiting() { // on a read-only disk even the locks fail
		return nil
	}
	l := flock.New(s.path+".applying", flock.SetPermissions(0o600))
	if err := l.Lock(); err != nil {
		return fmt.Errorf("apply the spool: %w", err)
	}
	defer l.Unlock()
	for ctx.Err() == nil {
		if err := s.takeNewRecords(); err != nil {
			if errors.Is(err, fs.ErrNotExist) {
				return nil
			}
			return fmt.Errorf("apply the spool: %w", err)
		}
		if err := s.applyTaken(f); err != nil {
			return err
		}
	}
	return ctx.Err()
}

// takeNewRecords renames the file of new records to takenPath, unless a file from an earlier call is still there.
func (s *Spool) takeNewRecords() error {
	if _, err := os.Lstat(s.takenPath()); err == nil {
		return nil
	}
	l := flock.New(s.path+".lock", flock.SetPermissions(0o600))
	if err := l.Lock(); err != nil {
		return err
	}
	defer l.Unlock()
	return os.Rename(s.path, s.takenPath())
}

// applyTaken calls f with the records in the file at takenPath, and then deletes the file.
func (s *Spool) applyTaken(f func([][]byte) error) error {
	file, err := os.Open(s.takenPath())
	if err != nil {
		return fmt.Errorf("apply the spool: %w", err)
	}
	defer file.Close()
	rest := []byte(nil)
	for end := false; !end; {
		chunk, err := io.ReadAll(io.LimitReader(file, maxTaken))
		if err != nil {
			return fmt.Errorf("apply the spool: %w", err)
		}
		end = len(chunk) < maxTaken
		text := append(rest, chunk...)
		last := bytes.LastIndexByte(text, '\n') + 1
		if records := s.validRecords(text[:last]); len(records) > 0 {
			if err := f(records); err != nil {
				return err
			}
		}
		if rest = bytes.Clone(text[last:]); len(rest) > MaxRecord+64 {
			rest = nil // records are never that long
		}
	}
	return os.Remove(s.takenPath())
}

// validRecords returns the records in those lines of a file that have a valid MAC.
func (s *Spool) validRecords(text []byte) (out [][]byte) {
	for line := range bytes.Lines(text) {
		mac, data, ok := bytes.Cut(bytes.TrimSuffix(line, []byte("\n")), []byte(" "))
		if ok && hmac.Equal(mac, s.mac(data)) {
			out = append(out, data)
		}
	}
	return out
}

// Package spool keeps records in a file until they are applied, so that a process which
// is killed loses none that it said it had. A record is appended with one write; whoever
// applies takes all that are there. Its neighbour store/sqlite/memory is where records
// of events go.
//
// Each record is a line:
//
//	MAC " " DATA "\n"
//
// where DATA is JSON without line feeds and MAC the first 16 bytes, in hex, of the
// HMAC-SHA-256 of DATA with a key that only the user's ken knows. So a record that was
// torn by a full disk, or that came with a repository, is none.
//
// Appending holds a shared lock. Who applies renames the file under an exclusive one before
// reading it, so that nobody is still writing to it, and what is appended meanwhile goes into
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

// maxTaken is how many bytes of records are applied at a time, so that a spool that
// nobody applied for long does not fill the memory.
const maxTaken = 8 << 20

// Spool is a file of records. Any number of processes may use it.
type Spool struct {
	path string
	key  []byte
}

// New is the spool in a file, which need not exist, with the key of its records.
func New(path string, key []byte) *Spool { return &Spool{path, key} }

// taken is where records are while they are applied.
func (s *Spool) taken() string { return s.path + ".taken" }

var errTooLong = errors.New("the record is too long")

// Append writes a record. When it returns without an error the record is not lost
// unless the machine fails.
func (s *Spool) Append(data []byte) error {
	if len(data) > MaxRecord || bytes.IndexByte(data, '\n') >= 0 {
		return fmt.Errorf("append to the spool: %w", errTooLong)
	}
	line := append([]byte{'\n'}, s.mac(data)...) // a full disk can have torn the line before
	line = append(append(append(line, ' '), data...), '\n')
	if err := s.append(line); err != nil {
		return fmt.Errorf("append to the spool: %w", err)
	}
	return nil
}

func (s *Spool) append(line []byte) error {
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
	_, err = f.Write(line)
	return errors.Join(err, f.Close())
}

func (s *Spool) mac(data []byte) []byte {
	h := hmac.New(sha256.New, s.key)
	h.Write(data)
	return hex.AppendEncode(nil, h.Sum(nil)[:16])
}

// Waiting reports whether there may be records.
func (s *Spool) Waiting() bool {
	for _, p := range []string{s.path, s.taken()} {
		if st, err := os.Lstat(p); err == nil && st.Size() > 0 {
			return true
		}
	}
	return false
}

// Apply hands the records that are there to f, oldest first, and forgets them once f
// returns without an error. f is called again with the rest while there are many. A
// record that f got may come once more if the process is killed before it is forgotten.
func (s *Spool) Apply(ctx context.Context, f func(records [][]byte) error) error {
	if err := statefile.CheckFiles(s.path, s.taken(), s.path+".lock", s.path+".applying"); err != nil {
		return err
	}
	if !s.Waiting() { // on a read-only disk not even the locks can be had
		return nil
	}
	l := flock.New(s.path+".applying", flock.SetPermissions(0o600))
	if err := l.Lock(); err != nil {
		return fmt.Errorf("apply the spool: %w", err)
	}
	defer l.Unlock()
	for ctx.Err() == nil {
		if err := s.take(); err != nil {
			if errors.Is(err, fs.ErrNotExist) {
				return nil
			}
			return fmt.Errorf("apply the spool: %w", err)
		}
		if err := s.apply(f); err != nil {
			return err
		}
	}
	return ctx.Err()
}

// take renames the file, unless one that was taken is still there.
func (s *Spool) take() error {
	if _, err := os.Lstat(s.taken()); err == nil {
		return nil
	}
	l := flock.New(s.path+".lock", flock.SetPermissions(0o600))
	if err := l.Lock(); err != nil {
		return err
	}
	defer l.Unlock()
	return os.Rename(s.path, s.taken())
}

// apply hands on what was taken, and deletes it.
func (s *Spool) apply(f func([][]byte) error) error {
	file, err := os.Open(s.taken())
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
		if records := s.records(text[:last]); len(records) > 0 {
			if err := f(records); err != nil {
				return err
			}
		}
		if rest = bytes.Clone(text[last:]); len(rest) > MaxRecord+64 {
			rest = nil // no record is as long
		}
	}
	return os.Remove(s.taken())
}

// records are the lines that ken wrote.
func (s *Spool) records(text []byte) (out [][]byte) {
	for line := range bytes.Lines(text) {
		mac, data, ok := bytes.Cut(bytes.TrimSuffix(line, []byte("\n")), []byte(" "))
		if ok && hmac.Equal(mac, s.mac(data)) {
			out = append(out, data)
		}
	}
	return out
}

package scan

import (
	"fmt"
	"io"
	"io/fs"

	"ken/internal/code"
	"ken/internal/engine/source/scan/nofollow"
)

// Stat returns the stat of a file, and reports whether it is a regular file. It follows no link in any
// element of path.
func (s *Scanner) Stat(path string) (code.Stat, bool) {
	st, k, err := s.lstat(path)
	return st, err == nil && k == nofollow.Regular
}

// IsDir reports whether a path is a directory of the tree.
func (s *Scanner) IsDir(path string) bool {
	_, k, err := s.lstat(path)
	return err == nil && k == nofollow.Directory
}

func (s *Scanner) lstat(path string) (code.Stat, nofollow.Kind, error) {
	if !nofollow.Inside(path) {
		return code.Stat{}, nofollow.Missing, fs.ErrInvalid
	}
	r, err := nofollow.Open(s.root)
	if err != nil {
		return code.Stat{}, nofollow.Missing, err
	}
	defer r.Close()
	return r.NewStatReader().Lstat("", path)
}

// Stream calls f with a reader of the bytes of a file. It fails
// with fs.ErrNotExist or fs.ErrInvalid in the same cases as
// ReadInto, or with the error of f.
func (s *Scanner) Stream(path string, f func(io.Reader) error) error {
	if !nofollow.Inside(path) {
		return fmt.Errorf("read %q: %w: not a path inside the root", path, fs.ErrInvalid)
	}
	r, err := nofollow.Open(s.root)
	if err != nil {
		return fmt.Errorf("open root: %w", err)
	}
	defer r.Close()
	file, err := r.Open(path)
	if err != nil {
		return fmt.Errorf("read %q: %w", path, err)
	}
	defer file.Close()
	return f(file)
}

// MaxWhole is the size of the largest file that ReadWhole reads.
const MaxWhole = 256 << 20

// ReadWhole reads a file with any kind of content, up to MaxWhole bytes. It fails with fs.ErrNotExist
// or fs.ErrInvalid in the same cases as ReadInto, or with another error if the file is larger or
// cannot be read.
func (s *Scanner) ReadWhole(path string) ([]byte, error) {
	if !nofollow.Inside(path) {
		return nil, fmt.Errorf("read %q: %w: not a path inside the root", path, fs.ErrInvalid)
	}
	r, err := nofollow.Open(s.root)
	if err != nil {
		return nil, fmt.Errorf("open root: %w", err)
	}
	defer r.Close()
	f, err := r.Open(path)
	if err != nil {
		return nil, fmt.Errorf("read %q: %w", path, err)
	}
	defer f.Close()
	// A pipe without a writer would read as empty, or block for ever.
	if _, k, err := f.Stat(); err == nil && k == nofollow.Special {
		return nil, fmt.Errorf("read %q: %w: not a regular file", path, fs.ErrInvalid)
	}
	b, err := io.ReadAll(io.LimitReader(f, MaxWhole+1))
	if err != nil {
		return nil, fmt.Errorf("read %q: %w", path, err)
	}
	if len(b) > MaxWhole {
		return nil, fmt.Errorf("read %q: larger than %d bytes", path, MaxWhole)
	}
	return Text(b), nil
}

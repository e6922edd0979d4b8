package scan

import (
	"fmt"
	"io"
	"io/fs"

	"ken/internal/code"
)

// Stat is what the file system says of a regular file, by the root's rules:
// links are not followed, in any element of path.
func (s *Scanner) Stat(path string) (code.Stat, bool) {
	st, k, err := s.lstat(path)
	return st, err == nil && k == kindFile
}

// IsDir reports whether a path is a directory of the tree.
func (s *Scanner) IsDir(path string) bool {
	_, k, err := s.lstat(path)
	return err == nil && k == kindDir
}

func (s *Scanner) lstat(path string) (code.Stat, kind, error) {
	if !inside(path) {
		return code.Stat{}, kindMissing, fs.ErrInvalid
	}
	r, err := openRoot(s.root)
	if err != nil {
		return code.Stat{}, kindMissing, err
	}
	defer r.close()
	return r.looker().lstat("", path)
}

// Stream hands the bytes of a file to f as they are read. The error is
// fs.ErrNotExist or fs.ErrInvalid as in ReadInto, or f's.
func (s *Scanner) Stream(path string, f func(io.Reader) error) error {
	if !inside(path) {
		return fmt.Errorf("read %q: %w: not a path inside the root", path, fs.ErrInvalid)
	}
	r, err := openRoot(s.root)
	if err != nil {
		return fmt.Errorf("open root: %w", err)
	}
	defer r.close()
	file, err := r.open(path)
	if err != nil {
		return fmt.Errorf("read %q: %w", path, err)
	}
	defer file.close()
	return f(file)
}

// MaxWhole is the size up to which ReadWhole holds a file in memory.
const MaxWhole = 256 << 20

// ReadWhole reads all of a file, whatever its size up to MaxWhole and whatever
// it holds. The error is fs.ErrNotExist or fs.ErrInvalid as in ReadInto.
func (s *Scanner) ReadWhole(path string) ([]byte, error) {
	if !inside(path) {
		return nil, fmt.Errorf("read %q: %w: not a path inside the root", path, fs.ErrInvalid)
	}
	r, err := openRoot(s.root)
	if err != nil {
		return nil, fmt.Errorf("open root: %w", err)
	}
	defer r.close()
	f, err := r.open(path)
	if err != nil {
		return nil, fmt.Errorf("read %q: %w", path, err)
	}
	defer f.close()
	// A pipe nobody writes to would read as empty, or wait for ever.
	if _, k, err := f.stat(); err == nil && k == kindSpecial {
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

package memory

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"zombiezen.com/go/sqlite"

	"ken/internal/knowledge/memory"
	"ken/internal/statefile"
)

// maxOther is the maximal size, in bytes, of another user's memory that is read.
const maxOther = 512 << 20

// OtherUserItems returns the items, notes and decisions of another user's memory. It reads a copy, because the memory must not be
// changed, and opening it may need writing beside it. A repository can bring one along, so Others checks that it has the
// tables that ken makes. It fails if the file is not regular, is too large, or cannot be read as a memory.
func OtherUserItems(ctx context.Context, path string) (items []memory.Item, err error) {
	dir, err := os.MkdirTemp("", "ken-")
	if err != nil {
		return nil, fmt.Errorf("read another memory: %w", err)
	}
	defer os.RemoveAll(dir)
	to := filepath.Join(dir, "memory.db")
	if err := copyFile(to, path); err != nil {
		return nil, fmt.Errorf("read another memory: %w", err)
	}
	if err := copyFile(to+"-wal", path+"-wal"); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("read another memory: %w", err)
	}
	s := New(to, "")
	s.anyone = true
	err = s.writeTransaction(ctx, func(c *sqlite.Conn) error {
		for before := int64(-1); ; {
			if err := learnNotes(c, 1000); err != nil {
				return err
			}
			now, err := readCounter(c, "notes")
			if err != nil || now == before {
				return err
			}
			before = now
		}
	})
	if err != nil {
		return nil, fmt.Errorf("%s is no memory that can be read: %w", path, err)
	}
	return s.Items(ctx, memory.Filter{})
}

func copyFile(to, from string) error {
	st, err := os.Lstat(from)
	if err != nil {
		return err
	}
	if err := statefile.CheckFiles(from); err != nil {
		return err
	}
	if st.Size() > maxOther {
		return fmt.Errorf("%s is larger than %d MB", from, maxOther>>20)
	}
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, io.LimitReader(in, maxOther))
	return errors.Join(err, out.Close())
}

package sqlite

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"

	"zombiezen.com/go/sqlite/sqlitex"

	"ken/internal/engine/store"
	"ken/internal/statefile"
	"ken/internal/store/filelock"
)

// Read opens a snapshot; it implements store.Store. It fails with store.ErrNoIndex if there is no index, or as store.Store describes.
func (s *Store) Read(ctx context.Context) (store.Reader, error) {
	c, err := s.acquireConn()
	if err != nil {
		return nil, err
	}
	c.SetInterrupt(ctx.Done())
	if err := s.begin(c, "BEGIN"); err != nil {
		c.Close()
		return nil, contextError(ctx, err)
	}
	return &reader{c: c.Conn, done: func() error {
		c.SetInterrupt(nil)
		err := sqlitex.ExecuteTransient(c.Conn, "ROLLBACK", nil)
		if err != nil {
			c.Close()
			return classifyError("end reading", err)
		}
		s.releaseConn(c)
		return nil
	}}, nil
}

// Write runs f in the write transaction; see store.Store. It fails with the error of f or ctx, or if the index cannot be
// written.
func (s *Store) Write(ctx context.Context, f func(store.Tx) error) error {
	unlock, err := s.lockForWriting(ctx)
	if err != nil {
		return err
	}
	defer unlock()
	c, err := s.acquireConn()
	if err != nil {
		return err
	}
	c.SetInterrupt(ctx.Done())
	if err := s.begin(c, "BEGIN IMMEDIATE"); err != nil {
		c.Close()
		return s.explainReadOnly(contextError(ctx, err))
	}
	t := &tx{reader: reader{c: c.Conn}}
	err = runInOrder(func() error { return f(t) }, t.writeNameChanges)
	c.SetInterrupt(nil)
	if err != nil {
		sqlitex.ExecuteTransient(c.Conn, "ROLLBACK", nil)
		c.Close()
		return s.explainReadOnly(contextError(ctx, err))
	}
	if err := sqlitex.ExecuteTransient(c.Conn, "COMMIT", nil); err != nil {
		c.Close()
		return classifyError("commit", err)
	}
	s.releaseConn(c)
	return nil
}

// sideSize is the number of bytes that SQLite needs beside a database before it can write to it.
const sideSize = 64 << 10

// explainReadOnly adds to store.ErrReadOnly why nothing can be written beside the index. SQLite only reports that it opened the index for
// reading, on a full disk, too.
func (s *Store) explainReadOnly(err error) error {
	if !errors.Is(err, store.ErrReadOnly) {
		return err
	}
	temp, why := statefile.WriteTemp(filepath.Dir(s.path), make([]byte, sideSize), statefile.Options{})
	if why == nil {
		os.Remove(temp)
		return err
	}
	return fmt.Errorf("%w: %w", store.ErrReadOnly, why)
}

// lockForWriting takes the lock that only one writer has. It returns a function that releases it, and fails if ctx ends first.
func (s *Store) lockForWriting(ctx context.Context) (func(), error) {
	if err := s.checkFiles(); err != nil {
		return nil, err
	}
	unlock, err := filelock.Take(ctx, s.path+".lock")
	switch {
	case err == nil || ctx.Err() != nil && errors.Is(err, ctx.Err()):
		return unlock, err
	case errors.Is(err, fs.ErrPermission) || errors.Is(err, syscall.EROFS):
		return nil, fmt.Errorf("lock the index: %w (%v)", store.ErrReadOnly, err)
	}
	return nil, fmt.Errorf("lock the index: %w", err)
}

// Package sqlite keeps the index in one SQLite file, .ken/index.db, and vectors in
// another, .ken/vectors.db. It implements the contract of engine/store, where the
// rows and interfaces are declared, and knows nothing about source code; storetest
// holds the tests of that contract.
//
// Readers use a snapshot of the write-ahead log each, so that they are never
// blocked. Writers, of this and of other processes, take turns at an exclusive
// file lock beside the database before they open their transaction: the kernel
// releases it when its holder dies, and no process waits in a loop for SQLITE_BUSY.
// A first build fills another file that is renamed into place. A rebuild is copied
// over the present file page by page in one transaction instead, because a rename
// under open connections would leave a write-ahead log that belongs to another file.
package sqlite

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"zombiezen.com/go/sqlite"
	"zombiezen.com/go/sqlite/sqlitex"

	"ken/internal/engine/store"
	"ken/internal/statefile"
	"ken/internal/store/filelock"
	"ken/internal/store/sqlite/dbfile"
)

var _ store.Store = (*Store)(nil)

// Store is a store.Store in one file. It is safe for concurrent use.
type Store struct {
	path   string
	owner  *string // print of the index, nil for any
	layout *dbfile.Layout
	mu     sync.Mutex // guards idle and file
	idle   []*dbfile.Conn
	file   os.FileInfo // the file of idle connections
}

// New returns a store over the database file at path, which need not exist.
func New(path string) *Store {
	return &Store{path: path, layout: dbfile.NewLayout(tableScript, symbolIndex, indexes, views)}
}

// maxIdle is the maximal number of connections that are kept for reuse: more than there are cores would not be faster.
const maxIdle = 4

// busyTimeout is the longest time that a reader waits while another process moves the write-ahead log into the database.
const busyTimeout = 30 * time.Second

// Close closes the idle connections and returns the errors of doing so.
func (s *Store) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.closeIdle()
}

// Size returns the size of the database, its write-ahead log and its shared memory on disk, in bytes.
func (s *Store) Size() int64 { return dbfile.DatabaseSize(s.path) }

// checkFiles fails if one of the index's files is not a regular file.
func (s *Store) checkFiles() error {
	err := statefile.CheckFolder(filepath.Dir(s.path))
	if err == nil {
		err = errors.Join(statefile.CheckFiles(s.path, s.path+".lock", s.path+".new", s.watchLockPath()),
			statefile.CheckLogs(s.path+"-wal", s.path+"-shm", s.path+"-journal"))
	}
	if err != nil {
		return fmt.Errorf("open the index: %w", err)
	}
	return nil
}

// acquireConn returns an idle connection or opens one. It closes idle connections to a file that was deleted or replaced
// meanwhile, because they would go on reading that file.
func (s *Store) acquireConn() (*dbfile.Conn, error) {
	if err := s.checkFiles(); err != nil {
		return nil, err
	}
	st, err := os.Stat(s.path)
	if errors.Is(err, os.ErrNotExist) {
		return nil, store.ErrNoIndex
	}
	if err != nil {
		return nil, fmt.Errorf("open the index: %w", err)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.file == nil || !os.SameFile(s.file, st) {
		s.closeIdle()
		s.file = st
	}
	if n := len(s.idle); n > 0 {
		c := s.idle[n-1]
		s.idle = s.idle[:n-1]
		return c, nil
	}
	return s.openConn()
}

// closeIdle closes the idle connections. It closes the one that was used first last, because mostly that one has
// written: SQLite waits once more for the disk if another connection empties the log. The caller holds s.mu.
func (s *Store) closeIdle() error {
	var err error
	for _, c := range slices.Backward(s.idle) {
		err = errors.Join(err, c.Close())
	}
	s.idle = nil
	return err
}

// releaseConn keeps a connection for reuse, unless its file is no longer the index or enough are kept.
func (s *Store) releaseConn(c *dbfile.Conn) {
	c.SetInterrupt(nil)
	st, err := os.Stat(s.path)
	s.mu.Lock()
	defer s.mu.Unlock()
	if err == nil && s.file != nil && os.SameFile(s.file, st) && len(s.idle) < maxIdle {
		s.idle = append(s.idle, c)
		return
	}
	c.Close()
}

// openConn opens the database for writing, or for reading only if it cannot be written.
func (s *Store) openConn() (*dbfile.Conn, error) {
	c, err := s.openWritable()
	if err == nil || errors.Is(err, store.ErrDamaged) {
		return c, err
	}
	if c, roErr := s.openReadOnly(); roErr == nil {
		return c, nil
	}
	return nil, err
}

// openWritable opens the database with the settings that readers and writers share.
func (s *Store) openWritable() (*dbfile.Conn, error) {
	c, err := dbfile.Open(s.path, s.layout, sqlite.OpenReadWrite)
	if err != nil {
		return nil, classifyError("open the index", err)
	}
	c.SetBusyTimeout(busyTimeout)
	// NORMAL, because the index can be rebuilt: a commit survives the death of the
	// process, but a loss of power takes what came after the last checkpoint.
	if err := setPragmas(c.Conn, "synchronous=NORMAL", "cache_size=-8000", "wal_autocheckpoint=500"); err != nil {
		c.Close()
		return nil, err
	}
	return c, nil
}

// openReadOnly opens an index whose folder cannot be written: a write-ahead log needs files beside the database, so it is
// opened as immutable. That would ignore a log with changes in it, so it fails if there is one.
func (s *Store) openReadOnly() (*dbfile.Conn, error) {
	if st, err := os.Stat(s.path + "-wal"); err == nil && st.Size() > 0 {
		return nil, fmt.Errorf("open the index: %w, and its log holds changes", store.ErrReadOnly)
	}
	uri := url.URL{Scheme: "file", Path: s.path, RawQuery: "immutable=1"}
	c, err := dbfile.Open(uri.String(), s.layout, sqlite.OpenReadOnly|sqlite.OpenURI)
	if err != nil {
		return nil, classifyError("open the index", err)
	}
	if _, err := c.Number("PRAGMA user_version"); err != nil {
		c.Close()
		return nil, classifyError("read the index", err)
	}
	return c, nil
}

// begin opens a transaction and checks the schema inside it, because another
// ken may have replaced the index under an open connection. how is the kind of
// transaction.
func begin(c *dbfile.Conn, how string) error {
	if err := sqlitex.ExecuteTransient(c.Conn, how, nil); err != nil {
		return classifyError("begin a transaction", err)
	}
	version, err := c.Number("PRAGMA user_version")
	if err != nil {
		return classifyError("read the index", err)
	}
	switch {
	case version == 0:
		return fmt.Errorf("%w: it has no schema number", store.ErrDamaged)
	case version < store.Schema:
		return store.ErrOldSchema
	case version > store.Schema:
		return store.ErrNewerSchema
	}
	return classifyIfError("read the index", c.Check())
}

// setPragmas sets the settings of a connection.
func setPragmas(c *sqlite.Conn, list ...string) error {
	for _, p := range list {
		if err := sqlitex.ExecuteTransient(c, "PRAGMA "+p, nil); err != nil {
			return classifyError("set "+p, err)
		}
	}
	return nil
}

// watchLockPath returns the file that the watching process locks.
func (s *Store) watchLockPath() string { return s.path + ".watch" }

// Watching takes the lock that marks the process that watches the index. It is a lock on a separate file. It fails if another process has
// it.
func (s *Store) Watching(ctx context.Context) (release func(), err error) {
	if err := s.checkFiles(); err != nil {
		return nil, err
	}
	return filelock.Mark(ctx, s.watchLockPath())
}

// Watched reports whether a process has the lock of Watching.
func (s *Store) Watched() bool { return filelock.Held(s.watchLockPath()) }

// Package sqlite keeps the index in one SQLite file, .ken/index.db: the whole
// of what engine.Store promises, and nothing that knows about source code. Its
// neighbour is package engine, which declares the interface.
//
// Readers use a WAL snapshot each and are never blocked. Writers, of this and
// of other processes, take turns at an exclusive file lock beside the database
// before they open their transaction: the kernel hands it on when its holder
// dies, and nobody spins on SQLITE_BUSY. A first build fills another file that
// is renamed into place; a rebuild is copied over the present one page by page
// in one transaction, because a rename under open connections would leave a
// write-ahead log that belongs to another file.
package sqlite

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"sync"
	"syscall"
	"time"

	"github.com/gofrs/flock"
	"zombiezen.com/go/sqlite"
	"zombiezen.com/go/sqlite/sqlitex"

	"ken/internal/engine/store"
)

var _ store.Store = (*Store)(nil)

// Store is an engine.Store in one file. Safe for concurrent use.
type Store struct {
	path string
	mu   sync.Mutex // guards idle and file
	idle []*sqlite.Conn
	file os.FileInfo // what idle connections have open
}

// New makes a store over the database file at path, which need not exist.
func New(path string) *Store { return &Store{path: path} }

// maxIdle bounds the connections kept for reuse; more than the cores would not be faster.
const maxIdle = 4

// busyTimeout is how long a reader waits for a checkpoint's short exclusive moment.
const busyTimeout = 30 * time.Second

// Close drops the idle connections.
func (s *Store) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.closeIdle()
}

// Size is what the database, its write-ahead log and its shared memory take on disk.
func (s *Store) Size() int64 {
	var n int64
	for _, suffix := range []string{"", "-wal", "-shm"} {
		if st, err := os.Stat(s.path + suffix); err == nil {
			n += st.Size()
		}
	}
	return n
}

// errLink is what a repository gets that prepared a folder to lead ken elsewhere.
var errLink = errors.New("is a symbolic link, which ken does not follow; remove it")

// checkLinks refuses a folder or file of the index that is a symbolic link: a
// repository could have it point at any file of its user's.
func (s *Store) checkLinks() error {
	for _, p := range []string{filepath.Dir(s.path), s.path, s.path + "-wal", s.path + "-shm", s.path + "-journal", s.path + ".lock", s.path + ".new", s.watchFile()} {
		if st, err := os.Lstat(p); err == nil && st.Mode()&os.ModeSymlink != 0 {
			return fmt.Errorf("open the index: %s %w", p, errLink)
		}
	}
	return nil
}

// conn takes an idle connection or opens one. Idle ones to a file that was
// deleted or replaced since are closed.
func (s *Store) conn() (*sqlite.Conn, error) {
	if err := s.checkLinks(); err != nil {
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
	return s.open()
}

func (s *Store) closeIdle() error {
	var err error
	for _, c := range s.idle {
		err = errors.Join(err, c.Close())
	}
	s.idle = nil
	return err
}

// release keeps a connection for the next user, unless its file is no longer
// the index.
func (s *Store) release(c *sqlite.Conn) {
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

func (s *Store) open() (*sqlite.Conn, error) {
	c, err := s.openWritable()
	if err == nil || errors.Is(err, store.ErrDamaged) {
		return c, err
	}
	if c, roErr := s.openReadOnly(); roErr == nil {
		return c, nil
	}
	return nil, err
}

func (s *Store) openWritable() (*sqlite.Conn, error) {
	c, err := sqlite.OpenConn(s.path, sqlite.OpenReadWrite)
	if err != nil {
		return nil, classify("open the index", err)
	}
	c.SetBusyTimeout(busyTimeout)
	// NORMAL: a commit is safe against the death of the process, and against
	// loss of power up to the last checkpoint; the index can be rebuilt.
	if err := pragmas(c, "synchronous=NORMAL", "cache_size=-8000", "wal_autocheckpoint=500"); err != nil {
		c.Close()
		return nil, err
	}
	return c, nil
}

// openReadOnly opens an index whose folder cannot be written: a write-ahead log
// needs files beside the database, so it is opened as one that nobody changes.
// That is true only if no log holds changes of its own.
func (s *Store) openReadOnly() (*sqlite.Conn, error) {
	if st, err := os.Stat(s.path + "-wal"); err == nil && st.Size() > 0 {
		return nil, fmt.Errorf("open the index: %w, and its log holds changes", store.ErrReadOnly)
	}
	uri := url.URL{Scheme: "file", Path: s.path, RawQuery: "immutable=1"}
	c, err := sqlite.OpenConn(uri.String(), sqlite.OpenReadOnly|sqlite.OpenURI)
	if err != nil {
		return nil, classify("open the index", err)
	}
	if _, err := intPragma(c, "PRAGMA user_version"); err != nil {
		c.Close()
		return nil, classify("read the index", err)
	}
	return c, nil
}

// begin opens a transaction and checks the schema inside it, since another ken
// may have replaced the index under an open connection.
func begin(c *sqlite.Conn, how string) error {
	if err := sqlitex.ExecuteTransient(c, how, nil); err != nil {
		return classify("begin a transaction", err)
	}
	version, err := intPragma(c, "PRAGMA user_version")
	if err != nil {
		return classify("read the index", err)
	}
	switch {
	case version == 0:
		return fmt.Errorf("%w: it has no schema number", store.ErrDamaged)
	case version < store.Schema:
		return store.ErrOldSchema
	case version > store.Schema:
		return store.ErrNewerSchema
	}
	return nil
}

func pragmas(c *sqlite.Conn, list ...string) error {
	for _, p := range list {
		if err := sqlitex.ExecuteTransient(c, "PRAGMA "+p, nil); err != nil {
			return classify("set "+p, err)
		}
	}
	return nil
}

func intPragma(c *sqlite.Conn, sql string) (int, error) {
	n := 0
	err := sqlitex.ExecuteTransient(c, sql, &sqlitex.ExecOptions{ResultFunc: func(st *sqlite.Stmt) error {
		n = st.ColumnInt(0)
		return nil
	}})
	return n, err
}

// canceled says so where an error came of the end of ctx.
func canceled(ctx context.Context, err error) error {
	if err != nil && ctx.Err() != nil && sqlite.ErrCode(err).ToPrimary() == sqlite.ResultInterrupt {
		return ctx.Err()
	}
	return err
}

// classify tells a damaged file from other errors.
func classify(doing string, err error) error {
	switch sqlite.ErrCode(err).ToPrimary() {
	case sqlite.ResultCorrupt, sqlite.ResultNotADB:
		return fmt.Errorf("%w: %s: %v", store.ErrDamaged, doing, err)
	case sqlite.ResultReadOnly:
		return fmt.Errorf("%s: %w", doing, store.ErrReadOnly)
	}
	return fmt.Errorf("%s: %w", doing, err)
}

// Read opens a snapshot; see engine.Store.
func (s *Store) Read(ctx context.Context) (store.Reader, error) {
	c, err := s.conn()
	if err != nil {
		return nil, err
	}
	c.SetInterrupt(ctx.Done())
	if err := begin(c, "BEGIN"); err != nil {
		c.Close()
		return nil, canceled(ctx, err)
	}
	return &reader{c: c, done: func() error {
		c.SetInterrupt(nil)
		err := sqlitex.ExecuteTransient(c, "ROLLBACK", nil)
		if err != nil {
			c.Close()
			return classify("end reading", err)
		}
		s.release(c)
		return nil
	}}, nil
}

// Write runs f in the write transaction; see engine.Store.
func (s *Store) Write(ctx context.Context, f func(store.Tx) error) error {
	unlock, err := s.lock(ctx)
	if err != nil {
		return err
	}
	defer unlock()
	c, err := s.conn()
	if err != nil {
		return err
	}
	c.SetInterrupt(ctx.Done())
	if err := begin(c, "BEGIN IMMEDIATE"); err != nil {
		c.Close()
		return canceled(ctx, err)
	}
	err = f(&tx{reader: reader{c: c}})
	c.SetInterrupt(nil)
	if err != nil {
		sqlitex.ExecuteTransient(c, "ROLLBACK", nil)
		c.Close()
		return canceled(ctx, err)
	}
	if err := sqlitex.ExecuteTransient(c, "COMMIT", nil); err != nil {
		c.Close()
		return classify("commit", err)
	}
	s.release(c)
	return nil
}

// lock takes the writers' lock, or gives up with ctx.
func (s *Store) lock(ctx context.Context) (func(), error) {
	if err := s.checkLinks(); err != nil {
		return nil, err
	}
	l := flock.New(s.path+".lock", flock.SetPermissions(0o600))
	got := make(chan error, 1)
	go func() { got <- l.Lock() }()
	select {
	case err := <-got:
		if errors.Is(err, fs.ErrPermission) || errors.Is(err, syscall.EROFS) {
			return nil, fmt.Errorf("lock the index: %w (%v)", store.ErrReadOnly, err)
		}
		if err != nil {
			return nil, fmt.Errorf("lock the index: %w", err)
		}
		return func() { l.Unlock() }, nil
	case <-ctx.Done():
		go func() { <-got; l.Unlock() }()
		return nil, ctx.Err()
	}
}

// Build fills a new index; see engine.Store.
func (s *Store) Build(ctx context.Context, keep func() bool, f func(store.Tx) error) error {
	unlock, err := s.lock(ctx)
	if err != nil {
		return err
	}
	defer unlock()
	if keep() {
		return nil
	}
	s.removeLeftovers()
	tmp := s.path + ".new"
	if err := s.fill(ctx, tmp, f); err != nil {
		s.removeLeftovers()
		return canceled(ctx, err)
	}
	err = s.install(ctx, tmp)
	s.removeLeftovers()
	return canceled(ctx, err)
}

// removeLeftovers deletes what a build that was killed left; the lock is held,
// so nobody is building now.
func (s *Store) removeLeftovers() {
	names, _ := filepath.Glob(s.path + ".new*")
	for _, n := range names {
		os.Remove(n)
	}
}

func (s *Store) fill(ctx context.Context, tmp string, f func(store.Tx) error) (err error) {
	c, err := sqlite.OpenConn(tmp, sqlite.OpenReadWrite|sqlite.OpenCreate)
	if err != nil {
		return classify("create the index", err)
	}
	defer func() { err = errors.Join(err, c.Close()) }()
	os.Chmod(tmp, 0o600)
	c.SetInterrupt(ctx.Done())
	// The file is thrown away if anything fails, so it needs no journal. Twice the
	// cache was not faster.
	if err := pragmas(c, "page_size=4096", "journal_mode=OFF", "synchronous=OFF", "locking_mode=EXCLUSIVE", "cache_size=-8000", "temp_store=FILE"); err != nil {
		return err
	}
	if err := sqlitex.ExecuteScript(c, tables+exactTables+historyTables, nil); err != nil {
		return classify("create the tables", err)
	}
	if err := sqlitex.ExecuteTransient(c, "BEGIN", nil); err != nil {
		return classify("begin the build", err)
	}
	b := newBulk(c)
	if err := f(b); err != nil {
		return err
	}
	if err := b.flush(); err != nil {
		return err
	}
	if err := sqlitex.ExecuteScript(c, views, nil); err != nil {
		return classify("make the views", err)
	}
	if err := sqlitex.ExecuteTransient(c, "COMMIT", nil); err != nil {
		return classify("commit the build", err)
	}
	return pragmas(c, fmt.Sprintf("user_version=%d", store.Schema))
}

func classifyNil(doing string, err error) error {
	if err == nil {
		return nil
	}
	return classify(doing, err)
}

// install puts the finished file in place.
func (s *Store) install(ctx context.Context, tmp string) error {
	if err := setWAL(tmp); err != nil {
		return err
	}
	c, err := s.openForCopy()
	switch {
	case errors.Is(err, store.ErrNoIndex):
		return putInPlace(tmp, s.path)
	case err != nil:
		return err
	}
	err = copyOver(ctx, c, tmp)
	c.Close()
	if !errors.Is(err, store.ErrDamaged) {
		return err
	}
	// What is there cannot even be written over.
	s.removeDatabase()
	return putInPlace(tmp, s.path)
}

// openForCopy opens the present database without asking for its schema. One
// that is damaged is deleted, log and all: readers that have it open keep
// their file.
func (s *Store) openForCopy() (*sqlite.Conn, error) {
	if _, err := os.Stat(s.path); errors.Is(err, os.ErrNotExist) {
		s.removeDatabase()
		return nil, store.ErrNoIndex
	}
	c, err := sqlite.OpenConn(s.path, sqlite.OpenReadWrite)
	if err == nil {
		c.SetBusyTimeout(busyTimeout)
		var version int
		if version, err = intPragma(c, "PRAGMA user_version"); err == nil && version > 0 {
			return c, nil
		}
		c.Close()
	}
	s.removeDatabase()
	return nil, store.ErrNoIndex
}

func (s *Store) removeDatabase() {
	for _, suffix := range []string{"", "-wal", "-shm", "-journal"} {
		os.Remove(s.path + suffix)
	}
}

func setWAL(tmp string) error {
	c, err := sqlite.OpenConn(tmp, sqlite.OpenReadWrite)
	if err != nil {
		return classify("open the new index", err)
	}
	err = sqlitex.ExecuteTransient(c, "PRAGMA journal_mode=WAL", nil)
	return classifyNil("switch to write-ahead logging", errors.Join(err, c.Close()))
}

func putInPlace(tmp, path string) error {
	if err := syncFile(tmp); err != nil {
		return err
	}
	if err := os.Rename(tmp, path); err != nil {
		return fmt.Errorf("put the index in place: %w", err)
	}
	return nil
}

func syncFile(path string) error {
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return fmt.Errorf("sync the index: %w", err)
	}
	defer f.Close()
	return f.Sync()
}

// copyOver replaces the content of dst by that of the file tmp, in one transaction.
func copyOver(ctx context.Context, dst *sqlite.Conn, tmp string) error {
	src, err := sqlite.OpenConn(tmp, sqlite.OpenReadWrite)
	if err != nil {
		return classify("open the new index", err)
	}
	defer src.Close()
	if err := copyPages(ctx, dst, src); err != nil {
		return err
	}
	return classifyNil("shorten the log", sqlitex.ExecuteTransient(dst, "PRAGMA wal_checkpoint(PASSIVE)", nil))
}

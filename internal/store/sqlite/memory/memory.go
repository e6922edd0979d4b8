// Package memory stores observations and written texts: sessions, the files
// they changed, notes. It is a database beside the index that is never rebuilt from
// source, so a damaged one, or one of another version, is never deleted. It
// implements the stores of knowledge/session (apply.go, read.go), knowledge/entity (work.go), knowledge/memory
// (learned.go, recall.go, evidence.go, consolidate.go), knowledge/task (task.go), and of worktree (worktrees.go). Its
// parent store/sqlite has the index.
package memory

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"zombiezen.com/go/sqlite"
	"zombiezen.com/go/sqlite/sqlitex"

	"ken/internal/code"
	"ken/internal/knowledge/session"
	"ken/internal/statefile"
	"ken/internal/store/sqlite/dbfile"
)

var _ session.Store = (*Store)(nil)

// versions are the tables that each version of the layout adds to the one before. PRAGMA user_version of a memory is the
// number of versions that it has; opening an older memory adds the others.
var versions = [...]string{tables, workTables, learnedTables, worktreeTables, taskTables, sealedTables, achievedTables}

// tables are the tables of the first version. Times are milliseconds since 1970. The
// table events holds the keys of events and is pruned; the others are kept.
const tables = `
CREATE TABLE owner (print TEXT PRIMARY KEY) WITHOUT ROWID;
CREATE TABLE events (key TEXT PRIMARY KEY, claim TEXT NOT NULL, at INTEGER NOT NULL, until INTEGER NOT NULL /* 0: for ever */) WITHOUT ROWID;
CREATE INDEX events_at ON events (at);
CREATE TABLE sessions (
  id TEXT PRIMARY KEY, runtime TEXT NOT NULL, started INTEGER NOT NULL, last INTEGER NOT NULL, ended INTEGER NOT NULL,
  source TEXT NOT NULL, reason TEXT NOT NULL, phase TEXT NOT NULL, head TEXT NOT NULL,
  prompts INTEGER NOT NULL, agents INTEGER NOT NULL, compacts INTEGER NOT NULL, tokens INTEGER NOT NULL
) WITHOUT ROWID;
CREATE INDEX sessions_last ON sessions (last);
CREATE TABLE files (session TEXT NOT NULL, path TEXT NOT NULL, change TEXT NOT NULL, PRIMARY KEY (session, path)) WITHOUT ROWID;
CREATE TABLE tests (session TEXT NOT NULL, command TEXT NOT NULL, passed INTEGER NOT NULL, at INTEGER NOT NULL, PRIMARY KEY (session, command)) WITHOUT ROWID;
CREATE TABLE notes (
  id INTEGER PRIMARY KEY, kind TEXT NOT NULL, session TEXT NOT NULL, at INTEGER NOT NULL, topic TEXT NOT NULL, text TEXT NOT NULL,
  rationale TEXT NOT NULL, done INTEGER NOT NULL, terms INTEGER NOT NULL /* how many it has */
);
CREATE TABLE terms (term INTEGER NOT NULL, note INTEGER NOT NULL, PRIMARY KEY (term, note)) WITHOUT ROWID;
CREATE INDEX notes_session ON notes (session);
CREATE TABLE pins (note INTEGER NOT NULL, target TEXT NOT NULL, hash TEXT NOT NULL, PRIMARY KEY (note, target)) WITHOUT ROWID;
CREATE TABLE shown (session TEXT NOT NULL, agent TEXT NOT NULL, item TEXT NOT NULL, PRIMARY KEY (session, agent, item)) WITHOUT ROWID;
`

// ErrNone is returned if nothing is remembered yet.
var ErrNone = errors.New("nothing is remembered yet")

// Store is the database file of a project's memory: sessions, notes, items and tasks.
// Each call opens the file, because a hook asks once; it is safe for use by many
// processes.
type Store struct {
	path, print string
	key         []byte // of the seals of tasks, looks and prompts
	anyone      bool   // of any owner; see Others
	layout      *dbfile.Layout
}

const schema = len(versions)

// workTables are the tables of the pages that are being written: a row for each file that was assigned or that failed,
// and the number of finished ones.
const workTables = `
CREATE TABLE work (path TEXT PRIMARY KEY, until INTEGER NOT NULL /* 0: nobody has it */, failed TEXT NOT NULL, at INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE work_batches (id INTEGER PRIMARY KEY, size INTEGER NOT NULL, done INTEGER NOT NULL, began INTEGER NOT NULL, ended INTEGER NOT NULL);
`

// achievedTables has what sessions achieved, in the words of their agents.
const achievedTables = `
CREATE TABLE achieved (session TEXT PRIMARY KEY, text TEXT NOT NULL, sure INTEGER NOT NULL) WITHOUT ROWID;
`

// New returns the store in the database at path, which is made with the first event. print is the fingerprint of its owner.
func New(path, print string) *Store {
	return &Store{path: path, print: print, layout: dbfile.NewLayout(versions[:]...)}
}

// NewSealed returns the same store with a key, with which the rows of guarded tasks are sealed.
func NewSealed(path, print, key string) *Store {
	s := New(path, print)
	s.key = []byte(key)
	return s
}

// busyTimeout is the longest time that a writer waits for another one.
const busyTimeout = 5 * time.Second

// maxLog is the length of the write-ahead log, in bytes, above which a process that has written moves it into the database.
const maxLog = 1 << 19

// openFile opens the database. It fails with ErrNone if there is none and create is false.
func (s *Store) openFile(ctx context.Context, create bool) (*dbfile.Conn, error) {
	err := statefile.CheckFolder(filepath.Dir(s.path))
	if err == nil {
		err = errors.Join(statefile.CheckFiles(s.path), statefile.CheckLogs(s.path+"-wal", s.path+"-shm", s.path+"-journal"))
	}
	if err != nil {
		return nil, fmt.Errorf("open the memory: %w", err)
	}
	flags := sqlite.OpenReadWrite
	if _, err := os.Lstat(s.path); errors.Is(err, fs.ErrNotExist) {
		if !create {
			return nil, ErrNone
		}
		flags |= sqlite.OpenCreate
	}
	c, err := dbfile.Open(s.path, s.layout, flags)
	if err != nil {
		return nil, s.explainError(ctx, fmt.Errorf("open the memory: %w", err))
	}
	if flags&sqlite.OpenCreate != 0 {
		os.Chmod(s.path, 0o600)
	}
	c.SetBusyTimeout(busyTimeout)
	c.SetInterrupt(ctx.Done())
	if err := errors.Join(c.KeepLog(), s.makeOrUpgrade(c)); err != nil {
		c.Close()
		return nil, s.explainError(ctx, err)
	}
	return c, nil
}

// makeOrUpgrade makes the tables of a new database, adds those that an older one lacks, and fails for one of a newer version.
func (s *Store) makeOrUpgrade(c *dbfile.Conn) error {
	version, err := c.Number("PRAGMA user_version")
	if err == nil && version < schema {
		make := s.makeTables
		if version > 0 {
			make = s.upgrade
		}
		if err = make(c); err == nil {
			version, err = c.Number("PRAGMA user_version")
		}
	}
	if err != nil {
		return err
	}
	if version != schema {
		return fmt.Errorf("another version of ken wrote %s (schema %d, this one has %d): it is left alone", s.path, version, schema)
	}
	return sqlitex.ExecuteTransient(c.Conn, "PRAGMA synchronous=NORMAL", nil)
}

// checkOwner fails if the schema differs from the one that ken makes, or the memory is another user's. It is the first
// step of a transaction.
func (s *Store) checkOwner(c *dbfile.Conn) error {
	if err := c.Check(); err != nil {
		return err
	}
	print := ""
	err := eachRow(c.Conn, "SELECT print FROM owner", func(st *sqlite.Stmt) { print = st.ColumnText(0) })
	if err == nil && print != s.print && !s.anyone {
		return fmt.Errorf("%s was not made by your ken for this tree: it is neither read nor changed", s.path)
	}
	return err
}

func (s *Store) makeTables(c *dbfile.Conn) (err error) {
	if err := sqlitex.ExecuteTransient(c.Conn, fmt.Sprintf("PRAGMA page_size=%d", dbfile.PageSize), nil); err != nil {
		return err
	}
	if err := c.MakeLog(busyTimeout); err != nil {
		return err
	}
	end, err := sqlitex.ImmediateTransaction(c.Conn)
	if err != nil {
		return err
	}
	defer end(&err)
	if version, err := c.Number("PRAGMA user_version"); err != nil || version > 0 { // another process was first
		return err
	}
	if err := sqlitex.ExecuteScript(c.Conn, strings.Join(versions[:], ""), nil); err != nil {
		return err
	}
	if err := sqlitex.Execute(c.Conn, "INSERT INTO owner VALUES (?)", &sqlitex.ExecOptions{Args: []any{s.print}}); err != nil {
		return err
	}
	return sqlitex.ExecuteTransient(c.Conn, fmt.Sprintf("PRAGMA user_version=%d", schema), nil)
}

// upgrade adds the tables of later versions. It does not change a memory that is damaged or another user's.
func (s *Store) upgrade(c *dbfile.Conn) (err error) {
	end, err := sqlitex.ImmediateTransaction(c.Conn)
	if err != nil {
		return err
	}
	defer end(&err)
	version, err := c.Number("PRAGMA user_version")
	if err != nil || version >= schema { // another process was first
		return err
	}
	c.Use(dbfile.NewLayout(versions[:version]...))
	defer c.Use(s.layout)
	if err := s.checkOwner(c); err != nil {
		return err
	}
	if err := sqlitex.ExecuteScript(c.Conn, strings.Join(versions[version:], ""), nil); err != nil {
		return err
	}
	return sqlitex.ExecuteTransient(c.Conn, fmt.Sprintf("PRAGMA user_version=%d", schema), nil)
}

// explainError returns ctx.Err() for a call that the end of ctx interrupted. To the error of a damaged memory it adds that
// ken does not delete it, because it cannot be made again.
func (s *Store) explainError(ctx context.Context, err error) error {
	primary := sqlite.ErrCode(err).ToPrimary()
	if primary == sqlite.ResultInterrupt && ctx.Err() != nil {
		return ctx.Err()
	}
	if primary == sqlite.ResultCorrupt || primary == sqlite.ResultNotADB || errors.Is(err, code.ErrDamaged) {
		return fmt.Errorf("the memory %s is damaged and left alone; move it away to begin a new one: %w", s.path, err)
	}
	return err
}

// readSnapshot runs f over one snapshot of the memory; it does nothing if there is no memory.
func (s *Store) readSnapshot(ctx context.Context, f func(c *sqlite.Conn) error) (err error) {
	c, err := s.openFile(ctx, false)
	if errors.Is(err, ErrNone) {
		return nil
	}
	if err != nil {
		return err
	}
	defer c.Close()
	if err = sqlitex.ExecuteTransient(c.Conn, "BEGIN", nil); err == nil {
		err = s.checkOwner(c)
	}
	if err == nil {
		err = f(c.Conn)
	}
	return s.explainError(ctx, err)
}

// writeTransaction runs f in a write transaction.
func (s *Store) writeTransaction(ctx context.Context, f func(c *sqlite.Conn) error) (err error) {
	c, err := s.openFile(ctx, true)
	if err != nil {
		return err
	}
	defer c.Close()
	end, err := sqlitex.ImmediateTransaction(c.Conn)
	if err != nil {
		return s.explainError(ctx, err)
	}
	if err = s.checkOwner(c); err == nil {
		err = f(c.Conn)
	}
	if end(&err); err == nil {
		c.ShortenLog(s.path, maxLog)
	}
	return s.explainError(ctx, err)
}

func execStatement(c *sqlite.Conn, sql string, args ...any) error {
	return sqlitex.Execute(c, sql, &sqlitex.ExecOptions{Args: args})
}

// eachRow calls f with every row that a statement returns.
func eachRow(c *sqlite.Conn, sql string, f func(st *sqlite.Stmt), args ...any) error {
	return sqlitex.Execute(c, sql, &sqlitex.ExecOptions{Args: args, ResultFunc: func(st *sqlite.Stmt) error {
		f(st)
		return nil
	}})
}

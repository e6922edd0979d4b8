package sqlite

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"iter"
	"os"
	"path/filepath"

	"zombiezen.com/go/sqlite"
	"zombiezen.com/go/sqlite/sqlitex"

	"ken/internal/engine/store"
	"ken/internal/statefile"
	"ken/internal/store/sqlite/dbfile"
)

var _ store.VectorStore = (*Vectors)(nil)

// Vectors is a store.VectorStore in a separate file, which is made with the first vector. It is not part of the index:
// rebuilding the index does not delete it.
type Vectors struct {
	path   string
	layout *dbfile.Layout
}

// NewVectors returns a store over the database file at path, which need not exist.
func NewVectors(path string) *Vectors {
	return &Vectors{path: path, layout: dbfile.NewLayout(vectorTables)}
}

// vectorSchema is the version number of the tables, which is stored as PRAGMA
// user_version. It is not that of the index, which grows for other reasons.
const vectorSchema = 1

// vectorTables are the tables of vectors. The short codes of all vectors are
// columns of contents, because they are read together; the numbers of a vector are
// looked up one by one.
const vectorTables = `
CREATE TABLE spaces (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, bytes INTEGER NOT NULL /* of each row */);
CREATE TABLE vectors (id INTEGER PRIMARY KEY, space INTEGER NOT NULL, hash BLOB NOT NULL, data BLOB NOT NULL, UNIQUE (space, hash));
CREATE TABLE contents (
  id INTEGER PRIMARY KEY, space INTEGER NOT NULL, hash BLOB NOT NULL,
  codes BLOB NOT NULL, passages BLOB NOT NULL, -- of each passage: its hash, first line, number of lines more
  UNIQUE (space, hash)
);
`

// Size returns the size of the database with its write-ahead log on disk, in bytes.
func (s *Vectors) Size() int64 { return dbfile.DatabaseSize(s.path) }

// open opens the database. It fails with store.ErrNoIndex if there is none and create is false.
func (s *Vectors) open(ctx context.Context, create bool) (*dbfile.Conn, error) {
	err := statefile.CheckFolder(filepath.Dir(s.path))
	if err == nil {
		err = errors.Join(statefile.CheckFiles(s.path), statefile.CheckLogs(s.path+"-wal", s.path+"-shm", s.path+"-journal"))
	}
	if err != nil {
		return nil, fmt.Errorf("open the vectors: %w", err)
	}
	flags := sqlite.OpenReadWrite
	if _, err := os.Stat(s.path); errors.Is(err, os.ErrNotExist) {
		if !create {
			return nil, store.ErrNoIndex
		}
		flags |= sqlite.OpenCreate
	}
	c, err := dbfile.Open(s.path, s.layout, flags)
	if err != nil {
		return nil, s.damagedError(fmt.Errorf("open the vectors: %w", err))
	}
	if flags&sqlite.OpenCreate != 0 {
		os.Chmod(s.path, 0o600)
	}
	c.SetBusyTimeout(busyTimeout)
	c.SetInterrupt(ctx.Done())
	if err = setPragmas(c.Conn, "auto_vacuum=INCREMENTAL"); err == nil {
		err = c.MakeLog(busyTimeout)
	}
	if err == nil {
		err = setPragmas(c.Conn, "synchronous=NORMAL", "cache_size=-8000")
	}
	if err == nil {
		err = s.checkSchema(c)
	}
	if err != nil {
		c.Close()
		return nil, contextError(ctx, s.damagedError(err))
	}
	return c, nil
}

// checkSchema makes the tables of a new database, and fails for other schemas.
func (s *Vectors) checkSchema(c *dbfile.Conn) (err error) {
	version, err := c.Number("PRAGMA user_version")
	if err != nil {
		return err
	}
	if version == 0 {
		end, err := sqlitex.ImmediateTransaction(c.Conn)
		if err != nil {
			return err
		}
		defer end(&err)
		if version, err = c.Number("PRAGMA user_version"); err != nil { // another process was first
			return err
		}
		if version == 0 {
			for _, sql := range []string{vectorTables, fmt.Sprintf("PRAGMA user_version=%d", vectorSchema)} {
				if err := sqlitex.ExecuteScript(c.Conn, sql, nil); err != nil {
					return err
				}
			}
			version = vectorSchema
		}
	}
	if version != vectorSchema {
		return fmt.Errorf("another ken wrote %s (schema %d, this one has %d)", s.path, version, vectorSchema)
	}
	return nil
}

// damagedError adds advice to the error of a damaged database: it is not rebuilt automatically, because vectors are
// costly. The result is never store.ErrDamaged, which would make ken rebuild the index.
func (s *Vectors) damagedError(err error) error {
	code := sqlite.ErrCode(err).ToPrimary()
	if code == sqlite.ResultCorrupt || code == sqlite.ResultNotADB || errors.Is(err, store.ErrDamaged) {
		return fmt.Errorf("the vectors are damaged; delete %s and run \"ken index --embed\"", s.path)
	}
	return err
}

// vectorReader reads one space, the vectors of one model.
type vectorReader struct {
	reader
	space int64
	bytes int // of each row
}

// View runs f over a snapshot of a space; see store.VectorStore. It returns nil without calling f if there are no
// vectors or no such space. It fails with the error of f, or if the database cannot be read.
func (s *Vectors) View(ctx context.Context, space string, f func(store.VectorView) error) error {
	c, err := s.open(ctx, false)
	if errors.Is(err, store.ErrNoIndex) {
		return nil
	}
	if err != nil {
		return err
	}
	defer c.Close()
	if err = sqlitex.ExecuteTransient(c.Conn, "BEGIN", nil); err == nil {
		err = c.Check()
	}
	if err != nil {
		return contextError(ctx, s.damagedError(fmt.Errorf("read the vectors: %w", err)))
	}
	r := &vectorReader{reader: reader{c: c.Conn}}
	switch ok, err := r.findSpace(space); {
	case err != nil:
		return contextError(ctx, s.damagedError(err))
	case !ok:
		return nil
	}
	return contextError(ctx, s.damagedError(f(r)))
}

func (r *vectorReader) findSpace(space string) (ok bool, err error) {
	err = r.eachRow("SELECT id,bytes FROM spaces WHERE name=?", func(st *sqlite.Stmt) error {
		r.space, r.bytes, ok = st.ColumnInt64(0), st.ColumnInt(1), true
		return nil
	}, space)
	return ok, err
}

func (r *vectorReader) RowLen() int { return r.bytes }

func (r *vectorReader) Hashes() iter.Seq2[[32]byte, error] {
	return queryRows(&r.reader, "SELECT hash FROM contents WHERE space=? ORDER BY hash", func(st *sqlite.Stmt) (h [32]byte) {
		st.ColumnBytes(0, h[:])
		return h
	}, r.space)
}

func (r *vectorReader) Codes() iter.Seq2[store.EmbeddedContent, error] {
	var codes []byte
	return queryRows(&r.reader, "SELECT hash,codes FROM contents WHERE space=? ORDER BY hash", func(st *sqlite.Stmt) (c store.EmbeddedContent) {
		st.ColumnBytes(0, c.Hash[:])
		n := st.ColumnLen(1)
		if cap(codes) < n {
			codes = make([]byte, 2*n)
		}
		c.Codes = codes[:st.ColumnBytes(1, codes[:n])]
		return c
	}, r.space)
}

func (r *vectorReader) Passages(content [32]byte) ([]store.Passage, error) {
	b, _, err := queryFirst(&r.reader, "SELECT passages FROM contents WHERE space=? AND hash=?", scanBlob, r.space, content[:])
	if err != nil {
		return nil, err
	}
	var out []store.Passage
	for len(b) > 0 {
		var p store.Passage
		b = b[copy(p.Hash[:], b):]
		line, n := binary.Uvarint(b)
		more, m := binary.Uvarint(b[max(n, 0):])
		if n <= 0 || m <= 0 {
			return nil, store.ErrDamaged
		}
		p.Line, p.EndLine, b = int(line), int(line+more), b[n+m:]
		out = append(out, p)
	}
	return out, nil
}

func (r *vectorReader) Row(p store.PassageHash) ([]byte, error) {
	b, ok, err := queryFirst(&r.reader, "SELECT data FROM vectors WHERE space=? AND hash=?", scanBlob, r.space, p[:])
	if !ok || len(b) != r.bytes {
		return nil, err
	}
	return b, err
}

// Put stores vectors and contents; see store.VectorStore. It fails if the rows differ in length, if contents come
// without passages for a new space, or if the database cannot be written.
func (s *Vectors) Put(ctx context.Context, space string, passages []store.EmbeddedPassage, contents []store.EmbeddedContent) error {
	return s.writeTransaction(ctx, func(t *tx) error {
		r := &vectorReader{reader: t.reader}
		ok, err := r.findSpace(space)
		if err != nil {
			return err
		}
		if !ok {
			if len(passages) == 0 {
				return errors.New("the vectors these contents have are gone")
			}
			r.bytes = len(passages[0].Row)
			if err := t.exec("INSERT INTO spaces(name,bytes) VALUES(?,?)", space, int64(r.bytes)); err != nil {
				return err
			}
			r.space = t.c.LastInsertRowID()
		}
		for i := range passages {
			p := &passages[i]
			if len(p.Row) != r.bytes {
				return fmt.Errorf("a vector takes %d bytes, the others take %d", len(p.Row), r.bytes)
			}
			if err := t.exec("INSERT OR REPLACE INTO vectors(space,hash,data) VALUES(?,?,?)", r.space, p.Hash[:], p.Row); err != nil {
				return err
			}
		}
		for i := range contents {
			c := &contents[i]
			err := t.exec("INSERT OR REPLACE INTO contents(space,hash,codes,passages) VALUES(?,?,?,?)", r.space, c.Hash[:],
				nilToEmpty(c.Codes), nilToEmpty(packPassages(c.Passages)))
			if err != nil {
				return err
			}
		}
		return nil
	})
}

// packPassages packs passages into the form of the column passages, which Passages reads.
func packPassages(list []store.Passage) (b []byte) {
	for i := range list {
		p := &list[i]
		b = append(b, p.Hash[:]...)
		b = binary.AppendUvarint(b, uint64(p.Line))
		b = binary.AppendUvarint(b, uint64(max(0, p.EndLine-p.Line)))
	}
	return b
}

// writeTransaction runs f in a transaction. Writers wait for each other at SQLite's own
// lock: there is one at a time, seldom two.
func (s *Vectors) writeTransaction(ctx context.Context, f func(*tx) error) (err error) {
	c, err := s.open(ctx, true)
	if err != nil {
		return err
	}
	defer c.Close()
	end, err := sqlitex.ImmediateTransaction(c.Conn)
	if err == nil {
		if err = c.Check(); err == nil {
			err = f(&tx{reader: reader{c: c.Conn}})
		}
		end(&err)
	}
	return contextError(ctx, s.damagedError(err))
}

// Prune deletes the contents that keep rejects; see store.VectorStore. It fails if the database cannot be written.
func (s *Vectors) Prune(ctx context.Context, space string, keep func([32]byte) bool) error {
	if _, err := os.Stat(s.path); errors.Is(err, os.ErrNotExist) {
		return nil
	}
	dropped := 0
	err := s.writeTransaction(ctx, func(t *tx) error {
		r := &vectorReader{reader: t.reader}
		ok, err := r.findSpace(space)
		if err != nil || !ok {
			return err
		}
		if dropped, err = t.pruneSpaces(r.space); err != nil {
			return err
		}
		n, err := t.pruneContents(r, keep)
		dropped += n
		return err
	})
	if err != nil || dropped == 0 {
		return err
	}
	c, err := s.open(ctx, false)
	if err != nil {
		return err
	}
	defer c.Close()
	return contextError(ctx, setPragmas(c.Conn, "incremental_vacuum"))
}

// pruneSpaces deletes all spaces except the one with the id keep, and returns the number of deleted ones.
func (t *tx) pruneSpaces(keep int64) (int, error) {
	others, err := queryList(&t.reader, "SELECT id FROM spaces WHERE id<>?", scanInt, keep)
	if err != nil || len(others) == 0 {
		return 0, err
	}
	if err := t.execAll([]any{keep}, "DELETE FROM vectors WHERE space<>?", "DELETE FROM contents WHERE space<>?",
		"DELETE FROM spaces WHERE id<>?"); err != nil {
		return 0, err
	}
	return len(others), nil
}

// pruneContents deletes the contents that keep rejects, then vectors without a content, and returns the number of contents.
func (t *tx) pruneContents(r *vectorReader, keep func([32]byte) bool) (int, error) {
	var gone, stay [][32]byte
	for h, err := range r.Hashes() {
		if err != nil {
			return 0, err
		}
		if keep(h) {
			stay = append(stay, h)
		} else {
			gone = append(gone, h)
		}
	}
	if len(gone) == 0 {
		return 0, nil
	}
	used := map[store.PassageHash]bool{}
	for _, h := range stay {
		list, err := r.Passages(h)
		if err != nil {
			return 0, err
		}
		for _, p := range list {
			used[p.Hash] = true
		}
	}
	for _, h := range gone {
		if err := t.exec("DELETE FROM contents WHERE space=? AND hash=?", r.space, h[:]); err != nil {
			return 0, err
		}
	}
	all, err := queryList(&t.reader, "SELECT hash FROM vectors WHERE space=?", scanBlob, r.space)
	if err != nil {
		return 0, err
	}
	for _, b := range all {
		if len(b) == len(store.PassageHash{}) && !used[store.PassageHash(b)] {
			if err := t.exec("DELETE FROM vectors WHERE space=? AND hash=?", r.space, b); err != nil {
				return 0, err
			}
		}
	}
	return len(gone), nil
}

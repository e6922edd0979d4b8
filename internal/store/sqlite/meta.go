package sqlite

import (
	"zombiezen.com/go/sqlite"

	"ken/internal/code"
	"ken/internal/engine/store"
)

// Meta returns a named value that is stored beside the facts, or "" if it was never set.
func (r *reader) Meta(key string) (string, error) {
	return queryValue(r, "SELECT value FROM meta WHERE key=?", scanText, key)
}

// Look returns the listing of the files as of the last comparison with the working tree, in the bytes that SetLook stored, or nil if
// there are none.
func (r *reader) Look() ([]byte, error) {
	return queryValue(r, "SELECT data FROM look", scanBlob)
}

// Noted returns the paths that were updated one by one since the whole tree was last compared, sorted.
func (r *reader) Noted() ([]string, error) {
	return queryList(r, "SELECT path FROM notes ORDER BY path", r.scanPath)
}

func (t *tx) SetMeta(key, value string) error {
	return t.exec("INSERT OR REPLACE INTO meta(key,value) VALUES(?,?)", key, value)
}

func (t *tx) SetLook(b []byte) error {
	return t.exec("INSERT OR REPLACE INTO look(id,data) VALUES(1,?)", b)
}

func (t *tx) PutSkip(p string, problem code.Problem) error {
	return t.exec("INSERT OR REPLACE INTO skips(path,problem) VALUES(?,?)", p, string(problem))
}

func (t *tx) DropSkip(p string) error { return t.exec("DELETE FROM skips WHERE path=?", p) }

func (t *tx) Note(p string) error { return t.exec("INSERT OR IGNORE INTO notes(path) VALUES(?)", p) }

func (t *tx) ForgetNote(p string) error { return t.exec("DELETE FROM notes WHERE path=?", p) }

// historyTables are the tables of git's history, whose rows engine/history packs.
const historyTables = `
CREATE TABLE history (id INTEGER PRIMARY KEY /* part << 32 | place in it */, data BLOB NOT NULL);
`

func historyID(k store.HistoryKey) int64 { return int64(k.Part)<<32 | int64(k.N) }

func (r *reader) History(k store.HistoryKey) ([]byte, error) {
	return queryValue(r, "SELECT data FROM history WHERE id=?", scanBlob, historyID(k))
}

func (r *reader) HistoryKeys() ([]store.HistoryKey, error) {
	return queryList(r, "SELECT id FROM history ORDER BY id", func(st *sqlite.Stmt) store.HistoryKey {
		id := st.ColumnInt64(0)
		return store.HistoryKey{Part: int(id >> 32), N: int(id & (1<<32 - 1))}
	})
}

func (t *tx) PutHistory(k store.HistoryKey, data []byte) error {
	if data == nil {
		return t.exec("DELETE FROM history WHERE id=?", historyID(k))
	}
	return t.exec("INSERT OR REPLACE INTO history(id,data) VALUES(?,?)", historyID(k), nilToEmpty(data))
}

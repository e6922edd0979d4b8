package sqlite

import (
	"zombiezen.com/go/sqlite"

	"ken/internal/engine/store"
)

// historyTables hold what is packed by engine/history.
const historyTables = `
CREATE TABLE history (id INTEGER PRIMARY KEY /* part << 32 | place in it */, data BLOB NOT NULL);
`

func historyID(k store.HistoryKey) int64 { return int64(k.Part)<<32 | int64(k.N) }

func (r *reader) History(k store.HistoryKey) ([]byte, error) {
	b, _, err := first(r, "SELECT data FROM history WHERE id=?", scanBlob, historyID(k))
	return b, err
}

func (r *reader) HistoryKeys() ([]store.HistoryKey, error) {
	return list(r, "SELECT id FROM history ORDER BY id", func(st *sqlite.Stmt) store.HistoryKey {
		id := st.ColumnInt64(0)
		return store.HistoryKey{Part: int(id >> 32), N: int(id & (1<<32 - 1))}
	})
}

func (r *reader) FileID(path string) (int64, error) {
	id, _, err := first(r, "SELECT id FROM files WHERE path=?", scanInt, path)
	return id, err
}

func (t *tx) PutHistory(k store.HistoryKey, data []byte) error {
	if data == nil {
		return t.exec("DELETE FROM history WHERE id=?", historyID(k))
	}
	return t.exec("INSERT OR REPLACE INTO history(id,data) VALUES(?,?)", historyID(k), orEmpty(data))
}

package sqlite

import (
	"iter"

	"zombiezen.com/go/sqlite"

	"ken/internal/engine/store"
	"ken/internal/store/sqlite/uses"
)

// Referrers returns the ids of the files that use a name, ascending.
func (r *reader) Referrers(name string) ([]int64, error) {
	b, _, err := queryFirst(r, "SELECT uses FROM names WHERE name=?", scanBlob, name)
	if err != nil || len(b) == 0 {
		return nil, err
	}
	return uses.Unpack(b)
}

// nameRow is the row of a name: its number of declarations and the files that use it.
type nameRow struct {
	defs int64
	uses []byte
}

func scanNameRow(st *sqlite.Stmt) nameRow { return nameRow{st.ColumnInt64(0), columnBlob(st, 1)} }

// writeNameChanges writes the collected changes of names. It deletes a name that has neither declarations nor uses.
func (t *tx) writeNameChanges() error {
	for name, change := range t.names.Take() {
		row, err := queryValue(&t.reader, "SELECT defs,uses FROM names WHERE name=?", scanNameRow, name)
		if err != nil {
			return err
		}
		ids, err := uses.Unpack(row.uses)
		if err != nil {
			return err
		}
		ids = change.Apply(ids)
		if defs := row.defs + int64(change.Defs); defs != 0 || len(ids) > 0 {
			const put = "INSERT OR REPLACE INTO names(name,defs,files,uses) VALUES(?,?,?,?)"
			err = t.exec(put, name, defs, int64(len(ids)), uses.Pack([]byte{}, ids))
		} else {
			err = t.exec("DELETE FROM names WHERE name=?", name)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// Referrers, Names, HotNames and NameCount include the gathered changes.

func (t *tx) Referrers(name string) ([]int64, error) {
	if err := t.writeNameChanges(); err != nil {
		return nil, err
	}
	return t.reader.Referrers(name)
}

func (t *tx) Names() iter.Seq2[string, error] {
	if err := t.writeNameChanges(); err != nil {
		return func(yield func(string, error) bool) { yield("", err) }
	}
	return t.reader.Names()
}

func (t *tx) HotNames(limit int) ([]store.NameCount, error) {
	if err := t.writeNameChanges(); err != nil {
		return nil, err
	}
	return t.reader.HotNames(limit)
}

func (t *tx) NameCount(name string) (store.NameCount, error) {
	if err := t.writeNameChanges(); err != nil {
		return store.NameCount{}, err
	}
	return t.reader.NameCount(name)
}

func (r *reader) Names() iter.Seq2[string, error] {
	return queryRows(r, "SELECT name FROM names WHERE defs>0", scanText)
}

func scanNameCount(st *sqlite.Stmt) store.NameCount {
	return store.NameCount{Name: st.ColumnText(0), Defs: st.ColumnInt(1), Files: st.ColumnInt(2)}
}

func (r *reader) HotNames(limit int) ([]store.NameCount, error) {
	return queryList(r, "SELECT name,defs,files FROM names WHERE defs=1 AND files>1 ORDER BY files DESC,name LIMIT ?", scanNameCount, int64(limit))
}

func (r *reader) NameCount(name string) (store.NameCount, error) {
	return queryValue(r, "SELECT name,defs,files FROM names WHERE name=?", scanNameCount, name)
}

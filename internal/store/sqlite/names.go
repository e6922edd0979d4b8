package sqlite

import (
	"encoding/binary"
	"fmt"
	"iter"
	"slices"

	"zombiezen.com/go/sqlite"

	"ken/internal/engine/store"
)

// packUses packs the ids of files, ascending, as varints of their differences,
// because those take one or two bytes each and a row of a table would take a dozen.
func packUses(b []byte, ids []int64) []byte {
	last := int64(0)
	for _, id := range ids {
		b = binary.AppendUvarint(b, uint64(id-last))
		last = id
	}
	return b
}

// unpackUses is the inverse of packUses.
func unpackUses(b []byte) ([]int64, error) {
	ids := make([]int64, 0, len(b))
	last := int64(0)
	for len(b) > 0 {
		v, n := binary.Uvarint(b)
		if n <= 0 {
			return nil, fmt.Errorf("%w: uses of a name", store.ErrDamaged)
		}
		last += int64(v)
		ids, b = append(ids, last), b[n:]
	}
	return ids, nil
}

// Referrers are the files that use a name, by id.
func (r *reader) Referrers(name string) ([]int64, error) {
	b, _, err := first(r, "SELECT uses FROM names WHERE name=?", scanBlob, name)
	if err != nil || len(b) == 0 {
		return nil, err
	}
	return unpackUses(b)
}

// countDefs adds to the number of a name's declarations.
func (t *tx) countDefs(name string, defs int) error {
	if defs == 0 {
		return nil
	}
	const insert = "INSERT INTO names(name,defs,files,uses) VALUES(?,?,0,x'') ON CONFLICT (name) DO UPDATE SET defs=defs+excluded.defs"
	err := t.exec(insert, name, int64(defs))
	if err != nil {
		return err
	}
	return t.dropUnused(name)
}

// dropUnused forgets a name when nothing is left of it.
func (t *tx) dropUnused(name string) error {
	return t.exec("DELETE FROM names WHERE name=? AND defs=0 AND files=0", name)
}

// refer brings the postings of a file from was to now; both are sorted.
func (t *tx) refer(id int64, now, was []string) error {
	i, j := 0, 0
	for i < len(now) || j < len(was) {
		switch {
		case j == len(was) || i < len(now) && now[i] < was[j]:
			if err := t.use(now[i], id, true); err != nil {
				return err
			}
			i++
		case i == len(now) || was[j] < now[i]:
			if err := t.use(was[j], id, false); err != nil {
				return err
			}
			if err := t.dropUnused(was[j]); err != nil {
				return err
			}
			j++
		default:
			i++
			j++
		}
	}
	return nil
}

// use notes that a file uses a name, or that it no longer does.
func (t *tx) use(name string, file int64, does bool) error {
	ids, err := t.Referrers(name)
	if err != nil {
		return err
	}
	at, did := slices.BinarySearch(ids, file)
	switch {
	case does == did:
		return nil
	case does:
		ids = slices.Insert(ids, at, file)
	default:
		ids = slices.Delete(ids, at, at+1)
	}
	const insert = `INSERT INTO names(name,defs,files,uses) VALUES(?,0,?,?)
 ON CONFLICT (name) DO UPDATE SET files=excluded.files,uses=excluded.uses`
	return t.exec(insert, name, int64(len(ids)), packUses([]byte{}, ids))
}

func (r *reader) Names() iter.Seq2[string, error] {
	return rows(r, "SELECT name FROM names WHERE defs>0", scanText)
}

func scanNameCount(st *sqlite.Stmt) store.NameCount {
	return store.NameCount{Name: st.ColumnText(0), Defs: st.ColumnInt(1), Files: st.ColumnInt(2)}
}

func (r *reader) HotNames(limit int) ([]store.NameCount, error) {
	return list(r, "SELECT name,defs,files FROM names WHERE defs=1 AND files>1 ORDER BY files DESC,name LIMIT ?", scanNameCount, int64(limit))
}

func (r *reader) NameCount(name string) (store.NameCount, error) {
	return value(r, "SELECT name,defs,files FROM names WHERE name=?", scanNameCount, name)
}

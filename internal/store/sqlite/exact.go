package sqlite

import (
	"encoding/binary"
	"iter"
	"slices"

	"zombiezen.com/go/sqlite"

	"ken/internal/code"
	"ken/internal/engine/exact"
	"ken/internal/engine/store"
)

// exactTables are the tables of exact bindings: the uses of names whose declarations a type checker or a SCIP index confirmed. A build
// leaves them empty.
const exactTables = `
CREATE TABLE exact_units (
  id INTEGER PRIMARY KEY, origin INTEGER NOT NULL, name TEXT NOT NULL, part INTEGER NOT NULL,
  deps BLOB NOT NULL, print INTEGER NOT NULL, env TEXT NOT NULL, problem TEXT NOT NULL, made INTEGER NOT NULL, errors INTEGER NOT NULL,
  UNIQUE (origin, name, part)
);
CREATE TABLE exact_files (id INTEGER PRIMARY KEY /* file id << 1 | origin */, unit INTEGER NOT NULL, hash BLOB NOT NULL, data BLOB NOT NULL);
CREATE INDEX exact_files_unit ON exact_files (unit);
CREATE TABLE exact_keys (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, print INTEGER NOT NULL);
CREATE TABLE exact_shapes (file_id INTEGER PRIMARY KEY, key INTEGER NOT NULL, added INTEGER NOT NULL);
CREATE TABLE exact_types (id INTEGER PRIMARY KEY /* the symbol's */, unit INTEGER NOT NULL, iface INTEGER NOT NULL, methods BLOB NOT NULL);
CREATE INDEX exact_types_unit ON exact_types (unit);
CREATE TABLE exact_methods (name TEXT, iface INTEGER, type INTEGER, PRIMARY KEY (name, iface, type)) WITHOUT ROWID;
`

// originBits is the number of low bits of a key that hold the origin of exact bindings; the id of the file is above them.
const originBits = 1

func (r *reader) HasExact() (bool, error) {
	_, ok, err := queryFirst(r, "SELECT 1 FROM exact_units LIMIT 1", scanInt)
	return ok, err
}

const unitQuery = "SELECT id,origin,name,part,deps,print,env,problem,made,errors FROM exact_units "

// scanUnit reads a row of unitQuery.
func scanUnit(st *sqlite.Stmt) store.ExactUnit {
	u := store.ExactUnit{
		ID: st.ColumnInt64(0), Origin: store.Origin(st.ColumnInt64(1)), Name: st.ColumnText(2), Part: st.ColumnInt(3),
		Print: uint64(st.ColumnInt64(5)), Env: st.ColumnText(6), Problem: st.ColumnText(7), Made: st.ColumnInt64(8), Errors: st.ColumnInt(9),
	}
	last := int64(0)
	for b := columnBlob(st, 4); len(b) > 0; {
		d, n := binary.Uvarint(b)
		if n <= 0 {
			break
		}
		last += int64(d)
		u.Deps, b = append(u.Deps, last), b[n:]
	}
	return u
}

// packIDs packs ascending ids; it stores each as its distance from the one before.
func packIDs(ids []int64) []byte {
	var b []byte
	last := int64(0)
	for _, id := range ids {
		b = binary.AppendUvarint(b, uint64(id-last))
		last = id
	}
	return b
}

func (r *reader) ExactUnits() iter.Seq2[store.ExactUnit, error] {
	return queryRows(r, unitQuery+"ORDER BY origin,name,part", scanUnit)
}

func (r *reader) ExactUnit(id int64) (store.ExactUnit, bool, error) {
	return queryFirst(r, unitQuery+"WHERE id=?", scanUnit, id)
}

func scanKey(st *sqlite.Stmt) store.ExactKey {
	return store.ExactKey{ID: st.ColumnInt64(0), Name: st.ColumnText(1), Print: uint64(st.ColumnInt64(2))}
}

func (r *reader) ExactKeys() iter.Seq2[store.ExactKey, error] {
	return queryRows(r, "SELECT id,name,print FROM exact_keys ORDER BY id", scanKey)
}

func (r *reader) ExactKey(name string) (store.ExactKey, bool, error) {
	return queryFirst(r, "SELECT id,name,print FROM exact_keys WHERE name=?", scanKey, name)
}

func (r *reader) ExactPrint(key int64) (uint64, error) {
	p, _, err := queryFirst(r, "SELECT print FROM exact_keys WHERE id=?", scanInt, key)
	return uint64(p), err
}

func (r *reader) ExactFiles(file int64) ([]store.ExactFile, error) {
	const query = "SELECT id,unit,hash,data FROM exact_files WHERE id>=? AND id<? AND hash=(SELECT hash FROM files WHERE id=?) ORDER BY id"
	return queryList(r, query, func(st *sqlite.Stmt) store.ExactFile {
		origin := store.Origin(st.ColumnInt64(0) & (1<<originBits - 1))
		f := store.ExactFile{File: file, Origin: origin, Unit: st.ColumnInt64(1), Data: columnBlob(st, 3)}
		st.ColumnBytes(2, f.Hash[:])
		return f
	}, file<<originBits, (file+1)<<originBits, file)
}

func (r *reader) ExactHashes(unit int64) (map[int64][32]byte, error) {
	out := map[int64][32]byte{}
	err := r.eachRow("SELECT id,hash FROM exact_files WHERE unit=?", func(st *sqlite.Stmt) error {
		var h [32]byte
		st.ColumnBytes(1, h[:])
		out[st.ColumnInt64(0)>>originBits] = h
		return nil
	}, unit)
	return out, err
}

func (r *reader) ExactShape(file int64) (key int64, add uint64, err error) {
	err = r.eachRow("SELECT key,added FROM exact_shapes WHERE file_id=?", func(st *sqlite.Stmt) error {
		key, add = st.ColumnInt64(0), uint64(st.ColumnInt64(1))
		return nil
	}, file)
	return key, add, err
}

func (r *reader) ExactTypes(method string, iface bool) ([]store.ExactType, error) {
	const query = `SELECT t.id,t.unit,t.iface,t.methods
 FROM exact_methods m JOIN exact_types t ON t.id=m.type WHERE m.name=+? AND m.iface=+? ORDER BY m.type`
	return queryList(r, query, func(st *sqlite.Stmt) store.ExactType {
		return store.ExactType{Type: code.UnpackSymbolID(st.ColumnInt64(0)), Unit: st.ColumnInt64(1), Interface: st.ColumnInt(2) != 0,
			Methods: columnBlob(st, 3)}
	}, method, toInt(iface))
}

func (r *reader) ExactCounts() ([]store.ExactCount, error) {
	const query = `SELECT x.unit,count(*),sum(f.refs)
 FROM exact_files x JOIN files f ON f.id=x.id>>1 WHERE f.hash=x.hash GROUP BY x.unit ORDER BY x.unit`
	return queryList(r, query, func(st *sqlite.Stmt) store.ExactCount {
		return store.ExactCount{Unit: st.ColumnInt64(0), Files: st.ColumnInt(1), Refs: st.ColumnInt(2)}
	})
}

func (r *reader) LangDirs(lang string) ([]string, error) {
	return queryList(r, "SELECT DISTINCT dir FROM files WHERE lang=? ORDER BY dir", scanText, lang)
}

func (r *reader) LangRefs(lang string) (files, refs int, err error) {
	err = r.eachRow("SELECT count(*),coalesce(sum(refs),0) FROM files WHERE lang=? AND problem<>'binary'", func(st *sqlite.Stmt) error {
		files, refs = st.ColumnInt(0), st.ColumnInt(1)
		return nil
	}, lang)
	return files, refs, err
}

func (t *tx) PutExactUnit(u *store.ExactUnit, files []store.ExactFile, types []store.ExactType) error {
	const query = "SELECT id FROM exact_units WHERE origin=? AND name=? AND part=?"
	old, ok, err := queryFirst(&t.reader, query, scanInt, int64(u.Origin), u.Name, int64(u.Part))
	if err != nil {
		return err
	}
	if ok {
		if err := t.DropExactUnit(old); err != nil {
			return err
		}
	}
	last, _, err := queryFirst(&t.reader, "SELECT coalesce(max(id),0) FROM exact_units", scanInt)
	if err != nil {
		return err
	}
	if u.ID = last + 1; ok {
		u.ID = old
	}
	slices.Sort(u.Deps)
	err = t.exec("INSERT INTO exact_units(id,origin,name,part,deps,print,env,problem,made,errors) VALUES(?,?,?,?,?,?,?,?,?,?)",
		u.ID, int64(u.Origin), u.Name, int64(u.Part), nilToEmpty(packIDs(u.Deps)), int64(u.Print), u.Env, u.Problem, u.Made, int64(u.Errors))
	if err != nil {
		return err
	}
	for i := range files {
		f := &files[i]
		f.Unit = u.ID
		id := f.File<<originBits | int64(u.Origin)
		if err := t.exec("INSERT OR REPLACE INTO exact_files(id,unit,hash,data) VALUES(?,?,?,?)", id, f.Unit, f.Hash[:], f.Data); err != nil {
			return err
		}
	}
	return t.putExactTypes(u.ID, types)
}

// putExactTypes stores the types of a unit, a set of files whose exact bindings were computed together, and the methods by which the
// types are found.
func (t *tx) putExactTypes(unit int64, types []store.ExactType) error {
	for i := range types {
		y := &types[i]
		y.Unit = unit
		id := y.Type.Pack()
		err := t.exec("INSERT OR REPLACE INTO exact_types(id,unit,iface,methods) VALUES(?,?,?,?)", id, unit, toInt(y.Interface), y.Methods)
		if err != nil {
			return err
		}
		for _, n := range y.Names {
			if err := t.exec("INSERT OR IGNORE INTO exact_methods(name,iface,type) VALUES(?,?,?)", n, toInt(y.Interface), id); err != nil {
				return err
			}
		}
	}
	return nil
}

func (t *tx) DropExactUnit(id int64) error {
	if err := t.execAll([]any{id}, "DELETE FROM exact_files WHERE unit=?", "DELETE FROM exact_units WHERE id=?"); err != nil {
		return err
	}
	types, err := queryList(&t.reader, "SELECT id,iface,methods FROM exact_types WHERE unit=?", func(st *sqlite.Stmt) store.ExactType {
		return store.ExactType{Unit: st.ColumnInt64(0), Interface: st.ColumnInt(1) != 0, Methods: columnBlob(st, 2)}
	}, id)
	if err != nil {
		return err
	}
	for _, y := range types {
		for _, n := range exact.PackedNames(y.Methods) {
			if err := t.exec("DELETE FROM exact_methods WHERE name=? AND iface=? AND type=?", n, toInt(y.Interface), y.Unit); err != nil {
				return err
			}
		}
	}
	return t.exec("DELETE FROM exact_types WHERE unit=?", id)
}

func (t *tx) SetExactPrint(key int64, print uint64) error {
	return t.exec("UPDATE exact_keys SET print=? WHERE id=?", int64(print), key)
}

// dropExact deletes the rows of a file's exact bindings, which a type checker or a SCIP index confirmed.
func (t *tx) dropExact(file int64) error {
	if err := t.exec("DELETE FROM exact_files WHERE id>=? AND id<?", file<<originBits, (file+1)<<originBits); err != nil {
		return err
	}
	return t.exec("DELETE FROM exact_shapes WHERE file_id=?", file)
}

func (t *tx) PutExactKey(name string, print uint64) (int64, error) {
	const insert = "INSERT INTO exact_keys(name,print) VALUES(?,?) ON CONFLICT(name) DO UPDATE SET print=excluded.print"
	if err := t.exec(insert, name, int64(print)); err != nil {
		return 0, err
	}
	return queryValue(&t.reader, "SELECT id FROM exact_keys WHERE name=?", scanInt, name)
}

func (t *tx) SetExactShape(file, key int64, add uint64) error {
	if key == 0 {
		return t.exec("DELETE FROM exact_shapes WHERE file_id=?", file)
	}
	return t.exec("INSERT OR REPLACE INTO exact_shapes(file_id,key,added) VALUES(?,?,?)", file, key, int64(add))
}

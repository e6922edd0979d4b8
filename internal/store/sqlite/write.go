package sqlite

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"iter"
	"path"
	"strings"

	"zombiezen.com/go/sqlite"

	"ken/internal/code"
	"ken/internal/lang"

	"ken/internal/engine/store"
)

// tx is an engine.Tx that keeps every table right with each call.
type tx struct {
	reader
}

var _ store.Tx = (*tx)(nil)

func (t *tx) exec(sql string, args ...any) error {
	return t.each(sql, func(*sqlite.Stmt) error { return nil }, args...)
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

func (t *tx) Touch(id int64, st code.Stat, flags code.Flags) error {
	return t.exec("UPDATE files SET bytes=?,mtime=?,ctime=?,inode=?,flags=? WHERE id=?", st.Size, st.MTime, st.CTime, int64(st.Inode), int64(flags), id)
}

func toInt(b bool) int64 {
	if b {
		return 1
	}
	return 0
}

func orNull(s string) any {
	if s == "" {
		return nil
	}
	return s
}

const insertFile = `INSERT INTO files(id,path,dir,slug,lang,flags,class,problem,hash,bytes,mtime,ctime,inode,lines,cl100k,o200k,error_bytes,branches,package,doc,type,purpose,complexity)
 VALUES(?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)`

func fileArgs(f *code.File, slug string) []any {
	return []any{f.ID, f.Path, code.Dir(f.Path), slug, string(f.Lang), int64(f.Flags), int64(f.Class), string(f.Problem), f.Hash[:], f.Stat.Size, f.Stat.MTime, f.Stat.CTime, int64(f.Stat.Inode), int64(f.Lines),
		int64(f.CL100K), int64(f.O200K), int64(f.ErrorBytes), int64(f.Branches), f.Package, f.Doc, lang.NodeType(*f), orNull(code.Purpose(*f)), orNull(code.Complexity(*f))}
}

func (t *tx) PutFile(f *code.File) (int64, error) {
	id, ok, err := first(&t.reader, "SELECT id FROM files WHERE path=?", scanInt, f.Path)
	if err != nil {
		return 0, err
	}
	if ok {
		f.ID = id
		a := fileArgs(f, "")
		return id, t.exec(`UPDATE files SET lang=?,flags=?,class=?,problem=?,hash=?,bytes=?,mtime=?,ctime=?,inode=?,lines=?,cl100k=?,o200k=?,error_bytes=?,branches=?,package=?,doc=?,type=?,purpose=?,complexity=? WHERE id=?`,
			append(a[4:], id)...)
	}
	last, _, err := first(&t.reader, "SELECT coalesce(max(id),0) FROM files", scanInt)
	if err != nil {
		return 0, err
	}
	f.ID = last + 1
	base := code.Slug(f.Path)
	slug, err := t.claimSlug(base, f.Path)
	if err != nil {
		return 0, err
	}
	return f.ID, t.exec(insertFile, fileArgs(f, slug)...)
}

// longSlug is the slug of a path whose plain one others share.
func longSlug(base, p string) string {
	h := sha256.Sum256([]byte(p))
	return base + "~" + hex.EncodeToString(h[:3])
}

// sharers are the files whose slug is a base or its long form; hex digits and
// '~' are all that follows, and no plain slug holds a '~'.
const sharers = "SELECT path FROM files WHERE slug=? OR slug>=? AND slug<? LIMIT 2"

// claimSlug finds the slug of a new file and gives the one other file that had
// the plain slug its long one. What a file is called thus depends on the set of
// paths alone, not on the order they came in.
func (t *tx) claimSlug(base, p string) (string, error) {
	others, err := list(&t.reader, sharers, scanText, base, base+"~", base+"~g")
	if err != nil || len(others) == 0 {
		return base, err
	}
	if len(others) == 1 {
		err = t.exec("UPDATE files SET slug=? WHERE path=?", longSlug(base, others[0]), others[0])
	}
	return longSlug(base, p), err
}

// freeSlug gives the plain slug back to the last file of a base.
func (t *tx) freeSlug(base string) error {
	others, err := list(&t.reader, sharers, scanText, base, base+"~", base+"~g")
	if err != nil || len(others) != 1 {
		return err
	}
	return t.exec("UPDATE files SET slug=? WHERE path=?", base, others[0])
}

func (t *tx) PutConfig(p string, content []byte) error {
	if content == nil {
		return t.exec("DELETE FROM configs WHERE path=?", p)
	}
	return t.exec("INSERT OR REPLACE INTO configs(path,base,content) VALUES(?,?,?)", p, path.Base(p), content)
}

func (t *tx) DropFile(id int64, was []string, links *store.LinkRow) error {
	f, ok, err := t.FileByID(id)
	if err != nil || !ok {
		return err
	}
	if err := t.PutContent(id, &store.Content{}, was); err != nil {
		return err
	}
	if err := t.PutLinks(id, &store.LinkRow{}, links); err != nil {
		return err
	}
	for _, sql := range []string{"DELETE FROM facts WHERE file_id=?", "DELETE FROM links WHERE file_id=?", "DELETE FROM outlines WHERE file_id=?",
		"DELETE FROM file_edges WHERE target=?", "DELETE FROM files WHERE id=?"} {
		if err := t.exec(sql, id); err != nil {
			return err
		}
	}
	if err := t.dropExact(id); err != nil {
		return err
	}
	if err := t.PutConfig(f.Path, nil); err != nil {
		return err
	}
	return t.freeSlug(code.Slug(f.Path))
}

func (t *tx) PutContent(id int64, c *store.Content, was []string) error {
	if err := t.putFresh(id, c); err != nil {
		return err
	}
	defs, err := t.replaceSymbols(id, c.Symbols)
	if err != nil {
		return err
	}
	for _, n := range sortedKeys(defs) {
		if err := t.countDefs(n, defs[n]); err != nil {
			return err
		}
	}
	if err := t.refer(id, c.Names, was); err != nil {
		return err
	}
	for _, put := range []struct {
		sql  string
		data []byte
	}{{"INSERT OR REPLACE INTO facts(file_id,data) VALUES(?,?)", c.Packed}, {"INSERT OR REPLACE INTO outlines(file_id,data) VALUES(?,?)", c.Outline}} {
		if put.data == nil {
			continue
		}
		if err := t.exec(put.sql, id, put.data); err != nil {
			return err
		}
	}
	if c.Packed == nil {
		if err := t.exec("DELETE FROM facts WHERE file_id=?", id); err != nil {
			return err
		}
	}
	if c.Outline == nil {
		if err := t.exec("DELETE FROM outlines WHERE file_id=?", id); err != nil {
			return err
		}
	}
	if err := t.exec("DELETE FROM findings WHERE file_id=?", id); err != nil {
		return err
	}
	if err := t.putSecrets(id, c.Secrets); err != nil {
		return err
	}
	return t.exec("UPDATE files SET symbols=?,refs=? WHERE id=?", int64(len(c.Symbols)), int64(c.Refs), id)
}

func (t *tx) putSecrets(id int64, list []store.Secret) error {
	for i := range list {
		s := &list[i]
		if err := t.exec("INSERT INTO findings(file_id,start,length,line,col,rule,hash,noted) VALUES(?,?,?,?,?,?,?,?)", id, int64(s.Start), int64(s.End-s.Start),
			int64(s.Line), int64(s.Col), s.Rule, s.Hash[:], toInt(s.Noted)); err != nil {
			return err
		}
	}
	return nil
}

// replaceSymbols stores the symbols of a file and returns by how much the
// number of definitions of each name changed. Rows that are the same stay: an
// edit then writes only the pages it has to.
func (t *tx) replaceSymbols(id int64, syms []code.Symbol) (map[string]int, error) {
	old, err := t.Symbols(id)
	if err != nil {
		return nil, err
	}
	defs := map[string]int{}
	for i := range old {
		if !old[i].Kind.IsText() {
			defs[old[i].Name]--
		}
	}
	for i := range syms {
		if !syms[i].Kind.IsText() {
			defs[syms[i].Name]++
		}
	}
	p, _, err := first(&t.reader, "SELECT path FROM files WHERE id=?", scanText, id)
	if err != nil {
		return nil, err
	}
	w, before := symbolWriter{id: id, path: p}, symbolWriter{}
	for i := range syms {
		nth := w.next(&syms[i])
		if i < len(old) && before.next(&old[i].Symbol) == nth && sameRow(&old[i].Symbol, &syms[i]) {
			continue
		}
		if err := t.exec(replaceSymbol, w.args(&syms[i], i, nth)...); err != nil {
			return nil, err
		}
	}
	if len(old) > len(syms) {
		from, end := keysOf(id)
		err = t.exec("DELETE FROM symbols WHERE id>=? AND id<?", from+int64(len(syms)), end)
	}
	return defs, err
}

// sameRow compares what a symbol's row holds, but for the entity id.
func sameRow(a, b *code.Symbol) bool {
	return a.Name == b.Name && a.Qualified == b.Qualified && a.Kind == b.Kind && a.Parent == b.Parent && a.Exported == b.Exported &&
		a.Span == b.Span && a.NameStart == b.NameStart && a.Signature == b.Signature
}

const symbolFields = "INTO symbols(id,name,container,kind,parent,exported,start,length,name_start,line,lines,signature,uuid) VALUES(?,?,?,?,?,?,?,?,?,?,?,?,?)"
const replaceSymbol = "INSERT OR REPLACE " + symbolFields

// symbolWriter turns the symbols of one file into rows.
type symbolWriter struct {
	id   int64
	path string
	seen map[string]int
}

// next is how many symbols of the same qualified name came before.
func (w *symbolWriter) next(s *code.Symbol) int {
	if w.seen == nil {
		w.seen = map[string]int{}
	}
	n := w.seen[s.Qualified]
	w.seen[s.Qualified] = n + 1
	return n
}

func (w *symbolWriter) args(s *code.Symbol, ord, nth int) []any {
	uuid := entityID(w.path, s.Qualified, nth)
	id := code.SymbolID{File: w.id, Ord: int32(ord)}
	return []any{id.Pack(), s.Name, orNull(container(s)), int64(s.Kind), int64(s.Parent), toInt(s.Exported), int64(s.Span.Start),
		int64(s.Span.End - s.Span.Start), int64(s.NameStart), int64(s.Span.Line), int64(s.Span.EndLine - s.Span.Line), s.Signature, uuid[:]}
}

func container(s *code.Symbol) string {
	if len(s.Qualified) > len(s.Name)+1 && strings.HasSuffix(s.Qualified, "."+s.Name) {
		return s.Qualified[:len(s.Qualified)-len(s.Name)-1]
	}
	return ""
}

func (t *tx) PutLinks(id int64, l, was *store.LinkRow) error {
	if was == nil {
		was = &store.LinkRow{}
	}
	if err := t.replaceProbes(id, l.Probes, was.Probes); err != nil {
		return err
	}
	if err := t.countPackages(l.Externals, was.Externals); err != nil {
		return err
	}
	if err := t.countImports(id, l); err != nil {
		return err
	}
	if l.Packed != nil {
		if err := t.exec("INSERT OR REPLACE INTO links(file_id,data) VALUES(?,?)", id, l.Packed); err != nil {
			return err
		}
	}
	if l.Packed == nil {
		if err := t.exec("DELETE FROM links WHERE file_id=?", id); err != nil {
			return err
		}
	}
	return t.replaceEdges(id, l.Edges)
}

func (t *tx) replaceProbes(id int64, now, was []uint64) error {
	old := make(map[uint64]bool, len(was))
	for _, k := range was {
		old[k] = true
	}
	for _, k := range now {
		if old[k] {
			delete(old, k)
			continue
		}
		if err := t.exec("INSERT OR IGNORE INTO probes(key,file_id) VALUES(?,?)", int64(k), id); err != nil {
			return err
		}
	}
	for k := range old {
		if err := t.exec("DELETE FROM probes WHERE key=? AND file_id=?", int64(k), id); err != nil {
			return err
		}
	}
	return nil
}

// countImports stores a file's numbers of imports and corrects their sums.
func (t *tx) countImports(id int64, l *store.LinkRow) error {
	var was [2]int64
	err := t.each("SELECT imports,unresolved FROM files WHERE id=?", func(st *sqlite.Stmt) error {
		was = [2]int64{st.ColumnInt64(0), st.ColumnInt64(1)}
		return nil
	}, id)
	now := [2]int64{int64(l.Imports), int64(l.Unresolved)}
	if err != nil || was == now {
		return err
	}
	if err := t.exec("UPDATE sums SET imports=imports+?,unresolved=unresolved+?", now[0]-was[0], now[1]-was[1]); err != nil {
		return err
	}
	return t.exec("UPDATE files SET imports=?,unresolved=? WHERE id=?", now[0], now[1], id)
}

func (t *tx) countPackages(now, was []store.External) error {
	delta := map[packageKey]int64{}
	for _, e := range now {
		delta[packageKey{e.Name, e.Std}]++
	}
	for _, e := range was {
		delta[packageKey{e.Name, e.Std}]--
	}
	for k, d := range delta {
		if d == 0 {
			continue
		}
		if err := t.exec("INSERT INTO packages(name,std,files) VALUES(?,?,?) ON CONFLICT(name,std) DO UPDATE SET files=files+excluded.files", k.name, toInt(k.std), d); err != nil {
			return err
		}
		if err := t.exec("DELETE FROM packages WHERE name=? AND std=? AND files<=0", k.name, toInt(k.std)); err != nil {
			return err
		}
	}
	return nil
}

func (t *tx) replaceEdges(id int64, edges []store.EdgeRow) error {
	old, err := t.EdgesFrom(id)
	if err != nil {
		return err
	}
	type key struct {
		target int64
		rel    code.Relation
	}
	had := make(map[key]code.Confidence, len(old))
	delta := map[int64]int{} // how the number of edges to a target changes, by presence
	present := map[int64]bool{}
	for _, e := range old {
		had[key{e.Target, e.Relation}] = e.Confidence
		present[e.Target] = present[e.Target] || e.Relation.Depends()
	}
	now := map[int64]bool{}
	for _, e := range edges {
		now[e.Target] = now[e.Target] || e.Relation.Depends()
		k := key{e.Target, e.Relation}
		if c, ok := had[k]; ok && c == e.Confidence {
			delete(had, k)
			continue
		}
		delete(had, k)
		if err := t.exec("INSERT OR REPLACE INTO file_edges(source,target,relation,confidence) VALUES(?,?,?,?)", id, e.Target, int64(e.Relation), int64(e.Confidence)); err != nil {
			return err
		}
	}
	for k := range had {
		if err := t.exec("DELETE FROM file_edges WHERE source=? AND target=? AND relation=?", id, k.target, int64(k.rel)); err != nil {
			return err
		}
	}
	for target, depends := range now {
		if depends && !present[target] {
			delta[target]++
		}
	}
	for target, depended := range present {
		if depended && !now[target] {
			delta[target]--
		}
	}
	for target, d := range delta {
		if err := t.exec("UPDATE files SET dependents=dependents+? WHERE id=?", int64(d), target); err != nil {
			return err
		}
	}
	return nil
}

func (t *tx) SetRanks(ranks iter.Seq2[int64, float64]) error {
	for id, rank := range ranks {
		if err := t.exec("UPDATE files SET rank=? WHERE id=? AND rank<>?", rank, id, rank); err != nil {
			return fmt.Errorf("store ranks: %w", err)
		}
	}
	return nil
}

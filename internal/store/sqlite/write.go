package sqlite

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"iter"
	"path"

	"ken/internal/code"
	"ken/internal/engine/store"
	"ken/internal/lang"
)

func (t *tx) Touch(id int64, st code.Stat, flags code.Flags) error {
	return t.exec("UPDATE files SET bytes=?,mtime=?,ctime=?,inode=?,flags=? WHERE id=?",
		st.Size, st.MTime, st.CTime, int64(st.Inode), int64(flags), id)
}

const insertFile = `INSERT INTO files(id,path,dir,slug,lang,flags,class,problem,hash,bytes,mtime,ctime,inode,
 lines,cl100k,o200k,error_bytes,branches,package,doc,type,purpose,complexity,first_indexed)
 VALUES(?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)`

// updateFile sets all columns of insertFile except id, path, dir, slug and first_indexed.
const updateFile = `UPDATE files SET lang=?,flags=?,class=?,problem=?,hash=?,bytes=?,mtime=?,ctime=?,inode=?,
 lines=?,cl100k=?,o200k=?,error_bytes=?,branches=?,package=?,doc=?,type=?,purpose=?,complexity=? WHERE id=?`

// fileArgs returns the arguments of insertFile.
func fileArgs(f *code.File, slug string) []any {
	return []any{f.ID, f.Path, code.Dir(f.Path), slug, string(f.Lang), int64(f.Flags), int64(f.Class), string(f.Problem), f.Hash[:],
		f.Stat.Size, f.Stat.MTime, f.Stat.CTime, int64(f.Stat.Inode),
		int64(f.Lines), int64(f.CL100K), int64(f.O200K), int64(f.ErrorBytes), int64(f.Branches), f.Package, f.Doc, lang.NodeType(*f),
		emptyToNull(code.Purpose(*f)), emptyToNull(code.Complexity(*f)), f.FirstIndexed}
}

func (t *tx) PutFile(f *code.File) (int64, error) {
	id, ok, err := queryFirst(&t.reader, "SELECT id FROM files WHERE path=?", scanInt, f.Path)
	if err != nil {
		return 0, err
	}
	if ok {
		f.ID = id
		args := fileArgs(f, "")
		return id, t.exec(updateFile, append(args[4:len(args)-1], id)...) // all but id, path, directory, slug and first_indexed
	}
	last, _, err := queryFirst(&t.reader, "SELECT coalesce(max(id),0) FROM files", scanInt)
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

// longSlug returns a unique slug for a path whose short slug, base, other paths share.
func longSlug(base, p string) string {
	h := sha256.Sum256([]byte(p))
	return base + "~" + hex.EncodeToString(h[:3])
}

// slugSharersQuery selects the files whose slug is the short slug or a long form of it, in which '~' and hex digits follow; short
// slugs never hold a '~'.
const slugSharersQuery = "SELECT path FROM files WHERE slug=? OR slug>=? AND slug<? LIMIT 2"

// claimSlug returns the slug of a new file. If one other file has the short slug, it gives that file its long slug, so that
// slugs depend on the set of paths alone and not on the order of writing.
func (t *tx) claimSlug(base, p string) (string, error) {
	others, err := queryList(&t.reader, slugSharersQuery, scanText, base, base+"~", base+"~g")
	if err != nil || len(others) == 0 {
		return base, err
	}
	if len(others) == 1 {
		err = t.exec("UPDATE files SET slug=? WHERE path=?", longSlug(base, others[0]), others[0])
	}
	return longSlug(base, p), err
}

// freeSlug gives the short slug back if only one file with a long form of it is left.
func (t *tx) freeSlug(base string) error {
	others, err := queryList(&t.reader, slugSharersQuery, scanText, base, base+"~", base+"~g")
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
	return runInOrder(
		func() error { return t.PutContent(id, &store.Content{}, was) },
		func() error { return t.PutLinks(id, &store.LinkRow{}, links) },
		func() error { return t.dropExact(id) },
		func() error { return t.PutConfig(f.Path, nil) },
		func() error {
			return t.execAll([]any{id}, "DELETE FROM file_edges WHERE target=?", "DELETE FROM files WHERE id=?")
		},
		func() error { return t.freeSlug(code.Slug(f.Path)) },
	)
}

func (t *tx) PutContent(id int64, c *store.Content, was []string) error {
	return runInOrder(
		func() error { return t.putFresh(id, c) },
		func() error { return t.storeSymbols(id, c.Symbols) },
		func() error { return t.changeUsedNames(id, c.Names, was) },
		func() error { return t.putPacked("facts", id, c.Packed) },
		func() error { return t.putPacked("outlines", id, c.Outline) },
		func() error { return t.exec("DELETE FROM findings WHERE file_id=?", id) },
		func() error { return t.putSecrets(id, c.Secrets) },
		func() error { return t.setCounts(id, c) },
	)
}

// setCounts stores the numbers of symbols and references of a file in its row.
func (t *tx) setCounts(id int64, c *store.Content) error {
	return t.exec("UPDATE files SET symbols=?,refs=? WHERE id=?", int64(len(c.Symbols)), int64(c.Refs), id)
}

// storeSymbols stores the symbols of a file and counts the declarations of their names.
func (t *tx) storeSymbols(id int64, symbols []code.Symbol) error {
	defs, err := t.replaceSymbols(id, symbols)
	for n, d := range defs {
		t.names.Define(n, d)
	}
	return err
}

// changeUsedNames changes the set of names that a file uses from was to now; both are sorted.
func (t *tx) changeUsedNames(id int64, now, was []string) error {
	t.names.Refer(id, now, was)
	if t.names.Full() {
		return t.writeNameChanges()
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

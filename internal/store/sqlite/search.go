package sqlite

import (
	"iter"

	"zombiezen.com/go/sqlite"

	"ken/internal/engine/store"
)

// SearchHead returns the header of the word index for searches: its general data. It is empty if there is none.
func (r *reader) SearchHead() ([]byte, error) {
	return queryValue(r, "SELECT data FROM search_head", scanBlob)
}

// SearchBucket returns bucket n of the search index, a part of its lists of words and files, empty if there is none.
func (r *reader) SearchBucket(n int64) ([]byte, error) {
	return queryValue(r, "SELECT data FROM search_buckets WHERE id=?", scanBlob, n)
}

// SearchBuckets yields all buckets, by number.
func (r *reader) SearchBuckets() iter.Seq2[store.SearchBucket, error] {
	return queryRows(r, "SELECT id,data FROM search_buckets ORDER BY id", func(st *sqlite.Stmt) store.SearchBucket {
		return store.SearchBucket{Number: st.ColumnInt64(0), Data: columnBlob(st, 1)}
	})
}

// SearchFresh yields the words of files that changed after the base of the search index was written, by file.
func (r *reader) SearchFresh() iter.Seq2[store.SearchFresh, error] {
	return queryRows(r, "SELECT file_id,data FROM search_fresh ORDER BY file_id", func(st *sqlite.Stmt) store.SearchFresh {
		return store.SearchFresh{File: st.ColumnInt64(0), Data: columnBlob(st, 1)}
	})
}

// SearchFreshCount returns the number of files that SearchFresh yields.
func (r *reader) SearchFreshCount() (int, error) {
	return queryValue(r, "SELECT count(*) FROM search_fresh", scanCount)
}

// putFresh stores the present words of a changed file; it stores an empty list if the file has none.
func (t *tx) putFresh(file int64, c *store.Content) error {
	data := []byte{}
	if c.Words != nil {
		data = c.Words.Pack()
	}
	return t.exec("INSERT OR REPLACE INTO search_fresh(file_id,data) VALUES(?,?)", file, data)
}

// PutSearch replaces the base of the search index and deletes the words of changed files, which the new base includes.
func (t *tx) PutSearch(head []byte, buckets iter.Seq2[int64, []byte]) error {
	if err := t.execAll(nil, "DELETE FROM search_head", "DELETE FROM search_buckets", "DELETE FROM search_fresh"); err != nil {
		return err
	}
	if err := t.exec("INSERT INTO search_head(id,data) VALUES(1,?)", head); err != nil {
		return err
	}
	for n, data := range buckets {
		if err := t.exec("INSERT INTO search_buckets(id,data) VALUES(?,?)", n, data); err != nil {
			return err
		}
	}
	return nil
}

package memory

import (
	"context"
	"strings"
	"time"

	"zombiezen.com/go/sqlite"

	"ken/internal/knowledge/memory"
	"ken/internal/knowledge/session"
)

var _ memory.Store = (*Store)(nil)

// learnedTables are the tables of items. item_terms has the words of an item, item_words the number of items with a word, so
// that a query reads the rare ones first. item_pages has the packed results of a consolidation, 256 items each: see
// packed.go. item_fresh has the items that no consolidation has seen yet, edited the files that sessions changed, learned
// the counters.
const learnedTables = `
CREATE TABLE items (
  id INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE, kind TEXT NOT NULL, subject TEXT NOT NULL, topic TEXT NOT NULL, text TEXT NOT NULL,
  pins TEXT NOT NULL /* a line each: target, tab, hash */, origin TEXT NOT NULL, session TEXT NOT NULL, at INTEGER NOT NULL,
  good INTEGER NOT NULL, bad INTEGER NOT NULL, judged INTEGER NOT NULL, used INTEGER NOT NULL, shown INTEGER NOT NULL, gone INTEGER NOT NULL
);
CREATE TABLE item_terms (term INTEGER NOT NULL, item INTEGER NOT NULL, PRIMARY KEY (term, item)) WITHOUT ROWID;
CREATE TABLE item_words (term INTEGER PRIMARY KEY, items INTEGER NOT NULL);
CREATE TABLE item_paths (path TEXT NOT NULL, item INTEGER NOT NULL, gone INTEGER NOT NULL, PRIMARY KEY (path, item)) WITHOUT ROWID;
CREATE INDEX item_paths_item ON item_paths (item, gone);
CREATE TABLE item_notes (item INTEGER NOT NULL, note INTEGER NOT NULL, PRIMARY KEY (item, note)) WITHOUT ROWID;
CREATE TABLE item_uses (
  session TEXT NOT NULL, item INTEGER NOT NULL, at INTEGER NOT NULL, verdict INTEGER NOT NULL, why INTEGER NOT NULL, PRIMARY KEY (session, item)
) WITHOUT ROWID;
CREATE INDEX item_uses_at ON item_uses (at);
CREATE TABLE item_fresh (mark INTEGER PRIMARY KEY, item INTEGER NOT NULL);
CREATE TABLE item_pages (page INTEGER PRIMARY KEY, edges BLOB NOT NULL, ranks BLOB NOT NULL);
CREATE TABLE item_stats (at INTEGER PRIMARY KEY, items INTEGER NOT NULL, edges INTEGER NOT NULL, good INTEGER NOT NULL, bad INTEGER NOT NULL, confidence REAL NOT NULL);
CREATE TABLE edited (path TEXT PRIMARY KEY, sessions INTEGER NOT NULL, fresh INTEGER NOT NULL) WITHOUT ROWID;
CREATE INDEX edited_fresh ON edited (path) WHERE fresh>0;
CREATE TABLE edits (path TEXT NOT NULL, session TEXT NOT NULL, at INTEGER NOT NULL, PRIMARY KEY (path, session)) WITHOUT ROWID;
CREATE INDEX edits_at ON edits (path, at);
CREATE TABLE learned (name TEXT PRIMARY KEY, value INTEGER NOT NULL) WITHOUT ROWID;
INSERT INTO edited SELECT path,count(*),1 FROM files GROUP BY path;
INSERT INTO edits SELECT f.path,f.session,s.last FROM files f JOIN sessions s ON s.id=f.session;
INSERT INTO learned VALUES ('items',0),('notes',0),('revision',0),('good',0),('bad',0);
`

const itemColumns = "SELECT id,kind,subject,topic,text,pins,origin,session,at,good,bad,judged,used,shown,gone FROM items "

func scanItem(st *sqlite.Stmt) memory.Item {
	return memory.Item{
		ID: st.ColumnInt64(0), Kind: memory.Kind(st.ColumnText(1)), Subject: st.ColumnText(2), Topic: st.ColumnText(3), Text: st.ColumnText(4),
		Pins: unpackPins(st.ColumnText(5)), From: st.ColumnText(6), Session: st.ColumnText(7), At: columnTime(st, 8),
		Evidence: memory.Evidence{For: st.ColumnInt(9), Against: st.ColumnInt(10), Last: columnTime(st, 11)},
		Used:     st.ColumnInt(12), LastUsed: columnTime(st, 13), Gone: st.ColumnInt(14) != 0,
	}
}

func packPins(pins []memory.Pin) string {
	var b strings.Builder
	for _, p := range pins[:min(len(pins), memory.MaxPins)] {
		b.WriteString(strings.NewReplacer("\t", " ", "\n", " ").Replace(p.Target) + "\t" + p.Hash + "\n")
	}
	return b.String()
}

func unpackPins(s string) (out []memory.Pin) {
	for line := range strings.Lines(s) {
		target, hash, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
		out = append(out, memory.Pin{Target: target, Hash: hash})
	}
	return out
}

// storedTime converts a time to the number that is stored; the zero time is 0.
func storedTime(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return t.UnixMilli()
}

// readCounter returns the counter with a name from the table learned.
func readCounter(c *sqlite.Conn, name string) (n int64, err error) {
	return n, eachRow(c, "SELECT value FROM learned WHERE name=?", func(st *sqlite.Stmt) { n = st.ColumnInt64(0) }, name)
}

func addToCounter(c *sqlite.Conn, name string, n int64) error {
	return execStatement(c, "UPDATE learned SET value=value+? WHERE name=?", n, name)
}

// itemWriter adds items within one transaction.
type itemWriter struct {
	c     *sqlite.Conn
	split *memory.Splitter
}

// Learn adds items; see memory.Store. It fails if the memory cannot be written.
func (s *Store) Learn(ctx context.Context, items []memory.Item) (ids []int64, fresh []bool, err error) {
	if len(items) == 0 {
		return nil, nil, nil
	}
	err = s.writeTransaction(ctx, func(c *sqlite.Conn) error {
		l := &itemWriter{c, memory.NewSplitter()}
		for i := range items {
			id, isNew, err := l.addItem(items[i])
			if err != nil {
				return err
			}
			ids, fresh = append(ids, id), append(fresh, isNew)
		}
		return nil
	})
	return ids, fresh, err
}

// addItem adds one item, or merges it with the item that has the same key.
func (l *itemWriter) addItem(it memory.Item) (id int64, fresh bool, err error) {
	key := it.Key()
	old, err := findItem(l.c, "WHERE key=?", key)
	if err != nil {
		return 0, false, err
	}
	if old != nil {
		was := *old
		was.Pins = append([]memory.Pin(nil), old.Pins...)
		old.MergeDuplicate(&it)
		return old.ID, false, l.replaceItem(&was, old)
	}
	err = execStatement(l.c, "INSERT INTO items (key,kind,subject,topic,text,pins,origin,session,at,good,bad,judged,used,shown,gone) VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)",
		key, string(it.Kind), it.Subject, it.Topic, it.Text, packPins(it.Pins), it.From, it.Session, storedTime(it.At),
		it.For, it.Against, storedTime(it.Last), it.Used, storedTime(it.LastUsed), it.Gone)
	if err != nil {
		return 0, false, err
	}
	it.ID = l.c.LastInsertRowID()
	if err = addToCounter(l.c, "items", 1); err == nil {
		err = l.indexItem(&it, 1)
	}
	return it.ID, true, err
}

// findItem returns the item that meets an SQL condition, or nil if there is none.
func findItem(c *sqlite.Conn, where string, args ...any) (it *memory.Item, err error) {
	err = eachRow(c, itemColumns+where, func(st *sqlite.Stmt) {
		found := scanItem(st)
		it = &found
	}, args...)
	return it, err
}

// replaceItem replaces the stored item was by is.
func (l *itemWriter) replaceItem(was, is *memory.Item) error {
	pins := packPins(is.Pins)
	if sameContent(was, is) && packPins(was.Pins) == pins {
		return nil
	}
	if err := l.indexItem(was, -1); err != nil {
		return err
	}
	err := execStatement(l.c, "UPDATE items SET topic=?,text=?,pins=?,at=?,gone=? WHERE id=?", is.Topic, is.Text, pins, storedTime(is.At), is.Gone, is.ID)
	if err != nil {
		return err
	}
	return l.indexItem(is, 1)
}

// sameContent reports whether two items have equal texts, topics, times and marks (Gone).
func sameContent(a, b *memory.Item) bool {
	return a.Text+"\x00"+a.Topic == b.Text+"\x00"+b.Topic && a.Gone == b.Gone && a.At.Equal(b.At)
}

// indexItem adds an item's words and files to the tables by which it is found (by is 1) or removes them (-1), and marks it to be related to
// others again.
func (l *itemWriter) indexItem(it *memory.Item, by int) error {
	write, count, path := "INSERT OR IGNORE INTO item_terms VALUES (?,?)", "INSERT INTO item_words VALUES (?,1) ON CONFLICT DO UPDATE SET items=items+1", "INSERT OR IGNORE INTO item_paths VALUES (?,?,0)"
	if by < 0 {
		write, count, path = "DELETE FROM item_terms WHERE term=? AND item=?", "UPDATE item_words SET items=items-1 WHERE term=?", "DELETE FROM item_paths WHERE path=? AND item=?"
	}
	text := l.split.SplitItem(it)
	for _, t := range text.Terms {
		if err := execStatement(l.c, write, int64(t), it.ID); err != nil {
			return err
		}
		if err := execStatement(l.c, count, int64(t)); err != nil {
			return err
		}
	}
	for _, p := range it.Pins {
		if err := execStatement(l.c, path, p.Path(), it.ID); err != nil {
			return err
		}
	}
	return execStatement(l.c, "INSERT INTO item_fresh (item) VALUES (?)", it.ID)
}

// maxNotesAtOnce is the maximal number of notes that one event turns into items. Notes from before there were items are turned little by
// little.
const maxNotesAtOnce = 20

// learnNotes makes items of at most most notes and decisions that are not items yet. It skips things to do, because they end.
func learnNotes(c *sqlite.Conn, most int) error {
	last, err := readCounter(c, "notes")
	if err != nil {
		return err
	}
	list, err := queryNotes(c, "WHERE id>? ORDER BY id LIMIT ?", last, most)
	if err != nil || len(list) == 0 {
		return err
	}
	l := &itemWriter{c, memory.NewSplitter()}
	for i := range list {
		n := &list[i]
		if n.Kind == session.Planned {
			continue
		}
		runtime := ""
		if err := eachRow(c, "SELECT runtime FROM sessions WHERE id=?", func(st *sqlite.Stmt) { runtime = st.ColumnText(0) }, n.Session); err != nil {
			return err
		}
		id, _, err := l.addItem(noteItem(n, runtime))
		if err != nil {
			return err
		}
		if err := execStatement(c, "INSERT OR IGNORE INTO item_notes VALUES (?,?)", id, n.ID); err != nil {
			return err
		}
	}
	return addToCounter(c, "notes", list[len(list)-1].ID-last)
}

// noteItem converts a note to an item; from is its origin.
func noteItem(n *session.Note, from string) memory.Item {
	it := memory.Item{Kind: memory.Note, Topic: n.Topic, Text: n.Text, From: from, Session: n.Session, At: n.At}
	if n.Kind == session.Decided {
		it.Kind = memory.Decision
		if n.Rationale != "" {
			it.Text += memory.Because + n.Rationale
		}
	}
	for _, p := range n.Pins {
		it.Pins = append(it.Pins, memory.Pin{Target: p.Target, Hash: p.Hash})
	}
	return it
}

// Items returns the items that a filter selects; see memory.Store. It fails if the memory cannot be read.
func (s *Store) Items(ctx context.Context, f memory.Filter) (out []memory.Item, err error) {
	where, args := "WHERE 1", []any{}
	if f.IDs != nil {
		where += " AND id IN (" + placeholders(len(f.IDs)) + ")"
		for _, id := range f.IDs {
			args = append(args, id)
		}
	}
	if f.Kinds != nil {
		where += " AND kind IN (" + placeholders(len(f.Kinds)) + ")"
		for _, k := range f.Kinds {
			args = append(args, string(k))
		}
	}
	if f.Path != "" {
		where += " AND id IN (SELECT item FROM item_paths WHERE path=?)"
		args = append(args, f.Path)
	}
	if f.Key != "" {
		where += " AND key=?"
		args = append(args, f.Key)
	}
	limit := f.Limit
	if limit <= 0 {
		limit = -1
	}
	err = s.readSnapshot(ctx, func(c *sqlite.Conn) error {
		err := eachRow(c, itemColumns+where+" ORDER BY id DESC LIMIT ?", func(st *sqlite.Stmt) { out = append(out, scanItem(st)) }, append(args, limit)...)
		if err != nil {
			return err
		}
		r := rankReader{c: c}
		for i := range out {
			if err := r.setRank(&out[i]); err != nil {
				return err
			}
		}
		return nil
	})
	return out, err
}

func placeholders(n int) string { return strings.TrimSuffix(strings.Repeat("?,", n), ",") }

// Drop deletes items; see memory.Store. It fails if the memory cannot be written.
func (s *Store) Drop(ctx context.Context, ids []int64) (n int, err error) {
	err = s.writeTransaction(ctx, func(c *sqlite.Conn) error {
		l := &itemWriter{c, memory.NewSplitter()}
		for _, id := range ids {
			gone, err := l.deleteItem(id)
			if err != nil {
				return err
			}
			if gone {
				n++
			}
		}
		return nil
	})
	return n, err
}

// deleteItem deletes one item with the notes that it was made of; false if there is none.
func (l *itemWriter) deleteItem(id int64) (bool, error) {
	it, err := findItem(l.c, "WHERE id=?", id)
	if err != nil || it == nil {
		return false, err
	}
	if err := l.indexItem(it, -1); err != nil {
		return false, err
	}
	for _, sql := range []string{
		"DELETE FROM terms WHERE note IN (SELECT note FROM item_notes WHERE item=?)", "DELETE FROM pins WHERE note IN (SELECT note FROM item_notes WHERE item=?)",
		"DELETE FROM notes WHERE id IN (SELECT note FROM item_notes WHERE item=?)", "DELETE FROM item_notes WHERE item=?",
		"DELETE FROM item_uses WHERE item=?", "DELETE FROM items WHERE id=?",
	} {
		if err := execStatement(l.c, sql, id); err != nil {
			return false, err
		}
	}
	return true, addToCounter(l.c, "items", -1)
}

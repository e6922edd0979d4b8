package memory

import (
	"context"
	"slices"
	"time"

	"zombiezen.com/go/sqlite"

	"ken/internal/knowledge/memory"
	"ken/internal/knowledge/session"
)

// shownKept is the time for which the list of items that a session was shown is stored for judging them, because evidence may come late.
const shownKept = 60 * 24 * time.Hour

// recordEdit records that a session changed a file. The record is used to make items of edits, as evidence, and to mark
// items about a file that is gone.
func recordEdit(c *sqlite.Conn, e *session.Event, f session.FileChange) error {
	if f.Change == session.Deleted {
		return recordRemoval(c, f.Path)
	}
	at := e.At.UnixMilli()
	err := execStatement(c, "INSERT OR IGNORE INTO edits VALUES (?,?,?)", f.Path, e.Session, at)
	if err == nil && c.Changes() > 0 {
		err = execStatement(c, "INSERT INTO edited VALUES (?,1,1) ON CONFLICT DO UPDATE SET sessions=sessions+1, fresh=1", f.Path)
	} else if err == nil {
		err = execStatement(c, "UPDATE edits SET at=? WHERE path=? AND session=?", at, f.Path, e.Session)
	}
	if err != nil {
		return err
	}
	_, err = markItemsOfFile(c, f.Path, false)
	return err
}

// recordRemoval deletes the counts of edits of a removed file, and marks the items about it.
func recordRemoval(c *sqlite.Conn, path string) error {
	for _, sql := range []string{"DELETE FROM edited WHERE path=?", "DELETE FROM edits WHERE path=?"} {
		if err := execStatement(c, sql, path); err != nil {
			return err
		}
	}
	_, err := markItemsOfFile(c, path, true)
	return err
}

// markItemsOfFile marks the items about a file that is gone, or that exists again. An item counts as gone when all its files are. It
// returns the number of changed items.
func markItemsOfFile(c *sqlite.Conn, path string, gone bool) (n int, err error) {
	if err := execStatement(c, "UPDATE item_paths SET gone=?1 WHERE path=?2 AND gone<>?1", gone, path); err != nil || c.Changes() == 0 {
		return 0, err
	}
	sql := "UPDATE items SET gone=0 WHERE gone<>0 AND id IN (SELECT item FROM item_paths WHERE path=?)"
	if gone {
		sql = "UPDATE items SET gone=1 WHERE gone=0 AND id IN (SELECT item FROM item_paths WHERE path=?) " +
			"AND NOT EXISTS (SELECT 1 FROM item_paths WHERE item=items.id AND gone=0)"
	}
	err = execStatement(c, sql, path)
	return c.Changes(), err
}

// Judge records evidence whether an item was useful; see memory.Store. It fails if the memory cannot be written.
func (s *Store) Judge(ctx context.Context, v memory.Verdict) (n int, err error) {
	err = s.writeTransaction(ctx, func(c *sqlite.Conn) error {
		n, err = storeEvidence(c, v)
		return err
	})
	return n, err
}

// judgedItem is one item that a session was shown, and the evidence about it.
type judgedItem struct {
	item    int64
	verdict int
	why     memory.EvidenceKind
}

func storeEvidence(c *sqlite.Conn, v memory.Verdict) (n int, err error) {
	var list []judgedItem
	err = eachRow(c, "SELECT u.item,u.verdict,u.why FROM item_uses u JOIN items i ON i.id=u.item WHERE u.session=?1 AND i.session<>?1 AND u.at<=?2 ORDER BY u.item",
		func(st *sqlite.Stmt) {
			list = append(list, judgedItem{st.ColumnInt64(0), st.ColumnInt(1), memory.EvidenceKind(st.ColumnInt(2))})
		}, v.Session, v.At.UnixMilli())
	if err != nil {
		return 0, err
	}
	verdict := 1
	if !v.Good {
		verdict = -1
	}
	for _, j := range list {
		if j.why >= v.Why || j.why != 0 && j.verdict == verdict {
			continue
		}
		used, err := wasUsed(c, v, j.item)
		if err == nil && used {
			n++
			err = storeVerdict(c, v, j, verdict)
		}
		if err != nil {
			return n, err
		}
	}
	return n, nil
}

// wasUsed reports whether a session, after it was shown an item, edited a file that the item is about.
func wasUsed(c *sqlite.Conn, v memory.Verdict, item int64) (used bool, err error) {
	return used, eachRow(c, "SELECT p.path FROM item_uses u JOIN item_paths p ON p.item=u.item JOIN edits e ON e.path=p.path AND e.session=u.session "+
		"WHERE u.session=? AND u.item=? AND e.at>=u.at", func(st *sqlite.Stmt) {
		used = used || v.Files == nil || slices.Contains(v.Files, st.ColumnText(0))
	}, v.Session, item)
}

// storeVerdict stores a verdict about an item, which replaces a weaker verdict of the same session.
func storeVerdict(c *sqlite.Conn, v memory.Verdict, j judgedItem, verdict int) error {
	good, bad := 0, 0
	count := func(verdict, by int) {
		if verdict > 0 {
			good += by
		} else if verdict < 0 {
			bad += by
		}
	}
	count(j.verdict, -1)
	count(verdict, 1)
	err := addToCounter(c, "good", int64(good))
	if err == nil {
		err = addToCounter(c, "bad", int64(bad))
	}
	if err != nil {
		return err
	}
	err = execStatement(c, "UPDATE items SET good=good+?, bad=bad+?, judged=max(judged,?) WHERE id=?", good, bad, v.At.UnixMilli(), j.item)
	if err != nil {
		return err
	}
	return execStatement(c, "UPDATE item_uses SET verdict=?, why=? WHERE session=? AND item=?", verdict, int(v.Why), v.Session, j.item)
}

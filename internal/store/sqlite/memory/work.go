package memory

import (
	"context"
	"time"

	"zombiezen.com/go/sqlite"

	"ken/internal/knowledge/entity"
)

var _ entity.Queue = (*Store)(nil)

// Take assigns at most most of the pages to the caller; see entity.Queue. It fails if the memory cannot be written.
func (s *Store) Take(ctx context.Context, paths []string, most int, now, until time.Time) (taken []string, err error) {
	err = s.writeTransaction(ctx, func(c *sqlite.Conn) error {
		if err := execStatement(c, "DELETE FROM work WHERE until>0 AND until<=?", now.UnixMilli()); err != nil {
			return err
		}
		busy := map[string]bool{}
		err := eachRow(c, "SELECT path FROM work WHERE until>0", func(st *sqlite.Stmt) { busy[st.ColumnText(0)] = true })
		if err != nil {
			return err
		}
		for _, p := range paths {
			if len(taken) == most {
				break
			}
			if busy[p] {
				continue
			}
			if err := execStatement(c, "INSERT OR REPLACE INTO work VALUES (?,?,'',?)", p, until.UnixMilli(), now.UnixMilli()); err != nil {
				return err
			}
			taken = append(taken, p)
		}
		if len(taken) == 0 {
			return nil
		}
		return execStatement(c, "INSERT INTO work_batches(size,done,began,ended) VALUES (?,0,?,?)", len(taken), now.UnixMilli(), now.UnixMilli())
	})
	return taken, err
}

// Finish ends the work on a page; failed is the reason if it failed. See entity.Queue. It fails if the memory cannot be written.
func (s *Store) Finish(ctx context.Context, path, failed string, now time.Time) error {
	return s.writeTransaction(ctx, func(c *sqlite.Conn) error {
		if failed != "" {
			return execStatement(c, "INSERT OR REPLACE INTO work VALUES (?,0,?,?)", path, failed, now.UnixMilli())
		}
		mine := false
		err := eachRow(c, "DELETE FROM work WHERE path=? RETURNING until", func(st *sqlite.Stmt) { mine = true }, path)
		if err != nil || !mine {
			return err
		}
		return execStatement(c, "UPDATE work_batches SET done=done+1,ended=? WHERE id=(SELECT max(id) FROM work_batches)", now.UnixMilli())
	})
}

// Work returns the pages that are being written; see entity.Queue. It fails if the memory cannot be read.
func (s *Store) Work(ctx context.Context, now time.Time) (w entity.Work, err error) {
	err = s.readSnapshot(ctx, func(c *sqlite.Conn) error {
		err := eachRow(c, "SELECT path,until,failed,at FROM work ORDER BY path", func(st *sqlite.Stmt) {
			until := time.UnixMilli(st.ColumnInt64(1)).UTC()
			switch {
			case st.ColumnInt64(1) == 0:
				w.Failed = append(w.Failed, entity.FailedFile{Path: st.ColumnText(0), Why: st.ColumnText(2),
					At: time.UnixMilli(st.ColumnInt64(3)).UTC()})
			case until.After(now):
				w.InProgress = append(w.InProgress, entity.TakenFile{Path: st.ColumnText(0), Until: until})
			}
		})
		if err != nil {
			return err
		}
		err = eachRow(c, "SELECT (SELECT sum(done) FROM work_batches),size,ended-began FROM work_batches ORDER BY id DESC LIMIT 1", func(st *sqlite.Stmt) {
			w.Processed, w.BatchSize = st.ColumnInt(0), st.ColumnInt(1)
			w.BatchTime = time.Duration(st.ColumnInt64(2)) * time.Millisecond
		})
		if err != nil {
			return err
		}
		return eachRow(c, "SELECT max((SELECT coalesce(max(at),0) FROM work),(SELECT coalesce(max(ended),0) FROM work_batches))", func(st *sqlite.Stmt) {
			w.Updated = columnTime(st, 0)
		})
	})
	return w, err
}

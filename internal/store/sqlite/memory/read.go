package memory

import (
	"context"
	"slices"
	"strings"
	"time"

	"zombiezen.com/go/sqlite"

	"ken/internal/knowledge/session"
)

const sessionColumns = "SELECT id,runtime,started,last,ended,source,reason,phase,head,prompts,agents,compacts,tokens FROM sessions "

// Sessions returns the latest sessions, the last one first. It fails if the memory cannot be read.
func (s *Store) Sessions(ctx context.Context, limit int) (out []session.Record, err error) {
	if limit <= 0 {
		limit = -1
	}
	err = s.readSnapshot(ctx, func(c *sqlite.Conn) error {
		err := eachRow(c, sessionColumns+"ORDER BY last DESC, id LIMIT ?", func(st *sqlite.Stmt) { out = append(out, scanSession(st)) }, limit)
		for i := range out {
			if err == nil {
				err = addSessionData(c, &out[i])
			}
		}
		return err
	})
	return out, err
}

// Session returns one session. It fails if the memory cannot be read.
func (s *Store) Session(ctx context.Context, id string) (r session.Record, ok bool, err error) {
	err = s.readSnapshot(ctx, func(c *sqlite.Conn) error {
		err := eachRow(c, sessionColumns+"WHERE id=?", func(st *sqlite.Stmt) { r, ok = scanSession(st), true }, id)
		if err == nil && ok {
			err = addSessionData(c, &r)
		}
		return err
	})
	return r, ok, err
}

// scanSession reads a session from a row.
func scanSession(st *sqlite.Stmt) session.Record {
	return session.Record{
		ID: st.ColumnText(0), Runtime: st.ColumnText(1), Started: columnTime(st, 2), Last: columnTime(st, 3), Ended: columnTime(st, 4),
		Source: st.ColumnText(5), Reason: st.ColumnText(6), Phase: st.ColumnText(7), Commit: st.ColumnText(8),
		Prompts: st.ColumnInt(9), Agents: st.ColumnInt(10), Compacts: st.ColumnInt(11), Tokens: st.ColumnInt64(12),
	}
}

// columnTime returns the time in a column; 0 is the zero time.
func columnTime(st *sqlite.Stmt, column int) time.Time {
	ms := st.ColumnInt64(column)
	if ms == 0 {
		return time.Time{}
	}
	return time.UnixMilli(ms).UTC()
}

// addSessionData adds to a session the data that other tables have.
func addSessionData(c *sqlite.Conn, r *session.Record) error {
	err := eachRow(c, "SELECT path,change FROM files WHERE session=? ORDER BY path", func(st *sqlite.Stmt) {
		r.Files = append(r.Files, session.FileChange{Path: st.ColumnText(0), Change: session.Change(st.ColumnText(1))})
	}, r.ID)
	if err != nil {
		return err
	}
	err = eachRow(c, "SELECT command,passed,at FROM tests WHERE session=? ORDER BY at,command", func(st *sqlite.Stmt) {
		r.Tests = append(r.Tests, session.TestRun{Command: st.ColumnText(0), Passed: st.ColumnInt(1) != 0, At: columnTime(st, 2)})
	}, r.ID)
	if err != nil {
		return err
	}
	err = eachRow(c, "SELECT text FROM achieved WHERE session=?", func(st *sqlite.Stmt) { r.Achieved = st.ColumnText(0) }, r.ID)
	if err != nil {
		return err
	}
	r.Notes, err = queryNotes(c, "WHERE session=? ORDER BY id", r.ID)
	return err
}

func queryNotes(c *sqlite.Conn, where string, args ...any) (out []session.Note, err error) {
	err = eachRow(c, "SELECT id,kind,session,at,topic,text,rationale,done FROM notes "+where, func(st *sqlite.Stmt) {
		out = append(out, session.Note{
			ID: st.ColumnInt64(0), Kind: session.Kind(st.ColumnText(1)), Session: st.ColumnText(2), At: columnTime(st, 3),
			Topic: st.ColumnText(4), Text: st.ColumnText(5), Rationale: st.ColumnText(6), Done: columnTime(st, 7),
		})
	}, args...)
	for i := range out {
		if err != nil {
			return nil, err
		}
		err = eachRow(c, "SELECT target,hash FROM pins WHERE note=? ORDER BY target", func(st *sqlite.Stmt) {
			out[i].Pins = append(out[i].Pins, session.Pin{Target: st.ColumnText(0), Hash: st.ColumnText(1)})
		}, out[i].ID)
	}
	return out, err
}

// Notes returns the latest notes of some kinds, the last first. It fails if the memory cannot be read.
func (s *Store) Notes(ctx context.Context, kinds []session.Kind, open bool, limit int) (out []session.Note, err error) {
	if len(kinds) == 0 {
		return nil, nil
	}
	args := make([]any, 0, len(kinds)+1)
	for _, k := range kinds {
		args = append(args, string(k))
	}
	where := "WHERE kind IN (" + strings.TrimSuffix(strings.Repeat("?,", len(kinds)), ",") + ")"
	if open {
		where += " AND done=0"
	}
	if limit <= 0 {
		limit = -1
	}
	err = s.readSnapshot(ctx, func(c *sqlite.Conn) error {
		out, err = queryNotes(c, where+" ORDER BY id DESC LIMIT ?", append(slices.Clip(args), limit)...)
		return err
	})
	return out, err
}

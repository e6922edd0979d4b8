package memory

import (
	"context"
	"time"

	"zombiezen.com/go/sqlite"

	"ken/internal/knowledge/memory"
	"ken/internal/knowledge/session"
)

// keysKept is the default time for which the keys of events, and the lists of items that a session was shown, are stored.
// No program repeats an event so much later.
const keysKept = 7 * 24 * time.Hour

// Apply adds events to the records of their sessions; see session.Store. It fails if the memory cannot be opened, is damaged or cannot be
// written.
func (s *Store) Apply(ctx context.Context, events []session.Event) (fresh []bool, err error) {
	if len(events) == 0 {
		return nil, nil
	}
	fresh = make([]bool, len(events))
	return fresh, s.writeTransaction(ctx, func(c *sqlite.Conn) (err error) {
		for i := range events {
			e := &events[i]
			if fresh[i], err = claimEvent(c, e); err == nil && fresh[i] {
				err = applyEvent(c, e)
			}
			if err != nil {
				return err
			}
		}
		last := &events[len(events)-1]
		oldest := last.At.Add(-keysKept).UnixMilli()
		err = execStatement(c, "DELETE FROM events WHERE at<?", oldest)
		if err == nil && last.Kind == session.Ended { // once for each session is enough
			err = execStatement(c, "DELETE FROM shown WHERE session IN (SELECT id FROM sessions WHERE last<?)", oldest)
			if err == nil {
				err = execStatement(c, "DELETE FROM item_uses WHERE at<?", last.At.Add(-shownKept).UnixMilli())
			}
		}
		return err
	})
}

// claimEvent records the key of an event, so that a repeated event has no effect. It returns false if the key was recorded
// before, unless that was for a time (Within) which is over.
func claimEvent(c *sqlite.Conn, e *session.Event) (bool, error) {
	if e.Key == "" {
		return true, nil
	}
	at, until := e.At.UnixMilli(), int64(0)
	if e.Within > 0 {
		until = at + e.Within.Milliseconds()
	}
	err := execStatement(c, "INSERT INTO events VALUES (?,?,?,?) ON CONFLICT (key) DO UPDATE SET claim=excluded.claim, at=excluded.at, until=excluded.until "+
		"WHERE until>0 AND until<excluded.at", e.Key, e.Claim, at, until)
	return err == nil && c.Changes() > 0, err
}

// Claimed reports whether claim was the first to report the event with a key. It fails if the memory cannot be read.
func (s *Store) Claimed(ctx context.Context, key, claim string) (mine bool, err error) {
	err = s.readSnapshot(ctx, func(c *sqlite.Conn) error {
		return eachRow(c, "SELECT 1 FROM events WHERE key=? AND claim=?", func(*sqlite.Stmt) { mine = true }, key, claim)
	})
	return mine, err
}

// applyEvent adds an event to the record of its session.
func applyEvent(c *sqlite.Conn, e *session.Event) error {
	if e.Note != nil {
		err := addNote(c, e)
		if err == nil {
			err = learnNotes(c, maxNotesAtOnce)
		}
		if err != nil {
			return err
		}
	}
	if e.Session == "" {
		return nil
	}
	if err := updateSession(c, e); err != nil {
		return err
	}
	if e.Achieved != "" {
		err := execStatement(c, "INSERT INTO achieved VALUES (?,?,?) ON CONFLICT DO UPDATE SET text=excluded.text, sure=excluded.sure WHERE excluded.sure>=sure",
			e.Session, e.Achieved, e.Sure)
		if err != nil {
			return err
		}
	}
	for _, f := range e.Files {
		err := addFileChange(c, e.Session, f)
		if err == nil {
			err = recordEdit(c, e, f)
		}
		if err != nil {
			return err
		}
	}
	if e.Test != nil {
		if e.Test.Passed {
			if _, err := storeEvidence(c, memory.Verdict{Session: e.Session, Good: true, Why: memory.Tested, At: e.At}); err != nil {
				return err
			}
		}
		return execStatement(c, "INSERT INTO tests VALUES (?,?,?,?) ON CONFLICT DO UPDATE SET passed=excluded.passed, at=excluded.at",
			e.Session, e.Test.Command, e.Test.Passed, e.At.UnixMilli())
	}
	return nil
}

// updateSession updates the row of an event's session, or makes it if the session is new.
func updateSession(c *sqlite.Conn, e *session.Event) error {
	at := e.At.UnixMilli()
	if err := execStatement(c, "INSERT INTO sessions VALUES (?,?,?,?,0,'','','','',0,0,0,0) ON CONFLICT DO NOTHING", e.Session, e.Runtime, at, at); err != nil {
		return err
	}
	counts := map[session.Kind]string{session.Prompted: "prompts", session.Delegated: "agents", session.Compacted: "compacts"}
	set := "last=max(last,?1), tokens=max(tokens,?2), phase=CASE ?4 WHEN '' THEN phase ELSE ?4 END"
	if column, ok := counts[e.Kind]; ok {
		set += ", " + column + "=" + column + "+1"
	}
	args := []any{at, e.Tokens, e.Session, e.Phase}
	switch e.Kind {
	case session.Started:
		set += ", ended=0, source=CASE source WHEN '' THEN ?5 ELSE source END, head=CASE head WHEN '' THEN ?6 ELSE head END"
		args = append(args, e.Source, e.Commit)
	case session.Ended:
		set += ", ended=?1, reason=?5"
		args = append(args, e.Source)
	}
	return execStatement(c, "UPDATE sessions SET "+set+" WHERE id=?3", args...)
}

// addFileChange adds the change of a file to those of the session with an id.
func addFileChange(c *sqlite.Conn, id string, f session.FileChange) error {
	was := session.Change("")
	err := eachRow(c, "SELECT change FROM files WHERE session=? AND path=?", func(st *sqlite.Stmt) { was = session.Change(st.ColumnText(0)) }, id, f.Path)
	if err != nil {
		return err
	}
	now, gone := f.Change, false
	if was != "" {
		now, gone = session.JoinChanges(was, f.Change)
	}
	if gone {
		return execStatement(c, "DELETE FROM files WHERE session=? AND path=?", id, f.Path)
	}
	return execStatement(c, "INSERT INTO files VALUES (?,?,?) ON CONFLICT DO UPDATE SET change=excluded.change", id, f.Path, string(now))
}

// addNote adds the note of an event, or marks an earlier note as done.
func addNote(c *sqlite.Conn, e *session.Event) error {
	n := e.Note
	if e.Kind == session.Done {
		return execStatement(c, "UPDATE notes SET done=? WHERE id=? AND done=0", e.At.UnixMilli(), n.ID)
	}
	err := execStatement(c, "INSERT INTO notes (kind,session,at,topic,text,rationale,done,terms) VALUES (?,?,?,?,?,?,0,?)",
		string(e.Kind), e.Session, e.At.UnixMilli(), n.Topic, n.Text, n.Rationale, len(n.Terms))
	if err != nil {
		return err
	}
	id := c.LastInsertRowID()
	for _, t := range n.Terms {
		if err := execStatement(c, "INSERT INTO terms VALUES (?,?) ON CONFLICT DO NOTHING", int64(t), id); err != nil {
			return err
		}
	}
	for _, p := range n.Pins {
		if err := execStatement(c, "INSERT INTO pins VALUES (?,?,?) ON CONFLICT DO NOTHING", id, p.Target, p.Hash); err != nil {
			return err
		}
	}
	return nil
}

// Show returns the items that were not shown before; see session.Store. It fails if the memory cannot be written.
func (s *Store) Show(ctx context.Context, id, agent string, items []string) (fresh []string, err error) {
	if len(items) == 0 {
		return nil, nil
	}
	err = s.writeTransaction(ctx, func(c *sqlite.Conn) error {
		for _, it := range items {
			if err := execStatement(c, "INSERT INTO shown VALUES (?,?,?) ON CONFLICT DO NOTHING", id, agent, it); err != nil {
				return err
			}
			if c.Changes() > 0 {
				fresh = append(fresh, it)
			}
		}
		return nil
	})
	return fresh, err
}

// Forget deletes the list of items that a session was shown, so that they are shown again. It fails if the memory cannot be
// written.
func (s *Store) Forget(ctx context.Context, id string) error {
	return s.writeTransaction(ctx, func(c *sqlite.Conn) error { return execStatement(c, "DELETE FROM shown WHERE session=?", id) })
}

package memory

import (
	"context"
	"fmt"
	"time"

	"zombiezen.com/go/sqlite"

	"ken/internal/knowledge/task"
)

var _ task.Store = (*Store)(nil)

// taskTables are the tables of guarded tasks, of the looks of each (the code that was read for it), and of the last
// prompts of sessions. Looks have a separate table, so that a hook that adds one need not write the task again.
const taskTables = `
CREATE TABLE tasks (id TEXT PRIMARY KEY, session TEXT NOT NULL, began INTEGER NOT NULL, changed INTEGER NOT NULL, ended INTEGER NOT NULL, body BLOB NOT NULL) WITHOUT ROWID;
CREATE INDEX tasks_session ON tasks (session, began);
CREATE INDEX tasks_began ON tasks (began);
CREATE TABLE looks (
  id INTEGER PRIMARY KEY, task TEXT NOT NULL, tool TEXT NOT NULL, path TEXT NOT NULL, symbol TEXT NOT NULL, depth INTEGER NOT NULL,
  first INTEGER NOT NULL, last INTEGER NOT NULL, at INTEGER NOT NULL
);
CREATE UNIQUE INDEX looks_of ON looks (task, tool, path, symbol, depth, first, last);
CREATE TABLE prompts (session TEXT NOT NULL, number INTEGER NOT NULL, at INTEGER NOT NULL, text TEXT NOT NULL, PRIMARY KEY (session, number)) WITHOUT ROWID;
CREATE INDEX prompts_at ON prompts (at);
`

// promptsKept is the maximal time for which prompts are stored: for quotes of an open task, not as a record of the user's words.
const promptsKept = 7 * 24 * time.Hour

// BeginTask adds a new task; see task.Store. It fails if the id is taken or the memory cannot be written.
func (s *Store) BeginTask(ctx context.Context, k task.StoredTask) error {
	return s.writeTransaction(ctx, func(c *sqlite.Conn) error {
		return execStatement(c, "INSERT INTO tasks VALUES (?,?,?,?,?,?)", k.ID, k.Session, k.Began.UnixMilli(), k.Changed.UnixMilli(), storedMilliseconds(k.Ended), k.Body)
	})
}

// Task returns one task; see task.Store. It fails if the memory cannot be read.
func (s *Store) Task(ctx context.Context, id string) (k task.StoredTask, looks []task.ReadPart, ok bool, err error) {
	err = s.readSnapshot(ctx, func(c *sqlite.Conn) error {
		k, looks, ok, err = readTask(c, id)
		return err
	})
	return k, looks, ok, err
}

func readTask(c *sqlite.Conn, id string) (k task.StoredTask, looks []task.ReadPart, ok bool, err error) {
	err = eachRow(c, "SELECT id,session,began,changed,ended,body FROM tasks WHERE id=?", func(st *sqlite.Stmt) { k, ok = keptTask(st), true }, id)
	if err != nil || !ok {
		return k, nil, ok, err
	}
	err = eachRow(c, "SELECT tool,path,symbol,depth,first,last,at FROM looks WHERE task=? ORDER BY id", func(st *sqlite.Stmt) {
		looks = append(looks, task.ReadPart{
			Tool: st.ColumnText(0), Path: st.ColumnText(1), Symbol: st.ColumnText(2), Depth: task.Depth(st.ColumnInt(3)),
			First: st.ColumnInt(4), Last: st.ColumnInt(5), At: columnTime(st, 6),
		})
	}, id)
	return k, looks, true, err
}

func keptTask(st *sqlite.Stmt) task.StoredTask {
	k := task.StoredTask{ID: st.ColumnText(0), Session: st.ColumnText(1), Began: columnTime(st, 2), Changed: columnTime(st, 3),
		Ended: columnTime(st, 4)}
	k.Body = make([]byte, st.ColumnLen(5))
	st.ColumnBytes(5, k.Body)
	return k
}

// storedMilliseconds converts a time to the number that is stored; 0 means no time.
func storedMilliseconds(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return t.UnixMilli()
}

// Tasks returns the latest tasks; see task.Store. It fails if the memory cannot be read.
func (s *Store) Tasks(ctx context.Context, session string, open bool, limit int) (out []task.StoredTask, err error) {
	where, args := "1", []any{}
	if session != "" {
		where, args = "session=?", append(args, session)
	}
	if open {
		where += " AND ended=0"
	}
	err = s.readSnapshot(ctx, func(c *sqlite.Conn) error {
		return eachRow(c, "SELECT id,session,began,changed,ended,body FROM tasks WHERE "+where+" ORDER BY began DESC, id DESC LIMIT ?",
			func(st *sqlite.Stmt) { out = append(out, keptTask(st)) }, append(args, limit)...)
	})
	return out, err
}

// ChangeTask changes a task; see task.Store. It fails if there is no such task, with the error of f, or if the memory
// cannot be written.
func (s *Store) ChangeTask(ctx context.Context, id string, f func(k *task.StoredTask, looks []task.ReadPart) error) error {
	return s.writeTransaction(ctx, func(c *sqlite.Conn) error {
		k, looks, ok, err := readTask(c, id)
		if err == nil && !ok {
			err = fmt.Errorf("there is no task %q any more", id)
		}
		if err == nil {
			err = f(&k, looks)
		}
		if err != nil {
			return err
		}
		return execStatement(c, "UPDATE tasks SET changed=?, ended=?, body=? WHERE id=?", k.Changed.UnixMilli(), storedMilliseconds(k.Ended), k.Body, id)
	})
}

// AddLooks records pieces of code that were read for a task; see task.Store. It fails if the memory cannot be written.
func (s *Store) AddLooks(ctx context.Context, id string, looks []task.ReadPart) error {
	if len(looks) == 0 {
		return nil
	}
	return s.writeTransaction(ctx, func(c *sqlite.Conn) error {
		room := task.MaxLooks
		err := eachRow(c, "SELECT count(*) FROM looks WHERE task=?", func(st *sqlite.Stmt) { room -= st.ColumnInt(0) }, id)
		if err != nil {
			return err
		}
		for _, l := range looks[:min(len(looks), max(0, room))] {
			err := execStatement(c, "INSERT INTO looks (task,tool,path,symbol,depth,first,last,at) SELECT id,?2,?3,?4,?5,?6,?7,?8 FROM tasks WHERE id=?1 "+
				"ON CONFLICT DO UPDATE SET at=max(at,excluded.at)", id, l.Tool, l.Path, l.Symbol, int(l.Depth), l.First, l.Last, l.At.UnixMilli())
			if err != nil {
				return err
			}
		}
		return nil
	})
}

// BindTask assigns a session to a task; see task.Store. It fails if the memory cannot be written.
func (s *Store) BindTask(ctx context.Context, id, session string) (bound bool, err error) {
	err = s.writeTransaction(ctx, func(c *sqlite.Conn) error {
		if err := execStatement(c, "UPDATE tasks SET session=? WHERE id=? AND session=''", session, id); err != nil {
			return err
		}
		return eachRow(c, "SELECT 1 FROM tasks WHERE id=? AND session=?", func(*sqlite.Stmt) { bound = true }, id, session)
	})
	return bound, err
}

// AddPrompt adds a prompt; see task.Store. It fails if the memory cannot be written.
func (s *Store) AddPrompt(ctx context.Context, session string, at time.Time, text string) error {
	return s.writeTransaction(ctx, func(c *sqlite.Conn) error {
		err := execStatement(c, "INSERT INTO prompts SELECT ?1, coalesce(max(number),0)+1, ?2, ?3 FROM prompts WHERE session=?1", session, at.UnixMilli(), text)
		if err == nil {
			err = execStatement(c, "DELETE FROM prompts WHERE session=?1 AND number<=(SELECT max(number) FROM prompts WHERE session=?1)-?2", session, task.MaxPrompts)
		}
		if err == nil {
			err = execStatement(c, "DELETE FROM prompts WHERE at<?", at.Add(-promptsKept).UnixMilli())
		}
		return err
	})
}

// ForgetPrompts deletes the prompts of a session, or of all sessions if it is ""; see task.Store. It fails if the
// memory cannot be written.
func (s *Store) ForgetPrompts(ctx context.Context, session string) error {
	return s.writeTransaction(ctx, func(c *sqlite.Conn) error {
		return execStatement(c, "DELETE FROM prompts WHERE ?1='' OR session=?1", session)
	})
}

// Prompts returns the stored prompts of a session; see task.Store. It fails if the memory cannot be read.
func (s *Store) Prompts(ctx context.Context, session string) (out []task.Prompt, err error) {
	err = s.readSnapshot(ctx, func(c *sqlite.Conn) error {
		return eachRow(c, "SELECT number,at,text FROM prompts WHERE session=? ORDER BY number", func(st *sqlite.Stmt) {
			out = append(out, task.Prompt{Number: st.ColumnInt(0), At: columnTime(st, 1), Text: st.ColumnText(2)})
		}, session)
	})
	return out, err
}

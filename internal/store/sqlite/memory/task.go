package memory

import (
	"context"
	"crypto/hmac"
	"errors"
	"fmt"
	"time"

	"zombiezen.com/go/sqlite"

	"ken/internal/knowledge/task"
	"ken/internal/statefile"
)

var _ task.Store = (*Store)(nil)

// taskTables are the tables of guarded tasks, of the looks of each (the code that was read for it), and of the last
// prompts of sessions, as they were first. Looks have a separate table, so that a hook that adds one need not write the task again.
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

// sealedTables replace them by tables in which each row has a seal, so that one that another program wrote is told from one that ken wrote,
// and in which looks have what they showed. The rows of before are dropped: nothing proves them, and a task is short.
const sealedTables = `
DROP TABLE tasks;
DROP TABLE looks;
DROP TABLE prompts;
CREATE TABLE tasks (
  id TEXT PRIMARY KEY, session TEXT NOT NULL, began INTEGER NOT NULL, changed INTEGER NOT NULL, ended INTEGER NOT NULL, body BLOB NOT NULL,
  seal BLOB NOT NULL
) WITHOUT ROWID;
CREATE INDEX tasks_session ON tasks (session, began);
CREATE INDEX tasks_began ON tasks (began);
CREATE TABLE looks (
  id INTEGER PRIMARY KEY, task TEXT NOT NULL, tool TEXT NOT NULL, path TEXT NOT NULL, symbol TEXT NOT NULL, depth INTEGER NOT NULL,
  first INTEGER NOT NULL, last INTEGER NOT NULL, at INTEGER NOT NULL, of TEXT NOT NULL, hash TEXT NOT NULL, marks BLOB NOT NULL, seal BLOB NOT NULL
);
CREATE UNIQUE INDEX looks_of ON looks (task, tool, path, symbol, depth, first, last, of, hash);
CREATE TABLE prompts (
  session TEXT NOT NULL, number INTEGER NOT NULL, at INTEGER NOT NULL, text TEXT NOT NULL, seal BLOB NOT NULL, PRIMARY KEY (session, number)
) WITHOUT ROWID;
CREATE INDEX prompts_at ON prompts (at);
`

// errUnsealed is returned for a task that another program wrote or changed, or a ken that made no seals yet.
var errUnsealed = errors.New("it is not as your ken has written it; start_session begins another one")

func (s *Store) seal(values ...any) []byte {
	texts := make([][]byte, len(values))
	for i, v := range values {
		texts[i] = fmt.Append(nil, v)
	}
	return statefile.Seal(s.key, texts...)
}

func (s *Store) sealTask(k *task.StoredTask) []byte {
	return s.seal("task", k.ID, k.Session, k.Began.UnixMilli(), k.Changed.UnixMilli(), storedMilliseconds(k.Ended), string(k.Body))
}

func (s *Store) sealLook(id string, l *task.ReadPart) []byte {
	return s.seal("look", id, l.Tool, l.Path, l.Symbol, int(l.Depth), l.First, l.Last, l.At.UnixMilli(), l.Of, l.Hash, l.Marks)
}

// promptsKept is the maximal time for which prompts are stored: for quotes of an open task, not as a record of the user's words.
const promptsKept = 7 * 24 * time.Hour

// BeginTask adds a new task; see task.Store. It fails if the id is taken or the memory cannot be written.
func (s *Store) BeginTask(ctx context.Context, k task.StoredTask) error {
	return s.writeTransaction(ctx, func(c *sqlite.Conn) error {
		return execStatement(c, "INSERT INTO tasks VALUES (?,?,?,?,?,?,?)",
			k.ID, k.Session, k.Began.UnixMilli(), k.Changed.UnixMilli(), storedMilliseconds(k.Ended), k.Body, s.sealTask(&k))
	})
}

// Task returns one task; see task.Store. It fails if the memory cannot be read, or the task has no valid seal.
func (s *Store) Task(ctx context.Context, id string) (k task.StoredTask, looks []task.ReadPart, ok bool, err error) {
	err = s.readSnapshot(ctx, func(c *sqlite.Conn) error {
		k, looks, ok, err = s.readTask(c, id)
		return err
	})
	return k, looks, ok, err
}

// readTask reads one task with its looks, leaving out those without a valid seal. It fails if the task has none.
func (s *Store) readTask(c *sqlite.Conn, id string) (k task.StoredTask, looks []task.ReadPart, ok bool, err error) {
	sealed := false
	err = eachRow(c, "SELECT "+taskColumns+" FROM tasks WHERE id=?", func(st *sqlite.Stmt) {
		k, sealed = s.scanTask(st)
		ok = true
	}, id)
	if err == nil && ok && !sealed {
		err = fmt.Errorf("the task %s: %w", id, errUnsealed)
	}
	if err != nil || !ok {
		return k, nil, false, err
	}
	err = eachRow(c, "SELECT tool,path,symbol,depth,first,last,at,of,hash,marks,seal FROM looks WHERE task=? ORDER BY id", func(st *sqlite.Stmt) {
		l := task.ReadPart{
			Tool: st.ColumnText(0), Path: st.ColumnText(1), Symbol: st.ColumnText(2), Depth: task.Depth(st.ColumnInt(3)),
			First: st.ColumnInt(4), Last: st.ColumnInt(5), At: columnTime(st, 6),
			Of: st.ColumnText(7), Hash: st.ColumnText(8), Marks: string(columnBytes(st, 9)),
		}
		if hmac.Equal(columnBytes(st, 10), s.sealLook(id, &l)) {
			looks = append(looks, l)
		}
	}, id)
	return k, looks, true, err
}

const taskColumns = "id,session,began,changed,ended,body,seal"

// scanTask reads a task from a row of taskColumns, and reports whether its seal is valid.
func (s *Store) scanTask(st *sqlite.Stmt) (k task.StoredTask, sealed bool) {
	k = task.StoredTask{ID: st.ColumnText(0), Session: st.ColumnText(1), Began: columnTime(st, 2), Changed: columnTime(st, 3),
		Ended: columnTime(st, 4), Body: columnBytes(st, 5)}
	return k, hmac.Equal(columnBytes(st, 6), s.sealTask(&k))
}

func columnBytes(st *sqlite.Stmt, column int) []byte {
	b := make([]byte, st.ColumnLen(column))
	st.ColumnBytes(column, b)
	return b
}

// storedMilliseconds converts a time to the number that is stored; 0 means no time.
func storedMilliseconds(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return t.UnixMilli()
}

// Tasks returns the latest tasks; see task.Store. It leaves out those without a valid seal, and fails if the memory cannot be read.
func (s *Store) Tasks(ctx context.Context, session string, open bool, limit int) (out []task.StoredTask, err error) {
	where, args := "1", []any{}
	if session != "" {
		where, args = "session=?", append(args, session)
	}
	if open {
		where += " AND ended=0"
	}
	err = s.readSnapshot(ctx, func(c *sqlite.Conn) error {
		return eachRow(c, "SELECT "+taskColumns+" FROM tasks WHERE "+where+" ORDER BY began DESC, id DESC LIMIT ?", func(st *sqlite.Stmt) {
			if k, sealed := s.scanTask(st); sealed {
				out = append(out, k)
			}
		}, append(args, limit)...)
	})
	return out, err
}

// ChangeTask changes a task; see task.Store. It fails if there is no such task, with the error of f, or if the memory
// cannot be written.
func (s *Store) ChangeTask(ctx context.Context, id string, f func(k *task.StoredTask, looks []task.ReadPart) error) error {
	return s.writeTransaction(ctx, func(c *sqlite.Conn) error {
		k, looks, ok, err := s.readTask(c, id)
		if err == nil && !ok {
			err = fmt.Errorf("there is no task %q any more", id)
		}
		if err == nil {
			err = f(&k, looks)
		}
		if err != nil {
			return err
		}
		return s.updateTask(c, &k)
	})
}

func (s *Store) updateTask(c *sqlite.Conn, k *task.StoredTask) error {
	return execStatement(c, "UPDATE tasks SET session=?, changed=?, ended=?, body=?, seal=? WHERE id=?",
		k.Session, k.Changed.UnixMilli(), storedMilliseconds(k.Ended), k.Body, s.sealTask(k), k.ID)
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
			err := execStatement(c, "INSERT INTO looks (task,tool,path,symbol,depth,first,last,at,of,hash,marks,seal) "+
				"SELECT id,?2,?3,?4,?5,?6,?7,?8,?9,?10,?11,?12 FROM tasks WHERE id=?1 "+
				"ON CONFLICT DO UPDATE SET at=excluded.at, marks=excluded.marks, seal=excluded.seal WHERE excluded.at>=at",
				id, l.Tool, l.Path, l.Symbol, int(l.Depth), l.First, l.Last, l.At.UnixMilli(), l.Of, l.Hash, []byte(l.Marks), s.sealLook(id, &l))
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
		k, _, ok, err := s.readTask(c, id)
		if err != nil || !ok {
			return err
		}
		if bound = k.Session == session; bound || k.Session != "" {
			return nil
		}
		k.Session, bound = session, true
		return s.updateTask(c, &k)
	})
	return bound, err
}

// AddPrompt adds a prompt; see task.Store. It fails if the memory cannot be written.
func (s *Store) AddPrompt(ctx context.Context, session string, at time.Time, text string) error {
	return s.writeTransaction(ctx, func(c *sqlite.Conn) error {
		number := 1
		err := eachRow(c, "SELECT coalesce(max(number),0)+1 FROM prompts WHERE session=?", func(st *sqlite.Stmt) { number = st.ColumnInt(0) }, session)
		if err == nil {
			err = execStatement(c, "INSERT INTO prompts VALUES (?,?,?,?,?)", session, number, at.UnixMilli(), text, s.sealPrompt(session, number, at, text))
		}
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
		return eachRow(c, "SELECT number,at,text,seal FROM prompts WHERE session=? ORDER BY number", func(st *sqlite.Stmt) {
			p := task.Prompt{Number: st.ColumnInt(0), At: columnTime(st, 1), Text: st.ColumnText(2)}
			if hmac.Equal(columnBytes(st, 3), s.sealPrompt(session, p.Number, p.At, p.Text)) {
				out = append(out, p)
			}
		}, session)
	})
	return out, err
}

func (s *Store) sealPrompt(session string, number int, at time.Time, text string) []byte {
	return s.seal("prompt", session, number, at.UnixMilli(), text)
}

package memory

import (
	"context"
	"time"

	"zombiezen.com/go/sqlite"

	"ken/internal/worktree"
)

var _ worktree.Store = (*Store)(nil)

// worktreeTables are the tables of the work trees that ken made. Their purpose and state are stored nowhere else, so
// that names of branches or folders need not be parsed.
const worktreeTables = `
CREATE TABLE worktrees (
  id TEXT PRIMARY KEY, purpose TEXT NOT NULL, branch TEXT NOT NULL, base TEXT NOT NULL, start TEXT NOT NULL, tip TEXT NOT NULL,
  state TEXT NOT NULL, came TEXT NOT NULL /* commit of the base before the merge */, became TEXT NOT NULL, began INTEGER NOT NULL
) WITHOUT ROWID;
`

// KeepWorktree adds or replaces a record; see worktree.Store. It fails if the memory cannot be written.
func (s *Store) KeepWorktree(ctx context.Context, r worktree.Record) error {
	return s.writeTransaction(ctx, func(c *sqlite.Conn) error {
		return execStatement(c, "INSERT OR REPLACE INTO worktrees VALUES (?,?,?,?,?,?,?,?,?,?)",
			r.ID, r.Purpose, r.Branch, r.Base, r.Start, r.Tip, string(r.State), r.From, r.Into, r.Began.UnixMilli())
	})
}

const worktreeColumns = "SELECT id,purpose,branch,base,start,tip,state,came,became,began FROM worktrees "

func scanWorktree(st *sqlite.Stmt) worktree.Record {
	return worktree.Record{
		ID: st.ColumnText(0), Purpose: st.ColumnText(1), Branch: st.ColumnText(2), Base: st.ColumnText(3), Start: st.ColumnText(4), Tip: st.ColumnText(5),
		State: worktree.State(st.ColumnText(6)), From: st.ColumnText(7), Into: st.ColumnText(8), Began: time.UnixMilli(st.ColumnInt64(9)).UTC(),
	}
}

// Worktree returns one record; see worktree.Store. It fails if there is none or the memory cannot be read.
func (s *Store) Worktree(ctx context.Context, id string) (r worktree.Record, err error) {
	found := false
	err = s.readSnapshot(ctx, func(c *sqlite.Conn) error {
		return eachRow(c, worktreeColumns+"WHERE id=?", func(st *sqlite.Stmt) { r, found = scanWorktree(st), true }, id)
	})
	if err == nil && !found {
		err = worktree.ErrUnknown
	}
	return r, err
}

// Worktrees returns all records, oldest first; see worktree.Store. It fails if the memory cannot be read.
func (s *Store) Worktrees(ctx context.Context) (list []worktree.Record, err error) {
	err = s.readSnapshot(ctx, func(c *sqlite.Conn) error {
		return eachRow(c, worktreeColumns+"ORDER BY began,id", func(st *sqlite.Stmt) { list = append(list, scanWorktree(st)) })
	})
	return list, err
}

// ForgetWorktree deletes a record; see worktree.Store. It fails if the memory cannot be written.
func (s *Store) ForgetWorktree(ctx context.Context, id string) error {
	return s.writeTransaction(ctx, func(c *sqlite.Conn) error { return execStatement(c, "DELETE FROM worktrees WHERE id=?", id) })
}

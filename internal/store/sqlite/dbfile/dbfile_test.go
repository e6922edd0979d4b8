package dbfile

import (
	"errors"
	"path/filepath"
	"slices"
	"testing"

	"modernc.org/libc"
	"zombiezen.com/go/sqlite"
	"zombiezen.com/go/sqlite/sqlitex"

	"ken/internal/code"
)

// layoutScript has what the scripts of the store have: comments between statements and in
// them, a semicolon in each, and statements that make no part of a schema.
const layoutScript = `
-- First; a comment.
-- And a second one.
CREATE TABLE a (
  id INTEGER PRIMARY KEY, -- not; the end
  b TEXT DEFAULT ';' /* nor; this */, UNIQUE (b)
);
INSERT INTO a(b) VALUES ('-- no comment');
CREATE UNIQUE INDEX a_b ON a (b, id); -- why; it is there
CREATE VIEW v AS SELECT ';' AS c FROM a;
CREATE TABLE w (k TEXT PRIMARY KEY) WITHOUT ROWID;
`

// made is a database with the script's schema and more SQL, in a transaction.
func made(t *testing.T, more ...string) *Conn {
	t.Helper()
	c, err := Open(filepath.Join(t.TempDir(), "a.db"), NewLayout(layoutScript), sqlite.OpenReadWrite|sqlite.OpenCreate)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	if err := c.runStatement("PRAGMA journal_mode=WAL"); err != nil {
		t.Fatal(err)
	}
	if err := sqlitex.ExecuteScript(c.Conn, layoutScript, nil); err != nil {
		t.Fatal(err)
	}
	for _, sql := range append(more, "BEGIN") {
		if err := c.runStatement(sql); err != nil {
			t.Fatalf("%s: %v", sql, err)
		}
	}
	return c
}

func TestLayout(t *testing.T) {
	if got := NewLayout(layoutScript).statements; len(got) != 4 || !slices.IsSorted(got) {
		t.Errorf("%d statements: %q", len(got), got)
	}
	if got := NewLayout("", "-- only a comment", "CREATE TABLE a (b)", "CREATE TABLE c /* open").statements; len(got) != 2 {
		t.Errorf("%d statements: %q", len(got), got)
	}
	c := made(t)
	if err := c.Check(); err != nil {
		t.Errorf("the schema that the script makes: %v", err)
	}
}

func TestCheck(t *testing.T) {
	for _, sql := range []string{
		"CREATE TRIGGER t AFTER INSERT ON a BEGIN SELECT 1; END", "CREATE TABLE more (a)", "CREATE INDEX more ON a (id)", "CREATE VIEW more AS SELECT 1",
		"DROP INDEX a_b", "DROP VIEW v", "DROP TABLE w", "ALTER TABLE a ADD COLUMN c", "ALTER TABLE a RENAME COLUMN b TO c", "ANALYZE",
		"PRAGMA journal_mode=DELETE",
	} {
		c := made(t, sql)
		if err := c.Check(); !errors.Is(err, code.ErrDamaged) {
			t.Errorf("%s: %v", sql, err)
		}
	}
}

// TestCheckAgain: a schema that was right is compared again once somebody changed it.
func TestCheckAgain(t *testing.T) {
	c := made(t)
	if err := errors.Join(c.Check(), c.runStatement("COMMIT"), c.runStatement("INSERT INTO w VALUES ('x')"), c.Check()); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(c.runStatement("CREATE TABLE more (a)"), c.runStatement("BEGIN")); err != nil {
		t.Fatal(err)
	}
	if err := c.Check(); !errors.Is(err, code.ErrDamaged) {
		t.Errorf("a table more: %v", err)
	}
}

// TestDefensive: what could damage the file or run what a schema brings along is off.
func TestDefensive(t *testing.T) {
	c := made(t)
	if n, err := c.Number("PRAGMA trusted_schema"); n != 0 || err != nil {
		t.Errorf("trusted_schema is %d, %v", n, err)
	}
	if err := errors.Join(c.runStatement("PRAGMA writable_schema=ON"), c.runStatement("UPDATE sqlite_schema SET sql=''")); err == nil {
		t.Error("the schema can be written")
	}
}

// TestDefensiveMemory: opening a connection writes to no memory but its own. A slot that
// was used before holds an address in the allocator's list of free slots; one that is
// written to shows when the page it is on is given back.
func TestDefensiveMemory(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.db")
	tls := libc.NewTLS()
	defer tls.Close()
	for range 20 {
		slots := make([]uintptr, 20_000) // of several pages
		for i := range slots {
			slots[i] = libc.Xmalloc(tls, 16)
		}
		open := func(lo, hi int) {
			for _, p := range slots[lo:hi] {
				libc.Xfree(tls, p)
			}
			c, err := Open(path, NewLayout(), sqlite.OpenReadWrite|sqlite.OpenCreate)
			if err != nil {
				t.Fatal(err)
			}
			c.Close()
		}
		for lo := 0; lo < len(slots); lo += 100 {
			open(lo, lo+100)
		}
	}
}

// BenchmarkCheck measures the check of a connection that was opened for it, and of one
// that made it before.
func BenchmarkCheck(b *testing.B) {
	path := filepath.Join(b.TempDir(), "a.db")
	layout := NewLayout(layoutScript)
	c, err := Open(path, layout, sqlite.OpenReadWrite|sqlite.OpenCreate)
	if err != nil {
		b.Fatal(err)
	}
	defer c.Close()
	if err := errors.Join(c.runStatement("PRAGMA journal_mode=WAL"), sqlitex.ExecuteScript(c.Conn, layoutScript, nil)); err != nil {
		b.Fatal(err)
	}
	for name, again := range map[string]bool{"first": false, "again": true} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				if !again {
					c.checked = 0
				}
				if err := c.Check(); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

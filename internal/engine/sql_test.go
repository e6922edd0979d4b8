package engine_test

import (
	"fmt"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"zombiezen.com/go/sqlite"
	"zombiezen.com/go/sqlite/sqlitex"
)

// The queries of documents 000 §3.3 and §6.1, word for word; '?' is put in.
const (
	hotspotsSQL = `SELECT n.id, n.path, n.purpose, COUNT(e.source) as dependents
FROM nodes n
LEFT JOIN edges e ON n.id = e.target
GROUP BY n.id
ORDER BY dependents DESC
LIMIT 10;`
	blastSQL = `WITH RECURSIVE affected AS (
  SELECT source as id, 1 as depth
  FROM edges WHERE target = ?
  UNION ALL
  SELECT e.source, a.depth + 1
  FROM edges e
  JOIN affected a ON e.target = a.id
  WHERE a.depth < 5
)
SELECT DISTINCT n.id, n.path, n.purpose, MIN(a.depth) as depth
FROM affected a
JOIN nodes n ON a.id = n.id
GROUP BY n.id
ORDER BY depth;`
	keywordSQL = `SELECT id, path, purpose
FROM nodes
WHERE purpose LIKE '%authentication%'
   OR path LIKE '%auth%'
ORDER BY
  CASE WHEN path LIKE '%auth%' THEN 0 ELSE 1 END,
  id;`
	activeSQL = `SELECT n.path, n.purpose, COUNT(e.source) as deps
    FROM nodes n
    LEFT JOIN edges e ON n.id = e.target
    WHERE n.status = 'active'
    GROUP BY n.id
    HAVING deps > 0
    ORDER BY deps DESC
    LIMIT 10`
	typesSQL = `SELECT type, COUNT(*) as count
    FROM nodes
    WHERE status = 'active'
    GROUP BY type
    ORDER BY count DESC`
)

// TestSQL runs the documents' SQL in the sqlite3 tool.
func TestSQL(t *testing.T) {
	tool, err := exec.LookPath("sqlite3")
	if err != nil {
		t.Skip("no sqlite3")
	}
	w := &worktree{t: t, root: t.TempDir()}
	w.write("src/lib/db.ts", "/** Keeps the rows. All. */\n\nimport 'fs'\nexport class Db { get(k: string) { return k } }\n")
	w.write("src/services/auth.ts", "import { Db } from '../lib/db'\nexport interface Login { name: string }\nexport const auth = (d: Db) => d.get('a')\n")
	w.write("src/app.ts", "/** Does authentication first. */\nimport { auth } from './services/auth'\nimport { Db } from './lib/db'\nauth(new Db())\n")
	w.write("src/lib/db.js", "")
	p := newProject(t, w.root)
	for _, c := range []struct{ sql, want string }{
		{hotspotsSQL, "src-lib-db~*|src/lib/db.ts|Keeps the rows.|2\nsrc-services-auth|src/services/auth.ts||1\n*"},
		{strings.Replace(blastSQL, "?", "(SELECT id FROM nodes WHERE path = 'src/lib/db.ts')", 1), "src-app|src/app.ts|Does authentication first.|1\nsrc-services-auth|src/services/auth.ts||1\n"},
		{keywordSQL, "src-services-auth|src/services/auth.ts|\nsrc-app|src/app.ts|Does authentication first.\n"},
		{activeSQL, "src/lib/db.ts|Keeps the rows.|2\nsrc/services/auth.ts||1\n"},
		{typesSQL, "*service|1*"},
		{"SELECT count(*), count(DISTINCT id), min(length(id)) FROM code_entities", "5|5|36\n"},
		{"SELECT entity_type, name, line_start, line_end, origin_task_id IS NULL, relevance_score BETWEEN 0 AND 1, created_at LIKE '____-__-__T__:__:__Z' FROM code_entities WHERE file_path = 'src/services/auth.ts' ORDER BY line_start, name",
			"interface|Login|2|2|1|1|1\nvariable|name|2|2|1|1|1\n*|auth|3|3|1|1|1\n"},
		{"PRAGMA integrity_check", "ok\n"},
	} {
		out, err := exec.Command(tool, p.db, c.sql).CombinedOutput()
		if err != nil {
			t.Fatalf("%v: %s\n%s", err, out, c.sql)
		}
		pattern := "(?s)^" + strings.ReplaceAll(regexp.QuoteMeta(c.want), `\*`, ".*") + "$"
		if !regexp.MustCompile(pattern).Match(out) {
			t.Errorf("%s\ngives\n%swant\n%s", c.sql, out, c.want)
		}
	}
	out, err := exec.Command(tool, p.db, "SELECT id FROM code_entities").Output()
	if err != nil {
		t.Fatal(err)
	}
	for _, id := range strings.Fields(string(out)) {
		if !regexp.MustCompile(`^[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$`).MatchString(id) {
			t.Errorf("%s is no UUID of version 5", id)
		}
	}
}

// TestTwice builds two indexes of one tree: all rows, ids included, are equal.
func TestTwice(t *testing.T) {
	w := tree(t, 4)
	a, b := newProject(t, w.root), newProject(t, w.root)
	if diff := cmp.Diff(rows(t, a.db), rows(t, b.db)); diff != "" {
		t.Error(cut(diff))
	}
	if diff := differences(dump(t, a.db), dump(t, b.db)); diff != "" {
		t.Error(diff)
	}
}

// rows returns all rows of all tables without the tables and the column that tell when the tree was looked at.
func rows(t *testing.T, db string) []string {
	c, err := sqlite.OpenConn(db, sqlite.OpenReadWrite)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	var tables, out []string
	run := func(sql string, f func(*sqlite.Stmt) error) {
		if err := sqlitex.ExecuteTransient(c, sql, &sqlitex.ExecOptions{ResultFunc: f}); err != nil {
			t.Fatal(err)
		}
	}
	run("SELECT name FROM sqlite_master WHERE type='table' AND name NOT IN ('meta','look') AND name NOT LIKE 'sqlite_%' ORDER BY name", func(st *sqlite.Stmt) error {
		tables = append(tables, st.ColumnText(0))
		return nil
	})
	if !slices.Contains(tables, "files") {
		t.Fatal(tables)
	}
	for _, name := range tables {
		run("SELECT * FROM "+name, func(st *sqlite.Stmt) error {
			var b strings.Builder
			b.WriteString(name)
			for i := range st.ColumnCount() {
				if st.ColumnName(i) != "first_indexed" {
					fmt.Fprintf(&b, " %q", st.ColumnText(i))
				}
			}
			out = append(out, b.String())
			return nil
		})
	}
	return out
}

// TestUUID checks that ids of entities stay while the file is edited elsewhere.
func TestUUID(t *testing.T) {
	w := &worktree{t: t, root: t.TempDir()}
	w.write("a.go", "package a\n\nfunc A() {}\n\nfunc B() {}\n")
	p := newProject(t, w.root)
	uuids := func() map[string]string {
		out := map[string]string{}
		for _, r := range dump(t, p.db) {
			var path, id string
			var ord int
			if n, _ := fmt.Sscanf(r, "uuid %q %d %s", &path, &ord, &id); n == 3 {
				out[fmt.Sprint(ord)] = id
			}
		}
		return out
	}
	before := uuids()
	w.write("a.go", "package a\n\nimport \"fmt\"\n\nfunc First() {}\n\nfunc A() { fmt.Println() }\n\nfunc B() {}\n")
	p.update([]string{"a.go"})
	after := uuids()
	if len(before) != 2 || len(after) != 3 || before["0"] != after["1"] || before["1"] != after["2"] {
		t.Errorf("before %v, after %v", before, after)
	}
	if before["0"] == before["1"] {
		t.Errorf("ids are not distinct: %v", before)
	}
}

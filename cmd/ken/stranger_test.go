package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// strange is SQL by which somebody else's index differs from what ken makes.
var strange = map[string]string{
	"trigger":        "CREATE TRIGGER tp AFTER INSERT ON symbols BEGIN UPDATE symbols SET signature='POISONED' WHERE id=new.id; END",
	"view":           "ALTER TABLE files RENAME TO real; CREATE VIEW files AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM n) SELECT real.* FROM real, n",
	"view of a name": "DROP TABLE names; CREATE VIEW names AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM n) SELECT i AS name, 1 AS defs, 1 AS files, x'' AS uses FROM n",
	"extension":      "CREATE TRIGGER tp AFTER INSERT ON meta BEGIN SELECT load_extension('x'); END",
	"table":          "CREATE TABLE more (a)",
	"no index":       "DROP INDEX symbols_name",
	"another index":  "DROP INDEX files_dir; CREATE INDEX files_dir ON files (slug)",
	"column":         "ALTER TABLE symbols ADD COLUMN more TEXT",
	"mode":           "PRAGMA journal_mode=DELETE",
	"page size":      "PRAGMA journal_mode=DELETE; PRAGMA page_size=8192; VACUUM; PRAGMA journal_mode=WAL",
	"statistics":     "ANALYZE",
	"path":           "UPDATE files SET path='../../etc/passwd' WHERE path='store/store.go'",
	"absolute path":  "UPDATE files SET path='/etc/passwd' WHERE path='store/store.go'",
	"dotted path":    "UPDATE files SET path='store/../store/./store.go' WHERE path='store/store.go'",
}

// TestStrangeIndex asks every command over an index that somebody else changed in its
// schema, its header or its paths: what is not as ken makes it is damage, the index is
// built anew, and the answer is that of a whole one.
func TestStrangeIndex(t *testing.T) {
	s := newShop(t, false)
	want := s.answers()
	for what, script := range strange {
		t.Run(what, func(t *testing.T) {
			s.t = t
			s.put(s.index)
			s.script(script)
			index, err := os.ReadFile(s.db())
			if err != nil {
				t.Fatal(err)
			}
			for i, args := range asked {
				if !isAsked(i, what) {
					continue
				}
				s.put(index)
				start := time.Now()
				if got := s.answer(args); got != want[i] && args[0] != "status" {
					t.Errorf("ken %v: %s", args, firstDifference(got, want[i]))
				}
				if took := time.Since(start); took > 10*time.Second {
					t.Errorf("ken %v took %v", args, took)
				}
			}
		})
	}
}

// TestStrangeTrigger edits a file over an index with a trigger: what is indexed then is
// what the file says.
func TestStrangeTrigger(t *testing.T) {
	s := newShop(t, false)
	s.script(strange["trigger"])
	s.write("web/new.ts", "export function afterwards() {}\n")
	s.must("index")
	if _, out, _ := s.ken("def", "afterwards"); !strings.Contains(out, "afterwards") || strings.Contains(out, "POISONED") {
		t.Errorf("ken def: %s", out)
	}
}

// TestOverviewWaitsForNobody: with a journal instead of a write-ahead log, the command's
// reader would keep its own writer waiting.
func TestOverviewWaitsForNobody(t *testing.T) {
	s := newShop(t, false)
	s.script("PRAGMA journal_mode=DELETE")
	s.write("web/new.ts", "export function afterwards() {}\n")
	start := time.Now()
	s.must("overview")
	if took := time.Since(start); took > 10*time.Second {
		t.Errorf("ken overview took %v", took)
	}
	if head, err := os.ReadFile(filepath.Join(s.dir, ".ken", "index.db")); err != nil || len(head) < 20 || head[18] != 2 {
		t.Errorf("the index has no write-ahead log after it, %v", err)
	}
}

package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"zombiezen.com/go/sqlite"
	"zombiezen.com/go/sqlite/sqlitex"

	"ken/internal/app"
)

// damages are ways in which stored bytes go wrong, as SQL over the column DATA.
var damages = map[string]string{
	"short": "x'00ff'",
	"noise": "CAST(coalesce(substr(DATA, 1, length(DATA)/3), x'') || x'ffffffffffffffffffffffff' || coalesce(substr(DATA, length(DATA)/3+1), x'') AS BLOB)",
}

// values are the columns whose bytes are a value of their own: any bytes are a
// valid one, so that damage shows as another value and not as an error.
var values = map[string]string{
	"configs.content":  "the text of a file",
	"exact_files.hash": "a hash of a file's content; bindings of another content do not count",
	"files.hash":       "a hash of a file's content; a file of another content is read again",
	"findings.hash":    "a hash by which findings are compared",
	"symbols.uuid":     "an id made of path and name",
}

// asked are commands that between them read everything the index keeps.
var asked = [][]string{
	{"def", "Open"}, {"refs", "Open"}, {"refs", "Getter.Get"}, {"find", "open the store"}, {"find", "--format", "intel", "open the store"},
	{"grep", "Open"}, {"brief", "open the store faster"}, {"impact", "store/store.go"}, {"impact", "Open"}, {"impact", "--diff"},
	{"map"}, {"pack"}, {"pack", "--diff", "HEAD"}, {"pack", "--query", "store"}, {"pack", "--compress"},
	{"show", "store/store.go"}, {"show", "Open"}, {"dependents", "store/store.go"}, {"dependents", "Open"}, {"deps", "main.go"}, {"deps", "Open"},
	{"outline", "store/store.go"}, {"overview"}, {"summary", "--full"}, {"hotspots"}, {"pattern", "--function", "Open"}, {"pattern", "--import", "store"},
	{"secrets"}, {"status"}, {"export", "index"}, {"export", "codemap"}, {"export", "compressed-codemap"}, {"export", "manifest"}, {"export", "scip"},
}

// shop is a project with everything an index can keep: commits, files that
// changed since the base of the search index was made, a secret, and bindings of
// a type checker if exact is asked for.
type shop struct {
	t     *testing.T
	dir   string
	index []byte // as it should be
}

const newFile = "export function brandNew(store: string) { return store }\n"

func newShop(t *testing.T, exact bool) *shop {
	s := &shop{t: t, dir: t.TempDir()}
	if err := os.CopyFS(s.dir, os.DirFS("testdata/project")); err != nil {
		t.Fatal(err)
	}
	s.write("store/get.go", "package store\n\n// Getter gets.\ntype Getter interface{ Get(key string) string }\n\n// Read reads.\nfunc Read(g Getter) string { return g.Get(\"x\") }\n")
	s.git("init", "-q")
	for i, message := range []string{"Open the store", "Close the store", "Read what is in the store"} {
		s.write("notes.md", strings.Repeat("The store is opened once.\n", i+1))
		s.write("store/size.go", fmt.Sprintf("package store\n\n// Size is how many.\nconst Size = %d\n", i))
		s.git("add", "-A")
		s.git("commit", "-qm", message)
	}
	s.write("web/key.ts", "export const key = \"AKIA"+"Z7QWERT5YUIOP3AS\"\n")
	s.must("init")
	s.write("web/new.ts", newFile)
	s.must("index")
	if exact {
		s.must("index", "--exact")
	}
	s.index = s.read()
	return s
}

func (s *shop) write(name, text string) {
	s.t.Helper()
	if err := os.WriteFile(filepath.Join(s.dir, name), []byte(text), 0o644); err != nil {
		s.t.Fatal(err)
	}
}

func (s *shop) git(args ...string) {
	s.t.Helper()
	cmd := exec.Command("git", append([]string{"-C", s.dir, "-c", "user.name=A", "-c", "user.email=a@example.com"}, args...)...)
	const date = "2024-05-01T12:00:00Z"
	cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_NOSYSTEM=1", "GIT_AUTHOR_DATE="+date, "GIT_COMMITTER_DATE="+date)
	if out, err := cmd.CombinedOutput(); err != nil {
		s.t.Fatalf("git %v: %v: %s", args, err, out)
	}
}

func (s *shop) db() string { return filepath.Join(s.dir, ".ken", "index.db") }

// read takes the index as it is, its log put back.
func (s *shop) read() []byte {
	s.t.Helper()
	s.sql("PRAGMA wal_checkpoint(TRUNCATE)")
	b, err := os.ReadFile(s.db())
	if err != nil {
		s.t.Fatal(err)
	}
	return b
}

// put makes the index what it is to be.
func (s *shop) put(index []byte) {
	s.t.Helper()
	for _, suffix := range []string{"-wal", "-shm"} {
		os.Remove(s.db() + suffix)
	}
	if err := os.WriteFile(s.db(), index, 0o600); err != nil {
		s.t.Fatal(err)
	}
}

// damaged is the index with a column damaged in every row. It skips the test if
// there are no rows.
func (s *shop) damaged(blob, how string) []byte {
	s.t.Helper()
	s.put(s.index)
	table, column, _ := strings.Cut(blob, ".")
	if s.sql("UPDATE "+table+" SET "+column+"="+strings.ReplaceAll(damages[how], "DATA", column)) == 0 {
		s.t.Skip("nothing is kept there")
	}
	return s.read()
}

// sql runs a statement and returns how many rows it changed.
func (s *shop) sql(statement string) int {
	s.t.Helper()
	c, err := sqlite.OpenConn(s.db(), sqlite.OpenReadWrite)
	if err != nil {
		s.t.Fatal(err)
	}
	defer c.Close()
	if err := sqlitex.ExecuteTransient(c, statement, nil); err != nil {
		s.t.Fatalf("%s: %v", statement, err)
	}
	return c.Changes()
}

// script runs statements and puts the log back.
func (s *shop) script(statements string) {
	s.t.Helper()
	c, err := sqlite.OpenConn(s.db(), sqlite.OpenReadWrite)
	if err != nil {
		s.t.Fatal(err)
	}
	defer c.Close()
	for rest := statements + "; PRAGMA wal_checkpoint(TRUNCATE)"; strings.TrimSpace(rest) != ""; {
		st, trailing, err := c.PrepareTransient(rest)
		if err != nil {
			s.t.Fatalf("%s: %v", rest, err)
		}
		for more := true; more && err == nil; {
			more, err = st.Step()
		}
		if err := errors.Join(err, st.Finalize()); err != nil {
			s.t.Fatalf("%s: %v", rest, err)
		}
		rest = rest[len(rest)-trailing:]
	}
}

// blobs are all columns of the index that hold bytes ken packed, "table.column".
func (s *shop) blobs() []string {
	s.t.Helper()
	c, err := sqlite.OpenConn(s.db(), sqlite.OpenReadOnly)
	if err != nil {
		s.t.Fatal(err)
	}
	defer c.Close()
	var out []string
	const query = "SELECT m.name || '.' || p.name FROM sqlite_master m, pragma_table_info(m.name) p WHERE m.type='table' AND p.type='BLOB' ORDER BY 1"
	if err := sqlitex.ExecuteTransient(c, query, &sqlitex.ExecOptions{ResultFunc: func(st *sqlite.Stmt) error {
		out = append(out, st.ColumnText(0))
		return nil
	}}); err != nil {
		s.t.Fatal(err)
	}
	return out
}

// ken runs the program in this process.
func (s *shop) ken(args ...string) (status int, stdout, stderr string) {
	var out, errs bytes.Buffer
	env := func(name string) string {
		switch name {
		case "HOME", "XDG_CACHE_HOME", "KEN_STATE":
			return filepath.Join(s.dir, "..", "home")
		case "PATH", "GOROOT":
			return os.Getenv(name)
		}
		return ""
	}
	p := app.Program{Args: args, Getenv: env, Dir: s.dir, Stdin: strings.NewReader(""), Stdout: &out, Stderr: &errs}
	status = p.Run(s.t.Context())
	return status, out.String(), errs.String()
}

func (s *shop) must(args ...string) {
	s.t.Helper()
	if status, _, stderr := s.ken(args...); status > 1 {
		s.t.Errorf("ken %v: %d: %s", args, status, stderr)
	}
}

// passing is what an answer says of times, sizes and how often the index changed.
var passing = regexp.MustCompile(`(?i)"?revision"?[:=]? ?"?[0-9]+|[0-9.]+ ?(ms|s|kB|MB)\b|[0-9]{4}-[0-9]{2}-[0-9]{2}[T ][0-9:.Z+-]+`)

// answers runs every command.
func (s *shop) answers() []string {
	s.t.Helper()
	out := make([]string, len(asked))
	for i, args := range asked {
		out[i] = s.answer(args)
	}
	return out
}

func (s *shop) answer(args []string) string {
	status, stdout, stderr := s.ken(args...)
	return fmt.Sprintf("exit %d\n%s%s", status, passing.ReplaceAllString(stdout, "…"), stderr)
}

// isAsked reports whether a command is asked over one damage of many: each in full, under -short every fourth, others for each damage.
func isAsked(i int, damage string) bool { return !testing.Short() || (i+len(damage))%4 == 0 }

// TestDamagedBlobs damages everything the index keeps as packed bytes, one column
// at a time, and asks every command: the answer must be the one of an index that
// is whole, because what reads damage has the index built anew.
func TestDamagedBlobs(t *testing.T) {
	s := newShop(t, false)
	want := s.answers()
	for _, blob := range s.blobs() {
		for how := range damages {
			if values[blob] != "" && how != "short" {
				continue
			}
			t.Run(blob+" "+how, func(t *testing.T) {
				s.t = t
				damaged := s.damaged(blob, how)
				for i, args := range asked {
					if !isAsked(i, blob+how) {
						continue
					}
					s.put(damaged)
					got := s.answer(args)
					switch {
					case values[blob] != "" || args[0] == "status" && blob == "look.data": // status says that files are to be looked at
						if strings.HasPrefix(got, "exit 2") {
							t.Errorf("ken %v: %s", args, got)
						}
					case got != want[i]:
						t.Errorf("ken %v: %s", args, firstDifference(got, want[i]))
					}
				}
			})
		}
	}
}

// TestDamagedExact does the same to exact bindings. They do not survive a build, so
// the answer is then the one of an index without them.
func TestDamagedExact(t *testing.T) {
	plain := newShop(t, false).answers()
	s := newShop(t, true)
	exact := s.answers()
	for _, blob := range s.blobs() {
		if !strings.HasPrefix(blob, "exact_") {
			continue
		}
		t.Run(blob, func(t *testing.T) {
			s.t = t
			damaged := s.damaged(blob, "short")
			for i, args := range asked {
				s.put(damaged)
				got := s.answer(args)
				sums := args[0] == "status" && strings.HasPrefix(got, "exit 0") // how much is bound, and when
				if !sums && got != plain[i] && got != exact[i] {
					t.Errorf("ken %v: %s", args, firstDifference(got, exact[i]))
				}
			}
			s.put(damaged)
			s.must("index", "--exact")
		})
	}
}

// TestDamagedWrites damages and then writes: after an edit by a single file and by a
// look at the whole tree, and exact bindings with and without one. Nothing of that
// may fail, nor leave an index that answers otherwise than a whole one.
func TestDamagedWrites(t *testing.T) {
	s := newShop(t, false)
	_, index, _ := s.ken("export", "scip")
	s.write("index.scip", index)
	s.must("index", "index.scip")
	s.index = s.read()
	ask := []string{"find", "open the store"}
	edited := "export function other(store: string) { return store }\n"
	want := map[string]string{newFile: s.answer(ask)}
	s.write("web/new.ts", edited)
	want[edited] = s.answer(ask)
	for _, blob := range s.blobs() {
		if values[blob] != "" {
			continue
		}
		t.Run(blob, func(t *testing.T) {
			s.t = t
			damaged := s.damaged(blob, "short")
			for _, w := range []struct {
				text string
				args []string
			}{
				{edited, []string{"index", "web/new.ts"}},
				{edited, []string{"index"}},
				{newFile, []string{"index", "--exact"}},
				{newFile, []string{"import-scip", "index.scip"}},
			} {
				s.write("web/new.ts", w.text)
				s.put(damaged)
				s.must(w.args...)
				if got := s.answer(ask); got != want[w.text] {
					t.Errorf("after ken %v: %s", w.args, firstDifference(got, want[w.text]))
				}
			}
		})
	}
}

// TestDamagedNoticed: a look at the tree that finds nothing to do reads little, but
// what it can read for nothing it does.
func TestDamagedNoticed(t *testing.T) {
	s := newShop(t, false)
	for _, blob := range []string{"search_head.data", "search_fresh.data", "history.data"} {
		s.put(s.damaged(blob, "short"))
		if status, out, stderr := s.ken("index"); status != 0 || !strings.Contains(out, "it was damaged") {
			t.Errorf("%s: ken index: %d\n%s%s", blob, status, out, stderr)
		}
		if status, out, _ := s.ken("index"); status != 0 || strings.Contains(out, "damaged") {
			t.Errorf("%s: ken index once more: %d\n%s", blob, status, out)
		}
	}
}

// firstDifference is the first line two answers differ in.
func firstDifference(got, want string) string {
	g, w := strings.Split(got, "\n"), strings.Split(want, "\n")
	for i := range min(len(g), len(w)) {
		if g[i] != w[i] {
			return fmt.Sprintf("line %d is\n%s\nwant\n%s", i+1, g[i], w[i])
		}
	}
	return fmt.Sprintf("%d lines, want %d", len(g), len(w))
}

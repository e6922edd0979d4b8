package owner

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"ken/internal/statefile"
)

// project is a root with a folder .ken.
func project(t *testing.T) string {
	t.Helper()
	root := filepath.Join(t.TempDir(), "tree")
	if err := os.MkdirAll(filepath.Join(root, ".ken"), 0o755); err != nil {
		t.Fatal(err)
	}
	return root
}

// lines gathers what a folder says.
type lines []string

func (l *lines) add(s string) { *l = append(*l, s) }

func open(t *testing.T, root, state string) (*Folder, *lines) {
	t.Helper()
	said := &lines{}
	f := New(root, NewState(state), said.add)
	t.Cleanup(func() { f.Close() })
	return f, said
}

func settle(t *testing.T, f *Folder) (print string) {
	t.Helper()
	p, err := f.PlaceWithID()
	if err != nil || p.Temporary || p.Print == "" {
		t.Fatalf("%+v, %v", p, err)
	}
	return p.Print
}

func TestId(t *testing.T) {
	root, state := project(t), filepath.Join(t.TempDir(), "a", "ken")
	f, said := open(t, root, state)
	if p := f.Place(); p.Print != "" || p.Key != "" || p.Index != filepath.Join(root, ".ken", "index.db") {
		t.Errorf("before: %+v", p)
	}
	print := settle(t, f)
	for name, mode := range map[string]os.FileMode{state: 0o700, filepath.Join(state, "trees"): 0o700} {
		if st, err := os.Stat(name); err != nil || st.Mode().Perm() != mode {
			t.Errorf("%s: %v %v", name, st, err)
		}
	}
	records, err := filepath.Glob(filepath.Join(state, "trees", "*"))
	if err != nil || len(records) != 1 {
		t.Fatal(records, err)
	}
	text, err := os.ReadFile(records[0])
	if st, _ := os.Stat(records[0]); err != nil || st.Mode().Perm() != 0o600 || strings.Contains(string(text), print) {
		t.Errorf("%s: %v %v", records[0], st.Mode(), err)
	}
	again, _ := open(t, root, state)
	if p := again.Place(); p.Print != print {
		t.Errorf("another process: %q, want %q", p.Print, print)
	}
	moved := filepath.Join(t.TempDir(), "moved")
	if err := os.Rename(root, moved); err != nil {
		t.Fatal(err)
	}
	there, _ := open(t, moved, state)
	if p := there.Place(); p.Print != print {
		t.Errorf("after a move: %q, want %q", p.Print, print)
	}
	if err := os.Mkdir(root, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(filepath.Join(root, ".ken"), 0o755); err != nil {
		t.Fatal(err)
	}
	copied, _ := open(t, root, state)
	if p := copied.Place(); p.Print == print {
		t.Error("another folder at the same path has the same id")
	}
	if !copied.KnowsPrint(print) || copied.KnowsPrint("") || copied.KnowsPrint(strings.Repeat("0", 32)) {
		t.Error("KnowsPrint")
	}
	if len(*said) > 0 {
		t.Errorf("said %q", *said)
	}
}

// TestWarnAsks: whoever shows a line may ask the folder meanwhile.
func TestWarnAsks(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	root := project(t)
	var f *Folder
	shown := 0
	f = New(root, NewState("/proc/self/x"), func(string) {
		shown++
		if p, err := f.PlaceWithID(); err != nil || p != f.Place() {
			t.Errorf("%+v, %v", p, err)
		}
		f.PrintOnce("the same")
	})
	defer f.Close()
	if p, err := f.PlaceWithID(); err != nil || !p.Temporary {
		t.Errorf("%+v, %v", p, err)
	}
	if left, _ := os.ReadDir(os.Getenv("TMPDIR")); len(left) != 1 || shown != 2 {
		t.Errorf("%d folders, %d lines", len(left), shown)
	}
}

// TestOpenState: what others can write or read is no secret, and is not followed.
func TestOpenState(t *testing.T) {
	for name, spoil := range map[string]func(t *testing.T, state, record string) error{
		"the record is readable":  func(_ *testing.T, _, record string) error { return os.Chmod(record, 0o644) },
		"the record is writable":  func(_ *testing.T, _, record string) error { return os.Chmod(record, 0o620) },
		"a folder is open":        func(_ *testing.T, state, _ string) error { return os.Chmod(filepath.Join(state, "trees"), 0o755) },
		"the state is open":       func(_ *testing.T, state, _ string) error { return os.Chmod(state, 0o777) },
		"the record is a link":    func(t *testing.T, _, record string) error { return relink(t, record) },
		"a folder is a link":      func(t *testing.T, state, _ string) error { return relink(t, filepath.Join(state, "trees")) },
		"the state is a link":     func(t *testing.T, state, _ string) error { return relink(t, state) },
		"the record is damaged":   func(_ *testing.T, _, record string) error { return os.WriteFile(record, []byte("ken 1\nid 12"), 0o600) },
		"the record is a folder":  func(_ *testing.T, _, record string) error { os.Remove(record); return os.Mkdir(record, 0o700) },
		"the record is another's": func(t *testing.T, _, record string) error { return give(t, record) },
		"a folder is another's":   func(t *testing.T, state, _ string) error { return give(t, filepath.Join(state, "trees")) },
	} {
		t.Run(name, func(t *testing.T) {
			root, state := project(t), filepath.Join(t.TempDir(), "ken")
			f, _ := open(t, root, state)
			print := settle(t, f)
			records, _ := filepath.Glob(filepath.Join(state, "trees", "*"))
			if err := spoil(t, state, records[0]); err != nil {
				t.Fatal(err)
			}
			f, _ = open(t, root, state)
			if p := f.Place(); p.Print != "" {
				t.Error("it is believed")
			}
			p, err := f.PlaceWithID()
			kept := strings.HasPrefix(name, "a folder is open") || strings.HasPrefix(name, "the state is open") // closed again, the record is as it was
			if err != nil || p.Print == "" || (p.Print == print) != kept {
				t.Errorf("afterwards %+v, %v", p, err)
			}
		})
	}
}

// relink puts a link to the same in the place of a file or folder.
func relink(t *testing.T, path string) error {
	to := filepath.Join(t.TempDir(), "to")
	if err := os.Rename(path, to); err != nil {
		return err
	}
	return os.Symlink(to, path)
}

// give makes a file another user's.
func give(t *testing.T, path string) error {
	if os.Geteuid() != 0 {
		t.Skip("only root can give files away")
	}
	return os.Chown(path, 65534, 65534)
}

// TestNowhere has places in which no id can be kept.
func TestNowhere(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for name, state := range map[string]string{"none": "", "a file": file, "below a file": filepath.Join(file, "x"), "no files there": "/proc/self/x"} {
		t.Run(name, func(t *testing.T) {
			root := project(t)
			f, said := open(t, root, state)
			p, err := f.PlaceWithID()
			if err != nil || !p.Temporary || p.Print == "" || strings.HasPrefix(p.Index, root) {
				t.Errorf("%+v, %v", p, err)
			}
			if len(*said) != 1 || !strings.Contains((*said)[0], "nothing in .ken is believed") {
				t.Errorf("said %q", *said)
			}
			if again, err := f.PlaceWithID(); err != nil || again != p || f.Place() != p {
				t.Errorf("again %+v, %v", again, err)
			}
			if _, ok := f.OtherPlace(filepath.Join(root, ".ken")); ok {
				t.Error("another tree is believed")
			}
			dir := filepath.Dir(p.Index)
			if st, err := os.Stat(dir); err != nil || st.Mode().Perm() != 0o700 {
				t.Errorf("%v %v", st, err)
			}
			if err := f.Close(); err != nil {
				t.Error(err)
			}
			if _, err := os.Stat(dir); !os.IsNotExist(err) {
				t.Errorf("after Close: %v", err)
			}
		})
	}
}

func TestBeside(t *testing.T) {
	root, state := project(t), filepath.Join(t.TempDir(), "ken")
	f, _ := open(t, root, state)
	settle(t, f)
	plain, beside := f.Place(), f.UseNamesWithID()
	for _, pair := range [][2]string{{plain.Index, beside.Index}, {plain.Salt, beside.Salt}, {plain.Vectors, beside.Vectors}} {
		if pair[0] == pair[1] || filepath.Dir(pair[1]) != filepath.Join(root, ".ken") {
			t.Errorf("%q", pair)
		}
	}
	if !beside.Beside || beside.Print != plain.Print || f.Place() != beside {
		t.Errorf("%+v", beside)
	}
	again, _ := open(t, root, state)
	if p := again.Place(); p != plain {
		t.Errorf("without a file: %+v", p)
	}
	if err := os.WriteFile(beside.Index, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	again, _ = open(t, root, state)
	if p := again.Place(); p != beside {
		t.Errorf("with a file: %+v", p)
	}
}

func TestTrim(t *testing.T) {
	s := NewState(filepath.Join(t.TempDir(), "ken"))
	if _, err := s.makeID(filepath.Join(project(t), ".ken")); err != nil {
		t.Fatal(err)
	}
	old := time.Now().Add(-48 * time.Hour)
	for i := range maxRecords + 20 {
		path := filepath.Join(s.treesDir(), fmt.Sprintf("%d-0", 1<<40+i))
		if err := os.WriteFile(path, nil, 0o600); err != nil {
			t.Fatal(err)
		}
		at := old.Add(time.Duration(i) * time.Second)
		os.Chtimes(path, at, at)
	}
	left := filepath.Join(s.treesDir(), statefile.TempPrefix+"1")
	os.WriteFile(left, nil, 0o600)
	os.Chtimes(left, old, old)
	if _, err := s.makeID(filepath.Join(project(t), ".ken")); err != nil {
		t.Fatal(err)
	}
	entries, _ := os.ReadDir(s.treesDir())
	names := make([]string, len(entries))
	for i, e := range entries {
		names[i] = e.Name()
	}
	if len(names) != maxRecords || slices.Contains(names, statefile.TempPrefix+"1") || slices.Contains(names, fmt.Sprintf("%d-0", 1<<40)) {
		t.Errorf("%d records", len(names))
	}
}

// TestUsed: a record that is read from time to time is not the oldest.
func TestUsed(t *testing.T) {
	root, state := project(t), filepath.Join(t.TempDir(), "ken")
	f, _ := open(t, root, state)
	settle(t, f)
	records, _ := filepath.Glob(filepath.Join(state, "trees", "*"))
	old := time.Now().Add(-2 * refreshed)
	os.Chtimes(records[0], old, old)
	f, _ = open(t, root, state)
	f.Place()
	if st, err := os.Stat(records[0]); err != nil || time.Since(st.ModTime()) > time.Hour {
		t.Errorf("%v %v", st.ModTime(), err)
	}
}

func TestRecord(t *testing.T) {
	good := "ken 1\nid " + strings.Repeat("ab", 32) + "\n"
	for text, ok := range map[string]bool{
		good: true, good + "memory memory.db\nlater 1\n": true, "": false, "ken 2\n" + good: false, "ken 1\n": false, "ken 1\nid \n": false,
		"ken 1\nid " + strings.Repeat("ab", 31) + "\n": false, "ken 1\nid " + strings.Repeat("zz", 32) + "\n": false, good + "id 12\n": false,
	} {
		if _, err := parseRecord(text); (err == nil) != ok {
			t.Errorf("%q: %v", text, err)
		}
	}
	if r, _ := parseRecord(good + "memory memory-x.db\n"); r.memory != "memory-x.db" {
		t.Errorf("%+v", r)
	}
}

func TestCommitted(t *testing.T) {
	for name, want := range map[string]bool{
		".gitignore": true, "config.yml": true, "knowledge/a/b.md": true, "knowledge": false, "index.db": false, "salt": false, "x/config.yml": false,
	} {
		if mayCommit(name) != want {
			t.Errorf("%s: %v", name, !want)
		}
	}
	used := fileFilter("")
	for name, want := range map[string]bool{"index.db": true, "index.db-wal": true, "salt": true, "vectors.db": true, "index-ab.db": false, "salt-ab": false, "x": false} {
		if used(name) != want {
			t.Errorf("%s: %v", name, !want)
		}
	}
	if used = fileFilter("ab"); used("index.db") || !used("index-ab.db-shm") || !used("salt-ab") {
		t.Error("of an id")
	}
	for name, want := range map[string]bool{"memory.db": true, "memory-ab.db": true, "memory.db-wal": false, "memories.db": false, "memory": false} {
		if isMemory(name) != want {
			t.Errorf("%s: %v", name, !want)
		}
	}
	if s := nameFiles(strings.Fields("a b c d e f g")); s != ".ken/a, .ken/b, .ken/c, .ken/d, .ken/e and 2 more" {
		t.Error(s)
	}
}

// TestMemory: memory that this id made is not named.
func TestMemory(t *testing.T) {
	root, state := project(t), filepath.Join(t.TempDir(), "ken")
	f, _ := open(t, root, state)
	settle(t, f)
	records, _ := filepath.Glob(filepath.Join(state, "trees", "*"))
	file, err := os.OpenFile(records[0], os.O_APPEND|os.O_WRONLY, 0)
	if err == nil {
		_, err = fmt.Fprintln(file, "memory memory.db")
		file.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	os.WriteFile(filepath.Join(root, ".ken", "memory.db"), nil, 0o600)
	f, said := open(t, root, state)
	if f.Place(); len(*said) > 0 {
		t.Errorf("said %q", *said)
	}
	os.WriteFile(filepath.Join(root, ".ken", "memory-0.db"), nil, 0o600)
	f, said = open(t, root, state)
	if f.Place(); len(*said) != 1 || !strings.HasPrefix((*said)[0], ".ken/memory-0.db: ") {
		t.Errorf("said %q", *said)
	}
}

// TestLogs: logs are the user's who has an id, and another's are beside.
func TestLogs(t *testing.T) {
	root, state := project(t), filepath.Join(t.TempDir(), "ken")
	f, _ := open(t, root, state)
	if p := f.Place(); p.Logs != "" || p.LogKey != "" {
		t.Errorf("without an id there is %+v", p)
	}
	settle(t, f)
	p := f.Place()
	if p.Logs != filepath.Join(root, ".ken", "logs") || len(p.LogKey) < 16 || p.LogKey == p.SpoolKey || p.LogKey == p.Key {
		t.Errorf("%+v", p)
	}
	if q := f.UseNamesWithID(); q.Logs == p.Logs || q.Logs == "" {
		t.Errorf("beside another's index the logs are in %s", q.Logs)
	}
}

// TestSettleMemory: the first memory has the plain name, unless somebody else's has it, and
// every process gets the same.
func TestSettleMemory(t *testing.T) {
	for _, foreign := range []bool{false, true} {
		root, state := project(t), filepath.Join(t.TempDir(), "ken")
		if foreign {
			os.WriteFile(filepath.Join(root, ".ken", "memory.db"), []byte("theirs"), 0o600)
		}
		f, _ := open(t, root, state)
		if p := f.Place(); p.Memory != "" || p.Spool != "" {
			t.Errorf("without an id there is %+v", p)
		}
		p, err := f.PlaceWithMemory()
		if plain := filepath.Base(p.Memory) == "memory.db"; err != nil || plain == foreign || p.Spool == "" || len(p.SpoolKey) < 16 {
			t.Errorf("foreign %v: %+v, %v", foreign, p, err)
		}
		os.WriteFile(p.Memory, nil, 0o600)
		again, said := open(t, root, state)
		if now, err := again.PlaceWithMemory(); err != nil || now.Memory != p.Memory || now != again.Place() {
			t.Errorf("then %+v, %v", now, err)
		}
		if foreign != (len(*said) > 0) {
			t.Errorf("foreign %v: said %q", foreign, *said)
		}
	}
}

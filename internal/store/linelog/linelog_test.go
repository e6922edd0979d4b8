package linelog

import (
	"bufio"
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

func lines(t *testing.T, l *Log) (out []string, bad []string) {
	t.Helper()
	odd, err := l.Read(func(r []byte) { out = append(out, string(r)) })
	if err != nil {
		t.Fatal(err)
	}
	for _, b := range odd {
		bad = append(bad, fmt.Sprintf("%s:%d %s", b.File, b.Line, b.Why))
	}
	return out, bad
}

func record(n int) []byte { return fmt.Appendf(nil, `{"n":%d}`, n) }

// TestLines: what is appended is read again, and what is no record is named and keeps nothing back.
func TestLines(t *testing.T) {
	path := filepath.Join(t.TempDir(), "logs", "a.jsonl")
	l := New(path, []byte("key"), 1<<20)
	if got, bad := lines(t, l); len(got)+len(bad) > 0 {
		t.Fatal(got, bad)
	}
	add := func(n int) {
		t.Helper()
		if err := l.Append(record(n)); err != nil {
			t.Fatal(err)
		}
	}
	add(1)
	b, err := os.ReadFile(path)
	if err != nil || !strings.HasPrefix(string(b), `{"n":1,"seal":"`) || strings.Count(string(b), "\n") != 1 {
		t.Fatalf("%q, %v", b, err)
	}
	f, _ := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
	f.WriteString("<<<<<<< HEAD\n" + `{"n":9,"seal":"` + strings.Repeat("0", 32) + "\"}\n" + string(b[:len(b)-20])) // torn
	f.Close()
	add(2)
	got, bad := lines(t, l)
	if fmt.Sprint(got) != `[{"n":1} {"n":2}]` || len(bad) != 3 {
		t.Errorf("%q, %q", got, bad)
	}
	if len(bad) == 3 && (bad[0] != "a.jsonl:2 half a line, or none of ken's" || bad[1] != "a.jsonl:3 not written by your ken for this tree" || bad[2] != "a.jsonl:4 half a line, or none of ken's") {
		t.Errorf("%q", bad)
	}
	if err := os.WriteFile(path, b[:len(b)-1], 0o600); err != nil { // without its line feed
		t.Fatal(err)
	}
	if got, bad := lines(t, l); len(got) != 0 || len(bad) != 1 {
		t.Errorf("half a last line: %q, %q", got, bad)
	}
	if got, bad := lines(t, New(path, []byte("other"), 1<<20)); len(got) != 0 || len(bad) != 1 {
		t.Errorf("with another key: %q, %q", got, bad)
	}
	for _, bad := range []string{"", "{}", "x", "{\n}", `{"a":"` + strings.Repeat("x", MaxRecord) + `"}`} {
		if l.Append([]byte(bad)) == nil {
			t.Errorf("%.20q is taken for a record", bad)
		}
	}
}

// TestFull: of many processes' records the latest are there, and both files stay small.
func TestFull(t *testing.T) {
	path := filepath.Join(t.TempDir(), "logs", "a.jsonl")
	const most = 8 << 10
	var all sync.WaitGroup
	for w := range 8 {
		all.Go(func() {
			l := New(path, []byte("key"), most)
			for i := range 200 {
				if err := l.Append(record(1000*w + i)); err != nil {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
	got, bad := lines(t, New(path, []byte("key"), most))
	if len(bad) > 0 || len(got) < most/60 || len(got) > 1600 {
		t.Errorf("%d records, bad %q", len(got), bad)
	}
	seen := map[string]bool{}
	for _, r := range got {
		if seen[r] {
			t.Errorf("%s twice", r)
		}
		seen[r] = true
	}
	for _, p := range []string{path, path + ".1"} {
		if st, err := os.Stat(p); err != nil || st.Size() > 2*most {
			t.Errorf("%s: %v, %v", p, st, err)
		}
	}
}

// TestStrange: a link or a pipe in place of the log or its folder is neither read nor written.
func TestStrange(t *testing.T) {
	dir, other := t.TempDir(), t.TempDir()
	if err := os.Symlink(other, filepath.Join(dir, "logs")); err != nil {
		t.Skip(err)
	}
	l := New(filepath.Join(dir, "logs", "a.jsonl"), []byte("key"), 1<<20)
	if l.Append(record(1)) == nil {
		t.Error("a folder elsewhere was written")
	}
	if _, err := l.Read(func([]byte) {}); err == nil {
		t.Error("a folder elsewhere was read")
	}
	if left, _ := os.ReadDir(other); len(left) > 0 {
		t.Error(left)
	}
	os.Symlink(filepath.Join(other, "x"), filepath.Join(dir, "b.jsonl"))
	if l = New(filepath.Join(dir, "b.jsonl"), []byte("key"), 1<<20); l.Append(record(1)) == nil {
		t.Error("a file elsewhere was written")
	}
	if _, err := l.Read(func([]byte) {}); err == nil {
		t.Error("a file elsewhere was read")
	}
}

// TestKilled: of 50 processes that append and of which some are killed, no record that one said it had is lost.
func TestKilled(t *testing.T) {
	if path := os.Getenv("KEN_TEST_LINELOG"); path != "" {
		l := New(path, []byte("key"), 64<<20)
		for n := 0; ; n++ {
			r := fmt.Appendf(nil, `{"by":%d,"n":%d}`, os.Getpid(), n)
			if err := l.Append(r); err != nil {
				fmt.Println(err)
				os.Exit(1)
			}
			os.Stdout.Write(append(r, '\n'))
			time.Sleep(time.Millisecond)
		}
	}
	processes := 50
	if testing.Short() {
		processes = 8
	}
	path := filepath.Join(t.TempDir(), "logs", "a.jsonl")
	var mu sync.Mutex
	var said []string
	var all sync.WaitGroup
	for i := range processes {
		cmd := exec.Command(os.Args[0], "-test.run", "^TestKilled$")
		cmd.Env = append(os.Environ(), "KEN_TEST_LINELOG="+path)
		out, err := cmd.StdoutPipe()
		if err != nil || cmd.Start() != nil {
			t.Fatal(err)
		}
		time.AfterFunc(time.Duration(200+7*i)*time.Millisecond, func() { cmd.Process.Kill() })
		all.Go(func() {
			for sc := bufio.NewScanner(out); sc.Scan(); {
				if bytes.HasSuffix(sc.Bytes(), []byte("}")) {
					mu.Lock()
					said = append(said, sc.Text())
					mu.Unlock()
				}
			}
			cmd.Wait()
		})
	}
	all.Wait()
	got, bad := lines(t, New(path, []byte("key"), 64<<20))
	kept := map[string]bool{}
	for _, r := range got {
		kept[r] = true
	}
	lost := 0
	for _, r := range said {
		if !kept[r] {
			lost++
		}
	}
	if lost > 0 || len(bad) > 0 || len(said) == 0 {
		t.Errorf("%d of %d lost, bad %q", lost, len(said), bad)
	}
}

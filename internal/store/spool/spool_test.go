package spool

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

func newSpool(t *testing.T) *Spool {
	return New(filepath.Join(t.TempDir(), "spool"), []byte("key"))
}

// drained are the records that are there now.
func drained(t *testing.T, s *Spool) (out []string) {
	t.Helper()
	err := s.Apply(t.Context(), func(records [][]byte) error {
		for _, r := range records {
			out = append(out, string(r))
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func TestOrder(t *testing.T) {
	s := newSpool(t)
	if s.Waiting() || drained(t, s) != nil {
		t.Error("a spool that is not there holds something")
	}
	for i := range 3 {
		if err := s.Append(fmt.Appendf(nil, `{"n":%d}`, i)); err != nil {
			t.Fatal(err)
		}
	}
	if !s.Waiting() {
		t.Error("nothing waits")
	}
	if got := strings.Join(drained(t, s), " "); got != `{"n":0} {"n":1} {"n":2}` {
		t.Error(got)
	}
	if s.Waiting() || drained(t, s) != nil {
		t.Error("records are there twice")
	}
}

// TestFailed: records whose application fails stay, before those that come later.
func TestFailed(t *testing.T) {
	s := newSpool(t)
	s.Append([]byte("1"))
	bad := errors.New("bad")
	if err := s.Apply(t.Context(), func([][]byte) error { return bad }); !errors.Is(err, bad) {
		t.Fatal(err)
	}
	s.Append([]byte("2"))
	if got := strings.Join(drained(t, s), " "); got != "1 2" {
		t.Error(got)
	}
}

// TestStrange: what ken did not write is no record, and does not spoil those it wrote.
func TestStrange(t *testing.T) {
	s := newSpool(t)
	other := New(s.path, []byte("another key"))
	write := func(text string) {
		f, err := os.OpenFile(s.path, os.O_APPEND|os.O_WRONLY|os.O_CREATE, 0o600)
		if err != nil {
			t.Fatal(err)
		}
		f.WriteString(text)
		f.Close()
	}
	write("no record\n\n \n0123 {}\n")
	s.Append([]byte("1"))
	other.Append([]byte("2"))
	write(strings.Repeat("x", 3*MaxRecord) + "\n")
	s.Append([]byte("3"))
	write("torn")
	if got := strings.Join(drained(t, s), " "); got != "1 3" {
		t.Errorf("%q", got)
	}
}

func TestTooLong(t *testing.T) {
	s := newSpool(t)
	if err := errors.Join(s.Append(make([]byte, MaxRecord+1))); !errors.Is(err, errTooLong) {
		t.Error(err)
	}
	if err := s.Append([]byte("a\nb")); !errors.Is(err, errTooLong) {
		t.Error(err)
	}
}

// TestNotRegular: a link or a pipe in place of the file is refused at once.
func TestNotRegular(t *testing.T) {
	s := newSpool(t)
	target := s.path + "-target"
	if err := os.Symlink(target, s.path); err != nil {
		t.Skip(err)
	}
	if err := s.Append([]byte("1")); err == nil {
		t.Error("a symbolic link was followed")
	}
	if _, err := os.Lstat(target); err == nil {
		t.Error("its target was written")
	}
	if err := s.Apply(t.Context(), func([][]byte) error { return nil }); err == nil {
		t.Error("a symbolic link was applied")
	}
}

// TestAtOnce: records that many append while others apply come exactly once.
func TestAtOnce(t *testing.T) {
	s := newSpool(t)
	const writers, each = 8, 100
	var wg sync.WaitGroup
	var mu sync.Mutex
	seen := map[string]int{}
	apply := func() {
		err := New(s.path, s.key).Apply(t.Context(), func(records [][]byte) error {
			mu.Lock()
			defer mu.Unlock()
			for _, r := range records {
				seen[string(r)]++
			}
			return nil
		})
		if err != nil {
			t.Error(err)
		}
	}
	for w := range writers {
		wg.Go(func() {
			for i := range each {
				if err := New(s.path, s.key).Append(fmt.Appendf(nil, "%d.%d", w, i)); err != nil {
					t.Error(err)
				}
				if i%10 == w {
					apply()
				}
			}
		})
	}
	wg.Wait()
	apply()
	if len(seen) != writers*each {
		t.Errorf("%d records, want %d", len(seen), writers*each)
	}
	for r, n := range seen {
		if n != 1 {
			t.Errorf("%s came %d times", r, n)
		}
	}
}

// TestKilled: of processes that are killed while they append and apply, each record that
// one said it had written comes at least once.
func TestKilled(t *testing.T) {
	if dir := os.Getenv("SPOOL_TEST_DIR"); dir != "" {
		child(dir)
		return
	}
	dir := t.TempDir()
	for range 10 {
		cmd := exec.Command(os.Args[0], "-test.run=TestKilled$")
		cmd.Env = append(os.Environ(), "SPOOL_TEST_DIR="+dir)
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		time.Sleep(30 * time.Millisecond)
		cmd.Process.Kill()
		cmd.Wait()
	}
	seen := map[string]bool{}
	note, err := os.ReadFile(filepath.Join(dir, "applied"))
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range append(strings.Fields(string(note)), drained(t, New(filepath.Join(dir, "spool"), []byte("key")))...) {
		seen[r] = true
	}
	said, err := os.ReadFile(filepath.Join(dir, "said"))
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for _, r := range strings.Fields(string(said)) {
		if n++; !seen[r] {
			t.Errorf("record %s is lost", r)
		}
	}
	if n < 20 {
		t.Errorf("only %d records were written", n)
	}
}

// child appends records until it is killed, and notes in files what it appended and
// what it applied.
func child(dir string) {
	s := New(filepath.Join(dir, "spool"), []byte("key"))
	open := func(name string) *os.File {
		f, err := os.OpenFile(filepath.Join(dir, name), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
		if err != nil {
			panic(err)
		}
		return f
	}
	said, applied := open("said"), open("applied")
	for i := 0; ; i++ {
		r := fmt.Sprintf("%d.%d", os.Getpid(), i)
		if s.Append([]byte(r)) == nil {
			said.WriteString(r + "\n")
		}
		if i%7 == 0 {
			s.Apply(context.Background(), func(records [][]byte) error {
				for _, r := range records {
					applied.WriteString(string(r) + "\n")
				}
				return nil
			})
		}
	}
}

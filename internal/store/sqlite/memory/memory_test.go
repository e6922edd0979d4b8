package memory

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"ken/internal/knowledge/session"
)

var start = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

func at(minutes int) time.Time { return start.Add(time.Duration(minutes) * time.Minute) }

func newStore(t testing.TB) *Store { return New(filepath.Join(t.TempDir(), "memory.db"), "print") }

func apply1(t testing.TB, s *Store, events ...session.Event) {
	t.Helper()
	if _, err := s.Apply(context.Background(), events); err != nil {
		t.Fatal(err)
	}
}

// TestSession is one session from its start to its end.
func TestSession(t *testing.T) {
	s := newStore(t)
	if list, err := s.Sessions(t.Context(), 0); err != nil || list != nil {
		t.Fatalf("%v, %v", list, err)
	}
	edit := func(path string, c session.Change) []session.FileChange {
		return []session.FileChange{{Path: path, Change: c}}
	}
	apply1(t, s,
		session.Event{Session: "a", Runtime: "claude", Kind: session.Started, At: at(0), Source: "startup", Commit: "c0"},
		session.Event{Session: "a", Kind: session.Prompted, At: at(1)},
		session.Event{Session: "a", Kind: session.Edited, At: at(2), Files: edit("new.go", session.Created)},
		session.Event{Session: "a", Kind: session.Edited, At: at(3), Files: edit("new.go", session.Modified)},
		session.Event{Session: "a", Kind: session.Edited, At: at(3), Files: edit("old.go", session.Modified)},
		session.Event{Session: "a", Kind: session.Edited, At: at(3), Files: edit("short.go", session.Created)},
		session.Event{Session: "a", Kind: session.Found, At: at(4), Files: edit("short.go", session.Deleted)},
		session.Event{Session: "a", Kind: session.Tested, At: at(5), Test: &session.TestRun{Command: "go test ./...", Passed: false}},
		session.Event{Session: "a", Kind: session.Tested, At: at(6), Test: &session.TestRun{Command: "go test ./...", Passed: true}},
		session.Event{Session: "a", Kind: session.Decided, At: at(7), Note: &session.Note{Topic: "T", Text: "one", Rationale: "why", Pins: []session.Pin{{Target: "old.go", Hash: "h"}}}},
		session.Event{Session: "a", Kind: session.Planned, At: at(7), Note: &session.Note{Text: "left"}},
		session.Event{Session: "a", Kind: session.Planned, At: at(7), Note: &session.Note{Text: "done"}},
		session.Event{Session: "a", Kind: session.Done, At: at(8), Note: &session.Note{ID: 3}},
		session.Event{Session: "a", Kind: session.Ended, At: at(9), Source: "logout", Tokens: 4500},
		session.Event{Session: "b", Runtime: "claude", Kind: session.Started, At: at(20), Source: "clear"},
	)
	list, err := s.Sessions(t.Context(), 0)
	if err != nil || len(list) != 2 || list[0].ID != "b" {
		t.Fatalf("%+v, %v", list, err)
	}
	want := session.Record{
		ID: "a", Runtime: "claude", Started: at(0), Last: at(9), Ended: at(9), Source: "startup", Reason: "logout", Commit: "c0", Prompts: 1, Tokens: 4500,
		Files: []session.FileChange{{Path: "new.go", Change: session.Created}, {Path: "old.go", Change: session.Modified}},
		Tests: []session.TestRun{{Command: "go test ./...", Passed: true, At: at(6)}},
		Notes: []session.Note{
			{ID: 1, Kind: session.Decided, Session: "a", At: at(7), Topic: "T", Text: "one", Rationale: "why", Pins: []session.Pin{{Target: "old.go", Hash: "h"}}},
			{ID: 2, Kind: session.Planned, Session: "a", At: at(7), Text: "left"},
			{ID: 3, Kind: session.Planned, Session: "a", At: at(7), Text: "done", Done: at(8)},
		},
	}
	if diff := cmp.Diff(want, list[1]); diff != "" {
		t.Error(diff)
	}
	if got := list[1].Summary(); got != "modified old.go; created new.go; go test ./... passed; 1 decision; 1 left to do" {
		t.Error(got)
	}
	open, err := s.Notes(t.Context(), []session.Kind{session.Planned}, true, 0)
	if err != nil || len(open) != 1 || open[0].Text != "left" {
		t.Errorf("%+v, %v", open, err)
	}
}

// TestOnce: an event that is reported twice counts once, and only who reported it first
// has it. One whose key is known for a while counts again later.
func TestOnce(t *testing.T) {
	s := newStore(t)
	e := session.Event{Key: "k", Claim: "first", Session: "a", Kind: session.Prompted, At: at(0)}
	again := e
	again.Claim = "second"
	apply1(t, s, e)
	apply1(t, s, again, e)
	short := session.Event{Key: "s", Within: 2 * time.Second, Session: "a", Kind: session.Prompted, At: at(0)}
	soon, late := short, short
	soon.At, late.At = at(0).Add(time.Second), at(0).Add(3*time.Second)
	apply1(t, s, short, soon, late)
	if r, _, err := s.Session(t.Context(), "a"); err != nil || r.Prompts != 3 {
		t.Errorf("%d prompts, want 3 (%v)", r.Prompts, err)
	}
	for claim, want := range map[string]bool{"first": true, "second": false} {
		if got, err := s.Claimed(t.Context(), "k", claim); got != want || err != nil {
			t.Errorf("%s: %v, %v", claim, got, err)
		}
	}
}

// TestBrokenOff: what the caller breaks off is that, and no fault of the memory.
func TestBrokenOff(t *testing.T) {
	s := newStore(t)
	if _, err := s.Apply(t.Context(), []session.Event{{Session: "s", Kind: session.Started, At: time.Unix(1, 0)}}); err != nil {
		t.Fatal(err)
	}
	ended, end := context.WithCancel(t.Context())
	end()
	if _, _, err := s.Session(ended, "s"); !errors.Is(err, context.Canceled) {
		t.Errorf("read: %v", err)
	}
	if err := s.Forget(ended, "s"); !errors.Is(err, context.Canceled) {
		t.Errorf("write: %v", err)
	}
}

func TestShow(t *testing.T) {
	s := newStore(t)
	show := func(id, agent string, items ...string) string {
		fresh, err := s.Show(t.Context(), id, agent, items)
		if err != nil {
			t.Fatal(err)
		}
		return strings.Join(fresh, " ")
	}
	for _, step := range []struct{ got, want string }{
		{show("a", "", "x", "y"), "x y"}, {show("a", "", "y", "z"), "z"}, {show("a", "sub", "x"), "x"}, {show("b", "", "x"), "x"},
	} {
		if step.got != step.want {
			t.Errorf("%q, want %q", step.got, step.want)
		}
	}
	if err := s.Forget(t.Context(), "a"); err != nil {
		t.Fatal(err)
	}
	if got := show("a", "", "x"); got != "x" {
		t.Errorf("%q after it was forgotten", got)
	}
}

// TestForeign: a memory of another owner, of another version and a damaged one are neither
// read nor changed.
func TestForeign(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "memory.db")
	apply1(t, New(path, "other"), session.Event{Session: "a", Kind: session.Started, At: at(0)})
	damaged := filepath.Join(dir, "damaged.db")
	if err := os.WriteFile(damaged, []byte(strings.Repeat("no database ", 1000)), 0o600); err != nil {
		t.Fatal(err)
	}
	link := filepath.Join(dir, "link.db")
	if err := os.Symlink(path, link); err != nil {
		t.Skip(err)
	}
	for _, p := range []string{path, damaged, link} {
		before, err := os.ReadFile(p)
		if err != nil {
			t.Fatal(err)
		}
		s := New(p, "print")
		if _, err := s.Apply(t.Context(), []session.Event{{Session: "b", Kind: session.Started, At: at(0)}}); err == nil {
			t.Errorf("%s was changed", filepath.Base(p))
		}
		if list, err := s.Sessions(t.Context(), 0); err == nil {
			t.Errorf("%s was read: %+v", filepath.Base(p), list)
		}
		if after, _ := os.ReadFile(p); string(after) != string(before) {
			t.Errorf("%s is another file now", filepath.Base(p))
		}
	}
}

// TestAtOnce: processes that apply at the same time make the tables once and lose nothing.
func TestAtOnce(t *testing.T) {
	path := filepath.Join(t.TempDir(), "memory.db")
	var wg sync.WaitGroup
	for w := range 8 {
		wg.Go(func() {
			for i := range 20 {
				e := session.Event{Key: fmt.Sprint(w%4, ".", i), Session: "a", Kind: session.Prompted, At: at(i)}
				if _, err := New(path, "print").Apply(context.Background(), []session.Event{e}); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	if r, _, err := New(path, "print").Session(t.Context(), "a"); err != nil || r.Prompts != 80 {
		t.Errorf("%d prompts, want 80 (%v)", r.Prompts, err)
	}
}

// BenchmarkApply is what one event costs a process that opens the memory for it.
func BenchmarkApply(b *testing.B) {
	s := newStore(b)
	n := 0
	for b.Loop() {
		n++
		apply1(b, s, session.Event{Key: fmt.Sprint(n), Session: "a", Kind: session.Prompted, At: at(n)})
	}
}

// TestShownForgotten: what a session was shown is not kept for ever.
func TestShownForgotten(t *testing.T) {
	s := newStore(t)
	apply1(t, s, session.Event{Session: "old", Kind: session.Started, At: at(0)})
	if _, err := s.Show(t.Context(), "old", "", []string{"x"}); err != nil {
		t.Fatal(err)
	}
	later := at(0).Add(keysKept + time.Hour)
	apply1(t, s, session.Event{Session: "new", Kind: session.Ended, At: later})
	if fresh, err := s.Show(t.Context(), "old", "", []string{"x"}); err != nil || len(fresh) != 1 {
		t.Errorf("%q is still known, %v", fresh, err)
	}
}

// TestLogBounded: the write-ahead log is copied into the database and begins anew, however short-lived the processes are
// that write, because each reads all of it when it begins.
func TestLogBounded(t *testing.T) {
	path := filepath.Join(t.TempDir(), "memory.db")
	most, times, before := int64(0), 0, int64(0)
	for n := range 300 {
		apply1(t, New(path, "print"), session.Event{Key: fmt.Sprint(n), Session: fmt.Sprint("s", n), Kind: session.Ended, At: at(n)})
		st, err := os.Stat(path + "-wal")
		if err != nil {
			t.Fatal(err)
		}
		if most = max(most, st.Size()); st.Size() < before {
			times++
		}
		before = st.Size()
	}
	if most > 2*maxLog || times < 2 {
		t.Errorf("the log grew to %d bytes and was copied %d times", most, times)
	}
}

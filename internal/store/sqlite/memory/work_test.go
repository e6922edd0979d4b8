package memory

import (
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"zombiezen.com/go/sqlite"
	"zombiezen.com/go/sqlite/sqlitex"

	"ken/internal/knowledge/session"
)

// TestWork: of two who ask for pages to write nobody gets one that the other has, what is not
// written in time is given again, and what was refused is named.
func TestWork(t *testing.T) {
	s := newStore(t)
	now := at(0)
	take := func(most int, now time.Time, want ...string) {
		t.Helper()
		got, err := s.Take(t.Context(), []string{"a", "b", "c"}, most, now, now.Add(time.Hour))
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("took %q, want %q (%v)", got, want, err)
		}
	}
	take(2, now, "a", "b")
	take(2, now, "c")
	take(2, now)
	for path, failed := range map[string]string{"a": "", "b": "too short", "z": ""} { // z was never taken
		if err := s.Finish(t.Context(), path, failed, now.Add(time.Minute)); err != nil {
			t.Fatal(err)
		}
	}
	w, err := s.Work(t.Context(), now)
	if err != nil || len(w.InProgress) != 1 || w.InProgress[0].Path != "c" || len(w.Failed) != 1 || w.Failed[0].Why != "too short" || w.Processed != 1 || w.BatchSize != 1 {
		t.Errorf("%+v (%v)", w, err)
	}
	take(9, now.Add(2*time.Hour), "a", "b", "c")
}

// TestUpgrade: a memory of an earlier version keeps what it holds and is given what it lacks.
func TestUpgrade(t *testing.T) {
	path := filepath.Join(t.TempDir(), "memory.db")
	apply1(t, New(path, "print"), session.Event{Session: "a", Kind: session.Started, At: at(0)})
	downgrade(t, path, 1)
	s := New(path, "print")
	if _, err := s.Take(t.Context(), []string{"a"}, 1, at(0), at(1)); err != nil {
		t.Fatal(err)
	}
	if list, err := s.Sessions(t.Context(), 0); err != nil || len(list) != 1 {
		t.Errorf("%+v, %v", list, err)
	}
	downgrade(t, path, 1)
	if _, err := New(path, "other").Sessions(t.Context(), 0); err == nil {
		t.Error("another's memory was brought up to date")
	}
}

// downgrade makes a memory one of an earlier version.
func downgrade(t *testing.T, path string, version int) {
	t.Helper()
	c, err := sqlite.OpenConn(path, sqlite.OpenReadWrite)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	script := ""
	for _, m := range regexp.MustCompile(`CREATE TABLE (\w+)`).FindAllStringSubmatch(strings.Join(versions[version:], ""), -1) {
		script += "DROP TABLE IF EXISTS " + m[1] + ";"
	}
	if err := sqlitex.ExecuteScript(c, fmt.Sprintf("%s PRAGMA user_version=%d;", script, version), nil); err != nil {
		t.Fatal(err)
	}
}

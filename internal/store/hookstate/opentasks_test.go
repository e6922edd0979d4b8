package hookstate

import (
	"os"
	"path/filepath"
	"testing"

	"ken/internal/knowledge/task"
)

// TestOpenTasks: a copy of a task is found by its session from anywhere, and counts only as it was written.
func TestOpenTasks(t *testing.T) {
	state := t.TempDir()
	b := NewBindings(state, "/a")
	want := task.OpenTask{ID: "t1", Level: "full", Project: "/a", Root: "/a/tree"}
	if _, ok := b.OpenTask("t1"); ok {
		t.Error("there is a copy already")
	}
	for _, id := range []string{"t1", "t2"} {
		o := want
		o.ID = id
		if err := b.KeepOpen(o); err != nil {
			t.Fatal(err)
		}
	}
	if err := b.Bind("s", "", "t1"); err != nil {
		t.Fatal(err)
	}
	if got, ok := b.OpenTask("t1"); !ok || got != want {
		t.Errorf("%+v %v", got, ok)
	}
	if got := OpenTasks(state, "s", "agent"); len(got) != 1 || got[0] != want {
		t.Errorf("%+v", got)
	}
	if got := OpenTasks(state, "other", ""); got != nil {
		t.Errorf("%+v", got)
	}
	text, err := os.ReadFile(b.copyFile("t2"))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(b.copyFile("t1"), text, 0o600); err != nil { // of another task
		t.Fatal(err)
	}
	if got, ok := b.OpenTask("t1"); ok {
		t.Errorf("%+v", got)
	}
	if got := OpenTasks(state, "s", ""); len(got) != 1 || got[0] != (task.OpenTask{ID: "t1"}) {
		t.Errorf("%+v", got)
	}
	if err := os.WriteFile(filepath.Join(state, "key"), make([]byte, 32), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, ok := b.OpenTask("t2"); ok {
		t.Error("another key has the same seal")
	}
	if err := b.DropOpen("t2"); err != nil {
		t.Error(err)
	}
	if err := b.DropOpen("t2"); err != nil {
		t.Error(err)
	}
}

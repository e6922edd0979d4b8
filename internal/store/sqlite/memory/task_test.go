package memory

import (
	"path/filepath"
	"slices"
	"strconv"
	"sync"
	"testing"
	"time"

	"ken/internal/knowledge/task"
)

// TestTasks: a task is kept with what was looked at, found by its session, and of many who change it at once none is lost.
func TestTasks(t *testing.T) {
	ctx, s := t.Context(), newStore(t)
	if list, err := s.Tasks(ctx, "", false, 9); err != nil || len(list) != 0 {
		t.Fatalf("%v %v", list, err)
	}
	begin := func(id, session string, n int) {
		t.Helper()
		if err := s.BeginTask(ctx, task.StoredTask{ID: id, Session: session, Began: at(n), Changed: at(n), Body: []byte("0")}); err != nil {
			t.Fatal(err)
		}
	}
	begin("t1", "", 1)
	begin("t2", "s", 2)
	if err := s.BeginTask(ctx, task.StoredTask{ID: "t1"}); err == nil {
		t.Error("an id was taken twice")
	}
	for _, c := range []struct {
		id, session string
		want        bool
	}{{"t1", "s", true}, {"t1", "other", false}, {"t1", "s", true}, {"forged", "s", false}} {
		if got, err := s.BindTask(ctx, c.id, c.session); err != nil || got != c.want {
			t.Errorf("bind %s to %s: %v %v", c.id, c.session, got, err)
		}
	}
	looks := []task.ReadPart{
		{Tool: "Read", Path: "a.go", Depth: task.Read, At: at(3)},
		{Tool: "get_function_at_line", Path: "b.go", Symbol: "F", Depth: task.Read, First: 3, Last: 9, At: at(4)},
	}
	for _, id := range []string{"t1", "t1", "forged"} {
		if err := s.AddLooks(ctx, id, looks); err != nil {
			t.Fatal(err)
		}
	}
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			err := s.ChangeTask(ctx, "t1", func(k *task.StoredTask, _ []task.ReadPart) error {
				n, _ := strconv.Atoi(string(k.Body))
				k.Body = []byte(strconv.Itoa(n + 1))
				return nil
			})
			if err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	k, got, ok, err := s.Task(ctx, "t1")
	if err != nil || !ok || string(k.Body) != "8" || k.Session != "s" || !slices.Equal(got, looks) {
		t.Errorf("%+v %+v %v %v", k, got, ok, err)
	}
	if _, _, ok, err := s.Task(ctx, "forged"); ok || err != nil {
		t.Errorf("there is a forged task: %v", err)
	}
	if err := s.ChangeTask(ctx, "forged", func(*task.StoredTask, []task.ReadPart) error { return nil }); err == nil {
		t.Error("a forged task was changed")
	}
	end := func(k *task.StoredTask, _ []task.ReadPart) error { k.Ended = at(9); return nil }
	if err := s.ChangeTask(ctx, "t2", end); err != nil {
		t.Fatal(err)
	}
	ids := func(session string, open bool) (out []string) {
		list, err := s.Tasks(ctx, session, open, 9)
		if err != nil {
			t.Fatal(err)
		}
		for _, k := range list {
			out = append(out, k.ID)
		}
		return out
	}
	if a, b, c := ids("", false), ids("s", true), ids("other", false); !slices.Equal(a, []string{"t2", "t1"}) || !slices.Equal(b, []string{"t1"}) || c != nil {
		t.Errorf("%v %v %v", a, b, c)
	}
}

// TestPrompts: the last prompts of a session are kept, in their order, and for a week.
func TestPrompts(t *testing.T) {
	ctx, s := t.Context(), newStore(t)
	for i := range task.MaxPrompts + 5 {
		if err := s.AddPrompt(ctx, "s", at(i), strconv.Itoa(i)); err != nil {
			t.Fatal(err)
		}
	}
	list, err := s.Prompts(ctx, "s")
	if err != nil || len(list) != task.MaxPrompts || list[0].Text != "5" || list[len(list)-1].Number != task.MaxPrompts+5 {
		t.Errorf("%+v %v", list, err)
	}
	if err := s.AddPrompt(ctx, "other", at(0).Add(8*24*time.Hour), "x"); err != nil {
		t.Fatal(err)
	}
	if list, err := s.Prompts(ctx, "s"); err != nil || len(list) != 0 {
		t.Errorf("%d prompts are kept for ever (%v)", len(list), err)
	}
}

// TestUpgradeTasks: a memory from before tasks is given their tables.
func TestUpgradeTasks(t *testing.T) {
	path := filepath.Join(t.TempDir(), "memory.db")
	if err := New(path, "print").AddPrompt(t.Context(), "s", at(0), "x"); err != nil {
		t.Fatal(err)
	}
	downgrade(t, path, 4)
	if err := New(path, "print").BeginTask(t.Context(), task.StoredTask{ID: "t", Began: at(0), Changed: at(0)}); err != nil {
		t.Error(err)
	}
}

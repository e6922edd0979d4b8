package memory

import (
	"errors"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"zombiezen.com/go/sqlite"
	"zombiezen.com/go/sqlite/sqlitex"

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

// TestSealedTasks: a task that another program changed or made is none, and neither are looks and prompts.
func TestSealedTasks(t *testing.T) {
	ctx, path := t.Context(), filepath.Join(t.TempDir(), "memory.db")
	s := NewSealed(path, "print", "key")
	look := task.ReadPart{Tool: "Read", Path: "a.go", Depth: task.Read, First: 1, Last: 2, At: at(2), Of: "x", Hash: "h", Marks: "\x00\xff"}
	for _, sql := range []string{
		"UPDATE tasks SET body='READY'", "UPDATE tasks SET ended=1", "UPDATE tasks SET session='other'", "UPDATE tasks SET began=began-1",
		"UPDATE tasks SET id='t2'; UPDATE looks SET task='t2'", "UPDATE looks SET path='b.go'", "UPDATE looks SET last=99", "UPDATE looks SET of=''",
		"UPDATE looks SET marks=x'0000'", "INSERT INTO looks SELECT 9,task,tool,'c.go',symbol,depth,first,last,at,of,hash,marks,seal FROM looks",
		"UPDATE prompts SET text='other'", "UPDATE prompts SET session='other'",
	} {
		if err := errors.Join(
			s.BeginTask(ctx, task.StoredTask{ID: "t1", Session: "s", Began: at(1), Changed: at(1), Body: []byte("EXPLORATION")}),
			s.AddLooks(ctx, "t1", []task.ReadPart{look}), s.AddPrompt(ctx, "s", at(1), "the price"),
		); err != nil {
			t.Fatal(err)
		}
		other, err := NewSealed(path, "print", "another key").Tasks(ctx, "", false, 9)
		if err != nil || len(other) > 0 {
			t.Errorf("another key reads %v, %v", other, err)
		}
		c, err := sqlite.OpenConn(path, sqlite.OpenReadWrite)
		if err != nil {
			t.Fatal(err)
		}
		if err := sqlitex.ExecuteScript(c, sql, nil); err != nil {
			t.Fatal(err)
		}
		_, looks, ok, err := s.Task(ctx, "t1")
		_, moved, _, _ := s.Task(ctx, "t2")
		list, _ := s.Tasks(ctx, "", false, 9)
		prompts, _ := s.Prompts(ctx, "s")
		others, _ := s.Prompts(ctx, "other")
		whole := err == nil && ok && slices.Equal(looks, []task.ReadPart{look}) && len(list) == 1 && len(prompts) == 1 && prompts[0].Text == "the price"
		if whole || len(moved) > 0 || len(others) > 0 || strings.Contains(sql, "prompts") && len(prompts) > 0 {
			if !strings.Contains(sql, "INSERT") || len(looks) > 1 {
				t.Errorf("%s: %+v %v %v", sql, looks, list, prompts)
			}
		}
		if err := sqlitex.ExecuteScript(c, "DELETE FROM tasks; DELETE FROM looks; DELETE FROM prompts", nil); err != nil {
			t.Fatal(err)
		}
		c.Close()
	}
}

package memory

import (
	"errors"
	"slices"
	"testing"

	"ken/internal/worktree"
)

// TestWorktrees keeps records of work trees, in a memory of before there were any too.
func TestWorktrees(t *testing.T) {
	s := newStore(t)
	if _, err := s.Worktree(t.Context(), "a"); !errors.Is(err, worktree.ErrUnknown) {
		t.Errorf("without a memory: %v", err)
	}
	if list, err := s.Worktrees(t.Context()); err != nil || len(list) > 0 {
		t.Errorf("without a memory: %v, %v", list, err)
	}
	b := worktree.Record{ID: "b", Purpose: "task", Branch: "refs/heads/größe", Base: "refs/heads/main", Start: "1", Tip: "2", State: worktree.Creating, Began: at(1)}
	a := worktree.Record{ID: "a", Branch: "refs/heads/a", State: worktree.Merging, From: "3", Into: "4", Began: at(2)}
	keep := func(r worktree.Record) {
		t.Helper()
		if err := s.KeepWorktree(t.Context(), r); err != nil {
			t.Fatal(err)
		}
	}
	keep(a)
	keep(b)
	downgrade(t, s.path, slices.Index(versions[:], worktreeTables))
	keep(b)
	keep(a)
	b.State = worktree.Open
	keep(b)
	if list, err := s.Worktrees(t.Context()); err != nil || len(list) != 2 || list[0] != b || list[1] != a {
		t.Errorf("%+v, %v", list, err)
	}
	if err := s.ForgetWorktree(t.Context(), "b"); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Worktree(t.Context(), "b"); !errors.Is(err, worktree.ErrUnknown) {
		t.Errorf("a forgotten one: %v", err)
	}
	if r, err := s.Worktree(t.Context(), "a"); err != nil || r != a {
		t.Errorf("%+v, %v", r, err)
	}
}

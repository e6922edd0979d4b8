package update_test

import (
	"context"
	"errors"
	"slices"
	"testing"
	"time"

	"ken/internal/code"
	"ken/internal/engine/enginetest"
)

// TestCatchUp: what does not fit into a time is done in several, none of which does again what the one before did; the index
// holds what a fresh one holds in the end.
func TestCatchUp(t *testing.T) {
	p := enginetest.New(t, town())
	paths := rebuild(p)
	p.Write("go.mod", "module m\n\ngo 1.24\n")
	seen := map[string]code.ChangeType{}
	rounds, within := 0, 15*time.Millisecond
	for done := false; !done; rounds++ {
		if rounds == 300 {
			t.Fatalf("not done after %d rounds", rounds)
		}
		u, ok, err := p.Engine.CatchUp(context.Background(), within)
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range u.Changes {
			if _, twice := seen[c.Path]; twice {
				t.Errorf("%s is applied twice", c.Path)
			}
			seen[c.Path] = c.Type
		}
		done = ok
		within += within / 10
	}
	if rounds < 3 {
		t.Errorf("all was done in %d rounds", rounds)
	}
	for _, path := range paths {
		if _, ok := seen[path]; !ok && path != "gen/g.go" {
			t.Errorf("%s was not applied", path)
		}
	}
	if got, want := p.Digest(), p.Fresh(); !slices.Equal(got, want) {
		t.Errorf("the index differs from a fresh one:\n%s", unlike(got, want))
	}
	if u := p.Update(); len(u.Changes) != 0 {
		t.Errorf("a look at the tree finds %v", u.Changes)
	}
}

// TestCatchUpEnds: a time that is over is no error, a context that has ended is one, and an index that would have to be made anew is
// left alone.
func TestCatchUpEnds(t *testing.T) {
	p := enginetest.New(t, town())
	rebuild(p)
	if _, done, err := p.Engine.CatchUp(context.Background(), time.Nanosecond); done || err != nil {
		t.Errorf("in no time: done %v, %v", done, err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, done, err := p.Engine.CatchUp(ctx, time.Minute); done || !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: done %v, %v", done, err)
	}
	if u, done, err := p.Engine.CatchUp(context.Background(), time.Minute); !done || err != nil || len(u.Changes) == 0 || u.Full {
		t.Errorf("in enough time: done %v, %v, full %v, %d changes", done, err, u.Full, len(u.Changes))
	}
}

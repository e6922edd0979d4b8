package memory

import (
	"cmp"
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"ken/internal/knowledge/session"
)

// TestLike holds the notes that a text is about against all notes, weighed one by one.
func TestLike(t *testing.T) {
	rnd := rand.New(rand.NewPCG(7, 8))
	terms := func(n int) []uint64 {
		var out []uint64
		for range n {
			out = append(out, 1+rnd.Uint64N(40))
		}
		slices.Sort(out)
		return slices.Compact(out)
	}
	s := newStore(t)
	var events []session.Event
	with := map[uint64]int{}
	for i := range 300 {
		n := &session.Note{Text: "a note", Terms: terms(1 + rnd.IntN(20))}
		for _, term := range n.Terms {
			with[term]++
		}
		events = append(events, session.Event{Kind: session.Planned, Session: "a", At: at(i), Note: n})
	}
	apply1(t, s, events...)
	done := map[int64]bool{3: true, 50: true, 51: true}
	for id := range done {
		apply1(t, s, session.Event{Kind: session.Done, At: at(400), Note: &session.Note{ID: id}})
	}
	for range 100 {
		text, limit := terms(1+rnd.IntN(30)), 1+rnd.IntN(25)
		type scored struct {
			id    int64
			score float64
		}
		var all []scored
		for i := range events {
			have, one, shared := events[i].Note.Terms, scored{id: int64(i + 1)}, 0
			for _, term := range text {
				if slices.Contains(have, term) {
					one.score += math.Log(1 + float64(len(events))/float64(with[term]))
					shared++
				}
			}
			if shared >= leastShared && 4*shared >= min(len(have), longNote) && !done[one.id] {
				all = append(all, one)
			}
		}
		slices.SortFunc(all, func(a, b scored) int { return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(b.id, a.id)) })
		var want, got []int64
		for _, one := range all[:min(len(all), limit)] {
			want = append(want, one.id)
		}
		list, err := s.Like(context.Background(), text, limit)
		if err != nil {
			t.Fatal(err)
		}
		for _, n := range list {
			got = append(got, n.ID)
		}
		if !slices.Equal(got, want) {
			t.Fatalf("%v, at most %d: %v, want %v", text, limit, got, want)
		}
	}
}

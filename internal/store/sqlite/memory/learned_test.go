package memory

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"zombiezen.com/go/sqlite"

	"ken/internal/knowledge/memory"
	"ken/internal/knowledge/session"
)

func learn(t testing.TB, s *Store, items ...memory.Item) []int64 {
	t.Helper()
	ids, _, err := s.Learn(context.Background(), items)
	if err != nil {
		t.Fatal(err)
	}
	return ids
}

func consolidate(t testing.TB, s *Store, w memory.Work) memory.Report {
	t.Helper()
	r, err := s.Consolidate(context.Background(), w)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func recall(t testing.TB, s *Store, text string, now time.Time) (out []memory.Hit) {
	t.Helper()
	out, err := s.Recall(context.Background(), memory.Query{Text: text, Now: now}, 5)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func ids(hits []memory.Hit) (out []int64) {
	for _, h := range hits {
		out = append(out, h.Item.ID)
	}
	return out
}

// sample are items of a project: sentences about parts of it, in which words recur as they do in real ones.
func sample(rnd *rand.Rand, n int, at func(i int) time.Time) (out []memory.Item) {
	verbs := strings.Fields("retries caches parses validates escapes renders locks streams encodes schedules")
	nouns := strings.Fields("request response token session header payment invoice queue worker image report account filter index cursor")
	for i := range n {
		part := rnd.IntN(max(n/5, 1))
		out = append(out, memory.Item{
			Kind: memory.Kinds()[rnd.IntN(4)], At: at(i), Session: fmt.Sprint("s", i/5),
			Text: fmt.Sprintf("module%d %s the %s before the %s%d is read from %s", part, verbs[rnd.IntN(10)], nouns[rnd.IntN(15)], nouns[rnd.IntN(15)],
				rnd.IntN(900), nouns[rnd.IntN(15)]),
			Pins: []memory.Pin{{Target: fmt.Sprintf("pkg%d/file%d.go", part%40, part), Hash: "h"}},
		})
	}
	return out
}

// TestRecallStored: the store finds what an index in memory finds, with the same scores, after a consolidation too.
func TestRecallStored(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	s := newStore(t)
	items := sample(rnd, 300, at)
	learn(t, s, items...)
	r := consolidate(t, s, memory.Work{Now: at(300)})
	if r.Related < 250 || r.Waiting != 0 {
		t.Errorf("%+v", r)
	}
	stored, err := s.Items(t.Context(), memory.Filter{})
	if err != nil {
		t.Fatal(err)
	}
	x := memory.NewIndex(stored...)
	for i := range 40 {
		q := memory.Query{Text: items[rnd.IntN(len(items))].Text, Now: at(400)}
		if i%2 == 0 {
			q.Text = strings.Join(strings.Fields(q.Text)[:4], " ")
		}
		want := x.Match(q, 5)
		got, err := s.Recall(t.Context(), q, 5)
		if err != nil || !slices.Equal(ids(got), ids(want)) {
			t.Errorf("%q: %v, want %v (%v)", q.Text, ids(got), ids(want), err)
		}
		if len(got) > 0 && got[0].Item.Rank == 0 {
			t.Errorf("%q: no rank", q.Text)
		}
	}
}

// TestDuplicatesStored: 200,000 duplicates are the items that differ, in size and rank.
func TestDuplicatesStored(t *testing.T) {
	n := 20_000
	if os.Getenv("KEN_ACCEPT") != "" {
		n = 200_000
	}
	unique := sample(rand.New(rand.NewPCG(3, 4)), 100, at)
	size := func(items []memory.Item) (memory.Stats, []memory.Item) {
		s := newStore(t)
		for part := range slices.Chunk(items, 5000) {
			learn(t, s, part...)
		}
		consolidate(t, s, memory.Work{Now: at(1000)})
		st, err := s.Stats(t.Context(), at(1000))
		if err != nil {
			t.Fatal(err)
		}
		list, err := s.Items(t.Context(), memory.Filter{})
		if err != nil {
			t.Fatal(err)
		}
		return st, list
	}
	many := make([]memory.Item, n)
	for i := range many {
		many[i] = unique[i%len(unique)]
	}
	once, items := size(unique)
	more, again := size(many)
	if more.Items != once.Items || more.Bytes > once.Bytes+2*8192 || more.Similar != once.Similar {
		t.Errorf("%d items in %d bytes, the unique ones are %d in %d", more.Items, more.Bytes, once.Items, once.Bytes)
	}
	for i := range items {
		if items[i].Rank != again[i].Rank || items[i].Confidence(at(1000)) != again[i].Confidence(at(1000)) {
			t.Errorf("%q: rank %v and %v", items[i].Text, items[i].Rank, again[i].Rank)
		}
	}
}

// TestEvidence: an item is confirmed by tests that pass after an edit of what it is about, once a session, and not by the
// session that made it; a complaint overrules them. It lasts when the memory is opened again and when it is consolidated.
func TestEvidence(t *testing.T) {
	s := newStore(t)
	id := learn(t, s,
		memory.Item{Kind: memory.Note, Text: "token expiry is in seconds", Session: "old", At: at(0), Pins: []memory.Pin{{Target: "auth/token.go:Expiry", Hash: "1"}}},
		memory.Item{Kind: memory.Note, Text: "tokens are signed", Session: "old", At: at(0), Pins: []memory.Pin{{Target: "auth/sign.go", Hash: "1"}}},
	)
	evidence := func() string {
		items, err := New(s.path, s.print).Items(t.Context(), memory.Filter{IDs: id})
		if err != nil || len(items) != 2 {
			t.Fatal(items, err)
		}
		return fmt.Sprintf("%d-%d %d-%d", items[1].For, items[1].Against, items[0].For, items[0].Against)
	}
	edit := func(session1, path string, minute int) session.Event {
		return session.Event{Session: session1, Kind: session.Edited, At: at(minute), Files: []session.FileChange{{Path: path, Change: session.Modified}}}
	}
	tests := func(session1 string, minute int, passed bool) session.Event {
		return session.Event{Session: session1, Kind: session.Tested, At: at(minute), Test: &session.TestRun{Command: "go test", Passed: passed, At: at(minute)}}
	}
	show := func(session1 string, minute int) {
		if _, err := s.ShowItems(t.Context(), session1, "", id, at(minute)); err != nil {
			t.Fatal(err)
		}
	}
	for _, step := range []struct {
		what string
		do   func()
		want string
	}{
		{"shown", func() { show("a", 1) }, "0-0 0-0"},
		{"tests without an edit", func() { apply1(t, s, tests("a", 2, true)) }, "0-0 0-0"},
		{"tests fail", func() { apply1(t, s, edit("a", "auth/token.go", 3), tests("a", 4, false)) }, "0-0 0-0"},
		{"tests pass", func() { apply1(t, s, tests("a", 5, true)) }, "1-0 0-0"},
		{"again", func() { apply1(t, s, edit("a", "auth/token.go", 6), tests("a", 7, true)) }, "1-0 0-0"},
		{"kept", func() { s.Judge(t.Context(), memory.Verdict{Session: "a", Good: true, Why: memory.Kept, At: at(8)}) }, "1-0 0-0"},
		{"a complaint", func() { s.Judge(t.Context(), memory.Verdict{Session: "a", Why: memory.Said, At: at(9)}) }, "0-1 0-0"},
		{"tests after it", func() { apply1(t, s, tests("a", 10, true)) }, "0-1 0-0"},
		{"its own session", func() { show("old", 11); apply1(t, s, edit("old", "auth/token.go", 12), tests("old", 13, true)) }, "0-1 0-0"},
		{"shown after the edit", func() {
			apply1(t, s, edit("b", "auth/token.go", 14))
			show("b", 15)
			apply1(t, s, tests("b", 16, true))
		}, "0-1 0-0"},
		{"the other", func() { show("c", 17); apply1(t, s, edit("c", "auth/sign.go", 18), tests("c", 19, true)) }, "0-1 1-0"},
		{"taken back", func() {
			show("d", 20)
			apply1(t, s, edit("d", "auth/sign.go", 21), edit("d", "auth/token.go", 21))
			s.Judge(t.Context(), memory.Verdict{Session: "d", Why: memory.Kept, At: at(22), Files: []string{"auth/sign.go"}})
		}, "0-1 1-1"},
		{"consolidated", func() {
			for i := range 5 {
				consolidate(t, s, memory.Work{Now: at(30 + i)})
			}
		}, "0-1 1-1"},
	} {
		step.do()
		if got := evidence(); got != step.want {
			t.Errorf("%s: %s, want %s", step.what, got, step.want)
		}
	}
}

// TestEdits: a file that was edited in three sessions is an item, which says what was edited with it, and there is one of it.
func TestEdits(t *testing.T) {
	s := newStore(t)
	edit := func(n int, paths ...string) {
		for _, p := range paths {
			apply1(t, s, session.Event{Session: fmt.Sprint("s", n), Kind: session.Edited, At: at(n), Files: []session.FileChange{{Path: p, Change: session.Modified}}})
		}
	}
	edit(1, "a.go", "a_test.go", "x.go")
	edit(2, "a.go", "a_test.go", "a.go", "a.go")
	if r := consolidate(t, s, memory.Work{Now: at(3)}); r.Insights != 0 {
		t.Errorf("%+v", r)
	}
	edit(3, "a.go", "a_test.go")
	for range 2 {
		consolidate(t, s, memory.Work{Now: at(4)})
	}
	edit(4, "a.go")
	consolidate(t, s, memory.Work{Now: at(5)})
	items, err := s.Items(t.Context(), memory.Filter{Kinds: []memory.Kind{memory.Edit}})
	if err != nil || len(items) != 2 || items[1].Text != "a.go was edited in 4 sessions; of the last 4 it was edited with a_test.go in 3" {
		t.Errorf("%+v, %v", items, err)
	}
	// A file that was edited and then removed is not one that is edited often.
	edit(5, "a.go")
	apply1(t, s, session.Event{Session: "s5", Kind: session.Found, At: at(6), Files: []session.FileChange{{Path: "a.go", Change: session.Deleted}}})
	consolidate(t, s, memory.Work{Now: at(7)})
	if items, err = s.Items(t.Context(), memory.Filter{Path: "a.go"}); err != nil || len(items) != 1 || !items[0].Gone {
		t.Errorf("%+v, %v", items, err)
	}
}

// TestGone: an item is marked when all code that it is about is removed, and no more when it comes back.
func TestGone(t *testing.T) {
	s := newStore(t)
	learn(t, s, memory.Item{Kind: memory.Note, Text: "about two", At: at(0), Pins: []memory.Pin{{Target: "a.go"}, {Target: "b.go:F"}}},
		memory.Item{Kind: memory.Note, Text: "about one", At: at(0), Pins: []memory.Pin{{Target: "a.go"}}}, memory.Item{Kind: memory.Note, Text: "about none", At: at(0)})
	gone := func() (out string) {
		items, err := s.Items(t.Context(), memory.Filter{})
		if err != nil {
			t.Fatal(err)
		}
		for _, it := range items {
			if it.Gone {
				out += strings.TrimPrefix(it.Text, "about ") + " "
			}
		}
		return out
	}
	change := func(path string, c session.Change) func() {
		return func() {
			apply1(t, s, session.Event{Session: "a", Kind: session.Found, At: at(1), Files: []session.FileChange{{Path: path, Change: c}}})
		}
	}
	for i, step := range []struct {
		do   func()
		want string
	}{
		{change("a.go", session.Deleted), "one "}, {change("b.go", session.Deleted), "one two "}, {change("b.go", session.Created), "one "},
		{func() { consolidate(t, s, memory.Work{Now: at(2), Exists: func(p string) bool { return p == "a.go" }}) }, ""},
		{func() { consolidate(t, s, memory.Work{Now: at(2), Exists: func(p string) bool { return false }}) }, "one two "},
	} {
		step.do()
		if got := gone(); got != step.want {
			t.Errorf("step %d: %q, want %q", i, got, step.want)
		}
	}
}

// TestDamagedPages: relations and ranks that are damaged are computed again, and keep no item from being found.
func TestDamagedPages(t *testing.T) {
	s := newStore(t)
	items := sample(rand.New(rand.NewPCG(7, 8)), 50, at)
	learn(t, s, items...)
	consolidate(t, s, memory.Work{Now: at(60)})
	before, err := s.Stats(t.Context(), at(70))
	if err != nil {
		t.Fatal(err)
	}
	err = s.writeTransaction(t.Context(), func(c *sqlite.Conn) error {
		return execStatement(c, "UPDATE item_pages SET edges=x'01ff', ranks=x'00'")
	})
	if err != nil {
		t.Fatal(err)
	}
	if hits := recall(t, s, items[3].Text, at(70)); len(hits) == 0 {
		t.Error("nothing is found")
	}
	learn(t, s, memory.Item{Kind: memory.Note, Text: "one more", At: at(65)})
	for range 2 {
		consolidate(t, s, memory.Work{Now: at(70)})
	}
	after, err := s.Stats(t.Context(), at(70))
	if err != nil || after.Waiting != 0 || after.Temporal != before.Temporal || after.Similar+5 < before.Similar {
		t.Errorf("%+v\nbefore %+v, %v", after, before, err)
	}
}

// TestMoved: items follow a file that was renamed, with its symbols, and not one whose text is nowhere.
func TestMoved(t *testing.T) {
	s := newStore(t)
	learn(t, s, memory.Item{Kind: memory.Note, Text: "one", At: at(0), Pins: []memory.Pin{{Target: "a.go", Hash: "h1"}}},
		memory.Item{Kind: memory.Note, Text: "two", At: at(0), Pins: []memory.Pin{{Target: "a.go:F", Hash: "f"}, {Target: "c.go", Hash: "h3"}}},
		memory.Item{Kind: memory.Note, Text: "three", At: at(0), Pins: []memory.Pin{{Target: "b.go", Hash: "h2"}}})
	w := memory.Work{Now: at(1), Exists: func(p string) bool { return p == "new.go" || p == "c.go" }, Moved: func(hash string) string {
		return map[string]string{"h1": "new.go"}[hash]
	}}
	if r := consolidate(t, s, w); r.Moved != 2 || r.Marked != 1 {
		t.Errorf("%+v", r)
	}
	items, err := s.Items(t.Context(), memory.Filter{Path: "new.go"})
	if err != nil || len(items) != 2 || items[0].Pins[0] != (memory.Pin{Target: "new.go:F", Hash: "f"}) || items[0].Gone {
		t.Errorf("%+v, %v", items, err)
	}
}

// TestUpgradeLearned: a memory of the version before gets the new tables; its notes and edits become items.
func TestUpgradeLearned(t *testing.T) {
	s := newStore(t)
	for i := range 3 {
		apply1(t, s, session.Event{Session: fmt.Sprint("s", i), Kind: session.Edited, At: at(i), Files: []session.FileChange{{Path: "a.go", Change: session.Modified}}},
			session.Event{Session: "s0", Runtime: "claude", Kind: session.Decided, At: at(i), Note: &session.Note{Topic: "T", Text: fmt.Sprint("decision number ", i), Rationale: "why"}})
	}
	downgrade(t, s.path, 2)
	consolidate(t, s, memory.Work{Now: at(9)})
	items, err := s.Items(t.Context(), memory.Filter{})
	if err != nil || len(items) != 4 {
		t.Fatalf("%+v, %v", items, err)
	}
	if hits := recall(t, s, "decision number 2", at(9)); len(hits) == 0 || hits[0].Item.Text != "decision number 2\nbecause why" {
		t.Errorf("%+v", hits)
	}
	if n, err := s.Drop(t.Context(), []int64{items[1].ID, 999}); n != 1 || err != nil {
		t.Error(n, err)
	}
	if list, err := s.Notes(t.Context(), []session.Kind{session.Decided}, false, 0); err != nil || len(list)+1 != 3 && items[1].Kind == memory.Decision {
		t.Errorf("%d notes (%v)", len(list), err)
	}
}

// TestCap: a memory keeps no more items than it may, and gives up those of the least worth.
func TestCap(t *testing.T) {
	s := newStore(t)
	learn(t, s, sample(rand.New(rand.NewPCG(5, 6)), 300, at)...)
	keep := learn(t, s, memory.Item{Kind: memory.Decision, Text: "the one that matters", At: at(400), Evidence: memory.Evidence{For: 5, Last: at(400)}})
	r := consolidate(t, s, memory.Work{Now: at(400), Most: 100})
	st, err := s.Stats(t.Context(), at(400))
	if err != nil || st.Items > 100 || r.Removed < 190 {
		t.Errorf("%+v, %d items, %v", r, st.Items, err)
	}
	if items, err := s.Items(t.Context(), memory.Filter{IDs: keep}); err != nil || len(items) != 1 {
		t.Errorf("%v, %v", items, err)
	}
}

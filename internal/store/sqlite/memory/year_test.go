package memory

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"ken/internal/knowledge/memory"
	"ken/internal/knowledge/session"
)

// year is a project over time. Each file has one fact worth knowing, which changes as the code does; what was written of it before is
// wrong from then on. Files come and go.
type year struct {
	t     testing.TB
	rnd   *rand.Rand
	s     *Store
	now   time.Time
	live  []int          // files that are there
	fact  map[int]int    // version of a file's fact
	notes map[string]int // text of a note: file and version, as file*1000+version
	next  int
	n     int // sessions so far
}

var (
	yearVerbs = strings.Fields("retries caches parses validates escapes renders locks streams encodes schedules expires signs")
	yearNouns = strings.Fields("request response token session header payment invoice queue worker image report account filter index cursor upload login theme export import")
	yearWays  = strings.Fields("exponentially lazily twice nightly atomically never first locally remotely silently eagerly once")
)

func path(file int) string { return fmt.Sprintf("src/area%d/part%d.go", file%30, file) }

// about are words that a file is about; others share each of them.
func about(file int) string {
	return fmt.Sprintf("%s of the %s %s of part%d in area%d", yearVerbs[file%12], yearNouns[file/12%20], yearNouns[file/7%20], file, file%30)
}

// says is a note of one version of a file's fact, in one of several wordings.
func says(file, version, wording int) string {
	way := yearWays[(file+version)%12] + " with " + yearNouns[(file*3+version*5)%20] + fmt.Sprint(version)
	switch wording % 3 {
	case 0:
		return about(file) + " is done " + way
	case 1:
		return "careful: " + about(file) + " happens " + way
	}
	return way + " is how " + about(file) + " works"
}

func (y *year) apply(events ...session.Event) { y.t.Helper(); apply1(y.t, y.s, events...) }

func (y *year) add() {
	y.live = append(y.live, y.next)
	y.fact[y.next] = 0
	y.next++
}

// session is one session of work on one file.
func (y *year) session() {
	y.n++
	id := fmt.Sprintf("session-%08d", y.n)
	file := y.live[y.rnd.IntN(len(y.live))]
	y.apply(session.Event{Session: id, Runtime: "claude", Kind: session.Started, At: y.now, Source: "startup"},
		session.Event{Session: id, Kind: session.Prompted, At: y.now})
	var shown []int64
	wrong := 0
	for _, h := range y.ask(file) {
		shown = append(shown, h.Item.ID)
		if !y.valid(h.Item) {
			wrong++
		}
	}
	if _, err := y.s.ShowItems(y.t.Context(), id, "", shown, y.now); err != nil {
		y.t.Fatal(err)
	}
	y.edit(id, file)
	// What is wrong leads to wrong work half of the time; one verdict in twenty is the opposite of what happened.
	failed := wrong > 0 && y.rnd.IntN(2) == 0
	if y.rnd.IntN(20) == 0 {
		failed = !failed
	}
	if failed {
		if _, err := y.s.Judge(y.t.Context(), memory.Verdict{Session: id, Why: memory.Said, At: y.now}); err != nil {
			y.t.Fatal(err)
		}
	} else {
		y.apply(session.Event{Session: id, Kind: session.Tested, At: y.now, Test: &session.TestRun{Command: "go test ./...", Passed: true, At: y.now}})
	}
	y.write(id, file)
	y.drift(id)
	y.apply(session.Event{Session: id, Kind: session.Ended, At: y.now})
	if _, err := y.s.Consolidate(y.t.Context(), memory.Work{Now: y.now, Items: 300}); err != nil && y.n%5 == 0 {
		y.t.Fatal(err)
	}
	y.now = y.now.Add(365 * 24 * time.Hour / 10_000)
}

func (y *year) edit(id string, file int) {
	files := []session.FileChange{{Path: path(file), Change: session.Modified}}
	if other := y.live[y.rnd.IntN(len(y.live))]; y.rnd.IntN(2) == 0 {
		files = append(files, session.FileChange{Path: path(other), Change: session.Modified})
	}
	y.apply(session.Event{Session: id, Kind: session.Edited, At: y.now, Files: files})
}

// write notes what the session learned: of its file mostly, and sometimes something of no use.
func (y *year) write(id string, file int) {
	text := says(file, y.fact[file], y.rnd.IntN(3))
	pins := []session.Pin{{Target: path(file), Hash: fmt.Sprint(y.fact[file])}}
	if y.rnd.IntN(5) == 0 {
		text, pins = fmt.Sprintf("looked into the %s of %s on day %d", yearNouns[y.rnd.IntN(20)], yearNouns[y.rnd.IntN(20)], y.n/27), nil
	} else {
		y.notes[text] = file*1000 + y.fact[file]
	}
	if y.rnd.IntN(3) > 0 {
		y.apply(session.Event{Session: id, Runtime: "claude", Kind: session.Noted, At: y.now, Note: &session.Note{Text: text, Pins: pins}})
	}
}

// drift changes the code: in each session one in six changes a fact; in one of forty a file goes and another comes.
func (y *year) drift(id string) {
	if y.rnd.IntN(6) == 0 {
		y.fact[y.live[y.rnd.IntN(len(y.live))]]++
	}
	if y.rnd.IntN(40) == 0 {
		i := y.rnd.IntN(len(y.live))
		gone := y.live[i]
		y.live = append(y.live[:i], y.live[i+1:]...)
		y.add()
		y.apply(session.Event{Session: id, Kind: session.Found, At: y.now, Files: []session.FileChange{
			{Path: path(gone), Change: session.Deleted}, {Path: path(y.next - 1), Change: session.Created}}})
	}
}

// ask recalls what is known of a file's topic.
func (y *year) ask(file int) []memory.Hit {
	hits, err := y.s.Recall(y.t.Context(), memory.Query{Text: "Please change the " + about(file), Now: y.now}, 20)
	if err != nil {
		y.t.Fatal(err)
	}
	return memory.WorthShowing(hits, 5) // as the hook of a prompt
}

// valid reports whether a note says what is true now of a file that is there.
func (y *year) valid(it *memory.Item) bool {
	at, known := y.notes[it.Text]
	if !known {
		return it.Kind == memory.Edit && !it.Gone
	}
	version, there := y.fact[at/1000]
	return there && version == at%1000 && !it.Gone
}

// precision is the share of what is true and about the file, of the top five that are shown for it, over files that notes were
// written of, and how many were shown.
func (y *year) precision() (share float64, shown int) {
	right := 0
	for i := range 400 {
		file := y.live[i*len(y.live)/400]
		for _, h := range y.ask(file) {
			shown++
			if at, known := y.notes[h.Item.Text]; known && at/1000 == file && y.valid(h.Item) {
				right++
			}
		}
	}
	return float64(right) / float64(max(shown, 1)), shown
}

// TestYear: in a year of ten thousand sessions over code that drifts, where one verdict in twenty is wrong, what is shown stays as
// good as after a month, the memory small, and all that is about removed code is marked. Without KEN_ACCEPT=1 it is a week.
func TestYear(t *testing.T) {
	month, all := 25, 100
	if os.Getenv("KEN_ACCEPT") != "" {
		month, all = 833, 10_000
	}
	y := &year{t: t, rnd: rand.New(rand.NewPCG(11, 12)), s: newStore(t), now: at(0), fact: map[int]int{}, notes: map[string]int{}}
	for range 150 {
		y.add()
	}
	var before float64
	for y.n < all {
		y.session()
		if y.n == month {
			var shown int
			before, shown = y.precision()
			t.Logf("after %d sessions: precision %.3f of %d", y.n, before, shown)
		}
	}
	after, shown := y.precision()
	st, err := y.s.Stats(t.Context(), y.now)
	if err != nil {
		t.Fatal(err)
	}
	file, err := os.Stat(filepath.Join(y.s.path))
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("after %d sessions: precision %.3f of %d; %d items, %d gone, %.1f MB, for %d, against %d", y.n, after, shown, st.Items, st.Gone, float64(file.Size())/1e6, st.For, st.Against)
	if all == 10_000 && after < before || file.Size() > 50e6 {
		t.Errorf("precision %.3f, after a month %.3f; %d bytes", after, before, file.Size())
	}
	there := map[string]bool{}
	for _, f := range y.live {
		there[path(f)] = true
	}
	items, err := y.s.Items(t.Context(), memory.Filter{})
	if err != nil {
		t.Fatal(err)
	}
	for _, it := range items {
		some := len(it.Pins) == 0
		for _, p := range it.Pins {
			some = some || there[p.Path()]
		}
		if !some && !it.Gone {
			t.Errorf("%q is about removed code and not marked", it.Text)
		}
	}
}

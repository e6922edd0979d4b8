package outcome

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"
)

// memoryLog is a log for tests.
type memoryLog struct{ lines [][]byte }

func (l *memoryLog) Append(b []byte) error {
	l.lines = append(l.lines, b)
	return nil
}

func (l *memoryLog) Read(f func([]byte)) ([]BadLine, error) {
	for _, b := range l.lines {
		f(b)
	}
	return nil, nil
}

func newLogs() *Logs {
	return &Logs{Queries: &memoryLog{}, Outcomes: &memoryLog{}, Hide: func(s string) string { return strings.ReplaceAll(s, "hunter2", "***") }}
}

func clock(n int) time.Time { return time.Unix(1_700_000_000+int64(n), 0) }

// TestKept: what is kept is masked and bounded, and what another version wrote is counted and skipped.
func TestKept(t *testing.T) {
	l := newLogs()
	long := strings.Repeat("é", 1000)
	many := make([]string, 100)
	for i := range many {
		many[i] = fmt.Sprint("f", i)
	}
	if err := l.Record(&Outcome{At: clock(2), Session: "s", Result: Failure, Source: FromUser, Detail: "hunter2 " + long, Files: many}); err != nil {
		t.Fatal(err)
	}
	if err := l.Record(&Outcome{At: clock(1), Session: "s hunter2", Result: Success, Source: FromTests}); err != nil {
		t.Fatal(err)
	}
	if err := l.RecordQuery(Query{At: clock(1), Session: "s", Operation: "find", Query: "hunter2", Files: many}); err != nil {
		t.Fatal(err)
	}
	for range 2 { // two processes ask git at the same time
		if err := l.Record(&Outcome{At: clock(0), Session: "g", Result: Success, Source: FromGit}); err != nil {
			t.Fatal(err)
		}
	}
	l.Outcomes.Append([]byte(`{"at":"2026-01-01T00:00:00Z","session":"s","outcome":"splendid"}`))
	l.Queries.Append([]byte(`{"at":7}`))
	k, err := l.Read()
	if err != nil || len(k.Outcomes) != 3 || len(k.Queries) != 1 || len(k.Bad) != 1 || !strings.HasPrefix(k.Bad[0].Why, "2 records") {
		t.Fatalf("%+v, %v", k, err)
	}
	if b, _ := json.Marshal(k); strings.Contains(string(b), "hunter2") {
		t.Errorf("%s", b)
	}
	if o := k.Outcomes[2]; len(o.Detail) > maxText+3 || len(o.Files) != maxFiles || len(k.Queries[0].Files) != MaxTop {
		t.Errorf("%+v", o)
	}
	if k.Outcomes[1].Result != Success {
		t.Error("they are not in the order in which they happened")
	}
}

// year is what many sessions leave: those that were shown what they change succeed, the others mostly fail.
func year(t *testing.T, sessions int) *LogContent {
	t.Helper()
	l := newLogs()
	for i := range sessions {
		id := fmt.Sprint("s", i)
		o := Outcome{At: clock(10*i + 5), Session: id, Result: Success, Source: FromTests, Reason: "passed", Detail: "go test", Intent: Modify, Files: []string{"good.go"}}
		if i%2 == 0 {
			if err := l.RecordQuery(Query{At: clock(10 * i), Session: id, Operation: "find", Query: "x", Files: []string{"good.go"}, Found: true, MS: 10, Bytes: 100}); err != nil {
				t.Fatal(err)
			}
		} else {
			o.Result, o.Source, o.Reason, o.Detail, o.Files = Failure, FromPrompt, string(Malfunction), "doesn't work", []string{"bad.go"}
		}
		if err := l.Record(&o); err != nil {
			t.Fatal(err)
		}
	}
	k, err := l.Read()
	if err != nil {
		t.Fatal(err)
	}
	return k
}

func TestInsights(t *testing.T) {
	in := year(t, 20).Insights(InsightLimit)
	if in.Outcomes != 20 || in.Sessions != 20 || in.WithQueries != 10 {
		t.Errorf("%+v", in)
	}
	want := []string{"100% of 10 sessions to which an answer had shown none of the files they changed failed, 0% of the other 10",
		"10 times it failed at the user: malfunction", "10 of 10 outcomes with bad.go are failures",
		"0% of 10 sessions to which an answer had shown all files they changed failed, 100% of the other 10"}
	var got []string
	for _, f := range in.Findings {
		got = append(got, f.Text)
	}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("%q", got)
	}
	if len(in.Operations) != 1 || in.Operations[0].Name != "find" || in.Operations[0].Success != 10 {
		t.Errorf("%+v", in.Operations)
	}
	// Of too few sessions nothing is said.
	if few := year(t, 4).Insights(InsightLimit); len(few.Findings) != 0 {
		t.Errorf("%+v", few.Findings)
	}
	if some := year(t, 20).Insights(2); some.Outcomes != 2 || some.Sessions != 2 {
		t.Errorf("%+v", some)
	}
}

func TestStats(t *testing.T) {
	s := year(t, 20).Stats(StatsLimit)
	if s.Sessions != 20 || s.All != (Tally{Success: 10, Failure: 10}) || s.With != (Tally{Success: 10}) || s.Without != (Tally{Failure: 10}) {
		t.Errorf("%+v", s)
	}
	if len(s.Sources) != 2 || s.Sources[0].Name != string(FromPrompt) || s.Sources[0].FailureRate() != 1 {
		t.Errorf("%+v", s.Sources)
	}
}

func TestSession(t *testing.T) {
	k := year(t, 4)
	a, ok := k.Session("s0")
	if !ok || a.Final != Success || a.FailurePoint != "" || len(a.Shown) != 1 || len(a.Unseen) != 0 || a.Operations[0].Bytes != 100 {
		t.Errorf("%+v, %v", a, ok)
	}
	if a, ok = k.Session("s1"); !ok || a.Final != Failure || a.FailurePoint != "the user: malfunction" || len(a.Unseen) != 1 {
		t.Errorf("%+v, %v", a, ok)
	}
	if _, ok = k.Session("none"); ok {
		t.Error("a session of which nothing is known has an analysis")
	}
}

// TestOverruled: a complaint overrules the success before it in its session, and no earlier one.
func TestOverruled(t *testing.T) {
	l := newLogs()
	for i, o := range []Outcome{
		{Session: "a", Result: Success, Source: FromTests, Detail: "accepted"},
		{Session: "a", Result: Success, Source: FromTests, Detail: "wrong"},
		{Session: "b", Result: Success, Source: FromTests, Detail: "other"},
		{Session: "a", Result: Failure, Source: FromPrompt},
		{Session: "a", Result: Failure, Source: FromPrompt},
		{Session: "a", Result: Success, Source: FromTests, Detail: "mended"},
		{Session: "b", Result: Failure, Source: FromTests},
	} {
		o.At = clock(i)
		if err := l.Record(&o); err != nil {
			t.Fatal(err)
		}
	}
	k, err := l.Read()
	if err != nil {
		t.Fatal(err)
	}
	var good []string
	for _, o := range k.latestOutcomes(StatsLimit) {
		if o.Result == Success {
			good = append(good, o.Detail)
		}
	}
	if got := strings.Join(good, " "); got != "accepted other mended" || k.Stats(StatsLimit).All != (Tally{Success: 3, Failure: 3}) {
		t.Errorf("%s, %+v", got, k.Stats(StatsLimit).All)
	}
}

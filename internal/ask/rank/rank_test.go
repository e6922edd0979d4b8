package rank

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "write docs/ranking.md")

// TestTable: every feature is described and used, and docs/ranking.md is the table.
func TestTable(t *testing.T) {
	names := map[string]bool{}
	for f := range Table {
		r := &Table[f]
		if r.Name == "" || r.Meaning == "" || r.Source == "" || names[r.Name] {
			t.Errorf("feature %d: %+v lacks a name of its own, a meaning or a source", f, r)
		}
		names[r.Name] = true
		if r.Find.Origin == Unused && r.Impact.Origin == Unused {
			t.Errorf("%s: no question looks at it", r.Name)
		}
		for _, q := range []Question{Find, Impact} {
			w := r.Weight(q)
			if w.Origin == Unused && w.Value != 0 {
				t.Errorf("%s has a weight that is not used", r.Name)
			}
			if w.Origin == Positive && w.Value < 0 {
				t.Errorf("%s: %v is negative", r.Name, w.Value)
			}
		}
	}
	const page = "../../../docs/ranking.md"
	want := tablePage()
	if *update {
		if err := os.WriteFile(page, want, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(string(want), string(got)); d != "" {
		t.Errorf("go test ./internal/ask/rank -update brings it up to date (-table +page):\n%s", d)
	}
}

const learnedText = `## How it is learned

The trees are LambdaMART, 120 of at most 32 leaves, added to the sum. They may only rise with what speaks for a file, and see numbers in
thousandths as integers, so that the order is the same on all machines. They are learned from commits of 105 public repositories that
change one to six source files. No repository on which ken is measured is among them: a test compares names and first commits with
` + "`bench/find/never.txt`" + `. A query that asks for tests, documents
or files that otherwise come last, or a tree without a history, is ranked by the sum alone. To learn them again:

    go run ./bench/find/tasks …                 # tasks.jsonl, from the clones of bench/find/train.txt
    go run ./bench/find -table T -data tasks.jsonl -mirror CLONES -work SCRATCH
    python3 bench/rank/trees/train.py T -out internal/ask/rank/find.trees -check internal/ask/rank/testdata/trained.txt

The chance that the first file is right is a logistic regression on what train.py prints (` + "`internal/ask/rank/chance.go`" + `). Reasons
are ordered by what their features add to the sum and to the trees.

Tried and left out: vectors of words (64 numbers each, learned by skip-grams with negative samples from the messages, changes and files of
the same repositories, five folds) as six features, such as the cosine of the query and the nearest 20 lines. Of 5,310 tasks left out they
win 61 and lose 58; alone the best of the six has 25.6 % of them in the first five.
`

func tablePage() []byte {
	var b bytes.Buffer
	b.WriteString("# Features of the rankings\n\nWhat `ken find` and `ken impact` rank files by. This page is generated from `internal/ask/rank/table.go`.\n" +
		"A candidate's score is the sum of its features times these weights. Weights are fitted to past tasks by `go run ./bench/rank`; those with\n" +
		"\"by hand\" are not, because the tasks say nothing of them. Weights with \"≥ 0\" were not allowed to be negative. Features \"by trees\" are\n" +
		"not in the sum: `ken find` corrects it by regression trees, which see most features.\n\n" + learnedText)
	for _, q := range []struct {
		title string
		of    Question
	}{{"find", Find}, {"impact", Impact}} {
		fmt.Fprintf(&b, "\n## %s\n\n| feature | means | source | weight | shown as |\n|---|---|---|---|---|\n", q.title)
		for _, f := range Column(q.of) {
			r := &Table[f]
			w := r.Weight(q.of)
			origin := map[Origin]string{Positive: ", ≥ 0", ByHand: ", by hand", Grown: ", by trees"}[w.Origin]
			fmt.Fprintf(&b, "| %s | %s | %s | %.2f%s | %s |\n", r.Name, r.Meaning, r.Source, w.Value, origin, r.Reason)
		}
	}
	return b.Bytes()
}

func TestColumns(t *testing.T) {
	find, impact := Column(Find), Column(Impact)
	if len(find) != 59 || find[0] != Body || find[58] != QueryNames {
		t.Errorf("find looks at %d features: %v", len(find), find)
	}
	if len(impact) != 25 || impact[0] != CoChange || impact[24] != GeneratedOrVendored {
		t.Errorf("impact looks at %d features: %v", len(impact), impact)
	}
}

// TestScore: a score is the weighted sum of the features of one column.
func TestScore(t *testing.T) {
	var v Vector
	v[Body], v[Test], v[CoChange], v[DirectoryCrowd] = 2, 1, 3, 0.5
	for _, c := range []struct {
		q    Question
		want float64
	}{{Find, 2*0.09 - 2.36}, {Impact, 3*0.29 - 0.5*1.46}} {
		if got := float64(NewModel(c.q).Score(&v)); math.Abs(got-c.want) > 1e-6 {
			t.Errorf("question %d: %v, want %v", c.q, got, c.want)
		}
	}
	if got := NewModel(Find).Score(&Vector{}); got != 0 {
		t.Errorf("nothing scores %v", got)
	}
}

// TestReasons: features with one wording are one reason, in the order of the table.
func TestReasons(t *testing.T) {
	var v Vector
	v[CoChange], v[CoChangePlace], v[SharedWords], v[Lines] = 0.5, 1, 0.25, 1
	var got []string
	seen := map[Reason]bool{}
	for _, s := range NewModel(Impact).Reasons(&v, &Vector{}) {
		if seen[s.Reason] || s.Reason == "" {
			t.Errorf("%q again", s.Reason)
		}
		seen[s.Reason] = true
		if s.Value != 0 {
			got = append(got, fmt.Sprintf("%s %.3f", s.Reason, s.Value))
		}
	}
	if d := cmp.Diff([]string{"changes together 1.005", "words in common 0.240"}, got); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
	if len(seen) != 16 || seen[ReasonNamed] {
		t.Errorf("reasons of impact: %v", seen)
	}
}

// source is a Source made of a function.
type source struct {
	name string
	f    func(q *Query, set *Set) error
}

func (s source) Name() string { return s.name }

func (s source) Signals(_ context.Context, q *Query, set *Set) error { return s.f(q, set) }

// TestStages: a stage sees the candidates and scores that the stages before left,
// whatever order its own sources have.
func TestStages(t *testing.T) {
	add := source{"add", func(q *Query, set *Set) error {
		for i, p := range []string{"c", "a", "b", "a"} {
			set.At(set.Add(p))[Code] = float64(i)
		}
		return nil
	}}
	var order, known []string
	look := source{"look", func(q *Query, set *Set) error {
		order, known = nil, nil
		for _, i := range set.Top(2) {
			order = append(order, fmt.Sprintf("%s %.2f", set.Paths()[i], set.Score(i)))
		}
		for _, p := range []string{"a", "c", "d", "e"} {
			if set.WasCandidate(p) {
				known = append(known, p)
			}
		}
		return nil
	}}
	change := source{"change", func(q *Query, set *Set) error {
		set.At(set.Add("d"))[Code] = 9
		set.At(set.Add("c"))[Test] = 1
		return nil
	}}
	for _, sources := range [][]Source{{look, change}, {change, look}} {
		set := NewSet(NewModel(Find))
		err := set.Run(t.Context(), &Query{Text: "x"}, []Stage{{Sources: []Source{add}}, {Scored: true, Sources: sources}})
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff([]string{"a 8.25", "b 5.50"}, order); d != "" {
			t.Errorf("the first of the stage (-want +got):\n%s", d)
		}
		if d := cmp.Diff([]string{"a", "c"}, known); d != "" {
			t.Errorf("known (-want +got):\n%s", d)
		}
		var final []string
		for _, i := range set.Top(100) {
			final = append(final, set.Paths()[i])
		}
		if d := cmp.Diff([]string{"d", "a", "b", "c"}, final); d != "" {
			t.Errorf("at the end (-want +got):\n%s", d)
		}
		if got := set.Score(set.Add("c")); math.Abs(float64(got)+2.36) > 1e-6 {
			t.Errorf("c scores %v", got)
		}
	}
}

// TestUnscored: scores are computed only for stages that ask for them.
func TestUnscored(t *testing.T) {
	set := NewSet(NewModel(Find))
	add := source{"add", func(q *Query, set *Set) error { set.Add("a"); return nil }}
	look := source{"look", func(q *Query, set *Set) error {
		if n := len(set.Top(5)); n != 0 {
			t.Errorf("%d are ordered", n)
		}
		return nil
	}}
	if err := set.Run(t.Context(), &Query{}, []Stage{{Sources: []Source{add}}, {Sources: []Source{look}}}); err != nil {
		t.Fatal(err)
	}
	if len(set.Top(5)) != 1 || set.Len() != 1 {
		t.Errorf("%d candidates, %d ordered", set.Len(), len(set.Top(5)))
	}
}

func TestRunFails(t *testing.T) {
	bad, ran := errors.New("bad"), false
	stages := []Stage{{Sources: []Source{source{"a", func(*Query, *Set) error { return bad }}}},
		{Sources: []Source{source{"b", func(*Query, *Set) error { ran = true; return nil }}}}}
	if err := NewSet(NewModel(Find)).Run(t.Context(), &Query{}, stages); !errors.Is(err, bad) || ran {
		t.Errorf("%v, the next stage ran: %v", err, ran)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := NewSet(NewModel(Find)).Run(ctx, &Query{}, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("after the end of its context: %v", err)
	}
}

// TestTies: equal scores are ordered by path.
func TestTies(t *testing.T) {
	set := NewSet(NewModel(Impact))
	for _, p := range []string{"b", "c", "a"} {
		set.At(set.Add(p))[CoChange] = 0.3
	}
	if err := set.Run(t.Context(), &Query{}, nil); err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff([]int{2, 0, 1}, set.Top(3)); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
}

func TestDrop(t *testing.T) {
	set := NewSet(NewModel(Find))
	for i, p := range strings.Fields("a b c d") {
		set.At(set.Add(p))[Body] = float64(i)
	}
	set.Drop(func(i int) bool { return i == 0 || i == 2 })
	if d := cmp.Diff([]string{"b", "d"}, set.Paths()); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
	if set.Len() != 2 || set.At(set.Add("b"))[Body] != 1 || set.At(set.Add("d"))[Body] != 3 || set.Len() != 2 {
		t.Errorf("features went to other places")
	}
	if i := set.Add("a"); i != 2 || set.At(i)[Body] != 0 {
		t.Errorf("what was dropped comes back at %d with %v", i, set.At(i)[Body])
	}
}

// filled is a set with one feature's values, at paths that go backwards.
func filled(f Feature, values ...float64) *Set {
	set := NewSet(NewModel(Find))
	for i, v := range values {
		set.At(set.Add(string(rune('z' - i))))[f] = v
	}
	return set
}

func values(set *Set, f Feature) []float64 {
	var out []float64
	for i := range set.Len() {
		out = append(out, math.Round(set.At(i)[f]*1e4)/1e4)
	}
	return out
}

func TestScales(t *testing.T) {
	for _, c := range []struct {
		name string
		in   []float64
		f    func(*Set)
		want []float64
	}{
		{"relative", []float64{1, 4, 0, 2}, func(s *Set) { s.Relative(Body) }, []float64{0.25, 1, 0, 0.5}},
		{"relative to less than 1", []float64{0.1, 0.5}, func(s *Set) { s.Relative(Body) }, []float64{0.2, 1}},
		{"relative to nothing", []float64{0, -1}, func(s *Set) { s.Relative(Body) }, []float64{0, -1}},
		{"reciprocal rank", []float64{1, 4, 0, 2, 1}, func(s *Set) { s.ReciprocalRank(Body, Body) }, []float64{0.5714, 1, 0, 0.8, 0.6667}},
		{"shared place", []float64{1, 4, 0, 1, 0.5}, func(s *Set) { s.SharedPlace(Body, Body) }, []float64{0.8333, 1, 0, 0.8333, 0.625}},
	} {
		set := filled(Body, c.in...)
		c.f(set)
		if d := cmp.Diff(c.want, values(set, Body)); d != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, d)
		}
	}
	set := filled(Body, 2, 1)
	set.ReciprocalRank(Body, RankBody)
	set.SharedPlace(Body, Passage)
	if !slices.Equal(values(set, Body), []float64{2, 1}) || !slices.Equal(values(set, RankBody), []float64{1, 0.8}) || !slices.Equal(values(set, Passage), []float64{1, 0.8333}) {
		t.Errorf("%v %v %v", values(set, Body), values(set, RankBody), values(set, Passage))
	}
}

func TestSingle(t *testing.T) {
	if Single(0.1+0.2) != Single(0.3) || Single(0.25) != 0.25 {
		t.Error("values that differ by rounding alone stay different")
	}
	if got := Log(math.E - 1); got != 1 {
		t.Errorf("Log: %v", got)
	}
}

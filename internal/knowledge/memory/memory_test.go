package memory

import (
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"
)

var now = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

func texts(hits []Hit) (out []string) {
	for _, h := range hits {
		out = append(out, h.Item.Text)
	}
	return out
}

// TestMatch: what an item is found by, in English and Japanese, and what is not found.
func TestMatch(t *testing.T) {
	x := NewIndex(
		Item{ID: 1, Kind: Decision, Text: "Retries of the payment gateway use exponential backoff", At: now},
		Item{ID: 2, Kind: Note, Text: "The login token expires after an hour", Pins: []Pin{{Target: "src/auth/token.go:Expiry"}}, At: now},
		Item{ID: 3, Kind: Note, Text: "ログイン画面の認証エラーは再試行で直る", At: now},
		Item{ID: 4, Kind: Edit, Text: "worked on in 4 sessions", Subject: "web/form.ts", Pins: []Pin{{Target: "web/form.ts"}}, At: now},
		Item{ID: 5, Kind: Outcome, Text: "parseHeader drops the charset", Pins: []Pin{{Target: "http/header.go"}}, At: now},
	)
	for _, c := range []struct{ query, want string }{
		{"retrying payments fails", "1"}, {"when do tokens expire?", "2"}, {"look at src/auth/token.go", "2"}, {"what does Expiry mean", "2"},
		{"認証のエラーを直して", "3"}, {"ログインできない", "3"}, {"form.ts is slow", "4"}, {"PARSE_HEADER and charsets", "5"},
		{"please fix the file and add tests", ""}, {"", ""}, {"をして、ください", ""}, {"???", ""},
	} {
		got := ""
		if hits := x.Match(Query{Text: c.query, Now: now}, 1); len(hits) > 0 {
			got = fmt.Sprint(hits[0].Item.ID)
		}
		if got != c.want {
			t.Errorf("%q: %q, want %q", c.query, got, c.want)
		}
	}
	hit := x.Match(Query{Text: "the login token in token.go", Now: now}, 1)[0]
	if got, want := hit.Reason.String(), "shares login, token; is about src/auth/token.go:Expiry; confidence 0.50; rank 0.00"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if hits := x.Match(Query{Text: "retrying payments", Kinds: []Kind{Note}, Now: now}, 5); len(hits) > 0 {
		t.Errorf("found beyond the kinds: %q", texts(hits))
	}
	if hits := x.Match(Query{Text: "why", Files: []string{"http/header.go"}, Now: now}, 5); len(hits) != 1 || hits[0].Item.ID != 5 {
		t.Errorf("by file: %q", texts(hits))
	}
}

// TestSizes: confidence and rank change the order in a memory of four items and in one of thousands by the same, and
// relevance decides in both whether an item is shown at all.
func TestSizes(t *testing.T) {
	spread := func(others int) (trust, rank float64, shown int) {
		items := []Item{
			{ID: 1, Kind: Note, Text: "cache keys of sessions", At: now, Rank: 0.5},
			{ID: 2, Kind: Note, Text: "sessions: cache keys!!", Topic: "x", At: now, Rank: 0.5, Evidence: Evidence{For: 6, Last: now}},
			{ID: 3, Kind: Note, Text: "keys: cache of sessions", Topic: "y", At: now, Rank: 0.9},
		}
		for i := range others {
			items = append(items, Item{ID: int64(10 + i), Kind: Note, Text: fmt.Sprintf("unrelated remark%d on thing%d", i, i%70), At: now, Rank: 0.5})
		}
		score := map[int64]float64{}
		hits := MatchItems(items, Query{Text: "how are cache keys of sessions made", Now: now}, 0)
		for _, h := range hits {
			score[h.Item.ID] = h.Score
		}
		return score[2] / score[1], score[3] / score[1], len(hits)
	}
	trustSmall, rankSmall, shownSmall := spread(1)
	trustLarge, rankLarge, shownLarge := spread(5000)
	if math.Abs(trustSmall-trustLarge) > 0.05 || math.Abs(rankSmall-rankLarge) > 0.05 || trustSmall < 1.05 || rankSmall < 1.05 {
		t.Errorf("confidence %.3f and %.3f, rank %.3f and %.3f", trustSmall, trustLarge, rankSmall, rankLarge)
	}
	if shownSmall != 3 || shownLarge != 3 {
		t.Errorf("%d and %d were found", shownSmall, shownLarge)
	}
}

// TestDuplicates: 200,000 items of 50 that differ are 50 items with the ranks of 50.
func TestDuplicates(t *testing.T) {
	item := func(i int) Item {
		return Item{ID: int64(i + 1), Kind: Note, Text: fmt.Sprintf("The cache of module%d is kept for %d minutes", i%50, i%50), At: now.Add(time.Duration(i%50) * time.Hour),
			Pins: []Pin{{Target: fmt.Sprintf("pkg%d/cache.go", i%10)}}}
	}
	x, once := NewIndex(), NewIndex()
	for i := range 200_000 {
		it := item(i % 50)
		it.ID = int64(i%50 + 1)
		it.Text = strings.Repeat(" ", i%3) + strings.ToUpper(it.Text[:i%7]) + it.Text[i%7:]
		if i < 50 {
			once.Add(it)
		}
		if x.Len() < 50 || i%97 == 0 { // adding cuts a text each time: most are only looked up
			x.Add(it)
		} else if _, known := x.keys[it.Key()]; !known {
			t.Fatalf("%q is another item", it.Text)
		}
	}
	x.RankItems()
	once.RankItems()
	if x.Len() != 50 || !reflect.DeepEqual(ranks(x), ranks(once)) {
		t.Errorf("%d items, ranks %v, of the unique ones %v", x.Len(), ranks(x), ranks(once))
	}
}

func ranks(x *Index) (out []float64) {
	for _, it := range x.items {
		out = append(out, it.Rank)
	}
	return out
}

// TestMerge: a duplicate brings files and newer hashes, and no confidence.
func TestMerge(t *testing.T) {
	a := Item{Kind: Note, Text: "One", Pins: []Pin{{"a.go", "1"}}, At: now}
	before := a.Confidence(now.AddDate(0, 1, 0))
	a.MergeDuplicate(&Item{Kind: Note, Text: "one.", Pins: []Pin{{"a.go", "2"}, {"b.go", "1"}}, At: now})
	if want := []Pin{{"a.go", "2"}, {"b.go", "1"}}; !slices.Equal(a.Pins, want) || a.Confidence(now.AddDate(0, 1, 0)) != before {
		t.Errorf("%+v", a)
	}
	e := Item{Kind: Edit, Subject: "a.go", Text: "in 3 sessions", At: now}
	e.MergeDuplicate(&Item{Kind: Edit, Subject: "a.go", Text: "in 4 sessions", At: now.Add(1)})
	if e.Text != "in 4 sessions" {
		t.Error(e.Text)
	}
	for _, pair := range [][2]string{{"one", "two"}, {"認証", "認可"}, {"!", "?"}, {"", "x"}} {
		if (&Item{Kind: Note, Text: pair[0]}).Key() == (&Item{Kind: Note, Text: pair[1]}).Key() {
			t.Errorf("%q and %q are one", pair[0], pair[1])
		}
	}
}

// TestConfidence: it rises on evidence alone, by less each time, and decays since the last evidence, however often it is
// asked.
func TestConfidence(t *testing.T) {
	it := Item{Kind: Note, At: now}
	last, step := it.Confidence(now), 1.0
	for range 20 {
		it.For++
		c := it.Confidence(now)
		if c <= last || c-last > step || c >= 1 {
			t.Fatalf("%d for: %v after %v", it.For, c, last)
		}
		last, step = c, c-last
	}
	for range 60 {
		it.Against++
		if c := it.Confidence(now); c >= last || c < LeastConfidence {
			t.Fatalf("%d against: %v after %v", it.Against, c, last)
		} else {
			last = c
		}
	}
	day := func(n int) time.Time { return now.AddDate(0, 0, n) }
	it = Item{Kind: Note, At: now}
	if a, b := it.Confidence(day(180)), it.Confidence(now)/2; math.Abs(a-b) > 1e-9 {
		t.Errorf("after its half-life %v, want %v", a, b)
	}
	for range 1000 {
		it.Confidence(day(90))
	}
	late := it
	late.For, late.Last = 1, day(90)
	if late.Confidence(day(90)) <= it.Confidence(now) {
		t.Error("evidence does not end neglect")
	}
	if it.Confidence(day(100_000)) != LeastConfidence || it.Confidence(day(-5)) != it.Confidence(now) {
		t.Error("the ends of time")
	}
}

// TestRank: ranks keep their mean at every size, a hub ranks above its spokes, and what is newer above what is older.
func TestRank(t *testing.T) {
	for _, n := range []int{1, 2, 10, 5000} {
		var edges []Edge
		for i := 1; i < n; i++ {
			edges = append(edges, Edge{From: int32(i), To: 0, Relation: Temporal, Weight: 0.5})
		}
		r := Rank(n, edges)
		mean := 0.0
		for _, v := range r {
			mean += v / (1 - v) / float64(n)
		}
		if math.Abs(mean-1) > 1e-3 {
			t.Errorf("%d items: mean %v", n, mean)
		}
		if n > 1 && r[0] <= r[1] {
			t.Errorf("%d items: hub %v, spoke %v", n, r[0], r[1])
		}
	}
	if Rank(0, nil) != nil {
		t.Error("ranks of nothing")
	}
	x := NewIndex(Item{ID: 1, Kind: Note, Text: "alpha", Pins: []Pin{{Target: "a.go"}}, At: now}, Item{ID: 2, Kind: Note, Text: "omega", Pins: []Pin{{Target: "a.go:F"}}, At: now.Add(1)})
	x.RankItems()
	if r := ranks(x); r[1] <= r[0] {
		t.Errorf("the newer of a file ranks %v, the older %v", r[1], r[0])
	}
}

// TestNeighbours holds the similar items that an index finds against all pairs, where words are rare enough to find them.
func TestNeighbours(t *testing.T) {
	rnd := rand.New(rand.NewPCG(5, 6))
	stock := strings.Fields("payment retry gateway login token expiry session cache header charset parser socket timeout worker queue batch")
	x := NewIndex()
	for i := range 150 {
		var w []string
		for range 3 + rnd.IntN(3) {
			w = append(w, fmt.Sprintf("%s%d", stock[rnd.IntN(len(stock))], rnd.IntN(3)))
		}
		x.Add(Item{ID: int64(i + 1), Kind: Note, Text: strings.Join(w, " "), At: now})
	}
	got := map[[2]int32]bool{}
	for _, e := range x.RelateItems() {
		got[[2]int32{min(e.From, e.To), max(e.From, e.To)}] = true
	}
	found, all := 0, 0
	for i := range x.items {
		for k := range i {
			if Jaccard(x.texts[i].Grams, x.texts[k].Grams) > 0.5 {
				all++
				if got[[2]int32{int32(k), int32(i)}] {
					found++
				}
			}
		}
	}
	if all < 20 || float64(found) < 0.85*float64(all) {
		t.Errorf("%d of %d pairs", found, all)
	}
}

// TestCommunities: two groups that are not tied to each other are two topics.
func TestCommunities(t *testing.T) {
	var edges []Edge
	for g := range int32(2) {
		for i := range int32(5) {
			for k := range i {
				edges = append(edges, Edge{From: g*5 + i, To: g*5 + k, Relation: Similar, Weight: 0.6})
			}
		}
	}
	edges = append(edges, Edge{From: 4, To: 5, Relation: Temporal, Weight: 0.1})
	if got, want := fmt.Sprint(Communities(11, edges)), "[1 1 1 1 1 6 6 6 6 6 10]"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// TestSurplus: of too many items those of the least worth go, and what a person wrote last.
func TestSurplus(t *testing.T) {
	items := []Item{
		{Kind: Edit, Text: "a", At: now.AddDate(-1, 0, 0)}, {Kind: Decision, Text: "b", At: now.AddDate(-1, 0, 0)}, {Kind: Edit, Text: "c", At: now},
		{Kind: Decision, Text: "d", At: now, Gone: true}, {Kind: Edit, Text: "e", At: now, Used: 9},
	}
	if got := SurplusItems(items, 3, now); !slices.Equal(got, []int{0, 3}) {
		t.Error(got)
	}
	if got := SurplusItems(items, 5, now); got != nil {
		t.Error(got)
	}
}

// TestTelling: what is shown without being asked for.
func TestTelling(t *testing.T) {
	words, file := Reason{Words: []string{"a", "b"}}, Reason{Files: []string{"a.go"}}
	for _, c := range []struct {
		it     Item
		reason Reason
		score  float64
		want   bool
	}{
		{Item{Kind: Note}, words, 0.5, true},
		{Item{Kind: Note}, words, 0.3, false},
		{Item{Kind: Note}, Reason{Words: []string{"a"}}, 0.5, false},
		{Item{Kind: Note, Gone: true}, words, 0.5, false},
		{Item{Kind: Edit}, words, 0.5, false},
		{Item{Kind: Edit}, file, 0.5, true},
		{Item{Kind: Note}, Reason{Words: words.Words, Replaced: true}, 0.5, false},
	} {
		best := Hit{Item: &Item{Kind: Note}, Score: 0.6, Reason: words}
		got := WorthShowing([]Hit{best, {Item: &c.it, Score: c.score, Reason: c.reason}}, 5)
		if (len(got) == 2) != c.want || len(WorthShowing([]Hit{best}, 0)) != 0 {
			t.Errorf("%+v: %v", c, got)
		}
	}
	if got := WorthShowing([]Hit{{Item: &Item{Kind: Note}, Score: 0.1, Reason: words}}, 5); len(got) > 0 {
		t.Errorf("%+v", got)
	}
}

// TestReplaced: of two notes about one file that say much the same the newer comes first, unless the older is trusted much more.
func TestReplaced(t *testing.T) {
	pin := []Pin{{Target: "upload.go"}}
	older := Item{ID: 1, Kind: Note, Text: "uploads are retried three times with a growing delay", Pins: pin, At: now.AddDate(0, 0, -9)}
	newer := Item{ID: 2, Kind: Note, Text: "uploads are retried five times with a fixed delay", Pins: pin, At: now}
	elsewhere := Item{ID: 3, Kind: Note, Text: "downloads are retried three times with a growing delay", Pins: []Pin{{Target: "download.go"}}, At: now}
	order := func(items ...Item) (out string) {
		for _, h := range MatchItems(items, Query{Text: "are uploads retried three times with a growing delay?", Now: now}, 0) {
			if out += fmt.Sprint(h.Item.ID); h.Reason.Replaced {
				out += "r"
			}
		}
		return out
	}
	if got := order(older, newer, elsewhere); got != "321r" {
		t.Error(got)
	}
	if got := order(older, elsewhere); got != "13" {
		t.Error(got)
	}
	trusted := older
	trusted.Evidence = Evidence{For: 9, Last: now}
	if got := order(trusted, newer, elsewhere); got != "132" {
		t.Error(got)
	}
}

// FuzzCut: any bytes are a text, and cutting it gives sorted sets within their bounds.
func FuzzCut(f *testing.F) {
	for _, s := range []string{"", "parseHTTPHeader", "認証エラー", "\xff\xfe", "a\x00b", strings.Repeat("x", 100), "naïve café", "もう一度"} {
		f.Add(s)
	}
	split := NewSplitter()
	f.Fuzz(func(t *testing.T, s string) {
		x := split.Split(s)
		if !slices.IsSorted(x.Terms) || !slices.IsSorted(x.Grams) || len(x.Grams) > maxGrams {
			t.Errorf("%q: %v %v", s, x.Terms, x.Grams)
		}
		(&Item{Kind: Note, Text: s}).Key()
		NewIndex(Item{Kind: Note, Text: s}).Match(Query{Text: s, Now: now}, 1)
	})
}

// BenchmarkMatch is one query of 10,000 items.
func BenchmarkMatch(b *testing.B) {
	x := NewIndex()
	for i := range 10_000 {
		x.Add(Item{ID: int64(i), Kind: Note, Text: fmt.Sprintf("the handler%d of queue%d waits for lock%d", i, i%100, i%1000), At: now})
	}
	for b.Loop() {
		x.Match(Query{Text: "why does handler77 wait for a lock3", Now: now}, 5)
	}
}

// BenchmarkArrange is relating 10,000 items to each other.
func BenchmarkArrange(b *testing.B) {
	x := NewIndex()
	for i := range 10_000 {
		x.Add(Item{ID: int64(i), Kind: Note, Text: fmt.Sprintf("the handler%d of queue%d waits for lock%d", i, i%100, i%1000), At: now})
	}
	for b.Loop() {
		x.RankItems()
	}
}

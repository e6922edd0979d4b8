package find_test

import (
	"context"
	"flag"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"ken/internal/ask/find"
	"ken/internal/ask/rank"
	"ken/internal/engine/enginetest"
	"ken/internal/engine/view"
)

var update = flag.Bool("update", false, "write testdata/golden.txt")

// shop is testdata/shop.txtar: the files of a project, its commits and queries.
type shop struct {
	*enginetest.Project
	queries [][2]string // a query and the file that is right
}

func newShop(t *testing.T) *shop {
	t.Helper()
	archive, err := txtar.ParseFile("testdata/shop.txtar")
	if err != nil {
		t.Fatal(err)
	}
	files := map[string]string{}
	for _, f := range archive.Files {
		files[f.Name] = string(f.Data)
	}
	s := &shop{Project: enginetest.New(t, nil)}
	day := time.Date(2024, 1, 1, 12, 0, 0, 0, time.UTC)
	for line := range strings.Lines(files["history"]) {
		at := strings.LastIndex(line, ": ")
		day = day.AddDate(0, 0, 9)
		t.Setenv("GIT_AUTHOR_DATE", day.Format(time.RFC3339))
		t.Setenv("GIT_COMMITTER_DATE", day.Format(time.RFC3339))
		for _, p := range strings.Fields(line[at+2:]) {
			s.Write(p, files[p])
			files[p] += "\n"
		}
		s.Commit(line[:at])
	}
	s.Update()
	for line := range strings.Lines(files["queries"]) {
		query, want, _ := strings.Cut(strings.TrimSpace(line), " => ")
		s.queries = append(s.queries, [2]string{query, want})
	}
	return s
}

func (s *shop) find(query string, opt find.SearchOptions) *find.Found {
	s.T.Helper()
	var out *find.Found
	s.Ask(func(ctx context.Context, v *view.Snapshot) (err error) {
		out, err = find.Find(ctx, v, query, opt)
		return err
	})
	return out
}

// TestGolden: what is found in the shop, and why, is written down, so that a change
// of the ranking shows in a diff. -update writes it anew.
func TestGolden(t *testing.T) {
	s := newShop(t)
	var b strings.Builder
	reciprocal := 0.0
	for _, q := range s.queries {
		found := s.find(q[0], find.SearchOptions{Limit: 40})
		place := 1 + slices.IndexFunc(found.Files, func(f find.FoundFile) bool { return f.Path == q[1] })
		fmt.Fprintf(&b, "%s\n", q[0])
		if place > 0 {
			reciprocal += 1 / float64(place) / float64(len(s.queries))
		}
		for i, f := range found.Files[:min(5, len(found.Files))] {
			mark := " "
			if f.Path == q[1] {
				mark = "*"
			}
			fmt.Fprintf(&b, " %s%d %.2f %s: %s\n", mark, i+1, f.Score, f.Path, strings.Join(f.Why, "; "))
		}
		if place == 0 || place > 5 {
			fmt.Fprintf(&b, " *%d %s\n", place, q[1])
		}
		for _, x := range found.Symbols[:min(2, len(found.Symbols))] {
			fmt.Fprintf(&b, "    %.1f %s %s\n", x.Score, x.Kind, x.Name)
		}
	}
	fmt.Fprintf(&b, "MRR %.3f\n", reciprocal)
	const golden = "testdata/golden.txt"
	if *update {
		if err := os.WriteFile(golden, []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(string(want), b.String()); d != "" {
		t.Errorf("(-golden +now):\n%s", d)
	}
	t.Run("sources", func(t *testing.T) { testSources(t, s) })
	t.Run("options", func(t *testing.T) { testOptions(t, s) })
}

// votes is a source from outside that speaks for one file.
type votes struct{ path string }

func (votes) Name() string { return rank.FromEmbedding }

func (s votes) Signals(_ context.Context, q *rank.Query, set *rank.Set) error {
	if q.Text == "" {
		return fmt.Errorf("no text")
	}
	if i := slices.Index(set.Paths(), s.path); i >= 0 {
		set.At(i)[rank.Semantic] = 20
	}
	return nil
}

// testSources: a source that is handed in takes part in the first stage.
func testSources(t *testing.T, s *shop) {
	opt := find.SearchOptions{Sources: []rank.Source{votes{"web/src/api.ts"}}, Trace: true, Limit: 3}
	found := s.find("voucher refused on its last day", opt)
	if found.Files[0].Path != "web/src/api.ts" || !slices.Contains(found.Files[0].Why, string(rank.ReasonSemantic)) {
		t.Errorf("first is %s: %v", found.Files[0].Path, found.Files[0].Why)
	}
	if len(found.Trace) < len(found.Files) || found.Trace[0].Path != "web/src/api.ts" || found.Trace[0].Features[rank.Semantic] != 20 {
		t.Errorf("the trace has %d candidates, the first %+v", len(found.Trace), found.Trace[0])
	}
}

func testOptions(t *testing.T, s *shop) {
	found := s.find("order", find.SearchOptions{Limit: 2, Symbols: 1})
	if len(found.Files) != 2 || len(found.Symbols) != 1 || found.Trace != nil {
		t.Errorf("%d files, %d symbols, %d traced", len(found.Files), len(found.Symbols), len(found.Trace))
	}
	for query, ok := range map[string]func(find.FoundFile) bool{
		"test:yes cart":         func(f find.FoundFile) bool { return strings.Contains(f.Path, "test") },
		"test:no cart":          func(f find.FoundFile) bool { return !strings.Contains(f.Path, "test") },
		"lang:typescript cart":  func(f find.FoundFile) bool { return strings.HasPrefix(f.Path, "web/") },
		"path:src/billing cent": func(f find.FoundFile) bool { return strings.HasPrefix(f.Path, "src/billing/") },
		"path:cart voucher":     func(f find.FoundFile) bool { return strings.Contains(f.Path, "cart/") },
		"kind:function cart":    func(f find.FoundFile) bool { return !strings.HasSuffix(f.Path, ".css") },
	} {
		files := s.find(query, find.SearchOptions{}).Files
		if i := slices.IndexFunc(files, func(f find.FoundFile) bool { return !ok(f) }); i >= 0 || len(files) == 0 {
			t.Errorf("%s finds %d files, among them %v", query, len(files), i)
		}
	}
	s.Ask(func(ctx context.Context, v *view.Snapshot) error {
		if _, err := find.Find(ctx, v, " \n", find.SearchOptions{}); err == nil {
			t.Error("an empty query is answered")
		}
		ctx, cancel := context.WithCancel(ctx)
		cancel()
		if _, err := find.Find(ctx, v, "cart", find.SearchOptions{}); err == nil {
			t.Error("a search that was cancelled is answered")
		}
		return nil
	})
}

// TestSourcesOfTable: each source fills the features that the table says are its
// own, and no other.
func TestSourcesOfTable(t *testing.T) {
	s := newShop(t)
	filled := map[string]bool{}
	s.Ask(func(ctx context.Context, v *view.Snapshot) error {
		for _, q := range s.queries {
			err := find.EachSource(ctx, v, q[0], languageNames, func(source string, f rank.Feature) {
				filled[rank.Table[f].Name] = true
				if want := rank.Table[f].Source; want != source {
					t.Errorf("%s is filled by %s, the table says %s", rank.Table[f].Name, source, want)
				}
			})
			if err != nil {
				return err
			}
		}
		return nil
	})
	var never []string
	for _, f := range rank.Column(rank.Find) {
		if name := rank.Table[f].Name; !filled[name] {
			never = append(never, name)
		}
	}
	if d := cmp.Diff([]string{"semantic", "earlier_directory"}, never); d != "" {
		t.Errorf("never filled (-want +got):\n%s\nfilled: %v", d, slices.Sorted(maps.Keys(filled)))
	}
}

package find_test

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"ken/internal/ask/find"
	"ken/internal/knowledge/memory"
)

// languageNames speaks for files of the shop in every way there is.
var languageNames = find.Known{
	Earlier: []find.Earlier{
		{Files: []string{"src/cart/voucher.go", "src/billing/tax.go", "src/billing/money.go"}, Like: 0.5, Text: "\n## vouchers\nand taxes"},
		{Files: []string{"old/place/billing/payment.go"}, Like: 0.3, Text: "payment"},
	},
	Said:   []find.Said{{Path: "src/billing/tax.go", Like: 0.5, Text: `decided 2024-05-01: "rounding is half up"`}},
	Agreed: []find.Agreed{{Path: "src/worker/schedule.go", Text: `"nightly run" means Schedule`}},
}

func place(found *find.Found, path string) int {
	return slices.IndexFunc(found.Files, func(f find.FoundFile) bool { return f.Path == path })
}

// asText is an answer to be compared.
func asText(t *testing.T, found *find.Found) string {
	t.Helper()
	b, err := json.Marshal(found)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// TestKnown: what is remembered moves files, and says so.
func TestKnown(t *testing.T) {
	s := newShop(t)
	ask := func(query string, k find.Known) *find.Found {
		return s.find(query, find.SearchOptions{Limit: 100, Known: k})
	}
	why := func(found *find.Found, path string) string {
		if i := place(found, path); i >= 0 {
			return strings.Join(found.Files[i].Why, "; ")
		}
		return ""
	}
	const query, file = "customers are charged twice", "src/cart/voucher.go"
	plain := ask(query, find.Known{})

	t.Run("earlier", func(t *testing.T) {
		before := place(plain, file)
		with := ask(query, find.Known{Earlier: []find.Earlier{{Files: []string{file}, Like: 0.9, Text: "# A guest pays twice"}}})
		if now := place(with, file); now < 0 || before >= 0 && now >= before {
			t.Errorf("%s was right for the same and is at %d, before at %d", file, now, before)
		}
		if w := why(with, file); !strings.Contains(w, `right before for "A guest pays twice"`) {
			t.Errorf("the reasons are %s", w)
		}
	})
	t.Run("unlike", func(t *testing.T) {
		for what, k := range map[string]find.Known{
			"work about other things": {Earlier: []find.Earlier{{Files: []string{file}, Like: 0.05}}},
			"work without files":      {Earlier: []find.Earlier{{Like: 1, Text: query}}},
			"files that are gone":     {Earlier: []find.Earlier{{Files: []string{"gone/away.go", "", "../../etc/passwd", "/", "."}, Like: 1}}},
			"words about others":      {Said: []find.Said{{Path: file, Like: 0.1, Text: "x"}}},
			"a term of a gone file":   {Agreed: []find.Agreed{{Path: "gone/away.go", Text: "x"}}},
		} {
			if asText(t, ask(query, k)) != asText(t, plain) {
				t.Errorf("%s change the answer", what)
			}
		}
	})
	t.Run("moved", func(t *testing.T) {
		k := find.Known{Earlier: []find.Earlier{{Files: []string{"lib/shop/cart/voucher.go"}, Like: 0.9, Text: "x"}}}
		if w := why(ask(query, k), file); !strings.Contains(w, "right before") {
			t.Errorf("a file that moved has the reasons %q", w)
		}
	})
	t.Run("written", func(t *testing.T) {
		k := find.Known{Said: []find.Said{{Path: file, Like: 0.6, Text: `decided 2024-05-01: "x"`}}}
		if w := why(ask(query, k), file); !strings.Contains(w, `written down: decided 2024-05-01: "x"`) {
			t.Errorf("the reasons are %q", w)
		}
	})
	t.Run("about", func(t *testing.T) {
		asked := 0
		k := find.Known{About: func(_ context.Context, paths []string) ([]find.Said, error) {
			asked = len(paths)
			return []find.Said{{Path: paths[len(paths)-1], Like: 1, Text: "page"}, {Path: "gone/away.go", Like: 1}}, nil
		}}
		found := ask(query, k)
		i := slices.IndexFunc(found.Files, func(f find.FoundFile) bool { return slices.Contains(f.Why, "written down: page") })
		if asked == 0 || asked > 20 || i < 0 || i >= asked-1 {
			t.Errorf("asked of %d files, the last of them is at %d", asked, i)
		}
	})
	t.Run("agreed", func(t *testing.T) {
		found := ask("the nightly run of "+query, languageNames)
		if found.Files[0].Path != "src/worker/schedule.go" || found.Files[0].Why[0] != `agreed: "nightly run" means Schedule` {
			t.Errorf("first is %s: %v", found.Files[0].Path, found.Files[0].Why)
		}
	})
	t.Run("filters", func(t *testing.T) {
		for _, f := range ask("path:src/billing "+query, languageNames).Files {
			if !strings.HasPrefix(f.Path, "src/billing/") {
				t.Errorf("%s is outside of the filter", f.Path)
			}
		}
	})
	t.Run("many", func(t *testing.T) {
		var k find.Known
		for range 10_000 {
			k.Earlier = append(k.Earlier, find.Earlier{Files: slices.Repeat([]string{file, "gone/x.go"}, 1000), Like: 0.5})
			k.Said = append(k.Said, find.Said{Path: file, Like: 0.5})
			k.Agreed = append(k.Agreed, find.Agreed{Path: file})
		}
		if found := ask(query, k); place(found, file) < 0 {
			t.Error("what is remembered often is not found")
		}
	})
}

// TestKnownOf: what was right counts as long as more speaks for it than against it.
func TestKnownOf(t *testing.T) {
	hit := func(it memory.Item) memory.Hit {
		it.Pins = []memory.Pin{{Target: "a.go:F"}, {Target: "b.go"}}
		return memory.Hit{Item: &it, Reason: memory.Reason{Relevance: 0.4}}
	}
	got := find.FromMemory([]memory.Hit{
		hit(memory.Item{Kind: memory.Outcome, Text: "yes", Evidence: memory.Evidence{For: 1, Against: 1}}),
		hit(memory.Item{Kind: memory.Outcome, Text: "wrong", Evidence: memory.Evidence{Against: 1}}),
		hit(memory.Item{Kind: memory.Outcome, Text: "gone", Gone: true}),
		hit(memory.Item{Kind: memory.Edit, Text: "no outcome"}),
	})
	if len(got.Earlier) != 1 || got.Earlier[0].Text != "yes" || !slices.Equal(got.Earlier[0].Files, []string{"a.go", "b.go"}) || got.Earlier[0].Like != 0.4 {
		t.Errorf("got %+v", got)
	}
}

package agenttext

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"ken/internal/code"
)

// words counts words as tokens.
func words(text []byte) int { return len(bytes.Fields(text)) }

// choice returns a text whose first items cost as given.
func choice(costs []int, budget int, estimated bool) *Choice {
	c := &Choice{Items: len(costs), Budget: budget, Count: words, Render: func(n int) string {
		text := "head "
		for _, cost := range costs[:n] {
			text += strings.Repeat("x ", cost)
		}
		return text
	}}
	if estimated {
		c.Base, c.Cost = 1, func(i int) int { return costs[i] }
	}
	return c
}

// TestFit compares the fitter with a search of every number of items, where
// more items are more tokens.
func TestFit(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 2000 {
		costs := make([]int, r.IntN(12))
		for i := range costs {
			costs[i] = r.IntN(5)
		}
		budget := r.IntN(30)
		c := choice(costs, budget, r.IntN(2) == 0)
		c.Beyond = r.IntN(3)
		want := 0
		for n := 1; n <= len(costs) && words([]byte(c.Render(n))) <= budget; n++ {
			want = n
		}
		text, tokens, got, err := c.Fit()
		fits := want > 0 || len(costs) == 0 && budget >= 1
		switch {
		case fits != (err == nil):
			t.Fatalf("%v within %d: %v, want %d items", costs, budget, err, want)
		case err == nil && (got != want || text != c.Render(want) || tokens != words([]byte(text))):
			t.Fatalf("%v within %d: got %d items, %d tokens, want %d items", costs, budget, got, tokens, want)
		}
	}
}

// TestFitWrongEstimates gives estimates that are far off, in both directions.
func TestFitWrongEstimates(t *testing.T) {
	costs := []int{3, 3, 3, 3, 3, 3}
	for _, estimate := range []int{0, 1, 3, 50} {
		c := choice(costs, 10, true)
		c.Cost = func(int) int { return estimate }
		if _, tokens, n, err := c.Fit(); n != 3 || tokens != 10 || err != nil {
			t.Errorf("estimate %d: got %d items, %d tokens, %v", estimate, n, tokens, err)
		}
	}
}

// TestFitBeyond has a text that is shorter with all items than with all but one.
func TestFitBeyond(t *testing.T) {
	sizes := []int{0, 2, 4, 9, 8, 5}
	for beyond, want := range []int{2, 2, 2, 5} {
		c := &Choice{Items: 5, Budget: 5, Beyond: beyond, Count: words, Render: func(n int) string { return strings.Repeat("x ", sizes[n]) }}
		if _, _, n, err := c.Fit(); n != want || err != nil {
			t.Errorf("%d beyond: got %d items, want %d, %v", beyond, n, want, err)
		}
	}
}

var smallest = regexp.MustCompile(`the smallest that works is (\d+)`)

// TestFitTooSmall makes sure that the smallest budget that is named works.
func TestFitTooSmall(t *testing.T) {
	for _, estimated := range []bool{false, true} {
		_, _, _, err := choice([]int{4, 1}, 2, estimated).Fit()
		var usage *code.UsageError
		if !errors.As(err, &usage) {
			t.Fatalf("got %v", err)
		}
		least, _ := strconv.Atoi(smallest.FindStringSubmatch(usage.Reason)[1])
		if _, _, n, err := choice([]int{4, 1}, least, estimated).Fit(); n != 1 || err != nil {
			t.Errorf("budget %d: %d items, %v", least, n, err)
		}
		if _, _, n, err := choice([]int{4, 1}, Unlimited, estimated).Fit(); n != 2 || err != nil {
			t.Errorf("without a budget: %d items, %v", n, err)
		}
	}
}

// letters returns a block of parts a to e; it notes which are kept.
func letters(kept *string) *Block {
	b := &Block{Tag: "letters", Head: "head\n", Count: words}
	order := Order{First: 1, Step: 10}
	for i, name := range []string{"a", "b", "c"} {
		b.Parts = append(b.Parts, Part{Section: "First", Text: "- " + name + "\n", Rank: order.ItemRank(i), What: "letter",
			Keep: func() { *kept += name }})
	}
	b.Parts = append(b.Parts,
		Part{Section: "Second", Text: "**d**\n", Rank: 0, What: "capital", Gap: true, Keep: func() { *kept += "d" }},
		Part{Section: "Second", Text: strings.Repeat("e ", 20) + "\n", Rank: 40})
	return b
}

func TestBlock(t *testing.T) {
	most := "<letters>\n" + Notice + "\nhead\n\n### First\n\n- a\n- b\n- c\n\n### Second\n\n**d**\n"
	all := most + strings.Repeat("e ", 20) + "\n</letters>\n"
	for _, c := range []struct {
		budget int
		kept   string // of those that note it
		left   string
		text   string
	}{
		{Unlimited, "abcd", "", all},
		{41, "abcd", "", all},
		{40, "abcd", "1 detail", most + "\nLeft out for the budget: 1 detail.\n</letters>\n"},
		{27, "ad", "2 letters, 1 detail", "<letters>\n" + Notice + "\nhead\n\n### First\n\n- a\n\n### Second\n\n**d**\n\nLeft out for the budget: 2 letters, 1 detail.\n</letters>\n"},
		{22, "d", "3 letters, 1 detail", "<letters>\n" + Notice + "\nhead\n\n### Second\n\n**d**\n\nLeft out for the budget: 3 letters, 1 detail.\n</letters>\n"},
	} {
		kept := ""
		got, err := letters(&kept).Fit(c.budget)
		if err != nil || got.Text != c.text || got.LeftOut != c.left || kept != c.kept || got.Tokens != words([]byte(got.Text)) {
			t.Errorf("budget %d: kept %q, %+v, %v", c.budget, kept, got, err)
		}
	}
	kept := ""
	if _, err := letters(&kept).Fit(12); err == nil || kept != "" {
		t.Errorf("budget 12: kept %q, %v", kept, err)
	}
}

func TestText(t *testing.T) {
	for _, c := range [][2]string{
		{Text("a <b> & \x1b\n"), `a &lt;b&gt; &amp; \x1b\n`},
		{Code("a`b<"), "`a'b&lt;`"},
		{CodeList([]string{"a", "`"}), "`a`, `'`"},
		{CodeList(nil), ""},
		{Quote(`a "b" <c>`), `"a &quot;b&quot; &lt;c&gt;"`},
		{Clip(" a  b\n c ", 10), "a b c"},
		{Clip("one two three", 9), "one two…"},
		{Clip("onetwothree", 6), "onetwo…"},
		{Clip("日本語", 4), "日…"},
	} {
		if c[0] != c[1] {
			t.Errorf("got %q, want %q", c[0], c[1])
		}
	}
	if got := fmt.Sprint(Order{First: 2, Step: 3}.ItemRank(2)); got != "8" {
		t.Errorf("got %s", got)
	}
}

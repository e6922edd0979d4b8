package agenttext

import (
	"math"
	"sort"

	"ken/internal/code"
)

// Unlimited is the budget of a text that may have any number of tokens.
const Unlimited = math.MaxInt

// Choice asks how many of some items, the most important first, a text can show
// within a budget of tokens. Every decision counts the text as it would be
// printed, because tokens of parts do not add up to those of the whole.
type Choice struct {
	Items  int
	Budget int                    // tokens the text may have
	Count  func(text []byte) int  // tokens of a text
	Render func(items int) string // the text that shows the first so many items
	// Cost is about how many tokens an item adds to a text without any, which
	// has Base: adding them up leads near the answer in one pass. If it is nil,
	// the answer is found by bisection, for items whose cost depends on others.
	Cost func(item int) int
	Base int
	// Beyond is how many items more than the first number that is too many are
	// tried: an item more is nearly always more tokens, but not quite.
	Beyond int
}

// Fit returns the text that shows as many items as the budget allows, with its tokens and the number of items. It fails with a
// code.UsageError if not even one fits. The same choice always gives the same text.
func (c *Choice) Fit() (text string, tokens, items int, err error) {
	f := fitSearch{Choice: c, counted: map[int]int{}}
	n := f.estimateItems()
	for n > 0 && !f.fits(n) {
		n--
	}
	for n < c.Items && f.fits(n+1) {
		n++
	}
	for more := min(n+c.Beyond, c.Items); more > n+1; more-- {
		if f.fits(more) {
			n = more
			break
		}
	}
	if n == 0 && !(c.Items == 0 && f.fits(0)) {
		return "", 0, 0, code.Usagef("the budget of %d tokens is too small: the smallest that works is %d", c.Budget, f.tokens(min(1, c.Items)))
	}
	return f.text(n), f.tokens(n), n, nil
}

// fitSearch is the search for the largest number of items that fits into the budget.
type fitSearch struct {
	*Choice
	counted  map[int]int // tokens by number of items
	rendered string      // the text of
	items    int         // so many items, if it is not ""
}

func (f *fitSearch) text(n int) string {
	if f.rendered == "" || f.items != n {
		f.rendered, f.items = f.Render(n), n
	}
	return f.rendered
}

func (f *fitSearch) tokens(n int) int {
	t, ok := f.counted[n]
	if !ok {
		t = f.Count([]byte(f.text(n)))
		f.counted[n] = t
	}
	return t
}

func (f *fitSearch) fits(n int) bool { return f.tokens(n) <= f.Budget }

// estimateItems returns a number of items near the largest that fits, where the search begins.
func (f *fitSearch) estimateItems() int {
	if f.Cost == nil {
		return sort.Search(f.Items, func(n int) bool { return !f.fits(n + 1) })
	}
	n, sum := 0, f.Base
	for n < f.Items && sum <= f.Budget {
		sum += f.Cost(n)
		n++
	}
	return n
}

package calls

import (
	"strings"
	"testing"

	"ken/internal/code"
	"ken/internal/engine/view"
)

func TestOnSuper(t *testing.T) {
	for text, want := range map[string]bool{
		"super.|f()":              true,
		"super().|f()":            true,
		"super(Sub, self).\n  |f": true,
		"super::|f()":             true,
		"base.|f()":               true,
		"parent::|f()":            true,
		"self.|f()":               false,
		"x.super.|f()":            false,
		"mysuper.|f()":            false,
		"database.|f()":           false,
		"super + |f()":            false,
		"|f()":                    false,
		")).|f":                   false,
	} {
		before, after, _ := strings.Cut(text, "|")
		if got := onSuper([]byte(before+after), len(before)); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
	if onSuper([]byte("super."), 100) {
		t.Error("a place behind the end of a text that became shorter")
	}
}

// TestFollow compares which nodes of a level are followed, and what is said of
// the others.
func TestFollow(t *testing.T) {
	sym := func(id int64) *view.Symbol { return &view.Symbol{ID: id} }
	list := []*Node{
		{Symbol: sym(1), Confidence: code.Exact},
		{Symbol: sym(1), Confidence: code.Exact},
		{Symbol: sym(2), Confidence: code.Ambiguous},
		{Path: "a.py", Confidence: code.Exact},
	}
	met := map[int64]bool{}
	if got := nodesToExpand(list, met, false); len(got) != 1 || got[0] != list[0] {
		t.Errorf("followed %v", got)
	}
	if list[0].Open || list[0].Elsewhere || !list[1].Elsewhere || !list[2].Open || list[3].Open {
		t.Error("a node is not marked right")
	}
	last := []*Node{{Symbol: sym(3), Confidence: code.Exact}}
	if got := nodesToExpand(last, met, true); len(got) != 0 || !last[0].Open || met[3] {
		t.Error("the last level is followed")
	}
}

package edit_test

import (
	"testing"

	"ken/internal/workflow/plan/edit"
)

func TestApply(t *testing.T) {
	const text = "one two three"
	for _, c := range []struct {
		edits []edit.Edit
		want  string
	}{
		{nil, text},
		{[]edit.Edit{{edit.Span{Start: 4, End: 7}, "2"}}, "one 2 three"},
		{[]edit.Edit{{edit.Span{Start: 8, End: 13}, "3"}, {edit.Span{Start: 0, End: 3}, "1"}}, "1 two 3"},
		{[]edit.Edit{{edit.Span{Start: 3, End: 3}, "a"}, {edit.Span{Start: 3, End: 3}, "b"}}, "oneab two three"},
		{[]edit.Edit{{edit.Span{Start: 3, End: 7}, ""}, {edit.Span{Start: 3, End: 3}, "!"}}, "one! three"},
	} {
		got, err := edit.Apply(text, c.edits)
		if err != nil || got != c.want {
			t.Errorf("%v: %q (%v), want %q", c.edits, got, err, c.want)
		}
	}
	for _, bad := range [][]edit.Edit{
		{{edit.Span{Start: 0, End: 4}, ""}, {edit.Span{Start: 3, End: 5}, ""}},
		{{edit.Span{Start: 5, End: 4}, ""}},
		{{edit.Span{Start: 5, End: 40}, ""}},
	} {
		if got, err := edit.Apply(text, bad); err == nil {
			t.Errorf("%v: %q, want an error", bad, got)
		}
	}
}

// TestTo: what is so already is no edit.
func TestTo(t *testing.T) {
	if e := edit.Replacement("a b", edit.Span{Start: 2, End: 3}, "b"); e != nil {
		t.Errorf("%v", e)
	}
	if e := edit.Replacement("a b", edit.Span{Start: 2, End: 3}, "c"); len(e) != 1 {
		t.Errorf("%v", e)
	}
}

func TestTrim(t *testing.T) {
	const text = " a \t"
	for _, c := range []struct{ in, want edit.Span }{
		{edit.Span{Start: 0, End: 4}, edit.Span{Start: 1, End: 2}},
		{edit.Span{Start: 2, End: 4}, edit.Span{Start: 2, End: 2}},
	} {
		if got := c.in.Trim(text); got != c.want {
			t.Errorf("%v: %v, want %v", c.in, got, c.want)
		}
	}
}

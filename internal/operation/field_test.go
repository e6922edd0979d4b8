package operation

import (
	"strings"
	"testing"
)

func TestCheck(t *testing.T) {
	type input struct {
		Name  string   `arg:"NAME" help:"h"`
		Files []string `arg:"[FILE…]" help:"h"`
		Kind  string   `flag:"kind" enum:"a,b" help:"h"`
		Depth int      `flag:"depth" default:"3" help:"h"`
		Limit *int     `flag:"limit" help:"h"`
	}
	minus := -1
	tl := Spec[struct{}, input, struct{}]{Name: "x"}.Tool()
	if got := tl.Usage(); got != "x NAME [FILE…]" {
		t.Errorf("usage is %q", got)
	}
	if in := tl.NewInput().(*input); in.Depth != 3 || in.Limit != nil {
		t.Errorf("defaults are %+v", in)
	}
	for _, c := range []struct {
		in   input
		want string // part of the message, "" for none
	}{
		{input{Name: "n"}, ""},
		{input{Name: "n", Kind: "b", Files: []string{"f"}}, ""},
		{input{}, "NAME is missing"},
		{input{Name: "n", Kind: "c"}, `--kind is "c"; it can be a, b`},
		{input{Name: "n", Files: []string{""}}, "FILE is empty"},
		{input{Name: "a\x00b"}, "NUL"},
		{input{Name: strings.Repeat("x", maxText+1)}, "at most 65536"},
		{input{Name: "n", Files: []string{strings.Repeat("x", maxText+1)}}, "at most 65536"},
		{input{Name: "n", Depth: -1}, "--depth is -1"},
		{input{Name: "n", Limit: &minus}, "--limit is -1"},
	} {
		err := tl.check(&c.in)
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%.60v: got %v, want %q", c.in, err, c.want)
		}
	}
}

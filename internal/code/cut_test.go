package code_test

import (
	"strings"
	"testing"

	"ken/internal/code"
)

func TestCutLength(t *testing.T) {
	const key = "kT9vLq2Zx81mWpRbN4sD"
	for _, c := range []struct {
		text string
		n    int
		want string
	}{
		{"short", 10, "short"},
		{"plain words of a text", 10, "plain word"},
		{"für", 2, "f"},
		{"key " + key + " end", 10, "key "},
		{"key " + key + " end", 24, "key " + key},
		{"key " + key + " end", 4, "key "},
		{key + " end", 10, ""},
		{"AVeryLongNameWithoutAnyDigits", 10, "AVeryLongN"},
		{"name short1 word", 8, "name sho"},
		{strings.Repeat("a1", 100), 150, strings.Repeat("a1", 75)},
		{"", 0, ""},
	} {
		if got := c.text[:code.CutLength(c.text, c.n)]; got != c.want {
			t.Errorf("%q cut to %d: got %q, want %q", c.text, c.n, got, c.want)
		}
	}
}

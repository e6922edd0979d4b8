package source

import (
	"testing"
)

func TestGlobs(t *testing.T) {
	for _, c := range []struct {
		patterns []string
		path     string
		want     bool
	}{
		{nil, "a.go", false},
		{[]string{"*.go"}, "a.go", true},
		{[]string{"*.go"}, "x/y/a.go", true},
		{[]string{"*.go"}, "a.go/b", true},
		{[]string{"*.go"}, "a.gone", false},
		{[]string{"/src/"}, "src/a/b.ts", true},
		{[]string{"/src/"}, "lib/src/b.ts", false},
		{[]string{"src/**/*.ts"}, "src/a/b.ts", true},
		{[]string{"src", "!src/keep.ts"}, "src/keep.ts", false},
		{[]string{"src", "!src/keep.ts"}, "src/drop.ts", true},
		{[]string{"docs/"}, "docs", false},
		{[]string{"[", "# no", ""}, "# no", false},
	} {
		if got := NewGlobs(c.patterns).Match(c.path); got != c.want {
			t.Errorf("%q, %s: %v", c.patterns, c.path, got)
		}
	}
}

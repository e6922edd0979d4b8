package render

import (
	"strings"
	"testing"

	"ken/internal/ask/brief"
	"ken/internal/engine/view"
)

// TestShortLines shows the reasons of the first tests only, and paths once: neither past commits nor the order repeat them.
func TestShortLines(t *testing.T) {
	b := &brief.Brief{Goal: "g", Steps: []brief.BriefStep{{Path: "a/b/one.go"}, {Path: "a/b/two.go"}, {Path: "a/c/two.go"}}}
	for _, name := range strings.Fields("a b c d e f") {
		b.Tests = append(b.Tests, brief.BriefTest{Path: name + "_test.go", Covers: []string{name + ".go"}})
	}
	b.Commits = []view.PastCommit{{Hash: "0123456789ab", Subject: "s", Files: []string{"a/b/one.go"}, Changed: 4}}
	text := ""
	for _, p := range BriefBlock(b, &Brief{}, nil, nil).Parts {
		text += p.Text
	}
	for _, want := range []string{"- `e_test.go` - covers e.go\n- `f_test.go`\n", "1. `one.go`\n2. `b/two.go`\n3. `c/two.go`\n", `"s", 4 files` + "\n"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is missing in\n%s", want, text)
		}
	}
}

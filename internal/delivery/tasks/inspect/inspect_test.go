package inspect

import (
	"strings"
	"testing"

	"ken/internal/operation"
)

// TestLeftOut: of differences that were cut only those lines count as shown that were sent, and an answer that goes on adds to them.
func TestLeftOut(t *testing.T) {
	r := Row{Path: "a.go", ID: "0a1b", Patch: "@@ -1,2 +1,3 @@ 77\n a\n-b\n+c\n+d\n"}
	text := "a.go  modified  0a1b \n  debug-print  likely  line 2\n" + strings.Join(r.PatchLines(), "\n")
	lines := strings.Split(text, "\n")
	cut := func(from, to int) *operation.Sent { return &operation.Sent{Text: strings.Join(lines[from:to], "\n")} }
	for _, c := range []struct {
		name  string
		sent  *operation.Sent
		same  bool
		left  int
		want  int
		begun bool
	}{
		{"all", cut(0, 7), false, 0, 0, true},
		{"whole", &operation.Sent{Whole: true}, false, 0, 0, true},
		{"the head alone", cut(0, 1), false, 0, 5, true},
		{"a part", cut(0, 5), false, 0, 2, true},
		{"the rest", cut(5, 7), true, 2, 0, true},
		{"the rest again", cut(4, 7), true, 2, 0, true},
		{"a part of the rest", cut(5, 6), true, 2, 1, true},
		{"the rest with a gap", cut(6, 7), true, 2, 2, true},
		{"the rest without the beginning", cut(5, 7), false, 0, 5, false},
		{"another change", &operation.Sent{Text: "b.go  modified  0a1b \n" + strings.Join(r.PatchLines(), "\n")}, false, 0, 5, false},
		{"nothing", &operation.Sent{}, false, 0, 5, false},
		{"JSON", &operation.Sent{JSON: true, Text: `{"changes":[{"id":"0a1b","diff":"@@ -1,2 +1,3 @@ 77\n a\n-b\n+c\n+d\n"}]}`}, false, 0, 0, true},
		{"JSON that was cut", &operation.Sent{JSON: true, Text: `{"changes":[]}`}, false, 0, 5, false},
	} {
		if left, begun := r.LeftOut(c.sent, c.same, c.left); left != c.want || begun != c.begun {
			t.Errorf("%s: %d %v, want %d %v", c.name, left, begun, c.want, c.begun)
		}
	}
}

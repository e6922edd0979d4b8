package secret

import (
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"ken/internal/engine/source/secret/sample"
)

// TestBounds holds how far the readers look. A line of testdata/bounds.txt is "N FILL TEXT": with N times FILL in the place of ¦ what is
// marked in TEXT is found, and with one time more it is not.
func TestBounds(t *testing.T) {
	data, err := os.ReadFile("testdata/bounds.txt")
	if err != nil {
		t.Fatal(err)
	}
	e := New()
	for i, line := range strings.Split(string(data), "\n") {
		if line == "" || line[0] == '#' {
			continue
		}
		f := strings.SplitN(line, " ", 3)
		n, err := strconv.Atoi(f[0])
		if err != nil || len(f) != 3 || !strings.Contains(f[2], "¦") {
			t.Fatalf("bounds.txt:%d: %q", i+1, line)
		}
		fill := strings.ReplaceAll(f[1], "␣", " ")
		isFound := func(n int) bool {
			text, spans, err := sample.Expand("bounds", strings.Replace(f[2], "¦", strings.Repeat(fill, n), 1))
			if err != nil {
				t.Fatalf("bounds.txt:%d: %v", i+1, err)
			}
			return slices.Equal(spansOf(e.Find(nil, text)), spans)
		}
		if !isFound(n) || isFound(n+1) {
			last := -1
			for k := range 6000 {
				if isFound(k) {
					last = k
				}
			}
			t.Errorf("bounds.txt:%d: found with %d: %v, with one more: %v; the last that is found is %d", i+1, n, isFound(n), isFound(n+1), last)
		}
	}
}

package memories

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"ken/internal/knowledge/memory"
)

var now = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

// TestTrend: it follows the evidence, not the number of items or their age.
func TestTrend(t *testing.T) {
	points := func(good, bad []int64) (out []memory.Point) {
		p := memory.Point{}
		for i := range good {
			p.For, p.Against = p.For+good[i], p.Against+bad[i]
			out = append(out, p)
		}
		return out
	}
	for _, c := range []struct {
		good, bad []int64
		want      string
	}{
		{nil, nil, "unknown"},
		{[]int64{0, 0, 0, 0}, []int64{0, 0, 0, 0}, "unknown"},
		{[]int64{0, 5, 5, 9, 9}, []int64{0, 5, 5, 1, 1}, "improving"},
		{[]int64{0, 9, 9, 5, 5}, []int64{0, 1, 1, 5, 5}, "declining"},
		{[]int64{0, 9, 9, 9, 9}, []int64{0, 1, 1, 1, 1}, "stable"},
		{[]int64{0, 9, 9, 1, 1}, []int64{0, 1, 1, 0, 0}, "unknown"},
	} {
		if got := evidenceTrend(points(c.good, c.bad)); got != c.want {
			t.Errorf("%v %v: %s, want %s", c.good, c.bad, got, c.want)
		}
	}
}

// TestRead: both shapes of an auto-memory-store.json, entries that are none, and files that are none.
func TestRead(t *testing.T) {
	file := filepath.Join(t.TempDir(), "store.json")
	for _, c := range []struct{ text, want, left string }{
		{`[]`, "", ""}, {`{"entries":[]}`, "", ""},
		{`[{"content":"a fact","createdAt":1700000000000,"metadata":{"sourceFile":"src/a.ts","confidence":0.99,"accessCount":7}}]`, "2023-11-14 a fact src/a.ts", ""},
		{"\ufeff" + `{"entries":[{"content":"x","summary":"s","createdAt":"2024-01-02T03:04:05Z"}]}`, "2024-01-02 s: x", ""},
		{`[{"summary":"only"},{"content":"  "},17,null,{"content":5}]`, "2026-03-01 only", "entry 1: it has no content|entry 2: it is no object of the known form|entry 3: it has no content|entry 4: it is no object of the known form"},
		{`[{"content":"late","createdAt":9e12,"metadata":{"sourceFile":"/etc/passwd"}},{"content":"odd","createdAt":{},"metadata":{"sourceFile":"../up.go"}}]`,
			"2026-03-01 late|2026-03-01 odd", ""},
		{`{"a":1}`, "error", ""}, {`[`, "error", ""}, {``, "error", ""}, {`"text"`, "error", ""}, {strings.Repeat("[", 100_000), "error", ""},
	} {
		if err := os.WriteFile(file, []byte(c.text), 0o600); err != nil {
			t.Fatal(err)
		}
		a := &importResult{}
		items, err := a.readAutoMemory(file, now)
		var got []string
		for _, it := range items {
			line := it.At.Format(time.DateOnly) + " "
			if it.Topic != "" {
				line += it.Topic + ": "
			}
			line += it.Text
			for _, p := range it.Pins {
				line += " " + p.Target
			}
			got = append(got, line)
			if it.For+it.Against+it.Used != 0 {
				t.Errorf("%s: what was found out elsewhere is kept: %+v", c.text, it)
			}
		}
		if err != nil {
			got = []string{"error"}
		}
		if text := strings.Join(got, "|"); text != c.want || strings.Join(a.Reasons, "|") != c.left {
			t.Errorf("%.80s: %q, want %q; %q, want %q", c.text, text, c.want, a.Reasons, c.left)
		}
	}
	for _, path := range []string{filepath.Dir(file), filepath.Join(filepath.Dir(file), "none")} {
		if _, err := (&importResult{}).readAutoMemory(path, now); err == nil {
			t.Errorf("%s was read", path)
		}
	}
}

package describe

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "rewrite the golden file")

// TestLines marks every line of a sample that describes a name, and no other.
func TestLines(t *testing.T) {
	const sample = "testdata/samples.txt"
	data, err := os.ReadFile(sample)
	if err != nil {
		t.Fatal(err)
	}
	names := Names{"PriceOf": Term, "max_size": Term, "Start": Word, "price": Word, "単価": Word, "run": Common}
	var text, want strings.Builder
	for line := range strings.Lines(string(data)) {
		body, _, _ := strings.Cut(line, "  ⟸ ")
		body = strings.TrimSuffix(body, "\n")
		if strings.HasPrefix(body, "== sample ") {
			check(t, names, &text, &want)
			fmt.Fprintln(&want, body)
			continue
		}
		fmt.Fprintln(&text, body)
	}
	check(t, names, &text, &want)
	if *update {
		if err := os.WriteFile(sample, []byte(want.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if d := cmp.Diff(string(data), want.String()); d != "" {
		t.Errorf("read the difference, then go test ./internal/ask/impact/describe -update (-in the file, +found):\n%s", d)
	}
}

// check writes the text of one sample with what was found on its lines.
func check(t *testing.T, names Names, text, want *strings.Builder) {
	t.Helper()
	found := map[int]Line{}
	for _, l := range Lines([]byte(text.String()), names, 100) {
		found[l.Number] = l
	}
	n := 0
	for line := range strings.Lines(text.String()) {
		n++
		want.WriteString(strings.TrimSuffix(line, "\n"))
		if l, ok := found[n]; ok {
			fmt.Fprintf(want, "  ⟸ %s: %s", l.As, l.Name)
		}
		want.WriteByte('\n')
	}
	text.Reset()
}

func TestMost(t *testing.T) {
	text := []byte(strings.Repeat("# PriceOf\n", 50))
	if got := Lines(text, Names{"PriceOf": Term}, 7); len(got) != 7 || got[6].Number != 7 {
		t.Errorf("%v", got)
	}
	if got := Lines(text, nil, 7); got != nil {
		t.Errorf("without names: %v", got)
	}
}

func FuzzLines(f *testing.F) {
	for _, s := range []string{"`", "- **`", "|", ".. ", "#", "<h", "::", "\n---\n---", "\xff\xfe\n===", "- `a` (", "1. `"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		lines := strings.Count(text, "\n") + 1
		for _, l := range Lines([]byte(text), Names{"a": Term, "Start": Word, "b": Common}, 1<<20) {
			if l.Number < 1 || l.Number > lines || l.Name == "" || l.As == "" {
				t.Errorf("%+v of %d lines", l, lines)
			}
		}
	})
}

package code_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"ken/internal/code"
)

func TestSlug(t *testing.T) {
	for path, want := range map[string]string{
		"src/lib/db.ts": "src-lib-db", "/src/db.ts": "src-db", "README.md": "readme", "a__b/C d.go": "a-b-c-d", ".env": "env",
		"src/.hidden": "src-hidden", "x.test.ts": "x-test", "naïve/é.py": "naïve-é", "\xff\xfe.c": "file", "...": "file", "": "file", "a/Z9.rs": "a-z9",
		"dir/": "dir", "--x--.go": "x",
	} {
		if got := code.Slug(path); got != want {
			t.Errorf("Slug(%q) = %q, want %q", path, got, want)
		}
	}
}

func TestPurpose(t *testing.T) {
	for doc, want := range map[string]string{
		"":                                "",
		"Keeps prices. It is small.":      "Keeps prices.",
		"Runs\n  e.g. nightly.  Then x":   "Runs e.g. nightly.",
		"What is it? Nobody knows":        "What is it?",
		"Version 1.2 of the format":       "Version 1.2 of the format",
		"Stop! Now.":                      "Stop!",
		"no end":                          "no end",
		"Compares a vs. b. And more":      "Compares a vs. b.",
		"Ends here.":                      "Ends here.",
		strings.Repeat("long words ", 40): strings.TrimSpace(strings.Repeat("long words ", 17)) + " long…",
		strings.Repeat("é", 150):          strings.Repeat("é", 98) + "…",
	} {
		got := code.Purpose(code.File{Doc: doc})
		if got != want {
			t.Errorf("purpose of %q is %q, want %q", doc, got, want)
		}
		if len(got) > 200 || !utf8.ValidString(got) {
			t.Errorf("%d bytes: %q", len(got), got)
		}
	}
}

func TestComplexity(t *testing.T) {
	for _, c := range []struct {
		lines, branches uint32
		problem         code.Problem
		want            string
	}{
		{100, 0, "", "low"}, {100, 19, "", "low"}, {100, 20, "", "medium"}, {1000, 99, "", "medium"}, {1000, 100, "", "high"},
		{28, 7, "", "low"}, {32, 8, "", "medium"}, {33, 8, "", "low"}, {80, 20, "", "high"}, {10, 200, "", "high"},
		{0, 5, "", ""}, {10, 5, code.ProblemBinary, ""},
	} {
		if got := code.Complexity(code.File{Lines: c.lines, Branches: c.branches, Problem: c.problem}); got != c.want {
			t.Errorf("%d lines, %d branches, problem %q: %q, want %q", c.lines, c.branches, c.problem, got, c.want)
		}
	}
}

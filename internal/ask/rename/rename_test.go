package rename

import (
	"strings"
	"testing"
)

func TestIsName(t *testing.T) {
	for name, want := range map[string]bool{
		"a": true, "_a9": true, "$x": true, "été": true, "empty?": true, "save!": true,
		"": false, "9a": false, "a b": false, "a.b": false, "?": false, "a-b": false, "a\n": false, "!x": false,
	} {
		if got := IsName(name); got != want {
			t.Errorf("%q: %v", name, got)
		}
	}
}

// TestWritePatch compares the patch of two names in one line, of a last line without
// line feed, and of a path that git puts in quotes.
func TestWritePatch(t *testing.T) {
	line := []byte("f(f)\r")
	places := []Place{
		{Path: "a\n.py", Line: 3, Start: 10, End: 11, line: line, at: 10},
		{Path: "a\n.py", Line: 3, Start: 12, End: 13, line: line, at: 10},
		{Path: "a\n.py", Line: 9, Start: 40, End: 41, line: []byte("f"), at: 40, last: true},
		{Path: "b.py", Line: 1, Unsure: masked, line: []byte("***")},
		{Path: "c.py", Line: 1, Unsure: changed},
	}
	var b strings.Builder
	if err := WritePatch(&b, places, "gg", map[string]string{"b.py": "c.py"}); err != nil {
		t.Fatal(err)
	}
	want := "diff --git \"a/a\\012.py\" \"b/a\\012.py\"\n--- \"a/a\\012.py\"\n+++ \"b/a\\012.py\"\n" +
		"@@ -3 +3 @@\n-f(f)\r\n+gg(gg)\r\n@@ -9 +9 @@\n-f\n\\ No newline at end of file\n+gg\n\\ No newline at end of file\n"
	if b.String() != want {
		t.Errorf("got\n%q\nwant\n%q", b.String(), want)
	}
}

// TestShortForm marks the name with brackets, and with a bar where its short form begins.
func TestShortForm(t *testing.T) {
	for _, text := range []string{
		"Config { |[x] }", "Config { a: 1, |[x], b }", "let Config { |ref mut [x], .. } = c", "{|[x]}", "({ |[x] = 1 }: Box) => x", "{\n  a,\n  |[x],\n}",
		"Config { [x]: 1 }", "c.[x] }", "{ a: c.[x], b }", "[x]", "{ [x] == 1 }", "{ [x] => 1 }", "{ [x]() {} }", "f([x])", "{ a: &mut [x] }", "",
	} {
		plain := strings.NewReplacer("[", "", "]", "", "|", "").Replace(text)
		start := strings.Index(strings.ReplaceAll(text, "|", ""), "[")
		want := strings.Index(text, "|")
		if start < 0 {
			start = 0
		}
		if got := shortForm([]byte(plain), start, min(start+1, len(plain))); got != want {
			t.Errorf("%q: %d, want %d", text, got, want)
		}
	}
}

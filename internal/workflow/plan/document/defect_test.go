package document_test

import (
	"testing"

	"ken/internal/workflow/plan/document"
)

// TestDefect: the whole text is looked at for what is no text and for conflicts, its front matter for what is no YAML.
func TestDefect(t *testing.T) {
	for _, test := range []struct{ name, text, want string }{
		{"nothing", "", ""},
		{"plain", "# A\n\n---\n\nb: [c\n", ""},
		{"front matter", "---\na: b\n---\n\nc: [d\n", ""},
		{"a key twice", "---\na: b\na: c\n---\n", ""},
		{"a second block", "---\na: b\n---\n---\nc: d\n---\n", ""},
		{"a fence without an end", "```\na\n", ""},
		{"signs in a line", "a <<<<<<< b\n", ""},
		{"byte order mark", "\ufeff---\na: [b\n---\n", "line 2: the list or map in brackets is not closed"},
		{"not closed", "---\na: b\n\n# C\n", "line 1: the front matter has no end: a line --- is missing"},
		{"a rule", "---\n\nA rule above.\n", ""},
		{"a quote", "---\na: \"b\n---\n", "line 2: the quote is not closed"},
		{"a conflict", "---\na: b\n---\n\n<<<<<<< HEAD\nc\n=======\nd\n>>>>>>> e\n", "line 5: a merge conflict is not resolved"},
		{"a conflict in front matter", "---\na: b\n<<<<<<< HEAD\nc: d\n=======\nc: e\n>>>>>>> e\n---\n", "line 3: a merge conflict is not resolved"},
		{"a NUL", "---\na: b\n---\nc\x00\n", "line 4: a NUL byte"},
		{"Latin-1", "a\ncaf\xe9\n", "line 2: bytes that are not UTF-8"},
	} {
		got := ""
		if p := document.Defect(test.text); p != nil {
			got = p.Error()
		}
		if got != test.want {
			t.Errorf("%s: got %q, want %q", test.name, got, test.want)
		}
	}
}

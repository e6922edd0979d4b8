package outcome

import (
	"os"
	"strings"
	"testing"
	"unicode/utf8"
)

// TestComplaints: of the prompts of the table each complaint is found as what it is, and what is none is none.
func TestComplaints(t *testing.T) {
	text, err := os.ReadFile("testdata/prompts.txt")
	if err != nil {
		t.Fatal(err)
	}
	seen := 0
	for line := range strings.Lines(string(text)) {
		want, prompt, ok := strings.Cut(strings.TrimSpace(line), "\t")
		if strings.HasPrefix(line, "#") || !ok {
			continue
		}
		seen++
		c, found := FindComplaint(strings.ReplaceAll(prompt, `\n`, "\n"))
		switch {
		case want == "-" && found:
			t.Errorf("%q is taken for a complaint: %+v", prompt, c)
		case want != "-" && (!found || string(c.Kind) != want):
			t.Errorf("%q: %+v, want %s", prompt, c, want)
		case found && (c.Confidence < MinConfidence || c.Confidence > 1):
			t.Errorf("%q: %+v", prompt, c)
		}
	}
	if seen < 80 {
		t.Errorf("only %d prompts", seen)
	}
}

// TestPhrases: every phrase is found at the beginning of a prompt that refers to work before, so that no row is dead.
func TestPhrases(t *testing.T) {
	for _, p := range append(english[:], japanese[:]...) {
		if p.text != strings.ToLower(p.text) || p.weight <= 0 || p.weight > 1 {
			t.Errorf("%+v", p)
		}
		c, ok := FindComplaint(strings.TrimSuffix(p.text, "*") + ", your change is " + strings.TrimSuffix(p.text, "*"))
		if !ok {
			t.Errorf("%q is not found: %+v", p.text, c)
		}
	}
	for _, h := range harmless {
		if h != strings.ToLower(h) {
			t.Errorf("%q is not in lower case", h)
		}
	}
}

// TestLongPrompt: a pasted log does not make a complaint of a task, and a long prompt costs no more than its beginning.
func TestLongPrompt(t *testing.T) {
	log := strings.Repeat("2026-01-01 worker 3: request fails, wrong status, error occurs, it crashes\n", 100)
	if c, ok := FindComplaint("Make the report shorter.\n\n" + log); ok {
		t.Errorf("%+v", c)
	}
	if _, ok := FindComplaint("That doesn't work:\n\n" + log); !ok {
		t.Error("the complaint before a pasted log is not found")
	}
}

func FuzzComplaint(f *testing.F) {
	f.Add("That's not it. 「違う」")
	f.Add("```doesn't work")
	f.Fuzz(func(t *testing.T, text string) {
		c, ok := FindComplaint(text)
		if ok != (c.Confidence >= MinConfidence-1e-9) || !utf8.ValidString(c.Phrase) {
			t.Errorf("%+v, %v", c, ok)
		}
	})
}

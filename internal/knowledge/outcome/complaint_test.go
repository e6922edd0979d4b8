package outcome

import (
	"encoding/json"
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
	var all []phrase
	for _, w := range wordings {
		if len(w.phrases) < 20 {
			t.Errorf("%s has only %d phrases", w.language, len(w.phrases))
		}
		all = append(all, w.phrases...)
	}
	for _, p := range all {
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

// TestComplaintsOfLanguages: of complaints in everyday words at least 90 % are found, and of tasks beside them none. Rows that are not found stay in the file.
func TestComplaintsOfLanguages(t *testing.T) {
	text, err := os.ReadFile("testdata/languages.txt")
	if err != nil {
		t.Fatal(err)
	}
	all, found := 0, 0
	for line := range strings.Lines(string(text)) {
		sign, prompt, ok := strings.Cut(strings.TrimSpace(line), "\t")
		if strings.HasPrefix(line, "#") || !ok {
			continue
		}
		c, complains := FindComplaint(prompt)
		switch {
		case sign == "-" && complains:
			t.Errorf("%q is taken for a complaint: %+v", prompt, c)
		case sign == "+" && complains:
			found++
			fallthrough
		case sign == "+":
			if all++; !complains {
				t.Logf("not found: %q", prompt)
			}
		}
	}
	if all < 100 || found*10 < all*9 {
		t.Errorf("%d of %d complaints are found", found, all)
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

// TestTasks: few of the tasks that others wrote are taken for complaints. KEN_TASKS names a file with a JSON object a line, whose
// "query" is one, such as that of bench/find.
func TestTasks(t *testing.T) {
	path := os.Getenv("KEN_TASKS")
	if path == "" {
		t.Skip("KEN_TASKS names no file of tasks")
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	all, found := 0, 0
	for line := range strings.Lines(string(text)) {
		var task struct{ Query string }
		if json.Unmarshal([]byte(line), &task) != nil {
			continue
		}
		all++
		if c, ok := FindComplaint(task.Query); ok {
			found++
			t.Logf("%+v: %.80q", c, task.Query)
		}
	}
	t.Logf("%d of %d tasks are taken for complaints", found, all)
	if found*50 > all {
		t.Errorf("more than 2 %% are")
	}
}

func BenchmarkComplaint(b *testing.B) {
	text := strings.Repeat("please look at the words of this long prompt and do what is asked of you. ", 40)
	for b.Loop() {
		FindComplaint(text)
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

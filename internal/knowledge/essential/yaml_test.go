package essential

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"
	"github.com/google/go-cmp/cmp"

	"ken/internal/knowledge/textfile"
)

const hand = `# ours, please keep
essential_docs:
  source: "docs/architecture"  # the folder
  summaries:
    - file: "overview.md"
      path: "docs/architecture/overview.md"
      summary: |    # written by the model
        3-layer architecture (Controller/Service/Repository).

        Business logic must be in Service layer.
      content_hash: "abc12345"
      extra_notes: |
        # not a comment
        - Exception: CRUD can bypass the Service layer
      owner: {team: core}
    # a comment between
    - file: other.md
      summary: plain text
        that goes on
project_rules:
  source: 'CLAUDE.md'
  summary: "DO: \"test\""
  content_hash: def45678
  extra_notes: ""

document_search:
  include_patterns: ["**/*.md", '**/README*']   # two
  exclude_patterns:
  - "CHANGELOG*.md"
  - docs/archive/**
doc_research: {enabled: true}
last_synced: "2025-01-14T10:00:00"
`

func loaded(t *testing.T, text string) (*Context, string) {
	t.Helper()
	root := t.TempDir()
	if err := textfile.Replace(root, Path, text); err != nil {
		t.Fatal(err)
	}
	return Load(root), root
}

// TestHandWritten: what people write is read, and what ken changes leaves every other line as it is.
func TestHandWritten(t *testing.T) {
	c, root := loaded(t, hand)
	want := []Document{
		{Kind: Design, Path: "docs/architecture/overview.md", Summary: "3-layer architecture (Controller/Service/Repository).\n\nBusiness logic must be in Service layer.",
			Hash: "abc12345", Notes: "# not a comment\n- Exception: CRUD can bypass the Service layer", Kept: Path},
		{Kind: Design, Path: "docs/architecture/other.md", Summary: "plain text that goes on", Kept: Path},
		{Kind: Rules, Path: "CLAUDE.md", Summary: `DO: "test"`, Hash: "def45678", Kept: Path},
	}
	if diff := cmp.Diff(want, c.Documents); diff != "" || len(c.Broken) > 0 {
		t.Fatalf("%v\n-want +got\n%s", c.Broken, diff)
	}
	if diff := cmp.Diff(Search{[]string{"**/*.md", "**/README*"}, []string{"CHANGELOG*.md", "docs/archive/**"}}, c.Search); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
	for _, d := range []Document{
		{Kind: Design, Path: "docs/architecture/overview.md", Summary: "New: it has\n\n  two lines # and a mark", Hash: "0011223344", By: Agent},
		{Kind: Rules, Path: "CLAUDE.md", Summary: "DON'T:\n- push", Hash: "5566778899", By: Extracted},
		{Kind: Design, Path: "docs/architecture/other.md", Summary: "short", Hash: "99887766", By: Agent},
		{Kind: Rules, Path: "sub/AGENTS.md", Summary: "- x: y", Hash: "1234567890", By: Agent},
		{Kind: Design, Path: "docs/ÄÖ/日本.md", Summary: "設計", Hash: "aabbccddee", By: Agent, Notes: "kept"},
	} {
		if err := c.Put(d); err != nil {
			t.Fatalf("%s: %v", d.Path, err)
		}
	}
	if err := c.Write(root, "2026-01-01T00:00:00Z"); err != nil {
		t.Fatal(err)
	}
	b, _ := os.ReadFile(filepath.Join(root, Path))
	golden(t, "testdata/hand.yml", string(b))
	var v map[string]any
	if err := yaml.Unmarshal(b, &v); err != nil {
		t.Fatal(err)
	}
	for _, d := range Load(root).Documents {
		if d.Summary == "" || len(d.Hash) < minHash {
			t.Errorf("%+v", d)
		}
	}
}

func golden(t *testing.T, file, got string) {
	t.Helper()
	if os.Getenv("KEN_UPDATE") != "" {
		os.WriteFile(file, []byte(got), 0o644)
	}
	want, err := os.ReadFile(file)
	if diff := cmp.Diff(string(want), got); err != nil || diff != "" {
		t.Errorf("%v -want +got\n%s", err, diff)
	}
}

// TestNew: a file that ken makes is YAML as others read it, and holds what was put.
func TestNew(t *testing.T) {
	root := t.TempDir()
	c := Load(root)
	docs := []Document{
		{Kind: Rules, Path: "CLAUDE.md", Summary: "DO:\n- a: b\n  - c # d\n\nDON'T:\n- \"e\"", Hash: "0011223344", By: Extracted},
		{Kind: Design, Path: "docs/design.md", Summary: "   begins with blanks\nand goes on", Hash: "0011223355", By: Agent, Notes: "- mine"},
		{Kind: Design, Path: "docs/x: y #1.md", Summary: strings.Repeat("long ", 100), Hash: "0011223366", By: Agent},
	}
	for i := range docs {
		docs[i].Summary = strings.TrimRight(docs[i].Summary, " ")
		if docs[i].Path == "docs/design.md" {
			docs[i].Summary = strings.TrimSpace(docs[i].Summary)
		}
		if err := c.Put(docs[i]); err != nil {
			t.Fatal(err)
		}
	}
	if err := c.Write(root, "2026-01-01T00:00:00Z"); err != nil {
		t.Fatal(err)
	}
	b, _ := os.ReadFile(filepath.Join(root, Path))
	var v struct {
		Docs  struct{ Summaries []map[string]string } `yaml:"essential_docs"`
		Rules struct{ Summaries []map[string]string } `yaml:"project_rules"`
	}
	if err := yaml.Unmarshal(b, &v); err != nil {
		t.Fatalf("%v\n%s", err, b)
	}
	all := append(v.Rules.Summaries, v.Docs.Summaries...)
	got := Load(root)
	for i, d := range []Document{docs[0], docs[1], docs[2]} {
		if all[i]["path"] != d.Path || all[i]["summary"] != d.Summary || all[i]["extra_notes"] != d.Notes {
			t.Errorf("others read %q, put was %+v", all[i], d)
		}
		k := got.Documents[(i+2)%3] // design is read first
		if d.Kept = Path; k != d {
			t.Errorf("got %+v, want %+v", k, d)
		}
	}
}

// TestForms: lists that are written in other ways are added to, or the line is named.
func TestForms(t *testing.T) {
	for text, wrong := range map[string]string{
		"":                            "",
		"# nothing\n":                 "",
		"---\na: b\n":                 "",
		"project_rules:\n":            "",
		"project_rules:\n# c\nx: 1\n": "",
		"project_rules:\n- path: a.md\n  summary: x\n":                               "",
		"project_rules:\n  - path: a.md\n    summary: x\n\n\n":                       "",
		"project_rules:\n  summaries:\n":                                             "",
		"project_rules:\n  summaries:\n  - path: a.md\nx: 1\n":                       "",
		"project_rules:\n    source: CLAUDE.md\n":                                    "",
		"project_rules:\n    source: CLAUDE.md\n    summary: >-\n      x\n      y\n": "",
		"project_rules: {source: CLAUDE.md, summary: x}\n":                           "line 1: project_rules is neither keys nor a list",
		"project_rules:\n  summaries: [a]\n":                                         "line 2: a list in brackets is not added to: write it as lines that begin with a dash",
		"project_rules: yes\n":                                                       "line 1: project_rules is neither keys nor a list",
	} {
		c, root := loaded(t, text)
		if len(c.Broken) > 0 {
			t.Errorf("%q: %v", text, c.Broken)
			continue
		}
		d := Document{Kind: Rules, Path: "CLAUDE.md", Summary: "DO:\n- x", Hash: "0011223344", By: Agent}
		err := c.Put(d)
		if err == nil && wrong == "" {
			err = c.Write(root, "now")
		}
		if got := messageOf(err); got != wrong {
			t.Errorf("%q: %q, want %q", text, got, wrong)
		}
		if wrong != "" {
			continue
		}
		b, _ := os.ReadFile(filepath.Join(root, Path))
		var v map[string]any
		if err := yaml.Unmarshal(b, &v); err != nil {
			t.Errorf("%q: %v\n%s", text, err, b)
		}
		if list := Load(root).Documents; len(list) == 0 || list[len(list)-1].Summary != d.Summary {
			t.Errorf("%q: %+v\n%s", text, list, b)
		}
		for l := range strings.SplitSeq(strings.TrimSpace(text), "\n") {
			if !strings.Contains(text, "summary: >-") && !strings.Contains(string(b), l) {
				t.Errorf("%q: the line %q is gone\n%s", text, l, b)
			}
		}
	}
}

func messageOf(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

// TestBroken: what cannot be read is named with its line and never written over.
func TestBroken(t *testing.T) {
	for text, wrong := range map[string]string{
		"essential_docs:\n<<<<<<< HEAD\n":        "line 2: a merge conflict is not resolved",
		"- a\n":                                  "line 1: no keys and values",
		"a: b\n\tc: d\n":                         "line 2: no key and value",
		"a: b\nc\n":                              "line 2: no key and value",
		"a: 1\na: 2\n":                           "line 2: a is there twice",
		"\xff\xfe":                               "line 1: no UTF-8",
		strings.Repeat("x: y\n", 100_000):        "500000 bytes exceed the limit of 262144",
		"a:\n  - b\n   - c\nd: e\n":              "",
		"a:\n" + nested(40):                      "line 22: values are too deep in each other",
		"a: b\n... \n":                           "line 2: no key and value",
		"a: &x [1]\nb: *x\nc: !t v\nd: {a: 1}\n": "",
	} {
		c, root := loaded(t, text)
		got := strings.Join(c.Broken, "")
		want := wrong
		if wrong != "" {
			want = Path + " cannot be read and is left alone: " + wrong
		}
		if got != want && wrong != "" {
			t.Errorf("%.60q: %q, want %q", text, got, want)
		}
		if wrong == "" {
			continue
		}
		if err := c.Put(Document{Kind: Rules, Path: "x", Summary: "y", Hash: "0011223344"}); err != ErrBroken {
			t.Errorf("%.60q: %v", text, err)
		}
		if b, _ := os.ReadFile(filepath.Join(root, Path)); string(b) != text {
			t.Errorf("%.60q: it was changed", text)
		}
	}
}

func nested(n int) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(strings.Repeat(" ", i+1) + "k:\n")
	}
	return b.String()
}

// FuzzContext: whatever a file holds, reading it ends, and what is put is there afterwards and
// is YAML to others if it was before.
func FuzzContext(f *testing.F) {
	f.Add(hand)
	f.Add("project_rules:\n- path: a\n  summary: |\n    x\n#y\n")
	f.Add("a:\n- - b\n  - c\n")
	f.Add("essential_docs:\n  other: x\n  summaries:\n    -")
	f.Add("essential_docs:\n  -   path: a\n")
	f.Fuzz(func(t *testing.T, text string) {
		clean, err := textfile.CleanText(text, maxFile)
		if err != nil {
			return
		}
		own, err := parseFile(clean)
		if err != nil {
			return
		}
		before := len(own.lines)
		c := &Context{own: own}
		d := Document{Kind: Design, Path: "docs/design.md", Summary: "- one: two\n\n- three", Hash: "0011223344", By: Agent}
		if c.Put(d) != nil {
			return
		}
		again, err := parseFile(strings.Join(c.own.lines, "\n"))
		if err != nil {
			t.Fatalf("%q became unreadable: %v", text, err)
		}
		if err := again.checkHas(&d); err != nil || len(again.lines) < before {
			t.Fatalf("%q: %v", text, err)
		}
	})
}

// TestWanted: patterns of a file choose the documents that are looked through.
func TestWanted(t *testing.T) {
	s := Search{Include: []string{"**/*.md", "**/README*", "**/docs/**/*"}, Exclude: []string{"CHANGELOG*.md", "docs/archive/**", "vendor/"}}
	for p, want := range map[string]bool{
		"a.md": true, "docs/a.txt": true, "x/docs/y/a.rst": true, "README": true, "x/README.rst": true, "a.rst": false, "CHANGELOG.md": false, "x/CHANGELOG-2.md": false,
		"docs/archive/a.md": false, "docs/archive/x/a.md": false, "x/vendor/y/a.md": false, "docs/archived.md": true,
	} {
		if got := s.Matcher()(p); got != want {
			t.Errorf("%s: %v", p, got)
		}
	}
	if (&Search{}).Matcher() != nil {
		t.Error("no patterns choose")
	}
	one := Search{Exclude: []string{"*.md"}}
	if f := one.Matcher(); f("a.md") || !f("a.rst") {
		t.Error("exclude alone")
	}
}

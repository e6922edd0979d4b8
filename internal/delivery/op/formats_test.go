package op

import (
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"

	"ken/internal/ask/brief"
	"ken/internal/ask/find"
	"ken/internal/delivery/agenttext"
	"ken/internal/delivery/project"
	"ken/internal/delivery/render"
	"ken/internal/engine/view"
	"ken/internal/knowledge/convention"
	"ken/internal/operation"
)

// formatsPage reads docs/formats.md by its headings of the second level.
func formatsPage(t *testing.T) map[string]string {
	t.Helper()
	text, err := os.ReadFile("../../../docs/formats.md")
	if err != nil {
		t.Fatal(err)
	}
	page := map[string]string{}
	for _, section := range strings.Split(string(text), "\n## ")[1:] {
		name, body, _ := strings.Cut(section, "\n")
		page[name] = body
	}
	return page
}

// TestFormats compares docs/formats.md with what is declared: the example of
// each exported format has its keys, and all keys are mentioned.
func TestFormats(t *testing.T) {
	page := formatsPage(t)
	all := All()
	export := all[slices.IndexFunc(all, func(tl *Tool) bool { return tl.Name == "export" })]
	names := map[string]string{"index": "index", "codemap": "codemap", "compressedCodemap": "compressed-codemap", "manifest": "manifest", "session": "session",
		"queue": "queue", "graphState": "graph-state", "rankedContext": "ranked-context"}
	for _, format := range export.Answer() {
		name := names[format.Name]
		delete(names, format.Name)
		section, ok := page[name]
		if !ok {
			t.Errorf("the format %s is not described", format.Name)
			continue
		}
		_, example, _ := strings.Cut(section, "```json\n")
		example, _, _ = strings.Cut(example, "```")
		var value any
		if err := json.Unmarshal([]byte(example), &value); err != nil {
			t.Errorf("%s: the example: %v", name, err)
			continue
		}
		checkExample(t, name, value, operation.Column{Type: "object", Fields: format.Fields})
		checkMentioned(t, name, section, format.Fields)
	}
	for name := range names {
		t.Errorf("there is no format %s", name)
	}
}

// checkExample compares a value with the columns that declare its keys.
func checkExample(t *testing.T, where string, value any, c operation.Column) {
	t.Helper()
	switch {
	case len(c.Fields) == 0:
	case strings.HasPrefix(c.Type, "list"):
		for _, e := range value.([]any) {
			checkExample(t, where+"[]", e, operation.Column{Type: "object", Fields: c.Fields})
		}
	case c.Type == "object of objects":
		for _, e := range value.(map[string]any) {
			checkExample(t, where+"{}", e, operation.Column{Type: "object", Fields: c.Fields})
		}
	default:
		object := value.(map[string]any)
		for _, f := range c.Fields {
			v, ok := object[f.Name]
			if delete(object, f.Name); ok {
				checkExample(t, where+"."+f.Name, v, f)
			} else if !f.Optional {
				t.Errorf("the example lacks %s.%s", where, f.Name)
			}
		}
		for key := range object {
			t.Errorf("the example has %s.%s, which is not declared", where, key)
		}
	}
}

func checkMentioned(t *testing.T, where, section string, fields []operation.Column) {
	t.Helper()
	for _, f := range fields {
		everywhere := f.Name == "path_base64" // described once, for all
		if !everywhere && !strings.Contains(section, `"`+f.Name+`"`) && !strings.Contains(section, "`"+f.Name+"`") {
			t.Errorf("%s: %s is not mentioned", where, f.Name)
		}
		checkMentioned(t, where+"."+f.Name, section, f.Fields)
	}
}

// TestBlockFormats makes sure that the page has the tag and every section of
// each block, in their order.
func TestBlockFormats(t *testing.T) {
	one := find.Card{Purpose: "p", Exports: []string{"e"}, DepCount: 1, Deps: []find.FileLink{{Path: "d", Slug: "d"}},
		Spots: []find.FoundSymbol{{Name: "s", Line: 1, EndLine: 2}}}
	brief_ := render.BriefBlock(&brief.Brief{
		Goal: "g", Keywords: []string{"k"}, Missing: []string{"m"}, Modify: []find.Card{one}, Read: make([]brief.BriefRead, 1),
		Blast: make([]brief.BlastRadius, 1), Reuse: make([]brief.Reusable, 1), Tests: make([]brief.BriefTest, 1),
		Commands: make([]brief.TestCommand, 1), Commits: make([]view.PastCommit, 1), Here: make([]convention.Convention, 1), Steps: make([]brief.BriefStep, 2),
	}, &render.Brief{}, make([]render.BriefNote, 1), make([]render.BriefPlace, 1))
	intel := render.QueryBlock(&find.Intel{Query: "q", Matches: []find.Card{one}, Related: make([]find.RelatedFile, 1)}, project.Excluded{})
	_, blocks, _ := strings.Cut(formatsPage(t)["Blocks"], "\n### ")
	for i, section := range strings.Split(blocks, "\n### ") {
		b := []*agenttext.Block{brief_, intel}[i]
		if !strings.Contains(section, "tag `"+b.Tag+"`") {
			t.Errorf("the tag %s is not named", b.Tag)
		}
		at := 0
		for _, p := range b.Parts {
			found := strings.Index(section, "\n| "+p.Section+" |")
			if found < at {
				t.Errorf("%s: the section %q is missing, or elsewhere", b.Tag, p.Section)
			}
			at = max(at, found)
		}
	}
	var lines []string
	for _, p := range render.CardParts("", "", &one, 0, true) {
		name, _, _ := strings.Cut(p.Text, ":")
		lines = append(lines, name)
	}
	if want := []string{"Purpose", "Exports", "Dependencies", "Lines"}; !slices.Equal(lines[1:], want) {
		t.Errorf("a file has the lines %q, the page says %q", lines[1:], want)
	}
}

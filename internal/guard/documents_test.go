package guard

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"ken/internal/knowledge/task"
)

// described is widget.go:Draw with two documents that describe it, one of them twice, and one that only mentions it.
func described() []Mention {
	return []Mention{
		{"docs/api.md", 12, "Draw", InHeading}, {"docs/settings.md", 3, "draw_size", InRow}, {"docs/api.md", 40, "Draw", InDefinition},
		{"docs/guide.md", 5, "Draw", InText}, {"CHANGELOG.md", 1, "Draw", InChangelog}, {"a.go", 9, "Draw", InHeading}, {"widget.go", 1, "Draw", InItem},
	}
}

// TestDocuments enumerates what becomes of submit_impact_analysis by what was looked at of a document and said of it.
func TestDocuments(t *testing.T) {
	looks := []struct {
		name  string
		looks []task.ReadPart
	}{
		{"nothing", nil},
		{"named by a search", []task.ReadPart{{Path: "docs/api.md", Depth: task.Named}}},
		{"outlined", []task.ReadPart{{Path: "docs/api.md", Depth: task.Outlined}}},
		{"another line", []task.ReadPart{{Path: "docs/api.md", Depth: task.Read, First: 1, Last: 11}}},
		{"one line of two", []task.ReadPart{{Path: "docs/api.md", Depth: task.Read, First: 12, Last: 39}}},
		{"both lines", []task.ReadPart{{Path: "docs/api.md", Depth: task.Read, First: 12, Last: 12}, {Path: "docs/api.md", Depth: task.Read, First: 30, Last: 50}}},
		{"all of it", []task.ReadPart{{Path: "docs/api.md", Depth: task.Read}}},
		{"another file", []task.ReadPart{{Path: "docs/guide.md", Depth: task.Read}}},
	}
	answers := []struct {
		name string
		said []FileStatus
	}{
		{"nothing", nil},
		{"will_modify", []FileStatus{{"docs/api.md", WillModify, ""}}},
		{"no_change_needed", []FileStatus{{"docs/api.md", NoChange, "it says nothing of sizes"}}},
		{"not_affected", []FileStatus{{"docs/api.md", NotAffected, "of another kind"}}},
		{"no_change_needed without a reason", []FileStatus{{"docs/api.md", NoChange, " "}}},
		{"another word", []FileStatus{{"docs/api.md", "fine", "I looked"}}},
	}
	var b strings.Builder
	b.WriteString("What submit_impact_analysis says of a document that describes a target on two lines, by what of it was looked at (left) and what was said of it.\n")
	for _, l := range Levels() {
		for _, s := range []State{Exploration, Impact, Ready} {
			if g, _ := LookupGate(SubmitImpact); !slices.Contains(g.StatesAt(l), s) {
				continue
			}
			fmt.Fprintf(&b, "\n%s %s\n", l, s)
			for _, look := range looks {
				for _, a := range answers {
					c := newClient(t, l, Modify)
					c.task.State = s
					c.task.Analysis = &Analysis{Documents: []Document{{"docs/api.md", []int{12, 40}, []string{"Draw"}}}}
					c.task.Looks = look.looks
					d := c.do(&Request{Tool: SubmitImpact, Statuses: a.said})
					if d.Allowed != c.task.Analysis.Done || !d.Allowed && (d.Error != EvidenceMissing || d.Hint == "" || d.Missing[0].Kind != Documents) {
						t.Errorf("%s, %s: %+v", look.name, a.name, d)
					}
					fmt.Fprintf(&b, "%-18s %-34s %s\n", look.name, a.name, word(&d))
				}
			}
		}
	}
	golden(t, "testdata/documents.txt", b.String())
}

func word(d *Decision) string {
	if d.Allowed {
		return string(d.State)
	}
	return d.Message
}

// TestConfirm: what describes a target becomes an obligation of the task, what only mentions it does not.
func TestConfirm(t *testing.T) {
	for _, l := range Levels() {
		c := newClient(t, l, Modify)
		c.task.Targets, c.task.State = []Target{widget()}, Impact
		should := []string{"docs/api.md", "docs/guide.md", "widget_test.go"}
		analyse := &Request{Tool: AnalyzeImpact, Targets: []Target{widget()}, Should: should, Mentions: described()}
		c.want(Impact, analyse)
		a := c.task.Analysis
		if got := fmt.Sprint(a.Documents); got != "[{docs/api.md [12 40] [Draw]} {docs/settings.md [3] [draw_size]}]" {
			t.Errorf("%s: documents %s", l, got)
		}
		if want := []string{"docs/guide.md", "widget_test.go"}; !slices.Equal(a.Should, want) {
			t.Errorf("%s: should be verified %v, want %v", l, a.Should, want)
		}
		c.read("a.go")
		c.read("b.go")
		code := []FileStatus{{"a.go", NoChange, "same"}, {"b.go", NoChange, "same"}}
		d := c.refused(EvidenceMissing, "no status was given for docs/api.md, docs/settings.md", &Request{Tool: SubmitImpact, Statuses: code})
		if len(d.Missing) != 2 || d.Missing[0].Places[0] != "docs/api.md:12,40" || !strings.HasPrefix(d.Hint, `get_function_at_line with places "docs/api.md:12,40 docs/settings.md:3"`) {
			t.Errorf("%s: %+v", l, d)
		}
		lie := append(code, FileStatus{"docs/api.md", NoChange, "it is fine"}, FileStatus{"docs/settings.md", WillModify, ""})
		c.refused(EvidenceMissing, "what uses or describes the targets was not read in this task", &Request{Tool: SubmitImpact, Statuses: lie})
		c.want(Impact, analyse) // a second analysis asks for nothing twice
		if len(c.task.Analysis.Documents) != 2 || len(c.task.Analysis.Documents[0].Lines) != 2 {
			t.Errorf("%s: documents %v", l, c.task.Analysis.Documents)
		}
		c.read("docs/api.md")
		c.refused(EvidenceMissing, "docs/settings.md", &Request{Tool: SubmitImpact, Statuses: lie})
		c.refused(EvidenceMissing, "docs/settings.md", &Request{Tool: SubmitImpact, Statuses: lie, Gone: []string{"docs/api.md"}})
		c.look(GetFunction, "docs/settings.md", "", task.Read, 1, 9)
		c.want(Ready, &Request{Tool: SubmitImpact, Statuses: lie})
		write := []Target{{Name: "docs/settings.md", Path: "docs/settings.md", Dependents: 50}}
		c.want(Ready, &Request{Tool: Write, Targets: write}) // what will be updated may be written
		c.do(&Request{Tool: Revert})
		if c.task.Analysis != nil {
			t.Errorf("%s: obligations outlast the exploration", l)
		}
	}
}

// TestConfirmLowered: what is not there is not demanded, and of very many documents those that come first.
func TestConfirmLowered(t *testing.T) {
	c := newClient(t, Auto, Modify)
	alone := []Target{{Name: "a.go", Path: "a.go"}}
	c.want(Exploration, &Request{Tool: AnalyzeImpact, Targets: alone, Mentions: []Mention{{"docs/gone.md", 1, "Draw", InHeading}}})
	c.refused(EvidenceMissing, "docs/gone.md", &Request{Tool: SubmitImpact})
	c.want(Ready, &Request{Tool: SubmitImpact, Gone: []string{"docs/gone.md"}})
	var many []Mention
	for i := range 30 {
		many = append(many, Mention{fmt.Sprintf("docs/%02d.md", i), 1, "Draw", InHeading})
	}
	c = newClient(t, Auto, Modify)
	c.want(Exploration, &Request{Tool: AnalyzeImpact, Targets: alone, Mentions: many})
	var said []FileStatus
	for i := range 20 {
		c.read(many[i].Path)
		said = append(said, FileStatus{many[i].Path, NoChange, "it stays true"})
	}
	d := c.want(Ready, &Request{Tool: SubmitImpact, Statuses: said})
	if want := "10 more documents describe the targets; no status was required for them"; !slices.Contains(d.Unjudged, want) {
		t.Errorf("%q is not said: %q", want, d.Unjudged)
	}
}

// TestPromised: what was said of a file stays said when more is said, in a further analysis too, until the contrary is said.
func TestPromised(t *testing.T) {
	c := newClient(t, Auto, Modify)
	alone := []Target{{Name: "a.go", Path: "a.go"}}
	c.want(Exploration, &Request{Tool: AnalyzeImpact, Targets: alone})
	both := []FileStatus{{"docs/a.md", WillModify, ""}, {"docs/b.md", WillModify, ""}}
	c.want(Ready, &Request{Tool: SubmitImpact, Statuses: both, Was: map[string]string{"docs/a.md": "1", "docs/b.md": "1"}})
	c.want(Ready, &Request{Tool: SubmitImpact, Statuses: both[:1], Was: map[string]string{"docs/a.md": "2"}})
	c.want(Ready, &Request{Tool: AnalyzeImpact, Targets: alone})
	if got := c.task.Analysis.FingerprintsToModify(); len(got) != 2 || got["docs/a.md"] != "1" || got["docs/b.md"] != "1" {
		t.Errorf("promised %v", got)
	}
	c.want(Ready, &Request{Tool: SubmitImpact, Statuses: []FileStatus{{"docs/b.md", NoChange, "it stays true"}}})
	if got := c.task.Analysis.FingerprintsToModify(); len(got) != 1 || got["docs/a.md"] != "1" {
		t.Errorf("promised %v", got)
	}
}

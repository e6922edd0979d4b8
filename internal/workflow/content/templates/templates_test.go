package templates_test

import (
	"errors"
	"os"
	"path"
	"path/filepath"
	"strings"
	"testing"

	"ken/internal/workflow/content/templates"
	"ken/internal/workflow/plan/artefact"
	"ken/internal/workflow/plan/document"
	"ken/internal/workflow/plan/folder"
	"ken/internal/workflow/plan/inventory"
	"ken/internal/workflow/plan/query"
	"ken/internal/workflow/plan/roadmap"
	"ken/internal/workflow/plan/settings"
	"ken/internal/workflow/plan/state"
)

// values are those that a user could have, with what breaks a line or YAML.
func values(text string) map[string]string {
	out := map[string]string{}
	for _, name := range templates.Placeholders(text) {
		out[name] = "01"
	}
	for name, v := range map[string]string{
		"phase_id": "01-setup", "phase_name": "API: \"keys\" # and\ntokens", "date": "2026-03-04", "time": "2026-03-04T05:06:07Z", "type": "execute", "wave": "1",
		"planning": ".planning", "title": "A: title", "project": "My: project", "slug": "a-slug", "version": "v1.0", "milestone_name": "First: one",
	} {
		if _, ok := out[name]; ok {
			out[name] = v
		}
	}
	return out
}

// TestFilled holds every template to what reads its file: filled, it has no placeholder, no problem and nothing missing.
func TestFilled(t *testing.T) {
	for _, name := range templates.Names() {
		text, ok := templates.Text(name)
		if !ok || strings.Contains(text, "\r") || !strings.HasSuffix(text, "\n") || strings.HasSuffix(text, "\n\n") {
			t.Errorf("%s: is not there, or does not end in one line ending", name)
		}
		filled, err := templates.Fill(name, values(text))
		if err != nil {
			t.Error(err)
			continue
		}
		if strings.Contains(filled, "{{") {
			t.Errorf("%s: a placeholder is left", name)
		}
		if strings.HasSuffix(name, ".json") {
			if p := settings.Parse(filled).Problems(); len(p) > 0 {
				t.Errorf("%s: %v", name, p)
			}
			continue
		}
		doc := document.Parse(filled)
		if p := doc.Problems(); len(p) > 0 {
			t.Errorf("%s: %v", name, p)
		}
		if strings.HasPrefix(filled, "---\n") && doc.FrontMatter() == nil {
			t.Errorf("%s: its front matter cannot be read", name)
		}
		if len(doc.Headings()) == 0 || doc.Headings()[0].Level != 1 {
			t.Errorf("%s: does not begin with a heading of its own", name)
		}
		for _, m := range missing(name, filled) {
			t.Errorf("%s: %s is missing", name, m)
		}
	}
}

// missing is what the reader of a file does not find in it.
func missing(name, text string) []string {
	switch base := path.Base(name); {
	case path.Dir(name) != ".":
		return nil
	case strings.HasPrefix(base, "summary"):
		return artefact.ParseSummary(text).Missing
	case base == "phase-prompt.md":
		p := artefact.ParsePlan(text)
		list := p.Missing
		for _, task := range p.Tasks {
			if !task.HasFiles || !task.HasAction || !task.HasVerify || !task.HasDone {
				list = append(list, "a part of task "+task.Name)
			}
		}
		if len(p.Tasks) == 0 || p.Objective == "" {
			list = append(list, "tasks or objective")
		}
		return list
	case base == "verification-report.md":
		return artefact.ParseVerification(text).Missing
	case base == "project.md":
		return artefact.ParseProject(text).Missing
	case base == "UAT.md":
		if u := artefact.ParseUAT(text); u.Status != "testing" || !u.Current.Found || len(u.Tests) > 0 {
			return []string{"status, current test, or no tests"}
		}
	case base == "requirements.md":
		return missingInRequirements(text)
	case base == "roadmap.md":
		if r := roadmap.Parse(text); len(r.Phases) == 0 {
			return []string{"phases"}
		}
	case base == "state.md":
		return missingInState(text)
	case base == "milestone.md":
		if len(artefact.ParseMilestones(text)) != 1 {
			return []string{"the milestone"}
		}
	case base == "DEBUG.md":
		if n := artefact.ParseNote(text); n.Status() != "gathering" || n.Title() == "" {
			return []string{"status or title"}
		}
	}
	return nil
}

// missingInRequirements wants a row for each requirement of this version, which are those with a box.
func missingInRequirements(text string) (list []string) {
	r := artefact.ParseRequirements(text)
	boxes := 0
	for _, q := range r.List {
		if q.HasBox {
			boxes++
		}
	}
	if boxes == 0 || len(r.Trace) != boxes {
		list = append(list, "requirements, or their rows")
	}
	return list
}

func missingInState(text string) (list []string) {
	s := state.Parse(text)
	for _, name := range []string{"Phase", "Plan", "Status", "Last activity", "Progress"} {
		if _, ok := s.Doc.Field(s.Doc.Body(), name); !ok {
			list = append(list, name)
		}
	}
	return list
}

// TestAll45 holds the templates to those that prompts name; those of the small stores are further ones, and four of documents that prompts
// describe in words.
func TestAll45(t *testing.T) {
	names := map[string]int{}
	for _, n := range templates.Names() {
		names[path.Dir(n)]++
	}
	if names["."] != 33+4 || names["codebase"] != 7 || names["research-project"] != 5 {
		t.Errorf("%v", names)
	}
}

// TestKeys holds front matter to the keys that whoever reads the file asks for.
func TestKeys(t *testing.T) {
	for name, keys := range map[string]string{
		"UI-SPEC.md": "phase slug status shadcn_initialized preset created", "AI-SPEC.md": "phase slug status created",
		"VALIDATION.md": "phase slug status nyquist_compliant wave_0_complete created", "SECURITY.md": "phase slug status threats_open asvs_level created",
		"continue-here.md": "context phase task total_tasks status last_updated", "DEBUG.md": "status trigger created updated",
		"UAT.md": "status phase source started updated", "REVIEW.md": "phase reviewed depth files_reviewed files_reviewed_list findings status",
		"REVIEWS.md": "phase reviewers reviewed_at plans_reviewed", "LEARNINGS.md": "phase phase_name project generated counts missing_artifacts",
		"milestone-audit.md": "milestone audited status scores gaps tech_debt", "context.md": "phase name created",
		"state.md":       "gsd_state_version milestone milestone_name status last_updated last_activity progress",
		"stores/seed.md": "id status planted planted_during trigger_when scope", "stores/thread.md": "status title created updated",
		"stores/todo.md": "created title area files priority", "stores/spike.md": "spike name type validates verdict related tags",
		"summary.md": "phase plan subsystem tags requires provides affects tech-stack key-files key-decisions patterns-established requirements-completed duration completed",
	} {
		text, _ := templates.Text(name)
		filled, err := templates.Fill(name, values(text))
		if err != nil {
			t.Fatal(err)
		}
		front := document.Parse(filled).FrontMatter()
		for key := range strings.FieldsSeq(keys) {
			if front == nil || front.Pair(key) == nil {
				t.Errorf("%s: %s is missing", name, key)
			}
		}
	}
}

// TestBegunProject reads a folder that is made of templates: its parts fit each other, and nothing is wrong with them.
func TestBegunProject(t *testing.T) {
	project := t.TempDir()
	for _, row := range [][2]string{
		{"project.md", "PROJECT.md"}, {"requirements.md", "REQUIREMENTS.md"}, {"roadmap.md", "ROADMAP.md"}, {"state.md", "STATE.md"}, {"config.json", "config.json"},
		{"context.md", "phases/01-name/01-CONTEXT.md"}, {"phase-prompt.md", "phases/01-name/01-01-PLAN.md"}, {"UAT.md", "phases/01-name/01-UAT.md"},
	} {
		text, _ := templates.Text(row[0])
		filled, err := templates.Fill(row[0], values(text))
		if err != nil {
			t.Fatal(err)
		}
		at := filepath.Join(project, ".planning", filepath.FromSlash(row[1]))
		if err := errors.Join(os.MkdirAll(filepath.Dir(at), 0o755), os.WriteFile(at, []byte(filled), 0o644)); err != nil {
			t.Fatal(err)
		}
	}
	f, err := folder.Open(project, folder.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	inv, err := inventory.Read(f)
	if err != nil || len(inv.Problems) > 0 || len(inv.Phases) != 2 || len(inv.Phases[0].Plans) != 1 {
		t.Fatalf("%v %v %d", err, inv.Problems, len(inv.Phases))
	}
	q := &query.Questions{Folder: f, Inventory: inv}
	a, err := q.Analyze()
	if err != nil || a.Scope != roadmap.Complete || a.Count != 2 || len(a.Missing) > 0 {
		t.Errorf("%v %+v", err, a)
	}
	s, err := q.Structure(".planning/phases/01-name/01-01-PLAN.md")
	if err != nil || !s.Valid || len(s.Warnings) > 0 || s.Count != 1 {
		t.Errorf("%v %+v", err, s)
	}
	if step := inv.NextStep(); step.Phase == nil || step.Phase.ID.Key() != "1" {
		t.Errorf("%+v", step)
	}
}

// TestFillHostile keeps a value one value: it cannot begin a field of its own, or end front matter.
func TestFillHostile(t *testing.T) {
	bad := "x\n---\nstatus: passed\n{{plan}} \"' #"
	text, _ := templates.Text("verification-report.md")
	v := values(text)
	v["phase_name"] = bad
	filled, err := templates.Fill("verification-report.md", v)
	if err != nil {
		t.Fatal(err)
	}
	got := artefact.ParseVerification(filled)
	if got.Status != "pending" || len(got.Missing) > 0 || got.Doc.FrontMatter().Get("name").Text() != strings.ReplaceAll(bad, "\n", " ") {
		t.Errorf("%s", filled)
	}
}

func TestFillNeedsAll(t *testing.T) {
	if _, err := templates.Fill("summary.md", nil); err == nil {
		t.Error("filled without values")
	}
	if _, err := templates.Fill("../templates.go", nil); err == nil {
		t.Error("a template outside")
	}
}

func TestFind(t *testing.T) {
	for in, want := range map[string]string{
		"summary": "summary.md", "UAT.md": "UAT.md", "uat": "UAT.md", "templates/context.md": "context.md", "nothing": "", "../x": "",
	} {
		if got := templates.Find(in); got != want {
			t.Errorf("%s: %q", in, got)
		}
	}
}

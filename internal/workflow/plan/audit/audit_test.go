package audit_test

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ken/internal/workflow/plan/audit"
	"ken/internal/workflow/plan/planop/operationtest"
)

var update = flag.Bool("update", false, "write what is answered into the test data")

func TestOperations(t *testing.T) { operationtest.Run(t, audit.All(), "testdata/*.txtar", *update) }

// TestQuickTaskWithItsSummaryIsNotOpen: a quick task is done by its ID-SUMMARY.md, whatever the form of its id.
func TestQuickTaskWithItsSummaryIsNotOpen(t *testing.T) {
	for dir, files := range map[string][]string{
		"260318-tj1-add-compose": {"260318-tj1-PLAN.md", "260318-tj1-SUMMARY.md"}, "5-fix": {"5-SUMMARY.md"}, "20260318-x": {"SUMMARY.md"}, "2026-03-18-x": {"SUMMARY.md"},
		"011-three": {"011-01-PLAN.md", "011-02-PLAN.md", "011-01-SUMMARY.md", "011-02-SUMMARY.md"},
	} {
		all := map[string]string{}
		for _, f := range files {
			all[".planning/quick/"+dir+"/"+f] = "# x\n"
		}
		p := operationtest.New(t, audit.All(), all)
		got, err := p.Do("audit-open")
		if err != nil || !strings.Contains(got, `"has_open_items":false`) {
			t.Errorf("%s: %s %v", dir, got, err)
		}
		last := filepath.Join(p.Dir, ".planning", "quick", dir, files[len(files)-1])
		if err := os.WriteFile(last, []byte("---\nstatus: incomplete\n---\n"), 0o644); err != nil {
			t.Fatal(err)
		}
		if got, err := p.Do("audit-open"); err != nil || !strings.Contains(got, `"status":"incomplete"`) {
			t.Errorf("%s: its summary says that it is incomplete: %s %v", dir, got, err)
		}
		if err := os.Remove(last); err != nil {
			t.Fatal(err)
		}
		if got, err := p.Do("audit-open"); err != nil || !strings.Contains(got, `"status":"missing"`) {
			t.Errorf("%s: without its summary it is open: %s %v", dir, got, err)
		}
	}
}

// TestUnreadableIsNamed: what cannot be read is not said to be done.
func TestUnreadableIsNamed(t *testing.T) {
	p := operationtest.New(t, audit.All(), map[string]string{".planning/phases/01-a/x.md": "", "outside/01-UAT.md": "---\nstatus: testing\n---\n"})
	if err := os.Symlink(filepath.Join(p.Dir, "outside", "01-UAT.md"), filepath.Join(p.Dir, ".planning", "phases", "01-a", "01-UAT.md")); err != nil {
		t.Skip(err)
	}
	for _, name := range []string{"audit-uat", "audit-open"} {
		got, err := p.Do(name)
		if err != nil || !strings.Contains(got, `"problems":[".planning/phases/01-a/01-UAT.md: is a link that leads out`) {
			t.Errorf("%s: %s %v", name, got, err)
		}
	}
	if page := p.Plain("audit-open"); strings.Contains(page, "nothing is open") || !strings.Contains(page, "could not be read: .planning/phases/01-a/01-UAT.md") {
		t.Errorf("%s", page)
	}
}

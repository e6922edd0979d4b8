package inventory_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"ken/internal/workflow/plan/folder"
	"ken/internal/workflow/plan/inventory"
	"ken/internal/workflow/plan/phaseid"
)

// read makes a planning folder of files, "name" or "name: text", and reads it.
func read(t *testing.T, files ...string) (*inventory.Inventory, string) {
	t.Helper()
	root := t.TempDir()
	for _, f := range files {
		name, text, _ := strings.Cut(f, ": ")
		at := filepath.Join(root, folder.Name, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(at), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(at, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return again(t, root), root
}

func again(t *testing.T, root string) *inventory.Inventory {
	t.Helper()
	f, err := folder.Open(root, folder.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	inv, err := inventory.Read(f)
	if err != nil {
		t.Fatal(err)
	}
	return inv
}

func show(list []*inventory.Phase) string {
	var s []string
	for _, p := range list {
		s = append(s, fmt.Sprintf("%s %s %d/%d", p.ID, p.DiskStatus(), p.DonePlans(), len(p.Plans)))
	}
	return strings.Join(s, ", ")
}

const threePhases = "ROADMAP.md: # R\n\n- [x] **Phase 1: A**\n- [ ] **Phase 2: B**\n- [ ] **Phase 4: Only listed**\n\n### Phase 1: A\n\n### Phase 2: B\n\n### Phase 2.1: Fix (INSERTED)\n\n### Phase 3: C\n\n### Phase 999.1: Idea (BACKLOG)\n"

func TestRead(t *testing.T) {
	inv, _ := read(t, threePhases, "STATE.md: # S\n\nStatus: In progress\n",
		"phases/01-a/01-01-PLAN.md", "phases/01-a/01-01-SUMMARY.md", "phases/02-b/02-01-PLAN.md", "phases/02-b/02-02-PLAN.md", "phases/02-b/02-01-SUMMARY.md", "phases/02.1-fix/CONTEXT.md",
		"phases/999.1-idea/.gitkeep", "phases/999.2-other/.gitkeep", "phases/07-old/07-01-PLAN.md", "phases/notes/x.md", "milestones/v1.9-phases/01-x/01-01-PLAN.md", "milestones/v1.10-phases/01-y/.gitkeep", "milestones/v1.0-ROADMAP.md")
	if got := show(inv.Phases); got != "1 complete 1/1, 2 partial 1/2, 2.1 discussed 0/0, 3 no_directory 0/0, 4 no_directory 0/0" {
		t.Errorf("phases %s", got)
	}
	if got := show(inv.Backlog); got != "999.1 empty 0/0, 999.2 empty 0/0" {
		t.Errorf("backlog %s", got)
	}
	if got := show(inv.Others); got != "07 planned 0/1" || !slices.Equal(inv.Unnumbered, []string{"notes"}) {
		t.Errorf("others %s, %v", got, inv.Unnumbered)
	}
	if len(inv.Archives) != 2 || inv.Archives[0].Version != "v1.10" || len(inv.Problems) > 0 {
		t.Errorf("archives %+v, problems %v", inv.Archives, inv.Problems)
	}
	if c := inv.Counts(); c != (inventory.Counts{Phases: 5, CompletedPhases: 1, Plans: 3, CompletedPlans: 2, Percent: 33}) {
		t.Errorf("counts %+v", c)
	}
	if s := inv.NextStep(); s.Command != "execute-phase" || s.Phase.ID.String() != "2" || !strings.Contains(s.Reason, "02-02") {
		t.Errorf("next %+v", s)
	}
	for number, want := range map[string]string{"01": ".planning/phases/01-a", "2.1": ".planning/phases/02.1-fix", "7": ".planning/phases/07-old", "999.2": ".planning/phases/999.2-other", "3": ""} {
		id, _ := phaseid.Parse(number)
		if p, archived := inv.Find(id); p == nil || p.Dir != want || archived != "" {
			t.Errorf("%s: %+v %s", number, p, archived)
		}
	}
}

// TestArchivesNeverCount: what is in an archive is found by its number if nothing else has it, the
// newest version first, and is in no count.
func TestArchivesNeverCount(t *testing.T) {
	inv, _ := read(t, "ROADMAP.md: ### Phase 2: B\n", "milestones/v1.9-phases/01-x/01-01-PLAN.md", "milestones/v1.10-phases/01-y/.gitkeep", "milestones/v1.10-phases/02-z/.gitkeep", "milestones/vx-phases/03-q/.gitkeep")
	one, _ := phaseid.Parse("1")
	if p, archived := inv.Find(one); p == nil || archived != "v1.10" || p.Dir != ".planning/milestones/v1.10-phases/01-y" {
		t.Errorf("%+v %s", p, archived)
	}
	two, _ := phaseid.Parse("2")
	if p, archived := inv.Find(two); p == nil || archived != "" || p.Dir != "" {
		t.Errorf("a phase of the roadmap without a folder is not the archived one: %+v %s", p, archived)
	}
	if c := inv.Counts(); c.Phases != 1 || c.Plans != 0 {
		t.Errorf("%+v", c)
	}
}

// TestDuplicateFoldersByName: of two folders of one number the one that the roadmap names counts, however old
// its files are, and the other is a problem.
func TestDuplicateFoldersByName(t *testing.T) {
	files := []string{"ROADMAP.md: ### Phase 1: Set up\n", "phases/01-set-up/01-01-PLAN.md", "phases/01-old/01-01-PLAN.md", "phases/01-old/01-02-PLAN.md"}
	inv, root := read(t, files...)
	later := time.Now().Add(time.Hour)
	for range 2 {
		if len(inv.Phases) != 1 || inv.Phases[0].Dir != ".planning/phases/01-set-up" || len(inv.Phases[0].Plans) != 1 || len(inv.Problems) != 1 {
			t.Errorf("%+v, problems %v", inv.Phases[0], inv.Problems)
		}
		if err := os.Chtimes(filepath.Join(root, folder.Name, "phases", "01-old"), later, later); err != nil {
			t.Fatal(err)
		}
		inv = again(t, root)
	}
}

// TestProgressOfPhasesWithoutPlans: all plans of phase 1 are not all of the work.
func TestProgressOfPhasesWithoutPlans(t *testing.T) {
	inv, _ := read(t, "ROADMAP.md: ### Phase 1: A\n\n### Phase 2: B\n", "phases/01-a/01-01-PLAN.md", "phases/01-a/01-01-SUMMARY.md")
	if c := inv.Counts(); c.Percent != 50 {
		t.Errorf("%+v", c)
	}
}

// TestCountsIgnoreCopies: what STATE.md and the roadmap's table say is not counted.
func TestCountsIgnoreCopies(t *testing.T) {
	inv, _ := read(t, "ROADMAP.md: ### Phase 1: A\n**Plans**: 9 plans\n\n| Phase | Plans Complete | Status | Completed |\n|-|-|-|-|\n| 1. A | 9/9 | Complete | - |\n",
		"STATE.md: ---\nprogress:\n  total_plans: 9\n  percent: 100\n---\nProgress: 100%\n", "phases/01-a/01-01-PLAN.md")
	if c := inv.Counts(); c != (inventory.Counts{Phases: 1, Plans: 1}) {
		t.Errorf("%+v", c)
	}
}

func TestNamesOfFiles(t *testing.T) {
	for _, c := range []struct {
		name    string
		files   []string
		plans   string
		orphans string
	}{
		{"usual", []string{"01-01-PLAN.md", "01-02-PLAN.md", "01-01-SUMMARY.md"}, "01-01 01-01-SUMMARY.md, 01-02 ", ""},
		{"no prefix", []string{"PLAN.md", "SUMMARY.md"}, "01 SUMMARY.md", ""},
		{"phase alone", []string{"01-PLAN.md", "01-SUMMARY.md"}, "01 01-SUMMARY.md", ""},
		{"a name in the middle", []string{"01-name-02-PLAN.md", "01-name-02-SUMMARY.md"}, "01-name-02 01-name-02-SUMMARY.md", ""},
		{"a name at the end", []string{"01-01-models-PLAN.md", "01-02-views-PLAN.md", "01-01-SUMMARY.md"}, "01-01-models 01-01-SUMMARY.md, 01-02-views ", ""},
		{"in folders", []string{"plans/01-01/PLAN.md", "plans/01-01/SUMMARY.md", "plans/01-02/PLAN.md"}, "01-01 plans/01-01/SUMMARY.md, 01-02 ", ""},
		{"a summary of nothing", []string{"01-01-PLAN.md", "01-09-SUMMARY.md"}, "01-01 ", "01-09-SUMMARY.md"},
		{"others", []string{"01-01-PLAN.md.archive", "README.md", "01-PLAN-CHECK.md", "EXPLAN.md", "plans/x.md"}, "", ""},
	} {
		files := make([]string, len(c.files))
		for i, f := range c.files {
			files[i] = "phases/01-name/" + f
		}
		inv, _ := read(t, files...)
		var plans []string
		for _, p := range inv.Phases[0].Plans {
			plans = append(plans, p.ID+" "+p.Summary)
		}
		if got := strings.Join(plans, ", "); got != c.plans || strings.Join(inv.Phases[0].Orphans, " ") != c.orphans {
			t.Errorf("%s: %q, orphans %q", c.name, got, inv.Phases[0].Orphans)
		}
	}
}

func TestNumbersOfAllKinds(t *testing.T) {
	inv, _ := read(t, "ROADMAP.md: ### Phase 1: A\n\n### Phase 3A: B\n\n### Phase AUTH: Login\n\n### Phase 12A.1.2: D\n", "phases/CK-01-a/x", "phases/03a-b/x", "phases/auth-login/AUTH-01-PLAN.md", "phases/12A.1.2-d/x")
	if got := show(inv.Phases); got != "1 empty 0/0, 3A empty 0/0, 12A.1.2 empty 0/0, AUTH planned 0/1" || len(inv.Unnumbered) > 0 {
		t.Errorf("%s, %v", got, inv.Unnumbered)
	}
}

func TestNear(t *testing.T) {
	inv, _ := read(t, threePhases)
	for text, want := range map[string]string{"2.7": "[2 2.1 3 4]", "9": "[3 4]", "fix": "[2.1 1 2 3 4]", "0": "[1 2 2.1 3 4]"} {
		if got := fmt.Sprint(inv.NearPhases(text)); got != want {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
}

func TestNext(t *testing.T) {
	const roadmap, state = "ROADMAP.md: ### Phase 1: A\n", "STATE.md: Status: Planning\n"
	const ticked = "ROADMAP.md: - [x] **Phase 1: A**\n- [ ] **Phase 2: B**\n\n### Phase 1: A\n\n### Phase 2: B\n"
	const passed = "ROADMAP.md: - [ ] **Phase 1: A**\n- [x] **Phase 2: B**\n- [ ] **Phase 3: C**\n"
	const carried, carriedToo = "phases/01-a/01-01-PLAN.md", "phases/01-a/01-01-SUMMARY.md"
	const done, needed = "phases/01-a/01-SUMMARY.md", "phases/01-a/01-VERIFICATION.md: ---\nstatus: human_needed\n---\n"
	for _, c := range []struct {
		want  string
		files []string
	}{
		{"new-project", []string{roadmap}},
		{"resume-work", []string{roadmap, "STATE.md: Status: Paused\n"}},
		{"discuss-phase", []string{roadmap, state}},
		{"plan-phase", []string{roadmap, state, "phases/01-a/01-CONTEXT.md"}},
		{"execute-phase", []string{roadmap, state, "phases/01-a/01-01-PLAN.md"}},
		{"verify-work", []string{roadmap, state, "phases/01-a/01-01-PLAN.md", "phases/01-a/01-01-SUMMARY.md"}},
		{"plan-phase", []string{roadmap, state, "phases/01-a/01-01-PLAN.md: <objective>[What is it?]</objective>"}},
		{"complete-phase", []string{"ROADMAP.md: - [ ] **Phase 1: A**\n", state, "phases/01-a/01-01-PLAN.md", "phases/01-a/01-01-SUMMARY.md", "phases/01-a/01-VERIFICATION.md: ---\nstatus: passed\n---\n"}},
		{"complete-phase", []string{"ROADMAP.md: - [ ] **Phase 1: A**\n", state, "phases/01-a/01-01-PLAN.md", "phases/01-a/01-01-SUMMARY.md", "config.json: {\"workflow\": {\"verifier\": false}}"}},
		{"discuss-phase", []string{"ROADMAP.md: ### Phase 1: A\n\n### Phase 2: B\n", "STATE.md: Phase: 2 of 2 (B)\n", "phases/01-a/01-01-PLAN.md"}},
		{"new-milestone", []string{"ROADMAP.md: - [x] **Phase 1: A**\n\n### Phase 1: A\n", state, "milestones/v1.0-ROADMAP.md"}},
		{"plan-phase", []string{roadmap, state, "phases/01-a/01-01-PLAN.md", "phases/01-a/01-01-SUMMARY.md", "phases/01-a/01-VERIFICATION.md: ---\nstatus: gaps_found\n---\n"}},
		{"complete-milestone", []string{roadmap, state, "phases/01-a/01-01-PLAN.md", "phases/01-a/01-01-SUMMARY.md", "phases/01-a/01-VERIFICATION.md: ---\nstatus: passed\n---\n"}},
		{"complete-milestone", []string{"ROADMAP.md: - [x] **Phase 1: A**\n\n### Phase 1: A\n", state}},
		{"plan-phase", []string{"ROADMAP.md: - [x] **Phase 1: A**\n\n### Phase 1: A\n", state, "phases/02-b/02-CONTEXT.md"}},
		{"complete-milestone", []string{"ROADMAP.md: - [x] **Phase 2: A**\n\n### Phase 2: A\n", state, "phases/01-b/01-CONTEXT.md"}},
		{"complete-milestone", []string{"ROADMAP.md: - [x] **Phase 1: A**\n\n### Phase 1: A\n", state, "phases/02-b/notes.md"}},
		{"new-milestone", []string{"ROADMAP.md: - [x] **Phase 1: A**\n\n### Phase 1: A\n", state, "milestones/v1.0-ROADMAP.md", "phases/02-b/02-CONTEXT.md"}},
		{"discuss-phase 3", []string{passed, state, carried, carriedToo}},
		{"verify-work 1", []string{passed, "STATE.md: Phase: 1 of 3 (A)\n", carried, carriedToo}},
		{"verify-work 1", []string{strings.Replace(passed, "- [ ] **Phase 3", "- [x] **Phase 3", 1), state, carried, carriedToo}},
		{"complete-phase 1", []string{passed, state, carried, carriedToo, "phases/01-a/01-VERIFICATION.md: ---\nstatus: passed\n---\n"}},
		{"plan-phase 1", []string{passed, state, carried, carriedToo, "phases/01-a/01-VERIFICATION.md: ---\nstatus: gaps_found\n---\n"}},
		{"execute-phase 1", []string{passed, state, carried}},
		{"health", []string{"ROADMAP.md: <<<<<<< a\n", state}},
		{"new-milestone", []string{"ROADMAP.md: # R\n", state}},
		{"plan-phase", []string{ticked, state, done, "phases/01-a/01-VERIFICATION.md: ---\nstatus: gaps_found\n---\n"}},
		{"plan-phase", []string{ticked, state, done, "phases/01-a/01-UAT.md: ---\nstatus: complete\n---\n### 1. A click\nresult: issue\n"}},
		{"discuss-phase", []string{ticked, state, done, "phases/01-a/01-UAT.md: ---\nstatus: resolved\n---\n### 1. A click\nresult: issue\n"}},
		{"verify-work", []string{ticked, state, done, needed, "phases/01-a/01-HUMAN-UAT.md: ---\nstatus: partial\n---\n### 1. A click\nresult: pending\n"}},
		{"discuss-phase", []string{ticked, state, done, needed, "phases/01-a/01-HUMAN-UAT.md: ---\nstatus: complete\n---\n### 1. A click\nresult: pass\n"}},
		{"execute-phase", []string{ticked, state, done, "phases/01-a/01-VERIFICATION.md: ---\nstatus: gaps_found\n---\n", "phases/02-b/02-01-PLAN.md"}},
		{"verify-work", []string{roadmap, state, done, "phases/01-a/01-CONTEXT.md", needed}},
		{"plan-phase", []string{roadmap, state, done, "phases/01-a/01-VERIFICATION.md: ---\nstatus: gaps_found\n---\n"}},
		{"resume-work", []string{roadmap, state, "phases/01-a/01-01-PLAN.md", "phases/01-a/.continue-here.md"}},
		{"plan-phase", []string{roadmap, state, "phases/01-a/.continue-here.md: ---\nlast_updated: 2026-02-03\n---\n", "phases/01-a/01-CONTEXT.md: # C\n\n**Gathered:** 2026-02-06\n"}},
		{"resume-work", []string{roadmap, state, "phases/01-a/.continue-here.md: ---\nlast_updated: 2026-02-06T10:00:00Z\n---\n", "phases/01-a/01-CONTEXT.md: # C\n\n**Gathered:** 2026-02-06\n"}},
		{"resume-work", []string{roadmap, state, "phases/01-a/01-01-PLAN.md", `HANDOFF.json: {"phase": "01", "status": "paused", "remaining_tasks": [{}]}`}},
		{"execute-phase", []string{roadmap, state, "phases/01-a/01-01-PLAN.md", `HANDOFF.json: {"phase": "01", "status": "paused", "remaining_tasks": []}`}},
		{"execute-phase", []string{roadmap, state, "phases/01-a/01-01-PLAN.md", `HANDOFF.json: {"phase": "09", "status": "paused", "remaining_tasks": [{}]}`}},
	} {
		inv, _ := read(t, c.files...)
		s := inv.NextStep()
		got := s.Command
		if s.Phase != nil && strings.Contains(c.want, " ") {
			got += " " + s.Phase.ID.String()
		}
		if got != c.want || s.Reason == "" {
			t.Errorf("%v: %+v, want %s", c.files, s, c.want)
		}
	}
}

// TestNextBehind: the next step is about the phase to which the work went on, if the files of a later phase show that.
func TestNextBehind(t *testing.T) {
	const roadmap = "ROADMAP.md: - [ ] **Phase 1: A**\n- [ ] **Phase 2: B**\n- [ ] **Phase 3: C**\n"
	const ticked = "ROADMAP.md: - [ ] **Phase 1: A**\n- [x] **Phase 2: B**\n- [ ] **Phase 3: C**\n"
	const early = "ROADMAP.md: - [x] **Phase 1: A**\n- [ ] **Phase 2: B**\n- [ ] **Phase 3: C**\n"
	const state, first, third = "STATE.md: Status: Executing\n", "STATE.md: Phase: 1 of 3 (A)\nStatus: Executing\n", "STATE.md: Phase: 3 of 3 (C)\n"
	const complete = "STATE.md: Phase: 1 of 3 (A)\nStatus: Complete\n"
	const named = "STATE.md: ---\nstopped_at: Phase 2 planned\n---\nPhase: 1 of 3 (A)\n"
	const plan1, done1, plan2, done2 = "phases/01-a/01-01-PLAN.md", "phases/01-a/01-01-SUMMARY.md", "phases/02-b/02-01-PLAN.md", "phases/02-b/02-01-SUMMARY.md"
	const context2, context3, plan3, more2 = "phases/02-b/02-CONTEXT.md", "phases/03-c/03-CONTEXT.md", "phases/03-c/03-01-PLAN.md", "phases/02-b/02-02-PLAN.md"
	const passed, person = "phases/01-a/01-VERIFICATION.md: ---\nstatus: passed\n---\n", "phases/01-a/01-VERIFICATION.md: ---\nstatus: human_needed\n---\n"
	const gaps, person2 = "phases/01-a/01-VERIFICATION.md: ---\nstatus: gaps_found\n---\n", "phases/02-b/02-VERIFICATION.md: ---\nstatus: human_needed\n---\n"
	const skip, verified2 = "config.json: {\"workflow\": {\"skip_discuss\": true}}", "phases/02-b/02-VERIFICATION.md: ---\nstatus: passed\n---\n"
	for _, c := range []struct {
		want  string
		files []string
	}{
		// Carried out, and the next one discussed, planned in advance, planned and named, or begun.
		{"plan-phase 2", []string{roadmap, first, plan1, done1, context2}},
		{"plan-phase 2", []string{roadmap, first, plan1, done1, passed, context2}},
		{"plan-phase 2", []string{roadmap, first, plan1, done1, person, context2}},
		{"plan-phase 1", []string{roadmap, first, plan1, done1, gaps, context2}},
		{"verify-work 1", []string{roadmap, first, plan1, done1, plan2, context2}},
		{"execute-phase 2", []string{roadmap, named, plan1, done1, plan2, context2}},
		{"execute-phase 2", []string{roadmap, first, plan1, done1, plan2, done2, more2}},
		{"execute-phase 2", []string{roadmap, first, plan1, done1, gaps, plan2, done2, more2}},
		{"verify-work 1", []string{roadmap, first, plan1, done1, person, plan2, done2, person2}},
		// Two were carried out, and this project verifies none, or verifies them.
		{"execute-phase 3", []string{roadmap, "STATE.md: Phase: 2 of 3 (B)\n", plan1, done1, plan2, done2, plan3}},
		{"verify-work 2", []string{roadmap, "STATE.md: Phase: 2 of 3 (B)\n", plan1, done1, passed, plan2, done2, plan3}},
		// Not begun or in part, and a later one was.
		{"plan-phase 3", []string{ticked, state, context3}},
		{"plan-phase 3", []string{ticked, state, plan1, context3}},
		{"execute-phase 1", []string{roadmap, first, plan1, context2}},
		{"execute-phase 3", []string{roadmap, third, plan1, plan3, "phases/03-c/03-01-SUMMARY.md", "phases/03-c/03-02-PLAN.md"}},
		// Ticked with the last plan, or when it was complete.
		{"verify-work 1", []string{early, first, plan1, done1}},
		{"discuss-phase 2", []string{early, complete, plan1, done1}},
		{"verify-work 1", []string{early, complete, plan1, done1, "phases/03-c/03-VERIFICATION.md: ---\nstatus: passed\n---\n"}},
		{"discuss-phase 2", []string{early, first, plan1, done1, passed}},
		{"discuss-phase 2", []string{early, first, plan1, done1, "phases/01-a/01-UAT.md: ---\nstatus: complete\n---\n"}},
		// Phases that are not discussed.
		{"plan-phase 2", []string{early, "STATE.md: Phase: 2 of 3 (B)\n", skip}},
		{"plan-phase 3", []string{roadmap, third, plan1, done1, plan2, done2}},
		{"discuss-phase 3", []string{roadmap, third, plan1, done1, context2, plan2, done2, verified2}},
		{"plan-phase 1", []string{roadmap, first, "phases/01-a/01-UI-SPEC.md"}},
		// Behind the roadmap.
		{"execute-phase 05", []string{"ROADMAP.md: - [x] **Phase 1: A**\n", "STATE.md: Phase: 5 (E)\n", "phases/04-d/04-01-PLAN.md", "phases/05-e/05-01-PLAN.md"}},
	} {
		inv, _ := read(t, c.files...)
		s := inv.NextStep()
		if s.Phase == nil || s.Command+" "+s.Phase.ID.String() != c.want || inv.Current() != s.Phase {
			t.Errorf("%v: %s, want %s", c.files, s, c.want)
		}
	}
	inv, _ := read(t, roadmap, first, plan1, done1, context2)
	if inv.Original = true; inv.NextStep().Command != "verify-work" {
		t.Errorf("the other program: %s, want the first open phase", inv.NextStep())
	}
}

// TestNextWithoutPlans: plans that are not in the repository, because they were never committed, were carried out as far as there are
// summaries.
func TestNextWithoutPlans(t *testing.T) {
	const roadmap, state, one, two = "ROADMAP.md: ### Phase 1: A\n", "STATE.md: Status: Executing\n", "phases/01-a/01-01-SUMMARY.md", "phases/01-a/01-02-SUMMARY.md"
	const listed = "ROADMAP.md: ### Phase 1: A\nPlans:\n- [ ] 01-01: x\n- [ ] 01-02-PLAN.md — y\n"
	const passed = "phases/01-a/01-VERIFICATION.md: ---\nstatus: passed\n---\n"
	for _, c := range []struct {
		want, line string
		files      []string
	}{
		{"execute-phase (1 of 2 plans has a summary, and none is in the repository)", "guide execute-phase 1", []string{listed, state, one}},
		{"execute-phase (1 plan has a summary, and none is in the repository)", "guide execute-phase 1", []string{roadmap, state, one, "phases/01-a/01-CONTEXT.md"}},
		{"execute-phase (2 of 3 plans have a summary, and none is in the repository)", "guide execute-phase 1", []string{roadmap, "STATE.md: Phase: 1 of 1 (A)\nPlan: 1 of 3\n", one, two}},
		{"verify-work (all plans were carried out and nothing verified them)", "guide verify-work 1", []string{listed, state, one, two}},
		{"verify-work (all plans were carried out and nothing verified them)", "guide verify-work 1", []string{roadmap, "STATE.md: Phase: 1 of 1 (A)\nPlan: 2 of 2\n", one, two}},
		{"execute-phase (2 plans have a summary, and none is in the repository)", "guide execute-phase 1", []string{roadmap, "STATE.md: Phase: 2 of 2 (B)\nPlan: 2 of 2\n", one, two}},
		{"complete-phase (it is verified and not closed)", "run next 1", []string{listed, state, one, two, passed}},
		{"execute-phase (1 of 2 plans has a summary, and none is in the repository)", "guide execute-phase 1", []string{listed, state, "milestones/v1.0-phases/01-a/01-01-SUMMARY.md"}},
		{"discuss-phase (nothing is known of it)", "run next 1", []string{roadmap, state, "milestones/v0.9-phases/01-a/01-01-SUMMARY.md"}},
	} {
		inv, _ := read(t, c.files...)
		s := inv.NextStep()
		if got := s.Command + " (" + s.Reason + ")"; got != c.want || s.Line() != c.line {
			t.Errorf("%v: %s, %s, want %s, %s", c.files, got, s.Line(), c.want, c.line)
		}
		if inv.Original = true; inv.NextStep().Command == "execute-phase" {
			t.Errorf("%v: the other program knows no plan of it", c.files)
		}
	}
}

// TestNextAfterVerified: a verified phase is closed before work goes on, even if the one after it has begun.
func TestNextAfterVerified(t *testing.T) {
	inv, _ := read(t, "ROADMAP.md: - [ ] **Phase 1: A**\n- [ ] **Phase 2: B**\n", "STATE.md: Phase: 1 of 2 (A)\n", "phases/01-a/01-01-PLAN.md", "phases/01-a/01-01-SUMMARY.md",
		"phases/01-a/01-VERIFICATION.md: ---\nstatus: passed\n---\n", "phases/02-b/02-01-PLAN.md")
	if s := inv.NextStep(); s.Command != "complete-phase" || s.Phase != inv.Phases[0] || inv.Current() != s.Phase {
		t.Errorf("%s", s)
	}
}

// TestReopened: the phase that the next step is about is the current one, also if the roadmap ticks it.
func TestReopened(t *testing.T) {
	inv, _ := read(t, "ROADMAP.md: - [x] **Phase 1: A**\n- [ ] **Phase 2: B**\n", "STATE.md: Phase: 2 of 2 (B)\n", "phases/01-a/01-01-PLAN.md", "phases/01-a/01-01-SUMMARY.md",
		"phases/01-a/01-VERIFICATION.md: ---\nstatus: gaps_found\n---\n")
	if s := inv.NextStep(); s.Command != "plan-phase" || s.Phase != inv.Phases[0] || inv.Current() != s.Phase {
		t.Errorf("%s", s)
	}
}

// TestStaleMilestone: STATE.md still names a milestone that is complete, while the phase that it stands at is of the next one, whose
// sections are in two places.
func TestStaleMilestone(t *testing.T) {
	const roadmap = "ROADMAP.md: ## v1.0 Phases (Historical)\n\n- [x] **Phase 1: A**\n\n## v2.0 Phases\n\n- [x] **Phase 2: B**\n- [ ] **Phase 3: C**\n\n" +
		"## v1.0 Phase Details\n\n### Phase 1: A\n\n## v2.0 Phase Details\n\n### Phase 2: B\n\n### Phase 3: C\n"
	for _, c := range []struct{ state, want string }{
		{"milestone: v1.0\n---\nPhase: 3 of 3 (C)\n", "v2.0 complete 2 3"},
		{"milestone: v2.0\n---\nPhase: 3 of 3 (C)\n", "v2.0 complete 2 3"},
		{"milestone: v1.0\n---\nPhase: 1 of 1 (A)\n", "v1.0 complete 1"},
		{"milestone: v1.0\n---\n", "v1.0 complete 1"},
		{"milestone: v2.0\n---\nPhase: 1 of 1 (A)\n", "v2.0 complete 2 3"},
	} {
		inv, _ := read(t, roadmap, "STATE.md: ---\n"+c.state)
		got := []string{inv.View.Version, string(inv.View.Scope)}
		for _, p := range inv.Phases {
			got = append(got, p.ID.String())
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("%q: %v, want %s", c.state, got, c.want)
		}
	}
}

// TestLineOfTickedPhase: a run of a phase that the roadmap ticks has nothing to do, so its gaps are planned by the guide.
func TestLineOfTickedPhase(t *testing.T) {
	inv, _ := read(t, "ROADMAP.md: - [x] **Phase 1: A**\n- [ ] **Phase 2: B**\n\n### Phase 1: A\n\n### Phase 2: B\n", "STATE.md: Status: Planning\n",
		"phases/01-a/01-VERIFICATION.md: ---\nstatus: gaps_found\n---\n")
	if got, want := inv.NextStep().Line(), "guide plan-phase 1"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// TestProblemsHaveFileAndLine: what is wrong inside a file is named by both.
func TestProblemsHaveFileAndLine(t *testing.T) {
	inv, _ := read(t, "ROADMAP.md: # R\n```\n### Phase 1: A\n", "STATE.md: ---\na: [\n---\n<<<<<<< HEAD\n")
	var got []string
	for _, p := range inv.Problems {
		got = append(got, p.Error())
	}
	want := []string{".planning/ROADMAP.md: line 2: ", ".planning/STATE.md: line 2: ", ".planning/STATE.md: line 4: "}
	for i := range want {
		if len(got) != len(want) || !strings.HasPrefix(got[i], want[i]) {
			t.Fatalf("%q, want %q", got, want)
		}
	}
}

// TestUnreadableFiles: a file that cannot be read is named, and the rest is read.
func TestUnreadableFiles(t *testing.T) {
	_, root := read(t, "STATE.md: x", "phases/01-a/01-01-PLAN.md")
	if err := os.Mkdir(filepath.Join(root, folder.Name, "ROADMAP.md"), 0o755); err != nil {
		t.Fatal(err)
	}
	if inv := again(t, root); len(inv.Phases) != 1 || len(inv.Problems) != 1 || !strings.Contains(inv.Problems[0].Error(), ".planning/ROADMAP.md") {
		t.Errorf("%v, problems %v", inv.Phases, inv.Problems)
	}
}

// TestVersionInProse: the version of a tool that the roadmap mentions is not that of the milestone.
func TestVersionInProse(t *testing.T) {
	inv, _ := read(t, "ROADMAP.md: # R\n\n### Phase 1: A\n\nPlans:\n- [ ] 01-01-PLAN.md — pin the action @v1.12\n", "STATE.md: ---\nmilestone: v1.0\n---\n")
	if got := inv.Version(); got != "v1.0" {
		t.Error(got)
	}
}

// TestStaleMilestoneOfChecklist: the sections of all milestones are in one place, so that the list alone shows which one a phase is of.
func TestStaleMilestoneOfChecklist(t *testing.T) {
	const roadmap = "ROADMAP.md: ## Phases\n\n### v1.0 — A (complete)\n\n- [x] **Phase 1: A**\n\n### v2.0 — B\n\n- [x] **Phase 2: B**\n- [ ] **Phase 3: C**\n\n" +
		"## Phase Details\n\n### Phase 1: A\n\n### Phase 2: B\n\n### Phase 3: C\n"
	inv, _ := read(t, roadmap, "STATE.md: ---\nmilestone: v1.0\n---\nPhase: 3 of 3 (C)\n", "phases/03-c/03-01-PLAN.md")
	if s := inv.NextStep(); inv.Version() != "v2.0" || s.Command != "execute-phase" || s.Phase.ID.String() != "3" {
		t.Errorf("%s, %s", inv.Version(), s)
	}
}

package query_test

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"ken/internal/workflow/plan/folder"
	"ken/internal/workflow/plan/inventory"
	"ken/internal/workflow/plan/query"
)

// questions makes a planning folder of files, "name: text", and reads it.
func questions(t *testing.T, files ...string) *query.Questions {
	t.Helper()
	return questionsIn(t, folder.Options{}, files...)
}

func questionsIn(t *testing.T, opt folder.Options, files ...string) *query.Questions {
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
	f, err := folder.Open(root, opt)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	inv, err := inventory.Read(f)
	if err != nil {
		t.Fatal(err)
	}
	return &query.Questions{Folder: f, Inventory: inv}
}

// check compares an answer with JSON.
func check(t *testing.T, what string, answer any, err error, want string) {
	t.Helper()
	if err != nil {
		t.Errorf("%s: %v", what, err)
		return
	}
	b, err := json.Marshal(answer)
	if err != nil {
		t.Fatal(err)
	}
	var got, wanted any
	if err := errors.Join(json.Unmarshal(b, &got), json.Unmarshal([]byte(want), &wanted)); err != nil {
		t.Fatal(what, err)
	}
	if diff := cmp.Diff(wanted, got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", what, diff)
	}
}

var files = []string{
	"ROADMAP.md: # R\n\n- 🚧 **v1.1 Search** - Phases 1-3\n\n## v1.1 Search\n\n- [x] **Phase 1: Base**\n- [ ] **Phase 2: API**\n- [ ] **Phase 9: Listed**\n\n### Phase 1: Base\n**Goal**: It runs\n**Success Criteria** (what must be TRUE):\n  1. A\n\n" +
		"### Phase 2: API\n**Goal:** An API\n**Depends on:** Phase 1\n\n### Phase 3: UI\n\n## Progress\n\ntext\n",
	"STATE.md: ---\nmilestone: v1.1\nstopped_at: Plan 2\nprogress:\n  percent: 99\n---\n# S\n\n## Current Position\n\nPhase: 2 of 3 (API)\nPlan: 1 of 2 in current phase\nStatus: In progress\nLast activity: 2026-01-02 — Did it\n\nProgress: [█████] 50%\n",
	"phases/01-base/01-01-PLAN.md: x", "phases/01-base/01-01-SUMMARY.md: y", "phases/01-base/01-VERIFICATION.md: ---\nstatus: passed\n---\n",
	"phases/02-api/02-01-PLAN.md: ---\nwave: 1\nfiles_modified: [a.go]\n---\n<objective>One</objective>\n<task></task>\n", "phases/02-api/02-02-PLAN.md: ---\nwave: 2\nautonomous: false\n---\n<objective>\nTwo\nMore\n</objective>\n",
	"phases/02-api/02-01-SUMMARY.md: z", "phases/02-api/02-CONTEXT.md: c",
}

func TestAnswers(t *testing.T) {
	q := questions(t, files...)
	at := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	s, err := q.State(at)
	check(t, "state", s, err, `{"gsd_state_version":"1.0","milestone":"v1.1","milestone_name":"Search","current_phase":"2","current_phase_name":"API","current_plan":"2","status":"executing","stopped_at":"Plan 2",
		"last_updated":"2026-01-02T03:04:05.000Z","last_activity":"2026-01-02 — Did it","progress":{"total_phases":4,"completed_phases":1,"total_plans":3,"completed_plans":2,"percent":40}}`)
	snapshot, err := q.Snapshot()
	check(t, "snapshot", snapshot, err, `{"current_phase":"2","current_phase_name":"API","total_phases":3,"current_plan":"1","total_plans_in_phase":2,"status":"In progress","progress_percent":50,
		"last_activity":"2026-01-02 — Did it","last_activity_desc":"Did it","decisions":[],"blockers":[],"paused_at":null,"session":{"last_date":null,"stopped_at":null,"resume_file":null}}`)
	analysis, err := q.Analyze()
	check(t, "analyze", analysis, err, `{"milestones":[{"heading":"v1.1 Search","version":"v1.1"}],"phases":[
		{"number":"1","name":"Base","goal":"It runs","depends_on":null,"plan_count":1,"summary_count":1,"has_context":false,"has_research":false,"disk_status":"complete","roadmap_complete":true},
		{"number":"2","name":"API","goal":"An API","depends_on":"Phase 1","plan_count":2,"summary_count":1,"has_context":true,"has_research":false,"disk_status":"partial","roadmap_complete":false},
		{"number":"3","name":"UI","goal":null,"depends_on":null,"plan_count":0,"summary_count":0,"has_context":false,"has_research":false,"disk_status":"no_directory","roadmap_complete":false}],
		"phase_count":3,"completed_phases":1,"total_plans":3,"total_summaries":2,"progress_percent":40,"current_phase":"2","next_phase":"3","missing_phase_details":["9"],"scope":"complete"}`)
	check(t, "report", q.Report(), nil, `{"milestone_version":"v1.1","milestone_name":"Search","phases":[{"number":"01","name":"base","plans":1,"summaries":1,"status":"Complete"},
		{"number":"02","name":"api","plans":2,"summaries":1,"status":"In Progress"},{"number":"03","name":"UI","plans":0,"summaries":0,"status":"Pending"},{"number":"09","name":"Listed","plans":0,"summaries":0,"status":"Pending"}],
		"total_plans":3,"total_summaries":2,"percent":40}`)
	check(t, "plan index", q.PlanIndex("2"), nil, `{"phase":"02","plans":[{"id":"02-01","wave":1,"autonomous":true,"objective":"One","files_modified":["a.go"],"task_count":1,"has_summary":true},
		{"id":"02-02","wave":2,"autonomous":false,"objective":"Two","files_modified":[],"task_count":0,"has_summary":false}],"waves":{"1":["02-01"],"2":["02-02"]},"incomplete":["02-02"],"has_checkpoints":true}`)
}

func TestPhases(t *testing.T) {
	q := questions(t, append(files, "phases/02.1-fix/x: ", "milestones/v1.0-phases/00-old/x: ", "phases/notes/x: ")...)
	check(t, "found", q.FindPhase("01"), nil, `{"found":true,"directory":".planning/phases/01-base","phase_number":"01","phase_name":"base","plans":["01-01-PLAN.md"],"summaries":["01-01-SUMMARY.md"]}`)
	check(t, "archived", q.FindPhase("0"), nil, `{"found":true,"directory":".planning/milestones/v1.0-phases/00-old","phase_number":"00","phase_name":"old","plans":[],"summaries":[],"archived":"v1.0"}`)
	check(t, "no folder", q.FindPhase("3"), nil, `{"found":false,"directory":null,"phase_number":null,"phase_name":null,"plans":[],"summaries":[],"roadmap_only":true}`)
	check(t, "no phase", q.FindPhase("2.7"), nil, `{"found":false,"directory":null,"phase_number":null,"phase_name":null,"plans":[],"summaries":[],"near":["2","02.1","1","3","9"]}`)
	check(t, "no phase", q.PlanIndex("../x"), nil, `{"phase":"../x","error":"Phase not found","plans":[],"waves":{},"incomplete":[],"has_checkpoints":false,"near":["1","2","3","9","02.1"]}`)
	dirs, err := q.Directories(true)
	check(t, "folders", dirs, err, `{"directories":["00-old [v1.0]","01-base","02-api","02.1-fix","notes"],"count":5}`)
	next, err := q.NextDecimal("2")
	check(t, "next", next, err, `{"found":true,"base_phase":"02","next":"02.2","existing":["02.1"]}`)
	if _, err := q.NextDecimal("x"); err == nil {
		t.Error("a number after x")
	}
	phase, err := q.RoadmapPhase("2")
	check(t, "section", phase, err, `{"found":true,"phase_number":"2","phase_name":"API","goal":"An API","success_criteria":[],"section":"### Phase 2: API\n**Goal:** An API\n**Depends on:** Phase 1"}`)
	phase, err = q.RoadmapPhase("9")
	check(t, "only listed", phase, err, `{"found":false,"phase_number":"9","phase_name":"Listed","goal":null,"error":"malformed_roadmap","message":"Phase 9 is in a checklist and has no section \"### Phase 9:\" of its own."}`)
}

// TestLoadNamesBrokenConfig: what is wrong with config.json is a warning with its line.
func TestLoadNamesBrokenConfig(t *testing.T) {
	q := questions(t, append(files, "config.json: {\n  \"mode\": yolo\n}")...)
	l := q.StartFacts()
	if len(l.Warnings) != 1 || !strings.HasPrefix(l.Warnings[0], ".planning/config.json: line 2: ") || l.Config["mode"] != "interactive" || !l.ConfigExists || !l.StateExists {
		t.Errorf("%+v", l)
	}
	if l := questions(t, "config.json: {\"parallelization\": {\"enabled\": false}, \"research\": false}").StartFacts(); l.Config["parallelization"] != false || l.Config["research"] != false || l.StateExists || len(l.Warnings) > 0 {
		t.Errorf("%+v", l)
	}
}

// TestLoadInWorkstream: a workstream without settings of its own has those of the whole, here as in every other operation.
func TestLoadInWorkstream(t *testing.T) {
	for own, mode := range map[string]string{"": "yolo", `{"mode": "interactive"}`: "interactive"} {
		with := []string{`config.json: {"mode": "yolo", "nonsense": 1}`, "workstreams/a/STATE.md: # State"}
		if own != "" {
			with = append(with, "workstreams/a/config.json: "+own)
		}
		q := questionsIn(t, folder.Options{Workstream: "a"}, with...)
		l := q.StartFacts()
		if l.Config["mode"] != mode || l.ConfigExists != (own != "") {
			t.Errorf("own %q: mode %v, exists %v", own, l.Config["mode"], l.ConfigExists)
		}
		if own == "" && (len(l.Warnings) != 1 || !strings.HasPrefix(l.Warnings[0], ".planning/config.json: ")) {
			t.Errorf("warnings %q", l.Warnings)
		}
	}
}

func TestStateGet(t *testing.T) {
	q := questions(t, files...)
	for name, want := range map[string]string{"status": "In progress", "Current Position": "Phase: 2 of 3 (API)", "": "---\nmilestone"} {
		if got, err := q.StateGet(name); err != nil || !strings.HasPrefix(got, want) {
			t.Errorf("%s: %q %v", name, got, err)
		}
	}
	if _, err := q.StateGet("nothing"); err == nil || err.Error() != `Section or field "nothing" not found` {
		t.Errorf("%v", err)
	}
	empty := questions(t, "PROJECT.md: x")
	_, err := empty.StateGet("")
	_, err2 := empty.Analyze()
	if !errors.Is(err, query.ErrNoState) || !errors.Is(err2, query.ErrNoRoadmap) {
		t.Errorf("%v, %v", err, err2)
	}
	if r := empty.Report(); r.Version != "v1.0" || len(r.Phases) != 0 || r.Percent != 0 {
		t.Errorf("%+v", r)
	}
}

func TestBar(t *testing.T) {
	for percent, want := range map[int]string{0: "░░░░", 50: "██░░", 100: "████", 62: "██░░", 63: "███░", 200: "████"} {
		if got := inventory.ProgressBar(percent, 4); got != want {
			t.Errorf("%d: %s", percent, got)
		}
	}
}

// TestPhasesWithoutFolderAreListed: phases that only the roadmap has are part of what is to be done.
func TestPhasesWithoutFolderAreListed(t *testing.T) {
	var names []string
	for _, p := range questions(t, files...).Report().Phases {
		names = append(names, p.Number+" "+p.Name+" "+p.Status)
	}
	if got := strings.Join(names, ", "); !strings.Contains(got, "03 ") || !strings.Contains(got, "Pending") {
		t.Error(got)
	}
}

// TestStateGetOfFrontMatter: a field that the text lacks is that of the front matter.
func TestStateGetOfFrontMatter(t *testing.T) {
	q := questions(t, "STATE.md: ---\nstatus: executing\nstopped_at: here\ncurrent_phase: 02\nprogress:\n  total_phases: 3\n---\n\n# State\n")
	for name, want := range map[string]string{"Status": "executing", "Stopped At": "here", "Current Phase": "02"} {
		if got, err := q.StateGet(name); err != nil || got != want {
			t.Errorf("%s: %q %v", name, got, err)
		}
	}
	if got, err := q.StateGet("Progress"); err == nil {
		t.Errorf("counters are no progress in words: %q", got)
	}
}

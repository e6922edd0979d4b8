package roadmap_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"ken/internal/workflow/plan/phaseid"
	"ken/internal/workflow/plan/roadmap"
)

const simple = `# Roadmap: X

## Phases

- [x] **Phase 1: Foundation** - the base (completed 2026-01-31)
- [ ] **Phase 2: API** - the rest
- [ ] **Phase 2.1: Fix (INSERTED)** - now
- [ ] **Phase 3: Only listed** - text

## Phase Details

### Phase 1: Foundation
**Goal**: The base works
**Depends on**: Nothing (first phase)
**Requirements**: [REQ-01, REQ-02]  <!-- brackets optional -->
**Success Criteria** (what must be TRUE):
  1. It runs
  2. It stops

**Plans**: 2 plans

Plans:
- [x] 01-01: First
- [x] 01-02-PLAN.md — Second

### Phase 2: API
**Goal:** An API
**Depends on:** Phase 1, Phase 01
**Requirements:** REQ-03
**Plans:** TBD

Plans:
- [ ] TBD

### Phase 02.1: Fix (INSERTED)
**Requirements**: TBD

## Progress

| Phase | Plans Complete | Status | Completed |
|-------|----------------|--------|-----------|
| 1. Foundation | 2/2 | Complete | 2026-01-31 |
| 2. API | 0/0 | Not started | - |
`

func find(t *testing.T, r *roadmap.Roadmap, number string) roadmap.Phase {
	t.Helper()
	id, _ := phaseid.Parse(number)
	p, ok := r.Find(id)
	if !ok {
		t.Fatalf("no phase %s", number)
	}
	return p
}

func numbers(list []roadmap.Phase) string {
	var s []string
	for _, p := range list {
		s = append(s, p.ID.String())
	}
	return strings.Join(s, " ")
}

func TestRoadmap(t *testing.T) {
	r := roadmap.Parse(simple)
	if got := numbers(r.Phases); got != "1 2 02.1" {
		t.Errorf("phases %s", got)
	}
	one, two, fix := find(t, r, "01"), find(t, r, "2"), find(t, r, "2.1")
	if r.Value(one, "Goal") != "The base works" || r.Value(two, "goal") != "An API" {
		t.Errorf("goals %q %q", r.Value(one, "Goal"), r.Value(two, "Goal"))
	}
	if got := r.Criteria(one); !slices.Equal(got, []string{"It runs", "It stops"}) {
		t.Errorf("criteria %q", got)
	}
	if got := fmt.Sprint(r.DependsOn(one), r.DependsOn(two)); got != "[] [1]" {
		t.Errorf("depends on %s", got)
	}
	if !fix.Inserted || fix.Name != "Fix" || one.Inserted {
		t.Errorf("%+v", fix)
	}
	plans := r.Plans(one)
	if len(plans) != 2 || plans[0].ID != "01-01" || plans[0].Text != "First" || plans[1].ID != "01-02" || plans[1].Text != "Second" || !plans[1].Done || len(r.Plans(two)) != 0 {
		t.Errorf("plans %+v", plans)
	}
	if got := fmt.Sprint(r.MissingDetails(r.MilestoneView("").Lines)); got != "[3]" {
		t.Errorf("without a section: %s", got)
	}
	if c := r.Checklist[0]; c.Completed != "2026-01-31" || !c.Done || c.Name != "Foundation" {
		t.Errorf("%+v", c)
	}
	if done, listed := r.CheckState(one.ID); !done || !listed {
		t.Error("phase 1 is ticked")
	}
	if len(r.Rows) != 2 || r.Rows[0].Plans != "2/2" || r.Rows[0].Finished != "2026-01-31" || r.Rows[1].Name != "API" || r.Rows[1].Status != "Not started" {
		t.Errorf("rows %+v", r.Rows)
	}
	if s := r.Section(two); !strings.HasPrefix(s, "### Phase 2: API\n") || !strings.HasSuffix(s, "- [ ] TBD") {
		t.Errorf("section %q", s)
	}
}

// TestPhaseHeadingInProseOrFence: only a heading that begins its line is a phase.
func TestPhaseHeadingInProseOrFence(t *testing.T) {
	const text = "# R\n\nWrite `### Phase 7: X` like so, as in ### Phase 8: Y.\n\n```md\n### Phase 2: In a fence\n- [ ] **Phase 2: In a fence**\n```\n\n> ### Phase 4: Quoted\n\n" +
		"<!--\n### Phase 5: Comment\n-->\n    ### Phase 6: Indented\n\n### Phase 1: Real\n**Goal**: x\n\n# Phase 9: Level 1\n##### Phase 10: Level 5\n"
	r := roadmap.Parse(text)
	if got := numbers(r.Phases); got != "1" || len(r.Checklist) != 0 {
		t.Errorf("phases %s, checklist %v", got, r.Checklist)
	}
}

// TestRequirementsBothColons: ids are read whichever side of the stars the colon is.
func TestRequirementsBothColons(t *testing.T) {
	r := roadmap.Parse(simple)
	if got := r.Requirements(find(t, r, "1")); !slices.Equal(got, []string{"REQ-01", "REQ-02"}) {
		t.Errorf("phase 1: %q", got)
	}
	if got := r.Requirements(find(t, r, "2")); !slices.Equal(got, []string{"REQ-03"}) {
		t.Errorf("phase 2: %q", got)
	}
	if got := r.Requirements(find(t, r, "2.1")); got != nil {
		t.Errorf("TBD: %q", got)
	}
}

// TestCriteriaBothColons: criteria are read whichever side of the stars the colon is, with and without a remark.
func TestCriteriaBothColons(t *testing.T) {
	for _, line := range []string{"**Success Criteria**:", "**Success Criteria:**", "**Success Criteria** (what must be TRUE):", "**Success Criteria (what must be TRUE):**"} {
		r := roadmap.Parse("### Phase 1: A\n" + line + "\n  1. One\n  2. Two\n")
		if got := r.Criteria(r.Phases[0]); !slices.Equal(got, []string{"One", "Two"}) {
			t.Errorf("%s: %q", line, got)
		}
	}
}

const milestones = `# Roadmap

## Milestones

- ✅ **v1.0 MVP** - Phases 1-2 (shipped 2026-01-01)
- 🚧 **v1.1 Search** - Phases 3-4 (in progress)
- 📋 **v1.10 Later** - Phases 5 (planned)

## Phases

<details>
<summary>✅ v1.0 MVP</summary>

- [x] Phase 1: Old (2/2 plans) — completed 2026-01-01

### Phase 1: Old
**Goal**: g

### Phase 2: Older
</details>

### 🚧 v1.1 Search (In Progress)

#### Phase 3: Index
- [ ] 03-01: a

#### Phase 4: Query

### 📋 v1.10 Later (Planned)

#### Phase 5: Later
`

// TestMilestoneScope: the phases of the current milestone are known, or the answer says that
// they are not.
func TestMilestoneScope(t *testing.T) {
	for _, c := range []struct {
		name, text, version string
		scope               roadmap.Scope
		phases, is          string
	}{
		{"by the mark", milestones, "", roadmap.Complete, "3 4", "v1.1 Search"},
		{"by STATE.md", milestones, "v1.10", roadmap.Complete, "5", "v1.10 Later"},
		{"v1.1 is not v1.10", strings.Replace(milestones, "### 🚧 v1.1 Search (In Progress)", "### Now", 1), "v1.1", roadmap.Unscoped, "3 4 5", "v1.1 Search"},
		{"a version that no heading has", milestones, "v3.0", roadmap.Unscoped, "3 4 5", "v3.0 "},
		{"no milestone", simple, "", roadmap.Unscoped, "1 2 02.1", " "},
		{"the wrong heading", "# R\n\n## v1.0 Goals\n\ntext\n\n## ✅ Phases\n\n### Phase 1: A\n", "v1.0", roadmap.Truncated, "", "v1.0 Goals"},
		{"a conflict", "# R\n<<<<<<< HEAD\n### Phase 1: A\n=======\n>>>>>>> x\n", "", roadmap.Unreadable, "", " "},
		{"empty", "\n", "", roadmap.Unreadable, "", " "},
		{"a title with the version", "# Roadmap v2.0\n\n## Phases\n\n### Phase 1: A\n", "v2.0", roadmap.Complete, "1", "v2.0 "},
		{"the mark is newer than STATE.md", "# R\n\n- ✅ **v1.0 MVP**\n- 🚧 **v1.1 Next**\n\n## v1.1 Next\n\n### Phase 4: A\n", "v1.0", roadmap.Complete, "4", "v1.1 Next"},
		{"the milestone inside details", "# R\n<details>\n\n## v1.0 Now\n\n### Phase 1: A\n\n</details>\n", "v1.0", roadmap.Complete, "1", "v1.0 Now"},
	} {
		v := roadmap.Parse(c.text).MilestoneView(c.version)
		if v.Scope != c.scope || numbers(v.Phases) != c.phases || v.Version+" "+v.Name != c.is {
			t.Errorf("%s: %s %q, phases %q, %s %s", c.name, v.Scope, v.Why, numbers(v.Phases), v.Version, v.Name)
		}
		if (v.Why == "") != (v.Scope == roadmap.Complete) {
			t.Errorf("%s: why: %q", c.name, v.Why)
		}
	}
}

func TestShipped(t *testing.T) {
	r := roadmap.Parse(milestones)
	if p := find(t, r, "2"); !p.Shipped || find(t, r, "3").Shipped {
		t.Error("what is in <details> was shipped")
	}
	if c := r.Checklist[0]; c.Name != "Old" || !c.Shipped || c.Bold || c.Completed != "2026-01-01" {
		t.Errorf("%+v", c)
	}
	// What is shown is not shipped.
	r = roadmap.Parse("<details open>\n\n- [x] **Phase 1: A**\n\n### Phase 1: A\n\n</details>\n")
	if ticked, listed := r.CheckState(find(t, r, "1").ID); find(t, r, "1").Shipped || !ticked || !listed {
		t.Error("what is in <details open> was not shipped")
	}
	// A number that is used again means the phase that is worked on.
	r = roadmap.Parse("<details>\n\n### Phase 1: Old\n\n</details>\n\n### Phase 1: New\n")
	if p := find(t, r, "1"); p.Name != "New" {
		t.Errorf("%+v", p)
	}
}

func TestFiveColumns(t *testing.T) {
	r := roadmap.Parse("| Phase | Milestone | Plans Complete | Status | Completed |\n|--|--|--|--|--|\n| 5. A | v1.1 | 0/2 | Deferred | - |\n| x | | | | |\n")
	if len(r.Rows) != 1 || r.Rows[0].Milestone != "v1.1" || r.Rows[0].Status != "Deferred" || r.Rows[0].ID.String() != "5" {
		t.Errorf("%+v", r.Rows)
	}
}

func TestMarksOfNames(t *testing.T) {
	r := roadmap.Parse("### Phase 2.1: Fix *(INSERTED)*\n\n### Phase 2.2: (Inserted) Other **now**\n\n### Phase 3: Plain (v2)\n")
	var names []string
	for _, p := range r.Phases {
		names = append(names, fmt.Sprintf("%s %v", p.Name, p.Inserted))
	}
	if got := strings.Join(names, ", "); got != "Fix true, Other **now** true, Plain (v2) false" {
		t.Error(got)
	}
}

func TestBacklog(t *testing.T) {
	r := roadmap.Parse("## Backlog\n\n### Phase 999.1: Idea (BACKLOG)\n\n### Phase 7: Marked (backlog)\n")
	if len(r.Phases) != 2 || !r.Phases[0].Backlog || !r.Phases[1].Backlog || r.Phases[0].Name != "Idea" || r.Phases[1].Name != "Marked" {
		t.Errorf("%+v", r.Phases)
	}
}

// TestEditTouchesOnlyItsBytes: ticking a plan in a roadmap that is formatted by hand changes one byte.
func TestEditTouchesOnlyItsBytes(t *testing.T) {
	text := strings.ReplaceAll(simple, "- [ ] TBD", "*  [ ]   02-01:  by hand  ") + "\n\n\n\nend"
	text = strings.ReplaceAll(text, "\n", "\r\n")
	r := roadmap.Parse(text)
	plans := r.Plans(find(t, r, "2"))
	if len(plans) != 1 {
		t.Fatalf("%+v", plans)
	}
	next, err := r.Doc.Apply(r.Doc.SetBox(plans[0].Item, true))
	if want := strings.Replace(text, "[ ]   02-01", "[x]   02-01", 1); err != nil || next.Text() != want {
		t.Errorf("%v", err)
	}
}

// TestDependsOnRangesAndRemarks: phases of a range are all meant, those of a remark are none.
func TestDependsOnRangesAndRemarks(t *testing.T) {
	for value, want := range map[string]string{
		"Phase 8 (positions must exist; independent of Phases 9-12)": "[8]", "Phases 2-4": "[2 3 4]", "Phases 2–3, Phase 7": "[2 3 7]", "Nothing (first phase)": "[]",
		"Phases 1-100000": "[]", "Phase 2.1 and 3": "[2.1 3]",
	} {
		r := roadmap.Parse("# Roadmap\n\n### Phase 9: X\n**Depends on**: " + value + "\n")
		if got := fmt.Sprint(r.DependsOn(r.Phases[0])); got != want {
			t.Errorf("%s: %s, want %s", value, got, want)
		}
	}
}

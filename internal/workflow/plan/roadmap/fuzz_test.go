package roadmap_test

import (
	"testing"

	"ken/internal/workflow/plan/roadmap"
)

// FuzzRoadmap: whatever a roadmap says, every question about it has an answer, and phases are in the text.
func FuzzRoadmap(f *testing.F) {
	f.Add("# Roadmap\n\n## v1.0 First\n\n- [x] **Phase 1: Base**\n\n### Phase 1: Base\n**Goal**: x\n**Requirements:** [A-1, B-2]\n**Plans:** 1\n- [ ] 01-01: y\n")
	f.Add("<details>\n<summary>v1</summary>\n### Phase 1: x\n</details>\n## 🚧 v2.0 Next\n```\n### Phase 2: no\n```\n")
	f.Add("| Phase | Plans | Status |\n|---|---|---|\n| 1. Base | 1/2 | Done |\n<<<<<<< HEAD\n### Phase 2.1: (INSERTED)\r\n")
	f.Fuzz(func(t *testing.T, text string) {
		r := roadmap.Parse(text)
		version, _ := r.CurrentMilestone()
		for _, v := range []string{"", version, "v1.0"} {
			view := r.MilestoneView(v)
			r.MissingDetails(view.Lines)
			for _, p := range append(view.Phases, r.Phases...) {
				r.Criteria(p)
				r.DependsOn(p)
				r.Plans(p)
				r.Requirements(p)
				r.Value(p, "Goal")
				if s := r.Section(p); len(s) > len(text) {
					t.Errorf("%q: a section is longer than the text", text)
				}
				r.CheckState(p.ID)
				r.Find(p.ID)
			}
		}
		r.Problems()
	})
}

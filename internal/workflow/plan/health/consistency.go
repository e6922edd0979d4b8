package health

import (
	"context"
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"

	"ken/internal/workflow/plan/artefact"
	"ken/internal/workflow/plan/folder"
	"ken/internal/workflow/plan/inventory"
	"ken/internal/workflow/plan/planop"
)

type consistencyAnswer struct {
	Passed   bool     `json:"passed"`
	Errors   []string `json:"errors"`
	Warnings []string `json:"warnings"`
	Count    int      `json:"warning_count"`
}

// checkConsistency compares the roadmap with the folders of phases: it reports phases that only one of them has, gaps in numbers, summaries
// without a plan and plans without a wave.
func checkConsistency(_ context.Context, c *planop.Call, _ *planop.NoInput) (consistencyAnswer, error) {
	inv, err := c.Inventory()
	if err != nil {
		return consistencyAnswer{}, err
	}
	a := consistencyAnswer{Errors: []string{}, Warnings: []string{}}
	if inv.Roadmap == nil {
		a.Errors = append(a.Errors, "ROADMAP.md not found")
		return a, nil
	}
	set, err := c.Settings()
	if err != nil {
		return consistencyAnswer{}, err
	}
	for _, p := range inv.Phases {
		if p.Detail != nil && p.Dir == "" {
			a.warn("Phase %s in ROADMAP.md but no directory on disk", p.ID)
		}
	}
	for _, p := range inv.Others {
		if p.Dir != "" {
			a.warn("Phase %s exists on disk but not in ROADMAP.md", p.Token())
		}
	}
	if set.Text("phase_naming") != "custom" {
		a.checkGaps(phasesWithFolder(inv))
	}
	f, err := c.Folder()
	if err != nil {
		return consistencyAnswer{}, err
	}
	for _, p := range phasesWithFolder(inv) {
		if err := a.checkPlans(f, p); err != nil {
			return consistencyAnswer{}, err
		}
	}
	a.Passed, a.Count = len(a.Errors) == 0, len(a.Warnings)
	return a, nil
}

func (a *consistencyAnswer) warn(format string, args ...any) {
	a.Warnings = append(a.Warnings, fmt.Sprintf(format, args...))
}

// phasesWithFolder returns the phases that have a folder, sorted by the name of the folder.
func phasesWithFolder(inv *inventory.Inventory) []*inventory.Phase {
	var list []*inventory.Phase
	for _, p := range slices.Concat(inv.Phases, inv.Others, inv.Backlog) {
		if p.Dir != "" {
			list = append(list, p)
		}
	}
	slices.SortStableFunc(list, func(a, b *inventory.Phase) int { return strings.Compare(a.Dir, b.Dir) })
	return list
}

// checkGaps reports missing numbers between the whole numbers of phases.
func (a *consistencyAnswer) checkGaps(list []*inventory.Phase) {
	var numbers []int
	for _, p := range list {
		if n, err := strconv.Atoi(p.ID.String()); err == nil {
			numbers = append(numbers, n)
		}
	}
	slices.Sort(numbers)
	for i := 1; i < len(numbers); i++ {
		if numbers[i] > numbers[i-1]+1 {
			a.warn("Gap in phase numbering: %d → %d", numbers[i-1], numbers[i])
		}
	}
}

// checkPlans checks the plans of a phase.
func (a *consistencyAnswer) checkPlans(f *folder.Folder, p *inventory.Phase) error {
	dir := path.Base(p.Dir)
	last := 0
	for _, plan := range p.Plans {
		_, number, _ := strings.Cut(plan.ID, "-")
		if n, err := strconv.Atoi(number); err == nil {
			if last > 0 && n > last+1 {
				a.warn("Gap in plan numbering in %s: plan %d → %d", dir, last, n)
			}
			last = n
		}
		text, err := f.ReadRoot(path.Join(strings.TrimPrefix(p.Dir, folder.Name+"/"), plan.File))
		if err != nil {
			return err
		}
		if artefact.ParsePlan(text).Doc.FrontMatter().Get("wave").Text() == "" {
			a.warn("%s/%s: missing 'wave' in frontmatter", dir, plan.File)
		}
	}
	for _, name := range p.Orphans {
		a.warn("Summary %s in %s has no matching PLAN.md", name, dir)
	}
	return nil
}

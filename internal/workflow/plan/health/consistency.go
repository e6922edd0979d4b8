package health

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
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
	if !c.Original {
		if line := inv.Roadmap.Doc.ConflictLine(); line > 0 {
			a.Errors = append(a.Errors, fmt.Sprintf("ROADMAP.md has an open merge conflict in line %d", line))
		} else if len(inv.Phases) == 0 && !inv.IsArchived() {
			a.Errors = append(a.Errors, "ROADMAP.md has no phase")
		}
		if err := a.checkRequirements(c, inv); err != nil {
			return consistencyAnswer{}, err
		}
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

// checkRequirements reports requirements that no phase or more than one has, and those of phases that REQUIREMENTS.md does not have.
func (a *consistencyAnswer) checkRequirements(c *planop.Call, inv *inventory.Inventory) error {
	f, err := c.Folder()
	if err != nil {
		return err
	}
	text, err := f.Read("REQUIREMENTS.md")
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	phases := map[string][]string{}
	var named []string
	for _, p := range inv.Phases {
		if p.Detail == nil {
			continue
		}
		for _, id := range inv.Roadmap.Requirements(*p.Detail) {
			if phases[id] == nil {
				named = append(named, id)
			}
			phases[id] = append(phases[id], p.ID.String())
		}
	}
	if len(named) == 0 {
		return nil // the roadmap does not assign requirements
	}
	known := map[string]bool{}
	for _, r := range artefact.ParseRequirements(text).List {
		known[r.ID] = true
		first := !strings.HasPrefix(strings.ToLower(r.Category), "v2") && !strings.HasPrefix(strings.ToLower(r.Category), "out of scope")
		switch list := phases[r.ID]; {
		case len(list) == 0 && first && r.HasBox && !r.Done:
			a.warn("%s is in no phase", r.ID)
		case len(list) > 1:
			a.warn("%s is in phases %s", r.ID, strings.Join(list, " and "))
		}
	}
	for _, id := range named {
		if !known[id] {
			a.warn("%s of phase %s is not in REQUIREMENTS.md", id, phases[id][0])
		}
	}
	return nil
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

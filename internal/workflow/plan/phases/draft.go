package phases

import (
	"fmt"
	"path"
	"strings"

	"ken/internal/workflow/content/templates"
	"ken/internal/workflow/plan/planop"
)

// Drafted are plans that were begun. They are drafts, so in no wave, until their placeholders are filled.
type Drafted struct {
	Phase string   `json:"phase"`
	Files []string `json:"files"`
}

type phaseDraftInput struct {
	Phase string `arg:"PHASE" help:"the number of the phase"`
	Plans int    `flag:"plans" default:"1" value:"N" help:"how many; 1 if not given"`
}

// maxDrafts is the maximal number of drafts that are written at once.
const maxDrafts = 50

func draftOperation() *planop.Operation {
	return changeOperation(planop.Spec[phaseDraftInput, Drafted]{
		Name: "phase draft", Everyday: true, Summary: "write drafts of plans of a phase, which are in no wave until they are filled",
		Page: func(a Drafted) string {
			return fmt.Sprintf("to be filled, each placeholder in brackets: %s\nken plan run next %s\n", strings.Join(a.Files, ", "), a.Phase)
		},
	}, (*phaseJob).draftPlans)
}

func (j *phaseJob) draftPlans(in *phaseDraftInput) (Drafted, error) {
	if in.Plans == 0 {
		return Drafted{}, planop.Usagef("--plans is 0; it can be 1 to %d", maxDrafts)
	}
	p, err := j.findPhase(in.Phase)
	if err != nil {
		return Drafted{}, err
	}
	number, dir := p.ID.PaddedNumber(), path.Base(p.Dir)
	if p.Dir == "" {
		set, err := j.Settings()
		if err != nil {
			return Drafted{}, err
		}
		_, slug, err := j.nameAndSlug(p.Name)
		if err != nil {
			return Drafted{}, err
		}
		made, err := j.makeFolder(set.Text("project_code"), number, slug)
		if err != nil {
			return Drafted{}, err
		}
		dir = path.Base(made)
	}
	last := len(p.Plans)
	names := make([]string, 0, len(p.Plans)+len(p.Orphans))
	for _, plan := range p.Plans {
		names = append(names, plan.ID)
	}
	names = append(names, p.Orphans...) // results of plans that are not in the repository
	for _, name := range names {
		var n int
		if _, err := fmt.Sscanf(strings.TrimPrefix(name, number+"-"), "%d", &n); err == nil {
			last = max(last, n)
		}
	}
	files, err := j.writeDrafts(dir, number, last, in.Plans)
	return Drafted{p.ID.String(), files}, err
}

// writeDrafts writes drafts of plans into the folder of a phase. Their numbers follow last.
func (j *phaseJob) writeDrafts(dir, number string, last, count int) (files []string, err error) {
	if count < 0 || count > maxDrafts {
		return nil, planop.Usagef("--plans is %d; it can be 1 to %d", count, maxDrafts)
	}
	f, err := j.Folder()
	if err != nil {
		return nil, err
	}
	for n := last + 1; n <= last+count; n++ {
		plan := fmt.Sprintf("%02d", n)
		text, err := templates.Fill("phase-prompt.md", map[string]string{
			"phase": number, "phase_id": dir, "plan": plan, "wave": "1", "type": "execute", "planning": f.Base,
		})
		if err != nil {
			return nil, err
		}
		name := path.Join("phases", dir, number+"-"+plan+"-PLAN.md")
		if err := j.putText(name, text); err != nil {
			return nil, err
		}
		files = append(files, j.displayName(name))
	}
	return files, nil
}

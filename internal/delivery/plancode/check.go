package plancode

import (
	"context"
	"fmt"
	"path"
	"strings"

	"ken/internal/delivery/plancode/check"
	"ken/internal/delivery/plancode/claim"
	"ken/internal/workflow/plan/artefact"
	"ken/internal/workflow/plan/folder"
	"ken/internal/workflow/plan/inventory"
	"ken/internal/workflow/plan/planop"
	"ken/internal/workflow/plan/query"
	"ken/internal/workflow/plan/wave"
)

// CheckAnswer is the answer of `ken plan check`.
type CheckAnswer struct {
	Plan   string `json:"plan"` // its ID, or the number of the phase
	File   string `json:"file"` // of the plan, or the folder of the phase
	Index  Index  `json:"index"`
	Passed bool   `json:"passed"` // there is no blocker, and the plan is filled
	// Verdict is passed, blocked, or draft for a plan that has yet to be filled.
	Verdict  string   `json:"verdict"`
	Unfilled []string `json:"unfilled,omitempty"` // the parts of a draft
	check.Report
	// Plans are the answers about all plans of a phase that are to be carried out, if a phase is checked. The report is then empty.
	Plans []*CheckAnswer `json:"plans,omitempty"`
}

type planInput struct {
	Plan string `arg:"PLAN" help:"the ID of a plan (01-02), its file, or the number of a phase for all of its plans that are to be carried out"`
}

func (j *planIndexOps) check() *planop.Operation {
	return planop.Spec[planInput, *CheckAnswer]{
		Name: "check", Everyday: true, Summary: "whether what a plan says of the code is true, what it breaks, and what a machine can judge of it",
		Run:  j.runCheck,
		Page: (*CheckAnswer).page,
	}.Operation()
}

func (j *planIndexOps) runCheck(ctx context.Context, c *planop.Call, in *planInput) (*CheckAnswer, error) {
	p, err := findPlan(c, in.Plan)
	if phase, none := findPhase(c, in.Plan); err != nil && none == nil {
		return j.checkPhase(ctx, c, phase, err)
	}
	if err != nil {
		return nil, err
	}
	return j.checkPlan(ctx, c, p)
}

// checkPhase checks the plans of a phase that have no summary. It fails with the error none if there are none.
func (j *planIndexOps) checkPhase(ctx context.Context, c *planop.Call, phase *inventory.Phase, none error) (*CheckAnswer, error) {
	out := &CheckAnswer{Plan: phase.Token(), File: phase.Dir, Passed: true, Verdict: "passed", Report: check.EmptyReport()}
	for _, listed := range phase.Plans {
		if listed.HasSummary() {
			continue
		}
		p, err := findPlan(c, listed.ID)
		if err != nil {
			return nil, err
		}
		a, err := j.checkPlan(ctx, c, p)
		if err != nil {
			return nil, err
		}
		if out.Plans = append(out.Plans, a); a.Verdict == "blocked" || out.Verdict == "passed" {
			out.Verdict = a.Verdict
		}
		if out.Passed = out.Passed && a.Passed; !out.Index.Used {
			out.Index = a.Index
		}
	}
	if len(out.Plans) == 0 {
		return nil, none
	}
	return out, nil
}

func (j *planIndexOps) checkPlan(ctx context.Context, c *planop.Call, p *plan) (*CheckAnswer, error) {
	if parts := p.Unfilled(); len(parts) > 0 {
		return &CheckAnswer{
			Plan: p.id, File: p.file, Verdict: "draft", Unfilled: parts, Index: Index{Note: "a draft is not compared with the code"},
			Report: check.EmptyReport(),
		}, nil
	}
	around, err := planSurroundings(c, p)
	if err != nil {
		return nil, err
	}
	a := &CheckAnswer{Plan: p.id, File: p.file}
	err = j.withSource(ctx, c, func(ctx context.Context, s *source) error {
		r, err := check.Compare(ctx, s.s, s.places, p.Plan, around)
		if err != nil {
			return err
		}
		a.Index, a.Report, a.Passed = s.index, *r, true
		for _, i := range r.Issues {
			a.Passed = a.Passed && i.Severity != "blocker"
		}
		if a.Verdict = "passed"; !a.Passed {
			a.Verdict = "blocked"
		}
		// A list without entries is [] in JSON.
		a.Files, a.Names, a.Signatures = nonNilList(a.Files), nonNilList(a.Names), nonNilList(a.Signatures)
		a.Breaks, a.Agains = nonNilList(a.Breaks), nonNilList(a.Agains)
		a.Issues, a.Reading.Files = nonNilList(a.Issues), nonNilList(a.Reading.Files)
		return nil
	})
	return a, err
}

// planSurroundings returns the facts about the planning folder that a plan is checked against: other plans and documents.
func planSurroundings(c *planop.Call, p *plan) (*check.Surroundings, error) {
	around := &check.Surroundings{ID: p.id, Phase: p.phase != nil}
	set, err := c.Settings()
	if err != nil {
		return nil, err
	}
	around.Window = set.Number("context_window")
	f, err := c.Folder()
	if err != nil {
		return nil, err
	}
	if text, err := f.Read("REQUIREMENTS.md"); err == nil {
		around.Requirements = map[string]bool{}
		for _, r := range artefact.ParseRequirements(text).List {
			around.Requirements[r.ID] = true
		}
	}
	if p.phase == nil {
		return around, nil
	}
	if name := p.phase.FirstOfKind("RESEARCH"); name != "" {
		// A file that cannot be read has no questions.
		around.Research, _ = f.ReadRoot(path.Join(strings.TrimPrefix(p.phase.Dir, folder.Name+"/"), name))
	}
	around.Validation = p.phase.Has("VALIDATION")
	inv, err := c.Inventory()
	if err != nil {
		return nil, err
	}
	earlier := &earlierPlans{inv: inv, f: f, of: p}
	around.Makes, around.Names = earlier.makerOf, earlier.namerOf
	q, err := query.New(c)
	if err != nil {
		return nil, err
	}
	laid, err := wave.Read(q, p.phase.Token(), wave.Limits{Together: 1}, nil)
	if err != nil {
		around.Order = err.Error()
		return around, nil
	}
	for _, w := range laid.Layout.Warnings {
		if strings.HasPrefix(w, p.id+" ") {
			around.Order = w
		}
	}
	return around, nil
}

// earlierPlans finds what other plans make. Only plans of the same phase and of earlier phases count, because later ones cannot be relied
// on, and of other phases only those that were not carried out: the files of the others exist already.
type earlierPlans struct {
	inv   *inventory.Inventory
	f     *folder.Folder
	of    *plan
	read  bool
	files map[string]string // the plan that makes a file
	texts []planText
}

type planText struct{ id, text string }

func (e *earlierPlans) readAll() {
	e.read, e.files = true, map[string]string{}
	for _, ph := range sortedPhases(e.inv) {
		for _, listed := range ph.Plans {
			if listed.ID == e.of.id && ph == e.of.phase || ph != e.of.phase && listed.HasSummary() {
				continue
			}
			text, err := e.f.ReadRoot(path.Join(strings.TrimPrefix(ph.Dir, folder.Name+"/"), listed.File))
			if err != nil {
				continue
			}
			if !listed.HasSummary() && (ph != e.of.phase || listed.ID < e.of.id) {
				e.texts = append(e.texts, planText{listed.ID, text})
			}
			for _, file := range claim.Read(artefact.ParsePlan(text)).Files {
				if (file.Role.Writes() || file.New) && e.files[file.Path] == "" {
					e.files[file.Path] = listed.ID
				}
			}
		}
		if ph == e.of.phase {
			return
		}
	}
}

// makerOf returns the other plan that makes a file, "" if none does.
func (e *earlierPlans) makerOf(file string) string {
	if !e.read {
		e.readAll()
	}
	if by := e.files[file]; by != "" || !strings.Contains(file, "/") {
		return by
	}
	by := ""
	for made, id := range e.files { // without the folders that all have
		if strings.HasSuffix(made, "/"+file) && (by == "" || id < by) {
			by = id
		}
	}
	return by
}

// namerOf returns the plan before, not yet carried out, whose text has a word, "" if none does.
func (e *earlierPlans) namerOf(word string) string {
	if !e.read {
		e.readAll()
	}
	for i := range e.texts {
		if check.HasWord(e.texts[i].text, word) {
			return e.texts[i].id
		}
	}
	return ""
}

func (a *CheckAnswer) page() string {
	var b strings.Builder
	if len(a.Plans) > 0 {
		for _, p := range a.Plans {
			b.WriteString(p.page())
		}
		return b.String()
	}
	if a.Verdict == "draft" {
		return fmt.Sprintf("%s: draft, in no wave until it is filled\nto fill in %s: %s\n", a.Plan, a.File, strings.Join(a.Unfilled, ", "))
	}
	verdict := "nothing stops it"
	if !a.Passed {
		verdict = "blocked"
	}
	fmt.Fprintf(&b, "%s: %s\n", a.Plan, verdict)
	if a.Index.Note != "" {
		fmt.Fprintf(&b, "%s\n", a.Index.Note)
	}
	fmt.Fprintf(&b, "files %d, names %d, declarations %d: %d found, %d near, %d to be made, %d absent, %d not judged\n", len(a.Files), len(a.Names),
		len(a.Signatures), a.Count(check.Found), a.Count(check.Near), a.Count(check.ToBeMade), a.Count(check.Absent), a.Count(check.NotJudged))
	fmt.Fprintf(&b, "to read: %d tokens in %d files, %d of them the plan\n", a.Reading.Tokens, len(a.Reading.Files)+1, a.Reading.Plan)
	for _, i := range a.Issues {
		place := ""
		if i.Line > 0 {
			place = fmt.Sprintf(" (line %d)", i.Line)
		}
		fmt.Fprintf(&b, "%s %s: %s%s\n    %s\n", i.Severity, i.Dimension, i.Description, place, i.Hint)
	}
	tests := 0
	for _, t := range a.Breaks {
		if t.Test && tests < maxRows {
			fmt.Fprintf(&b, "test to run: %s  %s\n", t.Path, t.Why)
			tests++
		}
	}
	b.WriteString("dimensions\n")
	for _, d := range a.Dimensions {
		evidence := ""
		if len(d.Evidence) > 0 {
			evidence = d.Evidence[0]
		}
		fmt.Fprintf(&b, "  %2d %-26s %-10s  %s\n", d.Number, d.Name, d.Verdict, evidence)
	}
	return b.String()
}

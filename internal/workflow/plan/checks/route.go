package checks

import (
	"context"
	"fmt"
	"path"
	"slices"
	"strings"
	"unicode"

	"ken/internal/workflow/plan/inventory"
	"ken/internal/workflow/plan/planop"
	"ken/internal/workflow/plan/query"
)

type formatInput struct {
	Format string `arg:"[FORMAT]" enum:"json,table" help:"how it is shown"`
}

type step struct {
	Command string   `json:"command"`
	Args    []string `json:"args"`
	Reason  string   `json:"reason"`
	Phase   *string  `json:"current_phase"`
	Name    *string  `json:"phase_name"`
	Gates   []string `json:"gates"`   // decisions for a person to make first
	Context []string `json:"context"` // files to read for it
}

func nextStep(_ context.Context, from *source, _ *planop.NoInput) (step, error) {
	inv := from.inv
	s := inv.NextStep()
	a := step{Command: s.Command, Reason: s.Reason, Args: []string{}, Gates: []string{}, Context: []string{}}
	if p := s.Phase; p != nil {
		number, name := p.ID.String(), p.Name
		a.Args, a.Phase, a.Name = []string{number}, &number, &name
		a.Gates = append(a.Gates, waitReasons(inv, p)...)
		for _, kind := range []string{"CONTEXT", "RESEARCH", "VERIFICATION", "UAT"} {
			if file := p.FirstOfKind(kind); file != "" && p.Dir != "" {
				a.Context = append(a.Context, path.Join(p.Dir, file))
			}
		}
	}
	if inv.State != nil {
		for _, b := range inv.State.Blockers() {
			a.Gates = append(a.Gates, "blocker: "+b)
		}
	}
	return a, nil
}

// waitReasons returns the reasons why a phase waits for a person.
func waitReasons(inv *inventory.Inventory, p *inventory.Phase) (list []string) {
	switch inv.Verification(p) {
	case "human_needed":
		list = append(list, "its verification needs a person")
	case "gaps_found":
		list = append(list, "its verification found gaps")
	}
	return list
}

type readiness struct {
	Found        bool     `json:"found"`
	Ready        bool     `json:"ready"`
	Phase        string   `json:"phase,omitempty"`
	Context      bool     `json:"has_context"`
	Research     bool     `json:"has_research"`
	Plans        bool     `json:"has_plans"`
	Verification bool     `json:"has_verification"`
	Count        int      `json:"plan_count"`
	Incomplete   []string `json:"incomplete_plans"`
	UISpec       bool     `json:"has_ui_spec"`
	UIWords      bool     `json:"has_ui_indicators"`
	Dependencies bool     `json:"dependencies_met"`
	Blockers     []string `json:"blockers"`
	Next         string   `json:"next_step"`
	Near         []string `json:"near,omitempty"`
}

// uiWords are the words of a goal that mean that it is about a user interface.
var uiWords = [...]string{
	"ui", "interface", "page", "screen", "dashboard", "form", "button", "frontend", "layout", "view", "component", "modal", "widget", "css",
}

// interfaceWords returns the words of a text, each once, that mean that it is about a user interface. It compares whole words, singular or
// plural, because "build" contains ui and "platform" contains form.
func interfaceWords(text string) []string {
	found := []string{}
	for _, w := range strings.FieldsFunc(strings.ToLower(text), func(c rune) bool { return !unicode.IsLetter(c) && !unicode.IsDigit(c) }) {
		for _, is := range uiWords {
			if (w == is || w == is+"s") && !slices.Contains(found, is) {
				found = append(found, is)
			}
		}
	}
	return found
}

func checkReadiness(_ context.Context, from *source, in *phaseInput) (readiness, error) {
	inv := from.inv
	r := readiness{Incomplete: []string{}, Blockers: []string{}}
	p, _ := inv.FindText(in.Phase)
	if p == nil {
		r.Near = inv.NearPhases(in.Phase)
		r.Blockers = append(r.Blockers, "there is no such phase")
		return r, nil
	}
	r = readiness{
		Found: true, Phase: p.ID.String(), Context: p.Has("CONTEXT"), Research: p.Has("RESEARCH"), Plans: len(p.Plans) > 0, Verification: p.Has("VERIFICATION"),
		Count: len(p.Plans), Incomplete: append([]string{}, p.IncompletePlans()...), UISpec: p.Has("UI-SPEC"), Dependencies: true, Blockers: []string{},
	}
	if p.Detail != nil && inv.Roadmap != nil {
		r.UIWords = len(interfaceWords(p.Name+" "+inv.Roadmap.Value(*p.Detail, "Goal"))) > 0
		for _, id := range inv.Roadmap.DependsOn(*p.Detail) {
			d, archived := inv.Find(id)
			ticked, _ := inv.Roadmap.CheckState(id)
			if done := archived != "" || ticked || d != nil && d.IsExecuted(); !done {
				r.Dependencies = false
				r.Blockers = append(r.Blockers, "phase "+id.String()+" is not complete")
			}
		}
	}
	isDraft := !inv.Original && len(r.Incomplete) > 0 && !inv.HasWork(p) // gsd-tools knows no drafts
	switch {
	case len(p.Plans) == 0 && !p.Has("CONTEXT"):
		r.Next = "discuss-phase"
	case len(p.Plans) == 0, isDraft:
		r.Next = "plan-phase"
	case len(r.Incomplete) > 0:
		r.Next = "execute-phase"
	case inv.Verification(p) != "passed":
		r.Next = "verify-work"
	default:
		r.Next = "complete"
	}
	if !r.Plans {
		r.Blockers = append(r.Blockers, "it has no plan")
	}
	if isDraft {
		r.Blockers = append(r.Blockers, "to fill: "+strings.Join(inv.Drafts(p), ", "))
	}
	r.Ready = len(r.Blockers) == 0
	return r, nil
}

type verificationAnswer struct {
	Found  bool     `json:"found"`
	Status string   `json:"status"` // missing without a verification
	File   *string  `json:"file"`
	Near   []string `json:"near,omitempty"`
}

func showVerification(_ context.Context, from *source, in *phaseInput) (verificationAnswer, error) {
	inv := from.inv
	p, _ := inv.FindText(in.Phase)
	if p == nil {
		return verificationAnswer{Status: "missing", Near: inv.NearPhases(in.Phase)}, nil
	}
	v := verificationAnswer{Found: true, Status: inv.Verification(p)}
	if name := p.FirstOfKind("VERIFICATION"); name != "" {
		file := path.Join(p.Dir, name)
		v.File = &file
	}
	if v.Status == "" {
		v.Status = "missing"
	}
	return v, nil
}

type statsAnswer struct {
	query.Report
	Completed    int     `json:"phases_completed"`
	Phases       int     `json:"phases_total"`
	PlanPercent  int     `json:"plan_percent"`
	Requirements int     `json:"requirements_total"`
	Met          int     `json:"requirements_complete"`
	Activity     *string `json:"last_activity"`
}

// statsTable is the answer as a page in Markdown.
type statsTable struct {
	Rendered string `json:"rendered"`
}

func plainStats(a any) string {
	if table, ok := a.(statsTable); ok {
		return table.Rendered
	}
	text, _ := planop.JSONPart(a) // plain fields only
	return text
}

func projectStats(_ context.Context, c *planop.Call, in *formatInput) (any, error) {
	stats, err := countStats(c)
	if err != nil || in.Format != "table" {
		return stats, err
	}
	return statsTable{stats.table()}, nil
}

func (f *statsAnswer) table() string {
	var b strings.Builder
	fmt.Fprintf(&b, "# %s %s — Statistics\n\n**Progress:** [%s] %d/%d phases (%d%%)\n", f.Version, f.Name, inventory.ProgressBar(f.Percent, 10),
		f.Completed, f.Phases, f.Percent)
	if f.Plans > 0 {
		fmt.Fprintf(&b, "**Plans:** %d/%d complete (%d%%)\n", f.Summaries, f.Plans, f.PlanPercent)
	}
	fmt.Fprintf(&b, "**Phases:** %d/%d complete\n", f.Completed, f.Phases)
	if f.Requirements > 0 {
		fmt.Fprintf(&b, "**Requirements:** %d/%d complete\n", f.Met, f.Requirements)
	}
	b.WriteString("\n| Phase | Name | Plans | Completed | Status |\n|-------|------|-------|-----------|--------|\n")
	for _, p := range f.Report.Phases {
		fmt.Fprintf(&b, "| %s | %s | %d | %d | %s |\n", p.Number, p.Name, p.Plans, p.Summaries, p.Status)
	}
	if f.Activity != nil {
		fmt.Fprintf(&b, "**Last activity:** %s\n", *f.Activity)
	}
	return b.String()
}

func countStats(c *planop.Call) (statsAnswer, error) {
	q, err := query.New(c)
	if err != nil {
		return statsAnswer{}, err
	}
	counts := q.Inventory.Counts()
	f := statsAnswer{Report: q.Report(), Phases: len(q.Inventory.Phases)}
	// The numbers must agree with the list: a phase is complete if it was verified, as its status shows.
	for i, p := range q.Inventory.Phases {
		row := &f.Report.Phases[i]
		row.Name, row.Status = p.Name, q.Inventory.ReportStatus(p, "Not Started")
		if row.Status == "Complete" {
			f.Completed++
		}
	}
	if q.Inventory.Original {
		f.Percent = inventory.Percent(f.Completed, f.Phases)
	}
	if counts.Plans > 0 {
		f.PlanPercent = inventory.Percent(counts.CompletedPlans, counts.Plans)
	}
	required, err := (&source{folder: q.Folder}).requirements()
	if err != nil {
		return statsAnswer{}, err
	}
	for _, r := range required.List {
		if r.HasBox {
			f.Requirements++
			if r.Done {
				f.Met++
			}
		}
	}
	if s := q.Inventory.State; s != nil {
		if date, what := s.Activity(); date != "" {
			if what != "" && !q.Inventory.Original {
				date += " — " + what
			}
			f.Activity = &date
		}
	}
	return f, nil
}

package query

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"ken/internal/workflow/plan/inventory"
	"ken/internal/workflow/plan/phaseid"
	"ken/internal/workflow/plan/roadmap"
)

// ErrNoRoadmap reports that there is no ROADMAP.md.
var ErrNoRoadmap = errors.New("ROADMAP.md not found")

// Analysis describes the phases of the current milestone: the text of the roadmap, and the state of their files.
type Analysis struct {
	Milestones []MilestoneHeading `json:"milestones"`
	Phases     []AnalyzedPhase    `json:"phases"`
	Count      int                `json:"phase_count"`
	Completed  int                `json:"completed_phases"`
	Plans      int                `json:"total_plans"`
	Summaries  int                `json:"total_summaries"`
	Percent    int                `json:"progress_percent"`
	Current    *string            `json:"current_phase"`
	Next       *string            `json:"next_phase"`
	Missing    []string           `json:"missing_phase_details"`
	Scope      roadmap.Scope      `json:"scope"`
	ScopeWhy   string             `json:"scope_reason,omitempty"`
}

// MilestoneHeading is a heading of the roadmap that contains a version.
type MilestoneHeading struct {
	Heading string `json:"heading"`
	Version string `json:"version"`
}

// AnalyzedPhase is a phase in an Analysis.
type AnalyzedPhase struct {
	Number     string  `json:"number"`
	Name       string  `json:"name"`
	Goal       *string `json:"goal"`
	DependsOn  *string `json:"depends_on"`
	Plans      int     `json:"plan_count"`
	Summaries  int     `json:"summary_count"`
	Context    bool    `json:"has_context"`
	Research   bool    `json:"has_research"`
	DiskStatus string  `json:"disk_status"`
	Ticked     bool    `json:"roadmap_complete"`
}

// Analyze compares the current milestone of the roadmap with the files of its phases. The phases are in the order of the roadmap, without
// the backlog. It fails with ErrNoRoadmap.
func (q *Questions) Analyze() (Analysis, error) {
	r := q.Inventory.Roadmap
	if r == nil {
		return Analysis{Milestones: []MilestoneHeading{}, Phases: []AnalyzedPhase{}, Scope: roadmap.Unreadable}, ErrNoRoadmap
	}
	view := &q.Inventory.View
	a := Analysis{Milestones: []MilestoneHeading{}, Phases: []AnalyzedPhase{}, Scope: view.Scope, ScopeWhy: view.Why}
	for _, m := range r.Milestones {
		if _, item := r.Doc.ItemAt(m.Line); !item && view.Has(m.Line) && strings.Contains(m.Version, ".") {
			a.Milestones = append(a.Milestones, MilestoneHeading{headingText(r, m.Line), m.Version})
		}
	}
	for i := range view.Phases {
		d := &view.Phases[i]
		at := slices.IndexFunc(q.Inventory.Phases, func(p *inventory.Phase) bool { return p.Detail == d })
		if at < 0 || d.Backlog {
			continue
		}
		a.addPhase(r, d, q.Inventory.Phases[at])
	}
	a.Count = len(a.Phases)
	if a.Percent = inventory.Percent(a.Summaries, a.Plans); !q.Inventory.Original {
		c := q.Inventory.Counts()
		a.Percent, a.Completed = c.Percent, c.CompletedPhases
		if p := q.Inventory.Current(); p != nil {
			a.Current = OrNil(p.ID.String())
		}
	}
	for _, id := range r.MissingDetails(view.Lines) {
		if !id.IsBacklog() {
			a.Missing = append(a.Missing, id.String())
		}
	}
	return a, nil
}

func headingText(r *roadmap.Roadmap, line int) string {
	for _, h := range r.Doc.Headings() {
		if h.Line == line {
			before, _, _ := strings.Cut(h.Text.Text(r.Doc.Text()), "(")
			return strings.TrimSpace(before)
		}
	}
	return ""
}

func (a *Analysis) addPhase(r *roadmap.Roadmap, d *roadmap.Phase, p *inventory.Phase) {
	row := AnalyzedPhase{
		Number: d.ID.String(), Name: d.Name, Goal: OrNil(r.Value(*d, "Goal")), DependsOn: OrNil(r.Value(*d, "Depends on")), Plans: len(p.Plans), Summaries: len(p.Summaries),
		Context: p.Has("CONTEXT"), Research: p.Has("RESEARCH"), DiskStatus: p.DiskStatus(), Ticked: p.Ticked,
	}
	a.Phases = append(a.Phases, row)
	a.Plans += row.Plans
	a.Summaries += min(row.Summaries, row.Plans)
	switch row.DiskStatus {
	case "complete":
		a.Completed++
	case "planned", "partial":
		if a.Current == nil {
			a.Current = &row.Number
		}
	default:
		if a.Next == nil {
			a.Next = &row.Number
		}
	}
}

// RoadmapPhase is the section of a phase in the roadmap.
type RoadmapPhase struct {
	Found    bool     `json:"found"`
	Number   string   `json:"phase_number,omitempty"`
	Name     string   `json:"phase_name,omitempty"`
	Goal     *string  `json:"goal"`
	Criteria []string `json:"success_criteria,omitzero"`
	Section  string   `json:"section,omitempty"`
	Error    string   `json:"error,omitempty"`
	Message  string   `json:"message,omitempty"`
	Near     []string `json:"near,omitempty"`
}

// RoadmapPhase returns the section of the phase that a user names. It prefers the current milestone to others. It fails with
// ErrNoRoadmap.
func (q *Questions) RoadmapPhase(text string) (RoadmapPhase, error) {
	r := q.Inventory.Roadmap
	if r == nil {
		return RoadmapPhase{Error: ErrNoRoadmap.Error()}, ErrNoRoadmap
	}
	id, ok := phaseid.Parse(text)
	if !ok {
		return RoadmapPhase{Number: text, Near: q.Inventory.NearPhases(text)}, nil
	}
	for _, p := range q.Inventory.View.Phases {
		if phaseid.Same(p.ID, id) {
			return newRoadmapPhase(r, p, text), nil
		}
	}
	if p, ok := r.Find(id); ok && !p.Shipped {
		return newRoadmapPhase(r, p, text), nil
	}
	for _, c := range r.Checklist {
		if phaseid.Same(c.ID, id) && !c.Shipped {
			message := fmt.Sprintf("Phase %s is in a checklist and has no section \"### Phase %s:\" of its own.", text, text)
			return RoadmapPhase{Number: text, Name: c.Name, Error: "malformed_roadmap", Message: message}, nil
		}
	}
	return RoadmapPhase{Number: text, Near: q.Inventory.NearPhases(text)}, nil
}

func newRoadmapPhase(r *roadmap.Roadmap, p roadmap.Phase, number string) RoadmapPhase {
	return RoadmapPhase{
		Found: true, Number: number, Name: p.Name, Goal: OrNil(r.Value(p, "Goal")), Criteria: append([]string{}, r.Criteria(p)...), Section: r.Section(p),
	}
}

// Report is the progress of the milestone's phases.
type Report struct {
	Version   string          `json:"milestone_version"`
	Name      string          `json:"milestone_name"`
	Phases    []ReportedPhase `json:"phases"`
	Plans     int             `json:"total_plans"`
	Summaries int             `json:"total_summaries"`
	Percent   int             `json:"percent"`
}

// ReportedPhase is a phase of a report.
type ReportedPhase struct {
	Number    string `json:"number"`
	Name      string `json:"name"`
	Plans     int    `json:"plans"`
	Summaries int    `json:"summaries"`
	Status    string `json:"status"`
}

// Report returns the progress of the current milestone's phases. A phase without a folder is Pending.
func (q *Questions) Report() Report {
	r := Report{Phases: []ReportedPhase{}}
	r.Version, r.Name = q.Milestone()
	for _, p := range q.Inventory.Phases {
		row := ReportedPhase{p.ID.PaddedNumber(), p.Name, len(p.Plans), len(p.Summaries), q.Inventory.ReportStatus(p, "Pending")}
		if p.Dir != "" {
			row.Number, row.Name = p.Token(), strings.ReplaceAll(p.Slug(), "-", " ")
		}
		r.Phases = append(r.Phases, row)
	}
	c := q.Inventory.AnsweredCounts()
	r.Plans, r.Summaries, r.Percent = c.Plans, c.CompletedPlans, c.Percent
	return r
}

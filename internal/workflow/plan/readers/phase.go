package readers

import (
	"context"
	"path"
	"strings"

	"ken/internal/workflow/plan/folder"
	"ken/internal/workflow/plan/inventory"
	"ken/internal/workflow/plan/phaseid"
	"ken/internal/workflow/plan/planop"
	"ken/internal/workflow/plan/query"
)

type executePayload struct {
	Executor          string   `json:"executor_model"`
	Verifier          string   `json:"verifier_model"`
	TDD               bool     `json:"tdd_mode"`
	Commits           bool     `json:"commit_docs"`
	SubRepos          []string `json:"sub_repos"`
	Parallel          bool     `json:"parallelization"`
	Window            int      `json:"context_window"`
	Branching         string   `json:"branching_strategy"`
	PhaseTemplate     string   `json:"phase_branch_template"`
	MilestoneTemplate string   `json:"milestone_branch_template"`
	Verifies          bool     `json:"verifier_enabled"`
	phaseIdentity
	Requirements    *string  `json:"phase_req_ids"`
	Plans           []string `json:"plans"`
	Summaries       []string `json:"summaries"`
	Incomplete      []string `json:"incomplete_plans"`
	PlanCount       int      `json:"plan_count"`
	IncompleteCount int      `json:"incomplete_count"`
	Branch          *string  `json:"branch_name"`
	Version         string   `json:"milestone_version"`
	Milestone       string   `json:"milestone_name"`
	MilestoneSlug   string   `json:"milestone_slug"`
	StateExists     bool     `json:"state_exists"`
	RoadmapExists   bool     `json:"roadmap_exists"`
	ConfigExists    bool     `json:"config_exists"`
	StatePath       string   `json:"state_path"`
	RoadmapPath     string   `json:"roadmap_path"`
	ConfigPath      string   `json:"config_path"`
	Near            []string `json:"near,omitempty"` // phases close to a missing one
	*stateCheck
	commonFields
}

// stateCheck is the result of a check of STATE.md.
type stateCheck struct {
	Ran      bool     `json:"state_validation_ran"`
	Warnings []string `json:"state_warnings"`
}

func initExecutePhase(a *source, in *initExecutePhaseInput) (executePayload, error) {
	f, s := a.findPhase(in.Phase), a.set
	p := executePayload{
		Executor: a.model("gsd-executor"), Verifier: a.model("gsd-verifier"), TDD: s.IsOn("workflow.tdd_mode") || in.Tdd, Commits: a.commits(),
		SubRepos: stringList(s.Section("planning.sub_repos")), Parallel: s.IsOn("parallelization"), Window: s.Number("context_window"),
		Branching: s.Text("git.branching_strategy"), PhaseTemplate: s.Text("git.phase_branch_template"), MilestoneTemplate: s.Text("git.milestone_branch_template"),
		Verifies: s.IsOn("workflow.verifier"), phaseIdentity: f.identity(), Requirements: a.requirements(f),
		Plans: f.plans(), Summaries: f.summaries(), Incomplete: f.incompletePlans(),
		StateExists: a.exists("STATE.md"), RoadmapExists: a.exists("ROADMAP.md"), ConfigExists: a.exists("config.json"),
		StatePath: a.path("STATE.md"), RoadmapPath: a.path("ROADMAP.md"), ConfigPath: a.path("config.json"), Near: a.nearPhases(f, in.Phase), commonFields: a.newCommonFields(),
	}
	p.PlanCount, p.IncompleteCount = len(p.Plans), len(p.Incomplete)
	p.Version, p.Milestone = a.milestone()
	p.MilestoneSlug = phaseid.Slug(p.Milestone, maxSlug)
	p.Branch = phaseBranch(&p, s.Text("project_code"))
	if in.Validate {
		p.stateCheck = &stateCheck{Ran: a.inv.State != nil, Warnings: []string{}}
		if a.inv.State != nil {
			for _, problem := range a.inv.State.Problems() {
				p.Warnings = append(p.Warnings, problem.Error())
			}
		}
	}
	return p, nil
}

// phaseBranch returns the branch for work on the phase, or nil.
func phaseBranch(p *executePayload, code string) *string {
	name := ""
	switch {
	case p.Branching == "phase" && p.Found:
		name = strings.NewReplacer("{project}", code, "{phase}", *p.Number, "{slug}", *p.Slug).Replace(p.PhaseTemplate)
	case p.Branching == "milestone":
		name = strings.NewReplacer("{milestone}", p.Version, "{slug}", p.MilestoneSlug).Replace(p.MilestoneTemplate)
	}
	return query.OrNil(name)
}

// stringList returns the strings in a list of the settings.
func stringList(v any) []string {
	out := []string{}
	list, _ := v.([]any)
	for _, e := range list {
		if s, ok := e.(string); ok {
			out = append(out, s)
		}
	}
	return out
}

type planPayload struct {
	Researcher  string `json:"researcher_model"`
	Planner     string `json:"planner_model"`
	Checker     string `json:"checker_model"`
	TDD         bool   `json:"tdd_mode"`
	Research    bool   `json:"research_enabled"`
	PlanChecker bool   `json:"plan_checker_enabled"`
	Nyquist     bool   `json:"nyquist_validation_enabled"`
	Commits     bool   `json:"commit_docs"`
	TextMode    bool   `json:"text_mode"`
	AutoAdvance bool   `json:"auto_advance"`
	AutoChain   bool   `json:"auto_chain_active"`
	Mode        string `json:"mode"`
	phaseIdentity
	Padded       *string `json:"padded_phase"`
	Requirements *string `json:"phase_req_ids"`
	HasResearch  bool    `json:"has_research"`
	HasContext   bool    `json:"has_context"`
	HasReviews   bool    `json:"has_reviews"`
	HasPlans     bool    `json:"has_plans"`
	PlanCount    int     `json:"plan_count"`
	PlanningIs   bool    `json:"planning_exists"`
	RoadmapIs    bool    `json:"roadmap_exists"`
	StatePath    string  `json:"state_path"`
	RoadmapPath  string  `json:"roadmap_path"`
	Required     string  `json:"requirements_path"`
	Patterns     *string `json:"patterns_path"`
	documentPaths
	Brief string   `json:"code_brief,omitempty"` // of the code that the phase concerns
	Near  []string `json:"near,omitempty"`
	commonFields
}

// phaseIdentity has the number, name and folder of a payload's phase.
type phaseIdentity struct {
	Found  bool    `json:"phase_found"`
	Dir    *string `json:"phase_dir"`
	Number *string `json:"phase_number"`
	Name   *string `json:"phase_name"`
	Slug   *string `json:"phase_slug"`
}

func (f foundPhase) identity() phaseIdentity {
	return phaseIdentity{f.phase != nil, f.dir, f.number(), f.name(), f.slug()}
}

// documentPaths has the paths of a phase's documents that later steps read. A missing document is left out.
type documentPaths struct {
	Context      *string `json:"context_path,omitempty"`
	Research     *string `json:"research_path,omitempty"`
	Verification *string `json:"verification_path,omitempty"`
	UAT          *string `json:"uat_path,omitempty"`
	Reviews      *string `json:"reviews_path,omitempty"`
}

func (f foundPhase) phaseDocuments() documentPaths {
	return documentPaths{f.firstFile("CONTEXT"), f.firstFile("RESEARCH"), f.firstFile("VERIFICATION"), f.firstFile("UAT"), f.firstFile("REVIEWS")}
}

func (f foundPhase) paddedNumber() *string {
	if f.phase == nil {
		return nil
	}
	return query.OrNil(f.phase.ID.PaddedNumber())
}

func initPlanPhase(ctx context.Context, a *source, in *initPlanPhaseInput) (p planPayload, err error) {
	f, s := a.findPhase(in.Phase), a.set
	p = planPayload{
		Researcher: a.model("gsd-phase-researcher"), Planner: a.model("gsd-planner"), Checker: a.model("gsd-plan-checker"),
		TDD: s.IsOn("workflow.tdd_mode") || in.Tdd, Research: s.IsOn("workflow.research"), PlanChecker: s.IsOn("workflow.plan_check"),
		Nyquist: s.IsOn("workflow.nyquist_validation"), Commits: a.commits(), TextMode: s.IsOn("workflow.text_mode"), AutoAdvance: s.IsOn("workflow.auto_advance"),
		AutoChain: s.IsOn("workflow._auto_chain_active"), Mode: s.Text("mode"),
		phaseIdentity: f.identity(), Padded: f.paddedNumber(), Requirements: a.requirements(f),
		HasResearch: f.has("RESEARCH"), HasContext: f.has("CONTEXT"), HasReviews: f.has("REVIEWS"), PlanCount: len(f.plans()), HasPlans: len(f.plans()) > 0,
		PlanningIs: a.at != nil, RoadmapIs: a.exists("ROADMAP.md"), StatePath: a.path("STATE.md"), RoadmapPath: a.path("ROADMAP.md"),
		Required: a.path("REQUIREMENTS.md"), Patterns: f.firstFile("PATTERNS"), documentPaths: f.phaseDocuments(), Near: a.nearPhases(f, in.Phase), commonFields: a.newCommonFields(),
	}
	if f.phase != nil && a.call.Brief != nil {
		p.Brief, err = a.call.Brief(ctx, a.call, f.phase.Token())
	}
	return p, err
}

type verifyPayload struct {
	Planner      string   `json:"planner_model"`
	Checker      string   `json:"checker_model"`
	Commits      bool     `json:"commit_docs"`
	Found        bool     `json:"phase_found"`
	Dir          *string  `json:"phase_dir"`
	Number       *string  `json:"phase_number"`
	Name         *string  `json:"phase_name"`
	Verification bool     `json:"has_verification"`
	Near         []string `json:"near,omitempty"`
	commonFields
}

func initVerifyWork(a *source, in *phaseInput) (verifyPayload, error) {
	f := a.findPhase(in.Phase)
	return verifyPayload{
		Planner: a.model("gsd-planner"), Checker: a.model("gsd-plan-checker"), Commits: a.commits(), Found: f.phase != nil, Dir: f.dir, Number: f.number(), Name: f.name(),
		Verification: f.has("VERIFICATION"), Near: a.nearPhases(f, in.Phase), commonFields: a.newCommonFields(),
	}, nil
}

type phasePayload struct {
	Commits   bool `json:"commit_docs"`
	Brave     bool `json:"brave_search"`
	Firecrawl bool `json:"firecrawl"`
	Exa       bool `json:"exa_search"`
	phaseIdentity
	Padded       *string `json:"padded_phase"`
	HasResearch  bool    `json:"has_research"`
	HasContext   bool    `json:"has_context"`
	HasPlans     bool    `json:"has_plans"`
	Verification bool    `json:"has_verification"`
	HasReviews   bool    `json:"has_reviews"`
	PlanCount    int     `json:"plan_count"`
	RoadmapIs    bool    `json:"roadmap_exists"`
	PlanningIs   bool    `json:"planning_exists"`
	StatePath    string  `json:"state_path"`
	RoadmapPath  string  `json:"roadmap_path"`
	Required     string  `json:"requirements_path"`
	documentPaths
	Near []string `json:"near,omitempty"`
	commonFields
}

func initPhaseOp(a *source, in *phaseInput) (phasePayload, error) {
	f, s := a.findPhase(in.Phase), a.set
	return phasePayload{
		Commits: a.commits(), Brave: s.IsOn("brave_search"), Firecrawl: s.IsOn("firecrawl"), Exa: s.IsOn("exa_search"),
		phaseIdentity: f.identity(), Padded: f.paddedNumber(),
		HasResearch: f.has("RESEARCH"), HasContext: f.has("CONTEXT"), HasPlans: len(f.plans()) > 0, Verification: f.has("VERIFICATION"), HasReviews: f.has("REVIEWS"),
		PlanCount: len(f.plans()), RoadmapIs: a.exists("ROADMAP.md"), PlanningIs: a.at != nil,
		StatePath: a.path("STATE.md"), RoadmapPath: a.path("ROADMAP.md"), Required: a.path("REQUIREMENTS.md"), documentPaths: f.phaseDocuments(), Near: a.nearPhases(f, in.Phase), commonFields: a.newCommonFields(),
	}, nil
}

type progressPayload struct {
	Executor   string      `json:"executor_model"`
	Planner    string      `json:"planner_model"`
	Commits    bool        `json:"commit_docs"`
	Version    string      `json:"milestone_version"`
	Milestone  string      `json:"milestone_name"`
	Phases     []phaseLine `json:"phases"`
	Count      int         `json:"phase_count"`
	Completed  int         `json:"completed_count"`
	InProgress int         `json:"in_progress_count"`
	Current    *phaseLine  `json:"current_phase"`
	Next       *phaseLine  `json:"next_phase"`
	PausedAt   *string     `json:"paused_at"`
	Working    bool        `json:"has_work_in_progress"`
	planningFiles
	StatePath  string `json:"state_path"`
	MapPath    string `json:"roadmap_path"`
	ProjPath   string `json:"project_path"`
	ConfigPath string `json:"config_path"`
	commonFields
}

type phaseLine struct {
	Number    string  `json:"number"`
	Name      string  `json:"name"`
	Dir       *string `json:"directory"`
	Status    string  `json:"status"`
	Plans     int     `json:"plan_count"`
	Summaries int     `json:"summary_count"`
	Research  bool    `json:"has_research"`
}

func initProgress(a *source, _ *planop.NoInput) (progressPayload, error) {
	r := progressPayload{
		Executor: a.model("gsd-executor"), Planner: a.model("gsd-planner"), Commits: a.commits(), Phases: []phaseLine{},
		planningFiles: a.planningFiles(), StatePath: a.path("STATE.md"), MapPath: a.path("ROADMAP.md"),
		ProjPath: path.Join(folder.Name, "PROJECT.md"), ConfigPath: a.path("config.json"), commonFields: a.newCommonFields(),
	}
	r.Version, r.Milestone = a.milestone()
	for _, p := range a.inv.Phases {
		line := newPhaseLine(p)
		r.Phases = append(r.Phases, line)
		switch line.Status {
		case "complete":
			r.Completed++
		case "in_progress":
			r.InProgress++
		}
		if r.Current == nil && (line.Status == "in_progress" || line.Status == "researched") {
			r.Current = &line
		}
		if r.Next == nil && (line.Status == "pending" || line.Status == "not_started" && r.Current == nil) {
			r.Next = &line
		}
	}
	r.Count, r.Working = len(r.Phases), r.Current != nil
	if s := a.inv.State; s != nil {
		r.PausedAt = query.OrNil(s.Value("Paused At"))
	}
	return r, nil
}

// newPhaseLine returns the entry of a phase in a list. A phase without a folder has not been started.
func newPhaseLine(p *inventory.Phase) phaseLine {
	line := phaseLine{p.Token(), p.Slug(), query.OrNil(p.Dir), p.WorkStatus(), len(p.Plans), len(p.Summaries), p.Has("RESEARCH")}
	if p.Dir == "" {
		line.Number, line.Name = p.ID.String(), phaseid.Slug(p.Name, maxSlug)
		if line.Status == "pending" {
			line.Status = "not_started"
		}
	}
	return line
}

package readers

import (
	"context"
	"strings"

	"ken/internal/workflow/plan/inventory"
	"ken/internal/workflow/plan/phaseid"
	"ken/internal/workflow/plan/planop"
	"ken/internal/workflow/plan/query"
)

func initExecutePhase(_ context.Context, a *source, in *initExecutePhaseInput) (payload, error) {
	a.findPhase(in.Phase)
	own := values{"tdd_mode": a.set.IsOn("workflow.tdd_mode") || in.Tdd, "branch_name": a.phaseBranch()}
	check := ""
	if in.Validate {
		warnings := []string{}
		if a.inv.State != nil {
			for _, problem := range a.inv.State.Problems() {
				warnings = append(warnings, problem.Error())
			}
		}
		check, own["state_validation_ran"], own["state_warnings"] = " state_validation_ran state_warnings", a.inv.State != nil, warnings
	}
	return a.newPayload("executor_model verifier_model tdd_mode commit_docs sub_repos parallelization context_window branching_strategy "+
		"phase_branch_template milestone_branch_template verifier_enabled"+phaseIdentity+" phase_req_ids plans summaries incomplete_plans "+
		"plan_count incomplete_count branch_name milestone_version milestone_name milestone_slug state_exists roadmap_exists config_exists "+
		"state_path roadmap_path config_path near?"+check+commonFields, own), nil
}

// phaseBranch returns the branch for work on the phase, or nil.
func (a *source) phaseBranch() *string {
	name := ""
	switch strategy := a.set.Text("git.branching_strategy"); {
	case strategy == "phase" && a.found.phase != nil:
		replaced := strings.NewReplacer("{project}", a.set.Text("project_code"), "{phase}", *a.found.number(), "{slug}", *a.found.slug())
		name = replaced.Replace(a.set.Text("git.phase_branch_template"))
	case strategy == "milestone":
		version, milestone := a.milestone()
		replaced := strings.NewReplacer("{milestone}", version, "{slug}", phaseid.Slug(milestone, maxSlug))
		name = replaced.Replace(a.set.Text("git.milestone_branch_template"))
	}
	return query.OrNil(name)
}

func initPlanPhase(ctx context.Context, a *source, in *initPlanPhaseInput) (p payload, err error) {
	a.findPhase(in.Phase)
	brief := ""
	if a.found.phase != nil && a.call.Brief != nil {
		brief, err = a.call.Brief(ctx, a.call, a.found.phase.Token())
	}
	return a.newPayload("researcher_model planner_model checker_model tdd_mode research_enabled plan_checker_enabled "+
		"nyquist_validation_enabled commit_docs text_mode auto_advance auto_chain_active mode"+phaseIdentity+" padded_phase phase_req_ids "+
		"has_research has_context has_reviews has_plans plan_count planning_exists roadmap_exists state_path roadmap_path requirements_path "+
		"patterns_path"+documentPaths+" code_brief? near?"+commonFields, values{
		"researcher_model": a.model("gsd-phase-researcher"), "tdd_mode": a.set.IsOn("workflow.tdd_mode") || in.Tdd, "code_brief": brief,
	}), err
}

func initVerifyWork(_ context.Context, a *source, in *phaseInput) (payload, error) {
	a.findPhase(in.Phase)
	return a.newPayload("planner_model checker_model commit_docs phase_found phase_dir phase_number phase_name has_verification near?"+
		commonFields, nil), nil
}

func initPhaseOp(_ context.Context, a *source, in *phaseInput) (payload, error) {
	a.findPhase(in.Phase)
	return a.newPayload("commit_docs brave_search firecrawl exa_search"+phaseIdentity+" padded_phase has_research has_context has_plans "+
		"has_verification has_reviews plan_count roadmap_exists planning_exists state_path roadmap_path requirements_path"+
		documentPaths+" near?"+commonFields, nil), nil
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

func initProgress(_ context.Context, a *source, _ *planop.NoInput) (payload, error) {
	list := []phaseLine{}
	var current, next *phaseLine
	completed, working := 0, 0
	for _, p := range a.inv.Phases {
		line := newPhaseLine(p)
		list = append(list, line)
		switch line.Status {
		case "complete":
			completed++
		case "in_progress":
			working++
		}
		if current == nil && (line.Status == "in_progress" || line.Status == "researched") {
			current = &line
		}
		if next == nil && (line.Status == "pending" || line.Status == "not_started" && current == nil) {
			next = &line
		}
	}
	var paused *string
	if s := a.inv.State; s != nil {
		paused = query.OrNil(s.Value("Paused At"))
	}
	return a.newPayload("executor_model planner_model commit_docs milestone_version milestone_name phases phase_count completed_count "+
		"in_progress_count current_phase next_phase paused_at has_work_in_progress"+planningFiles+
		" state_path roadmap_path project_path config_path"+commonFields, values{
		"phases": list, "phase_count": len(list), "completed_count": completed, "in_progress_count": working, "current_phase": current,
		"next_phase": next, "paused_at": paused, "has_work_in_progress": current != nil,
	}), nil
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

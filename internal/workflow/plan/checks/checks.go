// Package checks declares the operations that choose the next step and collect the conditions before a step begins or ends: the switches
// of config.json, gates (the obstacles that must be settled first), whether a phase is ready, whether it or the milestone is complete,
// whether a phase can be shipped, and whether its plans cover the decisions and requirements. Answers are computed from the files on
// demand. Nothing named in a file of the project is run, and no network is used.
//
// Neighbours: phases computes the open work of a phase, inventory the next step.
package checks

import (
	"context"
	"fmt"
	"strings"

	"ken/internal/workflow/plan/planop"
)

type phaseInput struct {
	Phase string `arg:"PHASE" help:"the number of a phase: 3, 2.1, 03A"`
}

// All returns the operations of this package.
func All() []*planop.Operation {
	return []*planop.Operation{
		planop.Spec[planop.NoInput, step]{
			Name: "route next-action", Everyday: true, Also: []string{"next-action"}, Summary: "the next step, and why", Run: withSource(nextStep),
			Plain: func(n step) string { return strings.TrimSpace(n.Command + " " + strings.Join(n.Args, " ")) },
		}.Operation(),
		planop.Spec[phaseInput, readiness]{
			Name: "check phase-ready", Also: []string{"phase-ready"}, Summary: "whether a phase can be carried out, and what is missing",
			Run: withSource(checkReadiness),
		}.Operation(),
		operation("check verification-status", "what the verification of a phase says", showVerification, nil),
		planop.Spec[formatInput, any]{Name: "stats", Summary: "figures of the milestone", Run: projectStats, Plain: plainStats}.Operation(),

		planop.Spec[workflowInput, planop.Fields]{
			Name: "check config-gates", Summary: "the switches of config.json that a workflow asks for, in one answer", Run: checkConfigGates,
		}.Operation(),
		planop.Spec[planop.NoInput, autoModeAnswer]{
			Name: "check auto-mode", Summary: "whether steps go on without a person", Run: checkAutoMode,
			Plain: func(a autoModeAnswer) string { return fmt.Sprint(a.Active) },
		}.Operation(),
		operation("check completion", "whether a phase or the milestone is complete, and what is left", checkCompletion,
			func(a any) string { return fmt.Sprint(isComplete(a)) }),
		operation("check gates", "what stands in the way of a workflow", checkGates, func(a gateAnswer) string { return fmt.Sprint(a.Passed) }),
		operation("check ship-ready", "whether a phase can be handed on, as far as files and git say", checkShipReady,
			func(a shipAnswer) string { return fmt.Sprint(a.Ready) }),
		operation("check decision-coverage-plan", "whether every decision of a phase is in one of its plans", checkPlanCoverage,
			func(a planCoverage) string { return fmt.Sprint(a.Passed) }),
		operation("check decision-coverage-verify", "which decisions of a phase nothing that was built speaks of", checkResultCoverage,
			func(a resultCoverage) string { return a.Message }),
		operation("gap-analysis", "which requirements and decisions of a phase are in none of its plans", analyseGaps,
			func(a gapAnswer) string { return strings.TrimSuffix(a.Table, "\n") }),
		operation("detect phase-type", "what a phase is about: interface, schema, calls from outside, infrastructure", detectPhaseType, nil),
	}
}

// operation declares an operation that reads the files of a project.
func operation[In, A any](
	name, summary string, run func(ctx context.Context, s *source, in *In) (A, error), plain func(A) string,
) *planop.Operation {
	return planop.Spec[In, A]{Name: name, Summary: summary, Run: withSource(run), Plain: plain}.Operation()
}

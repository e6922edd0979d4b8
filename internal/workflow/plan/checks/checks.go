// Package checks declares the operations that choose the next step and collect the conditions before a step begins or ends: the switches
// of config.json, gates (the obstacles that must be settled first), whether a phase is ready, whether it or the milestone is complete,
// whether a phase can be shipped, and whether its plans cover the decisions and requirements. Answers are computed from the files on
// demand. Nothing named in a file of the project is run, and no network is used.
//
// Neighbours: phases computes the open work of a phase, inventory the next step.
package checks

import (
	"fmt"
	"strings"

	"ken/internal/workflow/plan/planop"
)

// All returns the operations of this package.
func All() []*planop.Operation {
	return append(routeOperations(), []*planop.Operation{
		planop.Spec[workflowInput, workflowSwitches]{
			Name: "check config-gates", Summary: "the switches of config.json that a workflow asks for, in one answer",
			Run: checkConfigGates,
		}.Operation(),
		planop.Spec[planop.NoInput, autoModeAnswer]{
			Name: "check auto-mode", Summary: "whether steps go on without a person", Run: checkAutoMode,
			Plain: func(a autoModeAnswer) string { return fmt.Sprint(a.Active) },
		}.Operation(),
		planop.Spec[checkCompletionInput, any]{
			Name: "check completion", Summary: "whether a phase or the milestone is complete, and what is left", Run: checkCompletion,
			Plain: func(a any) string { return fmt.Sprint(isComplete(a)) },
		}.Operation(),
		planop.Spec[checkGatesInput, gateAnswer]{
			Name: "check gates", Summary: "what stands in the way of a workflow", Run: checkGates,
			Plain: func(a gateAnswer) string { return fmt.Sprint(a.Passed) },
		}.Operation(),
		planop.Spec[phaseInput, shipAnswer]{
			Name: "check ship-ready", Summary: "whether a phase can be handed on, as far as files and git say", Run: checkShipReady,
			Plain: func(a shipAnswer) string { return fmt.Sprint(a.Ready) },
		}.Operation(),
		planop.Spec[checkDecisionCoveragePlanInput, planCoverage]{
			Name: "check decision-coverage-plan", Summary: "whether every decision of a phase is in one of its plans",
			Run:   checkPlanCoverage,
			Plain: func(a planCoverage) string { return fmt.Sprint(a.Passed) },
		}.Operation(),
		planop.Spec[checkDecisionCoveragePlanInput, resultCoverage]{
			Name: "check decision-coverage-verify", Summary: "which decisions of a phase nothing that was built speaks of",
			Run:   checkResultCoverage,
			Plain: func(a resultCoverage) string { return a.Message },
		}.Operation(),
		planop.Spec[gapAnalysisInput, gapAnswer]{
			Name: "gap-analysis", Summary: "which requirements and decisions of a phase are in none of its plans", Run: analyseGaps,
			Plain: func(a gapAnswer) string { return strings.TrimSuffix(a.Table, "\n") },
		}.Operation(),
		planop.Spec[phaseInput, phaseType]{
			Name: "detect phase-type", Summary: "what a phase is about: interface, schema, calls from outside, infrastructure",
			Run: detectPhaseType,
		}.Operation(),
	}...)
}

// Package checks declares the operations that collect the conditions before a step begins or ends: the switches of config.json, gates
// (the obstacles that must be settled first), whether a phase or the milestone is complete, whether a phase can be shipped, and
// whether its plans cover the decisions and requirements. Answers are computed from the files on demand. Nothing named in a file of
// the project is run, and no network is used.
//
// Neighbours: phases computes the open work of a phase, route the next step.
package checks

import (
	"fmt"
	"strings"

	"ken/internal/workflow/plan/planop"
)

// All returns the operations of this package.
func All() []*planop.Operation {
	return []*planop.Operation{
		planop.Spec[workflowInput, configured]{
			Name: "check config-gates", Summary: "the switches of config.json that a workflow asks for, in one answer",
			Run: configGates,
		}.Operation(),
		planop.Spec[planop.NoInput, automatic]{
			Name: "check auto-mode", Summary: "whether steps go on without a person", Run: autoMode,
			Plain: func(a automatic) string { return fmt.Sprint(a.Active) },
		}.Operation(),
		planop.Spec[checkCompletionInput, any]{
			Name: "check completion", Summary: "whether a phase or the milestone is complete, and what is left", Run: completion,
			Plain: func(a any) string { return fmt.Sprint(isComplete(a)) },
		}.Operation(),
		planop.Spec[checkGatesInput, gated]{
			Name: "check gates", Summary: "what stands in the way of a workflow", Run: gates,
			Plain: func(a gated) string { return fmt.Sprint(a.Passed) },
		}.Operation(),
		planop.Spec[phaseInput, shippable]{
			Name: "check ship-ready", Summary: "whether a phase can be handed on, as far as files and git say", Run: shipReady,
			Plain: func(a shippable) string { return fmt.Sprint(a.Ready) },
		}.Operation(),
		planop.Spec[checkDecisionCoveragePlanInput, planned]{
			Name: "check decision-coverage-plan", Summary: "whether every decision of a phase is in one of its plans",
			Run:   coveragePlan,
			Plain: func(a planned) string { return fmt.Sprint(a.Passed) },
		}.Operation(),
		planop.Spec[checkDecisionCoveragePlanInput, honored]{
			Name: "check decision-coverage-verify", Summary: "which decisions of a phase nothing that was built speaks of",
			Run:   coverageVerify,
			Plain: func(a honored) string { return a.Message },
		}.Operation(),
		planop.Spec[gapAnalysisInput, gaps]{
			Name: "gap-analysis", Summary: "which requirements and decisions of a phase are in none of its plans", Run: gapAnalysis,
			Plain: func(a gaps) string { return strings.TrimSuffix(a.Table, "\n") },
		}.Operation(),
		planop.Spec[phaseInput, phaseType]{
			Name: "detect phase-type", Summary: "what a phase is about: interface, schema, calls from outside, infrastructure",
			Run: detectType,
		}.Operation(),
	}
}

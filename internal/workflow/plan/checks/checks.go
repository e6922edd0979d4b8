// Package checks declares the operations that gather what has to hold before a step begins or ends: switches of config.json, gates,
// whether a phase or the milestone is complete, whether a phase can be handed on, whether its plans have what was decided and asked for.
// An answer is computed from what is on disk whenever somebody asks. Nothing is run that a file of the project names, and nothing is
// asked of a network.
//
// Neighbours: phases knows what is left to do of a phase, route what comes next.
package checks

import (
	"fmt"
	"strings"

	"ken/internal/workflow/plan/planop"
)

// All are the operations.
func All() []*planop.Operation {
	phase := []planop.Arg{{Name: "PHASE", Help: "the number of a phase: 3, 2.1, 03A"}}
	decisions := []planop.Arg{
		{Name: "PHASE", Help: "the number or the folder of a phase"},
		{Name: "CONTEXT", Help: "the file with its decisions; its CONTEXT.md if not given", Optional: true},
	}
	return []*planop.Operation{
		{
			Name: "check config-gates", Summary: "the switches of config.json that a workflow asks for, in one answer", Run: configGates,
			Args: []planop.Arg{{Name: "WORKFLOW", Help: "who asks", Optional: true}},
		},
		{
			Name: "check auto-mode", Summary: "whether steps go on without a person", Run: autoMode,
			Plain: func(a any) string { return fmt.Sprint(a.(automatic).Active) },
		},
		{
			Name: "check completion", Summary: "whether a phase or the milestone is complete, and what is left", Run: completion,
			Args: []planop.Arg{
				{Name: "SCOPE", Help: "what is asked about", Enum: []string{"phase", "milestone"}},
				{Name: "ID", Help: "the number of the phase, or the version of the milestone", Optional: true},
			},
			Plain: func(a any) string { return fmt.Sprint(isComplete(a)) },
		},
		{
			Name: "check gates", Summary: "what stands in the way of a workflow", Run: gates,
			Args:  []planop.Arg{{Name: "WORKFLOW", Help: "what is to begin: plan-phase, execute-phase, ship"}},
			Flags: []planop.Flag{{Name: "phase", Help: "the phase that it is about; without it all of the milestone are looked at"}},
			Plain: func(a any) string { return fmt.Sprint(a.(gated).Passed) },
		},
		{
			Name: "check ship-ready", Summary: "whether a phase can be handed on, as far as files and git say", Run: shipReady, Args: phase,
			Plain: func(a any) string { return fmt.Sprint(a.(shippable).Ready) },
		},
		{
			Name: "check decision-coverage-plan", Summary: "whether every decision of a phase is in one of its plans", Run: coveragePlan, Args: decisions,
			Plain: func(a any) string { return fmt.Sprint(a.(planned).Passed) },
		},
		{
			Name: "check decision-coverage-verify", Summary: "which decisions of a phase nothing that was built speaks of", Run: coverageVerify,
			Args: decisions, Plain: func(a any) string { return a.(honored).Message },
		},
		{
			Name: "gap-analysis", Summary: "which requirements and decisions of a phase are in none of its plans", Run: gapAnalysis,
			Args:  []planop.Arg{{Name: "PHASE", Help: "the number or the folder of a phase", Optional: true}},
			Flags: []planop.Flag{{Name: "phase-dir", Help: "the folder of the phase"}},
			Plain: func(a any) string { return strings.TrimSuffix(a.(gaps).Table, "\n") },
		},
		{Name: "detect phase-type", Summary: "what a phase is about: interface, schema, calls from outside, infrastructure", Run: detectType, Args: phase},
	}
}

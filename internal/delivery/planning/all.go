// Package planning is the surface of planning: `ken plan …`, and `ken gsd …` for prompts that call the operations as another
// program has them called. It lists the operations, reads the command line, runs them and writes what they answer as
// text or JSON. What an operation does is declared in packages below internal/workflow/plan.
package planning

import (
	"slices"

	"ken/internal/workflow/content/models"
	"ken/internal/workflow/plan/audit"
	"ken/internal/workflow/plan/begin"
	"ken/internal/workflow/plan/checks"
	"ken/internal/workflow/plan/commit"
	"ken/internal/workflow/plan/configure"
	"ken/internal/workflow/plan/execute"
	"ken/internal/workflow/plan/gate"
	"ken/internal/workflow/plan/health"
	"ken/internal/workflow/plan/intel"
	"ken/internal/workflow/plan/payload"
	"ken/internal/workflow/plan/phases"
	"ken/internal/workflow/plan/planop"
	"ken/internal/workflow/plan/profile"
	"ken/internal/workflow/plan/readers"
	"ken/internal/workflow/plan/route"
	"ken/internal/workflow/plan/run"
	"ken/internal/workflow/plan/scaffold"
	"ken/internal/workflow/plan/skills"
	"ken/internal/workflow/plan/statechange"
	"ken/internal/workflow/plan/stores"
	"ken/internal/workflow/plan/verify"
	"ken/internal/workflow/plan/wave"
	"ken/internal/workflow/plan/workstream"
)

// All are the operations of planning, in the order help shows them, as they answer without an index.
func All() []*planop.Operation { return With(nil, nil) }

// With are All, with what fills the part of code of payloads, and what answers for intel from an index.
func With(code payload.CodeSource, ask intel.Ask) []*planop.Operation {
	return slices.Concat(
		readers.All(),
		configure.All(),
		scaffold.All(),
		statechange.All(),
		stores.All(),
		begin.All(),
		verify.All(),
		health.All(),
		audit.All(),
		route.All(),
		checks.All(),
		models.All(),
		phases.All(),
		wave.All(),
		execute.All(),
		payload.All(code),
		run.All(),
		commit.All(),
		workstream.All(),
		skills.All(),
		intel.All(ask),
		gate.All(),
		profile.All(),
	)
}

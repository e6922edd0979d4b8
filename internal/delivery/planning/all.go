// Package planning lists the operations of planning, offers them beside all other operations, and answers `ken gsd …`, in which prompts
// call them as another program does. The operations are declared in packages below internal/workflow/plan.
package planning

import (
	"slices"

	"ken/internal/operation"
	"ken/internal/workflow/content/models"
	"ken/internal/workflow/plan/audit"
	"ken/internal/workflow/plan/checks"
	"ken/internal/workflow/plan/commit"
	"ken/internal/workflow/plan/configure"
	"ken/internal/workflow/plan/execute"
	"ken/internal/workflow/plan/gate"
	"ken/internal/workflow/plan/guide"
	"ken/internal/workflow/plan/health"
	"ken/internal/workflow/plan/intel"
	"ken/internal/workflow/plan/payload"
	"ken/internal/workflow/plan/phases"
	"ken/internal/workflow/plan/planop"
	"ken/internal/workflow/plan/profile"
	"ken/internal/workflow/plan/readers"
	"ken/internal/workflow/plan/scaffold"
	"ken/internal/workflow/plan/skills"
	"ken/internal/workflow/plan/start"
	"ken/internal/workflow/plan/statechange"
	"ken/internal/workflow/plan/stores"
	"ken/internal/workflow/plan/verify"
	"ken/internal/workflow/plan/wave"
	"ken/internal/workflow/plan/workstream"
)

// StartHint is the end of the error about a project without a planning folder.
const StartHint = planop.StartHint

// All returns the operations of planning, in the order of help, as they work without an index.
func All() []*planop.Operation { return AllWithIndex(nil, nil) }

// AllWithIndex returns the operations of All, with a source for the code part of payloads and an index to answer queries of package
// intel.
func AllWithIndex(code payload.CodeSource, ask intel.Ask) []*planop.Operation {
	return slices.Concat(
		readers.All(),
		start.All(),
		configure.All(),
		scaffold.All(),
		statechange.All(),
		stores.All(),
		readers.Payloads(),
		verify.All(),
		health.All(),
		audit.All(),
		checks.All(),
		models.All(),
		phases.All(),
		wave.All(),
		execute.All(),
		payload.All(code),
		guide.All(guide.Facts{Begun: execute.Begun, Topics: checks.Topics, Kept: commit.IsKept}),
		wave.RunOperations(wave.RunEffects{
			Executed: execute.CheckExecuted, Begin: statechange.Begin, Complete: phases.Complete, Begun: execute.Begun,
		}),
		commit.All(),
		workstream.All(),
		skills.All(),
		intel.All(ask),
		gate.All(),
		profile.All(),
	)
}

// Tools returns operations of planning as operations over a project of any type. in holds their common surroundings; the directory,
// the input and the environment are those of each call.
func Tools[P any](list []*planop.Operation, in planop.Surroundings) []*operation.Tool[P] {
	out := make([]*operation.Tool[P], len(list))
	for i, o := range list {
		out[i] = operation.Within(o, func(env *operation.Env[P], dir string) (*planop.Call, error) {
			s := in
			s.Dir, s.Stdin = dir, env.Stdin
			return &planop.Call{Surroundings: s}, nil
		})
	}
	return out
}

// HomeDir returns the user's home folder, "" if the environment names none.
func HomeDir(getenv func(string) string) string {
	if home := getenv("HOME"); home != "" {
		return home
	}
	return getenv("USERPROFILE")
}

package intel

import (
	"context"

	"ken/internal/workflow/plan/planop"
)

// Disabled is the answer where config.json does not ask for what an operation is about.
type Disabled struct {
	Disabled bool   `json:"disabled"`
	Message  string `json:"message"`
}

// All are the operations. ask may be nil.
func All(ask Ask) []*planop.Operation {
	o := &asking{ask}
	file := []planop.Arg{{Name: "FILE", Help: "from the root of the project"}}
	term := []planop.Arg{{Name: "TERM", Help: "what is looked for; upper and lower case are one"}}
	from := []planop.Flag{sourceFlag()}
	budget := planop.Flag{Name: "budget", Help: "about so many tokens; less certain edges go first", Kind: planop.Number}
	return []*planop.Operation{
		enabled("intel.enabled", planop.Operation{
			Name: "intel query", Summary: "what the index and the files of .planning/intel say of a word", Args: term, Flags: from, Run: o.query,
		}),
		enabled("intel.enabled", planop.Operation{
			Name: "intel status", Summary: "which of the index and the files of .planning/intel there are, and how old", Flags: from, Run: o.status,
		}),
		enabled("intel.enabled", planop.Operation{
			Name: "intel diff", Summary: "what changed of the index and the files of .planning/intel since their last snapshot", Flags: from, Run: o.diff,
		}),
		enabled("intel.enabled", planop.Operation{
			Name: "intel snapshot", Summary: "keep how the index and the files of .planning/intel are now", Flags: from, Writes: true, Run: o.takeSnapshot,
		}),
		enabled("intel.enabled", planop.Operation{
			Name: "intel validate", Summary: "mistakes in the files of .planning/intel", Flags: from, Run: o.validate,
		}),
		enabled("intel.enabled", planop.Operation{
			Name: "intel update", Summary: "who writes the files of .planning/intel anew", Flags: from, Run: o.update,
		}),
		{Name: "intel patch-meta", Summary: "mark a file of .planning/intel as written now", Args: file, Writes: true, Run: patchMeta},
		{Name: "intel extract-exports", Summary: "what a file offers to others", Args: file, Flags: from, Anywhere: true, Run: o.exports},
		enabled("graphify.enabled", planop.Operation{
			Name: "graphify query", Summary: "the part of the graph around a word", Args: term, Flags: append([]planop.Flag{budget}, from...), Run: o.graphQuery,
		}),
		enabled("graphify.enabled", planop.Operation{
			Name: "graphify status", Summary: "how large and how old the graph is", Flags: from, Run: o.graphStatus,
		}),
		enabled("graphify.enabled", planop.Operation{
			Name: "graphify diff", Summary: "what changed in the graph since its last snapshot", Flags: from, Run: o.graphDiff,
		}),
		{Name: "graphify build snapshot", Summary: "keep how the graph is now", Flags: from, Writes: true, Run: o.graphSnapshot},
		enabled("graphify.enabled", planop.Operation{Name: "graphify build", Summary: "who builds the graph, and where it has to be put", Run: graphBuild}),
	}
}

// enabled declares an operation that config.json has to ask for.
func enabled(key string, o planop.Operation) *planop.Operation {
	run := o.Run
	o.Run = func(ctx context.Context, c *planop.Call) (any, error) {
		set, err := c.Settings()
		if err != nil {
			return nil, err
		}
		if !set.On(key) {
			return Disabled{true, "not enabled; turn it on with: ken plan config-set " + key + " true"}, nil
		}
		return run(ctx, c)
	}
	return &o
}

package intel

import (
	"context"

	"ken/internal/workflow/plan/planop"
)

// Disabled is the answer of an operation that config.json does not enable.
type Disabled struct {
	Disabled bool   `json:"disabled"`
	Message  string `json:"message"`
}

// All returns the operations of this package. ask is nil in a program without an index.
func All(ask Ask) []*planop.Operation {
	o := &indexAsker{ask}
	return []*planop.Operation{
		ifEnabled("intel.enabled", planop.Spec[intelQueryInput, any]{
			Name: "intel query", Summary: "what the index and the files of .planning/intel say of a word", Run: o.queryFiles,
		}),
		ifEnabled("intel.enabled", planop.Spec[sourceInput, any]{
			Name: "intel status", Summary: "which of the index and the files of .planning/intel there are, and how old", Run: o.listFiles,
		}),
		ifEnabled("intel.enabled", planop.Spec[sourceInput, any]{
			Name: "intel diff", Summary: "what changed of the index and the files of .planning/intel since their last snapshot",
			Run: o.diffFiles,
		}),
		ifEnabled("intel.enabled", planop.Spec[sourceInput, any]{
			Name: "intel snapshot", Summary: "keep how the index and the files of .planning/intel are now", Writes: true,
			Run: o.takeSnapshot,
		}),
		ifEnabled("intel.enabled", planop.Spec[sourceInput, any]{
			Name: "intel validate", Summary: "mistakes in the files of .planning/intel", Run: o.validateFiles,
		}),
		ifEnabled("intel.enabled", planop.Spec[sourceInput, any]{
			Name: "intel update", Summary: "who writes the files of .planning/intel anew", Run: o.updateInstruction,
		}),
		planop.Spec[fileInput, Patched]{
			Name: "intel patch-meta", Summary: "mark a file of .planning/intel as written now", Writes: true, Run: patchMeta,
		}.Operation(),
		planop.Spec[intelExtractExportsInput, Exports]{
			Name: "intel extract-exports", Summary: "what a file offers to others", Anywhere: true, Run: o.extractExports,
		}.Operation(),
		ifEnabled("graphify.enabled", planop.Spec[graphifyQueryInput, any]{
			Name: "graphify query", Summary: "the part of the graph around a word", Run: o.graphQuery,
		}),
		ifEnabled("graphify.enabled", planop.Spec[sourceInput, any]{
			Name: "graphify status", Summary: "how large and how old the graph is", Run: o.graphStatus,
		}),
		ifEnabled("graphify.enabled", planop.Spec[sourceInput, any]{
			Name: "graphify diff", Summary: "what changed in the graph since its last snapshot", Run: o.graphDiff,
		}),
		planop.Spec[sourceInput, GraphSaved]{
			Name: "graphify build snapshot", Summary: "keep how the graph is now", Writes: true, Run: o.graphSnapshot,
		}.Operation(),
		ifEnabled("graphify.enabled", planop.Spec[planop.NoInput, any]{Name: "graphify build", Summary: "who builds the graph, and where it must be put", Run: buildInstruction}),
	}
}

// ifEnabled declares an operation that only works if the setting key of config.json is true.
func ifEnabled[In any](key string, s planop.Spec[In, any]) *planop.Operation {
	run := s.Run
	s.Run = func(ctx context.Context, c *planop.Call, in *In) (any, error) {
		set, err := c.Settings()
		if err != nil {
			return nil, err
		}
		if !set.IsOn(key) {
			return Disabled{true, "not enabled; turn it on with: ken plan config-set " + key + " true"}, nil
		}
		return run(ctx, c, in)
	}
	return s.Operation()
}

package op

import (
	"context"

	"ken/internal/ask/surface"
	"ken/internal/delivery/project"
	"ken/internal/engine/view"
	"ken/internal/operation"
)

type surfaceInput struct {
	Type  string `flag:"type" value:"TYPE" enum:"package,dependency,use,reexport,coverage" help:"only records of this type"`
	Limit *int   `flag:"limit" value:"N" help:"records printed; 0: all (default: all)"`
}

// surfaceAnswer is a list of records, a JSON object on each line.
type surfaceAnswer struct {
	Records operation.Rows[surface.Record] `json:"records" doc:"one JSON object on each line, in a total order"`
}

// Lines makes the JSON form of the answer one line for each record.
func (a *surfaceAnswer) Lines() operation.Stream { return a.Records }

func surfaceTool() *Tool {
	return spec[surfaceInput, surfaceAnswer]{
		Name:  "surface",
		Topic: operation.Ask, Rare: true,
		Summary: "what other repositories see of this one: its packages, dependencies and uses of other packages",
		Long: "The output is one JSON object a line, whatever the format asked for. The same tree at the same commit gives the same bytes. The\n" +
			"last lines are the coverage: how many uses of other packages could be attributed to one, and what was not read. ken fleet joins\n" +
			"the surfaces of several repositories.",
		Example: []string{"surface > ../fleet/api.jsonl", "surface --type dependency"},
		Run:     runSurface,
		Text: func(t *operation.Text, _ *surfaceInput, a *surfaceAnswer) error {
			return operation.WriteJSON(t.Raw(), a)
		},
	}.Tool()
}

func runSurface(ctx context.Context, env *Env, in *surfaceInput, emit func(*surfaceAnswer) error) error {
	p, err := project.Open(env, operation.Existing)
	if err != nil {
		return err
	}
	return p.AskWhole(ctx, func(ctx context.Context, s *view.Snapshot) error {
		found, err := surface.Read(ctx, s)
		if err != nil {
			return err
		}
		left := len(found)
		if in.Limit != nil && *in.Limit > 0 {
			left = *in.Limit
		}
		return emit(&surfaceAnswer{Records: func(yield func(surface.Record, error) bool) {
			for _, r := range found {
				if in.Type != "" && r.Type != in.Type {
					continue
				}
				if left--; left < 0 || !yield(r, nil) {
					return
				}
			}
		}})
	})
}

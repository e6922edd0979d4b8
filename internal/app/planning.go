package app

import (
	"context"
	"slices"
	"time"

	"ken/internal/config"
	"ken/internal/delivery/cli"
	"ken/internal/delivery/plancode"
	"ken/internal/delivery/planning"
	"ken/internal/engine/source"
	"ken/internal/workflow/plan/planop"
)

// plans are the commands over planning folders. Only those that join plans and code open an index.
func plans(c *planning.Command, open plancode.Open) []cli.Other {
	run := func(ctx context.Context, words []string, what func(*planning.Command, context.Context, []string) error) (err error) {
		if c.StateDir, err = config.StateDir(c.Getenv); err != nil {
			return err
		}
		c.Now, c.Mask = time.Now, source.Redact
		c.Operations, c.Meet = planningOperations(open), plancode.Meets(open)
		return what(c, ctx, words)
	}
	complete := func(words []string, begun string) []string {
		return (&planning.Command{Operations: planningOperations(open)}).Complete(words, begun)
	}
	return []cli.Other{
		{
			Name: "plan", Summary: "milestones, phases and plans in .planning: what is done, what is next", Complete: complete,
			Run: func(ctx context.Context, words []string) error { return run(ctx, words, (*planning.Command).Plan) },
		},
		{
			Name: "gsd", Summary: "the operations of \"ken plan\" as gsd-tools spells and answers them", Complete: complete,
			Run: func(ctx context.Context, words []string) error { return run(ctx, words, (*planning.Command).GSD) },
		},
	}
}

// planningOperations are all operations of planning.
func planningOperations(open plancode.Open) []*planop.Operation {
	return slices.Concat(planning.With(plancode.NewCodeSource(open), plancode.Intel(open)), plancode.All(open))
}

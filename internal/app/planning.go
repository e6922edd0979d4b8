package app

import (
	"context"
	"io"
	"slices"
	"time"

	"ken/internal/config"
	"ken/internal/delivery/cli"
	"ken/internal/delivery/injection"
	"ken/internal/delivery/plancode"
	"ken/internal/delivery/planning"
	"ken/internal/delivery/project"
	"ken/internal/engine/source"
	"ken/internal/workflow/plan/planop"
)

// plan is the command over planning folders. Only operations that join plans and code open an index.
func (p *Program) plan(open plancode.Open) cli.Group {
	return cli.Group{
		Name: "plan", Summary: "milestones, phases and plans in .planning: what is done, what is next", Default: "show",
		Tools: func() []*project.Tool {
			in, _ := p.planSurroundings(open) // a project with git needs no state folder; one without gets an error when it is used
			return planning.Tools[*project.Project](planningOperations(open), in)
		},
	}
}

// gsd is the command that answers in the spelling of gsd-tools.
func (p *Program) gsd(open plancode.Open, out io.Writer) cli.Other {
	return cli.Other{
		Name: "gsd", Summary: "the operations of \"ken plan\" as gsd-tools spells and answers them",
		Run: func(ctx context.Context, words []string) error {
			in, err := p.planSurroundings(open)
			if err != nil {
				return err
			}
			c := planning.GSD{Operations: planningOperations(open), In: in, Stdout: out, Stderr: p.Stderr}
			return c.Run(ctx, words)
		},
		Complete: func([]string, string) []string { return nil }, // prompts call it, people do not
	}
}

// planSurroundings returns the common surroundings of all operations of planning. It fails if the user has no folder for state.
func (p *Program) planSurroundings(open plancode.Open) (planop.Surroundings, error) {
	state, err := config.StateDir(p.Getenv)
	return planop.Surroundings{
		Dir: p.Dir, Home: planning.HomeDir(p.Getenv), StateDir: state, Stdin: p.Stdin, Getenv: p.Getenv, Now: time.Now, Mask: source.Redact, Orders: injection.Passages,
		Meet: plancode.NewMeetFinder(open), Brief: plancode.NewPhaseBriefer(open), Tests: plancode.NewTestFinder(open),
	}, err
}

// planningOperations are all operations of planning.
func planningOperations(open plancode.Open) []*planop.Operation {
	return slices.Concat(planning.AllWithIndex(plancode.NewCodeSource(open), plancode.Intel(open)), plancode.All(open))
}
